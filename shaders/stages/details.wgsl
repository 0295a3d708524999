// Gathers what each pair carries. An invocation takes one pair after the other, while it has fuel.

@group(0) @binding(13) var<storage, read_write> header: Header;
@group(0) @binding(10) var<storage, read> pairs: array<vec2<u32>>;
// No two invocations write the same one, and none reads one that another writes: so plain words do.
@group(0) @binding(11) var<storage, read_write> details: array<RawDetail>;

@compute @workgroup_size(GROUP)
fn detail_pairs(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    // Where the pairs are not whole, or more than there is room for, the host sees to them.
    if params.if_whole == 1u && !(pairs_are_whole() && header.pairs <= params.detail_room) {
        return;
    }
    let count = min(params.detail_room, header.pairs - params.first_pair);
    fuel = params.fuel;
    for (var c = invocation(group, groups, local); c < count; c += invocations(groups)) {
        var detail = RawDetail();
        if params.resume == 1u {
            detail = details[c];
            if detail.unfinished == 0u {
                continue;
            }
        }
        var now = progress_of(c);
        let hit = pairs[params.first_pair + c];
        let answer = pair(view(hit.x), view(hit.y), true, &detail, &now);
        detail.unfinished = u32(answer == UNFINISHED);
        details[c] = detail;
        if answer == UNFINISHED {
            save_progress(c, now);
            atomicAdd(&header.undetailed, 1u);
        }
    }
    if loops_were_cut(params.sentinel) || endless {
        atomicStore(&header.cut, 1u);
    }
}
