// What each pair carries. One invocation a pair.

@group(0) @binding(15) var<storage, read_write> header: Header;
@group(0) @binding(12) var<storage, read> pairs: array<vec2<u32>>;
@group(0) @binding(13) var<storage, read_write> details: array<Detail>;

// Two convex bodies have a time where one of them moves, and nothing else. The first so far is kept, NEVER as 0 without denominator.
fn detail_convex(pair: Meeting, detail: ptr<function, Detail>, now: ptr<function, Progress>) -> u32 {
    if !moves(pair.mover.body) && !moves(pair.still.body) {
        return HIT;
    }
    var first = select((*detail).time.x, NEVER, (*detail).time.y == 0u);
    let answer = convex_pair(pair.mover, pair.still, pair.motion, true, &first, now);
    if first != NEVER {
        (*detail).time = vec2<u32>(first, 1u << 16u);
    }
    return answer;
}

// A sprite is led to where it first hits, then gathers what overlaps there.
fn detail_sprite(pair: Meeting, detail: ptr<function, Detail>, now: ptr<function, Progress>) -> u32 {
    if (*now).phase == SEARCH {
        let answer = search_sprite(pair.mover, pair.still, pair.motion, now);
        if answer != HIT {
            return answer;
        }
        (*now).phase = GATHER;
        (*now).cursor = 0u;
        (*detail).sprite = 1u;
        if moves(pair.mover.body) || moves(pair.still.body) {
            let path = path_at(pair.motion, (*now).at);
            (*detail).time = vec2<u32>(path.taken, path_steps(path));
        }
    }
    return gather(pair.mover, pair.still, detail, now);
}

@compute @workgroup_size(64)
fn detail_pairs(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let c = invocation(group, groups, local, 64u);
    if c >= params.capacity || params.first + c >= header.pairs || (params.resume == 1u && details[c].unfinished == 0u) {
        return;
    }
    var now = progress_of(c);
    fuel = params.fuel;
    let hit = pairs[params.first + c];
    let pair = meeting(hit.x, hit.y);
    var detail = Detail();
    if params.resume == 1u {
        detail = details[c];
    }
    var answer = HIT;
    if is(pair.mover.body, SPRITE) {
        answer = detail_sprite(pair, &detail, &now);
    } else {
        answer = detail_convex(pair, &detail, &now);
    }
    detail.unfinished = u32(answer == UNFINISHED);
    details[c] = detail;
    if answer == UNFINISHED {
        put_down(c, now);
        atomicAdd(&header.undetailed, 1u);
    }
    if loops_were_cut(params.sentinel) {
        atomicStore(&header.cut, 1u);
    }
}
