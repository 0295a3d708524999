// A pass of a stable radix sort, by a digit of eight bits (Knuth, The Art of Computer Programming 3, 5.2.5; Satish,
// Harris and Garland, Designing Efficient Sorting Algorithms for Manycore GPUs, 2009). Digits are counted in each block
// of elements; a scan of the counts, digit by digit and within a digit block by block, tells where the elements of each
// block go; they go there. No block waits for another.
//
// A key may have fewer digits than there are passes, which only the GPU knows. Then the first passes are idle, and the
// later ones look at the digits from the lowest on: so the last pass always ends in the same half of `elements`.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(15) var<storage, read_write> header: Header;
// No two invocations write the same one in a pass, and none reads one that another writes: so plain words do.
@group(0) @binding(17) var<storage, read_write> elements: array<vec2<u32>>;
// For each digit, for each block: how many elements have it; once scanned, where these go.
@group(0) @binding(22) var<storage, read_write> digit_counts: array<u32>;

// An invocation has a digit of its own: so this is LARGE_GROUP.
const DIGITS: u32 = 256u;
const DIGIT_BITS: u32 = 8u;
// The elements of an invocation, which lie LARGE_GROUP apart, and those of a block.
const ELEMENTS_EACH: u32 = 8u;
const SORT_BLOCK: u32 = 2048u;
// The words of a bit for each invocation.
const OWNER_WORDS: u32 = 8u;

// Zeros at the beginning, as all workgroup memory.
var<workgroup> counts: array<atomic<u32>, DIGITS>;
// For each digit, a bit for each invocation whose element has it. Zeros at the beginning, and again after each turn.
var<workgroup> owners: array<atomic<u32>, DIGITS * OWNER_WORDS>;
// For each digit, where the next element goes.
var<workgroup> next: array<u32, DIGITS>;
var<workgroup> idle: u32;

// The bits of the digits that no key has, to all invocations alike.
fn idle_bits(local: u32) -> u32 {
    if local == 0u {
        idle = DIGIT_BITS * header.idle_passes;
    }
    return workgroupUniformLoad(&idle);
}

fn blocks() -> u32 {
    return (params.elements + SORT_BLOCK - 1u) / SORT_BLOCK;
}

fn digit_of(element: vec2<u32>, shift: u32) -> u32 {
    return (select(element.x, element.y, params.word == 1u) >> shift) & (DIGITS - 1u);
}

// Counts the digits of a block. One workgroup a block.
@compute @workgroup_size(LARGE_GROUP)
fn count_digits(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let idle_shift = idle_bits(local);
    let block = group_index(group, groups);
    if params.shift < idle_shift || block >= blocks() {
        return;
    }
    for (var turn = 0u; turn < ELEMENTS_EACH; turn++) {
        let i = block * SORT_BLOCK + turn * LARGE_GROUP + local;
        if i < params.elements {
            atomicAdd(&counts[digit_of(elements[params.source + i], params.shift - idle_shift)], 1u);
        }
    }
    workgroupBarrier();
    digit_counts[local * blocks() + block] = atomicLoad(&counts[local]);
}

// Takes the elements of a block to where they go. One workgroup a block.
@compute @workgroup_size(LARGE_GROUP)
fn scatter_digits(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let idle_shift = idle_bits(local);
    let block = group_index(group, groups);
    if params.shift < idle_shift || block >= blocks() {
        return;
    }
    next[local] = digit_counts[local * blocks() + block];
    let own_word = local / 32u;
    let own_bit = 1u << (local & 31u);
    for (var turn = 0u; turn < ELEMENTS_EACH; turn++) {
        let i = block * SORT_BLOCK + turn * LARGE_GROUP + local;
        let in_range = i < params.elements;
        var element = vec2<u32>(0u, 0u);
        var digit = 0u;
        if in_range {
            element = elements[params.source + i];
            digit = digit_of(element, params.shift - idle_shift);
            atomicOr(&owners[digit * OWNER_WORDS + own_word], own_bit);
        }
        workgroupBarrier();
        // Elements of the same digit keep their order: how many of this turn come before, and how many there are in
        // all.
        var before = 0u;
        var all = 0u;
        for (var word = 0u; word < OWNER_WORDS; word++) {
            let owning = atomicLoad(&owners[digit * OWNER_WORDS + word]);
            all += countOneBits(owning);
            let earlier_in_word = select(0u, owning & (own_bit - 1u), word == own_word);
            before += countOneBits(select(earlier_in_word, owning, word < own_word));
        }
        let start = next[digit];
        workgroupBarrier();
        if in_range {
            elements[params.sink + start + before] = element;
            atomicStore(&owners[digit * OWNER_WORDS + own_word], 0u);
            // The last of the digit.
            if before + 1u == all {
                next[digit] = start + all;
            }
        }
        workgroupBarrier();
    }
}
