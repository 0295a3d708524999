// The order of translations, the shortest first.

// needs: types, wide

fn dot_of(p: vec2<i32>, q: vec2<i32>) -> Wide {
    return wide_add(wide_mul_i32(p.x, q.x), wide_mul_i32(p.y, q.y));
}

// Returns whether a translation is shorter than another, or as short and preferred: the more vertical, then the
// upward, then the leftward one, as the body that moves sees it; `sense` is -1 if the other body moves, else 1.
fn is_shorter(by: vec2<i32>, than: vec2<i32>, sense: i32) -> bool {
    let a = dot_of(by, by);
    let b = dot_of(than, than);
    if wide_less(a, b) || wide_less(b, a) {
        return wide_less(a, b);
    }
    if abs(by.x) != abs(than.x) {
        return abs(by.x) < abs(than.x);
    }
    return sense * by.y < sense * than.y || (by.y == than.y && sense * by.x < sense * than.x);
}

// Returns the shortest translation along an axis from the origin to a side of a box that holds it.
fn nearest_side(bounds: Aabb, sense: i32) -> vec2<i32> {
    var best = vec2<i32>(0, bounds.min.y);
    for (var k = 0u; k < 3u; k++) {
        let across = select(vec2<i32>(bounds.max.x, 0), vec2<i32>(bounds.min.x, 0), k == 1u);
        let way = select(across, vec2<i32>(0, bounds.max.y), k == 0u);
        if is_shorter(way, best, sense) {
            best = way;
        }
    }
    return best;
}
