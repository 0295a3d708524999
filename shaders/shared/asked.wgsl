// The entries of a list, which a workgroup takes one after the other.

// needs: lists, types, unjudged
// expects: header, params, verdicts

// Values in place of a candidate's index: no entry is left, or the entry already has a verdict.
const NONE: u32 = 0xFFFFFFFFu;
const JUDGED: u32 = 0xFFFFFFFEu;

var<workgroup> asked: u32;

// Returns the candidate of entry `n` of a list; NONE past the end, JUDGED if it has a verdict.
fn asked_at(list: u32, n: u32) -> u32 {
    if !some_are_left() || n >= min(atomicLoad(&header.lists[list]), params.candidate_room) {
        return NONE;
    }
    let c = verdicts[place_in(list, n)];
    return select(JUDGED, c, verdicts[c] == UNFINISHED);
}

// Returns the result of `asked_at` to the whole workgroup; without fuel, returns JUDGED and counts the candidate as
// still to be judged. All invocations of the workgroup must call this.
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
