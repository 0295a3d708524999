// The broad phase: every body against every later one in their order, but for blocks and tiles whose bounds are out of reach.
//
//     for each tile of rows, a workgroup:
//         for each block of 64 tiles whose bounds meet the tile's:          an invocation looks at a block
//             for each tile of it whose bounds do:                          an invocation looks at a tile
//                 for each body of that tile: do bounds meet, do filters?   an invocation has a row
//
// Candidates are listed as they are found, in no order: what hits is put in order later. All are counted, those that fit are listed.
// A workgroup goes over so many tiles in a dispatch, and on from there in the next.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(7) var<storage, read_write> candidates: array<vec2<u32>>;
@group(0) @binding(15) var<storage, read_write> header: Header;
@group(0) @binding(16) var<storage, read> tiles: array<Aabb>;
@group(0) @binding(17) var<storage, read> elements: array<vec2<u32>>;
@group(0) @binding(18) var<storage, read> boxes: array<Aabb>;
@group(0) @binding(19) var<storage, read> filters: array<vec2<u32>>;
@group(0) @binding(20) var<storage, read_write> marked: array<atomic<u32>>;
@group(0) @binding(21) var<storage, read_write> swept: array<u32>;

// Where a tile of rows is that has been compared with all.
const ALL: u32 = 0xFFFFFFFFu;

var<workgroup> columns: array<Aabb, TILE>;
var<workgroup> votes: array<atomic<u32>, 2>;
var<workgroup> voted: vec2<u32>;
var<workgroup> found: atomic<u32>;
var<workgroup> told: u32;

// A bit for each invocation of the group that says yes, to all of them.
fn ballot(yes: bool, local: u32) -> vec2<u32> {
    if yes {
        atomicOr(&votes[local / 32u], 1u << (local & 31u));
    }
    workgroupBarrier();
    if local == 0u {
        voted = vec2<u32>(atomicExchange(&votes[0], 0u), atomicExchange(&votes[1], 0u));
    }
    return workgroupUniformLoad(&voted);
}

fn first_bit(bits: vec2<u32>) -> u32 {
    return select(32u + countTrailingZeros(bits.y), countTrailingZeros(bits.x), bits.x != 0u);
}

fn without_first(bits: vec2<u32>) -> vec2<u32> {
    return select(vec2<u32>(0u, bits.y & (bits.y - 1u)), vec2<u32>(bits.x & (bits.x - 1u), bits.y), bits.x != 0u);
}

fn body_at(rank: u32) -> u32 {
    if params.sorted == 1u {
        return elements[rank].y;
    }
    return rank;
}

// Marks a body for painting.
fn mark(body: u32) {
    let bit = 1u << (body & 31u);
    if (atomicLoad(&marked[body / 32u]) & bit) == 0u {
        atomicOr(&marked[body / 32u], bit);
    }
}

// Which of the columns from the `first` of the tile on, 32 of them, meet a box.
fn meet_columns(own: Aabb, first: u32) -> u32 {
    var bits = 0u;
    for (var k = 0u; k < 32u; k++) {
        bits |= u32(bounds_meet(own, columns[first + k], params.touch)) << k;
    }
    return bits;
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

@compute @workgroup_size(64)
fn sweep(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let row_tile = params.first + group.y * groups.x + group.x;
    let count = tiles_of(params.bodies);
    if row_tile * TILE >= params.last_row {
        return;
    }
    if local == 0u {
        told = swept[row_tile];
    }
    let start = max(workgroupUniformLoad(&told), row_tile);
    if start == ALL {
        return;
    }
    let rank = row_tile * TILE + local;
    let asked = rank >= params.first_row && rank < params.last_row;
    let group_bound = tiles[row_tile];
    let own = boxes[rank];
    let filter_ = filters[rank];
    let row = body_at(min(rank, params.bodies - 1u));
    var left = params.tiles;
    var next = ALL;
    for (var first_block = start / TILE / TILE * TILE; first_block * TILE < count; first_block += TILE) {
        let block = first_block + local;
        let in_range = block * TILE < count && (block + 1u) * TILE > start;
        var blocks = ballot(in_range && bounds_meet(group_bound, tiles[count + min(block, (count - 1u) / TILE)], TOUCH_INCLUDED), local);
        while any(blocks != vec2<u32>(0u, 0u)) && next == ALL {
            let first_tile = (first_block + first_bit(blocks)) * TILE;
            blocks = without_first(blocks);
            let near = first_tile + local;
            var tiles_left = ballot(near >= start && near < count && bounds_meet(group_bound, tiles[min(near, count - 1u)], TOUCH_INCLUDED), local);
            while any(tiles_left != vec2<u32>(0u, 0u)) {
                let tile = first_tile + first_bit(tiles_left);
                if left == 0u {
                    next = tile;
                    break;
                }
                left -= 1u;
                tiles_left = without_first(tiles_left);
                columns[local] = boxes[tile * TILE + local];
                workgroupBarrier();
                var bits = vec2<u32>(0u, 0u);
                if asked && bounds_meet(own, tiles[tile], TOUCH_INCLUDED) {
                    bits = vec2<u32>(meet_columns(own, 0u), meet_columns(own, 32u));
                    if tile == row_tile {
                        bits &= later(local);
                    }
                    bits = vec2<u32>(seen(filter_, tile * TILE, bits.x), seen(filter_, tile * TILE + 32u, bits.y));
                }
                let counted = countOneBits(bits);
                let place = atomicAdd(&found, counted.x + counted.y);
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
                let base = workgroupUniformLoad(&told) + place;
                if any(bits != vec2<u32>(0u, 0u)) {
                    if params.paints == 1u {
                        mark(row);
                    }
                    list(row, tile * TILE, bits.x, base);
                    list(row, tile * TILE + 32u, bits.y, base + counted.x);
                }
            }
        }
        if next != ALL {
            break;
        }
    }
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

// A bit for each invocation behind this.
fn later(local: u32) -> vec2<u32> {
    let above = 0xFFFFFFFEu << (local & 31u);
    return select(vec2<u32>(0u, above), vec2<u32>(above, 0xFFFFFFFFu), local < 32u);
}
