// Puts the candidates that hit in order for few bodies, and writes which parts of the answer are complete: like
// order.wgsl, scan.wgsl and conclude.wgsl, but in a single workgroup. If there are too many candidates it does nothing,
// and the host runs those.

// needs: hit, listed, prefix_sum, rows, types, whole

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(13) var<storage, read_write> header: Header;

// The most candidates that the workgroup orders. The rows that it then sorts together are so few that its loops have
// far fewer than 65,535 iterations in total.
const FEW_CANDIDATES: u32 = 16384u;

// The number of candidates.
var<workgroup> listed_all: u32;

fn row_start(row: u32) -> u32 {
    return 0u;
}

fn value_at(row: u32) -> u32 {
    return atomicLoad(&rows[row]);
}

fn set_value(row: u32, value: u32) {
    atomicStore(&rows[row], value);
}

@compute @workgroup_size(LARGE_GROUP)
fn order_few(@builtin(local_invocation_index) local: u32) {
    if local == 0u {
        listed_all = listed();
        header.too_many = u32(listed_all > FEW_CANDIDATES);
    }
    let count = workgroupUniformLoad(&listed_all);
    if count > FEW_CANDIDATES {
        return;
    }
    for (var row = local; row < params.bodies; row += LARGE_GROUP) {
        atomicStore(&rows[row], 0u);
    }
    storageBarrier();
    for (var c = local; c < count; c += LARGE_GROUP) {
        let pair = candidates[c];
        if is_hit(pair, c) {
            atomicAdd(&rows[pair.x], 1u);
        }
    }
    storageBarrier();
    scan_run(params.bodies, LARGE_GROUP, local);
    let pair_count = shared_sums[LARGE_GROUP - 1u];
    storageBarrier();
    for (var c = local; c < count; c += LARGE_GROUP) {
        let pair = candidates[c];
        if is_hit(pair, c) {
            pairs[atomicAdd(&rows[pair.x], 1u)] = bodies_of(pair);
        }
    }
    storageBarrier();
    for (var first = 0u; first < params.bodies; first += LARGE_GROUP) {
        sort_rows_from(first, local);
    }
    if loops_were_cut(params.sentinel) {
        atomicStore(&header.cut, 1u);
    }
    storageBarrier();
    if local == 0u {
        header.pairs = pair_count;
        conclude_step();
    }
}
