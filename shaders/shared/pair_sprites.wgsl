// Pairs of two sprites.

// needs: course, neighbours, progress, sprite_pair, sprites, types, view

// The number of sprites in such a pair.
const SPRITES_OF_PAIR: u32 = 2u;
const TWO_SPRITES: bool = true;

// Returns whether two bodies hit; continues from `now`, and saves there how far it came. With `carries`, also fills in
// `detail`.
fn pair(a: View, b: View, carries: bool, detail: ptr<function, RawDetail>, now: ptr<function, Progress>) -> u32 {
    return sprite_pair(a, b, carries, detail, now);
}

// Returns the number of ways in which pixels are compared.
fn rounds_of(other: View) -> u32 {
    return 1u;
}

// Returns the ticks at which they may meet, as `ticks_near` returns them.
fn ticks_of(sprite: View, other: View) -> vec2<u32> {
    return sprites_ticks(sprite, other);
}

// Returns 0: a sprite has no pieces.
fn passed_over(sprite: View, other: View, stay: Stay, node: u32) -> u32 {
    return 0u;
}
