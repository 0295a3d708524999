// Judges two turned sprites at rest by their texels: they hit if both are solid under the centre of some pixel that
// both may paint. So sprites with few later candidates need not be painted. A workgroup takes one candidate after the
// other, while it has fuel; adjacent invocations test adjacent pixels.

// needs: asked, bodies, lists, sample, types, unjudged, verdict

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> bodies: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> shapes: array<Shape>;
@group(0) @binding(3) var<storage, read> atlas: array<u32>;
@group(0) @binding(7) var<storage, read> candidates: array<vec2<u32>>;
// No two invocations write the same word, and the lists behind the verdicts are only read here, so plain words are
// enough.
@group(0) @binding(9) var<storage, read_write> verdicts: array<u32>;
@group(0) @binding(13) var<storage, read_write> header: Header;

// The fuel that a turn of the workgroup costs: as long as six iterations of other loops.
const TURN_FUEL: u32 = 6u;
// The pixels that an invocation tests in a turn, before it checks whether another has found one that both paint.
const PIXELS_EACH: u32 = 2u;

// Whether some invocation of the workgroup has found a pixel that both paint.
var<workgroup> both_paint: atomic<u32>;

// A pixel of the box in which two sprites overlap: its column, and the texel coordinates of both under its centre, with
// 16 fractional bits.
struct Place {
    x: u32,
    a: vec2<i32>,
    b: vec2<i32>,
}

// The step from a pixel of the box to the one GROUP later, row by row.
struct Step {
    // The columns to move right, before wrapping at the box's width.
    along: u32,
    width: u32,
    // The change of texel coordinates without a wrap, and with one.
    stay_a: vec2<i32>,
    stay_b: vec2<i32>,
    wrap_a: vec2<i32>,
    wrap_b: vec2<i32>,
}

// Returns the texel coordinates of a sprite under the centre of pixel `at`.
fn texels_near(body: Body, shape: Shape, at: vec2<i32>) -> vec2<i32> {
    let u = texel_near(body.position, body.linear.x, shape.anchor.x, at);
    return vec2<i32>(u, texel_near(body.position, body.linear.y, shape.anchor.y, at));
}

// Returns the change of texel coordinates for a move by `by` pixels.
fn texels_by(linear: Snapped, by: vec2<i32>) -> vec2<i32> {
    return vec2<i32>(linear.x.x, linear.y.x) * by.x + vec2<i32>(linear.x.y, linear.y.y) * by.y;
}

fn next_place(place: Place, step: Step) -> Place {
    let x = place.x + step.along;
    let wraps = x >= step.width;
    return Place(
        select(x, x - step.width, wraps),
        place.a + select(step.stay_a, step.wrap_a, wraps),
        place.b + select(step.stay_b, step.wrap_b, wraps),
    );
}

// Searches for a pixel that both sprites of a candidate paint, and records it. Returns the turns that this may take,
// equal for all invocations.
fn look_for_pixel(pair: vec2<u32>, local: u32) -> u32 {
    let a = load_body(pair.x);
    let b = load_body(pair.y);
    let shape_a = shapes[a.shape];
    let shape_b = shapes[b.shape];
    let pixels_a = sprite_pixels(a);
    let pixels_b = sprite_pixels(b);
    let corner = max(pixels_a.min, pixels_b.min);
    let size = vec2<u32>(max(min(pixels_a.max, pixels_b.max) - corner, vec2<i32>(0, 0)));
    let width = max(size.x, 1u);
    let at = corner + vec2<i32>(i32(local % width), i32(local / width));
    var place = Place(local % width, texels_near(a, shape_a, at), texels_near(b, shape_b, at));
    let stay = vec2<i32>(i32(GROUP % width), i32(GROUP / width));
    let wrap = stay + vec2<i32>(-i32(width), 1);
    let step = Step(
        GROUP % width,
        width,
        texels_by(a.linear, stay),
        texels_by(b.linear, stay),
        texels_by(a.linear, wrap),
        texels_by(b.linear, wrap),
    );
    let turns = (size.x * size.y + GROUP * PIXELS_EACH - 1u) / (GROUP * PIXELS_EACH);
    // Below the box, where the last turn may end, one of them has no texel, and paints nothing.
    for (var turn = 0u; turn < turns && atomicLoad(&both_paint) == 0u; turn++) {
        var solid = 0u;
        for (var k = 0u; k < PIXELS_EACH; k++) {
            let solid_a = texel(shape_a, place.a >> vec2<u32>(16u, 16u));
            solid |= solid_a & texel(shape_b, place.b >> vec2<u32>(16u, 16u));
            place = next_place(place, step);
        }
        if solid == 1u {
            atomicStore(&both_paint, 1u);
        }
    }
    return turns;
}

@compute @workgroup_size(GROUP)
fn judge_sampled(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    var fuel = params.fuel;
    let stride = group_count(groups);
    for (var n = group_index(group, groups); ; n += stride) {
        if local == 0u {
            atomicStore(&both_paint, 0u);
        }
        let c = ask(SAMPLED_PAIRS, n, fuel, local);
        if c == NONE {
            break;
        }
        if c == JUDGED {
            continue;
        }
        fuel -= i32(TURN_FUEL * (look_for_pixel(bodies_of(candidates[c]), local) + 1u));
        workgroupBarrier();
        if local == 0u {
            give_verdict(c, atomicLoad(&both_paint) == 1u);
            finish_candidate();
        }
    }
    tell_fuel(fuel);
    if loops_were_cut(params.sentinel) {
        atomicStore(&header.cut, 1u);
    }
}
