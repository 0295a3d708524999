// The pixels whose squares a convex body hits on its way.

// needs: pieces, predicate, types, view, wide, words

// Returns those of the pixels `bits`, from `at` rightward, whose squares, joined with as many neighbours to the left
// and above as are `joined`, a convex body hits on its way.
fn hit_pixels(other: View, at: vec2<i32>, bits: u32, joined: vec2<i32>, touch: u32) -> u32 {
    var all_near = 0u;
    let toward_word = toward(other, Aabb(at, at + vec2<i32>(WORD, 1)), other.sweep);
    var node = other.nodes.first;
    while node < other.nodes.end {
        let visit = visit_node(other, node, toward_word);
        if visit.piece.count > 0u {
            all_near |= covered(visit.piece, other.sweep, visit.radius, at, bits, joined, touch);
        }
        node = visit.next;
    }
    return all_near & bits;
}

// Returns the area that a convex body's core must meet at its start to reach some of the pixels on its way.
fn toward(convex: View, pixels: Aabb, sweep: Sweep) -> Aabb {
    let eight = vec2<u32>(8u, 8u);
    let squares = Aabb(pixels.min << eight, pixels.max << eight);
    return grown(swept_box(moved_box(squares, -sweep.start), -sweep.by), convex.body.radius);
}

// Returns whether the bounds of a piece on its way reach the squares of a word of pixels from `at` rightward.
fn in_reach(piece: Core, sweep: Sweep, radius: i32, at: vec2<i32>) -> bool {
    let core = grown(core_bounds(piece), radius);
    let there = swept_box(moved_box(core, sweep.start), sweep.by);
    let corner = at << vec2<u32>(8u, 8u);
    return bounds_meet(there, Aabb(corner, corner + vec2<i32>(256 * WORD, 256)), TOUCH_INCLUDED);
}

// Returns those of the pixels `bits`, from `at` rightward, whose squares, joined with neighbours, a piece hits on its
// way.
fn covered(
    piece: Core,
    sweep: Sweep,
    radius: i32,
    at: vec2<i32>,
    bits: u32,
    joined: vec2<i32>,
    touch: u32,
) -> u32 {
    if !in_reach(piece, sweep, radius, at) {
        return 0u;
    }
    return run(piece, sweep, radius, at, bits, joined, touch) & bits;
}

// Returns the side of the square of pixel `at`, joined with neighbours, on which a piece lies: -1 left, 1 right, 0 if
// the square hits, 2 if no square of the row does. A piece that moves by `v` meets a square if and only if the square,
// moving by `-v`, meets the piece.
fn side_of(piece: Core, sweep: Sweep, radius: i32, at: vec2<i32>, joined: vec2<i32>, touch: u32) -> i32 {
    let low = (at << vec2<u32>(8u, 8u)) - sweep.start;
    let apart = find_apart(square(Aabb(low - 256 * joined, low + 256)), piece, -sweep.by, radius, touch);
    if !apart.yes {
        return 0;
    }
    let sign = wide_sign(apart.normal.x);
    return select(sign, 2, sign == 0);
}

// Returns the pixels from `at` rightward whose squares, joined with neighbours, a piece hits on its way, among those
// between the first and last of `bits`. They are contiguous: bisection finds one, then the first and the last.
fn run(
    piece: Core,
    sweep: Sweep,
    radius: i32,
    at: vec2<i32>,
    bits: u32,
    joined: vec2<i32>,
    touch: u32,
) -> u32 {
    if bits == 0u || (radius == 0 && touch == TOUCH_EXCLUDED && !is_solid(piece, sweep.by)) {
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
        // The only call of the predicate: drivers inline it at each call.
        let side = side_of(piece, sweep, radius, at + vec2<i32>(middle, 0), joined, touch);
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
