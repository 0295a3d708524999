// The digits of a radix sort, eight bits each, and how many elements of each block have each digit.

// expects: params

// For each digit and each block, the number of elements with that digit; once scanned, their number in earlier blocks.
// After these, for each digit, their number in all.
@group(0) @binding(19) var<storage, read_write> digit_counts: array<u32>;

// Each invocation has a digit of its own, so this equals LARGE_GROUP.
const DIGITS: u32 = 256u;
// The elements of an invocation, which lie LARGE_GROUP apart, and those of a block.
const ELEMENTS_EACH: u32 = 8u;
const SORT_BLOCK: u32 = 2048u;

fn blocks() -> u32 {
    return (params.elements + SORT_BLOCK - 1u) / SORT_BLOCK;
}

// Returns the digit by which this pass sorts.
fn digit_of(element: vec2<u32>) -> u32 {
    return (select(element.x, element.y, params.word == 1u) >> (params.shift & 31u)) & (DIGITS - 1u);
}

// The number of elements of the workgroup's block with each digit. Zeros at the start, like all workgroup memory.
var<workgroup> block_counts: array<atomic<u32>, DIGITS>;

// Counts the digit of an element of the workgroup's block.
fn count_digit(element: vec2<u32>) {
    atomicAdd(&block_counts[digit_of(element)], 1u);
}

// Stores the counts of a block. All invocations of the workgroup must call this.
fn tell_counts(block: u32, local: u32) {
    workgroupBarrier();
    if block < blocks() {
        digit_counts[local * blocks() + block] = atomicLoad(&block_counts[local]);
    }
}
