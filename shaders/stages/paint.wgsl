// Paints turned sprites that are marked, once a step, as bits aligned to the world's pixels. The CPU paints the same
// pixels by another algorithm (src/cpu/narrow/paint.rs).

// needs: bodies, flags, listed, sample, types

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> bodies: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> shapes: array<Shape>;
@group(0) @binding(3) var<storage, read> atlas: array<u32>;
@group(0) @binding(4) var<storage, read_write> landed: array<u32>;
@group(0) @binding(13) var<storage, read_write> header: Header;
@group(0) @binding(20) var<storage, read_write> picked: array<u32>;

// Lists the sprites to paint, in no order. One invocation a body.
@compute @workgroup_size(GROUP)
fn pick_sprites(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let i = invocation(group, groups, local);
    if i >= params.bodies || listed() == 0u || !is_marked(i) {
        return;
    }
    // A sprite lands only if it is turned, and not too large to be painted ahead.
    if (load_body(i).flags & SPRITE) != 0u && load_body(i).landed != NOT_LANDED {
        picked[atomicAdd(&header.paintings, 1u)] = i;
    }
}

// Paints the sprites. A workgroup takes one after the other.
@compute @workgroup_size(GROUP)
fn paint(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let count = min(atomicLoad(&header.paintings), params.bodies);
    // Neighbours in the list, which may all be large, go to different dispatches, so that no dispatch is long.
    let first = params.part + params.parts * group_index(group, groups);
    for (var k = first; k < count; k += params.parts * group_count(groups)) {
        let body = load_body(picked[k]);
        let shape = shapes[body.shape];
        let pixels = sprite_pixels(body);
        let stride = painted_stride(body);
        let words = stride * u32(pixels.max.y - pixels.min.y);
        for (var word = local; word < words; word += GROUP) {
            let at = pixels.min + vec2<i32>(32 * i32(word % stride), i32(word / stride));
            landed[2u * body.landed + word] = sample(body, shape, at);
        }
    }
    if loops_were_cut(params.sentinel) {
        atomicStore(&header.cut, 1u);
    }
}
