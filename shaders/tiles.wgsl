// The bounds of each tile of bodies in their order. One workgroup a tile.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(5) var<storage, read> bounds: array<Aabb>;
@group(0) @binding(15) var<storage, read> ranked: array<u32>;
@group(0) @binding(16) var<storage, read_write> tiles: array<Aabb>;

var<workgroup> boxes: array<Aabb, TILE>;

@compute @workgroup_size(256)
fn bound_tiles(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let tile = group.y * groups.x + group.x;
    let rank = min(tile * TILE + local, params.ranks - 1u);
    boxes[local] = bounds[ranked[rank]];
    workgroupBarrier();
    for (var half = TILE / 2u; half > 0u; half /= 2u) {
        if local < half {
            boxes[local] = join(boxes[local], boxes[local + half]);
        }
        workgroupBarrier();
    }
    if local == 0u && tile * TILE < params.ranks {
        tiles[tile] = boxes[0];
    }
}
