// Tables of the columns of a tile, 64 tests of a row against which take some forty instructions.
//
// The bounds of all rows are cut into slabs (slabs.wgsl). For each slab along an axis a table has a bit for each column
// that begins in it or before it; another, for each that ends in it or behind it. Of a row, these tables at four slabs
// have in common all columns that it meets, and few others, which are turned down one by one. Reads `filters`; pairs
// are decided by by_bounds.wgsl.

// The slabs of a table that one invocation sums up.
const RUN: u32 = 16u;
// The runs of a table, and the halves of tables, which have 32 columns each: x and y, each of those that begin, then
// each of those that end.
const RUNS: u32 = SLABS / RUN;
const HALVES: u32 = 8u;
// The words of half a table. A run begins a word later than the one before ends, and halves are this long, so that a
// bank of workgroup memory is asked by one invocation of 32 at a time.
const HALF: u32 = 140u;

// The tables. Those of columns that end have their slabs from the last to the first, so that all grow by the place.
var<workgroup> tables: array<array<atomic<u32>, HALF>, HALVES>;
// The columns of each run.
var<workgroup> runs: array<array<u32, RUNS>, HALVES>;
// The boxes of the tile that the rows are compared with.
var<workgroup> columns: array<Aabb, TILE>;

// A row's bounds for tests in which edges that meet count: where touching does not count, smaller by a step.
fn shrunk(own: Aabb) -> Aabb {
    let step = i32(params.touch == TOUCH_EXCLUDED);
    // Clamped, so that what is nowhere does not wrap around.
    return Aabb(min(own.min, NOWHERE.min - step) + step, max(own.max, NOWHERE.max + step) - step);
}

// The bounds of a row that `shrunk` has made smaller.
fn unshrunk(small: Aabb) -> Aabb {
    let step = i32(params.touch == TOUCH_EXCLUDED);
    return Aabb(small.min - step, small.max + step);
}

// Where in a table a slab is.
fn place_of(slab: vec2<u32>) -> vec2<u32> {
    return slab + slab / RUN;
}

// The places of a box in the tables of those that begin, x and y, and of those that end.
fn places_of(begin: vec2<u32>, end: vec2<u32>) -> vec4<u32> {
    return vec4<u32>(place_of(begin), place_of(SLABS - 1u - end));
}

// Fills the tables with the columns of a tile, of which each invocation has one. All invocations of the workgroup must
// come here, after a barrier behind which nobody has looked at the tables.
fn fill_tables(slabs: Slabs, column: Aabb, local: u32) {
    // A run for each invocation; neighbours have different halves.
    let half = local % HALVES;
    let run = local / HALVES;
    let first = run * (RUN + 1u);
    for (var k = 0u; k < RUN; k++) {
        atomicStore(&tables[half][first + k], 0u);
    }
    workgroupBarrier();
    if bounds_meet(slabs.extent, column, TOUCH_INCLUDED) {
        let at = places_of(slab(slabs, column.min), slab(slabs, column.max));
        let high = local / 32u;
        let bit = 1u << (local & 31u);
        atomicOr(&tables[high][at.x], bit);
        atomicOr(&tables[2u + high][at.y], bit);
        atomicOr(&tables[4u + high][at.z], bit);
        atomicOr(&tables[6u + high][at.w], bit);
    }
    workgroupBarrier();
    var all = 0u;
    for (var k = 0u; k < RUN; k++) {
        all |= atomicLoad(&tables[half][first + k]);
    }
    runs[half][run] = all;
    workgroupBarrier();
    var before = 0u;
    for (var k = 0u; k < RUNS; k++) {
        before |= select(0u, runs[half][k], k < run);
    }
    for (var k = 0u; k < RUN; k++) {
        before |= atomicLoad(&tables[half][first + k]);
        atomicStore(&tables[half][first + k], before);
    }
    workgroupBarrier();
}

// The places in the tables at which a row looks, a byte each.
fn places_of_row(slabs: Slabs, row: Aabb) -> u32 {
    let at = places_of(slab(slabs, row.max), slab(slabs, row.min));
    return at.x | (at.y << 8u) | (at.z << 16u) | (at.w << 24u);
}

// The columns that a row meets by slabs: all that it meets, and perhaps others.
fn near(places: u32) -> vec2<u32> {
    let all = vec4<u32>(places, places, places, places);
    let at = (all >> vec4<u32>(0u, 8u, 16u, 24u)) & vec4<u32>(255u, 255u, 255u, 255u);
    let low = atomicLoad(&tables[0][at.x]) & atomicLoad(&tables[2][at.y])
        & atomicLoad(&tables[4][at.z]) & atomicLoad(&tables[6][at.w]);
    let high = atomicLoad(&tables[1][at.x]) & atomicLoad(&tables[3][at.y])
        & atomicLoad(&tables[5][at.z]) & atomicLoad(&tables[7][at.w]);
    return vec2<u32>(low, high);
}

// Of the columns in `bits`, the ranks from `first` on, those that a row is to list, whose shrunk bounds are `small`;
// `compared` says whether bounds need no compare any more.
fn find(small: Aabb, filter_: Filter, first: u32, bits: vec2<u32>, compared: bool) -> Found {
    var left = bits;
    var found = Found(bits, vec2<u32>(0u, 0u), vec2<u32>(0u, 0u));
    while any(left != vec2<u32>(0u, 0u)) {
        let k = first_bit(left);
        let rest = without_first(left);
        let bit = left ^ rest;
        left = rest;
        let column = columns[k];
        let other = filters[first + k];
        var meets = compared || (all(small.min <= column.max) && all(column.min <= small.max));
        meets = meets && sees(filter_, other);
        if meets && bounds_decide(filter_, other) {
            meets = hit_by_bounds(filter_.kind, unshrunk(small), other.kind, column, params.touch);
            found.decided |= bit;
        } else if params.samples == 1u && filter_.kind == SMALL_TURNED && other.kind == SMALL_TURNED {
            found.sampled |= bit;
        }
        if !meets {
            found.candidates ^= bit;
        }
    }
    found.decided &= found.candidates;
    return found;
}
