// Rows of pixels in words of 32 bits, the lowest bit leftmost; `low_bits` and `window` are twins of those in
// src/cpu/narrow/view.rs, whose words have 64.

// needs: types
// expects: atlas, landed

// The pixels of a word.
const WORD: i32 = 32;

// Returns the words in a row of a box of pixels, from its left side, and the number of rows.
fn words_of(region: Aabb) -> vec2<u32> {
    if any(region.min >= region.max) {
        return vec2<u32>(0u, 0u);
    }
    let size = vec2<u32>(region.max - region.min);
    return vec2<u32>((size.x + 31u) / 32u, size.y);
}

// Returns a word with the lowest `count` bits set; all if it is 32 or more.
fn low_bits(count: i32) -> u32 {
    return select(0xFFFFFFFFu, (1u << (u32(count) & 31u)) - 1u, count < WORD);
}

// Returns 32 pixels of a bitmap from pixel `at.x` of row `at.y` on; outside of it there is nothing. The bitmap has
// `height` rows of `stride` words from word `first` of `landed` on if it is painted, otherwise of `atlas`.
fn window(painted: bool, first: u32, stride: u32, height: i32, at: vec2<i32>) -> u32 {
    if at.y < 0 || at.y >= height {
        return 0u;
    }
    let row = first + u32(at.y) * stride;
    let k = at.x >> 5u;
    let shift = u32(at.x) & 31u;
    let low = row_word(painted, row, stride, k);
    if shift == 0u {
        return low;
    }
    return (low >> shift) | (row_word(painted, row, stride, k + 1) << (32u - shift));
}

// Returns the k-th word of a row that begins at word `row`.
fn row_word(painted: bool, row: u32, stride: u32, k: i32) -> u32 {
    if k < 0 || k >= i32(stride) {
        return 0u;
    }
    if painted {
        return landed[row + u32(k)];
    }
    return atlas[row + u32(k)];
}
