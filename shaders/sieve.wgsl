// Candidates by what it takes to judge them: those whose bounds decide are judged here, two masks at rest to each other go to one of
// two lists, by the words of their overlap, all others to a third. One invocation a candidate.
//
//     verdicts:  verdicts | small masks >      < others | large masks >
//
// each of the three parts as long as there is room for candidates.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> bodies: array<Body>;
@group(0) @binding(2) var<storage, read> shapes: array<Shape>;
@group(0) @binding(7) var<storage, read> candidates: array<vec2<u32>>;
@group(0) @binding(10) var<storage, read_write> verdicts: array<u32>;
@group(0) @binding(15) var<storage, read_write> header: Header;

// The words of an overlap from which on a workgroup looks at it.
const LARGE_WORDS: i32 = 256;
// What it takes: nothing more, an invocation, a workgroup, all that there is.
const KNOWN: u32 = 3u;
const SMALL: u32 = 0u;
const LARGE: u32 = 1u;
const OTHER: u32 = 2u;

var<workgroup> counts: array<atomic<u32>, 3>;
var<workgroup> firsts: vec3<u32>;

// Whether the pixels that a sprite paints lie ready.
fn has_words(body: Body) -> bool {
    return is(body, SPRITE) && (is(body, UNTURNED) || body.slot != NO_SLOT);
}

fn sift(c: u32) -> u32 {
    let pair = candidates[c];
    let a = bodies[pair.x];
    let b = bodies[pair.y];
    if any(a.motion != b.motion) {
        return OTHER;
    }
    if is(a, ALIGNED) && is(b, ALIGNED) {
        let hit = bounds_meet(reach(a, shapes[a.shape]), reach(b, shapes[b.shape]), params.touch);
        verdicts[c] = select(MISS, HIT, hit);
        if hit {
            raise(pair.x);
            raise(pair.y);
        }
        return KNOWN;
    }
    if has_words(a) && has_words(b) && params.touch == TOUCH_EXCLUDED {
        let pixels_a = sprite_pixels(a, shapes[a.shape]);
        let pixels_b = sprite_pixels(b, shapes[b.shape]);
        let size = min(pixels_a.max, pixels_b.max) - max(pixels_a.min, pixels_b.min);
        return select(SMALL, LARGE, all(size > vec2<i32>(0, 0)) && (size.x + 31) / 32 * size.y >= LARGE_WORDS);
    }
    return OTHER;
}

@compute @workgroup_size(64)
fn sieve(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let c = invocation(group, groups, local, 64u);
    var kind = KNOWN;
    if c < header.listed {
        kind = sift(c);
    }
    var place = 0u;
    if kind != KNOWN {
        place = atomicAdd(&counts[kind], 1u);
    }
    workgroupBarrier();
    if local == 0u {
        firsts = vec3<u32>(
            atomicAdd(&header.small_masks, atomicLoad(&counts[SMALL])),
            atomicAdd(&header.large_masks, atomicLoad(&counts[LARGE])),
            atomicAdd(&header.others, atomicLoad(&counts[OTHER])),
        );
    }
    let first = workgroupUniformLoad(&firsts);
    if kind == SMALL {
        verdicts[params.capacity + first.x + place] = c;
    } else if kind == LARGE {
        verdicts[2u * params.capacity + first.y + place] = c;
    } else if kind == OTHER {
        verdicts[2u * params.capacity - 1u - (first.z + place)] = c;
    }
}
