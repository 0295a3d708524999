// Reads more kinds of inputs than read.wgsl does, for functions that only tests run.

// needs: predicate, ticks, types, wide

fn body() -> Body {
    return Body(point(0), point(2), Snapped(point(4), point(6)), Aabb(point(8), point(10)),
        word(12), int(13), word(14), word(15), word(16), word(17), word(18), int(19));
}
fn filter_at(k: u32) -> Filter {
    return Filter(word(k), word(k + 1u), word(k + 2u), select(OTHER, DETECTING, (word(k + 3u) & DETECTOR) != 0u));
}
fn find() -> Apart {
    if touch() == TOUCH_EXCLUDED && int(1) == 0 && !can_overlap(core_a(), core_b(), point(2)) {
        return TOGETHER;
    }
    return find_apart(core_a(), core_b(), point(2), int(1), touch());
}
fn walk_on(start: Walk, edges: u32) -> vec4<u32> {
    var walk = start;
    for (var k = 0u; k < edges && next_edge(walk) <= TICKS; k++) {
        cross_edges(&walk, next_edge(walk));
    }
    return vec4<u32>(bitcast<vec2<u32>>(walk.at), walk.tick, next_edge(walk));
}

fn word_two(v: vec2<u32>) -> Wide { return wide_of_words(v); }
fn word_pair(v: Divided) -> Wide { return wide_of_words(vec2<u32>(v.quotient, v.rest)); }
fn end_of(v: EndShift) -> vec4<u32> {
    return select(vec4<u32>(), vec4<u32>(bitcast<vec2<u32>>(v.by), 1u, 0u), v.same);
}
