// A posed body, with all that is asked for its pixels or its pieces; twin of src/cpu/narrow/view.rs, whose words have
// 64 pixels, not 32. `overlap_box` and `word_of` are its `words`. Reads `atlas` and `landed`.

// A body as the narrow phase looks at it.
struct View {
    body: Body,
    shape: Shape,
    // A sprite: the pixels that it may paint, `max` excluded. Convex: those whose squares it may hit on its way.
    pixels: Aabb,
    // Where a convex body goes while a sprite stays where it is.
    sweep: Sweep,
    // The pieces that are looked at.
    pieces: Pieces,
}

struct Sweep {
    // How far the body has come from its start.
    start: vec2<i32>,
    // How far it goes on from there.
    by: vec2<i32>,
}

// Some pieces of a convex body: the index of the first, that behind the last, and the first vertex of the first,
// counted as `Body.landed`.
struct Pieces {
    first: u32,
    end: u32,
    vertex: u32,
}

const REST: Sweep = Sweep(vec2<i32>(0, 0), vec2<i32>(0, 0));

// A body at its start.
fn view(i: u32) -> View {
    let body = load_body(i);
    let shape = shapes[body.shape];
    if is(body, SPRITE) {
        return View(body, shape, sprite_pixels(body), REST, Pieces(0u, 0u, 0u));
    }
    return View(body, shape, squares(reach(body)), REST, Pieces(0u, shape.stride, body.landed));
}

// The pixels whose closed squares meet a box of the lattice. The square before the one that holds `min` touches it
// where `min` lies on its edge.
fn squares(region: Aabb) -> Aabb {
    return Aabb(pixel(region.min - 1), pixel(region.max) + 1);
}

// A convex body on its way.
fn swept(convex: View, sweep: Sweep) -> View {
    let here = reach(convex.body);
    let back = min(sweep.by, vec2<i32>(0, 0));
    let on = max(sweep.by, vec2<i32>(0, 0));
    let pixels = squares(Aabb(here.min + sweep.start + back, here.max + sweep.start + on));
    return View(convex.body, convex.shape, pixels, sweep, convex.pieces);
}

// One piece of a convex body.
fn only_piece(convex: View, piece: u32) -> View {
    var vertex = convex.body.landed;
    for (var m = 0u; m < piece; m++) {
        vertex += atlas[convex.shape.first + m];
    }
    return View(convex.body, convex.shape, convex.pixels, convex.sweep, Pieces(piece, piece + 1u, vertex));
}

// Where a sprite, `at` pixels from where it stands, may overlap another body, or touch it.
fn overlap_box(sprite: View, other: View, at: vec2<i32>, touch: u32) -> Aabb {
    let margin = select(0, 1, touch == TOUCH_INCLUDED);
    return Aabb(
        max(sprite.pixels.min + at, other.pixels.min - margin),
        min(sprite.pixels.max + at, other.pixels.max + margin),
    );
}

// The pixels of a sprite in a word of a box: the pixel of the lowest bit, and the bits.
struct Word {
    at: vec2<i32>,
    bits: u32,
}

// The k-th word of a box, row by row, of a sprite that is `at` pixels from where it stands.
fn word_of(sprite: View, at: vec2<i32>, region: Aabb, k: u32) -> Word {
    fuel -= STEP_FUEL;
    let stride = words_of(region).x;
    let corner = region.min + vec2<i32>(WORD * i32(k % stride), i32(k / stride));
    return Word(corner, painted_word(sprite, corner - at) & low_bits(region.max.x - corner.x));
}

