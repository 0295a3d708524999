// A posed body, with all that is asked for its pixels or its pieces; twin of src/cpu/narrow/view.rs. Reads `atlas`.

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
