// A verdict for each candidate, 1 where it hits, and a flag for each body that does. One invocation a candidate.

@group(0) @binding(7) var<storage, read> candidates: array<vec2<u32>>;
@group(0) @binding(10) var<storage, read_write> verdicts: array<u32>;
@group(0) @binding(11) var<storage, read_write> flags: array<atomic<u32>>;

fn raise(body: u32) {
    let word = 1u + body / 32u;
    let bit = 1u << (body & 31u);
    if (atomicLoad(&flags[word]) & bit) == 0u {
        atomicOr(&flags[word], bit);
    }
}

@compute @workgroup_size(64)
fn judge(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let c = invocation(group, groups, local, 64u);
    if params.first + c >= params.count {
        return;
    }
    var now = progress[c];
    if now.phase == DONE {
        return;
    }
    fuel = params.fuel;
    let candidate = candidates[params.first + c];
    let answer = search(meeting(candidate.x, candidate.y), &now);
    if answer == UNFINISHED {
        atomicAdd(&flags[0], 1u);
    } else {
        now.phase = DONE;
        verdicts[params.first + c] = answer;
        if answer == HIT {
            raise(candidate.x);
            raise(candidate.y);
        }
    }
    progress[c] = now;
    if loops_were_cut(params.sentinel) {
        atomicOr(&flags[0], CUT);
    }
}
