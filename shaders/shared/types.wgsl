// The data that the host and all shaders share: the structs of src/world/packed.rs and src/gpu/, which a test compares
// member by member, and functions on them.
//
// Every shader relies on two rules. A dispatch sees everything that earlier dispatches have written, so a word is
// plain, not atomic, if at most one invocation writes it in a dispatch and no other reads it before the next. And
// workgroup memory starts as zeros.

// Body.flags: see src/world/packed.rs.
const SPRITE: u32 = 1u;
const UNTURNED: u32 = 2u;
const EMPTY: u32 = 4u;
const ALIGNED: u32 = 8u;
const OFF: u32 = 16u;
const FREE: u32 = 32u;
// For a step's own forms: the body waits for room to land in, and hits nothing until then.
const WAITS: u32 = 64u;
const DETECTOR: u32 = 128u;
// Body.landed of a body of which nothing lands, such as a sprite that is not painted ahead.
const NOT_LANDED: u32 = 0xFFFFFFFFu;

// The invocations of most workgroups, and of those that share much.
const GROUP: u32 = 64u;
const LARGE_GROUP: u32 = 256u;

// A lattice point or vector, in steps of 1/256 unit, is a vec2<i32>.

struct Aabb {
    min: vec2<i32>,
    max: vec2<i32>,
}

// A box that meets no other.
const NOWHERE: Aabb = Aabb(vec2<i32>(0x7FFFFFFF, 0x7FFFFFFF), vec2<i32>(-0x7FFFFFFF - 1, -0x7FFFFFFF - 1));

// A box that every other meets.
const EVERYWHERE: Aabb = Aabb(NOWHERE.max, NOWHERE.min);

fn is_somewhere(bound: Aabb) -> bool {
    return bound.min.x <= bound.max.x;
}

// The two rows of a linear part: a convex body's with 24 fractional bits, or a sprite's inverse with 16.
struct Snapped {
    x: vec2<i32>,
    y: vec2<i32>,
}

// A body; see bodies.wgsl for how it lies in memory.
struct Body {
    position: vec2<i32>,
    motion: vec2<i32>,
    linear: Snapped,
    // The area it reaches, in lattice steps from `position`. For a sprite, rounding down to whole pixels gives the
    // pixels that it may paint, `max` excluded.
    extent: Aabb,
    shape: u32,
    radius: i32,
    // The layers that it is on, the layers that it hits, and its group.
    layers: u32,
    mask: u32,
    group: u32,
    flags: u32,
    // The place in `landed` where its vertices or painted words begin, in units of two words.
    landed: u32,
    // The scale of its linear part, with 23 fractional bits, if its shape has parts with a radius; otherwise 0.
    scale: i32,
}

// The part of a body that decides which others it may hit, and how its pairs are judged.
struct Filter {
    layers: u32,
    mask: u32,
    // Bodies of one group do not hit each other; 0 is no group.
    group: u32,
    // BOX, DISC, SMALL_TURNED, OTHER or DETECTING.
    kind: u32,
}

// An aligned box at rest, or a circle at rest: bounds alone decide pairs of these, so they come first.
const BOX: u32 = 0u;
const DISC: u32 = 1u;
// A turned sprite at rest, small enough that `texel_near` fits an i32 wherever it may paint.
const SMALL_TURNED: u32 = 2u;
// All other bodies but detectors.
const OTHER: u32 = 3u;
// A detector, whatever its shape; or a tile or a block that has one. The greatest kind.
const DETECTING: u32 = 4u;

struct Shape {
    // In `atlas`: the first node of the tree over a convex shape's pieces, or a mask's first row. After the nodes
    // follow the parts of a shape that was made of parts, up to the vertices, and after these the seams.
    first: u32,
    // The number of nodes (0 for a single piece), or of the words of a row.
    stride: u32,
    // In `atlas`: the first vertex, two words each.
    vertices: u32,
    corners: u32,
    size: vec2<i32>,
    anchor: vec2<i32>,
    // The tight box of a mask's solid texels, `max` excluded; empty if `max` is 0.
    solid: Aabb,
    // The radius of a convex shape before it lands; of several parts the greatest.
    radius: i32,
    // The least radius of a piece with two vertices before it lands; -1 if there is none.
    thinnest: i32,
    // The number of entries for the seams of a polygon.
    seams: u32,
    unused: u32,
}

