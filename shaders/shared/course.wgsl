// The walk of a sprite relative to another body, tick by tick.

// needs: progress, ticks, types

// The place of both at a tick. A convex body does not walk; it moves while the sprite stays.
struct Course {
    sprite: Walk,
    other: Walk,
    // The pixels by which the sprite moved at the tick, as seen from the other body.
    by: vec2<i32>,
    // The last tick that may matter.
    end: u32,
}

// One offset of a sprite, for the time it stays there.
struct Stay {
    // The pixels from the sprite's start, as seen from the other body.
    at: vec2<i32>,
    // The tick at which it arrived there.
    begin: u32,
    // The tick at which it leaves, or the last.
    end: u32,
}

// Returns the pixels by which a sprite moves at a tick, as seen from another body at `position` with `motion`.
fn last_change(sprite: Body, position: vec2<i32>, motion: vec2<i32>, tick: u32) -> vec2<i32> {
    let before = max(tick, 1u) - 1u;
    let of_sprite = offset(sprite.position, sprite.motion, tick) - offset(sprite.position, sprite.motion, before);
    return of_sprite - offset(position, motion, tick) + offset(position, motion, before);
}

// Returns the pixels from the sprite's start, as seen from the other body. The unit steps of a tick, those in x first,
// are taken one by one; the last `now.left` of them are still to come.
fn offset_of(course: Course, now: Progress) -> vec2<i32> {
    let down = min(i32(now.left), abs(course.by.y));
    let to_go = sign(course.by) * vec2<i32>(i32(now.left) - down, down);
    return course.sprite.at - course.other.at - to_go;
}

// Returns the stay of a sprite beside a convex body; if the tick has a unit step left, the stay between its steps.
fn stay_of(course: Course, now: Progress) -> Stay {
    if now.left == 0u {
        return Stay(course.sprite.at, course.sprite.tick, min(next_edge(course.sprite), TICKS));
    }
    return Stay(offset_of(course, now), course.sprite.tick, course.sprite.tick);
}

// Returns the step of one pixel by which a sprite arrives at the offset of a stay; none at the start of the step.
fn arrival(sprite: Body, stay: Stay) -> vec2<i32> {
    let none = vec2<i32>(0, 0);
    if stay.begin == 0u {
        return none;
    }
    let start = offset(sprite.position, sprite.motion, stay.begin - 1u);
    let by = offset(sprite.position, sprite.motion, stay.begin) - start;
    // Within a tick the step in x comes first.
    return select(vec2<i32>(0, by.y), vec2<i32>(by.x, 0), stay.at.y == start.y);
}

// Moves on to the next unit step. Returns whether there is one.
fn go_on(course: ptr<function, Course>, now: ptr<function, Progress>) -> bool {
    if (*now).left > 0u {
        (*now).left -= 1u;
        return true;
    }
    var sprite = (*course).sprite;
    var other = (*course).other;
    let tick = min(next_edge(sprite), next_edge(other));
    if tick > (*course).end {
        return false;
    }
    let by = cross_edges(&sprite, tick) - cross_edges(&other, tick);
    *course = Course(sprite, other, by, (*course).end);
    let steps = u32(abs(by.x) + abs(by.y));
    (*now).tick = tick;
    (*now).left = max(steps, 1u) - 1u;
    // If both moved alike, there is nothing new to look at.
    (*now).cursor = select(0u, COMPARED, steps == 0u);
    return true;
}
