// Two sprites, of which one moves at least: at each offset that they come by; twin of src/cpu/narrow/sprites.rs.

// How far two sprites may stray from the straight way to each other, in lattice steps: a pixel less a step each, and
// one where motions round.
const SPRITES_STRAY: i32 = 2 * 255 + 1;

// The ticks at which the pixels of two sprites may come to each other, as `ticks_near` gives them.
fn sprites_ticks(a: View, b: View) -> vec2<u32> {
    let motion = a.body.motion - b.body.motion;
    let margin = select(0, 1, params.touch == TOUCH_INCLUDED);
    let least = 256 * (b.pixels.min - margin - a.pixels.max + 1) - SPRITES_STRAY;
    let most = 256 * (b.pixels.max + margin - a.pixels.min - 1) + SPRITES_STRAY;
    return ticks_near(motion, least, most);
}

// The tick before the first at which a motion has come at least `least` steps and at most `most`, in x and in y, and
// the first behind all of these; both 0 where it never has.
fn ticks_near(motion: vec2<i32>, least: vec2<i32>, most: vec2<i32>) -> vec2<u32> {
    let x = ticks_within(motion.x, least.x, most.x);
    let y = ticks_within(motion.y, least.y, most.y);
    let first = max(x.x, y.x);
    let end = min(x.y, y.y);
    return select(vec2<u32>(0u, 0u), vec2<u32>(max(first, 1u) - 1u, end), first < end);
}
