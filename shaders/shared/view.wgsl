// A posed body, with everything needed to find its pixels or its pieces; twin of src/cpu/narrow/view.rs.

// needs: bodies, types
// expects: shapes

// A body as the narrow phase sees it.
struct View {
    index: u32,
    body: Body,
    shape: Shape,
    // For a sprite, the pixels that it may paint, `max` excluded. For a convex body, those whose squares it may hit on
    // its way.
    pixels: Aabb,
    // The path of a convex body while a sprite stays at one offset.
    sweep: Sweep,
    // The nodes of its pieces to visit.
    nodes: Nodes,
}

struct Sweep {
    // The offset of the path's beginning from the body's start.
    start: vec2<i32>,
    // The motion along the path.
    by: vec2<i32>,
}

// A range of nodes of the tree over a convex body's pieces; `end` excluded.
struct Nodes {
    first: u32,
    end: u32,
}

const REST: Sweep = Sweep(vec2<i32>(0, 0), vec2<i32>(0, 0));

// Returns the number of nodes of a convex shape; a single piece has no tree, and counts as a node.
fn nodes_of(shape: Shape) -> u32 {
    return max(shape.stride, 1u);
}

// Returns a body at its start.
fn view(i: u32) -> View {
    let body = load_body(i);
    let shape = shapes[body.shape];
    if is(body, SPRITE) {
        return View(i, body, shape, sprite_pixels(body), REST, Nodes(0u, 0u));
    }
    return View(i, body, shape, squares(reach(body)), REST, Nodes(0u, nodes_of(shape)));
}

// Returns the pixels whose closed squares meet a box of the lattice. The square before the one that holds `min` touches
// the box if `min` lies on its edge.
fn squares(region: Aabb) -> Aabb {
    return Aabb(pixel(region.min - 1), pixel(region.max) + 1);
}

// Returns a convex body on its way.
fn swept_view(convex: View, sweep: Sweep) -> View {
    let pixels = squares(swept_box(moved_box(reach(convex.body), sweep.start), sweep.by));
    return View(convex.index, convex.body, convex.shape, pixels, sweep, convex.nodes);
}

// Returns one piece of a convex body: that of a node.
fn only_piece(convex: View, node: u32) -> View {
    return View(convex.index, convex.body, convex.shape, convex.pixels, convex.sweep, Nodes(node, node + 1u));
}

// Returns the pixels in which a sprite, `at` pixels from its start, may overlap another body, or touch it.
fn overlap_box(sprite: View, other: View, at: vec2<i32>, touch: u32) -> Aabb {
    let margin = select(0, 1, touch == TOUCH_INCLUDED);
    return Aabb(
        max(sprite.pixels.min + at, other.pixels.min - margin),
        min(sprite.pixels.max + at, other.pixels.max + margin),
    );
}
