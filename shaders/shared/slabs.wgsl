// A box cut into slabs of equal width along each axis. Slabs are coarse coordinates, by which boxes are compared with
// few bits.
//
// No pair is lost, because the number of a slab is monotonic in the coordinate: the coordinate is clamped to the box,
// moved, shifted, multiplied and shifted, and none of these swaps two numbers. So a <= b implies slab(a) <= slab(b),
// and two boxes that meet also meet by their slab numbers, wherever they are, whatever the touch rule has made of one
// of them, and however wide a slab is. Coarse slabs only find more, which the exact compare rejects.

// needs: types

// The number of slabs along an axis.
const SLABS: u32 = 128u;
// The number of a coordinate's bits that select its slab: enough that no slab is much wider than another.
const SLAB_BITS: u32 = 11u;

struct Slabs {
    extent: Aabb,
    // For each axis, the number of low bits of a coordinate that are dropped, and the factor for the others, with 16
    // fractional bits.
    shift: vec2<u32>,
    scale: vec2<u32>,
}

// Returns the slabs of an extent within the world, whose coordinates are less than 2^31 apart.
fn slabs_of(extent: Aabb) -> Slabs {
    let width = vec2<u32>(extent.max - extent.min);
    let bits = vec2<u32>(32u, 32u) - countLeadingZeros(width);
    let shift = max(bits, vec2<u32>(SLAB_BITS, SLAB_BITS)) - SLAB_BITS;
    let last = width >> shift;
    return Slabs(extent, shift, vec2<u32>(SLABS << 16u, SLABS << 16u) / (last + 1u));
}

// Returns the slabs that hold a point, or are nearest to it.
fn slab(slabs: Slabs, at: vec2<i32>) -> vec2<u32> {
    let behind = vec2<u32>(clamp(at, slabs.extent.min, slabs.extent.max) - slabs.extent.min);
    // The product is less than SLABS << 16.
    return ((behind >> slabs.shift) * slabs.scale) >> vec2<u32>(16u, 16u);
}
