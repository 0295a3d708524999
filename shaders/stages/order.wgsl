// Puts the candidates that hit in order: the pairs. A pair belongs to the row of its lower body. The hits of each row
// are counted; a scan of the counts tells where each row begins; pairs go to their rows in any order, and each row is
// sorted. So no order comes from an atomic. The CPU orders pairs by other algorithms (src/cpu/order.rs).

@group(0) @binding(0) var<uniform> params: Params;
// The hits of each row; scanned, where the row begins; once pairs have gone there, where it ends.
@group(0) @binding(6) var<storage, read_write> rows: array<atomic<u32>>;
@group(0) @binding(7) var<storage, read> candidates: array<vec2<u32>>;
@group(0) @binding(10) var<storage, read> verdicts: array<u32>;
// No two invocations write the same one in a dispatch, and only a row's own sort reads what it writes: so plain words
// do.
@group(0) @binding(12) var<storage, read_write> pairs: array<vec2<u32>>;
@group(0) @binding(15) var<storage, read_write> header: Header;
@group(0) @binding(23) var<storage, read_write> picked: array<u32>;

// The most pairs of a row that one invocation sorts, and of one that a workgroup does.
const SHORT_ROW: u32 = 24u;
const LONG_ROW: u32 = 2048u;

// The higher bodies of the pairs of the workgroup's row.
var<workgroup> row_of_group: array<u32, LONG_ROW>;
var<workgroup> span: vec2<u32>;

// Counts the hits of each row. One invocation a candidate.
@compute @workgroup_size(GROUP)
fn count_hits(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let c = invocation(group, groups, local);
    if c < header.listed && verdicts[c] == HIT {
        atomicAdd(&rows[candidates[c].x], 1u);
    }
}

// Takes pairs to their rows, where each moves the row's beginning on: in the end, that is where the next row begins.
// One invocation a candidate.
@compute @workgroup_size(GROUP)
fn scatter_hits(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let c = invocation(group, groups, local);
    if c < header.listed && verdicts[c] == HIT {
        let pair = candidates[c];
        pairs[atomicAdd(&rows[pair.x], 1u)] = pair;
    }
}

// The indices of the pairs of a row: the first, and that behind the last.
fn span_of(row: u32) -> vec2<u32> {
    var first = 0u;
    if row > 0u {
        first = atomicLoad(&rows[row - 1u]);
    }
    return vec2<u32>(first, atomicLoad(&rows[row]));
}

// Sorts short rows, and picks longer ones for a workgroup. One invocation a row.
@compute @workgroup_size(GROUP)
fn sort_rows(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let row = invocation(group, groups, local);
    if row >= params.bodies {
        return;
    }
    let indices = span_of(row);
    let length = indices.y - indices.x;
    if length > LONG_ROW {
        atomicAdd(&header.longest_rows, 1u);
    } else if length > SHORT_ROW {
        picked[atomicAdd(&header.long_rows, 1u)] = row;
    } else {
        for (var k = indices.x + 1u; k < indices.y; k++) {
            let pair = pairs[k];
            var to = k;
            while to > indices.x && pairs[to - 1u].y > pair.y {
                pairs[to] = pairs[to - 1u];
                to--;
            }
            pairs[to] = pair;
        }
    }
    if loops_were_cut(params.sentinel) {
        atomicStore(&header.cut, 1u);
    }
}

// Sorts a long row by a bitonic network (Batcher, Sorting Networks and Their Applications, 1968). One workgroup a row.
@compute @workgroup_size(LARGE_GROUP)
fn sort_long_rows(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let k = group_index(group, groups);
    if local == 0u {
        span = vec2<u32>(0u, 0u);
        if k < atomicLoad(&header.long_rows) {
            span = span_of(picked[k]);
        }
    }
    let indices = workgroupUniformLoad(&span);
    let length = indices.y - indices.x;
    if length < 2u {
        return;
    }
    // Filled up, to a power of two, with what is larger than all bodies.
    let filled = 2u << (31u - countLeadingZeros(length - 1u));
    let row = pairs[indices.x].x;
    for (var i = local; i < filled; i += LARGE_GROUP) {
        row_of_group[i] = 0xFFFFFFFFu;
        if i < length {
            row_of_group[i] = pairs[indices.x + i].y;
        }
    }
    for (var run = 2u; run <= filled; run *= 2u) {
        for (var reach = run / 2u; reach > 0u; reach /= 2u) {
            workgroupBarrier();
            for (var i = local; i < filled / 2u; i += LARGE_GROUP) {
                let low = 2u * i - (i & (reach - 1u));
                let a = row_of_group[low];
                let b = row_of_group[low + reach];
                if (a > b) == ((low & run) == 0u) {
                    row_of_group[low] = b;
                    row_of_group[low + reach] = a;
                }
            }
        }
    }
    workgroupBarrier();
    for (var i = local; i < length; i += LARGE_GROUP) {
        pairs[indices.x + i] = vec2<u32>(row, row_of_group[i]);
    }
}
