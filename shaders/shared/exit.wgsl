// A place on the boundary of a union where a way out may end; twin of src/host/contact/exit.rs, which explains it.
//
// Only the host looks for the middle of a narrow space. Here a narrow place is free if no set holds it; if it is the
// best, the pair is left to the host.

// needs: double, vector

// See the twin's.
const TOLERANCE: Double = Double(false, -64, vec2<u32>(0u, 0x100000u));
const BEYOND: Double = Double(false, -60, vec2<u32>(0u, 0x100000u));
const CLEAR: Double = Double(false, -68, vec2<u32>(0u, 0x100000u));
const SLIT: Double = Double(false, -59, vec2<u32>(0u, 0x100000u));
const NARROW: Double = Double(false, -56, vec2<u32>(0u, 0x100000u));

struct Exit {
    at: Vector,
    // The unit direction in which free space goes on, if there is any, unless it is narrow.
    onward: Vector,
    is_narrow: bool,
}

// Returns a place where two elements cross or touch, given their normals.
fn crossing_exit(at: Vector, p: Vector, q: Vector) -> Exit {
    let sum = vector_add(p, q);
    if double_is_nearer(sum.x, NARROW) && double_is_nearer(sum.y, NARROW) {
        return Exit(at, p, true);
    }
    return Exit(at, vector_scaled(sum, double_div(DOUBLE_ONE, vector_length(sum))), false);
}
