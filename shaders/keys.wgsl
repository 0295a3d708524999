// The keys by which bodies are sorted: a Morton curve (Morton, A Computer Oriented Geodetic Data Base, 1966) over cells of about twice a
// typical body, and above it a class of size, so that one that is much larger does not widen the bounds of a tile of others. Bodies that
// are nowhere come last.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(5) var<storage, read> bounds: array<Aabb>;
@group(0) @binding(15) var<storage, read_write> header: Header;
@group(0) @binding(17) var<storage, read_write> elements: array<vec2<u32>>;

// The bits of a class; above a typical body's, the bits of a size that are one class more; the last class.
const CLASS_BITS: u32 = 2u;
const CLASS_STEP: u32 = 3u;
const NOWHERE_CLASS: u32 = 3u;
// The most bits of a cell along an axis.
const AXIS_BITS: u32 = 15u;
// Bits of a digit, and passes over a key.
const DIGIT_BITS: u32 = 8u;
const PASSES: u32 = 4u;
// Bodies that an invocation measures.
const RUN: u32 = 4u;

var<workgroup> least_x: atomic<i32>;
var<workgroup> least_y: atomic<i32>;
var<workgroup> most_x: atomic<i32>;
var<workgroup> most_y: atomic<i32>;
var<workgroup> sizes: array<atomic<u32>, 32>;

fn is_anywhere(bound: Aabb) -> bool {
    return bound.min.x <= bound.max.x;
}

// What is reached lies in the world, so that a sum of two coordinates fits.
fn centre(bound: Aabb) -> vec2<i32> {
    return (bound.min + bound.max) >> vec2<u32>(1u, 1u);
}

fn bits_of(v: u32) -> u32 {
    return 32u - countLeadingZeros(v);
}

fn size_bits(bound: Aabb) -> u32 {
    let size = bound.max - bound.min;
    return min(bits_of(u32(max(size.x, size.y))), 31u);
}

// The extent of all centres, and how many bodies have which size.
@compute @workgroup_size(256)
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
    let first = (group.y * groups.x + group.x) * RUN * 256u + local;
    var least = vec2<i32>(0x7FFFFFFF, 0x7FFFFFFF);
    var most = -least;
    for (var k = 0u; k < RUN; k++) {
        let i = first + k * 256u;
        if i < params.bodies && is_anywhere(bounds[i]) {
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

// From what was measured: what is typical, the size of a cell, and the passes that sort by all bits that keys will have.
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
    var cell = min(typical + 1u, 30u);
    let bits = bits_of(extent >> cell);
    cell += max(bits, AXIS_BITS) - AXIS_BITS;
    header.typical = typical;
    header.cell = cell;
    header.axis_bits = min(bits, AXIS_BITS);
    header.idle_passes = PASSES - (2u * header.axis_bits + CLASS_BITS + DIGIT_BITS - 1u) / DIGIT_BITS;
}

// The low 16 bits, each followed by a zero.
fn spread(v: u32) -> u32 {
    var s = (v | (v << 8u)) & 0x00FF00FFu;
    s = (s | (s << 4u)) & 0x0F0F0F0Fu;
    s = (s | (s << 2u)) & 0x33333333u;
    return (s | (s << 1u)) & 0x55555555u;
}

fn key(bound: Aabb) -> u32 {
    let above = 2u * header.axis_bits;
    if !is_anywhere(bound) {
        return NOWHERE_CLASS << above;
    }
    let size = size_bits(bound);
    let larger = max(size, header.typical) - header.typical;
    let size_class = min(larger / CLASS_STEP, NOWHERE_CLASS - 1u);
    let corner = vec2<i32>(atomicLoad(&header.min_x), atomicLoad(&header.min_y));
    let at = vec2<u32>(centre(bound) - corner) >> vec2<u32>(header.cell, header.cell);
    return (size_class << above) | spread(at.x) | (spread(at.y) << 1u);
}

// Where the first pass that is needed looks for them: passes go to and fro between two halves, and the last leaves all in the first.
@compute @workgroup_size(256)
fn make_keys(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let i = invocation(group, groups, local, 256u);
    if i < params.bodies {
        let half = (header.idle_passes & 1u) * params.bodies;
        elements[half + i] = vec2<u32>(key(bounds[i]), i);
    }
}
