// Sorts the pairs of each body, here its *row*, with a workgroup. The module's `row_start(row)` is added to
// `rows[row]`.

// needs: types
// expects: header, params, row_start

// The number of hits of each row; once scanned, the row's start; once pairs are scattered, its end.
@group(0) @binding(6) var<storage, read_write> rows: array<atomic<u32>>;
// No two invocations write the same element between two barriers, so plain words are enough.
@group(0) @binding(10) var<storage, read_write> pairs: array<vec2<u32>>;

// The most pairs of a row that one invocation sorts, and that a workgroup sorts. An invocation takes some 160 loop
// iterations for a row of LONG_ROW, for up to LARGE_GROUP rows; lavapipe lets it have 65,535 in all.
const SHORT_ROW: u32 = 24u;
const LONG_ROW: u32 = 512u;

// The rows that the workgroup sorts together: their number, and which they are. Zero at the start, like all workgroup
// memory, and again after each call of `sort_rows_from`.
var<workgroup> long_count: atomic<u32>;
var<workgroup> long_rows: array<u32, LARGE_GROUP>;
var<workgroup> long_all: u32;
// For one of these rows: the indices of its first pair and after its last; and the higher bodies of its pairs.
var<workgroup> span: vec2<u32>;
var<workgroup> row_of_group: array<u32, LONG_ROW>;

// Returns the indices of a row's first pair and after its last, once pairs are scattered. A row begins where the
// previous one ends.
fn span_of(row: u32) -> vec2<u32> {
    var first = 0u;
    if row > 0u {
        first = atomicLoad(&rows[row - 1u]) + row_start(row - 1u);
    }
    return vec2<u32>(first, atomicLoad(&rows[row]) + row_start(row));
}

// Sorts the rows from `first` on, one for each invocation of a workgroup of LARGE_GROUP, and counts those that are too
// long. All invocations must call this.
fn sort_rows_from(first: u32, local: u32) {
    if first + local < params.bodies {
        sort_or_pick(first + local);
    }
    workgroupBarrier();
    if local == 0u {
        long_all = atomicExchange(&long_count, 0u);
    }
    let count = workgroupUniformLoad(&long_all);
    for (var k = 0u; k < count; k++) {
        sort_long(long_rows[k], local);
    }
}

// Sorts a short row; leaves a longer one to the workgroup.
fn sort_or_pick(row: u32) {
    let indices = span_of(row);
    let length = indices.y - indices.x;
    if length > LONG_ROW {
        atomicAdd(&header.long_rows, 1u);
    } else if length > SHORT_ROW {
        long_rows[atomicAdd(&long_count, 1u)] = row;
    } else {
        sort_short(indices);
    }
}

fn sort_short(indices: vec2<u32>) {
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

// Sorts a long row by a bitonic network (Batcher, Sorting Networks and Their Applications, 1968). All invocations of
// the workgroup must call this.
fn sort_long(row: u32, local: u32) {
    if local == 0u {
        span = span_of(row);
    }
    let indices = workgroupUniformLoad(&span);
    let length = indices.y - indices.x;
    // Pad to a power of two with values above all bodies.
    let filled = 2u << ((31u - countLeadingZeros(length - 1u)) & 31u);
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
    workgroupBarrier();
}
