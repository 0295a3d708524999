// Tables of the columns of a tile, which test a row against all 64 in about forty instructions.
//
// The bounds of all rows are cut into slabs (slabs.wgsl). For each slab along an axis, one table has a bit for each
// column that begins in it or before it; another, for each that ends in it or after it. The AND of the entries at a
// row's four slabs has all columns that the row meets, and few others, which are rejected one by one.

// needs: ballot, by_bounds, candidates, slabs, types

// The number of slabs of a table that one invocation sums up.
const RUN: u32 = 16u;
// The number of runs of a table; and of half tables, which have 32 columns each: x and y, columns that begin, then
// columns that end, two halves each.
const RUNS: u32 = SLABS / RUN;
const HALVES: u32 = 8u;
// The words of half a table. A run starts one word later than the previous one ends, and halves have this length, so
// that at most one of 32 invocations accesses a bank of workgroup memory at a time.
const HALF: u32 = 140u;

// The tables. Those of columns that end store their slabs from last to first, so that in all of them entries only gain
// bits with the place.
var<workgroup> tables: array<array<atomic<u32>, HALF>, HALVES>;
// The columns of each run.
var<workgroup> runs: array<array<u32, RUNS>, HALVES>;
// The boxes of the tile that the rows are compared with.
var<workgroup> columns: array<Aabb, TILE>;

// Returns a row's bounds for tests in which equal edges meet: one step smaller if touch is excluded.
fn shrunk(own: Aabb) -> Aabb {
    let step = i32(params.touch == TOUCH_EXCLUDED);
    // Clamp, so that NOWHERE does not wrap around.
    return Aabb(min(own.min, NOWHERE.min - step) + step, max(own.max, NOWHERE.max + step) - step);
}

// Returns the bounds of a row before `shrunk`.
fn unshrunk(small: Aabb) -> Aabb {
    let step = i32(params.touch == TOUCH_EXCLUDED);
    return Aabb(small.min - step, small.max + step);
}

// Returns the place of a slab in a table.
fn place_of(slab: vec2<u32>) -> vec2<u32> {
    return slab + slab / RUN;
}

// Returns the places of a box in the tables: columns that begin, x and y, then columns that end.
fn places_of(begin: vec2<u32>, end: vec2<u32>) -> vec4<u32> {
    return vec4<u32>(place_of(begin), place_of(SLABS - 1u - end));
}

// Fills the tables with the columns of a tile, one from each invocation. All invocations of the workgroup must call
// this, after a barrier since which none has read the tables.
fn fill_tables(slabs: Slabs, column: Aabb, local: u32) {
    // Take a run for each invocation; adjacent invocations have different halves.
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

// Returns the places in the tables at which a row looks, a byte each.
fn places_of_row(slabs: Slabs, row: Aabb) -> u32 {
    let at = places_of(slab(slabs, row.max), slab(slabs, row.min));
    return at.x | (at.y << 8u) | (at.z << 16u) | (at.w << 24u);
}

// Returns the columns that a row meets by slabs: all that it really meets, and perhaps others.
fn columns_at(places: u32) -> vec2<u32> {
    let all = vec4<u32>(places, places, places, places);
    let at = (all >> vec4<u32>(0u, 8u, 16u, 24u)) & vec4<u32>(255u, 255u, 255u, 255u);
    let low = atomicLoad(&tables[0][at.x]) & atomicLoad(&tables[2][at.y])
        & atomicLoad(&tables[4][at.z]) & atomicLoad(&tables[6][at.w]);
    let high = atomicLoad(&tables[1][at.x]) & atomicLoad(&tables[3][at.y])
        & atomicLoad(&tables[5][at.z]) & atomicLoad(&tables[7][at.w]);
    return vec2<u32>(low, high);
}

// Returns which of the columns in `bits`, the ranks from `first` on, a row with the shrunk bounds `small` must list.
// `compared` says whether bounds have been compared already.
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
        meets = meets && is_tested(filter_, other);
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