// The parameters of one dispatch. A body's *rank* is its place in the order of the broad phase: along the curve if
// bodies are sorted, else its index. A *row* is a rank whose pairs with later ranks are requested.
struct Params {
    // Streams from the host program: the first word in the buffer, the stride in words, the format of numbers
    // (stream.wgsl), and 1 if the stream exists, else 0. For shape numbers, the third word is the number of shapes.
    positions: vec4<u32>,
    motions: vec4<u32>,
    linears: vec4<u32>,
    shape_numbers: vec4<u32>,
    enabled: vec4<u32>,
    // Equal in all dispatches of a run of rows:
    bodies: u32,
    touch: u32,
    // 1 if bodies are sorted, else 0.
    sorted: u32,
    // 1 if some sprite is painted ahead, else 0.
    paints: u32,
    // 1 if two SMALL_TURNED sprites are sampled where they overlap instead of painted, provided that the row of one has
    // few later candidates; else 0.
    samples: u32,
    // The rows: the first, and the rank after the last.
    first_row: u32,
    end_row: u32,
    // The room for candidates.
    candidate_room: u32,
    // The number of pairs whose details have room; 0xFFFFFFFF, no limit, if details are not requested.
    detail_room: u32,
    // The maximum number of tiles that a workgroup of the broad phase compares with its own rows in a dispatch.
    tiles_each: u32,
    // The fuel of an invocation of the narrow phase in a dispatch, in loop iterations.
    fuel: i32,
    // The number to which `loops_were_cut` counts.
    sentinel: u32,
    // 1 if the step has its own positions and motions, else 0.
    placed: u32,
    // 1 if the step has its own forms, else 0.
    posed: u32,
    // If the step has its own forms, the number of units of two words to land in, and the maximum number of these units
    // for a sprite that is painted ahead.
    landed_room: u32,
    paint_most: u32,
    // If layers part the world, the layers of the lone bodies: most bodies, no two of which can hit each other. Else 0.
    lone_layers: u32,
    // The room for bodies in `bodies`.
    body_room: u32,
    // Bits of whole.wgsl: the parts that are requested.
    asked: u32,
    // 1 if all pairs are sorted after the rows, because a row may be too long for a workgroup; else 0.
    sorts_pairs: u32,
    // The number of pairs for each workgroup of an indirect dispatch over all pairs, at least 1, and the number of
    // vertices of an instance of an indirect draw.
    pairs_each: u32,
    vertices: u32,

    // For the named dispatches only; unused in all others:
    // update: the number of changes, of four words each.
    changed: u32,
    // make_keys: the maximum number of bits of a key.
    key_bits: u32,
    // sweep, sweep_all: the first tile of rows.
    first_tile: u32,
    // sweep_all, paint: the part that it takes, of `parts` equal parts of the columns to compare with, or of the
    // sprites to paint.
    part: u32,
    // sweep_all, paint: the number of parts, at least 1.
    parts: u32,
    // judge_*, detail_*, contact_*: 0 if it starts the pairs, else the number of rounds, including this one, that have
    // resumed pairs of an earlier dispatch.
    round: u32,
    // detail_*: 1 to do nothing unless the pairs are complete, in order and few enough; else 0.
    if_whole: u32,
    // detail_*: the first pair; its details come first in their buffer.
    first_pair: u32,
    // Sorting: the number of elements, or the room for them.
    elements: u32,
    // Sorting: 1 if the elements are all pairs, whose number the header has; else 0. They are not sorted if no row is
    // too long for a workgroup.
    all_pairs: u32,
    // Sorting: the word of an element that contains the digit, 0 or 1.
    word: u32,
    // Sorting: the lowest bit of the digit in its word.
    shift: u32,
    // make_keys, count_digits, scatter_digits: the index at which the elements begin before the pass.
    source: u32,
    // scatter_digits: the index at which the elements begin after the pass.
    sink: u32,
}

