// Bounds and filters of bodies in their order along the curve, with those of each tile of 64 bodies and of each block
// of 64 tiles. Also clears the words in which the sweep and the order of pairs count. One workgroup a tile or a block.

// needs: bodies, tile, types

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> bodies: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read> bounds: array<Aabb>;
@group(0) @binding(6) var<storage, read_write> rows: array<u32>;
// The bounds of tiles, followed by those of blocks.
@group(0) @binding(14) var<storage, read_write> tiles: array<Aabb>;
@group(0) @binding(15) var<storage, read> elements: array<vec2<u32>>;
@group(0) @binding(16) var<storage, read_write> boxes: array<Aabb>;
// The filters of ranks, followed by those of tiles and those of blocks.
@group(0) @binding(17) var<storage, read_write> filters: array<Filter>;
@group(0) @binding(18) var<storage, read_write> swept: array<u32>;

@compute @workgroup_size(TILE)
fn bound_tiles(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let tile = group_index(group, groups);
    let rank = tile * TILE + local;
    var own = NOWHERE;
    var filter_ = Filter();
    if rank < params.bodies {
        let body = elements[rank].y;
        own = bounds[body];
        filter_ = filter_of(load_body(body), own);
        rows[rank] = 0u;
    }
    join_all(own, filter_, local);
    let count = tiles_of(params.bodies);
    // The last tile is padded with boxes that are nowhere.
    if tile < count {
        boxes[rank] = own;
        filters[rank] = filter_;
        if local == 0u {
            swept[tile] = 0u;
            tiles[tile] = joined[0];
            filters[count * TILE + tile] = filter_of_all();
        }
    }
}

@compute @workgroup_size(TILE)
fn bound_blocks(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let block = group_index(group, groups);
    let count = tiles_of(params.bodies);
    var own = NOWHERE;
    var filter_ = Filter();
    if block * TILE + local < count {
        own = tiles[block * TILE + local];
        filter_ = filters[count * TILE + block * TILE + local];
    }
    join_all(own, filter_, local);
    // This dispatch only reads tiles, and only writes blocks.
    if local == 0u && block < tiles_of(count) {
        tiles[count + block] = joined[0];
        filters[count * TILE + count + block] = filter_of_all();
    }
}
