// Writes, as the last dispatch, which parts of the answer are complete. One invocation in all.

// needs: types, whole

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(13) var<storage, read_write> header: Header;

@compute @workgroup_size(1)
fn conclude() {
    conclude_step();
}
