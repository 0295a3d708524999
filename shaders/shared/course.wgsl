// How a sprite and another body go on to each other, tick by tick.

// Where both stand at a tick. A convex body does not walk: it goes on while the sprite stays.
struct Course {
    sprite: Walk,
    other: Walk,
    // The pixels by which the sprite went on at the tick, as seen from the other.
    by: vec2<i32>,
    // The last tick that may matter.
    end: u32,
}

// A sprite at one offset, while it stays there.
struct Stay {
    // How many pixels the sprite stands from its start, as seen from the other.
    at: vec2<i32>,
    // The tick at which it came there.
    begin: u32,
    // The tick at which it goes on, or the last.
    end: u32,
}

// The pixels by which a sprite goes on at a tick, as seen from another at `position` with `motion`.
fn last_change(sprite: Body, position: vec2<i32>, motion: vec2<i32>, tick: u32) -> vec2<i32> {
    let before = max(tick, 1u) - 1u;
    let of_sprite = offset(sprite.position, sprite.motion, tick) - offset(sprite.position, sprite.motion, before);
    return of_sprite - offset(position, motion, tick) + offset(position, motion, before);
}

// How many pixels the sprite stands from its start, as seen from the other. The unit steps of a tick, those in x first,
// are taken one by one: the last `now.left` of them not yet.
fn offset_of(course: Course, now: Progress) -> vec2<i32> {
    let down = min(i32(now.left), abs(course.by.y));
    let to_go = sign(course.by) * vec2<i32>(i32(now.left) - down, down);
    return course.sprite.at - course.other.at - to_go;
}

// The stay of a sprite beside a convex body; with a unit step of the tick left, that between its steps.
fn stay_of(course: Course, now: Progress) -> Stay {
    if now.left == 0u {
        return Stay(course.sprite.at, course.sprite.tick, min(next_edge(course.sprite), TICKS));
    }
    return Stay(offset_of(course, now), course.sprite.tick, course.sprite.tick);
}

// Goes on to the next unit step; whether there is one.
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
    // Where both went on alike, there is nothing new to look at.
    (*now).cursor = select(0u, LOOKED, steps == 0u);
    return true;
}
