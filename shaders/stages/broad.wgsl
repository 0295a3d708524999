// The broad phase of sorted bodies: every body against every later one in their order, but for blocks and tiles that
// are out of reach, or on layers that do not meet.
//
//     for each tile of rows, a workgroup:
//         for each block of 64 tiles whose bounds and layers meet:          an invocation looks at a block
//             for each tile of it whose bounds and layers meet:             an invocation looks at a tile
//                 for each body of that tile: is it to be listed?           tables.wgsl; an invocation has a row
//
// In a dispatch, a workgroup compares its tile with `params.tiles_each` others at most. It writes down where it stops,
// and goes on from there in the next dispatch.

@group(0) @binding(14) var<storage, read> tiles: array<Aabb>;
@group(0) @binding(15) var<storage, read> elements: array<vec2<u32>>;
@group(0) @binding(16) var<storage, read> boxes: array<Aabb>;
// For each tile of rows, the tile to go on with. Only the tile's workgroup reads and writes it: so plain words do.
@group(0) @binding(18) var<storage, read_write> swept: array<u32>;

// Whether the columns that a row meets are looked up in tables. Else all of a tile are compared one by one, which is
// faster on a GPU in software: there four words of workgroup memory that are the same for all invocations cost less
// than eight that are not.
override TABLES: bool = true;

// The most later candidates of a row, found in one dispatch, up to which two SMALL_TURNED sprites are sampled. A sprite
// takes as long to paint as three to five pairs to sample, and for a row that is painted its columns are painted too.
const FEW: u32 = 8u;

// A tile of rows is compared with all tiles.
const ALL: u32 = 0xFFFFFFFFu;

var<workgroup> next_tile: u32;

// The body of a rank.
fn body_at(rank: u32) -> u32 {
    return elements[rank].y;
}

// Whether layers let some body of a tile of rows hit one of a tile or a block, whose layers are `filters[other]`. Asked
// only where layers part the world.
fn may_meet(own: Filter, other: u32) -> bool {
    return params.lone_layers == 0u || layers_meet(own, filters[other]);
}

// Of 32 columns, from the `first` of the tile on, those that meet a box.
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
    // Behind the filters of all ranks.
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
    // The later candidates of the row so far.
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
                    bits = near(places);
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
                // Also keeps the columns until all rows are done with them.
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

// A bit for each invocation behind this one.
fn later(local: u32) -> vec2<u32> {
    let above = 0xFFFFFFFEu << (local & 31u);
    return select(vec2<u32>(0u, above), vec2<u32>(above, 0xFFFFFFFFu), local < 32u);
}
