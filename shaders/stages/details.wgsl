// Gathers what each pair carries. One invocation a pair.

@group(0) @binding(15) var<storage, read_write> header: Header;
@group(0) @binding(12) var<storage, read> pairs: array<vec2<u32>>;
// No two invocations write the same one, and none reads one that another writes: so plain words do.
@group(0) @binding(13) var<storage, read_write> details: array<RawDetail>;

@compute @workgroup_size(GROUP)
fn detail_pairs(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let c = invocation(group, groups, local);
    if c >= params.detail_room || params.first_pair + c >= header.pairs {
        return;
    }
    if params.resume == 1u && details[c].unfinished == 0u {
        return;
    }
    var now = progress_of(c);
    fuel = params.fuel;
    let hit = pairs[params.first_pair + c];
    var detail = RawDetail();
    if params.resume == 1u {
        detail = details[c];
    }
    let answer = pair(view(hit.x), view(hit.y), true, &detail, &now);
    detail.unfinished = u32(answer == UNFINISHED);
    details[c] = detail;
    if answer == UNFINISHED {
        save_progress(c, now);
        atomicAdd(&header.undetailed, 1u);
    }
    if loops_were_cut(params.sentinel) || endless {
        atomicStore(&header.cut, 1u);
    }
}
