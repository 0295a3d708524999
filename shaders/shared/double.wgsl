// IEEE 754 binary64 numbers, computed with integers: WGSL has none, and results must equal the host's bit for bit. Each
// operation rounds to the nearest number, ties to even, as the standard says. There is only one zero. Numbers that are
// not finite, or too small for all 53 digits, do not occur.

// needs: wide

// ±digits * 2^exponent; `digits` is zero, or has 53 bits.
struct Double {
    is_negative: bool,
    exponent: i32,
    digits: vec2<u32>,
}

const DOUBLE_ZERO: Double = Double(false, 0, vec2<u32>(0u, 0u));
const DOUBLE_HALF: Double = Double(false, -53, vec2<u32>(0u, 0x100000u));

// Returns v * 2^by, which must fit 128 bits.
fn double_left(v: vec4<u32>, by: u32) -> vec4<u32> {
    var words = v;
    if (by & 64u) != 0u {
        words = vec4<u32>(0u, 0u, words.xy);
    }
    if (by & 32u) != 0u {
        words = vec4<u32>(0u, words.xyz);
    }
    let part = by & 31u;
    if part != 0u {
        words = (words << vec4<u32>(part)) | (vec4<u32>(0u, words.xyz) >> vec4<u32>(32u - part));
    }
    return words;
}

// Returns v / 2^by, rounded down, for `by` below 128.
fn double_right(v: vec4<u32>, by: u32) -> vec4<u32> {
    var words = v;
    if (by & 64u) != 0u {
        words = vec4<u32>(words.zw, 0u, 0u);
    }
    if (by & 32u) != 0u {
        words = vec4<u32>(words.yzw, 0u);
    }
    let part = by & 31u;
    if part != 0u {
        words = (words >> vec4<u32>(part)) | (vec4<u32>(words.yzw, 0u) << vec4<u32>(32u - part));
    }
    return words;
}

// Returns the number of bits of `v` without leading zeros.
fn double_length(v: vec4<u32>) -> u32 {
    if v.w != 0u {
        return 128u - countLeadingZeros(v.w);
    }
    if v.z != 0u {
        return 96u - countLeadingZeros(v.z);
    }
    if v.y != 0u {
        return 64u - countLeadingZeros(v.y);
    }
    return 32u - countLeadingZeros(v.x);
}

// Returns a + b + carry; `carry` is 0 or 1.
fn double_sum(a: vec4<u32>, b: vec4<u32>, carry: u32) -> vec4<u32> {
    var sum = a + b;
    let carries = vec4<u32>(sum < a);
    sum.x += carry;
    let first = carries.x + u32(sum.x < carry);
    sum.y += first;
    let second = carries.y + u32(sum.y < first);
    sum.z += second;
    sum.w += carries.z + u32(sum.z < second);
    return sum;
}

// Returns v * 2^exponent, rounded. With `is_more`, the exact number lies between that and the one for v + 1.
fn double_rounded(is_negative: bool, exponent: i32, v: vec4<u32>, is_more: bool) -> Double {
    let length = double_length(v);
    if length == 0u {
        return DOUBLE_ZERO;
    }
    if length <= 53u {
        return Double(is_negative, exponent + i32(length) - 53, double_left(v, 53u - length).xy);
    }
    let extra = length - 53u;
    let kept = double_right(v, extra).xy;
    let half = (double_right(v, extra - 1u).x & 1u) != 0u;
    let rest = is_more || (extra > 1u && any(double_left(v, 129u - extra) != vec4<u32>(0u)));
    let up = u32(half && (rest || (kept.x & 1u) != 0u));
    let digits = vec2<u32>(kept.x + up, kept.y + u32(kept.x + up < up));
    if digits.y == 0x200000u {
        return Double(is_negative, exponent + i32(extra) + 1, vec2<u32>(0u, 0x100000u));
    }
    return Double(is_negative, exponent + i32(extra), digits);
}

fn double_of_int(v: i32) -> Double {
    return double_rounded(v < 0, 0, vec4<u32>(u32(select(v, -v, v < 0)), 0u, 0u, 0u), false);
}

