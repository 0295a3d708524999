// Gives bodies the positions and motions that the host streams on the GPU; the rest is the world's. A body that would
// exceed the limits of a world is counted, and hits nothing in this step. One invocation a body.

// needs: bodies, stream, types

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> bodies: array<vec4<u32>>;
@group(0) @binding(13) var<storage, read_write> header: Header;
@group(0) @binding(22) var<storage, read> positions: array<u32>;
@group(0) @binding(23) var<storage, read> motions: array<u32>;

// The world's edge, and the largest component of a motion, in lattice steps.
const MAX_COORDINATE: i32 = 0x1FFFFFFF;
const MAX_MOTION: i32 = 0x1000000;
// Fractional bits of the lattice.
const LATTICE_BITS: i32 = 8;

fn is_within(v: vec2<i32>, limit: i32) -> bool {
    return all(v >= vec2<i32>(-limit)) && all(v <= vec2<i32>(limit));
}

// Returns the box that a body's position covers within the step, which the body's own bounds need not contain.
fn way_of(body: Body) -> Aabb {
    let here = Aabb(body.position, body.position);
    return join(join(here, moved_box(here, gone(body))), moved_box(here, body.motion));
}

// Returns whether a body may be at its position, with its motion. An empty body hits nothing, wherever it is.
fn may_be(body: Body) -> bool {
    // Check these first: beyond these limits, the sums below may overflow an i32.
    if !is_within(body.position, MAX_COORDINATE) || !is_within(body.motion, MAX_MOTION) {
        return false;
    }
    let own = join(bound_of(body), way_of(body));
    return is_within(own.min, MAX_COORDINATE) && is_within(own.max, MAX_COORDINATE);
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
    var placement = bodies[placement_of(i, 0u)];
    var are_numbers = true;
    if has_stream(params.positions) {
        let word = stream_word(params.positions, i);
        let x = snapped_number(params.positions, positions[word], LATTICE_BITS);
        let y = snapped_number(params.positions, positions[word + 1u], LATTICE_BITS);
        placement = vec4<u32>(bitcast<u32>(x.at), bitcast<u32>(y.at), placement.zw);
        are_numbers = x.yes && y.yes;
    }
    if has_stream(params.motions) {
        let word = stream_word(params.motions, i);
        let x = snapped_number(params.motions, motions[word], LATTICE_BITS);
        let y = snapped_number(params.motions, motions[word + 1u], LATTICE_BITS);
        placement = vec4<u32>(placement.xy, bitcast<u32>(x.at), bitcast<u32>(y.at));
        are_numbers &= x.yes && y.yes;
    }
    let body = body_of(i, placement);
    let is_good = is(body, EMPTY) || (are_numbers && may_be(body));
    if !is_good {
        atomicAdd(&header.skipped, 1u);
    }
    bodies[placement_of(i, 1u)] = select(NO_PLACE, placement, is_good);
}
