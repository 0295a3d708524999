// Numbers in the host's streams: columns of bodies' values in the host's own buffers. Four words of `Params` describe
// each stream.

// The formats of numbers besides f32 (0): lattice integers, and f64, used for the world's own linear parts.
const LATTICE: u32 = 1u;
const WORLDS: u32 = 2u;

fn has_stream(stream: vec4<u32>) -> bool {
    return stream.w == 1u;
}

// Returns the first word of a body.
fn stream_word(stream: vec4<u32>, i: u32) -> u32 {
    return stream.x + i * stream.y;
}

// Returns whether the bits are those of an f32 that is neither infinite nor NaN.
fn is_finite(bits: u32) -> bool {
    return (bits & 0x7F800000u) != 0x7F800000u;
}

// A number on a lattice, if it is at most 2^30 away from 0.
struct Snap {
    yes: bool,
    at: i32,
}

// Returns floor(2^bits v + 1/2) for an f32 v, given by its bits: the host's `f64` result, without floats.
fn snapped_single(v: u32, bits: i32) -> Snap {
    let field = i32((v >> 23u) & 0xFFu);
    let digits = i32((v & 0x7FFFFFu) | select(0u, 0x800000u, field > 0));
    let number = select(digits, -digits, (v >> 31u) != 0u);
    let exponent = max(field, 1) - 150 + bits;
    if !is_finite(v) || exponent > 6 {
        // Too large: zero and subnormal numbers have far lower exponents, so the digits begin with a 1.
        return Snap(false, 0);
    }
    if exponent >= 0 {
        return Snap(true, number << u32(exponent));
    }
    if exponent < -25 {
        return Snap(true, 0);
    }
    let by = u32(-exponent);
    return Snap(true, (number + (1 << (by - 1u))) >> by);
}

// Returns a number of a stream, on a lattice of `bits` fractional bits.
fn snapped_number(stream: vec4<u32>, v: u32, bits: i32) -> Snap {
    if stream.z == LATTICE {
        return Snap(true, bitcast<i32>(v));
    }
    return snapped_single(v, bits);
}
