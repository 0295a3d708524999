// How many candidates are still to be judged: the first dispatch counts those that it leaves, and each later one takes
// away those that it decides.

// Whether there is something to do.
fn some_are_left() -> bool {
    return params.round == 0u || atomicLoad(&header.unjudged) > 0u;
}

// A candidate is left for a later dispatch.
fn leave_candidate() {
    if params.round == 0u {
        atomicAdd(&header.unjudged, 1u);
    }
}

// Tells, where more than half of the fuel of the first dispatch is spent, that twice as much work takes another.
fn tell_fuel(left: i32) {
    if params.round == 0u && left < params.fuel / 2 {
        atomicMax(&header.judge_rounds, 1u);
    }
}

// A candidate is decided.
fn finish_candidate() {
    if params.round > 0u {
        atomicSub(&header.unjudged, 1u);
        atomicMax(&header.judge_rounds, params.round);
    }
}
