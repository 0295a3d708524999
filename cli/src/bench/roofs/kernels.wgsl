// Small kernels, each limited by one thing that a GPU does.

@group(0) @binding(0) var<storage, read> source: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read_write> sink: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read_write> counters: array<atomic<u32>>;

const GROUP: u32 = 256u;
const ROUNDS: u32 = 1024u;
// Words in the workgroup's memory.
const WORDS: u32 = 1024u;

var<workgroup> tile: array<vec4<u32>, WORDS>;

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

// Does 8 ROUNDS multiplications and as many additions, in 8 chains that do not wait for each other.
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
        a = a * 1664525u + 1013904223u;
        b = b * 22695477u + 1u;
    }
    // The compiler does not know that this is rare.
    if all(a == b) {
        sink[0] = a;
    }
}

// Reads 16 ROUNDS bytes of the workgroup's memory.
@compute @workgroup_size(GROUP)
fn read_tile(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    for (var k = local; k < WORDS; k += GROUP) {
        tile[k] = vec4<u32>(k + group.x);
    }
    workgroupBarrier();
    var sum = vec4<u32>();
    for (var round = 0u; round < ROUNDS; round++) {
        sum ^= tile[(local + 32u * round) % WORDS] + round;
    }
    if all(sum == vec4<u32>(12345u)) {
        sink[0] = sum;
    }
}

// Adds to a word of its own, 64 times.
@compute @workgroup_size(GROUP)
fn count_apart(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let i = index_of(group, groups, local) % arrayLength(&counters);
    for (var round = 0u; round < 64u; round++) {
        atomicAdd(&counters[(i + 4099u * round) % arrayLength(&counters)], 1u);
    }
}

// Adds to one word, as all others do.
@compute @workgroup_size(GROUP)
fn count_together(@builtin(local_invocation_index) local: u32) {
    atomicAdd(&counters[0], local);
}
