// Judges the candidates that the sieve has listed as others. An invocation takes one after the other, while it has fuel.

@group(0) @binding(7) var<storage, read> candidates: array<vec2<u32>>;
// No two invocations write the same word, none reads one that another writes, and the list behind the verdicts is only
// read here: so plain words do.
@group(0) @binding(9) var<storage, read_write> verdicts: array<u32>;
@group(0) @binding(13) var<storage, read_write> header: Header;

@compute @workgroup_size(GROUP)
fn judge(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    fuel = params.fuel;
    let count = atomicLoad(&header.others);
    for (var n = invocation(group, groups, local); n < count; n += invocations(groups)) {
        let c = verdicts[2u * params.candidate_room - 1u - n];
        if verdicts[c] != UNFINISHED {
            continue;
        }
        var now = progress_of(c);
        let candidate = candidates[c];
        var detail = RawDetail();
        let answer = pair(view(candidate.x), view(candidate.y), false, &detail, &now);
        verdicts[c] = answer;
        if answer == HIT {
            raise(candidate.x);
            raise(candidate.y);
        } else if answer == UNFINISHED {
            save_progress(c, now);
            atomicAdd(&header.unjudged, 1u);
        }
    }
    if loops_were_cut(params.sentinel) || endless {
        atomicStore(&header.cut, 1u);
    }
}
