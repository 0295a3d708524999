// The list of candidates, to which the broad phase appends in no order: the pairs that hit are put in order later. All
// candidates are counted, and those are listed that there is room for. A module that has this file also has a function
// `body_at`, which gives the body of a rank.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(7) var<storage, read_write> candidates: array<vec2<u32>>;
@group(0) @binding(13) var<storage, read_write> header: Header;
// Whom bodies may hit, by rank; where they are sorted, behind them the layers of tiles and of blocks.
@group(0) @binding(17) var<storage, read> filters: array<Filter>;

// The candidates that the workgroup wants to list: zero at the beginning, as all workgroup memory, and again after each
// call of `reserve`.
var<workgroup> found: atomic<u32>;
// Where they go in the list, from the last call in which there were any.
var<workgroup> list_start: u32;

// Reserves `count` entries of the list for this invocation, and gives the index of the first; of none, the index means
// nothing. All invocations of the workgroup must come here.
fn reserve(count: u32, local: u32) -> u32 {
    let own_start = atomicAdd(&found, count);
    workgroupBarrier();
    if local == 0u {
        let all = atomicExchange(&found, 0u);
        if all > 0u {
            list_start = atomicAdd(&header.candidates, all);
            if list_start + all < list_start {
                atomicAdd(&header.candidates_high, 1u);
            }
        }
    }
    return workgroupUniformLoad(&list_start) + own_start;
}

// Of 32 columns, the ranks from `first` on, those in `bits` whose pairs with a row are looked at.
fn seen(own: Filter, first: u32, bits: u32) -> u32 {
    var left = bits;
    var answer = bits;
    while left != 0u {
        if !sees(own, filters[first + countTrailingZeros(left)]) {
            answer &= ~(left & (~left + 1u));
        }
        left &= left - 1u;
    }
    return answer;
}

// Lists the pairs of a row's body with those of 32 columns, the ranks from `first` on, that are in `bits`: from index
// `start` on, as far as there is room.
fn list(row: u32, first: u32, bits: u32, start: u32) {
    var left = bits;
    var index = start;
    while left != 0u {
        let column = body_at(first + countTrailingZeros(left));
        if index < params.candidate_room {
            candidates[index] = vec2<u32>(min(row, column), max(row, column));
        }
        if params.paints == 1u {
            mark(column);
        }
        index++;
        left &= left - 1u;
    }
}
