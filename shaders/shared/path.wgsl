// The path of a moving sprite, in whole pixels; twin of src/ground/path.rs, which explains it.

struct Path {
    // In x and in y: the steps left, twice the steps of the whole path, and the direction of a step.
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

// A path that has come to an offset on it. Its error fits an i32. The two products may not, but their difference, which
// wraps as they do, is right.
fn path_at(motion: vec2<i32>, at: vec2<i32>) -> Path {
    var path = new_path(motion);
    let steps = abs(at);
    path.error = (1 + 2 * steps.x) * path.left.y - (1 + 2 * steps.y) * path.left.x;
    path.left -= steps;
    path.at = at;
    path.taken = u32(steps.x + steps.y);
    return path;
}

// The steps in y that a path to `end`, which has no negative component, takes before its x-th in x. Of two at once,
// that in x comes first.
fn steps_down_before(x: i32, end: vec2<i32>) -> i32 {
    var low = 0;
    var high = end.y;
    while low < high {
        let middle = (low + high) / 2;
        if wide_less(wide_mul_i32(1 + 2 * middle, end.x), wide_mul_i32(2 * x - 1, end.y)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

// The steps in x that it takes before its y-th in y.
fn steps_across_before(y: i32, end: vec2<i32>) -> i32 {
    var low = 0;
    var high = end.x;
    while low < high {
        let middle = (low + high) / 2;
        if wide_less(wide_mul_i32(2 * y - 1, end.x), wide_mul_i32(1 + 2 * middle, end.y)) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

// The first offset of a path that is at least `least` pixels off, in x and in y, where `least` is no more than it ever
// comes to.
fn least_offset(path: Path, least: vec2<i32>) -> vec2<i32> {
    let start = max(least, vec2<i32>(0, 0));
    let down = steps_down_before(start.x, path.left);
    if start.x > 0 && down >= start.y {
        return path.sign * vec2<i32>(start.x, down);
    }
    if start.y > 0 {
        return path.sign * vec2<i32>(steps_across_before(start.y, path.left), start.y);
    }
    return vec2<i32>(0, 0);
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
