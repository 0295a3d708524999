// The entries of a list that a workgroup takes one after the other. Reads `candidates` and `verdicts`.

// What the workgroup looks at: a candidate, or one of these.
const NONE: u32 = 0xFFFFFFFFu;
const JUDGED: u32 = 0xFFFFFFFEu;

var<workgroup> asked: u32;

// The candidate of entry `n` of a list; NONE behind the last, JUDGED where it has a verdict.
fn asked_at(list: u32, n: u32) -> u32 {
    if !some_are_left() || n >= min(atomicLoad(&header.lists[list]), params.candidate_room) {
        return NONE;
    }
    let c = verdicts[place_in(list, n)];
    return select(JUDGED, c, verdicts[c] == UNFINISHED);
}

// The same, but JUDGED also where there is no fuel left: then the candidate is counted as one that is still to be
// judged. All invocations of the workgroup must come here.
fn ask(list: u32, n: u32, fuel: i32, local: u32) -> u32 {
    if local == 0u {
        var c = asked_at(list, n);
        if c < JUDGED && fuel <= 0 {
            leave_candidate();
            c = JUDGED;
        }
        asked = c;
    }
    return workgroupUniformLoad(&asked);
}
