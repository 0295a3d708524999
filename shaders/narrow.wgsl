// The narrow phase: whether a candidate pair hits, when, and where; twin of src/cpu/narrow.rs. One invocation a candidate or pair.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> bodies: array<Body>;
@group(0) @binding(2) var<storage, read> shapes: array<Shape>;
@group(0) @binding(3) var<storage, read> atlas: array<u32>;
@group(0) @binding(4) var<storage, read> slots: array<u32>;
@group(0) @binding(5) var<storage, read> landed: array<u32>;

// A posed body. A sprite's pixels are those that it may paint, a convex body's those whose squares it may hit; `max` is excluded.
struct View {
    body: Body,
    shape: Shape,
    slot: u32,
    pixels: Aabb,
}

fn view(i: u32) -> View {
    let body = bodies[i];
    let shape = shapes[body.shape];
    if is(body, SPRITE) {
        return View(body, shape, slots[i], sprite_pixels(body, shape));
    }
    return View(body, shape, slots[i], squares(reach(body, shape)));
}

// The pixels whose closed squares meet a box of the lattice. The square before the one that holds `min` touches it where `min` lies
// on its edge.
fn squares(region: Aabb) -> Aabb {
    return Aabb((region.min - 1) >> vec2<u32>(8u, 8u), (region.max >> vec2<u32>(8u, 8u)) + 1);
}

// What a pair carries, if it hits; of it, only what is asked for.
struct Answer {
    hit: bool,
    detail: Detail,
}

const NO_DETAIL: Detail = Detail(
    vec2<u32>(0u, 0u), vec2<u32>(0u, 0u), vec4<i32>(0, 0, 0, 0), vec2<i32>(0, 0), 0u, 0u, WIDE_ZERO, WIDE_ZERO,
);
const MISS: Answer = Answer(false, NO_DETAIL);
const PLAIN_HIT: Answer = Answer(true, NO_DETAIL);

fn pair(i: u32, j: u32, ask_details: bool) -> Answer {
    let a = view(i);
    let b = view(j);
    let motion = a.body.motion - b.body.motion;
    if is(a.body, SPRITE) {
        return sprite_pair(a, b, motion, ask_details);
    }
    if is(b.body, SPRITE) {
        return sprite_pair(b, a, -motion, ask_details);
    }
    return convex_pair(a, b, motion, ask_details);
}

fn convex_time(k: u32) -> Answer {
    var detail = NO_DETAIL;
    detail.time = vec2<u32>(k, 1u << 16u);
    return Answer(true, detail);
}

// Two convex bodies: any piece of the one against any piece of the other.
fn convex_pair(a: View, b: View, motion: vec2<i32>, ask_details: bool) -> Answer {
    let radius = a.body.radius + b.body.radius;
    let timed = ask_details && (moves(a.body) || moves(b.body));
    if all(motion == vec2<i32>(0, 0)) {
        if !bounds_meet(reach(a.body, a.shape), reach(b.body, b.shape), params.touch) {
            return MISS;
        }
        if is(a.body, ALIGNED) && is(b.body, ALIGNED) {
            if timed {
                return convex_time(0u);
            }
            return PLAIN_HIT;
        }
    }
    var first = NEVER;
    var vertex_a = a.slot;
    for (var m = 0u; m < a.shape.stride; m++) {
        let piece_a = hull(2u * vertex_a, atlas[a.shape.first + m]);
        vertex_a += piece_a.count;
        var vertex_b = b.slot;
        for (var n = 0u; n < b.shape.stride; n++) {
            let piece_b = hull(2u * vertex_b, atlas[b.shape.first + n]);
            vertex_b += piece_b.count;
            if timed {
                first = min(first, first_contact(piece_a, piece_b, motion, radius, params.touch));
            } else if meets(piece_a, piece_b, motion, radius, params.touch) {
                return PLAIN_HIT;
            }
        }
    }
    if first == NEVER {
        return MISS;
    }
    return convex_time(first);
}

