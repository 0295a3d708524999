// The list of candidates, as the broad phase finds them: in no order, what hits is put in order later. All are counted, those that fit are
// listed. Whoever lists tells by `body_at` which body has a rank.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(7) var<storage, read_write> candidates: array<vec2<u32>>;
@group(0) @binding(15) var<storage, read_write> header: Header;
@group(0) @binding(19) var<storage, read> filters: array<vec2<u32>>;
@group(0) @binding(20) var<storage, read_write> marked: array<atomic<u32>>;

var<workgroup> found: atomic<u32>;
var<workgroup> told: u32;

// The first of so many places in the list for this invocation; all of the group ask at once.
fn places(count: u32, local: u32) -> u32 {
    let place = atomicAdd(&found, count);
    workgroupBarrier();
    if local == 0u {
        let all = atomicExchange(&found, 0u);
        if all > 0u {
            told = atomicAdd(&header.candidates, all);
            if told + all < told {
                atomicAdd(&header.candidates_high, 1u);
            }
        }
    }
    return workgroupUniformLoad(&told) + place;
}

// Of the columns of 32 ranks from `first` on that are in `bits`, those that a row's filter lets be looked at.
fn seen(own: vec2<u32>, first: u32, bits: u32) -> u32 {
    var left = bits;
    var answer = bits;
    while left != 0u {
        let other = filters[first + countTrailingZeros(left)];
        if !sees(own.x, own.y, other.x, other.y) {
            answer &= ~(left & (~left + 1u));
        }
        left &= left - 1u;
    }
    return answer;
}

// Lists the candidates of a row with the columns of 32 ranks from `first` on that are in `bits`, from place `start` on.
fn list(row: u32, first: u32, bits: u32, start: u32) {
    var left = bits;
    var place = start;
    while left != 0u {
        let column = body_at(first + countTrailingZeros(left));
        if place < params.capacity {
            candidates[place] = vec2<u32>(min(row, column), max(row, column));
        }
        if params.paints == 1u {
            mark(column);
        }
        place++;
        left &= left - 1u;
    }
}

// Marks a body for painting.
fn mark(body: u32) {
    let bit = 1u << (body & 31u);
    if (atomicLoad(&marked[body / 32u]) & bit) == 0u {
        atomicOr(&marked[body / 32u], bit);
    }
}
