// Turned sprites, painted as bits aligned to the world's pixels; twin of src/cpu/paint.rs. One workgroup a body.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> bodies: array<Body>;
@group(0) @binding(2) var<storage, read> shapes: array<Shape>;
@group(0) @binding(3) var<storage, read> atlas: array<u32>;
@group(0) @binding(4) var<storage, read_write> landed: array<u32>;
@group(0) @binding(11) var<storage, read_write> flags: array<atomic<u32>>;

@compute @workgroup_size(64)
fn paint(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let i = params.first + group.y * groups.x + group.x;
    if i >= params.bodies {
        return;
    }
    let body = bodies[i];
    if !is(body, SPRITE) || body.slot == NO_SLOT {
        return;
    }
    let shape = shapes[body.shape];
    let pixels = sprite_pixels(body, shape);
    let stride = painted_stride(body);
    let words = stride * u32(pixels.max.y - pixels.min.y);
    for (var k = local; k < words; k += 64u) {
        let at = pixels.min + vec2<i32>(WORD * i32(k % stride), i32(k / stride));
        landed[params.painted + 2u * body.slot + k] = sample(body, shape, at);
    }
    if loops_were_cut(params.sentinel) {
        atomicOr(&flags[0], CUT);
    }
}