// A sprite that takes all of the relative motion, and a body that stands still.
fn sprite_pair(sprite: View, still: View, motion: vec2<i32>, ask_details: bool) -> Answer {
    var path = new_path(motion);
    loop {
        if sprite_hits(sprite, still, path.at) {
            if !ask_details {
                return PLAIN_HIT;
            }
            var detail = gather(sprite, still, path.at);
            if moves(sprite.body) || moves(still.body) {
                detail.time = vec2<u32>(path.taken, path_steps(path));
            }
            return Answer(true, detail);
        }
        if !path_step(&path) {
            break;
        }
    }
    return MISS;
}

// Where a sprite, `offset` pixels from where it stands, may overlap another body, or touch it.
fn overlap_box(sprite: View, still: View, offset: vec2<i32>, touch: u32) -> Aabb {
    let margin = select(0, 1, touch == TOUCH_INCLUDED);
    return Aabb(
        max(sprite.pixels.min + offset, still.pixels.min - margin),
        min(sprite.pixels.max + offset, still.pixels.max + margin),
    );
}

// Whether a sprite, `offset` pixels from where it stands, hits.
fn sprite_hits(sprite: View, still: View, offset: vec2<i32>) -> bool {
    let region = overlap_box(sprite, still, offset, params.touch);
    for (var y = region.min.y; y < region.max.y; y++) {
        for (var x = region.min.x; x < region.max.x; x += WORD) {
            let bits = painted_word(sprite, vec2<i32>(x, y) - offset) & low_bits(region.max.x - x);
            if bits != 0u && near(still, vec2<i32>(x, y), bits, params.touch) != 0u {
                return true;
            }
        }
    }
    return false;
}

// The pixels of a sprite, `offset` pixels from where it stands, that overlap.
fn gather(sprite: View, still: View, offset: vec2<i32>) -> Detail {
    let region = overlap_box(sprite, still, offset, TOUCH_EXCLUDED);
    var low = vec2<i32>(0x7FFFFFFF, 0x7FFFFFFF);
    var high = -low;
    var first_x = 0;
    var detail = NO_DETAIL;
    detail.sprite = 1u;
    for (var y = region.min.y; y < region.max.y; y++) {
        for (var x = region.min.x; x < region.max.x; x += WORD) {
            let some = painted_word(sprite, vec2<i32>(x, y) - offset) & low_bits(region.max.x - x);
            if some == 0u {
                continue;
            }
            let bits = near(still, vec2<i32>(x, y), some, TOUCH_EXCLUDED);
            if bits == 0u {
                continue;
            }
            let leftmost = x + i32(countTrailingZeros(bits));
            let rightmost = x + 31 - i32(countLeadingZeros(bits));
            if wide_is_zero(detail.area) {
                // Rows come from the top, words from the left.
                first_x = leftmost;
            }
            low = min(low, vec2<i32>(leftmost, y));
            high = max(high, vec2<i32>(rightmost, y));
            let count = i32(countOneBits(bits));
            detail.area = wide_add(detail.area, wide(count));
            detail.sum_x = wide_add(detail.sum_x, wide_add(wide_mul_i32(x, count), wide(bit_sum(bits))));
            detail.sum_y = wide_add(detail.sum_y, wide_mul_i32(y, count));
        }
    }
    if !wide_is_zero(detail.area) {
        detail.bounds = vec4<i32>(low, high - low + 1);
        detail.first = vec2<i32>(first_x, low.y);
    }
    return detail;
}

// The sum of the indices of the set bits.
fn bit_sum(bits: u32) -> i32 {
    return i32(
        countOneBits(bits & 0xAAAAAAAAu) + 2u * countOneBits(bits & 0xCCCCCCCCu) + 4u * countOneBits(bits & 0xF0F0F0F0u)
            + 8u * countOneBits(bits & 0xFF00FF00u) + 16u * countOneBits(bits & 0xFFFF0000u),
    );
}

// Which of the pixels `bits`, from `at` rightward, hit a body: a sprite, because it paints them or (where touch counts) a neighbour; a
// convex body, because it meets their squares.
fn near(still: View, at: vec2<i32>, bits: u32, touch: u32) -> u32 {
    var all_near = 0u;
    if is(still.body, SPRITE) {
        let around = select(0, 1, touch == TOUCH_INCLUDED);
        for (var dy = -around; dy <= around; dy++) {
            for (var dx = -around; dx <= around; dx++) {
                all_near |= painted_word(still, at + vec2<i32>(dx, dy));
            }
        }
    } else {
        var vertex = still.slot;
        for (var m = 0u; m < still.shape.stride; m++) {
            let piece = hull(2u * vertex, atlas[still.shape.first + m]);
            vertex += piece.count;
            all_near |= covered(piece, still.body.radius, at, bits, touch);
        }
    }
    return all_near & bits;
}

