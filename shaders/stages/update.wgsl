// Writes changed parts of bodies to their places, over the data of the last step: four words an invocation. After all
// of these, `changed` holds the place of each in `bodies`.

// needs: types

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> bodies: array<vec4<u32>>;
@group(0) @binding(21) var<storage, read> changed: array<vec4<u32>>;

@compute @workgroup_size(GROUP)
fn update(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let i = invocation(group, groups, local);
    if i < params.changed {
        let at = changed[params.changed + i / 4u];
        bodies[at[i % 4u]] = changed[i];
    }
}
