// The first tick by which two cores hit; twin of `hit` in src/cpu/narrow/convex.rs.

// needs: predicate, seams, ticks

// Returns the first tick by which `a`, moving along `sweep`, and `b` hit, by bisection; NEVER if they do not hit. With
// `any_tick`, returns the last tick if they hit at all. If one is a segment without a radius, `seams` are those of the
// other's body.
fn first_contact(
    a: Core,
    b: Core,
    sweep: vec2<i32>,
    radius: i32,
    touch: u32,
    any_tick: bool,
    seams: Seams,
) -> u32 {
    var low = 0u;
    var high = TICKS;
    // Test the last tick, then the first, then those between.
    var tick = TICKS;
    loop {
        let by = come(sweep, tick);
        // The only call of the predicate: drivers inline it at each call.
        if meets(a, b, by, radius, touch) || (seams.count > 0u && is_along_seam(a, b, by, seams)) {
            high = tick;
        } else if tick == TICKS {
            return NEVER;
        } else {
            low = tick;
        }
        if tick == TICKS && !any_tick {
            tick = 0u;
        } else if high - low <= 1u || any_tick {
            break;
        } else {
            tick = (low + high) / 2u;
        }
    }
    return high;
}
