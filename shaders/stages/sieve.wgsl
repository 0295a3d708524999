// Parts the candidates by what decides them. Those that bounds decide are judged here. Two masks that stay as they are
// to each other, whose pixels lie ready as words, go to one of two lists, by the words of their overlap; all others to
// a third list. A workgroup takes 64 candidates at a time, an invocation each.
//
// A verdict has the index of its candidate. The lists have candidates' indices, and lie behind the verdicts, in two
// parts that are as long as there is room for candidates; two of the lists share the first, and grow toward each other:
//
//     verdicts:   verdicts . . . . . . . | small masks >  . . < others | large masks > . . . . |
//                 0                      room                          2 room                  3 room

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> bodies: array<vec4<u32>>;
@group(0) @binding(7) var<storage, read> candidates: array<vec2<u32>>;
// No two invocations write the same word, and nothing reads one before the next dispatch: so plain words do.
@group(0) @binding(9) var<storage, read_write> verdicts: array<u32>;
@group(0) @binding(13) var<storage, read_write> header: Header;

// The words of an overlap from which on a workgroup judges it, not an invocation.
const LARGE_WORDS: i32 = 256;

// The list that a candidate goes to; KNOWN goes to none.
const SMALL: u32 = 0u;
const LARGE: u32 = 1u;
const OTHER: u32 = 2u;
const KNOWN: u32 = 3u;

// The workgroup's candidates that go to each list. Zeros at the beginning, as all workgroup memory, and again after each
// call of `put_on_list`.
var<workgroup> counts: array<atomic<u32>, 3>;
// Where they begin in each list.
var<workgroup> firsts: vec3<u32>;
// All candidates.
var<workgroup> listed_all: u32;

// Whether a body is a sprite whose pixels lie ready as words: its mask's own, or painted ahead.
fn has_words(body: Body) -> bool {
    return is(body, SPRITE) && (is(body, UNTURNED) || body.landed != NOT_LANDED);
}

// The list for a candidate; judges it where bounds decide, and has no verdict on it yet where they do not.
fn sift(c: u32) -> u32 {
    let pair = candidates[c];
    let a = load_body(pair.x);
    let b = load_body(pair.y);
    let move_alike = all(a.motion == b.motion);
    if move_alike && is(a, ALIGNED) && is(b, ALIGNED) {
        let hit = bounds_meet(reach(a), reach(b), params.touch);
        verdicts[c] = select(MISS, HIT, hit);
        if hit {
            raise(pair.x);
            raise(pair.y);
        }
        return KNOWN;
    }
    verdicts[c] = UNFINISHED;
    if move_alike && has_words(a) && has_words(b) && params.touch == TOUCH_EXCLUDED && stay_as_they_are(a, b) {
        let pixels_a = sprite_pixels(a);
        let pixels_b = sprite_pixels(b);
        let size = min(pixels_a.max, pixels_b.max) - max(pixels_a.min, pixels_b.min);
        return select(SMALL, LARGE, all(size > vec2<i32>(0, 0)) && (size.x + 31) / 32 * size.y >= LARGE_WORDS);
    }
    return OTHER;
}

// Whether two sprites of one motion show the same to each other in all of the step.
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
        var kind = KNOWN;
        if c < count {
            kind = sift(c);
        }
        put_on_list(kind, c, local);
    }
}

// Appends a candidate to the list of its kind. All invocations of the workgroup must come here.
fn put_on_list(kind: u32, c: u32, local: u32) {
    var own = 0u;
    if kind != KNOWN {
        own = atomicAdd(&counts[kind], 1u);
    }
    workgroupBarrier();
    if local == 0u {
        let own_counts = vec3<u32>(
            atomicExchange(&counts[SMALL], 0u),
            atomicExchange(&counts[LARGE], 0u),
            atomicExchange(&counts[OTHER], 0u),
        );
        if own_counts.x > 0u {
            firsts.x = atomicAdd(&header.small_masks, own_counts.x);
        }
        if own_counts.y > 0u {
            firsts.y = atomicAdd(&header.large_masks, own_counts.y);
        }
        if own_counts.z > 0u {
            firsts.z = atomicAdd(&header.others, own_counts.z);
        }
    }
    let first = workgroupUniformLoad(&firsts);
    let room = params.candidate_room;
    if kind == SMALL {
        verdicts[room + first.x + own] = c;
    } else if kind == LARGE {
        verdicts[2u * room + first.y + own] = c;
    } else if kind == OTHER {
        verdicts[2u * room - 1u - (first.z + own)] = c;
    }
}
