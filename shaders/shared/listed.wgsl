// The number of listed candidates, once the broad phase is done.

// needs: types
// expects: header, params

// Returns whether all candidates have been found, and one word can count them.
fn all_found() -> bool {
    let row_tiles = tiles_of(params.end_row) - params.first_row / TILE;
    // Unsorted bodies are always swept completely.
    let all_swept = params.sorted == 0u || atomicLoad(&header.swept) == row_tiles;
    return all_swept && atomicLoad(&header.candidates_high) == 0u;
}

// Returns the number of candidates on the list; 0 if some have no room or have not been found yet.
fn listed() -> u32 {
    let candidates = atomicLoad(&header.candidates);
    return select(0u, candidates, all_found() && candidates <= params.candidate_room);
}
