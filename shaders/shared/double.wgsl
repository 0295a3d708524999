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
const DOUBLE_ONE: Double = Double(false, -52, vec2<u32>(0u, 0x100000u));

// A shifted integer, and whether bits other than zero are lost.
struct Shifted {
    words: vec2<u32>,
    is_less: bool,
}

// Returns v / 2^by, rounded down, for `by` below 64.
fn double_right(v: vec2<u32>, by: u32) -> Shifted {
    let part = by & 31u;
    var words = v;
    var lost = 0u;
    if by > 31u {
        lost = v.x;
        words = vec2<u32>(v.y, 0u);
    }
    if part != 0u {
        let carried = words << vec2<u32>(32u - part);
        lost |= carried.x;
        words = (words >> vec2<u32>(part)) | vec2<u32>(carried.y, 0u);
    }
    return Shifted(words, lost != 0u);
}

// Returns v * 2^by, which must fit 64 bits.
fn double_left(v: vec2<u32>, by: u32) -> vec2<u32> {
    let part = by & 31u;
    var words = v;
    if by > 31u {
        words = vec2<u32>(0u, v.x);
    }
    if part != 0u {
        words = (words << vec2<u32>(part)) | vec2<u32>(0u, words.x >> (32u - part));
    }
    return words;
}

// Returns v * 2^exponent, rounded. With `is_more`, the exact number lies between that and the one for v + 1; then `v`
// has 55 bits at least.
fn double_rounded(is_negative: bool, exponent: i32, v: vec2<u32>, is_more: bool) -> Double {
    if all(v == vec2<u32>(0u)) {
        return DOUBLE_ZERO;
    }
    let zeros = select(countLeadingZeros(v.y), 32u + countLeadingZeros(v.x), v.y == 0u);
    let words = double_left(v, zeros);
    let half = (words.x >> 10u) & 1u;
    let rest = is_more || (words.x & 0x3FFu) != 0u;
    let up = half & (u32(rest) | (words.x >> 11u));
    let kept = vec2<u32>((words.x >> 11u) | (words.y << 21u), words.y >> 11u);
    let digits = vec2<u32>(kept.x + up, kept.y + u32(kept.x + up < up));
    // A carry out of the digits leaves 2^53.
    let carry = digits.y >> 21u;
    return Double(is_negative, exponent + 11 - i32(zeros) + i32(carry), vec2<u32>(digits.x, digits.y - (carry << 20u)));
}

fn double_of_int(v: i32) -> Double {
    let size = u32(select(v, -v, v < 0));
    if size == 0u {
        return DOUBLE_ZERO;
    }
    let zeros = countLeadingZeros(size);
    let top = size << (zeros & 31u);
    return Double(v < 0, -21 - i32(zeros), vec2<u32>(top << 21u, top >> 11u));
}

// Returns the nearest number to an integer.
fn double_of_wide(v: Wide) -> Double {
    return double_rounded(wide_sign(v) < 0, 0, wide_words(wide_abs(v)), false);
}

// Returns a finite binary32 number, given by its bits.
fn double_of_single(bits: u32) -> Double {
    let field = i32((bits >> 23u) & 0xFFu);
    let digits = (bits & 0x7FFFFFu) | select(0u, 0x800000u, field > 0);
    return double_rounded((bits >> 31u) != 0u, max(field, 1) - 150, vec2<u32>(digits, 0u), false);
}

// Returns a finite binary64 number, given by its bits, the low word first. Subnormal numbers count as zero.
fn double_of_bits(bits: vec2<u32>) -> Double {
    let field = i32((bits.y >> 20u) & 0x7FFu);
    if field == 0 {
        return DOUBLE_ZERO;
    }
    return Double((bits.y >> 31u) != 0u, field - 1075, vec2<u32>(bits.x, (bits.y & 0xFFFFFu) | 0x100000u));
}

