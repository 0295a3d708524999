// The pairs of a sprite and a convex body or polygon.

// The sprites of such a pair.
const SPRITES_OF_PAIR: u32 = 1u;
const TWO_SPRITES: bool = false;

// Whether two bodies hit; goes on from `now`, and leaves there how far it came. With `carries`, what the pair carries
// is left in `detail`.
fn pair(a: View, b: View, carries: bool, detail: ptr<function, RawDetail>, now: ptr<function, Progress>) -> u32 {
    var sprite = a;
    var other = b;
    if !is(a.body, SPRITE) {
        sprite = b;
        other = a;
    }
    return sprite_pair(sprite, other, carries, detail, now);
}

// How many nodes from one on are no piece that comes to a sprite while it stays, and need no look; 0 where it is one.
fn passed_over(sprite: View, other: View, stay: Stay, node: u32) -> u32 {
    let along = way(other.body, stay.begin, stay.end);
    let step = look_at_node(other, node, toward(other, moved_box(sprite.pixels, stay.at), along));
    return select(step.next - node, 0u, step.piece.count > 0u);
}

// The ticks at which they may come to each other, as `ticks_near` gives them.
fn ticks_of(sprite: View, other: View) -> vec2<u32> {
    return mixed_ticks(sprite, other);
}
