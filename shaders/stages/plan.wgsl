// How many workgroups later dispatches have, from what earlier ones have counted: they are *planned*, and each has a
// slot, an entry of `dispatches`. And last of all, whether the answer is complete. One invocation in all.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(9) var<storage, read_write> sums: array<u32>;
@group(0) @binding(15) var<storage, read_write> header: Header;
@group(0) @binding(11) var<storage, read_write> dispatches: array<vec4<u32>>;

// The slots of the dispatches over all candidates, over long rows, over sprites to paint, over pairs, over pairs of
// masks with small and with large overlaps; and from SLOT_OTHERS on, over the parts of the other candidates.
const SLOT_CANDIDATES: u32 = 0u;
const SLOT_LONG_ROWS: u32 = 1u;
const SLOT_PAINTINGS: u32 = 2u;
const SLOT_PAIRS: u32 = 3u;
const SLOT_SMALL_MASKS: u32 = 4u;
const SLOT_LARGE_MASKS: u32 = 5u;
const SLOT_OTHERS: u32 = 6u;
// The candidates of a part.
const PART: u32 = 1048576u;
// The values of a scan's block.
const SCAN_BLOCK: u32 = 1024u;

// Plans a dispatch. More groups than a dimension takes are folded into two.
fn plan(slot: u32, groups: u32) {
    let wide = clamp(groups, 1u, params.most_groups);
    dispatches[slot] = vec4<u32>(wide, (groups + wide - 1u) / wide, 1u, 0u);
}

// The workgroups with an invocation for each of `count` things.
fn groups_of(count: u32) -> u32 {
    return count / GROUP + u32(count % GROUP > 0u);
}

// Whether all candidates are found, and are so few that a word counts them.
fn all_found() -> bool {
    let row_tiles = tiles_of(params.end_row) - params.first_row / TILE;
    // Unsorted bodies are always swept whole.
    let all_swept = params.sorted == 0u || atomicLoad(&header.swept) == row_tiles;
    return all_swept && atomicLoad(&header.candidates_high) == 0u;
}

@compute @workgroup_size(1)
fn plan_candidates() {
    let candidates = atomicLoad(&header.candidates);
    let all = all_found() && candidates <= params.candidate_room;
    header.listed = select(0u, candidates, all);
    plan(SLOT_CANDIDATES, groups_of(header.listed));
}

@compute @workgroup_size(1)
fn plan_verdicts() {
    plan(SLOT_SMALL_MASKS, groups_of(atomicLoad(&header.small_masks)));
    plan(SLOT_LARGE_MASKS, atomicLoad(&header.large_masks));
    let others = atomicLoad(&header.others);
    for (var part = 0u; part < params.parts; part++) {
        let before = min(part * PART, others);
        plan(SLOT_OTHERS + part, groups_of(min(others - before, PART)));
    }
}

@compute @workgroup_size(1)
fn plan_paintings() {
    plan(SLOT_PAINTINGS, select(0u, atomicLoad(&header.paintings), header.listed > 0u));
}

// The pairs are counted by the scan of rows, whose total stands behind the sums of its blocks. Their details are
// gathered if there is room for all and the pairs are whole and in order; else the host sees to them.
@compute @workgroup_size(1)
fn plan_pairs() {
    header.pairs = sums[(params.bodies + SCAN_BLOCK - 1u) / SCAN_BLOCK];
    let judged = atomicLoad(&header.unjudged) == 0u;
    let ready = judged && atomicLoad(&header.longest_rows) == 0u && header.pairs <= params.detail_room;
    plan(SLOT_PAIRS, select(0u, groups_of(header.pairs), ready));
}

@compute @workgroup_size(1)
fn plan_long_rows() {
    plan(SLOT_LONG_ROWS, atomicLoad(&header.long_rows));
}

// Tells whether the answer is complete.
@compute @workgroup_size(1)
fn conclude() {
    let all_rows = params.first_row == 0u && params.end_row == params.bodies;
    let listed = all_found() && header.listed == atomicLoad(&header.candidates);
    let judged = atomicLoad(&header.unjudged) == 0u && atomicLoad(&header.cut) == 0u;
    let ordered = atomicLoad(&header.longest_rows) == 0u;
    let detailed = atomicLoad(&header.undetailed) == 0u && header.pairs <= params.detail_room;
    header.complete = u32(all_rows && listed && judged && ordered && detailed);
}
