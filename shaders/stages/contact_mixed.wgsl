// Finds the ways out of pairs of a sprite and a convex body. An invocation takes one after the other, while it has
// fuel.

// needs: contact, leave_mixed, types

@compute @workgroup_size(GROUP)
fn contact_mixed(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    find_contacts(invocation(group, groups, local), invocations(groups));
}