// Returns the nearest number to an integer.
fn double_of_wide(v: Wide) -> Double {
    return double_rounded(wide_sign(v) < 0, 0, vec4<u32>(wide_words(wide_abs(v)), 0u, 0u), false);
}

// Returns a finite binary32 number, given by its bits.
fn double_of_single(bits: u32) -> Double {
    let field = i32((bits >> 23u) & 0xFFu);
    let digits = (bits & 0x7FFFFFu) | select(0u, 0x800000u, field > 0);
    return double_rounded((bits >> 31u) != 0u, max(field, 1) - 150, vec4<u32>(digits, 0u, 0u, 0u), false);
}

// Returns a finite binary64 number, given by its bits, the low word first. Subnormal numbers count as zero.
fn double_of_bits(bits: vec2<u32>) -> Double {
    let field = i32((bits.y >> 20u) & 0x7FFu);
    if field == 0 {
        return DOUBLE_ZERO;
    }
    return Double((bits.y >> 31u) != 0u, field - 1075, vec2<u32>(bits.x, (bits.y & 0xFFFFFu) | 0x100000u));
}

fn double_is_zero(a: Double) -> bool {
    return all(a.digits == vec2<u32>(0u));
}

fn double_neg(a: Double) -> Double {
    return Double(!a.is_negative && !double_is_zero(a), a.exponent, a.digits);
}

// Returns a * 2^by.
fn double_scaled(a: Double, by: i32) -> Double {
    return Double(a.is_negative, select(a.exponent + by, 0, double_is_zero(a)), a.digits);
}

// Returns whether |a| < |b|.
fn double_is_nearer(a: Double, b: Double) -> bool {
    if double_is_zero(a) || double_is_zero(b) {
        return double_is_zero(a) && !double_is_zero(b);
    }
    if a.exponent != b.exponent {
        return a.exponent < b.exponent;
    }
    return a.digits.y < b.digits.y || (a.digits.y == b.digits.y && a.digits.x < b.digits.x);
}

// Returns whether a < b.
fn double_less(a: Double, b: Double) -> bool {
    if a.is_negative != b.is_negative {
        return a.is_negative;
    }
    if a.is_negative {
        return double_is_nearer(b, a);
    }
    return double_is_nearer(a, b);
}

fn double_add(a: Double, b: Double) -> Double {
    if double_is_zero(a) {
        return b;
    }
    if double_is_zero(b) {
        return a;
    }
    var large = a;
    var small = b;
    if double_is_nearer(a, b) {
        large = b;
        small = a;
    }
    // Align both to units of the larger one's last digit times 2^-64; `is_more` stands for anything below that.
    let by = u32(min(large.exponent - small.exponent, 127));
    let whole = double_left(vec4<u32>(small.digits, 0u, 0u), 64u);
    let addend = double_right(whole, by);
    let is_more = any(double_left(addend, by) != whole);
    let augend = vec4<u32>(0u, 0u, large.digits);
    var sum = vec4<u32>(0u);
    if large.is_negative == small.is_negative {
        sum = double_sum(augend, addend, 0u);
    } else {
        // If something was cut off, subtract 1 more.
        sum = double_sum(augend, ~addend, u32(!is_more));
    }
    return double_rounded(large.is_negative, large.exponent - 64, sum, is_more);
}

fn double_sub(a: Double, b: Double) -> Double {
    return double_add(a, double_neg(b));
}

fn double_mul(a: Double, b: Double) -> Double {
    let digits = widest_words(widest_product(wide_of_words(a.digits), wide_of_words(b.digits)));
    return double_rounded(a.is_negative != b.is_negative, a.exponent + b.exponent, digits, false);
}

