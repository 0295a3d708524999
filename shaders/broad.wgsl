// The broad phase: every body against every later one in their order, a tile of them at a time through workgroup memory, but for tiles
// whose bounds are out of reach. Rows are counted first, then written where a scan of the counts says, so that candidates come in the
// order of their rows. A dispatch goes over some columns; each row's count, and later its place, moves on from one to the next. One
// invocation a row.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> bodies: array<Body>;
@group(0) @binding(5) var<storage, read> bounds: array<Aabb>;
@group(0) @binding(6) var<storage, read_write> rows: array<u32>;
@group(0) @binding(7) var<storage, read_write> candidates: array<vec2<u32>>;
@group(0) @binding(15) var<storage, read> ranked: array<u32>;
@group(0) @binding(16) var<storage, read> tiles: array<Aabb>;

var<workgroup> tile: array<Aabb, TILE>;

// Counts the candidates of the row of this invocation, the `local`-th from `start_row` on; where `write` says so, puts them
// down from place `to` on.
fn sweep_row(start_row: u32, local: u32, write: bool, to: u32) -> u32 {
    let rank = start_row + local;
    let in_range = rank < params.last_row;
    let i = ranked[min(rank, params.ranks - 1u)];
    let bound = bounds[i];
    let layer = bodies[i].layer;
    let hits = bodies[i].hits;
    // The rows of a group lie in two tiles at most.
    let last_tile = (params.ranks - 1u) / TILE;
    let group_bound = join(tiles[start_row / TILE], tiles[min((start_row + TILE - 1u) / TILE, last_tile)]);
    var count = 0u;
    // From the tile that holds the first row of the group: earlier ones hold no later body. Columns begin with a tile.
    for (var start = max(start_row / TILE * TILE, params.first_column); start < params.last_column; start += TILE) {
        let tile_bound = tiles[start / TILE];
        if !bounds_meet(group_bound, tile_bound, TOUCH_INCLUDED) {
            continue;
        }
        workgroupBarrier();
        if start + local < params.last_column {
            tile[local] = bounds[ranked[start + local]];
        }
        workgroupBarrier();
        if in_range && bounds_meet(bound, tile_bound, TOUCH_INCLUDED) {
            let end = min(params.last_column, start + TILE);
            for (var k = max(start, rank + 1u); k < end; k++) {
                if bounds_meet(bound, tile[k - start], params.touch) {
                    let j = ranked[k];
                    if sees(layer, hits, bodies[j].layer, bodies[j].hits) {
                        if write {
                            candidates[to + count] = vec2<u32>(min(i, j), max(i, j));
                        }
                        count++;
                    }
                }
            }
        }
    }
    return count;
}

@compute @workgroup_size(256)
fn count_rows(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let start_row = params.dispatch_row + invocation(group, groups, 0u, TILE);
    let count = sweep_row(start_row, local, false, 0u);
    if start_row + local < params.last_row {
        rows[start_row + local - params.first_row] += count;
    }
}

@compute @workgroup_size(256)
fn write_rows(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let start_row = params.dispatch_row + invocation(group, groups, 0u, TILE);
    let row = min(start_row + local, params.last_row - 1u) - params.first_row;
    let to = rows[row];
    let count = sweep_row(start_row, local, true, to);
    if start_row + local < params.last_row {
        rows[row] = to + count;
    }
}
