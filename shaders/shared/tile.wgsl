// The bounds and layers of a tile of bodies, or of a block of tiles, by a workgroup.

var<workgroup> joined: array<Aabb, TILE>;
// The layers that some body is on, and those that some hits. Zeros at the beginning, as all workgroup memory.
var<workgroup> layers: atomic<u32>;
var<workgroup> hits: atomic<u32>;

// Leaves the box around the boxes of all invocations in `joined[0]`, and their layers in `layers` and `hits`.
fn join_all(own: Aabb, filter_: Filter, local: u32) {
    joined[local] = own;
    atomicOr(&layers, filter_.layer);
    atomicOr(&hits, filter_.hits);
    workgroupBarrier();
    for (var half = TILE / 2u; half > 0u; half /= 2u) {
        if local < half {
            joined[local] = join(joined[local], joined[local + half]);
        }
        workgroupBarrier();
    }
}

// The filter of a body with these bounds. What is nowhere meets nothing, on whatever layer it is.
fn filter_of(body: Body, bound: Aabb) -> Filter {
    if !is_somewhere(bound) {
        return Filter();
    }
    return Filter(body.layer, body.hits, body.group);
}
