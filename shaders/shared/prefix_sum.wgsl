// Exclusive prefix sums by one workgroup (Blelloch, Prefix Sums and Their Applications, 1990). The values count
// elements of buffers, so all sums fit a word. The module's `value_at(i)` and `set_value(i, value)` read and
// write word `i` of a run of words in a buffer.

// needs: types
// expects: set_value, value_at

var<workgroup> shared_sums: array<u32, LARGE_GROUP>;

// Returns the sum of `value` over the earlier invocations of a workgroup of `lanes` invocations. The sum over all is
// left in `shared_sums[lanes - 1]` until the next call.
fn scan_group(value: u32, lanes: u32, local: u32) -> u32 {
    shared_sums[local] = value;
    workgroupBarrier();
    for (var reach = 1u; reach < lanes; reach *= 2u) {
        var earlier = 0u;
        if local >= reach {
            earlier = shared_sums[local - reach];
        }
        workgroupBarrier();
        shared_sums[local] += earlier;
        workgroupBarrier();
    }
    var before = 0u;
    if local > 0u {
        before = shared_sums[local - 1u];
    }
    return before;
}

// Replaces each of the `count` words of the run by the sum of those before it. Each of the `lanes` invocations of the
// workgroup sums adjacent words. The sum of all is left in `shared_sums[lanes - 1]` until the next call of
// `scan_group`.
fn scan_run(count: u32, lanes: u32, local: u32) {
    let each = (count + lanes - 1u) / lanes;
    let first = min(local * each, count);
    let end = min(first + each, count);
    var sum = 0u;
    for (var i = first; i < end; i++) {
        sum += value_at(i);
    }
    var before = scan_group(sum, lanes, local);
    for (var i = first; i < end; i++) {
        let value = value_at(i);
        set_value(i, before);
        before += value;
    }
}
