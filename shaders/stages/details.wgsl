// Gathers what each pair carries. One invocation a pair.

@group(0) @binding(15) var<storage, read_write> header: Header;
@group(0) @binding(12) var<storage, read> pairs: array<vec2<u32>>;
// No two invocations write the same one, and none reads one that another writes: so plain words do.
@group(0) @binding(13) var<storage, read_write> details: array<RawDetail>;

// Two convex bodies: the first time at which they hit, where one of them moves, and nothing else. The first so far is
// kept in `detail`, without a denominator while there is none.
fn detail_convex(met: Meeting, detail: ptr<function, RawDetail>, now: ptr<function, Progress>) -> u32 {
    if !moves(met.mover.body) && !moves(met.still.body) {
        return HIT;
    }
    var first = select((*detail).time.x, NEVER, (*detail).time.y == 0u);
    let answer = convex_pair(met.mover, met.still, met.motion, true, &first, now);
    if first != NEVER {
        (*detail).time = vec2<u32>(first, 1u << 16u);
    }
    return answer;
}

// A sprite, which first is led to where it hits: then what overlaps there is gathered.
fn detail_sprite(met: Meeting, detail: ptr<function, RawDetail>, now: ptr<function, Progress>) -> u32 {
    if (*now).phase == SEARCH {
        let answer = sprite_pair(met.mover, met.still, met.motion, now);
        if answer != HIT {
            return answer;
        }
        (*now).phase = GATHER;
        (*now).cursor = 0u;
        (*detail).sprite = 1u;
        if moves(met.mover.body) || moves(met.still.body) {
            let path = path_at(met.motion, (*now).at);
            (*detail).time = vec2<u32>(path.taken, path_steps(path));
        }
    }
    return gather(met.mover, met.still, detail, now);
}

@compute @workgroup_size(GROUP)
fn detail_pairs(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let c = invocation(group, groups, local);
    if c >= params.detail_room || params.first_pair + c >= header.pairs {
        return;
    }
    if params.resume == 1u && details[c].unfinished == 0u {
        return;
    }
    var now = progress_of(c);
    fuel = params.fuel;
    let hit = pairs[params.first_pair + c];
    let met = meeting(hit.x, hit.y);
    var detail = RawDetail();
    if params.resume == 1u {
        detail = details[c];
    }
    var answer = HIT;
    if is(met.mover.body, SPRITE) {
        answer = detail_sprite(met, &detail, &now);
    } else {
        answer = detail_convex(met, &detail, &now);
    }
    detail.unfinished = u32(answer == UNFINISHED);
    details[c] = detail;
    if answer == UNFINISHED {
        save_progress(c, now);
        atomicAdd(&header.undetailed, 1u);
    }
    if loops_were_cut(params.sentinel) {
        atomicStore(&header.cut, 1u);
    }
}
