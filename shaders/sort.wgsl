// A pass of a stable radix sort, by a digit of eight bits (Knuth, The Art of Computer Programming 3, 5.2.5; Satish, Harris and Garland,
// Designing Efficient Sorting Algorithms for Manycore GPUs, 2009): digits are counted in each block of elements, a scan of the counts,
// digit by digit and block by block, tells where each block's go, and they go there. No block waits for another.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(15) var<storage, read_write> header: Header;
@group(0) @binding(17) var<storage, read_write> elements: array<vec2<u32>>;
@group(0) @binding(22) var<storage, read_write> digit_counts: array<u32>;

const DIGITS: u32 = 256u;
const DIGIT_BITS: u32 = 8u;
// Elements that an invocation takes, 256 apart, and those of a block.
const ROUNDS: u32 = 8u;
const SORT_BLOCK: u32 = 2048u;
// Words of a bit for each invocation.
const WORDS: u32 = 8u;

var<workgroup> counts: array<atomic<u32>, DIGITS>;
// For each digit, the invocations whose element has it.
var<workgroup> owners: array<atomic<u32>, DIGITS * WORDS>;
var<workgroup> places: array<u32, DIGITS>;
var<workgroup> idle: u32;

// The passes for the digits that are not needed, to all invocations alike. They come first, so that the last pass always ends in the same half.
fn idle_bits(local: u32) -> u32 {
    if local == 0u {
        idle = DIGIT_BITS * header.idle_passes;
    }
    return workgroupUniformLoad(&idle);
}

fn blocks() -> u32 {
    return (params.count + SORT_BLOCK - 1u) / SORT_BLOCK;
}

// The digit by which an element is sorted: of its first or its second word.
fn digit_of(element: vec2<u32>, shift: u32) -> u32 {
    return (select(element.x, element.y, params.first == 1u) >> shift) & (DIGITS - 1u);
}

@compute @workgroup_size(256)
fn count_digits(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let idle_shift = idle_bits(local);
    let block = group.y * groups.x + group.x;
    if params.shift < idle_shift || block >= blocks() {
        return;
    }
    for (var turn = 0u; turn < ROUNDS; turn++) {
        let i = block * SORT_BLOCK + turn * 256u + local;
        if i < params.count {
            atomicAdd(&counts[digit_of(elements[params.source + i], params.shift - idle_shift)], 1u);
        }
    }
    workgroupBarrier();
    digit_counts[local * blocks() + block] = atomicLoad(&counts[local]);
}

@compute @workgroup_size(256)
fn scatter_digits(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let idle_shift = idle_bits(local);
    let block = group.y * groups.x + group.x;
    if params.shift < idle_shift || block >= blocks() {
        return;
    }
    places[local] = digit_counts[local * blocks() + block];
    let own_word = local / 32u;
    let own_bit = 1u << (local & 31u);
    for (var turn = 0u; turn < ROUNDS; turn++) {
        let i = block * SORT_BLOCK + turn * 256u + local;
        let in_range = i < params.count;
        var element = vec2<u32>(0u, 0u);
        var digit = 0u;
        if in_range {
            element = elements[params.source + i];
            digit = digit_of(element, params.shift - idle_shift);
            atomicOr(&owners[digit * WORDS + own_word], own_bit);
        }
        workgroupBarrier();
        // Among those of the same digit, an element keeps its turn.
        var before = 0u;
        var all = 0u;
        for (var word = 0u; word < WORDS; word++) {
            let owning = atomicLoad(&owners[digit * WORDS + word]);
            all += countOneBits(owning);
            before += countOneBits(select(select(0u, owning & (own_bit - 1u), word == own_word), owning, word < own_word));
        }
        let place = places[digit];
        workgroupBarrier();
        if in_range {
            elements[params.sink + place + before] = element;
            atomicStore(&owners[digit * WORDS + own_word], 0u);
            if before + 1u == all {
                places[digit] = place + all;
            }
        }
        workgroupBarrier();
    }
}
