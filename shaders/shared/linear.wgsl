// Linear parts of poses, as given and as snapped; twin of src/ground/linear.rs and src/world/pose/extent.rs.

// needs: double, parts, types

// [[a, b], [c, d]]: maps a local point (x, y) to (a x + b y, c x + d y).
struct Linear {
    a: Double,
    b: Double,
    c: Double,
    d: Double,
}

// The largest entry of a linear part, and of the inverse of a sprite's: 127 and 64.
const LARGEST: Double = Double(false, -46, vec2<u32>(0u, 0x1FC000u));
const LARGEST_INVERSE: Double = Double(false, -46, vec2<u32>(0u, 0x100000u));
// Fractional bits of a snapped linear part, and of a snapped inverse.
const LINEAR_BITS: i32 = 24;
const INVERSE_BITS: i32 = 16;
// The inverse of the identity.
const UNTURNED_INVERSE: Snapped = Snapped(vec2<i32>(0x10000, 0), vec2<i32>(0, 0x10000));

// A snapped inverse, if there is one.
struct Inverse {
    yes: bool,
    rows: Snapped,
}

// A box, if it fits into the world.
struct Extent {
    yes: bool,
    at: Aabb,
}

const NO_EXTENT: Extent = Extent(false, Aabb(vec2<i32>(0, 0), vec2<i32>(0, 0)));

// Returns whether no entry is too large.
fn linear_is_within(v: Linear) -> bool {
    return !double_is_nearer(LARGEST, v.a) && !double_is_nearer(LARGEST, v.b) && !double_is_nearer(LARGEST, v.c)
        && !double_is_nearer(LARGEST, v.d);
}

fn determinant(v: Linear) -> Double {
    return double_sub(double_mul(v.a, v.d), double_mul(v.b, v.c));
}

fn snapped_linear(v: Linear) -> Snapped {
    return Snapped(
        vec2<i32>(double_snapped(v.a, LINEAR_BITS), double_snapped(v.b, LINEAR_BITS)),
        vec2<i32>(double_snapped(v.c, LINEAR_BITS), double_snapped(v.d, LINEAR_BITS)),
    );
}

// Returns the inverse; none if the linear part is singular, or an entry of the inverse is over 64.
fn inverse(v: Linear) -> Inverse {
    let det = determinant(v);
    if double_is_zero(det) {
        return Inverse(false, UNTURNED_INVERSE);
    }
    var entries = array<Double, 4>(v.d, double_neg(v.b), double_neg(v.c), v.a);
    var snapped = vec4<i32>(0);
    for (var i = 0u; i < 4u; i++) {
        let entry = double_div(entries[i], det);
        if double_is_nearer(LARGEST_INVERSE, entry) {
            return Inverse(false, UNTURNED_INVERSE);
        }
        snapped[i] = double_snapped(entry, INVERSE_BITS);
    }
    return Inverse(true, Snapped(snapped.xy, snapped.zw));
}

// Returns whether p and q differ by at most a millionth of `scale`.
fn are_near(p: Double, q: Double, scale: Double) -> bool {
    // 1e-6
    let millionth = double_mul(Double(false, -72, vec2<u32>(0xA0B5ED8Du, 0x10C6F7u)), scale);
    return !double_is_nearer(millionth, double_sub(p, q));
}

// The scale of a linear part that is a similarity.
struct Similarity {
    yes: bool,
    by: Double,
}

// Returns the scale of a linear part; none if it is no similarity.
fn scale_of(v: Linear) -> Similarity {
    let det = determinant(v);
    let scale = double_sqrt(Double(false, det.exponent, det.digits));
    let turned = are_near(v.a, v.d, scale) && are_near(v.b, double_neg(v.c), scale);
    let flipped = are_near(v.a, double_neg(v.d), scale) && are_near(v.b, v.c, scale);
    return Similarity(turned || flipped, scale);
}

// Returns the landed radius, or a number below 0 if there is no scale.
fn landed_radius(scale: Similarity, radius: i32) -> i32 {
    return select(-1, double_snapped(double_mul(double_of_int(radius), scale.by), 0), scale.yes);
}

// Returns the scale with SCALE_BITS fractional bits, or a number below 0 if there is none.
fn snapped_scale(scale: Similarity) -> i32 {
    return select(-1, double_snapped(scale.by, i32(SCALE_BITS)), scale.yes);
}

// Returns an extent of pixels in lattice steps, relative to a position; none if that is beyond the world from every
// position in it.
fn extent_of_pixels(low: vec2<i32>, high: vec2<i32>) -> Extent {
    let most = vec2<i32>(1 << 22u);
    if any(abs(low) >= most) || any(abs(high) >= most) {
        return NO_EXTENT;
    }
    return Extent(true, Aabb(256 * low, 256 * high));
}

// Returns the pixels that a turned sprite may paint, in lattice steps from the pixel that holds its position.
// src/world/pose/extent.rs explains them.
fn turned_extent(rows: Snapped, anchor: vec2<i32>, solid: Aabb) -> Extent {
    let a = double_of_int(rows.x.x);
    let b = double_of_int(rows.x.y);
    let c = double_of_int(rows.y.x);
    let d = double_of_int(rows.y.y);
    let det = double_sub(double_mul(a, d), double_mul(b, c));
    // 0.001, and 127 / 256
    let error = Double(false, -62, vec2<u32>(0xD2F1A9FCu, 0x10624Du));
    let most = Double(false, -54, vec2<u32>(0u, 0x1FC000u));
    var low = vec2<i32>(0x7FFFFFFF);
    var high = vec2<i32>(-0x7FFFFFFF);
    for (var i = 0u; i < 4u; i++) {
        let x = select(solid.min.x, solid.max.x, (i & 2u) != 0u);
        let y = select(solid.min.y, solid.max.y, (i & 1u) != 0u);
        let u = double_sub(double_scaled(double_of_int(x), 16), double_scaled(double_of_int(anchor.x), 8));
        let v = double_sub(double_scaled(double_of_int(y), 16), double_scaled(double_of_int(anchor.y), 8));
        for (var axis = 0u; axis < 2u; axis++) {
            var p = double_mul(d, u);
            var q = double_mul(b, v);
            if axis == 1u {
                p = double_mul(a, v);
                q = double_mul(c, u);
            }
            let pixel = double_div(double_sub(p, q), det);
            // Rounding is monotonic, so the minimum may be taken after it.
            low[axis] = min(low[axis], double_ceil(double_sub(double_sub(pixel, DOUBLE_HALF), error)));
            high[axis] = max(high[axis], double_floor(double_add(double_add(pixel, most), error)));
        }
    }
    // From 2^31 - 1 on, pixels are beyond the world anyway.
    return extent_of_pixels(low, min(high, vec2<i32>(0x7FFFFFFE)) + 1);
}
