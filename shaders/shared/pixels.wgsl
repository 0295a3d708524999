// A sprite's pixels in words; `overlap_box` and `word_of` correspond to `words` of src/cpu/narrow/view.rs, whose words
// have 64 pixels, not 32.

// needs: fuel, sample, types, view, words

// The pixels of a sprite in a word of a box: the pixel of the lowest bit, and the bits.
struct Word {
    at: vec2<i32>,
    bits: u32,
}

// Returns the k-th word of a box, row by row, of a sprite that is `at` pixels from its start.
fn word_of(sprite: View, at: vec2<i32>, region: Aabb, k: u32) -> Word {
    fuel -= STEP_FUEL;
    let stride = words_of(region).x;
    let corner = region.min + vec2<i32>(WORD * i32(k % stride), i32(k / stride));
    return Word(corner, painted_word(sprite, corner - at) & low_bits(region.max.x - corner.x));
}

// Returns the pixels that a sprite paints from `at` rightward, the lowest bit leftmost.
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
