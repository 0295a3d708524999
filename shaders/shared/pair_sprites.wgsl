// Pairs of two sprites.

// needs: course, fuel, pixels, progress, sprite_pair, sprites, types, view

// The number of sprites in such a pair.
const SPRITES_OF_PAIR: u32 = 2u;
const TWO_SPRITES: bool = true;

// Returns whether two bodies hit; continues from `now`, and saves there how far it came. With `carries`, also fills in
// `detail`.
fn pair(a: View, b: View, carries: bool, detail: ptr<function, RawDetail>, now: ptr<function, Progress>) -> u32 {
    return sprite_pair(a, b, carries, detail, now);
}

// Returns the ticks at which they may meet, as `ticks_near` returns them.
fn ticks_of(sprite: View, other: View) -> vec2<u32> {
    return sprites_ticks(sprite, other);
}

// Returns 0: a sprite has no pieces.
fn passed_over(sprite: View, other: View, stay: Stay, node: u32) -> u32 {
    return 0u;
}

// Returns those of the pixels `bits`, from `at` rightward, that the other sprite paints or (if touch counts) of which
// it paints a neighbour.
fn hit_pixels(other: View, at: vec2<i32>, bits: u32, touch: u32) -> u32 {
    let around = select(0, 1, touch == TOUCH_INCLUDED);
    var all_near = 0u;
    for (var dy = -around; dy <= around; dy++) {
        for (var dx = -around; dx <= around; dx++) {
            fuel -= 2;
            all_near |= painted_word(other, at + vec2<i32>(dx, dy));
        }
    }
    return all_near & bits;
}
