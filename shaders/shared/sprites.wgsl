// Two sprites, of which one moves at least: at each offset that they come by; twin of src/cpu/narrow/sprites.rs.

// The ticks at which the pixels of two sprites may come to each other, as `ticks_near` gives them.
fn sprites_ticks(a: View, b: View) -> vec2<u32> {
    let motion = a.body.motion - b.body.motion;
    let margin = select(0, 1, params.touch == TOUCH_INCLUDED);
    let least = 256 * (b.pixels.min - margin - a.pixels.max + 1) - SPRITES_STRAY;
    let most = 256 * (b.pixels.max + margin - a.pixels.min - 1) + SPRITES_STRAY;
    return ticks_near(motion, least, most);
}
