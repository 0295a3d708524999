// The candidates that hit, close together and in their order: `verdicts` have been scanned, so that one that hits is one before which
// the sum is less than behind it. One invocation a candidate.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(7) var<storage, read> candidates: array<vec2<u32>>;
@group(0) @binding(9) var<storage, read> sums: array<u32>;
@group(0) @binding(10) var<storage, read> verdicts: array<u32>;
@group(0) @binding(12) var<storage, read_write> pairs: array<vec2<u32>>;

@compute @workgroup_size(64)
fn order(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let c = params.first + invocation(group, groups, local, 64u);
    if c >= params.count {
        return;
    }
    var behind = 0u;
    if c + 1u < params.count {
        behind = verdicts[c + 1u];
    } else {
        // The total stands behind the sums of all blocks, of 1024 verdicts each.
        behind = sums[(params.count + 1023u) / 1024u];
    }
    if verdicts[c] < behind {
        pairs[verdicts[c]] = candidates[c];
    }
}
