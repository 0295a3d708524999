// Small kernels, each limited by one thing that a GPU does. A round of a loop does several of these, so that the loop,
// with the counter that wgpu adds to it, takes little of the time.

@group(0) @binding(0) var<storage, read> source: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read_write> sink: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read_write> counters: array<atomic<u32>>;

// The sizes that roofs.rs counts with.
override GROUP: u32;
override ROUNDS: u32;
// The vectors in the workgroup's memory.
const VECTORS: u32 = 1024u;

var<workgroup> tile: array<vec4<u32>, VECTORS>;

fn index_of(group: vec3<u32>, groups: vec3<u32>, local: u32) -> u32 {
    return (group.y * groups.x + group.x) * GROUP + local;
}

// Depends on the previous dispatch and does next to nothing.
@compute @workgroup_size(1)
fn touch() {
    sink[0].x += 1u;
}

// Reads 16 bytes and writes 16.
@compute @workgroup_size(GROUP)
fn copy(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let i = index_of(group, groups, local);
    if i < arrayLength(&sink) {
        sink[i] = source[i];
    }
}

// Squares, because compilers fold a chain of multiplications by constants into one.
fn multiply_add_twice(v: vec4<u32>) -> vec4<u32> {
    let once = v * v + 1013904223u;
    return once * once + 1u;
}

// Does 64 multiplications and as many additions a round, in 8 chains that do not wait for each other.
@compute @workgroup_size(GROUP)
fn multiply_add(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let i = index_of(group, groups, local);
    var a = vec4<u32>(i, i + 1u, i + 2u, i + 3u);
    var b = a + 4u;
    for (var round = 0u; round < ROUNDS; round++) {
        a = multiply_add_twice(multiply_add_twice(multiply_add_twice(multiply_add_twice(a))));
        b = multiply_add_twice(multiply_add_twice(multiply_add_twice(multiply_add_twice(b))));
    }
    // The compiler does not know that this is rare.
    if all(a == b) {
        sink[0] = a;
    }
}

// Reads 8 vectors of the workgroup's memory a round.
@compute @workgroup_size(GROUP)
fn read_tile(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    for (var k = local; k < VECTORS; k += GROUP) {
        tile[k] = vec4<u32>(k + group.x);
    }
    workgroupBarrier();
    var sum = vec4<u32>();
    for (var round = 0u; round < ROUNDS; round++) {
        let k = local + 256u * round;
        sum ^= tile[k % VECTORS] + tile[(k + 32u) % VECTORS] + tile[(k + 64u) % VECTORS] + tile[(k + 96u) % VECTORS];
        sum ^= tile[(k + 128u) % VECTORS] + tile[(k + 160u) % VECTORS] + tile[(k + 192u) % VECTORS]
            + tile[(k + 224u) % VECTORS] + round;
    }
    if all(sum == vec4<u32>(12345u)) {
        sink[0] = sum;
    }
}

// Adds to 8 words that few others add to at the same time.
@compute @workgroup_size(GROUP)
fn count_apart(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let i = index_of(group, groups, local);
    let count = arrayLength(&counters);
    atomicAdd(&counters[i % count], 1u);
    atomicAdd(&counters[(i + 4099u) % count], 1u);
    atomicAdd(&counters[(i + 8209u) % count], 1u);
    atomicAdd(&counters[(i + 12289u) % count], 1u);
    atomicAdd(&counters[(i + 16411u) % count], 1u);
    atomicAdd(&counters[(i + 20479u) % count], 1u);
    atomicAdd(&counters[(i + 24593u) % count], 1u);
    atomicAdd(&counters[(i + 28663u) % count], 1u);
}

// Adds to one word, as all others do.
@compute @workgroup_size(GROUP)
fn count_together(@builtin(local_invocation_index) local: u32) {
    atomicAdd(&counters[0], local);
}
