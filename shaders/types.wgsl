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

// A box that meets no other.
const NOWHERE: Aabb = Aabb(vec2<i32>(0x7FFFFFFF, 0x7FFFFFFF), vec2<i32>(-0x7FFFFFFF - 1, -0x7FFFFFFF - 1));

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

// A body that is to be put in its place.
struct Changed {
    body: Body,
    index: u32,
    unused: u32,
}

struct Shape {
    first: u32,
    stride: u32,
    vertices: u32,
    corners: u32,
    size: vec2<i32>,
    anchor: vec2<i32>,
}

// What one dispatch is told. A rank is a body's place in the order of the broad phase.
struct Params {
    bodies: u32,
    touch: u32,
    // Whether bodies are sorted: 0 or 1. Where they are not, a body's rank is its index.
    sorted: u32,
    // The ranks whose pairs with later ones are asked for.
    first_row: u32,
    last_row: u32,
    // The first element of this dispatch, be it a tile, a candidate, a pair or a slot of `dispatches`.
    first: u32,
    // The number of elements that are scanned or sorted, or dispatches that are planned, or the bodies that changed.
    count: u32,
    // The candidates that there is room for.
    capacity: u32,
    // The tiles that a workgroup of the broad phase compares its own with in a dispatch.
    tiles: u32,
    // The lowest bit of a digit; where elements come from, and where they go.
    shift: u32,
    source: u32,
    sink: u32,
    // Whether pairs go on from where they were left: 0 or 1.
    resume: u32,
    // What an invocation of the narrow phase may do, in iterations of loops.
    fuel: i32,
    // Whether some sprite is painted ahead: 0 or 1.
    paints: u32,
    // How far `loops_were_cut` counts.
    sentinel: u32,
    // The most workgroups in a dimension of a dispatch.
    groups: u32,
}

// What a step counts, for later dispatches and for the host, which makes it 0 but for the extent.
struct Header {
    // The pairs that hit, and whether all that was asked for lies on the GPU: 0 or 1. Hosts read these two as well.
    pairs: u32,
    complete: u32,
    // Whether loops were cut: 0 or 1.
    cut: atomic<u32>,
    // The rows of tiles that the broad phase has done.
    swept: atomic<u32>,
    // The candidates, also those that there is no room for: the low and the high word.
    candidates: atomic<u32>,
    candidates_high: atomic<u32>,
    // The candidates that are listed: all, or where there is no room for all or not all are found, none.
    listed: u32,
    // Of these, the pairs of masks at rest with small and with large overlaps, and all that bounds do not decide.
    small_masks: atomic<u32>,
    large_masks: atomic<u32>,
    others: atomic<u32>,
    // The candidates without a verdict yet, and the pairs without all of their details.
    unjudged: atomic<u32>,
    undetailed: atomic<u32>,
    // The rows of pairs too long for one invocation to sort, and those too long for a workgroup.
    long_rows: atomic<u32>,
    longest_rows: atomic<u32>,
    // The sprites to paint.
    paintings: atomic<u32>,
    // The sort's passes that are not needed, a cell's size as a power of two, and the bits of a cell along an axis.
    idle_passes: u32,
    cell: u32,
    axis_bits: u32,
    // The bits of the size of a typical body.
    typical: u32,
    // All centres.
    min_x: atomic<i32>,
    min_y: atomic<i32>,
    max_x: atomic<i32>,
    max_y: atomic<i32>,
    // Bodies by the bits of their size.
    sizes: array<atomic<u32>, 32>,
    unused: array<u32, 9>,
    // A bit for each body that hits.
    flags: array<atomic<u32>>,
}

const TOUCH_EXCLUDED: u32 = 0u;
const TOUCH_INCLUDED: u32 = 1u;

// What came of a candidate.
const MISS: u32 = 0u;
const HIT: u32 = 1u;
const UNFINISHED: u32 = 2u;

// What a pair carries: `time` is a numerator and a denominator, 0 where there is none; `sprite` is 1 where the rest is meant.
struct Detail {
    time: vec2<u32>,
    area: vec2<u32>,
    bounds: vec4<i32>,
    first: vec2<i32>,
    sprite: u32,
    // 1 where the pair is not done.
    unfinished: u32,
    sum_x: vec2<u32>,
    sum_y: vec2<u32>,
}

// Bodies of a tile of the broad phase, tiles of a block, and invocations in its workgroups.
const TILE: u32 = 64u;

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

// The tiles of the bodies, and the blocks of the tiles.
fn tiles_of(bodies: u32) -> u32 {
    return (bodies + TILE - 1u) / TILE;
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
