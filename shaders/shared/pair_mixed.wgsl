// Pairs of a sprite and a convex body or polygon.

// needs: course, covered, mixed, pieces, progress, sprite_pair, types, view

// The number of sprites in such a pair.
const SPRITES_OF_PAIR: u32 = 1u;
const TWO_SPRITES: bool = false;

// Returns whether two bodies hit; continues from `now`, and saves there how far it came. With `carries`, also fills in
// `detail`.
fn pair(a: View, b: View, carries: bool, detail: ptr<function, RawDetail>, now: ptr<function, Progress>) -> u32 {
    var sprite = a;
    var other = b;
    if !is(a.body, SPRITE) {
        sprite = b;
        other = a;
    }
    return sprite_pair(sprite, other, carries, detail, now);
}

// Returns how many nodes from `node` on can be skipped, because they are no piece near a sprite during its stay; 0 if
// `node` is one.
fn passed_over(sprite: View, other: View, stay: Stay, node: u32) -> u32 {
    let along = way(other.body, stay.begin, stay.end);
    let visit = visit_node(other, node, toward(other, moved_box(sprite.pixels, stay.at), along));
    return select(visit.next - node, 0u, visit.piece.count > 0u);
}

// Returns the number of ways in which pixels are compared: as they are, and joined with neighbours.
fn rounds_of(other: View) -> u32 {
    return select(1u, 4u, has_segments(other));
}

// Returns the ticks at which they may meet, as `ticks_near` returns them.
fn ticks_of(sprite: View, other: View) -> vec2<u32> {
    return mixed_ticks(sprite, other);
}
