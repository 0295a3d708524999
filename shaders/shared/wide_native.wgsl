// Integers wider than 32 bits on devices with 64-bit integers (`SHADER_INT64`): with the names of wide.wgsl, and the
// same results. WGSL itself has no such integers, but naga does. Each conversion here changes an integer's width or its
// sign, not both: naga 30 converts a u32 to an i64 as if it were an i32.

alias Wide = i64;           // sums and products wrap
alias Widest = vec2<u64>;   // u128, the low half first

const WIDE_ZERO: Wide = 0li;

// Returns an integer made of two words, the lowest first.
fn wide_of_words(words: vec2<u32>) -> Wide {
    return i64((u64(words.y) << 32u) | u64(words.x));
}

fn wide_words(a: Wide) -> vec2<u32> {
    return vec2<u32>(u32(u64(a)), u32(u64(a) >> 32u));
}

fn wide(v: i32) -> Wide {
    return i64(v);
}

fn wide_add(a: Wide, b: Wide) -> Wide {
    return a + b;
}

fn wide_sub(a: Wide, b: Wide) -> Wide {
    return a - b;
}

fn wide_neg(a: Wide) -> Wide {
    return 0li - a;
}

fn wide_is_zero(a: Wide) -> bool {
    return a == 0li;
}

// Returns the sign: -1, 0 or 1.
fn wide_sign(a: Wide) -> i32 {
    return select(select(1, -1, a < 0li), 0, a == 0li);
}

// Returns whether a < b, signed.
fn wide_less(a: Wide, b: Wide) -> bool {
    return a < b;
}

fn wide_abs(a: Wide) -> Wide {
    if a < 0li {
        return wide_neg(a);
    }
    return a;
}

// Returns the whole product of two u32.
fn wide_product(a: u32, b: u32) -> Wide {
    return i64(u64(a) * u64(b));
}

fn wide_mul(a: Wide, b: Wide) -> Wide {
    return a * b;
}

// Returns the whole product of two i32.
fn wide_mul_i32(a: i32, b: i32) -> Wide {
    return i64(a) * i64(b);
}

// Returns the low word.
fn wide_low(a: Wide) -> i32 {
    return i32(a);
}

// Returns the low word after an arithmetic shift to the right by 1 to 31.
fn wide_shift_low(a: Wide, by: u32) -> i32 {
    return i32(a >> by);
}

// Returns the whole product of two u64, from products of their halves.
fn widest_product(a: Wide, b: Wide) -> Widest {
    let a_low = u64(a) & 0xFFFFFFFFlu;
    let b_low = u64(b) & 0xFFFFFFFFlu;
    let a_high = u64(a) >> 32u;
    let b_high = u64(b) >> 32u;
    let low = a_low * b_low;
    // Neither sum exceeds 2^64 - 1.
    let middle = a_high * b_low + (low >> 32u);
    let middle_sum = a_low * b_high + (middle & 0xFFFFFFFFlu);
    return Widest((middle_sum << 32u) | (low & 0xFFFFFFFFlu), a_high * b_high + (middle >> 32u) + (middle_sum >> 32u));
}

// Returns whether a < b, unsigned.
fn widest_less(a: Widest, b: Widest) -> bool {
    return a.y < b.y || (a.y == b.y && a.x < b.x);
}

fn widest_is(a: Widest, b: Widest) -> bool {
    return all(a == b);
}

// Returns an integer made of two halves, the lowest first.
fn widest_of(low: Wide, high: Wide) -> Widest {
    return Widest(u64(low), u64(high));
}

// Returns the words, the lowest first.
fn widest_words(a: Widest) -> vec4<u32> {
    return vec4<u32>(wide_words(i64(a.x)), wide_words(i64(a.y)));
}