// The counts of a step, for later dispatches and for the host, which resets them before each run of rows.
// Members that are not atomic are written by one invocation of a dispatch, and read by others only in later dispatches:
// within one, nothing makes a workgroup see what another has written, and atomics do so only for themselves.
struct Header {
    // The number of pairs that hit. Host programs also read this and the next three.
    pairs: u32,
    // 1 if everything that was requested is on the GPU, else 0.
    complete: u32,
    // The number of bodies whose poses on the GPU were beyond the limits.
    skipped: atomic<u32>,
    // Bits of whole.wgsl: the parts of the answer that are complete, and why others are not.
    whole: u32,
    // Arguments of an indirect dispatch over all pairs: workgroups in x, y and z. None while pairs are incomplete.
    dispatch: array<u32, 3>,
    // Arguments of an indirect draw of an instance for each pair: vertices, instances, the first of each. No instances
    // while pairs are incomplete.
    draw: array<u32, 4>,
    // 1 if the driver has cut loops short, else 0.
    cut: atomic<u32>,
    // The number of tiles of rows that the sorted broad phase has finished.
    swept: atomic<u32>,
    // The number of candidates, including those that did not fit: the low and the high word.
    candidates: atomic<u32>,
    candidates_high: atomic<u32>,
    // The lengths of the lists of candidates that bounds do not decide (lists.wgsl).
    lists: array<atomic<u32>, 6>,
    // The number of candidates without a verdict yet.
    unjudged: atomic<u32>,
    // The number of pairs that still lack details.
    undetailed: atomic<u32>,
    // The last rounds in which candidates were judged, and in which details were gathered; 1 if the first dispatch was
    // enough, but some invocation used more than half of its fuel.
    judge_rounds: atomic<u32>,
    detail_rounds: atomic<u32>,
    // The number of pairs whose ways out are found or left to the host, and the last round in which some were.
    contacted: atomic<u32>,
    contact_rounds: atomic<u32>,
    // The number of rows of pairs that are too long for a workgroup to sort.
    long_rows: atomic<u32>,
    // 1 if there are too many candidates for the single workgroup that orders the pairs of few bodies, else 0.
    too_many: u32,
    // The number of sprites to paint.
    paintings: atomic<u32>,
    // The number of sort passes that the bodies' keys need.
    key_passes: u32,
    // If the step has its own forms, the units of two words in which all bodies land, including those that did not fit:
    // the low and the high word.
    landed: atomic<u32>,
    landed_high: atomic<u32>,
    // The extent of all centres.
    min_x: atomic<i32>,
    min_y: atomic<i32>,
    max_x: atomic<i32>,
    max_y: atomic<i32>,
    // The number of bodies by the bit length of their size.
    sizes: array<atomic<u32>, 32>,
    // Padding, so that the flags, which host programs bind, begin at a multiple of 256 bytes.
    unused: array<u32, 59>,
    // A bit for each body that hits, followed, in separate words, by a bit for each body that is marked.
    flags: array<atomic<u32>>,
}

const TOUCH_EXCLUDED: u32 = 0u;
const TOUCH_INCLUDED: u32 = 1u;

// The bit of a candidate's higher body that says that bounds have decided a hit. Such a candidate has no verdict.
const DECIDED: u32 = 0x80000000u;
// The bit that says that the two are sampled where they overlap.
const SAMPLED: u32 = 0x40000000u;

// Verdicts on a candidate.
const MISS: u32 = 0u;
const HIT: u32 = 1u;
const UNFINISHED: u32 = 2u;

// The details of a pair.
struct RawDetail {
    // The tick at which the pair first hits, and the ticks of a step; 0 and 0 if neither moves.
    time: vec2<u32>,
    area: vec2<u32>,
    bounds: vec4<i32>,
    first: vec2<i32>,
    // 1 for a pair with a sprite; otherwise `area`, `bounds`, `first` and the sums are meaningless.
    sprite: u32,
    // 1 if the details are not complete.
    unfinished: u32,
    sum_x: vec2<u32>,
    sum_y: vec2<u32>,
}

// The shortest way out of a hit for the pair's first body. Numbers with a fraction are the bits of an f32: shaders may
// not compute with them, as they round as they like.
struct RawContact {
    normal: vec2<u32>,
    depth: u32,
    // Its lowest two bits: SOUGHT, FOUND or LEFT_TO_HOST (contact.wgsl). While the way is sought, all other bits hold
    // the progress.
    state: u32,
    push: vec2<i32>,
    unused: vec2<u32>,
}

// The bodies of a tile, the unit of the broad phase, and the tiles of a block. Its workgroups have an invocation for
// each, so this equals GROUP.
const TILE: u32 = 64u;

fn is(body: Body, flags: u32) -> bool {
    return (body.flags & flags) == flags;
}

fn moves(body: Body) -> bool {
    return any(body.motion != vec2<i32>(0, 0));
}

// Returns the bodies of a candidate, without its bits.
fn bodies_of(candidate: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(candidate.x, candidate.y & ~(DECIDED | SAMPLED));
}

// Returns whether layers let one of two bodies see the other; for tiles, some of their bodies.
fn layers_meet(a: Filter, b: Filter) -> bool {
    let a_hits = (a.mask & b.layers) != 0u;
    let b_hits = (b.mask & a.layers) != 0u;
    return (a_hits && (b_hits || a.kind == DETECTING)) || (b_hits && b.kind == DETECTING);
}

// Returns whether a pair is tested: one of the two sees the other.
fn is_tested(a: Filter, b: Filter) -> bool {
    return layers_meet(a, b) && (a.group == 0u || a.group != b.group);
}

