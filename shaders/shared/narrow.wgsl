// The narrow phase: whether a candidate pair hits, when, and where. An invocation has a candidate or a pair.
//
// No invocation runs long. Each has some fuel, and where that is spent before its pair is done, it writes down how far
// the pair is, if the host has made room for that; the host dispatches again.
//
// Functions that src/cpu/narrow/pair.rs has too have the same names there and stand in the same order: they decide the
// same, and where they differ is in the fuel and in words of 32 pixels, not 64. `meeting` and `pair` are its one
// `pair`, without the details, which have a stage of their own; `overlap_box` and `word_of` are its `words`.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> bodies: array<Body>;
@group(0) @binding(2) var<storage, read> shapes: array<Shape>;
@group(0) @binding(3) var<storage, read> atlas: array<u32>;
@group(0) @binding(4) var<storage, read> landed: array<u32>;
@group(0) @binding(14) var<storage, read_write> progress: array<Progress>;

// How far a pair is.
struct Progress {
    // The offset of a sprite's path.
    at: vec2<i32>,
    // A sprite's next word of the overlap there; or of all pairs of pieces of two convex bodies the next.
    cursor: u32,
    // SEARCH or GATHER.
    phase: u32,
}

// A sprite is not known to hit yet; it is, and what overlaps there is gathered.
const SEARCH: u32 = 0u;
const GATHER: u32 = 1u;

// How far the pair of index `c` is: at its beginning, or where an earlier dispatch has left it.
fn progress_of(c: u32) -> Progress {
    if params.resume == 1u {
        return progress[c];
    }
    return Progress(vec2<i32>(0, 0), 0u, SEARCH);
}

// Writes down how far a pair is. Where there is no room, the host makes it, and the pair begins anew.
fn save_progress(c: u32, now: Progress) {
    if c < arrayLength(&progress) {
        progress[c] = now;
    }
}

// What a word, or a step of a path, takes of the fuel. A driver in software runs the loops of a branch once even where
// no invocation takes it: so a step without a word costs an iteration for each loop below it.
const STEP_FUEL: i32 = 24;

// A body as the narrow phase looks at it. `pixels`, `max` excluded, are of a sprite those that it may paint, and of a
// convex body those whose squares it may hit.
struct View {
    body: Body,
    shape: Shape,
    pixels: Aabb,
}

// Two bodies: a sprite first, if there is one. The first takes all of the relative motion, the second stands still.
struct Meeting {
    mover: View,
    still: View,
    motion: vec2<i32>,
}

fn meeting(i: u32, j: u32) -> Meeting {
    let a = view(i);
    let b = view(j);
    let motion = a.body.motion - b.body.motion;
    if is(b.body, SPRITE) && !is(a.body, SPRITE) {
        return Meeting(b, a, -motion);
    }
    return Meeting(a, b, motion);
}

// Whether two bodies hit; goes on from `now`, and leaves there how far it came.
fn pair(met: Meeting, now: ptr<function, Progress>) -> u32 {
    if is(met.mover.body, SPRITE) {
        return sprite_pair(met.mover, met.still, met.motion, now);
    }
    var first = NEVER;
    return convex_pair(met.mover, met.still, met.motion, false, &first, now);
}

fn view(i: u32) -> View {
    let body = bodies[i];
    let shape = shapes[body.shape];
    if is(body, SPRITE) {
        return View(body, shape, sprite_pixels(body, shape));
    }
    return View(body, shape, squares(reach(body, shape)));
}

// The pixels whose closed squares meet a box of the lattice. The square before the one that holds `min` touches it
// where `min` lies on its edge.
fn squares(region: Aabb) -> Aabb {
    return Aabb((region.min - 1) >> vec2<u32>(8u, 8u), (region.max >> vec2<u32>(8u, 8u)) + 1);
}

// Two convex bodies: any piece of the one against any piece of the other. Two pieces that hit are enough, unless
// `timed`: then `first` is lowered to the first time at which two pieces hit, NEVER where none have so far.
fn convex_pair(
    a: View,
    b: View,
    motion: vec2<i32>,
    timed: bool,
    first: ptr<function, u32>,
    now: ptr<function, Progress>,
) -> u32 {
    let radius = a.body.radius + b.body.radius;
    if all(motion == vec2<i32>(0, 0)) {
        if !bounds_meet(reach(a.body, a.shape), reach(b.body, b.shape), params.touch) {
            return MISS;
        }
        if is(a.body, ALIGNED) && is(b.body, ALIGNED) {
            *first = 0u;
            return HIT;
        }
    }
    var vertex_a = a.body.landed;
    for (var m = 0u; m < a.shape.stride; m++) {
        let piece_a = hull(2u * vertex_a, atlas[a.shape.first + m]);
        vertex_a += piece_a.count;
        if (m + 1u) * b.shape.stride <= (*now).cursor {
            continue;
        }
        var vertex_b = b.body.landed;
        for (var n = 0u; n < b.shape.stride; n++) {
            let piece_b = hull(2u * vertex_b, atlas[b.shape.first + n]);
            vertex_b += piece_b.count;
            if m * b.shape.stride + n < (*now).cursor {
                continue;
            }
            if fuel <= 0 {
                return UNFINISHED;
            }
            fuel -= STEP_FUEL;
            if timed {
                *first = min(*first, first_contact(piece_a, piece_b, motion, radius, params.touch));
            } else if meets(piece_a, piece_b, motion, radius, params.touch) {
                return HIT;
            }
            (*now).cursor += 1u;
        }
    }
    return select(HIT, MISS, *first == NEVER);
}

