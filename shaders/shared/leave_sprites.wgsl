// The shortest way out of a hit of two sprites.

// needs: at_end, leave_pixels, neighbours, ticks, types, view

// The number of sprites in such a pair.
const SPRITES_OF_PAIR: u32 = 2u;
const TWO_SPRITES: bool = true;

// Finds the way by which `a` leaves `b`, with both as they stand at `tick`, while there is fuel.
fn leave(a: View, b: View, tick: u32, contact: ptr<function, RawContact>) {
    leave_pixels(a, b, 1, tick, contact);
}

// Returns how two sprites may have stood at a tick: at each offset that the first has come to in it, by unit steps,
// those in x first; last, as they are painted at their ends.
fn stand(a: View, b: View, tick: u32, which: u32) -> Stand {
    let before = max(tick, 1u) - 1u;
    let from_ = offset(a.body.position, a.body.motion, before) - offset(b.body.position, b.body.motion, before);
    let to = offset(a.body.position, a.body.motion, tick) - offset(b.body.position, b.body.motion, tick);
    let by = to - from_;
    let steps = max(abs(by.x) + abs(by.y), 1);
    let may_end = tick == TICKS && (ends_otherwise(a.body) || ends_otherwise(b.body));
    // The offset of the tick before was tested in that tick.
    let taken = i32(which & ~SETTLED) + 1;
    if taken > steps {
        return Stand(view_at_end(a), view_at_end(b), vec2<i32>(0, 0), true);
    }
    let across = min(taken, abs(by.x));
    let at = from_ + sign(by) * vec2<i32>(across, min(taken - across, abs(by.y)));
    return Stand(a, b, at, taken == steps && !may_end);
}
