// A sprite's pixels in words; `overlap_box` and `word_of` correspond to `words` of src/cpu/narrow/view.rs, whose words
// have 64 pixels, not 32.

// needs: fuel, sample, types, view, words

// The pixels of a sprite in a word of a box: the pixel of the lowest bit, and the bits.
struct Word {
    at: vec2<i32>,
    bits: u32,
}

// Returns the k-th word of a box, row by row, of a sprite that is `at` pixels from its start: the pixels that it paints
// together with as many neighbours to the left and above as are `joined`, 0 or 1.
fn word_of(sprite: View, at: vec2<i32>, region: Aabb, k: u32, joined: vec2<i32>) -> Word {
    fuel -= STEP_FUEL;
    let stride = words_of(region).x;
    let corner = region.min + vec2<i32>(WORD * i32(k % stride), i32(k / stride));
    var bits = low_bits(region.max.x - corner.x);
    var to = vec2<i32>(0, 0);
    loop {
        // The only call that reads pixels: drivers inline the whole function at each call.
        bits &= painted_word(sprite, corner - at - to);
        if all(to == joined) {
            break;
        }
        to = select(vec2<i32>(0, to.y + 1), to + vec2<i32>(1, 0), to.x < joined.x);
    }
    return Word(corner, bits);
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
