// Bodies at rest at their ends.

// needs: ticks, types, view

// Returns a body at rest at its end. A sprite's painted words are reused if it paints the same pixels there.
fn view_at_end(start: View) -> View {
    if !is(start.body, SPRITE) {
        return swept_view(start, Sweep(start.body.motion, vec2<i32>(0, 0)));
    }
    var body = at_end(start.body);
    if !end_shift(start.body).same {
        body.landed = NOT_LANDED;
    }
    return View(start.index, body, start.shape, sprite_pixels(body), REST, start.nodes);
}
