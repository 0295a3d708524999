// Puts the candidates that hit in order: these are the pairs. A pair belongs to the row of its lower body. The hits of
// each row are counted; a scan of the counts (scan.wgsl) finds where each row begins; pairs are scattered to their rows
// in any order, and each row is sorted. So no order depends on an atomic. The CPU orders pairs differently
// (src/cpu/order.rs).

// needs: hit, listed, rows, types

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(8) var<storage, read> sums: array<u32>;
@group(0) @binding(13) var<storage, read_write> header: Header;

// The rows of a scan's block.
const SCAN_BLOCK: u32 = 1024u;

// Returns the part of a row's start that the scan has not added yet: the sum of the earlier blocks.
fn row_start(row: u32) -> u32 {
    return sums[row / SCAN_BLOCK];
}

// Counts the hits of each row. An invocation takes one candidate after the other.
@compute @workgroup_size(GROUP)
fn count_hits(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let count = listed();
    for (var c = invocation(group, groups, local); c < count; c += invocations(groups)) {
        let pair = candidates[c];
        if is_hit(pair, c) {
            atomicAdd(&rows[pair.x], 1u);
        }
    }
}

// Scatters pairs to their rows. Each pair advances the row's start, which ends up where the next row begins. An
// invocation takes one candidate after the other.
@compute @workgroup_size(GROUP)
fn scatter_hits(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let count = listed();
    for (var c = invocation(group, groups, local); c < count; c += invocations(groups)) {
        let pair = candidates[c];
        if is_hit(pair, c) {
            pairs[row_start(pair.x) + atomicAdd(&rows[pair.x], 1u)] = bodies_of(pair);
        }
    }
}

// Sorts the rows. One invocation a row.
@compute @workgroup_size(LARGE_GROUP)
fn sort_rows(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    sort_rows_from(group_index(group, groups) * LARGE_GROUP, local);
    if loops_were_cut(params.sentinel) {
        atomicStore(&header.cut, 1u);
    }
}
