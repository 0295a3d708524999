// Puts bodies that have changed where they belong, among those that the last step has left. One invocation a body.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> bodies: array<Body>;
@group(0) @binding(21) var<storage, read> changed: array<Changed>;

@compute @workgroup_size(GROUP)
fn update(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let i = invocation(group, groups, local);
    if i < params.changed {
        bodies[changed[i].index] = changed[i].body;
    }
}