// Returns the bits, the low word first.
fn double_bits(a: Double) -> vec2<u32> {
    if double_is_zero(a) {
        return vec2<u32>(0u, 0u);
    }
    let sign = select(0u, 0x80000000u, a.is_negative);
    return vec2<u32>(a.digits.x, (a.digits.y & 0xFFFFFu) | (u32(a.exponent + 1075) << 20u) | sign);
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
    // Align both to units of the larger one's last digit times 2^-10: ten bits, and whether anything is below, are
    // enough, as no bit is lost if more than one leading digit cancels.
    let by = u32(min(large.exponent - small.exponent, 63));
    let addend = double_right(double_left(small.digits, 10u), by);
    let augend = double_left(large.digits, 10u);
    let is_difference = large.is_negative != small.is_negative;
    // If something is cut off, subtract 1 more.
    let words = select(addend.words, ~addend.words, is_difference);
    let carry = u32(is_difference && !addend.is_less);
    let low = augend.x + words.x;
    let more = low + carry;
    let sum = vec2<u32>(more, augend.y + words.y + u32(low < words.x) + u32(more < carry));
    return double_rounded(large.is_negative, large.exponent - 10, sum, addend.is_less);
}

fn double_sub(a: Double, b: Double) -> Double {
    return double_add(a, double_neg(b));
}

fn double_mul(a: Double, b: Double) -> Double {
    // 105 or 106 bits, if neither is zero.
    let words = widest_words(widest_product(wide_of_words(a.digits), wide_of_words(b.digits)));
    let upper = (words.yz >> vec2<u32>(10u)) | (words.zw << vec2<u32>(22u));
    let is_more = (words.x | (words.y & 0x3FFu)) != 0u;
    return double_rounded(a.is_negative != b.is_negative, a.exponent + b.exponent + 42, upper, is_more);
}

// A digit of a quotient in base 2^16, and what is left.
struct Digit {
    digit: u32,
    rest: vec2<u32>,
}

// Returns the next digit of rest / divisor, the integer part of 2^16 times that; `divisor` is 2^63 at least, and `rest`
// is less (Knuth, *The Art of Computer Programming*, volume 2, section 4.3.1, algorithm D).
fn next_digit(rest: vec2<u32>, divisor: vec2<u32>) -> Digit {
    // At most 2 too large.
    let digit = min(rest.y / (divisor.y >> 16u), 0xFFFFu);
    let first = digit * (divisor.x & 0xFFFFu);
    let second = digit * (divisor.x >> 16u) + (first >> 16u);
    let third = digit * (divisor.y & 0xFFFFu) + (second >> 16u);
    let last = digit * (divisor.y >> 16u) + (third >> 16u);
    let product = vec3<u32>((first & 0xFFFFu) | (second << 16u), (third & 0xFFFFu) | (last << 16u), last >> 16u);
    let whole = vec3<u32>(rest.x << 16u, (rest.x >> 16u) | (rest.y << 16u), rest.y >> 16u);
    let left = double_sum(whole, ~product, 1u);
    let once = left.z >> 31u;
    let closer = double_sum(left, vec3<u32>(divisor * once, 0u), 0u);
    let twice = closer.z >> 31u;
    return Digit(digit - once - twice, double_sum(closer, vec3<u32>(divisor * twice, 0u), 0u).xy);
}

// Returns a + b + carry, as 96 bits; `carry` is 0 or 1.
fn double_sum(a: vec3<u32>, b: vec3<u32>, carry: u32) -> vec3<u32> {
    var sum = a + b;
    let carries = vec3<u32>(sum < a);
    sum.x += carry;
    let first = carries.x + u32(sum.x < carry);
    sum.y += first;
    sum.z += carries.y + u32(sum.y < first);
    return sum;
}

// Returns a / b, for b other than zero.
fn double_div(a: Double, b: Double) -> Double {
    let divisor = double_left(b.digits, 11u);
    var part = Digit(0u, double_left(a.digits, 10u));
    var quotient = vec2<u32>(0u, 0u);
    for (var i = 0u; i < 4u; i++) {
        part = next_digit(part.rest, divisor);
        quotient = vec2<u32>((quotient.x << 16u) | part.digit, (quotient.y << 16u) | (quotient.x >> 16u));
    }
    let is_more = any(part.rest != vec2<u32>(0u));
    return double_rounded(a.is_negative != b.is_negative, a.exponent - b.exponent - 63, quotient, is_more);
}

