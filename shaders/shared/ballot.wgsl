// A ballot: each of the 64 invocations of a workgroup says yes or no, and all learn who said yes.

// Zeros at the start, like all workgroup memory, and again after each ballot.
var<workgroup> votes: array<atomic<u32>, 2>;
var<workgroup> voted: vec2<u32>;

// Returns a bit for each invocation of the workgroup that says yes, by local index. All invocations must call this.
fn ballot(yes: bool, local: u32) -> vec2<u32> {
    if yes {
        atomicOr(&votes[local / 32u], 1u << (local & 31u));
    }
    workgroupBarrier();
    if local == 0u {
        voted = vec2<u32>(atomicExchange(&votes[0], 0u), atomicExchange(&votes[1], 0u));
    }
    return workgroupUniformLoad(&voted);
}

// Returns the index of the lowest set bit of 64.
fn first_bit(bits: vec2<u32>) -> u32 {
    return select(32u + countTrailingZeros(bits.y), countTrailingZeros(bits.x), bits.x != 0u);
}

// Returns how many of 64 bits are set.
fn count_bits(bits: vec2<u32>) -> u32 {
    return countOneBits(bits.x) + countOneBits(bits.y);
}

// Returns the bits without the lowest set one.
fn without_first(bits: vec2<u32>) -> vec2<u32> {
    return select(vec2<u32>(0u, bits.y & (bits.y - 1u)), vec2<u32>(bits.x & (bits.x - 1u), bits.y), bits.x != 0u);
}
