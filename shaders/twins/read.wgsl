// Reads an input, which begins at word `start` of `landed` and is also in `words`, and turns any answer into four
// words; `Input` and `Answer` of src/gpu/twins/ do this on the host.

// needs: predicate, types, wide
// expects: words

@group(0) @binding(20) var<storage, read_write> answers: array<vec4<u32>>;

var<private> start: u32;

fn word(k: u32) -> u32 {
    return words[k];
}

fn int(k: u32) -> i32 {
    return bitcast<i32>(word(k));
}

fn long(k: u32) -> Wide {
    return wide_of_words(vec2<u32>(word(k), word(k + 1u)));
}

fn longest(k: u32) -> Widest {
    return widest_of(long(k), long(k + 2u));
}

fn point(k: u32) -> vec2<i32> {
    return vec2<i32>(int(k), int(k + 1u));
}

fn normal(k: u32) -> Normal {
    return Normal(long(k), long(k + 2u));
}

// Returns a core of `count` vertices from word `k` on; if `count` is 0, a square.
fn hull_or_square(k: u32, count: u32) -> Core {
    if count == 0u {
        return square(Aabb(point(k), point(k + 2u)));
    }
    return hull(start + k, count);
}

fn core_a() -> Core {
    return hull_or_square(4u, word(0u) & 15u);
}

fn core_b() -> Core {
    return hull_or_square(16u, (word(0u) >> 4u) & 15u);
}

fn touch() -> u32 {
    return word(0u) >> 8u;
}

fn of_bool(v: bool) -> vec4<u32> {
    return vec4<u32>(u32(v), 0u, 0u, 0u);
}

fn of_word(v: u32) -> vec4<u32> {
    return vec4<u32>(v, 0u, 0u, 0u);
}

fn of_int(v: i32) -> vec4<u32> {
    return of_word(bitcast<u32>(v));
}

fn of_long(v: Wide) -> vec4<u32> {
    return vec4<u32>(wide_words(v), 0u, 0u);
}

fn of_point(v: vec2<i32>) -> vec4<u32> {
    return vec4<u32>(bitcast<vec2<u32>>(v), 0u, 0u);
}

fn of_words(v: vec4<u32>) -> vec4<u32> {
    return v;
}

fn of_box(v: Aabb) -> vec4<u32> {
    return bitcast<vec4<u32>>(vec4<i32>(v.min, v.max));
}

fn of_normal(v: Normal) -> vec4<u32> {
    return vec4<u32>(wide_words(v.x), wide_words(v.y));
}

// No component of a real normal is this large.
fn of_apart(v: Apart) -> vec4<u32> {
    return select(vec4<u32>(0x7FFFFFFFu), of_normal(v.normal), v.yes);
}