// Returns whether a body hits nothing: it is free, empty, switched off, waiting for room, or on no layer and no
// detector.
fn is_absent(body: Body) -> bool {
    return (body.flags & (EMPTY | OFF | WAITS)) != 0u || (body.layers | (body.flags & DETECTOR)) == 0u;
}

// Returns the pixel that holds a point.
fn pixel(p: vec2<i32>) -> vec2<i32> {
    return p >> vec2<u32>(8u, 8u);
}

// Returns the world pixel of texel (0, 0) of an unturned sprite: the first whose centre lies on or right of the mask's
// edge.
fn origin(body: Body, shape: Shape) -> vec2<i32> {
    return pixel(body.position - shape.anchor + 127);
}

// Returns the pixels that a sprite may paint, `max` excluded.
fn sprite_pixels(body: Body) -> Aabb {
    return Aabb(pixel(body.position + body.extent.min), pixel(body.position + body.extent.max));
}

// Returns the area that a nonempty body reaches where it stands: whole pixels for a sprite.
fn reach(body: Body) -> Aabb {
    let whole = select(-1, -256, is(body, SPRITE));
    let low = (body.position + body.extent.min) & vec2<i32>(whole);
    return Aabb(low, (body.position + body.extent.max) & vec2<i32>(whole));
}

// Returns the area that a nonempty body reaches within the step: at its start, at its end, and between.
fn bound_of(body: Body) -> Aabb {
    let here = reach(body);
    // A sprite may paint other pixels at its end.
    return join(join(here, moved_box(here, gone(body))), reach(at_end(body)));
}

// Returns how far a body goes within the step: a sprite one way along each axis, by whole pixels.
fn gone(body: Body) -> vec2<i32> {
    let whole = vec2<i32>(select(-1, -256, is(body, SPRITE)));
    return ((body.position + body.motion) & whole) - (body.position & whole);
}

// Returns a body at rest where it stands at the end of the step.
fn at_end(body: Body) -> Body {
    var end = body;
    end.position += body.motion;
    end.motion = vec2<i32>(0, 0);
    return end;
}

// Returns the number of 32-bit words in a row of a sprite painted ahead: whole 64-bit words.
fn painted_stride(body: Body) -> u32 {
    let pixels = sprite_pixels(body);
    return (u32(pixels.max.x - pixels.min.x) + 63u) / 64u * 2u;
}

fn join(a: Aabb, b: Aabb) -> Aabb {
    return Aabb(min(a.min, b.min), max(a.max, b.max));
}

// Returns a box moved along a way.
fn moved_box(a: Aabb, way: vec2<i32>) -> Aabb {
    return Aabb(a.min + way, a.max + way);
}

// Returns a box enlarged by `by` on each side.
fn grown(a: Aabb, by: i32) -> Aabb {
    return Aabb(a.min - by, a.max + by);
}

// Returns the area that a box covers while it moves along a way.
fn swept_box(a: Aabb, way: vec2<i32>) -> Aabb {
    return Aabb(a.min + min(way, vec2<i32>(0, 0)), a.max + max(way, vec2<i32>(0, 0)));
}

fn bounds_meet(a: Aabb, b: Aabb, touch: u32) -> bool {
    if touch == TOUCH_INCLUDED {
        return all(a.min <= b.max) && all(b.min <= a.max);
    }
    return all(a.min < b.max) && all(b.min < a.max);
}

// Returns the number of tiles of this many bodies, or of blocks of this many tiles.
fn tiles_of(count: u32) -> u32 {
    return (count + TILE - 1u) / TILE;
}

// Returns the index of a workgroup in a dispatch. More groups than fit in one dimension are folded into two.
fn group_index(group: vec3<u32>, groups: vec3<u32>) -> u32 {
    return group.y * groups.x + group.x;
}

// Returns the number of workgroups of a dispatch.
fn group_count(groups: vec3<u32>) -> u32 {
    return groups.x * groups.y;
}

// Returns the index of an invocation in a dispatch of workgroups of GROUP invocations; below, the number of
// invocations.
fn invocation(group: vec3<u32>, groups: vec3<u32>, local: u32) -> u32 {
    return group_index(group, groups) * GROUP + local;
}

fn invocations(groups: vec3<u32>) -> u32 {
    return group_count(groups) * GROUP;
}

// Returns whether the driver has ended some loop of this invocation early. Lavapipe silently ends all loops of an
// invocation after 65,535 iterations in total. Then this loop, which comes last, ends early too, provided that wgpu
// counts loops; in software it does.
fn loops_were_cut(sentinel: u32) -> bool {
    var counted = 0u;
    while counted < sentinel {
        counted++;
    }
    return counted < sentinel;
}
