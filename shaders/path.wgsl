// The way of a moving sprite, in whole pixels; twin of src/path.rs.

struct Path {
    // Steps left, twice the steps of the whole path, and the direction of a step, each in x and in y.
    left: vec2<i32>,
    twice: vec2<i32>,
    sign: vec2<i32>,
    error: i32,
    at: vec2<i32>,
    taken: u32,
}

fn new_path(motion: vec2<i32>) -> Path {
    let end = (motion + 128) >> vec2<u32>(8u, 8u);
    let steps = abs(end);
    return Path(steps, 2 * steps, sign(end), steps.y - steps.x, vec2<i32>(0, 0), 0u);
}

// A path that has come to an offset of its own: its error is what the rule says there, of which 32 bits are enough.
fn path_at(motion: vec2<i32>, at: vec2<i32>) -> Path {
    var path = new_path(motion);
    let steps = abs(at);
    path.error = (1 + 2 * steps.x) * path.left.y - (1 + 2 * steps.y) * path.left.x;
    path.left -= steps;
    path.at = at;
    path.taken = u32(steps.x + steps.y);
    return path;
}

// The number of steps of the whole path, at least 1: the denominator of its times.
fn path_steps(path: Path) -> u32 {
    return max(u32(path.twice.x + path.twice.y) / 2u, 1u);
}

// Takes a step; false at the end.
fn path_step(path: ptr<function, Path>) -> bool {
    if all((*path).left == vec2<i32>(0, 0)) {
        return false;
    }
    if ((*path).error <= 0 && (*path).left.x > 0) || (*path).left.y == 0 {
        (*path).left.x -= 1;
        (*path).at.x += (*path).sign.x;
        (*path).error += (*path).twice.y;
    } else {
        (*path).left.y -= 1;
        (*path).at.y += (*path).sign.y;
        (*path).error -= (*path).twice.x;
    }
    (*path).taken += 1u;
    return true;
}
