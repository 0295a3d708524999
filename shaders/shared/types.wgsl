// What the host and all shaders have in common: the structs of src/world/packed.rs and src/gpu/, which a test compares
// member by member, and functions on them.
//
// Every shader relies on two rules. A dispatch sees all that earlier dispatches have written: so a word is plain, not
// atomic, where one invocation at most writes it in a dispatch, and nothing but that invocation reads it before the
// next. And workgroup memory begins as zeros.

// Body.flags: see src/world/packed.rs.
const SPRITE: u32 = 1u;
const UNTURNED: u32 = 2u;
const EMPTY: u32 = 4u;
const ALIGNED: u32 = 8u;
const OFF: u32 = 16u;
const FREE: u32 = 32u;
// Of a step's own forms: it waits for room to land in, and hits nothing before.
const WAITS: u32 = 64u;
// Body.landed of a body of which nothing lands: a sprite that is not painted ahead.
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
    // What it reaches, in lattice steps from `position`. Of a sprite what is rounded down to whole pixels gives those
    // that it may paint, `max` excluded.
    extent: Aabb,
    shape: u32,
    radius: i32,
    // The layers that it is on, those that it hits, and its group.
    layer: u32,
    hits: u32,
    group: u32,
    flags: u32,
    // Where in `landed` its vertices or painted words begin, in units of two words.
    landed: u32,
    unused: u32,
}

// Whom a body may hit, and what it is to its pairs.
struct Filter {
    layer: u32,
    hits: u32,
    // Bodies of one group do not hit each other; 0 is none.
    group: u32,
    // BOX, DISC, SMALL_TURNED or OTHER.
    kind: u32,
}

// An aligned box at rest, or a circle at rest: bounds are all that decides a pair of these. So they come first.
const BOX: u32 = 0u;
const DISC: u32 = 1u;
// A turned sprite at rest that is so small that `texel_near` fits an i32 wherever it may paint.
const SMALL_TURNED: u32 = 2u;
// All others.
const OTHER: u32 = 3u;

struct Shape {
    // In `atlas`: the first node of the tree over a convex shape's pieces, or a mask's first row.
    first: u32,
    // The number of nodes (0 where there is one piece), or of the words of a row.
    stride: u32,
    // In `atlas`: the first vertex, two words each.
    vertices: u32,
    corners: u32,
    size: vec2<i32>,
    anchor: vec2<i32>,
    // The tight box of a mask's solid texels, `max` excluded; none where `max` is 0.
    solid: Aabb,
    // The radius of a convex shape before it lands.
    radius: i32,
    unused: u32,
}

// What one dispatch is told. A body's *rank* is its place in the order of the broad phase: where bodies are sorted,
// along their curve, else its index. A *row* is a rank whose pairs with later ranks are asked for.
struct Params {
    // Streams of the host's, which pose bodies: the first word in their buffer, the words from one body to the next,
    // what numbers are (stream.wgsl), and whether there is the stream: 0 or 1. For the numbers of shapes, the third is
    // how many shapes there are.
    positions: vec4<u32>,
    motions: vec4<u32>,
    linears: vec4<u32>,
    shape_numbers: vec4<u32>,
    enabled: vec4<u32>,
    // The same in all dispatches of a run of rows:
    bodies: u32,
    touch: u32,
    // Whether bodies are sorted: 0 or 1.
    sorted: u32,
    // Whether some sprite is painted ahead: 0 or 1.
    paints: u32,
    // Whether two SMALL_TURNED sprites are sampled where they overlap, not painted, if the row of one has few later
    // candidates: 0 or 1.
    samples: u32,
    // The rows: the first, and the rank behind the last.
    first_row: u32,
    end_row: u32,
    // The candidates that there is room for.
    candidate_room: u32,
    // The pairs whose details there is room for; without limit, 0xFFFFFFFF, where details are not asked for.
    detail_room: u32,
    // The tiles that a workgroup of the broad phase compares its own rows with, at most, in a dispatch.
    tiles_each: u32,
    // What an invocation of the narrow phase may do in a dispatch, in iterations of loops.
    fuel: i32,
    // How far `loops_were_cut` counts.
    sentinel: u32,
    // Whether positions, motions and whatever else of bodies are the step's own: 0 or 1.
    placed: u32,
    // Whether forms are the step's own: 0 or 1.
    posed: u32,
    // Where forms are the step's own, the units of two words that there are to land in, and the most of them for a
    // sprite that is painted ahead.
    landed_room: u32,
    paint_most: u32,
    // Where layers part the world, the layers of the lone bodies: of most, no two of which hit each other. Else 0.
    lone_layers: u32,
    // The bodies that there is room for in `bodies`.
    body_room: u32,
    // Bits of whole.wgsl: the parts that are asked for.
    asked: u32,
    // 1 if all pairs are sorted once rows are, as one may be too long for a workgroup; else 0.
    sorts_pairs: u32,
    // The pairs that a workgroup of an indirect dispatch over all pairs takes, at least 1, and the vertices of an
    // instance of an indirect draw.
    pairs_each: u32,
    vertices: u32,

