// The bodies in memory, four words at a time. The part of a body that a game sets at each step, its *placement*, lies
// apart from the rest, its *form*, so that all placements are uploaded in one piece. If the host has streams of these
// on the GPU, the step's own data follow the world's: placements, and if more than these is streamed, forms.
//
//     bodies:  forms, 4 each . . | placements, 1 each . . | own placements . . | own forms, 4 each . . |
//              0                 4 room                   5 room               6 room                  10 room
//
// src/gpu/frame/held.rs writes them in this layout.

// needs: types
// expects: bodies, params

// The own placement of a body that hits nothing in this step: no real position has this value.
const NO_PLACE: vec4<u32> = vec4<u32>(0x80000000u, 0u, 0u, 0u);

// Returns the index of a body's placement: the world's with `own` 0, the step's own with 1.
fn placement_of(i: u32, own: u32) -> u32 {
    return (4u + own) * params.body_room + i;
}

// Returns the index of a body's form: the world's with `own` 0, the step's own with 1.
fn form_of(i: u32, own: u32) -> u32 {
    return 6u * own * params.body_room + 4u * i;
}

// Returns a body with a placement.
fn body_of(i: u32, words: vec4<u32>) -> Body {
    let placement = bitcast<vec4<i32>>(words);
    let form = form_of(i, params.posed);
    let linear = bitcast<vec4<i32>>(bodies[form]);
    let extent = bitcast<vec4<i32>>(bodies[form + 1u]);
    let third = bodies[form + 2u];
    let fourth = bodies[form + 3u];
    return Body(
        placement.xy,
        placement.zw,
        Snapped(linear.xy, linear.zw),
        Aabb(extent.xy, extent.zw),
        third.x,
        bitcast<i32>(third.y),
        third.z,
        third.w,
        fourth.x,
        fourth.y,
        fourth.z,
        bitcast<i32>(fourth.w),
    );
}

// Returns the scale of a body in this step.
fn scale_at(i: u32) -> i32 {
    return bitcast<i32>(bodies[form_of(i, params.posed) + 3u].w);
}

// Returns a body as it stands in this step.
fn load_body(i: u32) -> Body {
    let placement = bodies[placement_of(i, params.placed)];
    var body = body_of(i, placement);
    body.flags |= select(0u, OFF, placement.x == NO_PLACE.x);
    return body;
}