// Returns the square root of a number not below zero (Zimmermann, *Karatsuba Square Root*, INRIA RR-3805, 1999).
fn double_sqrt(a: Double) -> Double {
    if double_is_zero(a) {
        return a;
    }
    let is_odd = (a.exponent & 1) != 0;
    let whole = double_left(a.digits, select(10u, 11u, is_odd));
    // The root of the upper word, from above (Newton's method); a loop would cost software drivers more.
    var root = (0x10000u + (whole.y >> 16u)) / 2u;
    root = (root + whole.y / root) / 2u;
    root = (root + whole.y / root) / 2u;
    root = (root + whole.y / root) / 2u;
    root = (root + whole.y / root) / 2u;
    root -= u32(root * root > whole.y);
    // The root of both words: half of what is left over the root gives the next digits, or 1 more.
    let half = ((whole.y - root * root) << 15u) | (whole.x >> 17u);
    let next = half / root;
    let left = ((half % root) << 1u) | ((whole.x >> 16u) & 1u);
    let square = wide_mul(wide_of_words(vec2<u32>(next, 0u)), wide_of_words(vec2<u32>(next, 0u)));
    root = (root << 16u) + next;
    var rest = wide_sub(wide_of_words(vec2<u32>((left << 16u) | (whole.x & 0xFFFFu), left >> 16u)), square);
    if wide_sign(rest) < 0 {
        root -= 1u;
        rest = wide_add(rest, wide_of_words(vec2<u32>((root << 1u) | 1u, root >> 31u)));
    }
    let sum = double_root_of_more(root, wide_words(rest));
    let exponent = (a.exponent - select(74, 75, is_odd)) / 2;
    return double_rounded(false, exponent, sum.root, sum.is_more);
}

// A root of two words, and whether the exact one is greater.
struct Root {
    root: vec2<u32>,
    is_more: bool,
}

// Returns the root of an integer followed by two words of zeros, given its own root and what is left.
fn double_root_of_more(root: u32, rest: vec2<u32>) -> Root {
    let half = vec2<u32>(rest.x << 31u, (rest.y << 31u) | (rest.x >> 1u));
    let divisor = vec2<u32>(0u, root);
    if all(half == divisor) {
        // The next digits would be 2^32, which is 1 too many.
        return Root(vec2<u32>(0xFFFFFFFFu, root), true);
    }
    let first = next_digit(half, divisor);
    let second = next_digit(first.rest, divisor);
    let next = (first.digit << 16u) | second.digit;
    let left = vec3<u32>(0u, second.rest.y << 1u, second.rest.y >> 31u);
    let square = wide_words(wide_mul(wide_of_words(vec2<u32>(next, 0u)), wide_of_words(vec2<u32>(next, 0u))));
    var all_digits = vec2<u32>(next, root);
    var over = double_sum(left, ~vec3<u32>(square, 0u), 1u);
    if (over.z >> 31u) != 0u {
        all_digits = vec2<u32>(next - 1u, root - u32(next == 0u));
        let top = vec3<u32>(all_digits << vec2<u32>(1u), all_digits.y >> 31u);
        over = double_sum(over, vec3<u32>(top.x | 1u, top.y | (all_digits.x >> 31u), top.z), 0u);
    }
    return Root(all_digits, any(over != vec3<u32>(0u)));
}

// Rounds down; saturates to ±(2^31 - 1) from ±2^31 on.
fn double_floor(a: Double) -> i32 {
    if double_is_zero(a) {
        return 0;
    }
    if a.exponent > -22 {
        return select(0x7FFFFFFF, -0x7FFFFFFF, a.is_negative);
    }
    let whole = double_right(a.digits, u32(clamp(-a.exponent, 0, 63)));
    return select(i32(whole.words.x), -i32(whole.words.x + u32(whole.is_less)), a.is_negative);
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
    let twice = double_right(a.digits, u32(-a.exponent - 1)).words.x;
    let whole = i32((twice + 1u) / 2u);
    return select(whole, -whole, a.is_negative);
}

// Returns the bits of the nearest binary32 number, which must be neither too large nor too small for all its digits.
fn double_to_single(a: Double) -> u32 {
    if double_is_zero(a) {
        return 0u;
    }
    let kept = double_right(a.digits, 29u).words.x;
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