    // For the dispatches that are named; these mean nothing in all others:
    // update: what has changed of bodies, by four words.
    changed: u32,
    // make_keys: the most bits of a key.
    key_bits: u32,
    // sweep, sweep_all: the first tile of rows.
    first_tile: u32,
    // sweep_all, paint: which of some equal parts of the columns it compares with, of all sprites it paints,
    part: u32,
    // sweep_all, paint: and how many parts there are, at least 1.
    parts: u32,
    // judge_*, detail_*: 0 where pairs begin, else how often they have gone on, with this dispatch, from where an
    // earlier one has left them.
    round: u32,
    // detail_*: whether it has nothing to do where pairs are not whole, in order and few enough, 0 or 1.
    if_whole: u32,
    // detail_*: the first pair; its details come first in their buffer.
    first_pair: u32,
    // Sorting: the number of elements, or the room for them.
    elements: u32,
    // Sorting: 1 if they are all pairs, as many as there are; else 0. Where no row of them is too long for a workgroup,
    // none are sorted.
    all_pairs: u32,
    // Sorting: the word of an element that has the digit, 0 or 1.
    word: u32,
    // Sorting: the lowest bit of the digit in its word.
    shift: u32,
    // make_keys, count_digits, scatter_digits: the index of the first element before the pass.
    source: u32,
    // scatter_digits: the index of the first element behind the pass.
    sink: u32,
}

// What a step counts, for later dispatches and for the host, which makes it 0 but for the extent of centres. Members
// that are not atomic are written by one invocation of a dispatch, and read by others only in later dispatches: within
// one, nothing makes a workgroup see what another has written, and atomics do so only for themselves.
struct Header {
    // The pairs that hit. Hosts read this and the next three too.
    pairs: u32,
    // Whether all that was asked for lies on the GPU: 0 or 1.
    complete: u32,
    // The bodies whose poses on the GPU were beyond the limits.
    skipped: atomic<u32>,
    // Bits of whole.wgsl: the parts of the answer that are whole, and why others are not.
    whole: u32,
    // Arguments of an indirect dispatch over all pairs: workgroups in x, y and z. None while pairs are not whole.
    dispatch: array<u32, 3>,
    // Arguments of an indirect draw of an instance for each pair: vertices, instances, the first of each. No instances
    // while pairs are not whole.
    draw: array<u32, 4>,
    // Whether the driver has cut loops short: 0 or 1.
    cut: atomic<u32>,
    // The tiles of rows that the sorted broad phase is done with.
    swept: atomic<u32>,
    // The candidates, those included that there is no room for: the low and the high word.
    candidates: atomic<u32>,
    candidates_high: atomic<u32>,
    // Of those that are judged, those that bounds do not decide: the lengths of their lists.
    lists: array<atomic<u32>, 6>,
    // The candidates that are not decided yet.
    unjudged: atomic<u32>,
    // The pairs without all of their details yet.
    undetailed: atomic<u32>,
    // The last rounds in which candidates were judged, and in which details were gathered; 1 where the first dispatch
    // was enough, but some invocation has spent more than half of its fuel.
    judge_rounds: atomic<u32>,
    detail_rounds: atomic<u32>,
    // The rows of pairs that are too long for a workgroup to sort.
    long_rows: atomic<u32>,
    // Whether the pairs are too many for one workgroup to put in order, which was to do so: 0 or 1.
    too_many: u32,
    // The sprites to paint.
    paintings: atomic<u32>,
    // The passes that a sort by keys of as many bits as bodies ask for takes.
    key_passes: u32,
    // Where forms are the step's own, the units of two words that all bodies land in, those included that there is no
    // room for: the low and the high word.
    landed: atomic<u32>,
    landed_high: atomic<u32>,
    // The extent of all centres.
    min_x: atomic<i32>,
    min_y: atomic<i32>,
    max_x: atomic<i32>,
    max_y: atomic<i32>,
    // How many bodies have a size of so many bits.
    sizes: array<atomic<u32>, 32>,
    // The flags begin at a multiple of 256 bytes, as hosts must bind them.
    unused: array<u32, 61>,
    // A bit for each body that hits; and behind these, in words of their own, one for each that is marked.
    flags: array<atomic<u32>>,
}