// The pixels that a sprite paints from `at` rightward, the lowest bit leftmost.
fn painted_word(sprite: View, at: vec2<i32>) -> u32 {
    if is(sprite.body, UNTURNED) {
        let corner = origin(sprite.body, sprite.shape);
        return window(false, sprite.shape.first, sprite.shape.stride, sprite.shape.size.y, at - corner);
    }
    if sprite.slot == NO_SLOT {
        return sample(sprite.body, sprite.shape, at);
    }
    let rows = sprite.pixels.max.y - sprite.pixels.min.y;
    let first = params.painted + 2u * sprite.slot;
    return window(true, first, painted_stride(sprite.body), rows, at - sprite.pixels.min);
}

// The lowest `count` bits; all where it is 32 or more.
fn low_bits(count: i32) -> u32 {
    return select(0xFFFFFFFFu, (1u << (u32(count) & 31u)) - 1u, count < WORD);
}

// 32 bits of `height` rows of `stride` words, painted or of the atlas, from bit `at.x` of row `at.y` on; outside there is nothing.
fn window(painted: bool, first: u32, stride: u32, height: i32, at: vec2<i32>) -> u32 {
    if at.y < 0 || at.y >= height {
        return 0u;
    }
    let row = first + u32(at.y) * stride;
    let k = at.x >> 5u;
    let shift = u32(at.x) & 31u;
    let low = row_word(painted, row, stride, k);
    if shift == 0u {
        return low;
    }
    return (low >> shift) | (row_word(painted, row, stride, k + 1) << (32u - shift));
}

fn row_word(painted: bool, row: u32, stride: u32, k: i32) -> u32 {
    if k < 0 || k >= i32(stride) {
        return 0u;
    }
    if painted {
        return landed[row + u32(k)];
    }
    return atlas[row + u32(k)];
}

// The side of the square of pixel `at` on which a piece lies: 0 where the square hits, 2 where no square of the row does.
fn side_of(piece: Core, radius: i32, at: vec2<i32>, touch: u32) -> i32 {
    let low = at << vec2<u32>(8u, 8u);
    let apart = find_apart(square(Aabb(low, low + 256)), piece, vec2<i32>(0, 0), radius, touch);
    if !apart.yes {
        return 0;
    }
    let sign = wide_sign(apart.normal.x);
    return select(sign, 2, sign == 0);
}

// Which of the pixels from `at` rightward have a square that hits a piece, of those between the first and last of `bits`.
fn covered(piece: Core, radius: i32, at: vec2<i32>, bits: u32, touch: u32) -> u32 {
    if bits == 0u || (radius == 0 && touch == TOUCH_EXCLUDED && !has_area(piece, vec2<i32>(0, 0))) {
        return 0u;
    }
    var low = i32(countTrailingZeros(bits));
    var high = 31 - i32(countLeadingZeros(bits));
    var inside = -1;
    while low <= high {
        let middle = (low + high) / 2;
        let side = side_of(piece, radius, at + vec2<i32>(middle, 0), touch);
        if side == 0 {
            inside = middle;
            break;
        } else if side == 1 {
            low = middle + 1;
        } else if side == -1 {
            high = middle - 1;
        } else {
            break;
        }
    }
    if inside < 0 {
        return 0u;
    }
    var first = inside;
    while low < first {
        let middle = (low + first) / 2;
        if side_of(piece, radius, at + vec2<i32>(middle, 0), touch) == 0 {
            first = middle;
        } else {
            low = middle + 1;
        }
    }
    var last = inside;
    while last < high {
        let middle = (last + high + 1) / 2;
        if side_of(piece, radius, at + vec2<i32>(middle, 0), touch) == 0 {
            last = middle;
        } else {
            high = middle - 1;
        }
    }
    return low_bits(last + 1) & ~low_bits(first);
}
