// Gathers the details of pairs of a sprite and a convex body. An invocation takes one after the other, while it has
// fuel.

// needs: detail, pair_mixed, types

@compute @workgroup_size(GROUP)
fn detail_mixed(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    detail_pairs(invocation(group, groups, local), invocations(groups));
}
