// Judges two sprites that stay as they are to each other, whose pixels lie ready as words: they hit where both paint
// some pixel. sieve.wgsl says which list they are in.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> bodies: array<Body>;
@group(0) @binding(2) var<storage, read> shapes: array<Shape>;
@group(0) @binding(3) var<storage, read> atlas: array<u32>;
@group(0) @binding(4) var<storage, read> landed: array<u32>;
@group(0) @binding(7) var<storage, read> candidates: array<vec2<u32>>;
// No two invocations write the same word, and the lists behind the verdicts are only read here: so plain words do.
@group(0) @binding(10) var<storage, read_write> verdicts: array<u32>;
@group(0) @binding(15) var<storage, read_write> header: Header;

// The words that an invocation of a workgroup looks at before it asks whether others have found a hit.
const WORDS_EACH: u32 = 4u;

// The words of a sprite: its mask's, or painted ones.
struct Words {
    // The pixels that it may paint.
    pixels: Aabb,
    // The pixel of the first word's lowest bit.
    corner: vec2<i32>,
    // As `window` takes them.
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
    // The words of the overlap: of a row, and in all.
    stride: u32,
    words: u32,
}

fn masks_of(c: u32) -> Masks {
    let pair = candidates[c];
    let body_a = bodies[pair.x];
    let body_b = bodies[pair.y];
    let a = words_of_sprite(body_a, shapes[body_a.shape]);
    let b = words_of_sprite(body_b, shapes[body_b.shape]);
    let overlap = Aabb(max(a.pixels.min, b.pixels.min), min(a.pixels.max, b.pixels.max));
    let size = words_of(overlap);
    return Masks(a, b, overlap, size.x, size.x * size.y);
}

// What both paint of the k-th word of the overlap. It may reach beyond the overlap's right side, where one of them
// paints nothing.
fn shared_word(pair: Masks, k: u32) -> u32 {
    let at = pair.overlap.min + vec2<i32>(WORD * i32(k % pair.stride), i32(k / pair.stride));
    let a = window(pair.a.painted, pair.a.first, pair.a.stride, pair.a.height, at - pair.a.corner);
    if a == 0u {
        return 0u;
    }
    return a & window(pair.b.painted, pair.b.first, pair.b.stride, pair.b.height, at - pair.b.corner);
}

fn give_verdict(c: u32, hit: bool) {
    verdicts[c] = select(MISS, HIT, hit);
    if hit {
        raise(candidates[c].x);
        raise(candidates[c].y);
    }
}

// Judges pairs with small overlaps. One invocation a pair.
@compute @workgroup_size(GROUP)
fn judge_small(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let n = invocation(group, groups, local);
    if n >= atomicLoad(&header.small_masks) {
        return;
    }
    let c = verdicts[params.candidate_room + n];
    let pair = masks_of(c);
    var bits = 0u;
    for (var k = 0u; k < pair.words && bits == 0u; k++) {
        bits = shared_word(pair, k);
    }
    give_verdict(c, bits != 0u);
    if loops_were_cut(params.sentinel) {
        atomicStore(&header.cut, 1u);
    }
}

// The index of the candidate, or NONE.
var<workgroup> asked: u32;
// Whether some invocation has found a hit: zero at the beginning, as all workgroup memory. Several may write it at once,
// so it is atomic; `judged` is what the whole workgroup knows of it.
var<workgroup> hit: atomic<u32>;
var<workgroup> judged: u32;

const NONE: u32 = 0xFFFFFFFFu;

// Judges pairs with large overlaps. One workgroup a pair: neighbours look at neighbouring words.
@compute @workgroup_size(GROUP)
fn judge_large(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let n = group_index(group, groups);
    if local == 0u {
        asked = NONE;
        if n < atomicLoad(&header.large_masks) {
            asked = verdicts[2u * params.candidate_room + n];
        }
    }
    let c = workgroupUniformLoad(&asked);
    if c == NONE {
        return;
    }
    let pair = masks_of(c);
    for (var first = 0u; first < pair.words; first += GROUP * WORDS_EACH) {
        var bits = 0u;
        for (var k = first + local; k < min(first + GROUP * WORDS_EACH, pair.words); k += GROUP) {
            bits |= shared_word(pair, k);
        }
        if bits != 0u {
            atomicStore(&hit, 1u);
        }
        workgroupBarrier();
        if local == 0u {
            judged = atomicLoad(&hit);
        }
        if workgroupUniformLoad(&judged) == 1u {
            break;
        }
    }
    if local == 0u {
        give_verdict(c, judged == 1u);
    }
    if loops_were_cut(params.sentinel) {
        atomicStore(&header.cut, 1u);
    }
}
