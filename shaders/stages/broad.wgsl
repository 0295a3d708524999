// The broad phase of sorted bodies: every body against every later one in their order, except for blocks and tiles that
// are out of reach, or on layers that do not meet.
//
//     for each tile of rows, a workgroup:
//         for each block of 64 tiles whose bounds and layers meet:          an invocation tests a block
//             for each tile of it whose bounds and layers meet:             an invocation tests a tile
//                 for each body of that tile: must it be listed?            tables.wgsl; an invocation has a row
//
// In a dispatch, a workgroup compares its tile with at most `params.tiles_each` others. It saves where it stops, and
// continues from there in the next dispatch.

// needs: ballot, candidates, slabs, tables, types

@group(0) @binding(14) var<storage, read> tiles: array<Aabb>;
@group(0) @binding(15) var<storage, read> elements: array<vec2<u32>>;
@group(0) @binding(16) var<storage, read> boxes: array<Aabb>;
// For each tile of rows, the tile to continue with. Only that tile's workgroup reads and writes it, so plain words are
// enough.
@group(0) @binding(18) var<storage, read_write> swept: array<u32>;

// Whether to look up the columns that a row meets in tables. Otherwise all columns of a tile are compared one by one,
// which is faster on software GPUs: there, four words of workgroup memory that are the same for all invocations cost
// less than eight that differ.
override TABLES: bool = true;

// Two SMALL_TURNED sprites are sampled if the row has at most this many later candidates in one dispatch. A sprite
// takes as long to paint as three to five pairs to sample, and if a row is painted, its columns are painted too.
const FEW: u32 = 8u;

// The value of `swept` once a tile of rows has been compared with all tiles.
const ALL: u32 = 0xFFFFFFFFu;

var<workgroup> next_tile: u32;

// Returns the body of a rank.
fn body_at(rank: u32) -> u32 {
    return elements[rank].y;
}

// Returns whether layers let some body of a tile of rows hit one of a tile or a block, whose filter is
// `filters[other]`. Tested only if layers part the world.
fn may_meet(own: Filter, other: u32) -> bool {
    return params.lone_layers == 0u || layers_meet(own, filters[other]);
}

// Returns those of 32 columns, from column `first` of the tile on, that meet a box.
fn meet_columns(own: Aabb, first: u32) -> u32 {
    var bits = 0u;
    for (var k = 0u; k < 32u; k++) {
        bits |= u32(bounds_meet(own, columns[first + k], params.touch)) << k;
    }
    return bits;
}

@compute @workgroup_size(TILE)
fn sweep(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let row_tile = params.first_tile + group_index(group, groups);
    let count = tiles_of(params.bodies);
    if row_tile * TILE >= params.end_row {
        return;
    }
    if local == 0u {
        next_tile = swept[row_tile];
    }
    // Earlier tiles have these rows as their columns.
    let start = max(workgroupUniformLoad(&next_tile), row_tile);
    if start == ALL {
        return;
    }
    let rank = row_tile * TILE + local;
    let asked = rank >= params.first_row && rank < params.end_row;
    let group_bound = tiles[row_tile];
    // Stored after the filters of all ranks.
    let group_filter = filters[count * TILE + row_tile];
    var own = NOWHERE;
    if asked {
        own = boxes[rank];
    }
    let small = shrunk(own);
    let slabs = slabs_of(group_bound);
    let places = places_of_row(slabs, small);
    let filter_ = filters[rank];
    let row = body_at(min(rank, params.bodies - 1u));
    var left = params.tiles_each;
    // The row's later candidates so far.
    var count_of_row = 0u;
    var next = ALL;
    for (var first_block = start / TILE / TILE * TILE; first_block * TILE < count; first_block += TILE) {
        let block = first_block + local;
        let in_range = block * TILE < count && (block + 1u) * TILE > start;
        let last_block = (count - 1u) / TILE;
        let of_block = count + min(block, last_block);
        let meets = in_range && bounds_meet(group_bound, tiles[of_block], TOUCH_INCLUDED)
            && may_meet(group_filter, count * TILE + of_block);
        var blocks = ballot(meets, local);
        while any(blocks != vec2<u32>(0u, 0u)) && next == ALL {
            let first_tile = (first_block + first_bit(blocks)) * TILE;
            blocks = without_first(blocks);
            let tile_at = first_tile + local;
            let tile_in_range = tile_at >= start && tile_at < count;
            let of_tile = min(tile_at, count - 1u);
            let tile_meets = tile_in_range && bounds_meet(group_bound, tiles[of_tile], TOUCH_INCLUDED)
                && may_meet(group_filter, count * TILE + of_tile);
            var tiles_left = ballot(tile_meets, local);
            while any(tiles_left != vec2<u32>(0u, 0u)) {
                let tile = first_tile + first_bit(tiles_left);
                if left == 0u {
                    next = tile;
                    break;
                }
                left -= 1u;
                tiles_left = without_first(tiles_left);
                let column = boxes[tile * TILE + local];
                columns[local] = column;
                var bits = vec2<u32>(0u, 0u);
                if TABLES {
                    fill_tables(slabs, column, local);
                    bits = columns_at(places);
                } else {
                    workgroupBarrier();
                    if bounds_meet(own, tiles[tile], TOUCH_INCLUDED) {
                        bits = vec2<u32>(meet_columns(own, 0u), meet_columns(own, 32u));
                    }
                }
                if tile == row_tile {
                    bits &= later(local);
                }
                var found = find(small, filter_, tile * TILE, bits, !TABLES);
                count_of_row += count_bits(found.candidates);
                if count_of_row > FEW {
                    found.sampled = vec2<u32>(0u, 0u);
                }
                list(row, tile * TILE, found);
                // Also keeps the columns in place until all rows are done with them.
                workgroupBarrier();
                empty_queue(QUEUE / 2u, local);
            }
        }
        if next != ALL {
            break;
        }
    }
    empty_queue(1u, local);
    if local == 0u {
        swept[row_tile] = next;
        if next == ALL {
            atomicAdd(&header.swept, 1u);
        }
    }
    if loops_were_cut(params.sentinel) {
        atomicStore(&header.cut, 1u);
    }
}

// Returns a bit for each invocation after this one.
fn later(local: u32) -> vec2<u32> {
    let above = 0xFFFFFFFEu << (local & 31u);
    return select(vec2<u32>(0u, above), vec2<u32>(above, 0xFFFFFFFFu), local < 32u);
}
