// The digits by which a radix sort goes, eight bits each, and how many elements of each block have which.

// For each digit, for each block: how many elements have it; once scanned, how many of earlier blocks have. Behind
// these, for each digit, how many have it in all.
@group(0) @binding(19) var<storage, read_write> digit_counts: array<u32>;

// An invocation has a digit of its own: so this is LARGE_GROUP.
const DIGITS: u32 = 256u;
// The elements of an invocation, which lie LARGE_GROUP apart, and those of a block.
const ELEMENTS_EACH: u32 = 8u;
const SORT_BLOCK: u32 = 2048u;

// The blocks of so many elements.
fn blocks_of(count: u32) -> u32 {
    return (count + SORT_BLOCK - 1u) / SORT_BLOCK;
}

// The digit by which this pass sorts.
fn digit_of(element: vec2<u32>) -> u32 {
    return (select(element.x, element.y, params.word == 1u) >> (params.shift & 31u)) & (DIGITS - 1u);
}

// How many elements of the workgroup's block have each digit. Zeros at the beginning, as all workgroup memory.
var<workgroup> counts: array<atomic<u32>, DIGITS>;

// Counts the digit of an element of the workgroup's block.
fn count_digit(element: vec2<u32>) {
    atomicAdd(&counts[digit_of(element)], 1u);
}

// Writes down what was counted of a block, of so many. All invocations of the workgroup must come here.
fn tell_counts(block: u32, blocks: u32, local: u32) {
    workgroupBarrier();
    if block < blocks {
        digit_counts[local * blocks + block] = atomicLoad(&counts[local]);
    }
}
