// The keys by which bodies are sorted, so that neighbours in the order are mostly neighbours in the world: a Morton
// curve (Morton, A Computer Oriented Geodetic Data Base, 1966) over cells of two to four times a typical body. Above it
// stands a class of size, so that a body much larger than others does not widen the bounds of their tile. Where layers
// part the world, bodies on the layers of lone ones (src/world/parting.rs) come behind all others, into tiles of their
// own: mostly no two of these hit each other. Bodies that are nowhere come last.
//
//     key:  lone (lone_bits) | size class (CLASS_BITS) | y and x of the cell, their bits by turns (axis_bits each)
//
// The CPU sorts bodies into strips instead (src/cpu/broad/): only the pairs found in the end are the same.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> bodies: array<Body>;
@group(0) @binding(5) var<storage, read> bounds: array<Aabb>;
@group(0) @binding(15) var<storage, read_write> header: Header;
@group(0) @binding(17) var<storage, read_write> elements: array<vec2<u32>>;

// The bits of a size class.
const CLASS_BITS: u32 = 2u;
// A body is of the next size class where its size has so many bits more.
const CLASS_STEP: u32 = 3u;
// The last size class: bodies that are nowhere.
const NOWHERE_CLASS: u32 = 3u;
// The bits of a key.
const KEY_BITS: u32 = 32u;
// The bits of a digit of the sort, and its passes over a key.
const DIGIT_BITS: u32 = 8u;
const KEY_PASSES: u32 = 4u;
// The bodies that an invocation measures.
const BODIES_EACH: u32 = 4u;

var<workgroup> least_x: atomic<i32>;
var<workgroup> least_y: atomic<i32>;
var<workgroup> most_x: atomic<i32>;
var<workgroup> most_y: atomic<i32>;
// How many bodies have a size of so many bits. Zeros at the beginning, as all workgroup memory.
var<workgroup> sizes: array<atomic<u32>, 32>;

// The sum of two coordinates of the world fits an i32.
fn centre(bound: Aabb) -> vec2<i32> {
    return (bound.min + bound.max) >> vec2<u32>(1u, 1u);
}

fn bits_of(v: u32) -> u32 {
    return 32u - countLeadingZeros(v);
}

// The bits of a body's size: of the longer side of its bounds.
fn size_bits(bound: Aabb) -> u32 {
    let size = bound.max - bound.min;
    return min(bits_of(u32(max(size.x, size.y))), 31u);
}

// Finds the extent of all centres, and how many bodies have which size.
@compute @workgroup_size(LARGE_GROUP)
fn measure(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    if local == 0u {
        atomicStore(&least_x, 0x7FFFFFFF);
        atomicStore(&least_y, 0x7FFFFFFF);
        atomicStore(&most_x, -0x7FFFFFFF);
        atomicStore(&most_y, -0x7FFFFFFF);
    }
    workgroupBarrier();
    let first = group_index(group, groups) * BODIES_EACH * LARGE_GROUP + local;
    var least = vec2<i32>(0x7FFFFFFF, 0x7FFFFFFF);
    var most = -least;
    for (var k = 0u; k < BODIES_EACH; k++) {
        let i = first + k * LARGE_GROUP;
        if i < params.bodies && is_somewhere(bounds[i]) {
            let at = centre(bounds[i]);
            least = min(least, at);
            most = max(most, at);
            atomicAdd(&sizes[size_bits(bounds[i])], 1u);
        }
    }
    atomicMin(&least_x, least.x);
    atomicMin(&least_y, least.y);
    atomicMax(&most_x, most.x);
    atomicMax(&most_y, most.y);
    workgroupBarrier();
    if local == 0u {
        atomicMin(&header.min_x, atomicLoad(&least_x));
        atomicMin(&header.min_y, atomicLoad(&least_y));
        atomicMax(&header.max_x, atomicLoad(&most_x));
        atomicMax(&header.max_y, atomicLoad(&most_y));
    }
    if local < 32u {
        let bodies = atomicLoad(&sizes[local]);
        if bodies > 0u {
            atomicAdd(&header.sizes[local], bodies);
        }
    }
}

// From what was measured: the size of a typical body (the median), the side of a cell, and which passes of the sort
// have nothing to do. One invocation in all.
@compute @workgroup_size(1)
fn plan_keys() {
    var all = 0u;
    for (var k = 0u; k < 32u; k++) {
        all += atomicLoad(&header.sizes[k]);
    }
    var typical = 0u;
    var smaller = 0u;
    for (var k = 0u; k < 32u; k++) {
        smaller += atomicLoad(&header.sizes[k]);
        if 2u * smaller < all {
            typical = k + 1u;
        }
    }
    typical = min(typical, 31u);
    var extent = 0u;
    if all > 0u {
        let x = atomicLoad(&header.max_x) - atomicLoad(&header.min_x);
        let y = atomicLoad(&header.max_y) - atomicLoad(&header.min_y);
        extent = u32(max(x, y));
    }
    // Twice to four times as long as a typical body, and longer where coordinates would have too many bits.
    var cell = min(typical + 1u, 30u);
    let bits = bits_of(extent >> cell);
    let above = CLASS_BITS + lone_bits();
    let axis_bits = min(bits, (KEY_BITS - above) / 2u);
    cell += bits - axis_bits;
    header.typical = typical;
    header.cell = cell;
    header.axis_bits = axis_bits;
    header.idle_passes = KEY_PASSES - (2u * axis_bits + above + DIGIT_BITS - 1u) / DIGIT_BITS;
}

// The bits of a key that tell whether a body is on the layers of lone ones: 1 where layers part the world, else 0.
fn lone_bits() -> u32 {
    return u32(params.lone_layers != 0u);
}

// The low 16 bits, each followed by a zero.
fn spread(v: u32) -> u32 {
    var s = (v | (v << 8u)) & 0x00FF00FFu;
    s = (s | (s << 4u)) & 0x0F0F0F0Fu;
    s = (s | (s << 2u)) & 0x33333333u;
    return (s | (s << 1u)) & 0x55555555u;
}

fn key(bound: Aabb, layer: u32) -> u32 {
    let cell_bits = 2u * header.axis_bits;
    if !is_somewhere(bound) {
        return (NOWHERE_CLASS | (lone_bits() << CLASS_BITS)) << cell_bits;
    }
    let lone = u32((layer & params.lone_layers) != 0u);
    let size = size_bits(bound);
    let larger = max(size, header.typical) - header.typical;
    let size_class = min(larger / CLASS_STEP, NOWHERE_CLASS - 1u);
    let corner = vec2<i32>(atomicLoad(&header.min_x), atomicLoad(&header.min_y));
    let at = vec2<u32>(centre(bound) - corner) >> vec2<u32>(header.cell, header.cell);
    return ((size_class | (lone << CLASS_BITS)) << cell_bits) | spread(at.x) | (spread(at.y) << 1u);
}

// Makes an element of each body: its key and its index. Each pass of the sort goes from one half of `elements` to the
// other, and the last leaves all in the first half; idle passes come first and move nothing. So with an odd number of
// them, elements begin in the second half. One invocation a body.
@compute @workgroup_size(LARGE_GROUP)
fn make_keys(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let i = group_index(group, groups) * LARGE_GROUP + local;
    if i < params.bodies {
        let half = (header.idle_passes & 1u) * params.bodies;
        elements[half + i] = vec2<u32>(key(bounds[i], bodies[i].layer), i);
    }
}
