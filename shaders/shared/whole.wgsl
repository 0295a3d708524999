// Whether the answer is whole: so that hosts can use it on the GPU.

// Whether all candidates are decided, and the pairs are in order.
fn pairs_are_whole() -> bool {
    let judged = atomicLoad(&header.unjudged) == 0u && atomicLoad(&header.cut) == 0u;
    return judged && atomicLoad(&header.long_rows) == 0u && header.too_many == 0u;
}

// Tells whether all that was asked for is there. For one invocation in all, after all else.
fn conclude_step() {
    let all_rows = params.first_row == 0u && params.end_row == params.bodies;
    let all_listed = all_found() && atomicLoad(&header.candidates) <= params.candidate_room;
    let detailed = atomicLoad(&header.undetailed) == 0u && header.pairs <= params.detail_room;
    header.complete = u32(all_rows && all_listed && pairs_are_whole() && detailed);
}
