// Judges two sprites at a constant offset, whose pixels are available as words: they hit if both paint some pixel. See
// lists.wgsl for the list of each pair.

// needs: ballot, asked, bodies, lists, types, unjudged, verdict, words

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> bodies: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> shapes: array<Shape>;
@group(0) @binding(3) var<storage, read> atlas: array<u32>;
@group(0) @binding(4) var<storage, read> landed: array<u32>;
@group(0) @binding(7) var<storage, read> candidates: array<vec2<u32>>;
// No two invocations write the same word, and the lists behind the verdicts are only read here, so plain words are
// enough.
@group(0) @binding(9) var<storage, read_write> verdicts: array<u32>;
@group(0) @binding(13) var<storage, read_write> header: Header;

// The words that an invocation of a workgroup tests before it checks whether others have found a hit.
const WORDS_EACH: u32 = 4u;
// The fuel that a word costs: testing one takes as long as three iterations of other loops.
const WORD_FUEL: u32 = 3u;

// The words of a sprite: its mask's, or painted ones.
struct Words {
    // The pixels that it may paint.
    pixels: Aabb,
    // The pixel of the first word's lowest bit.
    corner: vec2<i32>,
    // The parameters of `window`.
    height: i32,
    painted: bool,
    first: u32,
    stride: u32,
}

fn words_of_sprite(body: Body, shape: Shape) -> Words {
    let pixels = sprite_pixels(body);
    if is(body, UNTURNED) {
        return Words(pixels, origin(body, shape), shape.size.y, false, shape.first, shape.stride);
    }
    let height = pixels.max.y - pixels.min.y;
    return Words(pixels, pixels.min, height, true, 2u * body.landed, painted_stride(body));
}

// The two sprites of a candidate.
struct Masks {
    a: Words,
    b: Words,
    overlap: Aabb,
    // The number of words of the overlap: in a row, and in all.
    stride: u32,
    words: u32,
}

fn masks_of(c: u32) -> Masks {
    let pair = candidates[c];
    let body_a = load_body(pair.x);
    let body_b = load_body(pair.y);
    let a = words_of_sprite(body_a, shapes[body_a.shape]);
    let b = words_of_sprite(body_b, shapes[body_b.shape]);
    let overlap = Aabb(max(a.pixels.min, b.pixels.min), min(a.pixels.max, b.pixels.max));
    let size = words_of(overlap);
    return Masks(a, b, overlap, size.x, size.x * size.y);
}

// Returns the pixels that both paint in the k-th word of the overlap. It may extend beyond the overlap's right side,
// where one of them paints nothing.
fn shared_word(pair: Masks, k: u32) -> u32 {
    let at = pair.overlap.min + vec2<i32>(WORD * i32(k % pair.stride), i32(k / pair.stride));
    let a = window(pair.a.painted, pair.a.first, pair.a.stride, pair.a.height, at - pair.a.corner);
    if a == 0u {
        return 0u;
    }
    return a & window(pair.b.painted, pair.b.first, pair.b.stride, pair.b.height, at - pair.b.corner);
}

// Judges the pairs with small overlaps. An invocation takes one after the other, while it has fuel.
fn judge_small(first: u32, stride: u32) {
    var fuel = params.fuel;
    var count = 0u;
    if some_are_left() {
        count = min(atomicLoad(&header.lists[SMALL_MASKS]), params.candidate_room);
    }
    for (var n = first; n < count; n += stride) {
        let c = verdicts[place_in(SMALL_MASKS, n)];
        if verdicts[c] != UNFINISHED {
            continue;
        }
        if fuel <= 0 {
            leave_candidate();
            continue;
        }
        let pair = masks_of(c);
        var bits = 0u;
        for (var k = 0u; k < pair.words && bits == 0u; k++) {
            bits = shared_word(pair, k);
            fuel -= i32(WORD_FUEL);
        }
        give_verdict(c, bits != 0u);
        finish_candidate();
    }
    tell_fuel(fuel);
}

// Judges the pairs with large overlaps. A workgroup takes one after the other, while it has fuel; adjacent invocations
// test adjacent words.
fn judge_large(first: u32, stride: u32, local: u32) {
    var fuel = params.fuel;
    for (var n = first; ; n += stride) {
        let c = ask(LARGE_MASKS, n, fuel, local);
        if c == NONE {
            break;
        }
        if c == JUDGED {
            continue;
        }
        let pair = masks_of(c);
        var hit = false;
        for (var start = 0u; start < pair.words && !hit; start += GROUP * WORDS_EACH) {
            var bits = 0u;
            for (var k = start + local; k < min(start + GROUP * WORDS_EACH, pair.words); k += GROUP) {
                bits |= shared_word(pair, k);
            }
            hit = any(ballot(bits != 0u, local) != vec2<u32>(0u, 0u));
            fuel -= i32(WORD_FUEL * WORDS_EACH);
        }
        if local == 0u {
            give_verdict(c, hit);
            finish_candidate();
        }
    }
    tell_fuel(fuel);
}

@compute @workgroup_size(GROUP)
fn judge_masks(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    judge_small(invocation(group, groups, local), invocations(groups));
    judge_large(group_index(group, groups), group_count(groups), local);
    if loops_were_cut(params.sentinel) {
        atomicStore(&header.cut, 1u);
    }
}
