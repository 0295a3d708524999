// A pass of a stable radix sort, by a digit of eight bits (Knuth, The Art of Computer Programming 3, 5.2.5; Satish,
// Harris and Garland, Designing Efficient Sorting Algorithms for Manycore GPUs, 2009). Digits are counted in each block
// of elements; a scan of the counts, digit by digit and within a digit block by block, finds where the elements of each
// block go; they are scattered there. No block waits for another. keys.wgsl counts the digits of the first pass over
// keys when it makes them.

// needs: digits, prefix_sum, types

@group(0) @binding(0) var<uniform> params: Params;
// No two invocations write the same element in a pass, and none reads one that another writes, so plain words are
// enough.
@group(0) @binding(15) var<storage, read_write> elements: array<vec2<u32>>;
@group(0) @binding(13) var<storage, read_write> header: Header;

// The number of words with a bit for each invocation.
const OWNER_WORDS: u32 = 8u;

// For each digit, a bit for each invocation whose element has it. Zeros at the start, and again after each turn.
var<workgroup> owners: array<atomic<u32>, DIGITS * OWNER_WORDS>;
// For each digit, the place where the next element goes.
var<workgroup> next: array<u32, DIGITS>;
// The digit that the workgroup scans.
var<private> scanned: u32;

// Returns how many elements to sort. When sorting all pairs, that is the number of pairs if some row of them is too
// long for a workgroup to sort, otherwise 0.
fn element_count() -> u32 {
    if params.all_pairs == 0u {
        return params.elements;
    }
    return select(0u, min(header.pairs, params.elements), atomicLoad(&header.long_rows) > 0u);
}

// Counts the digits of a block. One workgroup a block.
@compute @workgroup_size(LARGE_GROUP)
fn count_digits(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let count = element_count();
    let block = group_index(group, groups);
    for (var turn = 0u; turn < ELEMENTS_EACH; turn++) {
        let i = block * SORT_BLOCK + turn * LARGE_GROUP + local;
        if i < count {
            count_digit(elements[params.source + i]);
        }
    }
    tell_counts(block, local);
}

fn value_at(block: u32) -> u32 {
    return digit_counts[scanned * blocks() + block];
}

fn set_value(block: u32, value: u32) {
    digit_counts[scanned * blocks() + block] = value;
}

// Scans the counts of a digit over all blocks. One workgroup a digit.
@compute @workgroup_size(GROUP)
fn scan_digits(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    scanned = group.x;
    scan_run(blocks(), GROUP, local);
    if local == 0u {
        digit_counts[DIGITS * blocks() + scanned] = shared_sums[GROUP - 1u];
    }
}

// Scatters the elements of a block to their places. One workgroup a block.
@compute @workgroup_size(LARGE_GROUP)
fn scatter_digits(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let block = group_index(group, groups);
    if block >= blocks() {
        return;
    }
    let smaller = scan_group(digit_counts[DIGITS * blocks() + local], LARGE_GROUP, local);
    next[local] = smaller + digit_counts[local * blocks() + block];
    let count = element_count();
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
        // Elements of the same digit keep their order: count those of this turn that come before, and all of this turn.
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
            // This is the last element of the digit.
            if before + 1u == all {
                next[digit] = start + all;
            }
        }
        workgroupBarrier();
    }
}
