// The pixels that a turned sprite paints, texel by texel; `texel_under` and `sample` are twins of those in
// src/world/pose/texel.rs, but `sample` takes 32 pixels, not 64, and tests for each whether it lies in the mask.
// `texel_near` is the low word of `texel_under`.

// needs: types, wide
// expects: atlas

// Returns the texel coordinate, with 16 fractional bits, along one row of the inverse, under the centre of the pixel
// that holds `position`.
fn texel_here(position: vec2<i32>, row: vec2<i32>, anchor: i32) -> i32 {
    let f = 256 * pixel(position) + 128 - position;
    // The first two terms are below 2^31.
    return ((row.x * f.x + row.y * f.y) >> 8u) + (anchor << 8u);
}

// Returns the texel coordinate under the centre of pixel `at`.
fn texel_under(position: vec2<i32>, row: vec2<i32>, anchor: i32, at: vec2<i32>) -> Wide {
    let by = at - pixel(position);
    let moved = wide_add(wide_mul_i32(row.x, by.x), wide_mul_i32(row.y, by.y));
    return wide_add(wide(texel_here(position, row, anchor)), moved);
}

// Returns the texel coordinate if it is known to fit an i32. Its terms may not fit, and wrap around.
fn texel_near(position: vec2<i32>, row: vec2<i32>, anchor: i32, at: vec2<i32>) -> i32 {
    let by = at - pixel(position);
    return texel_here(position, row, anchor) + row.x * by.x + row.y * by.y;
}

// Returns whether a texel coordinate is so far from every mask that no pixel of a word that begins there reaches one.
// With 16 fractional bits, masks span 0 to 2^29; the 31 steps of a word, each at most 2^22, add less than 2^27.
fn is_far(u: Wide) -> bool {
    return wide_less(u, wide(-(1 << 27u))) || wide_less(wide((1 << 29u) + (1 << 27u)), u);
}

// Returns a texel: 1 if it is solid, 0 outside of the mask. There some word is read and masked out, which avoids a
// branch. As a u32, a negative coordinate exceeds every size.
fn texel(shape: Shape, at: vec2<i32>) -> u32 {
    let inside = all(vec2<u32>(at) < vec2<u32>(shape.size));
    let word = atlas[shape.first + u32(at.y) * shape.stride + u32(at.x) / 32u];
    return (word >> (u32(at.x) & 31u)) & u32(inside);
}

// Returns the pixels that a sprite paints from `at` rightward, the lowest bit leftmost.
fn sample(body: Body, shape: Shape, at: vec2<i32>) -> u32 {
    let u_start = texel_under(body.position, body.linear.x, shape.anchor.x, at);
    let v_start = texel_under(body.position, body.linear.y, shape.anchor.y, at);
    if is_far(u_start) || is_far(v_start) {
        return 0u;
    }
    // Coordinates that are not far fit an i32 along the whole word.
    var uv = vec2<i32>(wide_low(u_start), wide_low(v_start));
    let step = vec2<i32>(body.linear.x.x, body.linear.y.x);
    var bits = 0u;
    for (var i = 0u; i < 32u; i++) {
        bits |= texel(shape, uv >> vec2<u32>(16u, 16u)) << i;
        uv += step;
    }
    return bits;
}
