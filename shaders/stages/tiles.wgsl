// Bounds and filters of bodies in the order of the broad phase, with the bounds and layers of each tile of 64 bodies
// and of each block of 64 tiles. One workgroup a tile or a block.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> bodies: array<Body>;
@group(0) @binding(5) var<storage, read> bounds: array<Aabb>;
// The bounds of tiles, and behind them those of blocks.
@group(0) @binding(16) var<storage, read_write> tiles: array<Aabb>;
@group(0) @binding(17) var<storage, read> elements: array<vec2<u32>>;
@group(0) @binding(18) var<storage, read_write> boxes: array<Aabb>;
// Behind those of ranks, the layers of tiles, and behind them those of blocks.
@group(0) @binding(19) var<storage, read_write> filters: array<Filter>;

var<workgroup> joined: array<Aabb, TILE>;
// The layers that some body is on, and those that some hits. Zeros at the beginning, as all workgroup memory.
var<workgroup> layers: atomic<u32>;
var<workgroup> hits: atomic<u32>;

// Leaves the box around the boxes of all invocations in `joined[0]`, and their layers in `layers` and `hits`.
fn join_all(own: Aabb, filter_: Filter, local: u32) {
    joined[local] = own;
    atomicOr(&layers, filter_.layer);
    atomicOr(&hits, filter_.hits);
    workgroupBarrier();
    for (var half = TILE / 2u; half > 0u; half /= 2u) {
        if local < half {
            joined[local] = join(joined[local], joined[local + half]);
        }
        workgroupBarrier();
    }
}

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
        var body = rank;
        if params.sorted == 1u {
            body = elements[rank].y;
        }
        own = bounds[body];
        // What is nowhere meets nothing, on whatever layer it is.
        if is_somewhere(own) {
            filter_ = Filter(bodies[body].layer, bodies[body].hits, bodies[body].group);
        }
    }
    join_all(own, filter_, local);
    let count = tiles_of(params.bodies);
    // The last tile is filled up with boxes that are nowhere.
    if tile < count {
        boxes[rank] = own;
        filters[rank] = filter_;
        if local == 0u {
            tiles[tile] = joined[0];
            filters[count * TILE + tile] = Filter(atomicLoad(&layers), atomicLoad(&hits), 0u);
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
    // Tiles are only read here, and blocks only written.
    if local == 0u && block < tiles_of(count) {
        tiles[count + block] = joined[0];
        filters[count * TILE + count + block] = Filter(atomicLoad(&layers), atomicLoad(&hits), 0u);
    }
}
