// Joins the bounds and layers of a tile of bodies, or of a block of tiles, in a workgroup.

// needs: types

var<workgroup> joined: array<Aabb, TILE>;
// The layers that some body is on, those that some body hits, and the greatest kind. Zeros at the start, like all
// workgroup memory.
var<workgroup> layers: atomic<u32>;
var<workgroup> masks: atomic<u32>;
var<workgroup> kind: atomic<u32>;

// Leaves the box around the boxes of all invocations in `joined[0]`, and their filters in `layers`, `masks` and `kind`.
fn join_all(own: Aabb, filter_: Filter, local: u32) {
    joined[local] = own;
    atomicOr(&layers, filter_.layers);
    atomicOr(&masks, filter_.mask);
    atomicMax(&kind, filter_.kind);
    workgroupBarrier();
    for (var half = TILE / 2u; half > 0u; half /= 2u) {
        if local < half {
            joined[local] = join(joined[local], joined[local + half]);
        }
        workgroupBarrier();
    }
}

// Returns the filter that stands for all that `join_all` has joined: that of a tile or a block.
fn filter_of_all() -> Filter {
    return Filter(atomicLoad(&layers), atomicLoad(&masks), 0u, atomicLoad(&kind));
}

// Returns the filter of a body with these bounds. A body that is nowhere meets nothing, whatever its layers.
fn filter_of(body: Body, bound: Aabb) -> Filter {
    if !is_somewhere(bound) {
        return Filter();
    }
    return Filter(body.layers, body.mask, body.group, kind_of(body));
}

// The largest size of a SMALL_TURNED sprite along an axis, in lattice steps, and the most texels per pixel, with 16
// fractional bits. A mask has at most 2^13 texels along an axis, so the centre of its box is below 2^28; half a box
// away, and 192 pixels further down, a coordinate is less than 2^28 + 2^29 more.
const TURNED_SIZE: i32 = 256 << 8u;
const TURNED_STEP: i32 = 16 << 16u;

// Returns the kind of a body. Unless it is a detector, every box or circle at rest of the host must be one here: in a
// world of only these, no judge follows (src/gpu/kinds.rs).
fn kind_of(body: Body) -> u32 {
    if is(body, DETECTOR) {
        return DETECTING;
    }
    if moves(body) {
        return OTHER;
    }
    if is(body, SPRITE) {
        return select(OTHER, SMALL_TURNED, is_small_turned(body));
    }
    if is(body, ALIGNED) {
        return BOX;
    }
    // A circle has all vertices at one point, so its extent is twice its radius. Of several parts, one may be as large.
    let is_round = all(body.extent.max - body.extent.min == vec2<i32>(2 * body.radius));
    return select(OTHER, DISC, is_round && body.scale == 0);
}

// Returns whether a sprite is turned, painted ahead, small, and not much smaller than its mask.
fn is_small_turned(body: Body) -> bool {
    let steps = max(abs(body.linear.x), abs(body.linear.y));
    let small = all(body.extent.max - body.extent.min <= vec2<i32>(TURNED_SIZE));
    return small && all(steps <= vec2<i32>(TURNED_STEP)) && !is(body, UNTURNED) && body.landed != NOT_LANDED;
}
