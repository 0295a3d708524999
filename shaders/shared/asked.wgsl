// The entries of a list that a workgroup takes one after the other. Reads `candidates` and `verdicts`.

// What the workgroup looks at: a candidate, or one of these.
const NONE: u32 = 0xFFFFFFFFu;
const JUDGED: u32 = 0xFFFFFFFEu;

var<workgroup> asked: u32;

// The candidate of entry `n` of a list; NONE behind the last, JUDGED where it has a verdict.
fn asked_at(list: u32, n: u32) -> u32 {
    if n >= min(atomicLoad(&header.lists[list]), params.candidate_room) {
        return NONE;
    }
    let c = verdicts[place_in(list, n)];
    return select(JUDGED, c, verdicts[c] == UNFINISHED);
}
