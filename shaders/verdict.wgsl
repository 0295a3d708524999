// A verdict for each candidate, and a flag for each body that hits. One invocation a candidate.

@group(0) @binding(7) var<storage, read> candidates: array<vec2<u32>>;
@group(0) @binding(10) var<storage, read_write> verdicts: array<u32>;
@group(0) @binding(15) var<storage, read_write> header: Header;

fn raise(body: u32) {
    let bit = 1u << (body & 31u);
    if (atomicLoad(&header.flags[body / 32u]) & bit) == 0u {
        atomicOr(&header.flags[body / 32u], bit);
    }
}

@compute @workgroup_size(64)
fn judge(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let c = params.first + invocation(group, groups, local, 64u);
    if c >= header.listed || (params.resume == 1u && verdicts[c] != UNFINISHED) {
        return;
    }
    var now = progress_of(c);
    fuel = params.fuel;
    let candidate = candidates[c];
    let answer = search(meeting(candidate.x, candidate.y), &now);
    verdicts[c] = answer;
    if answer == HIT {
        raise(candidate.x);
        raise(candidate.y);
    } else if answer == UNFINISHED {
        put_down(c, now);
        atomicAdd(&header.unjudged, 1u);
    }
    if loops_were_cut(params.sentinel) {
        atomicStore(&header.cut, 1u);
    }
}
