// How many workgroups later dispatches have, from what earlier ones counted: a slot for each of them. More groups than a dimension takes
// are folded into two.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(9) var<storage, read_write> sums: array<u32>;
@group(0) @binding(15) var<storage, read_write> header: Header;
@group(0) @binding(11) var<storage, read_write> dispatches: array<vec4<u32>>;

// Slots: over all candidates, over long rows, over sprites to paint, over pairs, over pairs of small and of large masks; from FIRST_PART on, over
// other candidates in parts.
const LISTED: u32 = 0u;
const LONG_ROWS: u32 = 1u;
const PAINTINGS: u32 = 2u;
const PAIRS: u32 = 3u;
const SMALL_MASKS: u32 = 4u;
const LARGE_MASKS: u32 = 5u;
const FIRST_PART: u32 = 6u;
// Candidates in a part.
const AT_ONCE: u32 = 1048576u;
// Values of a scan's block.
const BLOCK: u32 = 1024u;

fn plan(slot: u32, groups: u32) {
    let wide = clamp(groups, 1u, params.groups);
    dispatches[slot] = vec4<u32>(wide, (groups + wide - 1u) / wide, 1u, 0u);
}

// `count` in groups of 64.
fn groups_of(count: u32) -> u32 {
    return count / 64u + u32(count % 64u > 0u);
}

// Whether all candidates were found, and are few enough to be counted in a word.
fn all_found() -> bool {
    let rows = (params.last_row + TILE - 1u) / TILE - params.first_row / TILE;
    // Unsorted, no tile is left for another round.
    let all_swept = params.sorted == 0u || atomicLoad(&header.swept) == rows;
    return all_swept && atomicLoad(&header.candidates_high) == 0u;
}

@compute @workgroup_size(1)
fn plan_candidates() {
    let candidates = atomicLoad(&header.candidates);
    let all = all_found() && candidates <= params.capacity;
    header.listed = select(0u, candidates, all);
    plan(LISTED, groups_of(header.listed));
}

@compute @workgroup_size(1)
fn plan_verdicts() {
    plan(SMALL_MASKS, groups_of(atomicLoad(&header.small_masks)));
    plan(LARGE_MASKS, atomicLoad(&header.large_masks));
    let others = atomicLoad(&header.others);
    for (var part = 0u; part < params.count; part++) {
        let before = min(part * AT_ONCE, others);
        plan(FIRST_PART + part, groups_of(min(others - before, AT_ONCE)));
    }
}

@compute @workgroup_size(1)
fn plan_paintings() {
    plan(PAINTINGS, select(0u, atomicLoad(&header.paintings), header.listed > 0u));
}

// The total stands behind the sums of all blocks. Where there is no room for the details of all, the host takes care of them.
@compute @workgroup_size(1)
fn plan_pairs() {
    header.pairs = sums[(params.bodies + BLOCK - 1u) / BLOCK];
    let ready = atomicLoad(&header.unjudged) == 0u && atomicLoad(&header.longest_rows) == 0u && header.pairs <= params.capacity;
    plan(PAIRS, select(0u, groups_of(header.pairs), ready));
}

@compute @workgroup_size(1)
fn plan_long_rows() {
    plan(LONG_ROWS, atomicLoad(&header.long_rows));
}

// Whether the answer is complete. Where pairs carry something, `capacity` is the room for that.
@compute @workgroup_size(1)
fn conclude() {
    let all_rows = params.first_row == 0u && params.last_row == params.bodies;
    let listed = all_found() && header.listed == atomicLoad(&header.candidates);
    let judged = atomicLoad(&header.unjudged) == 0u && atomicLoad(&header.cut) == 0u;
    let ordered = atomicLoad(&header.longest_rows) == 0u;
    let detailed = atomicLoad(&header.undetailed) == 0u && header.pairs <= params.capacity;
    header.complete = u32(all_rows && listed && judged && ordered && detailed);
}
