// The keys by which bodies are sorted, so that neighbours in the order are usually neighbours in the world: a Morton
// curve (Morton, A Computer Oriented Geodetic Data Base, 1966) over cells of two to four times a typical body. Above it
// stands a size class, so that a body much larger than others does not widen the bounds of their tile. If layers
// part the world, bodies on the layers of lone bodies (src/world/parting.rs) come before all others, in tiles of their
// own. Most of these do not hit each other, and the sweep compares a tile with later ones: each tile of lone bodies
// with the few tiles after them, by a workgroup of its own. Bodies that are nowhere come last.
//
//     key:  not lone (not_lone_bits) | size class (CLASS_BITS) | y and x of the cell, their bits interleaved
//                                                                (axis_bits each)
//
// The CPU sorts bodies into strips instead (src/cpu/broad/); only the resulting pairs are the same.

// needs: digits, types

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> bodies: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read> bounds: array<Aabb>;
@group(0) @binding(13) var<storage, read_write> header: Header;
@group(0) @binding(15) var<storage, read_write> elements: array<vec2<u32>>;

// The bits of a size class.
const CLASS_BITS: u32 = 2u;
// A body is in the next size class if its size has this many bits more.
const CLASS_STEP: u32 = 3u;
// The last size class: bodies that are nowhere.
const NOWHERE_CLASS: u32 = 3u;
// The most bits of a key.
const KEY_BITS: u32 = 32u;
// The bits of a digit of the sort.
const DIGIT_BITS: u32 = 8u;
// The number of bodies that an invocation measures.
const BODIES_EACH: u32 = 4u;

var<workgroup> least_x: atomic<i32>;
var<workgroup> least_y: atomic<i32>;
var<workgroup> most_x: atomic<i32>;
var<workgroup> most_y: atomic<i32>;
// The number of bodies of each size, by the number of bits of the size. Zeros at the start, like all workgroup memory.
var<workgroup> sizes: array<atomic<u32>, 32>;

// The measurements of all bodies that keys need.
struct Scale {
    // The least x and y of all centres.
    corner: vec2<i32>,
    // The number of bits of the size of a typical body, the median.
    typical: u32,
    // The side of a cell of the curve, as a power of two in lattice steps.
    cell: u32,
    // The number of bits of a cell's coordinate.
    axis_bits: u32,
}

var<workgroup> scale: Scale;

// Returns the centre of bounds; the sum of two coordinates of the world fits an i32.
fn centre(bound: Aabb) -> vec2<i32> {
    return (bound.min + bound.max) >> vec2<u32>(1u, 1u);
}

fn bits_of(v: u32) -> u32 {
    return 32u - countLeadingZeros(v);
}

// Returns the number of bits of a body's size, the longer side of its bounds.
fn size_bits(bound: Aabb) -> u32 {
    let size = bound.max - bound.min;
    return min(bits_of(u32(max(size.x, size.y))), 31u);
}

// Measures the extent of all centres, and counts the bodies of each size.
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

// Returns the cell for typical bodies of this many bits: two to four times their length.
fn cell_of(typical: u32) -> u32 {
    return min(typical + 1u, 30u);
}

// Returns the scale of keys. One invocation of each workgroup of `make_keys` computes it again, from all bodies' counts
// in `sizes`.
fn find_scale() -> Scale {
    var all = 0u;
    for (var k = 0u; k < 32u; k++) {
        all += atomicLoad(&sizes[k]);
    }
    var typical = 0u;
    var smaller = 0u;
    for (var k = 0u; k < 32u; k++) {
        smaller += atomicLoad(&sizes[k]);
        if 2u * smaller < all {
            typical = k + 1u;
        }
    }
    typical = min(typical, 31u);
    let corner = vec2<i32>(atomicLoad(&header.min_x), atomicLoad(&header.min_y));
    var extent = 0u;
    if all > 0u {
        let size = vec2<i32>(atomicLoad(&header.max_x), atomicLoad(&header.max_y)) - corner;
        extent = u32(max(size.x, size.y));
    }
    // Use longer cells if a key would have too many bits.
    let cell = cell_of(typical);
    let bits = bits_of(extent >> cell);
    let axis_bits = min(bits, (params.key_bits - bits_above()) / 2u);
    return Scale(corner, typical, cell + bits - axis_bits, axis_bits);
}

// Returns the number of sort passes for keys with cells as small as typical bodies require, as far as a key has room.
fn passes_asked_for(scale: Scale) -> u32 {
    let bits = scale.axis_bits + scale.cell - cell_of(scale.typical);
    let axis_bits = min(bits, (KEY_BITS - bits_above()) / 2u);
    return (2u * axis_bits + bits_above() + DIGIT_BITS - 1u) / DIGIT_BITS;
}

// Returns the number of bits of a key above those of its cell.
fn bits_above() -> u32 {
    return CLASS_BITS + not_lone_bits();
}

// Returns the number of bits that tell whether a body is on no layer of lone bodies: 1 if layers part the world, else
// 0.
fn not_lone_bits() -> u32 {
    return u32(params.lone_layers != 0u);
}

// Returns the low 16 bits, each followed by a zero.
fn spread(v: u32) -> u32 {
    var s = (v | (v << 8u)) & 0x00FF00FFu;
    s = (s | (s << 4u)) & 0x0F0F0F0Fu;
    s = (s | (s << 2u)) & 0x33333333u;
    return (s | (s << 1u)) & 0x55555555u;
}

fn key(bound: Aabb, layer: u32) -> u32 {
    let cell_bits = 2u * scale.axis_bits;
    if !is_somewhere(bound) {
        return (NOWHERE_CLASS | (not_lone_bits() << CLASS_BITS)) << cell_bits;
    }
    let not_lone = select(0u, not_lone_bits(), (layer & params.lone_layers) == 0u);
    let size = size_bits(bound);
    let larger = max(size, scale.typical) - scale.typical;
    let size_class = min(larger / CLASS_STEP, NOWHERE_CLASS - 1u);
    let at = vec2<u32>(centre(bound) - scale.corner) >> vec2<u32>(scale.cell, scale.cell);
    return ((size_class | (not_lone << CLASS_BITS)) << cell_bits) | spread(at.x) | (spread(at.y) << 1u);
}

// Makes an element for each body, its key and its index, at the place where the first pass of the sort reads them, and
// counts the digits of that pass. One workgroup a block of the sort.
@compute @workgroup_size(LARGE_GROUP)
fn make_keys(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let block = group_index(group, groups);
    if local < 32u {
        atomicStore(&sizes[local], atomicLoad(&header.sizes[local]));
    }
    workgroupBarrier();
    if local == 0u {
        scale = find_scale();
        if block == 0u {
            header.key_passes = passes_asked_for(scale);
        }
    }
    workgroupBarrier();
    for (var turn = 0u; turn < ELEMENTS_EACH; turn++) {
        let i = block * SORT_BLOCK + turn * LARGE_GROUP + local;
        if i < params.bodies {
            // The layers of body `i`. If a function loaded them, Mesa would not unroll the loop.
            let layer = bodies[4u * i + 2u].z;
            let element = vec2<u32>(key(bounds[i], layer), i);
            elements[params.source + i] = element;
            count_digit(element);
        }
    }
    tell_counts(block, local);
}
