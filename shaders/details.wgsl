// What each pair carries. One invocation a pair.

@group(0) @binding(13) var<storage, read> pairs: array<vec2<u32>>;
@group(0) @binding(14) var<storage, read_write> details: array<Detail>;

@compute @workgroup_size(64)
fn detail_pairs(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let c = invocation(group, groups, local, 64u);
    if params.first + c >= params.count {
        return;
    }
    let hit = pairs[params.first + c];
    details[c] = pair(hit.x, hit.y, true).detail;
}
