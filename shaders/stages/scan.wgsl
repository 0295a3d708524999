// Finds where the pairs of each body begin: an exclusive prefix sum of their numbers, in two dispatches. The first sums
// within blocks of rows, the second over the blocks. A row begins at the sum of both.

// needs: prefix_sum, types

@group(0) @binding(0) var<uniform> params: Params;
// Other modules access its words atomically, but in earlier or later dispatches.
@group(0) @binding(6) var<storage, read_write> rows: array<u32>;
// The sum of each block.
@group(0) @binding(8) var<storage, read_write> sums: array<u32>;
@group(0) @binding(13) var<storage, read_write> header: Header;

// The values of an invocation, and those of a workgroup.
const VALUES_EACH: u32 = 4u;
const SCAN_BLOCK: u32 = 1024u;

// Scans the rows of each block. One workgroup a block.
@compute @workgroup_size(LARGE_GROUP)
fn scan_rows(
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
        if first + k < params.bodies {
            sum += rows[first + k];
        }
    }
    let before = scan_group(sum, LARGE_GROUP, local);
    for (var k = 0u; k < VALUES_EACH; k++) {
        if first + k < params.bodies {
            rows[first + k] = before + own[k];
        }
    }
    if local == LARGE_GROUP - 1u && block * SCAN_BLOCK < params.bodies {
        sums[block] = shared_sums[LARGE_GROUP - 1u];
    }
}

fn value_at(i: u32) -> u32 {
    return sums[i];
}

fn set_value(i: u32, value: u32) {
    sums[i] = value;
}

// Scans the sums of the blocks. One workgroup in all.
@compute @workgroup_size(LARGE_GROUP)
fn scan_sums(@builtin(local_invocation_index) local: u32) {
    scan_run((params.bodies + SCAN_BLOCK - 1u) / SCAN_BLOCK, LARGE_GROUP, local);
    if local == 0u {
        header.pairs = shared_sums[LARGE_GROUP - 1u];
    }
}
