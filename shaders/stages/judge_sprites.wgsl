// Judges candidates of two sprites that words alone do not decide. An invocation takes one after the other, while it
// has fuel.

// needs: judge, lists, pair_sprites, types

@compute @workgroup_size(GROUP)
fn judge_sprites(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    judge_list(SPRITES, invocation(group, groups, local), invocations(groups));
}
