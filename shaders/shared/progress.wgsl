// The progress of a pair. The narrow phase decides as src/cpu/narrow/pair.rs does, but with loops that can be left and
// resumed, in which each question is asked in one place. Each kind of pair has a shader of its own, so that a world
// never waits for one that it does not need: `pair`, in pair_convex.wgsl, pair_sprites.wgsl and pair_mixed.wgsl.
//
// No invocation runs long. Each has some fuel. If that is spent before its pair is decided, it saves the pair's
// progress, provided that the host has made room for it, and a later dispatch resumes.

// needs: types

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> bodies: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> shapes: array<Shape>;
@group(0) @binding(3) var<storage, read> atlas: array<u32>;
@group(0) @binding(4) var<storage, read> landed: array<u32>;
@group(0) @binding(12) var<storage, read_write> progress: array<Progress>;

// The progress of a pair.
struct Progress {
    // BEGIN, WALK, END, TIME, GATHER, GATHER_AT_END.
    phase: u32,
    // On a walk: the tick, and the number of unit steps of that tick that are left.
    tick: u32,
    left: u32,
    // The next word of an overlap; for two convex bodies, the next node of the second's pieces.
    cursor: u32,
    // In TIME: the node of the piece, the query on it, and the high end of the bisection, whose low end is `tick`. For
    // two convex bodies, `piece` is the next node of the first's pieces.
    piece: u32,
    asked: u32,
    high: u32,
}

// Nothing is known yet.
const BEGIN: u32 = 0u;
// A sprite is on its walk, and not known to hit yet.
const WALK: u32 = 1u;
// It did not hit on its walk; both are tested once more, at rest at their ends.
const END: u32 = 2u;
// A sprite hits a convex body during a stay, and the first such tick is being searched.
const TIME: u32 = 3u;
// The tick is known, and the overlap at that tick is being gathered.
const GATHER: u32 = 4u;
// As GATHER, at rest at their ends.
const GATHER_AT_END: u32 = 5u;

// Returns the progress of the pair of index `c`: its start, or where an earlier dispatch has left it.
fn progress_of(c: u32) -> Progress {
    if params.round > 0u {
        return progress[c];
    }
    return Progress();
}

// Saves the progress of a pair. If there is no room, the host makes room, and the pair starts over.
fn save_progress(c: u32, now: Progress) {
    if c < arrayLength(&progress) {
        progress[c] = now;
    }
}

// Progress.cursor of an offset that needs no test.
const COMPARED: u32 = 0xFFFFFFFFu;