// Which of the pixels `bits`, from `at` rightward, hit a body: a sprite, because it paints them or (where touch counts)
// a neighbour; a convex body, because it meets their squares on its way.
fn near(other: View, at: vec2<i32>, bits: u32, touch: u32) -> u32 {
    var all_near = 0u;
    if is(other.body, SPRITE) {
        let around = select(0, 1, touch == TOUCH_INCLUDED);
        for (var dy = -around; dy <= around; dy++) {
            for (var dx = -around; dx <= around; dx++) {
                fuel -= 2;
                all_near |= painted_word(other, at + vec2<i32>(dx, dy));
            }
        }
    } else {
        var vertex = other.pieces.vertex;
        for (var m = other.pieces.first; m < other.pieces.end; m++) {
            let piece = hull(2u * vertex, atlas[other.shape.first + m]);
            vertex += piece.count;
            all_near |= covered(piece, other.sweep, other.body.radius, at, bits, touch);
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

// Whether the bounds of a piece on its way come to the squares of a word of pixels from `at` rightward.
fn in_reach(piece: Core, sweep: Sweep, radius: i32, at: vec2<i32>) -> bool {
    var low = landed_vertex(piece, 0u);
    var high = low;
    for (var i = 1u; i < piece.count; i++) {
        let vertex = landed_vertex(piece, i);
        low = min(low, vertex);
        high = max(high, vertex);
    }
    fuel -= i32(piece.count);
    low += sweep.start + min(sweep.by, vec2<i32>(0, 0)) - radius;
    high += sweep.start + max(sweep.by, vec2<i32>(0, 0)) + radius;
    let corner = at << vec2<u32>(8u, 8u);
    return bounds_meet(Aabb(low, high), Aabb(corner, corner + vec2<i32>(256 * WORD, 256)), TOUCH_INCLUDED);
}

// Which of the pixels `bits`, from `at` rightward, have a square that hits a piece on its way.
fn covered(piece: Core, sweep: Sweep, radius: i32, at: vec2<i32>, bits: u32, touch: u32) -> u32 {
    if !in_reach(piece, sweep, radius, at) {
        return 0u;
    }
    return run(piece, sweep, radius, at, bits, touch) & bits;
}

// The side of the square of pixel `at` on which a piece lies: -1 left, 1 right, 0 where the square hits, 2 where no
// square of the row does. A piece that goes by `v` meets a square where the square, going by `-v`, meets the piece.
fn side_of(piece: Core, sweep: Sweep, radius: i32, at: vec2<i32>, touch: u32) -> i32 {
    let low = (at << vec2<u32>(8u, 8u)) - sweep.start;
    let apart = find_apart(square(Aabb(low, low + 256)), piece, -sweep.by, radius, touch);
    if !apart.yes {
        return 0;
    }
    let sign = wide_sign(apart.normal.x);
    return select(sign, 2, sign == 0);
}

// Which of the pixels from `at` rightward have a square that hits a piece on its way, of those between the first and
// last of `bits`. They are neighbours: bisection finds one, then the first and the last.
fn run(piece: Core, sweep: Sweep, radius: i32, at: vec2<i32>, bits: u32, touch: u32) -> u32 {
    if bits == 0u || (radius == 0 && touch == TOUCH_EXCLUDED && !has_area(piece, sweep.by)) {
        return 0u;
    }
    var low = i32(countTrailingZeros(bits));
    var high = 31 - i32(countLeadingZeros(bits));
    // None are known yet.
    var first = -1;
    var last = -1;
    loop {
        var middle = (low + high) / 2;
        if first < 0 {
            if low > high {
                return 0u;
            }
        } else if low < first {
            middle = (low + first) / 2;
        } else if last < high {
            middle = (last + high + 1) / 2;
        } else {
            break;
        }
        // The one place from which the predicate is called: drivers copy it to each.
        let side = side_of(piece, sweep, radius, at + vec2<i32>(middle, 0), touch);
        if first < 0 && side == 0 {
            first = middle;
            last = middle;
        } else if first < 0 && side == 2 {
            return 0u;
        } else if first < 0 {
            low = select(low, middle + 1, side == 1);
            high = select(high, middle - 1, side == -1);
        } else if low < first {
            first = select(first, middle, side == 0);
            low = select(middle + 1, low, side == 0);
        } else {
            last = select(last, middle, side == 0);
            high = select(middle - 1, high, side == 0);
        }
    }
    return low_bits(last + 1) & ~low_bits(first);
}
