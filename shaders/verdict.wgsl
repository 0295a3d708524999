// A verdict for each candidate, 1 where it hits, and a flag for each body that does. One invocation a candidate.

@group(0) @binding(8) var<storage, read> candidates: array<vec2<u32>>;
@group(0) @binding(11) var<storage, read_write> verdicts: array<u32>;
@group(0) @binding(12) var<storage, read_write> flags: array<atomic<u32>>;

fn raise(body: u32) {
    let bit = 1u << (body & 31u);
    if (atomicLoad(&flags[body / 32u]) & bit) == 0u {
        atomicOr(&flags[body / 32u], bit);
    }
}

@compute @workgroup_size(64)
fn judge(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let c = params.first + invocation(group, groups, local, 64u);
    if c >= params.count {
        return;
    }
    let candidate = candidates[c];
    let answer = pair(candidate.x, candidate.y, false);
    verdicts[c] = u32(answer.hit);
    if answer.hit {
        raise(candidate.x);
        raise(candidate.y);
    }
}
