// Lands the vertices of convex bodies, and the bounds of all bodies; `land_core` and `bound` are twins of `core` and
// `bound` in src/world/pose/land.rs. Also clears the bits of all bodies. If bodies are not sorted, also makes their
// filters and the bounds of their tiles; otherwise tiles.wgsl does.

// needs: bodies, flags, land_along, tile, types

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> bodies: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> shapes: array<Shape>;
@group(0) @binding(3) var<storage, read> atlas: array<u32>;
@group(0) @binding(4) var<storage, read_write> landed: array<u32>;
@group(0) @binding(5) var<storage, read_write> bounds: array<Aabb>;
@group(0) @binding(13) var<storage, read_write> header: Header;
@group(0) @binding(14) var<storage, read_write> tiles: array<Aabb>;
@group(0) @binding(17) var<storage, read_write> filters: array<Filter>;

// Lands a body's vertices.
fn land_core(body: Body, shape: Shape) {
    for (var i = 0u; i < shape.corners; i++) {
        let word = shape.vertices + 2u * i;
        let p = bitcast<vec2<i32>>(vec2<u32>(atlas[word], atlas[word + 1u]));
        let at = body.position + vec2<i32>(land_along(body.linear.x, p), land_along(body.linear.y, p));
        landed[2u * (body.landed + i)] = bitcast<u32>(at.x);
        landed[2u * (body.landed + i) + 1u] = bitcast<u32>(at.y);
    }
}

// Returns the area that a body reaches within the step; NOWHERE for a body that hits nothing.
fn bound(body: Body) -> Aabb {
    if is_absent(body) {
        return NOWHERE;
    }
    return bound_of(body);
}

// Lands body `i`, stores its bounds, and clears the bits that belong to the invocation. Returns the bounds.
fn land_body(i: u32) -> Aabb {
    // There are at least two bodies, so there are no more words than invocations.
    if i < 2u * flag_words() {
        atomicStore(&header.flags[i], 0u);
    }
    if i >= params.bodies {
        return NOWHERE;
    }
    let body = load_body(i);
    let own = bound(body);
    bounds[i] = own;
    if !is(body, SPRITE) && body.landed != NOT_LANDED {
        land_core(body, shapes[body.shape]);
    }
    if loops_were_cut(params.sentinel) {
        atomicStore(&header.cut, 1u);
    }
    return own;
}

// Lands bodies that will be sorted. One invocation a body.
@compute @workgroup_size(GROUP)
fn land(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    _ = land_body(invocation(group, groups, local));
}

// Lands bodies that keep their order, and makes their filters and the bounds of their tiles. One workgroup a tile.
@compute @workgroup_size(TILE)
fn land_tiles(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let tile = group_index(group, groups);
    let i = tile * TILE + local;
    let own = land_body(i);
    var filter_ = Filter();
    if i < params.bodies {
        filter_ = filter_of(load_body(i), own);
    }
    join_all(own, filter_, local);
    if tile < tiles_of(params.bodies) {
        // The last tile is padded with boxes that are nowhere.
        bounds[i] = own;
        filters[i] = filter_;
        if local == 0u {
            tiles[tile] = joined[0];
        }
    }
}
