// A pass of a stable radix sort, by a digit of eight bits (Knuth, The Art of Computer Programming 3, 5.2.5; Satish,
// Harris and Garland, Designing Efficient Sorting Algorithms for Manycore GPUs, 2009). Digits are counted in each block
// of elements; a scan of the counts, digit by digit and within a digit block by block, tells where the elements of each
// block go; they go there. No block waits for another. The digits of the first pass over keys are counted where these
// are made (keys.wgsl).

@group(0) @binding(0) var<uniform> params: Params;
// No two invocations write the same one in a pass, and none reads one that another writes: so plain words do.
@group(0) @binding(15) var<storage, read_write> elements: array<vec2<u32>>;
@group(0) @binding(13) var<storage, read_write> header: Header;

// The value of `Params.elements` for as many elements as there are pairs, if some row of them is too long for a
// workgroup to sort, else for none.
const ALL_PAIRS: u32 = 0xFFFFFFFFu;

// The words of a bit for each invocation.
const OWNER_WORDS: u32 = 8u;

// For each digit, a bit for each invocation whose element has it. Zeros at the beginning, and again after each turn.
var<workgroup> owners: array<atomic<u32>, DIGITS * OWNER_WORDS>;
// For each digit, where the next element goes.
var<workgroup> next: array<u32, DIGITS>;
// Where the counts of the digit begin that the workgroup scans.
var<private> scanned: u32;
// The elements.
var<workgroup> elements_all: u32;

// The number of elements. All invocations of the workgroup must come here.
fn element_count(local: u32) -> u32 {
    if local == 0u {
        elements_all = params.elements;
        if params.elements == ALL_PAIRS {
            elements_all = select(0u, header.pairs, atomicLoad(&header.long_rows) > 0u);
        }
    }
    return workgroupUniformLoad(&elements_all);
}

// Counts the digits of a block. One workgroup a block.
@compute @workgroup_size(LARGE_GROUP)
fn count_digits(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let count = element_count(local);
    let block = group_index(group, groups);
    for (var turn = 0u; turn < ELEMENTS_EACH; turn++) {
        let i = block * SORT_BLOCK + turn * LARGE_GROUP + local;
        if i < count {
            count_digit(elements[params.source + i]);
        }
    }
    tell_counts(block, blocks_of(count), local);
}

fn value_at(block: u32) -> u32 {
    return digit_counts[scanned + block];
}

fn set_value(block: u32, value: u32) {
    digit_counts[scanned + block] = value;
}

// Scans the counts of a digit over all blocks. One workgroup a digit.
@compute @workgroup_size(GROUP)
fn scan_digits(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let blocks = blocks_of(element_count(local));
    scanned = group.x * blocks;
    scan_run(blocks, GROUP, local);
    if local == 0u {
        digit_counts[DIGITS * blocks + group.x] = shared_sums[GROUP - 1u];
    }
}

// Takes the elements of a block to where they go. One workgroup a block.
@compute @workgroup_size(LARGE_GROUP)
fn scatter_digits(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let count = element_count(local);
    let blocks = blocks_of(count);
    let block = group_index(group, groups);
    if block >= blocks {
        return;
    }
    let smaller = scan_group(digit_counts[DIGITS * blocks + local], LARGE_GROUP, local);
    next[local] = smaller + digit_counts[local * blocks + block];
    let own_word = local / 32u;
    let own_bit = 1u << (local & 31u);
    for (var turn = 0u; turn < ELEMENTS_EACH; turn++) {
        let i = block * SORT_BLOCK + turn * LARGE_GROUP + local;
        let in_range = i < count;
        var element = vec2<u32>(0u, 0u);
        var digit = 0u;
        if in_range {
            element = elements[params.source + i];
            digit = digit_of(element);
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