// Returns a / b, for b other than zero: by long division, to 57 binary digits and whether there is a remainder.
fn double_div(a: Double, b: Double) -> Double {
    let divisor = wide_of_words(b.digits);
    var rest = wide_of_words(a.digits);
    var quotient = vec2<u32>(0u, 0u);
    for (var i = 0u; i < 57u; i++) {
        let fits = !wide_less(rest, divisor);
        if fits {
            rest = wide_sub(rest, divisor);
        }
        rest = wide_add(rest, rest);
        quotient = vec2<u32>((quotient.x << 1u) | u32(fits), (quotient.y << 1u) | (quotient.x >> 31u));
    }
    let exponent = a.exponent - b.exponent - 56;
    return double_rounded(a.is_negative != b.is_negative, exponent, vec4<u32>(quotient, 0u, 0u), !wide_is_zero(rest));
}

// Returns the square root of a number not below zero: digit by digit, 55 or 56 of them, and whether there is a
// remainder.
fn double_sqrt(a: Double) -> Double {
    let is_odd = (a.exponent & 1) != 0;
    let shift = select(58u, 57u, is_odd);
    let digits = double_left(vec4<u32>(a.digits, 0u, 0u), shift);
    var rest = WIDE_ZERO;
    var root = vec2<u32>(0u, 0u);
    for (var i = 0u; i < 56u; i++) {
        let pair = double_right(digits, 110u - 2u * i).x & 3u;
        let twice = wide_add(rest, rest);
        rest = wide_add(wide_add(twice, twice), wide_of_words(vec2<u32>(pair, 0u)));
        let trial = wide_of_words(vec2<u32>((root.x << 2u) | 1u, (root.y << 2u) | (root.x >> 30u)));
        let fits = !wide_less(rest, trial);
        if fits {
            rest = wide_sub(rest, trial);
        }
        root = vec2<u32>((root.x << 1u) | u32(fits), (root.y << 1u) | (root.x >> 31u));
    }
    let exponent = (a.exponent - i32(shift)) / 2;
    return double_rounded(false, exponent, vec4<u32>(root, 0u, 0u), !wide_is_zero(rest));
}

// Rounds down; saturates to ±(2^31 - 1) from ±2^31 on.
fn double_floor(a: Double) -> i32 {
    if double_is_zero(a) {
        return 0;
    }
    if a.exponent > -22 {
        return select(0x7FFFFFFF, -0x7FFFFFFF, a.is_negative);
    }
    let by = u32(min(-a.exponent, 127));
    let digits = vec4<u32>(a.digits, 0u, 0u);
    let whole = double_right(digits, by);
    let rest = u32(any(double_left(whole, by) != digits));
    return select(i32(whole.x), -i32(whole.x + rest), a.is_negative);
}

// Rounds up; saturates in the same way.
fn double_ceil(a: Double) -> i32 {
    return -double_floor(double_neg(a));
}

// Rounds to the nearest integer, halves away from zero. The result must fit an i32.
fn double_round(a: Double) -> i32 {
    // Below 1/2.
    if double_is_zero(a) || a.exponent < -53 {
        return 0;
    }
    let twice = double_right(vec4<u32>(a.digits, 0u, 0u), u32(-a.exponent - 1)).x;
    let whole = i32((twice + 1u) / 2u);
    return select(whole, -whole, a.is_negative);
}

// Returns the bits of the nearest binary32 number, which must be neither too large nor too small for all its digits.
fn double_to_single(a: Double) -> u32 {
    if double_is_zero(a) {
        return 0u;
    }
    let digits = vec4<u32>(a.digits, 0u, 0u);
    let kept = double_right(digits, 29u).x;
    let half = (a.digits.x >> 28u) & 1u;
    let rest = (a.digits.x & 0xFFFFFFFu) != 0u || (kept & 1u) != 0u;
    // A carry out of the digits moves on to the exponent.
    let field = u32(a.exponent + 29 + 150);
    let bits = (field << 23u) + (kept & 0x7FFFFFu) + u32(half == 1u && rest);
    return bits | select(0u, 0x80000000u, a.is_negative);
}

// Returns floor(a * 2^bits + 1/2).
fn double_snapped(a: Double, bits: i32) -> i32 {
    return double_floor(double_add(double_scaled(a, bits), DOUBLE_HALF));
}
