// Gathers the details of each pair of a kind, with `pair`.

// needs: fuel, progress, types, view, whole
// expects: SPRITES_OF_PAIR, pair

@group(0) @binding(13) var<storage, read_write> header: Header;
@group(0) @binding(10) var<storage, read> pairs: array<vec2<u32>>;
// No two invocations write the same element, and none reads one that another writes, so plain words are enough.
@group(0) @binding(11) var<storage, read_write> details: array<RawDetail>;

// Counts a pair that is left for a later dispatch, or uncounts one that is complete.
fn count_undetailed(is_left: bool) {
    if is_left && params.round == 0u {
        atomicAdd(&header.undetailed, 1u);
    } else if !is_left && params.round > 0u {
        atomicSub(&header.undetailed, 1u);
        atomicMax(&header.detail_rounds, params.round);
    }
}

// Gathers the details of every `stride`-th pair from `first` on, while there is fuel.
fn detail_pairs(first: u32, stride: u32) {
    // If the pairs are incomplete or exceed the room, the host takes care of them.
    if params.if_whole == 1u && !(pairs_are_whole() && header.pairs <= params.detail_room) {
        return;
    }
    if params.round > 0u && atomicLoad(&header.undetailed) == 0u {
        return;
    }
    let count = min(params.detail_room, header.pairs - params.first_pair);
    fuel = params.fuel;
    for (var c = first; c < count; c += stride) {
        let hit = pairs[params.first_pair + c];
        let a = view(hit.x);
        let b = view(hit.y);
        if u32(is(a.body, SPRITE)) + u32(is(b.body, SPRITE)) != SPRITES_OF_PAIR {
            continue;
        }
        var detail = RawDetail();
        if params.round > 0u {
            detail = details[c];
            if detail.unfinished == 0u {
                continue;
            }
        }
        var now = progress_of(c);
        let answer = pair(a, b, true, &detail, &now);
        detail.unfinished = u32(answer == UNFINISHED);
        details[c] = detail;
        if answer == UNFINISHED {
            save_progress(c, now);
        }
        count_undetailed(answer == UNFINISHED);
    }
    // More than half of the fuel is spent, so twice as much work would need another dispatch.
    if params.round == 0u && fuel < params.fuel / 2 {
        atomicMax(&header.detail_rounds, 1u);
    }
    if loops_were_cut(params.sentinel) || endless {
        atomicStore(&header.cut, 1u);
    }
}
