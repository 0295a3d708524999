// A sprite and another body; `TWO_SPRITES` says whether that is a sprite too. `ticks_of` returns when they may meet,
// `hit_pixels` which pixels hit the other, and `passed_over` which nodes of its pieces can be skipped.

// needs: at_end, comparison, course, fuel, mixed, progress, seen, ticks, types, view
// expects: TWO_SPRITES, passed_over, rounds_of, ticks_of

// Returns whether a sprite hits another body; continues from `now`, and saves there how far it came. With `carries`,
// also fills in `detail`.
//
//     at each offset of the walk, tick by tick: test both                      WALK
//     at rest at their ends, if they paint other pixels there: test both       END
//     between the first tick and the last of that offset: bisection            TIME
//     at the offset and tick of the hit: gather the overlap                    GATHER, GATHER_AT_END
fn sprite_pair(
    sprite: View,
    other: View,
    carries: bool,
    detail: ptr<function, RawDetail>,
    now: ptr<function, Progress>,
) -> u32 {
    let ticks = ticks_of(sprite, other);
    let motion = select(vec2<i32>(0, 0), other.body.motion, TWO_SPRITES);
    if (*now).phase == BEGIN {
        *now = Progress(WALK, ticks.x, 0u, select(0u, COMPARED, ticks.x == ticks.y), 0u, 0u, 0u);
    }
    var course = Course(
        walk_at(sprite.body.position, sprite.body.motion, (*now).tick),
        walk_at(other.body.position, motion, (*now).tick),
        last_change(sprite.body, other.body.position, motion, (*now).tick),
        select(0u, min(ticks.y, TICKS), ticks.x < ticks.y && !(TWO_SPRITES && is_rigid(sprite.body, other.body))),
    );
    var seen = Seen();
    loop {
        // A comparison that was begun is finished.
        let begun = (*now).cursor > 0u && (*now).cursor != COMPARED;
        var tells = (*now).phase != WALK || !TWO_SPRITES || begun || see(&seen, offset_of(course, *now));
        if (*now).phase == TIME && (*now).asked == BY_LAST && !begun {
            // `take_answer` moves on to the next node.
            let passed = passed_over(sprite, other, stay_of(course, *now), (*now).piece);
            tells = passed == 0u;
            (*now).piece += max(passed, 1u) - 1u;
        }
        let gathers = carries && (*now).phase >= GATHER;
        var answer = MISS;
        if tells && (*now).cursor != COMPARED {
            answer = compare(comparison_of(sprite, other, course, (*detail).time.x, *now), gathers, detail, now);
        }
        if answer == UNFINISHED || gathers {
            return answer;
        }
        (*now).cursor = 0u;
        if (*now).phase == TIME {
            var first = (*detail).time.x;
            take_answer(stay_of(course, *now), answer, &first, now);
            (*detail).time.x = first;
            (*now).phase = select(TIME, GATHER, (*now).piece >= other.nodes.end);
        } else if answer == HIT {
            if !carries {
                return HIT;
            }
            tell_hit(sprite.body, other.body, stay_of(course, *now), detail, now);
        } else if (*now).phase == END {
            break;
        } else if !go_on(&course, now) {
            let otherwise = ends_otherwise(sprite.body) || ends_otherwise(other.body);
            if !otherwise || !may_meet_at_end(sprite.body, other.body) {
                break;
            }
            *now = Progress(END, TICKS, 0u, 0u, 0u, 0u, 0u);
        }
        fuel -= STEP_FUEL;
        if fuel <= 0 {
            return UNFINISHED;
        }
    }
    return MISS;
}

// Records the tick at which a pair hits, and the next phase.
fn tell_hit(sprite: Body, other: Body, stay: Stay, detail: ptr<function, RawDetail>, now: ptr<function, Progress>) {
    let moving = moves(sprite) || moves(other);
    let at_end = (*now).phase == END;
    if !TWO_SPRITES && !at_end {
        (*now).tick = stay.begin;
    }
    (*detail).sprite = 1u;
    (*detail).time = select(vec2<u32>(0u, 0u), vec2<u32>((*now).tick, TICKS), moving);
    if at_end {
        (*now).phase = GATHER_AT_END;
    } else if TWO_SPRITES || stay.begin == stay.end || !moving {
        (*now).phase = GATHER;
    } else {
        (*now).phase = TIME;
        (*detail).time.x = NEVER;
    }
}

// Returns the next comparison. For a sprite and a convex body that are known to hit, the tick is `found`.
fn comparison_of(sprite: View, other: View, course: Course, found: u32, now: Progress) -> Comparison {
    let none = vec2<i32>(0, 0);
    if now.phase == END || now.phase == GATHER_AT_END {
        return Comparison(view_at_end(sprite), view_at_end(other), none, none, none);
    }
    if TWO_SPRITES {
        return Comparison(sprite, other, offset_of(course, now), course.other.at, none);
    }
    let stay = stay_of(course, now);
    var convex = other;
    var end = stay.end;
    if now.phase == TIME {
        convex = only_piece(other, now.piece);
        end = asked_tick(stay, now);
    } else if now.phase == GATHER {
        end = found;
    }
    var came = none;
    if rounds_of(other) > 1u {
        came = arrival(sprite.body, stay);
    }
    return Comparison(sprite, swept_view(convex, way(other.body, stay.begin, end)), stay.at, none, came);
}

// Returns whether the bounds of two bodies meet at their ends.
fn may_meet_at_end(a: Body, b: Body) -> bool {
    let there = reach(at_end(a));
    // Adjacent pixels touch.
    let margin = select(0, 256, params.touch == TOUCH_INCLUDED);
    return bounds_meet(Aabb(there.min - margin, there.max + margin), reach(at_end(b)), params.touch);
}
