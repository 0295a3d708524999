// The candidates that hit, in order: how many hit in each row, the row of a pair being its lower body, is counted; a scan of the counts
// tells where rows begin; pairs go to their rows as they come, and each row is sorted. So no order comes from an atomic.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(6) var<storage, read_write> rows: array<atomic<u32>>;
@group(0) @binding(7) var<storage, read> candidates: array<vec2<u32>>;
@group(0) @binding(10) var<storage, read> verdicts: array<u32>;
@group(0) @binding(12) var<storage, read_write> pairs: array<vec2<u32>>;
@group(0) @binding(15) var<storage, read_write> header: Header;
@group(0) @binding(23) var<storage, read_write> picked: array<u32>;

// The pairs of a row that one invocation sorts, and that a workgroup does.
const SHORT_ROW: u32 = 24u;
const LONG_ROW: u32 = 2048u;
const GROUP: u32 = 256u;

var<workgroup> row_of_group: array<u32, LONG_ROW>;
var<workgroup> span: vec2<u32>;

// One invocation a candidate.
@compute @workgroup_size(64)
fn count_hits(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let c = invocation(group, groups, local, 64u);
    if c < header.listed && verdicts[c] == HIT {
        atomicAdd(&rows[candidates[c].x], 1u);
    }
}

// One invocation a candidate. Each row's first place moves on to where the next row begins.
@compute @workgroup_size(64)
fn scatter_hits(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let c = invocation(group, groups, local, 64u);
    if c < header.listed && verdicts[c] == HIT {
        let pair = candidates[c];
        pairs[atomicAdd(&rows[pair.x], 1u)] = pair;
    }
}

// The places of the pairs of a row: the first, and that behind the last.
fn span_of(row: u32) -> vec2<u32> {
    var first = 0u;
    if row > 0u {
        first = atomicLoad(&rows[row - 1u]);
    }
    return vec2<u32>(first, atomicLoad(&rows[row]));
}

// Sorts short rows and picks longer ones. One invocation a row.
@compute @workgroup_size(64)
fn sort_rows(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let row = invocation(group, groups, local, 64u);
    if row >= params.bodies {
        return;
    }
    let places = span_of(row);
    let length = places.y - places.x;
    if length > LONG_ROW {
        atomicAdd(&header.longest_rows, 1u);
    } else if length > SHORT_ROW {
        picked[atomicAdd(&header.long_rows, 1u)] = row;
    } else {
        for (var k = places.x + 1u; k < places.y; k++) {
            let pair = pairs[k];
            var to = k;
            while to > places.x && pairs[to - 1u].y > pair.y {
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
@compute @workgroup_size(256)
fn sort_long_rows(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let k = group.y * groups.x + group.x;
    if local == 0u {
        span = vec2<u32>(0u, 0u);
        if k < atomicLoad(&header.long_rows) {
            span = span_of(picked[k]);
        }
    }
    let places = workgroupUniformLoad(&span);
    let length = places.y - places.x;
    if length < 2u {
        return;
    }
    // Filled up to a power of two with what is larger than all.
    let filled = 2u << (31u - countLeadingZeros(length - 1u));
    let row = pairs[places.x].x;
    for (var i = local; i < filled; i += GROUP) {
        row_of_group[i] = 0xFFFFFFFFu;
        if i < length {
            row_of_group[i] = pairs[places.x + i].y;
        }
    }
    for (var run = 2u; run <= filled; run *= 2u) {
        for (var reach = run / 2u; reach > 0u; reach /= 2u) {
            workgroupBarrier();
            for (var i = local; i < filled / 2u; i += GROUP) {
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
    for (var i = local; i < length; i += GROUP) {
        pairs[places.x + i] = vec2<u32>(row, row_of_group[i]);
    }
}
