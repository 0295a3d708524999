// The shortest way out of a hit of a sprite and a convex body or polygon.

// needs: at_end, covered, leave_pixels, pieces, ticks, types, view
// expects: LEFT_TO_HOST, params

// The number of sprites in such a pair.
const SPRITES_OF_PAIR: u32 = 1u;
const TWO_SPRITES: bool = false;

// Finds the way by which `a` leaves `b`, with both as they stand at `tick`, while there is fuel.
fn leave(a: View, b: View, tick: u32, contact: ptr<function, RawContact>) {
    var sprite = a;
    var convex = b;
    if !is(a.body, SPRITE) {
        sprite = b;
        convex = a;
    }
    if params.touch == TOUCH_EXCLUDED && has_segments(convex) {
        (*contact).state = LEFT_TO_HOST;
        return;
    }
    leave_pixels(sprite, convex, select(-1, 1, is(a.body, SPRITE)), tick, contact);
}

// Returns how the two may have stood at a tick: with the sprite where it was before, if it moves in that tick, between
// its two steps, and where it is then; last, as it is painted at its end. To find out how they stood, the convex body
// has moved there since the sprite came; once that is known, it rests.
fn stand(sprite: View, convex: View, tick: u32, which: u32) -> Stand {
    let body = sprite.body;
    let now = walk_at(body.position, body.motion, tick);
    let before = walk_at(body.position, body.motion, max(tick, 1u) - 1u);
    let arrives = now.tick == tick && tick > 0u;
    let turns = all(now.at != before.at);
    let last = select(0u, select(1u, 2u, turns), arrives);
    let k = which & ~SETTLED;
    if k > last {
        return Stand(view_at_end(sprite), view_at_end(convex), vec2<i32>(0, 0), true);
    }
    var at = now.at;
    var since = now.tick;
    if k == 0u && last > 0u {
        at = before.at;
        since = before.tick;
    } else if k == 1u && last > 1u {
        at.y = before.at.y;
    }
    if (which & SETTLED) != 0u {
        since = tick;
    }
    let there = come(convex.body.motion, tick);
    let start = come(convex.body.motion, since);
    let may_end = tick == TICKS && ends_otherwise(body);
    return Stand(sprite, swept_view(convex, Sweep(start, there - start)), at, k == last && !may_end);
}
