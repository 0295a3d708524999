// What src/packed.rs and src/gpu/params.rs lay out; a test compares the two, member by member.

const SPRITE: u32 = 1u;
const UNTURNED: u32 = 2u;
const EMPTY: u32 = 4u;
const ALIGNED: u32 = 8u;
const NO_SLOT: u32 = 0xFFFFFFFFu;

// A lattice point or vector, in steps of 1/256 unit, is a vec2<i32>.

struct Aabb {
    min: vec2<i32>,
    max: vec2<i32>,
}

// Two rows of a linear part: a convex body's, or the inverse of a sprite's.
struct Snapped {
    x: vec2<i32>,
    y: vec2<i32>,
}

struct Body {
    position: vec2<i32>,
    motion: vec2<i32>,
    linear: Snapped,
    extent: Aabb,
    shape: u32,
    radius: i32,
    layer: u32,
    hits: u32,
    flags: u32,
    slot: u32,
}

struct Shape {
    first: u32,
    stride: u32,
    vertices: u32,
    corners: u32,
    size: vec2<i32>,
    anchor: vec2<i32>,
}

// What one dispatch is told. Rows and columns are bodies in the order of the broad phase, as the first and second of their pairs.
struct Params {
    bodies: u32,
    // The bodies that are anywhere, and so have a rank in the order of the broad phase.
    ranks: u32,
    touch: u32,
    // The rows whose pairs are asked for; of this dispatch, the first row and the columns.
    first_row: u32,
    last_row: u32,
    dispatch_row: u32,
    first_column: u32,
    last_column: u32,
    // The number of elements to scan, or the end of the candidates or pairs of this dispatch.
    count: u32,
    // The first candidate or pair of this dispatch.
    first: u32,
    // What an invocation of the narrow phase may do, in iterations of loops.
    fuel: i32,
    // The first painted word in `landed`.
    painted: u32,
    // How far `loops_were_cut` counts.
    sentinel: u32,
}

const TOUCH_EXCLUDED: u32 = 0u;
const TOUCH_INCLUDED: u32 = 1u;

// The first word of `flags` counts the pairs that a dispatch has left unfinished, and has this bit where loops were cut; the flags of
// bodies begin at the second.
const CUT: u32 = 0x80000000u;

// What a pair carries: `time` is a numerator and a denominator, 0 where there is none; `sprite` is 1 where the rest is meant.
struct Detail {
    time: vec2<u32>,
    area: vec2<u32>,
    bounds: vec4<i32>,
    first: vec2<i32>,
    sprite: u32,
    unused: u32,
    sum_x: vec2<u32>,
    sum_y: vec2<u32>,
}

// Bodies of a tile of the broad phase, and invocations in its workgroups.
const TILE: u32 = 256u;

fn is(body: Body, flags: u32) -> bool {
    return (body.flags & flags) == flags;
}

fn moves(body: Body) -> bool {
    return any(body.motion != vec2<i32>(0, 0));
}

fn sees(layer: u32, hits: u32, other_layer: u32, other_hits: u32) -> bool {
    return (layer & other_hits) != 0u && (other_layer & hits) != 0u;
}

// The world pixel from which a sprite's extent counts.
fn origin(body: Body, shape: Shape) -> vec2<i32> {
    if is(body, UNTURNED) {
        return (body.position - shape.anchor + 127) >> vec2<u32>(8u, 8u);
    }
    return body.position >> vec2<u32>(8u, 8u);
}

// The pixels that a sprite may paint, `max` excluded.
fn sprite_pixels(body: Body, shape: Shape) -> Aabb {
    let corner = origin(body, shape);
    return Aabb(corner + body.extent.min, corner + body.extent.max);
}

// What the body reaches where it stands, in lattice steps.
fn reach(body: Body, shape: Shape) -> Aabb {
    if is(body, EMPTY) {
        return body.extent;
    }
    if is(body, SPRITE) {
        let pixels = sprite_pixels(body, shape);
        return Aabb(pixels.min << vec2<u32>(8u, 8u), pixels.max << vec2<u32>(8u, 8u));
    }
    return Aabb(body.position + body.extent.min, body.position + body.extent.max);
}

// The 32-bit words of a row of a sprite painted ahead: whole 64-bit words.
fn painted_stride(body: Body) -> u32 {
    return (u32(body.extent.max.x - body.extent.min.x) + 63u) / 64u * 2u;
}

fn join(a: Aabb, b: Aabb) -> Aabb {
    return Aabb(min(a.min, b.min), max(a.max, b.max));
}

fn bounds_meet(a: Aabb, b: Aabb, touch: u32) -> bool {
    if touch == TOUCH_INCLUDED {
        return all(a.min <= b.max) && all(b.min <= a.max);
    }
    return all(a.min < b.max) && all(b.min < a.max);
}

// The number of this invocation in a dispatch whose groups are folded into two dimensions.
fn invocation(group: vec3<u32>, groups: vec3<u32>, local: u32, size: u32) -> u32 {
    return (group.y * groups.x + group.x) * size + local;
}

// Whether the driver has ended some loop of this invocation early. Lavapipe ends all loops after 65,535 iterations in sum, without a
// word: a loop of few more tells.
fn loops_were_cut(sentinel: u32) -> bool {
    var counted = 0u;
    while counted < sentinel {
        counted++;
    }
    return counted < sentinel;
}
