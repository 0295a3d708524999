// How many candidates are listed, once the broad phase is done.

// Whether all candidates are found, and are so few that a word counts them.
fn all_found() -> bool {
    let row_tiles = tiles_of(params.end_row) - params.first_row / TILE;
    // Unsorted bodies are always swept whole.
    let all_swept = params.sorted == 0u || atomicLoad(&header.swept) == row_tiles;
    return all_swept && atomicLoad(&header.candidates_high) == 0u;
}

// The candidates of the list: all, or none where some have no room or are not found yet.
fn listed() -> u32 {
    let candidates = atomicLoad(&header.candidates);
    return select(0u, candidates, all_found() && candidates <= params.candidate_room);
}
