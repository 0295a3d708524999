// Lands vertices along an axis; twin of `land_along` in src/ground/linear.rs.

// needs: wide

// Returns a x + b y + 2^23, for a row (a, b) of a linear part and a local point (x, y): the landed coordinate times
// 2^24, before rounding down.
fn land_sum(row: vec2<i32>, p: vec2<i32>) -> Wide {
    let sum = wide_add(wide_mul_i32(row.x, p.x), wide_mul_i32(row.y, p.y));
    return wide_add(sum, wide(1 << 23u));
}

// Returns the place where a row (a, b) of a linear part lands a local point (x, y), relative to the body's position:
// floor((a x + b y + 2^23) / 2^24).
fn land_along(row: vec2<i32>, p: vec2<i32>) -> i32 {
    return wide_shift_low(land_sum(row, p), 24u);
}
