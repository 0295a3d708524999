// A posed body, with all that is asked for its pixels or its pieces; twin of src/cpu/narrow/view.rs. Reads `bodies` and
// `shapes`.

// A body as the narrow phase looks at it.
struct View {
    body: Body,
    shape: Shape,
    // A sprite: the pixels that it may paint, `max` excluded. Convex: those whose squares it may hit on its way.
    pixels: Aabb,
    // Where a convex body goes while a sprite stays where it is.
    sweep: Sweep,
    // The nodes of its pieces that are looked at.
    nodes: Nodes,
}

struct Sweep {
    // How far the body has come from its start.
    start: vec2<i32>,
    // How far it goes on from there.
    by: vec2<i32>,
}

// Some nodes of the tree over a convex body's pieces: from the first on, and before the end.
struct Nodes {
    first: u32,
    end: u32,
}

const REST: Sweep = Sweep(vec2<i32>(0, 0), vec2<i32>(0, 0));

// The nodes of a convex shape; a single piece has no tree, and counts as a node.
fn nodes_of(shape: Shape) -> u32 {
    return max(shape.stride, 1u);
}

// A body at its start.
fn view(i: u32) -> View {
    let body = load_body(i);
    let shape = shapes[body.shape];
    if is(body, SPRITE) {
        return View(body, shape, sprite_pixels(body), REST, Nodes(0u, 0u));
    }
    return View(body, shape, squares(reach(body)), REST, Nodes(0u, nodes_of(shape)));
}

// The pixels whose closed squares meet a box of the lattice. The square before the one that holds `min` touches it
// where `min` lies on its edge.
fn squares(region: Aabb) -> Aabb {
    return Aabb(pixel(region.min - 1), pixel(region.max) + 1);
}

// A convex body on its way.
fn swept(convex: View, sweep: Sweep) -> View {
    let pixels = squares(swept_box(moved_box(reach(convex.body), sweep.start), sweep.by));
    return View(convex.body, convex.shape, pixels, sweep, convex.nodes);
}

// One piece of a convex body: that of a node.
fn only_piece(convex: View, node: u32) -> View {
    return View(convex.body, convex.shape, convex.pixels, convex.sweep, Nodes(node, node + 1u));
}

// Where a sprite, `at` pixels from where it stands, may overlap another body, or touch it.
fn overlap_box(sprite: View, other: View, at: vec2<i32>, touch: u32) -> Aabb {
    let margin = select(0, 1, touch == TOUCH_INCLUDED);
    return Aabb(
        max(sprite.pixels.min + at, other.pixels.min - margin),
        min(sprite.pixels.max + at, other.pixels.max + margin),
    );
}