const TOUCH_EXCLUDED: u32 = 0u;
const TOUCH_INCLUDED: u32 = 1u;

// The bit of a candidate's higher body which says that bounds have decided that the two hit: then there is no verdict.
const DECIDED: u32 = 0x80000000u;
// The bit which says that the two are to be sampled where they overlap.
const SAMPLED: u32 = 0x40000000u;

// Verdicts on a candidate.
const MISS: u32 = 0u;
const HIT: u32 = 1u;
const UNFINISHED: u32 = 2u;

// What a pair carries.
struct RawDetail {
    // The tick at which the pair first hits, and the ticks of a step; 0 and 0 where neither moves.
    time: vec2<u32>,
    area: vec2<u32>,
    bounds: vec4<i32>,
    first: vec2<i32>,
    // 1 for a pair with a sprite: else `area`, `bounds`, `first` and the sums mean nothing.
    sprite: u32,
    // 1 where the pair is not done.
    unfinished: u32,
    sum_x: vec2<u32>,
    sum_y: vec2<u32>,
}

// The bodies of a tile, the unit of the broad phase, and the tiles of a block. Its workgroups have an invocation for
// each: so this is GROUP.
const TILE: u32 = 64u;

fn is(body: Body, flags: u32) -> bool {
    return (body.flags & flags) == flags;
}

fn moves(body: Body) -> bool {
    return any(body.motion != vec2<i32>(0, 0));
}

// The bodies of a candidate.
fn bodies_of(candidate: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(candidate.x, candidate.y & ~(DECIDED | SAMPLED));
}

// Whether layers let bodies hit each other; of two tiles, some of their bodies.
fn layers_meet(a: Filter, b: Filter) -> bool {
    return (a.layer & b.hits) != 0u && (b.layer & a.hits) != 0u;
}

// Whether a pair is looked at.
fn sees(a: Filter, b: Filter) -> bool {
    return layers_meet(a, b) && (a.group == 0u || a.group != b.group);
}

// Whether a body hits nothing: it is not there, empty, switched off, or on no layer.
fn is_absent(body: Body) -> bool {
    return (body.flags & (EMPTY | OFF | WAITS)) != 0u || body.layer == 0u || body.hits == 0u;
}

// The pixel that holds a point.
fn pixel(p: vec2<i32>) -> vec2<i32> {
    return p >> vec2<u32>(8u, 8u);
}

// The world pixel of texel (0, 0) of an unturned sprite: the first whose centre lies on or right of the mask's edge.
fn origin(body: Body, shape: Shape) -> vec2<i32> {
    return pixel(body.position - shape.anchor + 127);
}

