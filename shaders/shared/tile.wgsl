// The bounds and layers of a tile of bodies, or of a block of tiles, by a workgroup.

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

// The filter of a body with these bounds. What is nowhere meets nothing, on whatever layer it is.
fn filter_of(body: Body, bound: Aabb) -> Filter {
    if !is_somewhere(bound) {
        return Filter();
    }
    return Filter(body.layer, body.hits, body.group, kind_of(body));
}

// The most pixels along an axis, in lattice steps, of what is SMALL_TURNED, and the most texels for one of its pixels,
// with 16 fractional bits. A mask has 2^13 texels along an axis at most, so the centre of its box is below 2^28; half a
// box away, and 192 pixels further down, it is less than 2^28 + 2^29 more.
const TURNED_SIZE: i32 = 256 << 8u;
const TURNED_STEP: i32 = 16 << 16u;

// What a body is to its pairs. What the host calls a box or a circle at rest must be one here: where a world has no
// others, no judge follows (src/gpu/kinds.rs).
fn kind_of(body: Body) -> u32 {
    if moves(body) {
        return OTHER;
    }
    if is(body, SPRITE) {
        return select(OTHER, SMALL_TURNED, is_small_turned(body));
    }
    if is(body, ALIGNED) {
        return BOX;
    }
    // All vertices land on one point: a circle.
    return select(OTHER, DISC, all(body.extent.max - body.extent.min == vec2<i32>(2 * body.radius)));
}

// Whether a sprite is turned, painted ahead, small, and not much smaller than its mask.
fn is_small_turned(body: Body) -> bool {
    let steps = max(abs(body.linear.x), abs(body.linear.y));
    let small = all(body.extent.max - body.extent.min <= vec2<i32>(TURNED_SIZE));
    return small && all(steps <= vec2<i32>(TURNED_STEP)) && !is(body, UNTURNED) && body.landed != NOT_LANDED;
}
