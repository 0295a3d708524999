// A place on the boundary of a union where a way out may end; twin of src/host/contact/exit.rs, which explains it.

// needs: double, vector

// See the twin's.
const TOLERANCE: Double = Double(false, -64, vec2<u32>(0u, 0x100000u));
const BEYOND: Double = Double(false, -60, vec2<u32>(0u, 0x100000u));
const CLEAR: Double = Double(false, -68, vec2<u32>(0u, 0x100000u));
const SLIT: Double = Double(false, -59, vec2<u32>(0u, 0x100000u));
const NARROW: Double = Double(false, -56, vec2<u32>(0u, 0x100000u));
const ROOM: Double = Double(false, -65, vec2<u32>(0u, 0x100000u));
const FARTHEST: Double = Double(false, -44, vec2<u32>(0u, 0x100000u));
const CLOSE: Double = Double(false, -58, vec2<u32>(0u, 0x100000u));

struct Exit {
    at: Vector,
    // The unit direction in which free space goes on, if there is any.
    onward: Vector,
    // The distance of the point beyond: a power of two.
    far: Double,
    // How far the middle of a narrow space is off that direction, as a multiple of the distance squared.
    aside: Vector,
}

// Returns the place of an edge or arc that is nearest to the origin.
fn nearest_exit(at: Vector, normal: Vector) -> Exit {
    return Exit(at, normal, BEYOND, ORIGIN);
}

// Returns a place where two elements cross or touch, given their normals and curvatures. Narrow free space leads along
// the first or against it.
fn crossing_exit(at: Vector, p: Vector, q: Vector, curvatures: Vector, is_along: bool) -> Exit {
    var exit = nearest_exit(at, p);
    var toward = vector_add(p, q);
    let is_narrow = double_is_nearer(toward.x, NARROW) && double_is_nearer(toward.y, NARROW);
    if is_narrow {
        var between = vector_sub(p, q);
        var angle = vector_cross(p, q);
        if !is_along {
            between = vector_neg(between);
            angle = double_neg(angle);
        }
        toward = Vector(double_neg(between.y), between.x);
        exit.far = room_at(angle, double_add(curvatures.x, curvatures.y));
        exit.aside = vector_scaled(p, double_scaled(double_sub(curvatures.y, curvatures.x), -2));
    }
    exit.onward = vector_scaled(toward, double_div(DOUBLE_ONE, vector_length(toward)));
    return exit;
}

// Returns the distance at which two boundaries at an angle, with a sum of curvatures, are both ROOM away from the
// middle between them; at most FARTHEST.
fn room_at(angle: Double, curvature: Double) -> Double {
    var far = BEYOND;
    var room = DOUBLE_ZERO;
    while double_less(room, ROOM) && double_less(far, FARTHEST) {
        let power = power_of(far);
        room = double_add(double_scaled(angle, power - 1), double_scaled(curvature, 2 * power - 2));
        if double_less(room, ROOM) {
            far = double_scaled(far, 1);
        }
    }
    return far;
}

// Returns the exponent of a power of two.
fn power_of(v: Double) -> i32 {
    return v.exponent + 52;
}

// Returns whether the space beyond a place is narrow.
fn exit_is_narrow(exit: Exit) -> bool {
    return double_less(BEYOND, exit.far);
}

// Returns the point beyond a place, in the middle of free space.
fn beyond_exit(exit: Exit) -> Vector {
    let power = power_of(exit.far);
    let onward = Vector(double_scaled(exit.onward.x, power), double_scaled(exit.onward.y, power));
    let aside = Vector(double_scaled(exit.aside.x, 2 * power), double_scaled(exit.aside.y, 2 * power));
    return vector_add(vector_add(exit.at, onward), aside);
}
