// Integers wider than 32 bits, as words, the lowest first: WGSL has no 64-bit integers that all devices support. If a
// device has them, wide_native.wgsl replaces this file. So no other file may access the representation.

alias Wide = vec2<u32>;     // i64, two's complement; sums and products wrap
alias Widest = vec4<u32>;   // u128

const WIDE_ZERO: Wide = Wide(0u, 0u);

// Returns an integer made of two words, the lowest first.
fn wide_of_words(words: vec2<u32>) -> Wide {
    return words;
}

fn wide_words(a: Wide) -> vec2<u32> {
    return a;
}

fn wide(v: i32) -> Wide {
    return Wide(bitcast<u32>(v), bitcast<u32>(v >> 31u));
}

fn wide_add(a: Wide, b: Wide) -> Wide {
    let low = a.x + b.x;
    return Wide(low, a.y + b.y + u32(low < a.x));
}

fn wide_sub(a: Wide, b: Wide) -> Wide {
    return Wide(a.x - b.x, a.y - b.y - u32(a.x < b.x));
}

fn wide_neg(a: Wide) -> Wide {
    return wide_sub(WIDE_ZERO, a);
}

fn wide_is_zero(a: Wide) -> bool {
    return (a.x | a.y) == 0u;
}

// Returns the sign: -1, 0 or 1.
fn wide_sign(a: Wide) -> i32 {
    return select((bitcast<i32>(a.y) >> 31u) | 1, 0, wide_is_zero(a));
}

// Returns whether a < b, signed.
fn wide_less(a: Wide, b: Wide) -> bool {
    return bitcast<i32>(a.y) < bitcast<i32>(b.y) || (a.y == b.y && a.x < b.x);
}

fn wide_abs(a: Wide) -> Wide {
    if wide_sign(a) < 0 {
        return wide_neg(a);
    }
    return a;
}

// Returns the whole product of two u32, from products of their halves.
fn wide_product(a: u32, b: u32) -> Wide {
    let low = (a & 0xFFFFu) * (b & 0xFFFFu);
    let a_high = (a >> 16u) * (b & 0xFFFFu);
    let b_high = (a & 0xFFFFu) * (b >> 16u);
    let middle = (low >> 16u) + (a_high & 0xFFFFu) + (b_high & 0xFFFFu);
    return Wide(
        (middle << 16u) | (low & 0xFFFFu),
        (a >> 16u) * (b >> 16u) + (a_high >> 16u) + (b_high >> 16u) + (middle >> 16u),
    );
}

fn wide_mul(a: Wide, b: Wide) -> Wide {
    let low = wide_product(a.x, b.x);
    return Wide(low.x, low.y + a.x * b.y + a.y * b.x);
}

// Returns the whole product of two i32.
fn wide_mul_i32(a: i32, b: i32) -> Wide {
    let product = wide_product(bitcast<u32>(a), bitcast<u32>(b));
    // As a u32, a negative factor is 2^32 too large, so subtract the other factor, shifted by a word.
    return Wide(product.x, product.y - select(0u, bitcast<u32>(b), a < 0) - select(0u, bitcast<u32>(a), b < 0));
}

// Returns the low word.
fn wide_low(a: Wide) -> i32 {
    return bitcast<i32>(a.x);
}

// Returns the low word after an arithmetic shift to the right by 1 to 31.
fn wide_shift_low(a: Wide, by: u32) -> i32 {
    return bitcast<i32>((a.x >> by) | (a.y << (32u - by)));
}

// Returns the whole product of two u64.
fn widest_product(a: Wide, b: Wide) -> Widest {
    let low = wide_product(a.x, b.x);
    let high = wide_product(a.y, b.y);
    let cross_0 = wide_product(a.x, b.y);
    let cross_1 = wide_product(a.y, b.x);
    let middle = wide_add(Wide(low.y, 0u), Wide(cross_0.x, 0u));
    let middle_sum = wide_add(middle, Wide(cross_1.x, 0u));
    var upper = wide_add(high, Wide(cross_0.y, 0u));
    upper = wide_add(upper, Wide(cross_1.y, 0u));
    upper = wide_add(upper, Wide(middle_sum.y, 0u));
    return Widest(low.x, middle_sum.x, upper.x, upper.y);
}

// Returns whether a < b, unsigned.
fn widest_less(a: Widest, b: Widest) -> bool {
    if a.w != b.w {
        return a.w < b.w;
    }
    if a.z != b.z {
        return a.z < b.z;
    }
    if a.y != b.y {
        return a.y < b.y;
    }
    return a.x < b.x;
}

fn widest_is(a: Widest, b: Widest) -> bool {
    return all(a == b);
}

// Returns an integer made of two halves, the lowest first.
fn widest_of(low: Wide, high: Wide) -> Widest {
    return Widest(low, high);
}

// Returns the words, the lowest first.
fn widest_words(a: Widest) -> vec4<u32> {
    return a;
}
