// The number of candidates still to be judged: the first dispatch counts those that it leaves, and each later one
// uncounts those that it decides.

// expects: header, params

// Returns whether there is something to do.
fn some_are_left() -> bool {
    return params.round == 0u || atomicLoad(&header.unjudged) > 0u;
}

// Counts a candidate that is left for a later dispatch.
fn leave_candidate() {
    if params.round == 0u {
        atomicAdd(&header.unjudged, 1u);
    }
}

// Requests a round if an invocation of the first dispatch has used more than half of its fuel (progress.wgsl), so that
// twice the work can be done too.
fn tell_fuel(left: i32) {
    if params.round == 0u && left < params.fuel / 2 {
        atomicMax(&header.judge_rounds, 1u);
    }
}

// Uncounts a candidate that is decided.
fn finish_candidate() {
    if params.round > 0u {
        atomicSub(&header.unjudged, 1u);
        atomicMax(&header.judge_rounds, params.round);
    }
}
