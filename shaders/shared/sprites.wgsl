// Two sprites, at least one of which moves: at each offset of their walk; twin of src/cpu/narrow/sprites.rs.

// needs: ticks, types, view
// expects: params

// Returns the ticks at which the pixels of two sprites may meet, as `ticks_near` returns them.
fn sprites_ticks(a: View, b: View) -> vec2<u32> {
    let motion = a.body.motion - b.body.motion;
    let margin = select(0, 1, params.touch == TOUCH_INCLUDED);
    let least = 256 * (b.pixels.min - margin - a.pixels.max + 1) - SPRITES_STRAY;
    let most = 256 * (b.pixels.max + margin - a.pixels.min - 1) + SPRITES_STRAY;
    return ticks_near(motion, least, most);
}
