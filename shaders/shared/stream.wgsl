// Numbers of the host's streams: columns of bodies' values in buffers of its own. Each is described by four words, as
// `Params` tells.

// What numbers are: f32, integers of the lattice, or f64, of which the world has its linear parts.
const LATTICE: u32 = 1u;
const WORLDS: u32 = 2u;

fn has_stream(stream: vec4<u32>) -> bool {
    return stream.w == 1u;
}

// Where the words of a body begin.
fn word_of(stream: vec4<u32>, i: u32) -> u32 {
    return stream.x + i * stream.y;
}

// The bits of an f32 that is neither infinite nor NaN.
fn is_finite(bits: u32) -> bool {
    return (bits & 0x7F800000u) != 0x7F800000u;
}

// A number on a lattice, if it is no more than 2^30 away from 0.
struct Snap {
    yes: bool,
    at: i32,
}

// floor(2^bits v + 1/2) of an f32 v, given by its bits: what `f64` gives on the host, without any float.
fn snapped_single(v: u32, bits: i32) -> Snap {
    let field = i32((v >> 23u) & 0xFFu);
    let digits = i32((v & 0x7FFFFFu) | select(0u, 0x800000u, field > 0));
    let number = select(digits, -digits, (v >> 31u) != 0u);
    let exponent = max(field, 1) - 150 + bits;
    if !is_finite(v) || exponent > 6 {
        // The digits of what is not 0 begin with a 1, or the exponent is far below.
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

// A number of a stream, on a lattice of so many fractional bits.
fn snapped_number(stream: vec4<u32>, v: u32, bits: i32) -> Snap {
    if stream.z == LATTICE {
        return Snap(true, bitcast<i32>(v));
    }
    return snapped_single(v, bits);
}
