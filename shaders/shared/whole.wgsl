// The parts of the answer that are complete, so that hosts can use them on the GPU; twin of src/gpu/whole.rs.

// needs: listed
// expects: header, params

// The flag of each body; all pairs, in any order; the ascending order of the pairs; the details of each pair; the way
// out of each pair.
const FLAGS_WHOLE: u32 = 1u;
const PAIRS_WHOLE: u32 = 2u;
const ORDER_WHOLE: u32 = 4u;
const DETAILS_WHOLE: u32 = 8u;
const CONTACTS_WHOLE: u32 = 16u;
// The reasons why others are not: candidates or details did not fit; some pairs take more dispatches, or the driver cut
// loops short; too many pairs of one body, or in all, to be sorted; the candidates do not all fit at once.
const LACKS_ROOM: u32 = 256u;
const LACKS_FUEL: u32 = 512u;
const UNSORTED: u32 = 1024u;
const SEVERAL_RUNS: u32 = 2048u;

// Returns whether all listed candidates are decided, and the driver has cut no loop short.
fn are_judged() -> bool {
    return atomicLoad(&header.unjudged) == 0u && atomicLoad(&header.cut) == 0u;
}

// Returns whether each pair is in its place.
fn are_in_order() -> bool {
    return header.too_many == 0u && (atomicLoad(&header.long_rows) == 0u || params.sorts_pairs == 1u);
}

// Returns whether the pairs are complete and in order.
fn pairs_are_whole() -> bool {
    return are_judged() && are_in_order();
}

// The most workgroups in a dimension of a dispatch, by WebGPU's default limits. More are folded into two dimensions.
const MOST_GROUPS: u32 = 65535u;

// Writes the arguments of indirect dispatches and draws over `count` pairs.
fn write_arguments(count: u32) {
    let groups = count / params.pairs_each + u32(count % params.pairs_each != 0u);
    header.dispatch = array<u32, 3>(min(groups, MOST_GROUPS), (groups + MOST_GROUPS - 1u) / MOST_GROUPS, 1u);
    header.draw = array<u32, 4>(params.vertices, count, 0u, 0u);
}

// Writes which requested parts are complete. Exactly one invocation must call this, after everything else.
fn conclude_step() {
    let all_landed = atomicLoad(&header.landed_high) == 0u && atomicLoad(&header.landed) <= params.landed_room;
    let all_listed = all_landed && all_found() && atomicLoad(&header.candidates) <= params.candidate_room;
    let judged = all_listed && are_judged();
    // Flags of earlier runs stay; pairs do not.
    let last_run = params.end_row == params.bodies;
    let one_run = last_run && params.first_row == 0u;
    let all_there = judged && one_run && header.too_many == 0u;
    let fit = header.pairs <= params.detail_room;
    let detailed = atomicLoad(&header.undetailed) == 0u;
    var whole = select(0u, FLAGS_WHOLE, judged && last_run);
    whole |= select(0u, PAIRS_WHOLE, all_there);
    whole |= select(0u, ORDER_WHOLE, all_there && are_in_order());
    whole |= select(0u, DETAILS_WHOLE, all_there && are_in_order() && fit && detailed);
    let contacted = detailed && atomicLoad(&header.contacted) == header.pairs;
    whole |= select(0u, CONTACTS_WHOLE, all_there && are_in_order() && fit && contacted);
    whole &= params.asked;
    header.complete = u32(whole == params.asked);
    write_arguments(select(0u, header.pairs, (whole & PAIRS_WHOLE) != 0u));
    whole |= select(0u, LACKS_ROOM, !all_listed || !fit);
    let lacks_contacts = (params.asked & CONTACTS_WHOLE) != 0u && !contacted;
    whole |= select(0u, LACKS_FUEL, !are_judged() || !detailed || lacks_contacts);
    whole |= select(0u, UNSORTED, !are_in_order());
    header.whole = whole | select(0u, SEVERAL_RUNS, !one_run);
}