// The pixels that a sprite may paint, `max` excluded.
fn sprite_pixels(body: Body) -> Aabb {
    return Aabb(pixel(body.position + body.extent.min), pixel(body.position + body.extent.max));
}

// What a body that is not empty reaches where it stands: whole pixels, if it is a sprite.
fn reach(body: Body) -> Aabb {
    let whole = select(-1, -256, is(body, SPRITE));
    let low = (body.position + body.extent.min) & vec2<i32>(whole);
    return Aabb(low, (body.position + body.extent.max) & vec2<i32>(whole));
}

// All that a body which is not empty reaches within the step: where it starts, where it ends, and between.
fn bound_of(body: Body) -> Aabb {
    let here = reach(body);
    // Where a sprite ends, it may paint other pixels.
    return join(join(here, moved_box(here, gone(body))), reach(at_end(body)));
}

// How far a body goes within the step: a sprite one way along each axis, by whole pixels.
fn gone(body: Body) -> vec2<i32> {
    let whole = vec2<i32>(select(-1, -256, is(body, SPRITE)));
    return ((body.position + body.motion) & whole) - (body.position & whole);
}

// A body at rest where it stands at the end of the step.
fn at_end(body: Body) -> Body {
    var end = body;
    end.position += body.motion;
    end.motion = vec2<i32>(0, 0);
    return end;
}

// The 32-bit words of a row of a sprite painted ahead: whole 64-bit words.
fn painted_stride(body: Body) -> u32 {
    let pixels = sprite_pixels(body);
    return (u32(pixels.max.x - pixels.min.x) + 63u) / 64u * 2u;
}

fn join(a: Aabb, b: Aabb) -> Aabb {
    return Aabb(min(a.min, b.min), max(a.max, b.max));
}

// Where a box is moved along a way.
fn moved_box(a: Aabb, way: vec2<i32>) -> Aabb {
    return Aabb(a.min + way, a.max + way);
}

// The box that is larger by so much on each side.
fn grown(a: Aabb, by: i32) -> Aabb {
    return Aabb(a.min - by, a.max + by);
}

// All that a box comes to where it is moved along a way.
fn swept_box(a: Aabb, way: vec2<i32>) -> Aabb {
    return Aabb(a.min + min(way, vec2<i32>(0, 0)), a.max + max(way, vec2<i32>(0, 0)));
}

fn bounds_meet(a: Aabb, b: Aabb, touch: u32) -> bool {
    if touch == TOUCH_INCLUDED {
        return all(a.min <= b.max) && all(b.min <= a.max);
    }
    return all(a.min < b.max) && all(b.min < a.max);
}

// The tiles of so many bodies, or the blocks of so many tiles.
fn tiles_of(count: u32) -> u32 {
    return (count + TILE - 1u) / TILE;
}

// The index of a workgroup in a dispatch. More groups than a dimension takes are folded into two.
fn group_index(group: vec3<u32>, groups: vec3<u32>) -> u32 {
    return group.y * groups.x + group.x;
}

// The workgroups of a dispatch.
fn group_count(groups: vec3<u32>) -> u32 {
    return groups.x * groups.y;
}

// The index of an invocation in a dispatch of workgroups of GROUP invocations, and how many invocations it has.
fn invocation(group: vec3<u32>, groups: vec3<u32>, local: u32) -> u32 {
    return group_index(group, groups) * GROUP + local;
}

fn invocations(groups: vec3<u32>) -> u32 {
    return group_count(groups) * GROUP;
}

// Whether the driver has ended some loop of this invocation early. Lavapipe ends all loops of an invocation once they
// have had 65,535 iterations in sum, and does not say so. Then this loop, which comes last, ends early too, provided
// that wgpu counts loops; in software it does.
fn loops_were_cut(sentinel: u32) -> bool {
    var counted = 0u;
    while counted < sentinel {
        counted++;
    }
    return counted < sentinel;
}
