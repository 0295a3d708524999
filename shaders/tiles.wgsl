// Bodies in their order, with the bounds of each tile of 64 of them, and of each block of 64 tiles. One workgroup a tile or block.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> bodies: array<Body>;
@group(0) @binding(5) var<storage, read> bounds: array<Aabb>;
@group(0) @binding(16) var<storage, read_write> tiles: array<Aabb>;
@group(0) @binding(17) var<storage, read> elements: array<vec2<u32>>;
@group(0) @binding(18) var<storage, read_write> boxes: array<Aabb>;
@group(0) @binding(19) var<storage, read_write> filters: array<vec2<u32>>;

var<workgroup> joined: array<Aabb, TILE>;

// The box around those of all invocations, in the first of `joined`.
fn join_all(own: Aabb, local: u32) {
    joined[local] = own;
    workgroupBarrier();
    for (var half = TILE / 2u; half > 0u; half /= 2u) {
        if local < half {
            joined[local] = join(joined[local], joined[local + half]);
        }
        workgroupBarrier();
    }
}

@compute @workgroup_size(64)
fn bound_tiles(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let tile = group.y * groups.x + group.x;
    let rank = tile * TILE + local;
    var own = NOWHERE;
    var filter_ = vec2<u32>(0u, 0u);
    if rank < params.bodies {
        var body = rank;
        if params.sorted == 1u {
            body = elements[rank].y;
        }
        own = bounds[body];
        filter_ = vec2<u32>(bodies[body].layer, bodies[body].hits);
    }
    join_all(own, local);
    // The last tile is filled up with boxes nowhere.
    if tile < tiles_of(params.bodies) {
        boxes[rank] = own;
        filters[rank] = filter_;
        if local == 0u {
            tiles[tile] = joined[0];
        }
    }
}

// The blocks stand behind the tiles.
@compute @workgroup_size(64)
fn bound_blocks(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let block = group.y * groups.x + group.x;
    let count = tiles_of(params.bodies);
    var own = NOWHERE;
    if block * TILE + local < count {
        own = tiles[block * TILE + local];
    }
    join_all(own, local);
    if local == 0u && block < tiles_of(count) {
        tiles[count + block] = joined[0];
    }
}
