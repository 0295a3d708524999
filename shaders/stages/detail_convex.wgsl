// Gathers the details of pairs of two convex bodies. An invocation takes one after the other, while it has fuel.

// needs: detail, pair_convex, types

@compute @workgroup_size(GROUP)
fn detail_convex(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    detail_pairs(invocation(group, groups, local), invocations(groups));
}
