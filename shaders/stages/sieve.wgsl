// Splits the candidates by how they are judged. Boxes that move alike are judged here; candidates that bounds have
// decided are skipped; all others go to one of the lists of lists.wgsl. A workgroup takes 64 candidates at a time, an
// invocation each.

// needs: bodies, listed, lists, ticks, types, verdict

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> bodies: array<vec4<u32>>;
@group(0) @binding(7) var<storage, read> candidates: array<vec2<u32>>;
// No two invocations write the same word, and nothing reads one before the next dispatch, so plain words are enough.
@group(0) @binding(9) var<storage, read_write> verdicts: array<u32>;
@group(0) @binding(13) var<storage, read_write> header: Header;

// The minimum number of words of an overlap that a workgroup judges, not an invocation.
const LARGE_WORDS: i32 = 256;

// No list: the candidate is decided.
const KNOWN: u32 = LISTS;

// The number of the workgroup's candidates for each list. Zeros at the start, like all workgroup memory, and again
// after each call of `put_on_list`.
var<workgroup> list_counts: array<atomic<u32>, LISTS>;
// The place where they begin in each list.
var<workgroup> firsts: array<u32, LISTS>;
// The number of candidates.
var<workgroup> listed_all: u32;

// Returns whether a body is a sprite whose pixels are available as words: its mask's own, or painted ahead.
fn has_words(body: Body) -> bool {
    return is(body, SPRITE) && (is(body, UNTURNED) || body.landed != NOT_LANDED);
}

// Returns the list for a candidate. Judges it if bounds decide; otherwise marks its verdict as unfinished.
fn sift(c: u32) -> u32 {
    let pair = candidates[c];
    if pair.y >= DECIDED {
        return KNOWN;
    }
    if (pair.y & SAMPLED) != 0u {
        verdicts[c] = UNFINISHED;
        return SAMPLED_PAIRS;
    }
    let a = load_body(pair.x);
    let b = load_body(pair.y);
    let move_alike = all(a.motion == b.motion);
    if move_alike && is(a, ALIGNED) && is(b, ALIGNED) {
        give_verdict(c, bounds_meet(reach(a), reach(b), params.touch));
        return KNOWN;
    }
    verdicts[c] = UNFINISHED;
    if move_alike && has_words(a) && has_words(b) && params.touch == TOUCH_EXCLUDED && stay_as_they_are(a, b) {
        let pixels_a = sprite_pixels(a);
        let pixels_b = sprite_pixels(b);
        let size = min(pixels_a.max, pixels_b.max) - max(pixels_a.min, pixels_b.min);
        let large = all(size > vec2<i32>(0, 0)) && (size.x + 31) / 32 * size.y >= LARGE_WORDS;
        return select(SMALL_MASKS, LARGE_MASKS, large);
    }
    if is(a, SPRITE) && is(b, SPRITE) {
        return SPRITES;
    }
    return select(CONVEX, MIXED, is(a, SPRITE) || is(b, SPRITE));
}

// Returns whether the overlap of two sprites with equal motions stays the same throughout the step.
fn stay_as_they_are(a: Body, b: Body) -> bool {
    return !moves(a) || (is_rigid(a, b) && !ends_otherwise(a) && !ends_otherwise(b));
}

@compute @workgroup_size(GROUP)
fn sieve(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    if local == 0u {
        listed_all = listed();
    }
    let count = workgroupUniformLoad(&listed_all);
    let stride = invocations(groups);
    for (var first = group_index(group, groups) * GROUP; first < count; first += stride) {
        let c = first + local;
        var list = KNOWN;
        if c < count {
            list = sift(c);
        }
        put_on_list(list, c, local);
    }
}

// Appends a candidate to a list. All invocations of the workgroup must call this.
fn put_on_list(list: u32, c: u32, local: u32) {
    var own = 0u;
    if list != KNOWN {
        own = atomicAdd(&list_counts[list], 1u);
    }
    workgroupBarrier();
    if local < LISTS {
        let count = atomicExchange(&list_counts[local], 0u);
        if count > 0u {
            firsts[local] = atomicAdd(&header.lists[local], count);
        }
    }
    workgroupBarrier();
    if list != KNOWN {
        verdicts[place_in(list, firsts[list] + own)] = c;
    }
}
