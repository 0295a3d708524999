// The broad phase of unsorted bodies: every body against every later one, except for tiles whose bounds are out of
// reach.
//
//     for each eight tiles of rows, and each run of tiles of columns, a workgroup:
//         for each tile of the run whose bounds meet those of the rows:     an invocation tests a tile
//             build the tables: which columns begin before each slab ends   an invocation has a column, then slabs
//             for each row: the columns that the tables of its slabs share  an invocation has eight rows
//                 for each of these: must it be listed?

// needs: ballot, candidates, slabs, tables, types

@group(0) @binding(5) var<storage, read> bounds: array<Aabb>;
@group(0) @binding(14) var<storage, read> tiles: array<Aabb>;

// The rows of an invocation, which lie a tile apart.
const ROWS_EACH: u32 = 8u;

// The places in the tables at which a row looks, four bytes.
var<workgroup> places: array<u32, ROWS_EACH * TILE>;

// Returns the body of a rank.
fn body_at(rank: u32) -> u32 {
    return rank;
}

// Returns the shrunk bounds of a row: NOWHERE if the row is not requested.
fn row_at(rank: u32) -> Aabb {
    var own = NOWHERE;
    if rank >= params.first_row && rank < params.end_row {
        own = bounds[rank];
    }
    return shrunk(own);
}

// Returns a bit for each of the 64 ranks from `first` on that is later than a row.
fn later_than(row: u32, first: u32) -> vec2<u32> {
    return vec2<u32>(later_of(row, first), later_of(row, first + 32u));
}

fn later_of(row: u32, first: u32) -> u32 {
    if row < first {
        return 0xFFFFFFFFu;
    }
    return select(0xFFFFFFFEu << ((row - first) & 31u), 0u, row - first >= 32u);
}

@compute @workgroup_size(TILE)
fn sweep_all(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let count = tiles_of(params.bodies);
    let row_tile = params.first_tile + group.y * ROWS_EACH;
    let run = params.part + params.parts * group.x;
    // Earlier tiles have these rows as their columns.
    let first_tile = max(run * params.tiles_each, row_tile);
    let end_tile = min((run + 1u) * params.tiles_each, count);
    if first_tile >= end_tile {
        return;
    }
    let row_tiles = min(ROWS_EACH, count - row_tile);
    var bound = tiles[row_tile];
    for (var k = 1u; k < row_tiles; k++) {
        bound = join(bound, tiles[row_tile + k]);
    }
    let tile_at = first_tile + local;
    let meets = tile_at < end_tile && bounds_meet(bound, tiles[min(tile_at, count - 1u)], TOUCH_INCLUDED);
    var left = ballot(meets, local);
    let slabs = slabs_of(bound);
    for (var k = 0u; k < row_tiles; k++) {
        places[k * TILE + local] = places_of_row(slabs, row_at((row_tile + k) * TILE + local));
    }
    while any(left != vec2<u32>(0u, 0u)) {
        let tile = first_tile + first_bit(left);
        left = without_first(left);
        let column = bounds[tile * TILE + local];
        columns[local] = column;
        fill_tables(slabs, column, local);
        // Find first which rows meet some columns, then these columns: most rows meet none, and a branch taken by few
        // invocations costs all of them.
        var rows = 0u;
        for (var k = 0u; k < row_tiles; k++) {
            rows |= u32(any(columns_at(places[k * TILE + local]) != vec2<u32>(0u, 0u))) << (k & 31u);
        }
        while rows != 0u {
            let k = countTrailingZeros(rows);
            rows &= rows - 1u;
            let row = (row_tile + k) * TILE + local;
            let bits = columns_at(places[k * TILE + local]) & later_than(row, tile * TILE);
            let filter_ = filters[min(row, params.bodies - 1u)];
            list(row, tile * TILE, find(row_at(row), filter_, tile * TILE, bits, false));
        }
        workgroupBarrier();
        empty_queue(QUEUE / 2u, local);
    }
    empty_queue(1u, local);
    if loops_were_cut(params.sentinel) {
        atomicStore(&header.cut, 1u);
    }
}
