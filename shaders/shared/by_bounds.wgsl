// Decides pairs by their bounds: boxes and circles at rest; twin of `decide` in src/cpu/narrow/test.rs.

// needs: types, wide

// Returns whether bounds alone decide if two bodies hit.
fn bounds_decide(a: Filter, b: Filter) -> bool {
    return max(a.kind, b.kind) <= DISC;
}

// Returns whether two bodies hit, each a BOX or a DISC. Their bounds are known to meet.
fn hit_by_bounds(kind_a: u32, a: Aabb, kind_b: u32, b: Aabb, touch: u32) -> bool {
    if kind_a == BOX && kind_b == BOX {
        return true;
    }
    let size_a = a.max - a.min;
    let size_b = b.max - b.min;
    // Twice the distance between their cores along each axis. A circle's core is its centre, a box's core the whole
    // box.
    let centres = abs((a.min + a.max) - (b.min + b.max));
    let boxes = select(vec2<i32>(0, 0), size_a, kind_a == BOX) + select(vec2<i32>(0, 0), size_b, kind_b == BOX);
    let beyond = max(centres - boxes, vec2<i32>(0, 0));
    // Twice the sum of their radii; a box has none.
    let radius = select(0, size_a.x, kind_a == DISC) + select(0, size_b.x, kind_b == DISC);
    let distance = wide_add(wide_mul_i32(beyond.x, beyond.x), wide_mul_i32(beyond.y, beyond.y));
    let room = wide_mul_i32(radius, radius);
    return wide_less(distance, wide_add(room, wide(i32(touch == TOUCH_INCLUDED))));
}
