// Judges candidates of a sprite and a convex body. An invocation takes one after the other, while it has fuel.

// needs: judge, lists, pair_mixed, types

@compute @workgroup_size(GROUP)
fn judge_mixed(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    judge_list(MIXED, invocation(group, groups, local), invocations(groups));
}
