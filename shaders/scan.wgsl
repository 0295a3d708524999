// An exclusive prefix sum in place, in three passes: within blocks, over the blocks' sums, and the two together (Blelloch, Prefix
// Sums and Their Applications, 1990). Sums saturate, so that a total too large for a u32 still reads as too large.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(8) var<storage, read_write> values: array<u32>;
// The sum of each block, and behind them the total.
@group(0) @binding(9) var<storage, read_write> sums: array<u32>;

const GROUP: u32 = 256u;
// Values of one invocation, and of a group of them.
const RUN: u32 = 4u;
const BLOCK: u32 = 1024u;

var<workgroup> shared_sums: array<u32, GROUP>;

fn saturating_add(a: u32, b: u32) -> u32 {
    let sum = a + b;
    return select(sum, 0xFFFFFFFFu, sum < a);
}

// The sum of `value` over the group's earlier invocations; `shared_sums[GROUP - 1]` is left as the sum over all.
fn scan_group(value: u32, local: u32) -> u32 {
    shared_sums[local] = value;
    workgroupBarrier();
    for (var reach = 1u; reach < GROUP; reach *= 2u) {
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

@compute @workgroup_size(256)
fn scan_blocks(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let block = group.y * groups.x + group.x;
    let first = block * BLOCK + local * RUN;
    var own: array<u32, RUN>;
    var sum = 0u;
    for (var k = 0u; k < RUN; k++) {
        own[k] = sum;
        if first + k < params.count {
            sum = saturating_add(sum, values[first + k]);
        }
    }
    let before = scan_group(sum, local);
    for (var k = 0u; k < RUN; k++) {
        if first + k < params.count {
            values[first + k] = saturating_add(before, own[k]);
        }
    }
    if local == GROUP - 1u && block * BLOCK < params.count {
        sums[block] = shared_sums[GROUP - 1u];
    }
}

@compute @workgroup_size(256)
fn scan_sums(@builtin(local_invocation_index) local: u32) {
    let blocks = (params.count + BLOCK - 1u) / BLOCK;
    var carry = 0u;
    for (var start = 0u; start < blocks; start += GROUP) {
        var value = 0u;
        if start + local < blocks {
            value = sums[start + local];
        }
        let before = scan_group(value, local);
        if start + local < blocks {
            sums[start + local] = saturating_add(carry, before);
        }
        carry = saturating_add(carry, shared_sums[GROUP - 1u]);
        workgroupBarrier();
    }
    if local == 0u {
        sums[blocks] = carry;
    }
}

@compute @workgroup_size(256)
fn add_sums(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let block = group.y * groups.x + group.x;
    for (var k = 0u; k < RUN; k++) {
        let i = block * BLOCK + k * GROUP + local;
        if i < params.count {
            values[i] = saturating_add(values[i], sums[block]);
        }
    }
}
