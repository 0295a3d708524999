// Gives bodies the placements that lie on the GPU. One that is not within the limits of a world is counted, and the
// body stays where the world has it. One invocation a body.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> bodies: array<vec4<u32>>;
@group(0) @binding(13) var<storage, read_write> header: Header;
@group(0) @binding(22) var<storage, read> given: array<vec4<u32>>;

// The world's edge, and the most that a component of a motion is, in lattice steps.
const WORLD: i32 = 0x1FFFFFFF;
const MOTION: i32 = 0x1000000;

fn is_within(v: vec2<i32>, limit: i32) -> bool {
    return all(v >= vec2<i32>(-limit)) && all(v <= vec2<i32>(limit));
}

// Where a body's position comes within the step, whether the body lies around it or beside it.
fn way_of(body: Body) -> Aabb {
    let here = Aabb(body.position, body.position);
    return join(join(here, moved_box(here, gone(body))), moved_box(here, body.motion));
}

// Whether a body may be where it is, with the motion that it has. What is empty hits nothing, wherever it is.
fn may_be(body: Body) -> bool {
    // These first: what follows of others may be no i32.
    if !is_within(body.position, WORLD) || !is_within(body.motion, MOTION) {
        return false;
    }
    let own = join(bound_of(body), way_of(body));
    return is_within(own.min, WORLD) && is_within(own.max, WORLD);
}

@compute @workgroup_size(GROUP)
fn place(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let i = invocation(group, groups, local);
    if i >= params.bodies {
        return;
    }
    let own = bodies[placement_of(i, 0u)];
    let body = body_of(i, given[i]);
    let good = is(body, EMPTY) || may_be(body);
    if !good {
        atomicAdd(&header.skipped, 1u);
    }
    bodies[placement_of(i, 1u)] = select(own, given[i], good);
}
