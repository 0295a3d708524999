// How far a pair is. The narrow phase decides the same as src/cpu/narrow/pair.rs, but as loops that can be left and
// gone on with, in which each question is asked in one place. It has a shader for each kind of pair, so that no world
// has to wait for one of a kind that it has not: `pair`, in pair_convex.wgsl, pair_sprites.wgsl and pair_mixed.wgsl.
//
// No invocation runs long. Each has some fuel, and where that is spent before its pair is done, it writes down how far
// the pair is, if the host has made room for that; a later dispatch goes on.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> bodies: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> shapes: array<Shape>;
@group(0) @binding(3) var<storage, read> atlas: array<u32>;
@group(0) @binding(4) var<storage, read> landed: array<u32>;
@group(0) @binding(12) var<storage, read_write> progress: array<Progress>;

// How far a pair is.
struct Progress {
    // BEGIN, WALK, END, TIME, GATHER, GATHER_AT_END.
    phase: u32,
    // On a walk: the tick, and the unit steps of that tick that are left.
    tick: u32,
    left: u32,
    // The next word of an overlap; or of two convex bodies the next node of the second's pieces.
    cursor: u32,
    // In TIME: the node of the piece, what is asked of it, and the high end of the bisection, of which `tick` is the
    // low one. Of two convex bodies the next node of the first's pieces.
    piece: u32,
    asked: u32,
    high: u32,
}

// Nothing is known yet.
const BEGIN: u32 = 0u;
// A sprite is on its walk, and not known to hit yet.
const WALK: u32 = 1u;
// It did not hit on its walk: both are looked at once more at rest where they end.
const END: u32 = 2u;
// A sprite hits a convex body in a stay, of which the first such tick is asked for.
const TIME: u32 = 3u;
// The tick is known, and what overlaps there is gathered.
const GATHER: u32 = 4u;
// The same at rest where they end.
const GATHER_AT_END: u32 = 5u;

// How far the pair of index `c` is: at its beginning, or where an earlier dispatch has left it.
fn progress_of(c: u32) -> Progress {
    if params.round > 0u {
        return progress[c];
    }
    return Progress();
}

// Writes down how far a pair is. Where there is no room, the host makes it, and the pair begins anew.
fn save_progress(c: u32, now: Progress) {
    if c < arrayLength(&progress) {
        progress[c] = now;
    }
}

// What a word, or a step of a walk, takes of the fuel. A driver in software runs the loops of a branch once even where
// no invocation takes it: so a step without a word costs an iteration for each loop below it.
const STEP_FUEL: i32 = 24;

// Progress.cursor of an offset that needs no look.
const LOOKED: u32 = 0xFFFFFFFFu;
