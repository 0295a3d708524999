// Vectors of binary64 numbers; twin of the functions at the head of src/host/contact/convex.rs.

// needs: double

// A vector of lattice steps, or a direction.
struct Vector {
    x: Double,
    y: Double,
}

const ORIGIN: Vector = Vector(DOUBLE_ZERO, DOUBLE_ZERO);

fn vector_of(p: vec2<i32>) -> Vector {
    return Vector(double_of_int(p.x), double_of_int(p.y));
}

fn vector_add(p: Vector, q: Vector) -> Vector {
    return Vector(double_add(p.x, q.x), double_add(p.y, q.y));
}

fn vector_sub(p: Vector, q: Vector) -> Vector {
    return Vector(double_sub(p.x, q.x), double_sub(p.y, q.y));
}

fn vector_neg(p: Vector) -> Vector {
    return Vector(double_neg(p.x), double_neg(p.y));
}

fn vector_scaled(p: Vector, by: Double) -> Vector {
    return Vector(double_mul(p.x, by), double_mul(p.y, by));
}

fn vector_dot(p: Vector, q: Vector) -> Double {
    return double_add(double_mul(p.x, q.x), double_mul(p.y, q.y));
}

fn vector_cross(p: Vector, q: Vector) -> Double {
    return double_sub(double_mul(p.x, q.y), double_mul(p.y, q.x));
}

fn vector_length(p: Vector) -> Double {
    return double_sqrt(vector_dot(p, p));
}

// Returns p / by.
fn vector_over(p: Vector, by: Double) -> Vector {
    return Vector(double_div(p.x, by), double_div(p.y, by));
}

// Returns the unit normal to the right of an edge: outward, if the inside is on the left.
fn outward(edge: Vector) -> Vector {
    return vector_over(Vector(edge.y, double_neg(edge.x)), vector_length(edge));
}
