// What overlaps, gathered word by word; `take` and `bit_sum` are twins of those in src/cpu/narrow/gather.rs, but words
// come in order here: rows from the top, words from the left.

// Adds the pixels of a sprite, `at` pixels from where it stands, that overlap another body, which is `gone` pixels from
// there in the world; from word `(*now).cursor` on.
fn gather(
    sprite: View,
    other: View,
    at: vec2<i32>,
    gone: vec2<i32>,
    detail: ptr<function, RawDetail>,
    now: ptr<function, Progress>,
) -> u32 {
    let region = overlap_box(sprite, other, at, TOUCH_EXCLUDED);
    let words = words_of(region);
    for (var k = (*now).cursor; k < words.x * words.y; k++) {
        if fuel <= 0 {
            (*now).cursor = k;
            return UNFINISHED;
        }
        let word = word_of(sprite, at, region, k);
        if word.bits != 0u {
            take(detail, word.at + gone, near(other, word.at, word.bits, TOUCH_EXCLUDED));
        }
    }
    return HIT;
}

// Takes in 32 pixels of a row, the lowest bit at `at`: rows from the top, words from the left.
fn take(detail: ptr<function, RawDetail>, at: vec2<i32>, bits: u32) {
    if bits == 0u {
        return;
    }
    let low = vec2<i32>(at.x + i32(countTrailingZeros(bits)), at.y);
    let high = vec2<i32>(at.x + 31 - i32(countLeadingZeros(bits)), at.y);
    if wide_is_zero((*detail).area) {
        (*detail).first = low;
        (*detail).bounds = vec4<i32>(low, 0, 0);
    }
    let corner = min((*detail).bounds.xy, low);
    let end = max((*detail).bounds.xy + (*detail).bounds.zw, high + 1);
    (*detail).bounds = vec4<i32>(corner, end - corner);
    let count = i32(countOneBits(bits));
    (*detail).area = wide_add((*detail).area, wide(count));
    (*detail).sum_x = wide_add((*detail).sum_x, wide_add(wide_mul_i32(at.x, count), wide(bit_sum(bits))));
    (*detail).sum_y = wide_add((*detail).sum_y, wide_mul_i32(at.y, count));
}

// The sum of the indices of the set bits.
fn bit_sum(bits: u32) -> i32 {
    return i32(
        countOneBits(bits & 0xAAAAAAAAu) + 2u * countOneBits(bits & 0xCCCCCCCCu) + 4u * countOneBits(bits & 0xF0F0F0F0u)
            + 8u * countOneBits(bits & 0xFF00FF00u) + 16u * countOneBits(bits & 0xFFFF0000u),
    );
}
