// An exclusive prefix sum in place, in three dispatches: within blocks, over the sums of blocks, and the two together
// (Blelloch, Prefix Sums and Their Applications, 1990). Sums saturate, so that a total too large for a u32 still reads
// as too large.

@group(0) @binding(0) var<uniform> params: Params;
// Whichever buffer is scanned. Where its words are atomic in other modules (`rows`), these run in earlier or later
// dispatches.
@group(0) @binding(8) var<storage, read_write> values: array<u32>;
// The sum of each block, and behind them the total.
@group(0) @binding(9) var<storage, read_write> sums: array<u32>;

// The values of an invocation, and those of a workgroup.
const VALUES_EACH: u32 = 4u;
const SCAN_BLOCK: u32 = 1024u;

var<workgroup> shared_sums: array<u32, LARGE_GROUP>;

fn saturating_add(a: u32, b: u32) -> u32 {
    let sum = a + b;
    return select(sum, 0xFFFFFFFFu, sum < a);
}

// The sum of `value` over the workgroup's earlier invocations. That over all is left in `shared_sums[LARGE_GROUP - 1]`.
fn scan_group(value: u32, local: u32) -> u32 {
    shared_sums[local] = value;
    workgroupBarrier();
    for (var reach = 1u; reach < LARGE_GROUP; reach *= 2u) {
        var earlier = 0u;
        if local >= reach {
            earlier = shared_sums[local - reach];
        }
        workgroupBarrier();
        shared_sums[local] = saturating_add(shared_sums[local], earlier);
        workgroupBarrier();
    }
    var before = 0u;
    if local > 0u {
        before = shared_sums[local - 1u];
    }
    return before;
}

// One workgroup a block.
@compute @workgroup_size(LARGE_GROUP)
fn scan_blocks(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let block = group_index(group, groups);
    let first = block * SCAN_BLOCK + local * VALUES_EACH;
    var own: array<u32, VALUES_EACH>;
    var sum = 0u;
    for (var k = 0u; k < VALUES_EACH; k++) {
        own[k] = sum;
        if first + k < params.values {
            sum = saturating_add(sum, values[first + k]);
        }
    }
    let before = scan_group(sum, local);
    for (var k = 0u; k < VALUES_EACH; k++) {
        if first + k < params.values {
            values[first + k] = saturating_add(before, own[k]);
        }
    }
    if local == LARGE_GROUP - 1u && block * SCAN_BLOCK < params.values {
        sums[block] = shared_sums[LARGE_GROUP - 1u];
    }
}

// One workgroup in all.
@compute @workgroup_size(LARGE_GROUP)
fn scan_sums(@builtin(local_invocation_index) local: u32) {
    let blocks = (params.values + SCAN_BLOCK - 1u) / SCAN_BLOCK;
    var carry = 0u;
    for (var start = 0u; start < blocks; start += LARGE_GROUP) {
        var value = 0u;
        if start + local < blocks {
            value = sums[start + local];
        }
        let before = scan_group(value, local);
        if start + local < blocks {
            sums[start + local] = saturating_add(carry, before);
        }
        carry = saturating_add(carry, shared_sums[LARGE_GROUP - 1u]);
        workgroupBarrier();
    }
    if local == 0u {
        sums[blocks] = carry;
    }
}

// One workgroup a block.
@compute @workgroup_size(LARGE_GROUP)
fn add_sums(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let block = group_index(group, groups);
    for (var k = 0u; k < VALUES_EACH; k++) {
        let i = block * SCAN_BLOCK + k * LARGE_GROUP + local;
        if i < params.values {
            values[i] = saturating_add(values[i], sums[block]);
        }
    }
}
