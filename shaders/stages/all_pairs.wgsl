// The broad phase of bodies that are not sorted: every body against every later one, but for tiles whose bounds are out
// of reach.
//
//     for each four tiles of rows, and each run of tiles of columns, a workgroup:
//         for each tile of the run whose bounds meet those of the rows:                 an invocation looks at a tile
//             for each body of that tile: whose bounds of four rows does it meet?       an invocation has four rows
//
// A box from workgroup memory is tested against four rows: reading it takes longer than a test, which is four compares
// and a bit.

@group(0) @binding(5) var<storage, read> bounds: array<Aabb>;
@group(0) @binding(14) var<storage, read> tiles: array<Aabb>;

// The rows of an invocation, which lie a tile apart.
const ROWS_EACH: u32 = 4u;

// The bounds of the rows of an invocation, side by side.
struct Rows {
    min_x: vec4<i32>,
    min_y: vec4<i32>,
    max_x: vec4<i32>,
    max_y: vec4<i32>,
}

// The boxes of the tile that the rows are compared with.
var<workgroup> columns: array<Aabb, TILE>;

// The body of a rank.
fn body_at(rank: u32) -> u32 {
    return rank;
}

// The bounds of a row: nowhere if it is not asked for. Where touching does not count, they are smaller by a step, so
// that a test never has to ask: edges that meet count.
fn row_at(rank: u32) -> Aabb {
    var own = NOWHERE;
    if rank >= params.first_row && rank < params.end_row {
        own = bounds[rank];
    }
    let step = i32(params.touch == TOUCH_EXCLUDED);
    // Clamped, so that what is nowhere does not wrap around.
    return Aabb(min(own.min, NOWHERE.min - step) + step, max(own.max, NOWHERE.max + step) - step);
}

fn rows_from(first: u32) -> Rows {
    let a = row_at(first);
    let b = row_at(first + TILE);
    let c = row_at(first + 2u * TILE);
    let d = row_at(first + 3u * TILE);
    return Rows(
        vec4<i32>(a.min.x, b.min.x, c.min.x, d.min.x),
        vec4<i32>(a.min.y, b.min.y, c.min.y, d.min.y),
        vec4<i32>(a.max.x, b.max.x, c.max.x, d.max.x),
        vec4<i32>(a.max.y, b.max.y, c.max.y, d.max.y),
    );
}

fn meet(rows: Rows, box: Aabb) -> vec4<bool> {
    return (rows.min_x <= vec4<i32>(box.max.x)) & (rows.min_y <= vec4<i32>(box.max.y))
        & (vec4<i32>(box.min.x) <= rows.max_x) & (vec4<i32>(box.min.y) <= rows.max_y);
}

// For each row bit `k`, if it meets the column `first + k` of the tile.
fn meet_column(rows: Rows, first: u32, k: u32) -> vec4<u32> {
    return select(vec4<u32>(0u), vec4<u32>(1u << k), meet(rows, columns[first + k]));
}

// For each row, which of 32 columns, from the `first` of the tile on, it meets. Four columns a turn, since the loop
// itself takes time too.
fn meet_columns(rows: Rows, first: u32) -> vec4<u32> {
    var bits = vec4<u32>(0u);
    for (var k = 0u; k < 32u; k += 4u) {
        bits |= meet_column(rows, first, k) | meet_column(rows, first, k + 1u)
            | meet_column(rows, first, k + 2u) | meet_column(rows, first, k + 3u);
    }
    return bits;
}

// Of the 32 ranks from `first` on, a bit for each that is later than a row.
fn later(row: u32, first: u32) -> u32 {
    if row < first {
        return 0xFFFFFFFFu;
    }
    return select(0xFFFFFFFEu << ((row - first) & 31u), 0u, row - first >= 32u);
}

@compute @workgroup_size(TILE)
fn sweep_all(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let count = tiles_of(params.bodies);
    let row_tile = params.first_tile + group.y * ROWS_EACH;
    // Earlier tiles have these rows as their columns.
    let first_tile = max(group.x * params.tiles_each, row_tile);
    let end_tile = min((group.x + 1u) * params.tiles_each, count);
    if first_tile >= end_tile {
        return;
    }
    var bound = tiles[row_tile];
    for (var k = 1u; k < ROWS_EACH; k++) {
        bound = join(bound, tiles[min(row_tile + k, count - 1u)]);
    }
    let near = first_tile + local;
    var left = ballot(near < end_tile && bounds_meet(bound, tiles[min(near, count - 1u)], TOUCH_INCLUDED), local);
    let rows = rows_from(row_tile * TILE + local);
    while any(left != vec2<u32>(0u, 0u)) {
        let tile = first_tile + first_bit(left);
        left = without_first(left);
        columns[local] = bounds[tile * TILE + local];
        workgroupBarrier();
        var low = vec4<u32>(0u);
        var high = vec4<u32>(0u);
        if any(meet(rows, tiles[tile])) {
            low = meet_columns(rows, 0u);
            high = meet_columns(rows, 32u);
        }
        let met = any((low | high) != vec4<u32>(0u));
        var total = 0u;
        if met {
            for (var k = 0u; k < ROWS_EACH; k++) {
                let row = (row_tile + k) * TILE + local;
                let column = tile * TILE;
                let own = filters[min(row, params.bodies - 1u)];
                low[k] = seen(own, column, low[k] & later(row, column));
                high[k] = seen(own, column + 32u, high[k] & later(row, column + 32u));
                total += countOneBits(low[k]) + countOneBits(high[k]);
            }
        }
        // Its barriers also keep the columns until all rows are done with them.
        var index = reserve(total, local);
        if total > 0u {
            for (var k = 0u; k < ROWS_EACH; k++) {
                let row = (row_tile + k) * TILE + local;
                if params.paints == 1u && (low[k] | high[k]) != 0u {
                    mark(row);
                }
                list(row, tile * TILE, low[k], index);
                index += countOneBits(low[k]);
                list(row, tile * TILE + 32u, high[k], index);
                index += countOneBits(high[k]);
            }
        }
    }
    if loops_were_cut(params.sentinel) {
        atomicStore(&header.cut, 1u);
    }
}
