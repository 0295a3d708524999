// Gathers the overlap of a pair word by word; `take` and `bit_sum` are twins of those in src/cpu/narrow/gather.rs, but
// words come in order here: rows from the top, words from the left.

// needs: types, wide

// Adds 32 pixels of a row, the lowest bit at `at`. Words must come in that order.
fn take(detail: ptr<function, RawDetail>, at: vec2<i32>, bits: u32) {
    if bits == 0u {
        return;
    }
    let low = vec2<i32>(at.x + i32(countTrailingZeros(bits)), at.y);
    let high = vec2<i32>(at.x + 31 - i32(countLeadingZeros(bits)), at.y);
    if all((*detail).area == vec2<u32>(0u, 0u)) {
        (*detail).first = low;
        (*detail).bounds = vec4<i32>(low, 0, 0);
    }
    let corner = min((*detail).bounds.xy, low);
    let end = max((*detail).bounds.xy + (*detail).bounds.zw, high + 1);
    (*detail).bounds = vec4<i32>(corner, end - corner);
    let count = i32(countOneBits(bits));
    (*detail).area = added((*detail).area, wide(count));
    (*detail).sum_x = added((*detail).sum_x, wide_add(wide_mul_i32(at.x, count), wide(bit_sum(bits))));
    (*detail).sum_y = added((*detail).sum_y, wide_mul_i32(at.y, count));
}

// Returns the sum of a number stored as words and another.
fn added(words: vec2<u32>, more: Wide) -> vec2<u32> {
    return wide_words(wide_add(wide_of_words(words), more));
}

// Returns the sum of the indices of the set bits.
fn bit_sum(bits: u32) -> i32 {
    return i32(
        countOneBits(bits & 0xAAAAAAAAu) + 2u * countOneBits(bits & 0xCCCCCCCCu) + 4u * countOneBits(bits & 0xF0F0F0F0u)
            + 8u * countOneBits(bits & 0xFF00FF00u) + 16u * countOneBits(bits & 0xFFFF0000u),
    );
}
