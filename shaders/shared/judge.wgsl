// Judges the candidates of one of the sieve's lists, with `pair`.

// needs: flags, fuel, lists, progress, types, unjudged, view
// expects: pair

@group(0) @binding(7) var<storage, read> candidates: array<vec2<u32>>;
// No two invocations write the same word, none reads one that another writes, and the lists behind the verdicts are
// only read here, so plain words are enough.
@group(0) @binding(9) var<storage, read_write> verdicts: array<u32>;
@group(0) @binding(13) var<storage, read_write> header: Header;

// Judges every `stride`-th entry of a list from `first` on, while there is fuel.
fn judge_list(list: u32, first: u32, stride: u32) {
    fuel = params.fuel;
    var count = 0u;
    if some_are_left() {
        count = min(atomicLoad(&header.lists[list]), params.candidate_room);
    }
    for (var n = first; n < count; n += stride) {
        let c = verdicts[place_in(list, n)];
        if verdicts[c] != UNFINISHED {
            continue;
        }
        var now = progress_of(c);
        let candidate = candidates[c];
        var detail = RawDetail();
        let answer = pair(view(candidate.x), view(candidate.y), false, &detail, &now);
        verdicts[c] = answer;
        if answer == HIT {
            raise(candidate.x);
            raise(candidate.y);
        }
        if answer == UNFINISHED {
            save_progress(c, now);
            leave_candidate();
        } else {
            finish_candidate();
        }
    }
    tell_fuel(fuel);
    if loops_were_cut(params.sentinel) || endless {
        atomicStore(&header.cut, 1u);
    }
}
