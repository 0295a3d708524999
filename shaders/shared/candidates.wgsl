// The list of candidates, to which the broad phase appends in no order; the pairs that hit are ordered later. All
// candidates are counted, but only as many as fit are listed. A workgroup queues the candidates that it finds, and
// takes places in the list for many at once. The module's `body_at` returns the body of a rank.

// needs: ballot, flags, types
// expects: body_at

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(7) var<storage, read_write> candidates: array<vec2<u32>>;
@group(0) @binding(13) var<storage, read_write> header: Header;
// The filters of bodies, by rank; if bodies are sorted, followed by those of tiles and of blocks.
@group(0) @binding(17) var<storage, read> filters: array<Filter>;

// Columns that a row has found, a bit each.
struct Found {
    // The columns to list.
    candidates: vec2<u32>,
    // The columns among them that bounds have decided: they hit.
    decided: vec2<u32>,
    // The columns to sample, if they are among the candidates.
    sampled: vec2<u32>,
}

// The candidates that a workgroup can queue.
const QUEUE: u32 = 256u;

var<workgroup> queue: array<vec2<u32>, QUEUE>;
// The number of candidates queued since the queue was empty, including those that it has no room for. Zero at the
// start, like all workgroup memory.
var<workgroup> queued: atomic<u32>;
// The number of candidates in the queue when it is emptied, and their place in the list.
var<workgroup> in_queue: u32;
var<workgroup> list_start: u32;

// Reserves `count` places of the list. Returns the index of the first.
fn reserve(count: u32) -> u32 {
    let start = atomicAdd(&header.candidates, count);
    if start + count < start {
        atomicAdd(&header.candidates_high, 1u);
    }
    return start;
}

// Stores a candidate in its place of the list, if there is room. Raises the flags of its bodies if bounds have decided
// that they hit; otherwise marks them if sprites are painted for it.
fn put(index: u32, pair: vec2<u32>) {
    if index < params.candidate_room {
        candidates[index] = pair;
    }
    let hit = pair.y >= DECIDED;
    if hit || (params.paints == 1u && (pair.y & SAMPLED) == 0u) {
        let first = select(marks(), FLAGS, hit);
        let bodies = bodies_of(pair);
        set_bit(first, bodies.x);
        set_bit(first, bodies.y);
    }
}

// Lists the pairs of a row's body with the columns found among 64, the ranks from `first` on.
fn list(row: u32, first: u32, found: Found) {
    let count = count_bits(found.candidates);
    let start = atomicAdd(&queued, count);
    // Candidates that the queue has no room for go to the list directly.
    let beyond = max(start, QUEUE);
    var place = 0u;
    if start + count > beyond {
        place = reserve(start + count - beyond);
    }
    var left = found.candidates;
    for (var n = start; n < start + count; n++) {
        let column = body_at(first + first_bit(left));
        let rest = without_first(left);
        let bit = left ^ rest;
        left = rest;
        let decided = select(0u, DECIDED, any((bit & found.decided) != vec2<u32>(0u, 0u)));
        let sampled = select(0u, SAMPLED, any((bit & found.sampled) != vec2<u32>(0u, 0u)));
        let pair = vec2<u32>(min(row, column), max(row, column) | decided | sampled);
        if n < QUEUE {
            queue[n] = pair;
        } else {
            put(place + n - beyond, pair);
        }
    }
}

// Moves the queue into the list if it holds at least `full`. All invocations of the workgroup must call this, after a
// barrier since which they have listed nothing; it is a barrier itself.
fn empty_queue(full: u32, local: u32) {
    if local == 0u {
        in_queue = min(atomicLoad(&queued), QUEUE);
        if in_queue >= full {
            atomicStore(&queued, 0u);
            list_start = reserve(in_queue);
        }
    }
    let count = workgroupUniformLoad(&in_queue);
    if count >= full {
        for (var n = local; n < count; n += TILE) {
            put(list_start + n, queue[n]);
        }
        workgroupBarrier();
    }
}