// A sprite that takes all of the relative motion, and a body that stands still: to the first offset of the sprite's
// path at which it hits.
fn sprite_pair(sprite: View, still: View, motion: vec2<i32>, now: ptr<function, Progress>) -> u32 {
    let whole = new_path(motion);
    let range = offsets(sprite, still, whole.sign);
    if any(range.min > whole.left) {
        return MISS;
    }
    // A search that has not begun, or whose path begins at once.
    if all((*now).at == vec2<i32>(0, 0)) {
        (*now).at = least_offset(whole, range.min);
    }
    var path = path_at(motion, (*now).at);
    loop {
        if any(abs(path.at) > range.max) {
            break;
        }
        let answer = hits(sprite, still, path.at, now);
        if answer != MISS {
            return answer;
        }
        fuel -= STEP_FUEL;
        (*now).cursor = 0u;
        if !path_step(&path) {
            break;
        }
        (*now).at = path.at;
        if fuel <= 0 {
            return UNFINISHED;
        }
    }
    return MISS;
}

// The least and the most pixels that a sprite goes, in x and in y, where its pixels may come to those of another body.
fn offsets(sprite: View, still: View, way: vec2<i32>) -> Aabb {
    let margin = select(0, 1, params.touch == TOUCH_INCLUDED);
    let low = still.pixels.min - margin - sprite.pixels.max + 1;
    let high = still.pixels.max + margin - sprite.pixels.min - 1;
    return Aabb(select(low, -high, way < vec2<i32>(0, 0)), select(high, -low, way < vec2<i32>(0, 0)));
}

// Whether a sprite, `offset` pixels from where it stands, hits; from word `(*now).cursor` of the overlap on.
fn hits(sprite: View, still: View, offset: vec2<i32>, now: ptr<function, Progress>) -> u32 {
    let region = overlap_box(sprite, still, offset, params.touch);
    let words = words_of(region);
    for (var k = (*now).cursor; k < words.x * words.y; k++) {
        if fuel <= 0 {
            (*now).cursor = k;
            return UNFINISHED;
        }
        let word = word_of(sprite, offset, region, k);
        if word.bits != 0u && near(still, word.at, word.bits, params.touch) != 0u {
            return HIT;
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

// The pixels of a sprite in a word of a box: the pixel of the lowest bit, and the bits.
struct Word {
    at: vec2<i32>,
    bits: u32,
}

// The k-th word of a box, row by row, of a sprite that is `offset` pixels from where it stands.
fn word_of(sprite: View, offset: vec2<i32>, region: Aabb, k: u32) -> Word {
    fuel -= STEP_FUEL;
    let stride = words_of(region).x;
    let at = region.min + vec2<i32>(WORD * i32(k % stride), i32(k / stride));
    return Word(at, painted_word(sprite, at - offset) & low_bits(region.max.x - at.x));
}

// Which of the pixels `bits`, from `at` rightward, hit a body: a sprite, because it paints them or (where touch counts)
// a neighbour; a convex body, because it meets their squares.
fn near(still: View, at: vec2<i32>, bits: u32, touch: u32) -> u32 {
    var all_near = 0u;
    if is(still.body, SPRITE) {
        let around = select(0, 1, touch == TOUCH_INCLUDED);
        for (var dy = -around; dy <= around; dy++) {
            for (var dx = -around; dx <= around; dx++) {
                fuel -= 2;
                all_near |= painted_word(still, at + vec2<i32>(dx, dy));
            }
        }
    } else {
        var vertex = still.body.landed;
        for (var m = 0u; m < still.shape.stride; m++) {
            let piece = hull(2u * vertex, atlas[still.shape.first + m]);
            vertex += piece.count;
            if in_reach(piece, still.body.radius, at) {
                all_near |= covered(piece, still.body.radius, at, bits, touch);
            }
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
    if sprite.body.landed == NOT_LANDED {
        fuel -= 32;
        return sample(sprite.body, sprite.shape, at);
    }
    let rows = sprite.pixels.max.y - sprite.pixels.min.y;
    let first = 2u * sprite.body.landed;
    return window(true, first, painted_stride(sprite.body), rows, at - sprite.pixels.min);
}

// Whether the bounds of a piece come to the squares of a word of pixels from `at` rightward.
fn in_reach(piece: Core, radius: i32, at: vec2<i32>) -> bool {
    var low = landed_vertex(piece, 0u);
    var high = low;
    for (var i = 1u; i < piece.count; i++) {
        let vertex = landed_vertex(piece, i);
        low = min(low, vertex);
        high = max(high, vertex);
    }
    fuel -= i32(piece.count);
    let corner = at << vec2<u32>(8u, 8u);
    let word = Aabb(corner, corner + vec2<i32>(256 * WORD, 256));
    return bounds_meet(Aabb(low - radius, high + radius), word, TOUCH_INCLUDED);
}

// The side of the square of pixel `at` on which a piece lies: -1 left, 1 right, 0 where the square hits, 2 where no
// square of the row does.
fn side_of(piece: Core, radius: i32, at: vec2<i32>, touch: u32) -> i32 {
    let low = at << vec2<u32>(8u, 8u);
    let apart = find_apart(square(Aabb(low, low + 256)), piece, vec2<i32>(0, 0), radius, touch);
    if !apart.yes {
        return 0;
    }
    let sign = wide_sign(apart.normal.x);
    return select(sign, 2, sign == 0);
}

// Which of the pixels from `at` rightward have a square that hits a piece, of those between the first and last of
// `bits`. They are neighbours: bisection finds one, then the first and the last.
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
