// The bodies in memory, four words at a time. What a game sets at each step, a body's placement, lies apart from its
// form, so that it comes to the GPU by itself, as one piece. Where the host has placements on the GPU, the step's own
// stand behind the world's:
//
//     bodies:  forms, 4 each . . . . . . . . . . . | placements, 1 each . . | the step's own . . . . |
//              0                                   4 room                   5 room                   6 room
//
// They are written as src/gpu/frame/held.rs has them. Reads `bodies`.

// Where a body's placement is: the world's, or with 1 the step's own.
fn placement_of(i: u32, own: u32) -> u32 {
    return (4u + own) * params.body_room + i;
}

// A body with a placement.
fn body_of(i: u32, words: vec4<u32>) -> Body {
    let placement = bitcast<vec4<i32>>(words);
    let linear = bitcast<vec4<i32>>(bodies[4u * i]);
    let extent = bitcast<vec4<i32>>(bodies[4u * i + 1u]);
    let look = bodies[4u * i + 2u];
    let more = bodies[4u * i + 3u];
    return Body(
        placement.xy,
        placement.zw,
        Snapped(linear.xy, linear.zw),
        Aabb(extent.xy, extent.zw),
        look.x,
        bitcast<i32>(look.y),
        look.z,
        look.w,
        more.x,
        more.y,
        more.z,
        more.w,
    );
}

// A body as it stands in this step.
fn load_body(i: u32) -> Body {
    return body_of(i, bodies[placement_of(i, params.placed)]);
}
