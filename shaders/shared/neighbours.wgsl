// The pixels that a sprite paints, and if touch counts, those around them.

// needs: fuel, pixels, types, view

// Returns those of the pixels `bits`, from `at` rightward, that the other sprite paints or (if touch counts) of which
// it paints a neighbour.
fn hit_pixels(other: View, at: vec2<i32>, bits: u32, joined: vec2<i32>, touch: u32) -> u32 {
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
