// A box cut into slabs of equal width along each axis: a coarse place for each coordinate, so that boxes are compared
// by few bits.
//
// No pair is lost, since what makes a coordinate the number of a slab never falls: it is clamped to the box, moved,
// shifted, multiplied and shifted, and none of these turns two numbers around. So where a <= b, slab(a) <= slab(b); and
// two boxes that meet also meet by the numbers of their slabs, wherever they are, whatever the touch rule has made of
// one of them, and however wide a slab is. What is coarse only finds more, for the exact compare to turn down.

// The slabs along an axis.
const SLABS: u32 = 128u;
// The bits of a coordinate that tell its slab: so many that no slab is much wider than another.
const SLAB_BITS: u32 = 11u;

struct Slabs {
    extent: Aabb,
    // For each axis, the low bits of a coordinate that do not count, and what the others are multiplied by, with 16
    // fractional bits.
    shift: vec2<u32>,
    scale: vec2<u32>,
}

// The extent of boxes in the world, two coordinates of which are less than 2^31 from each other.
fn slabs_of(extent: Aabb) -> Slabs {
    let width = vec2<u32>(extent.max - extent.min);
    let bits = vec2<u32>(32u, 32u) - countLeadingZeros(width);
    let shift = max(bits, vec2<u32>(SLAB_BITS, SLAB_BITS)) - SLAB_BITS;
    let last = width >> shift;
    return Slabs(extent, shift, vec2<u32>(SLABS << 16u, SLABS << 16u) / (last + 1u));
}

// The slabs that have a point, or are the nearest to it.
fn slab(slabs: Slabs, at: vec2<i32>) -> vec2<u32> {
    let behind = vec2<u32>(clamp(at, slabs.extent.min, slabs.extent.max) - slabs.extent.min);
    // Less than SLABS << 16.
    return ((behind >> slabs.shift) * slabs.scale) >> vec2<u32>(16u, 16u);
}
