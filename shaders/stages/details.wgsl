// Gathers what each pair carries. One invocation a pair.

@group(0) @binding(15) var<storage, read_write> header: Header;
@group(0) @binding(12) var<storage, read> pairs: array<vec2<u32>>;
// No two invocations write the same one, and none reads one that another writes: so plain words do.
@group(0) @binding(13) var<storage, read_write> details: array<RawDetail>;

// Two convex bodies: the first tick at which they hit, where one of them moves, and nothing else. The first so far is
// kept in `detail`, without a denominator while there is none.
fn detail_convex(a: View, b: View, detail: ptr<function, RawDetail>, now: ptr<function, Progress>) -> u32 {
    if !moves(a.body) && !moves(b.body) {
        return HIT;
    }
    var first = select((*detail).time.x, NEVER, (*detail).time.y == 0u);
    let answer = convex_pair(a, b, true, &first, now);
    if first != NEVER {
        (*detail).time = vec2<u32>(first, TICKS);
    }
    return answer;
}

// Two sprites, which first are led to where they hit: then what overlaps there is gathered.
fn detail_sprites(a: View, b: View, detail: ptr<function, RawDetail>, now: ptr<function, Progress>) -> u32 {
    if (*now).phase < GATHER {
        let answer = pair(a, b, now);
        if answer != HIT {
            return answer;
        }
        tell_tick(a.body, b.body, (*now).tick, detail);
        (*now).phase = select(GATHER, GATHER_AT_END, (*now).phase == END);
        (*now).cursor = 0u;
    }
    if (*now).phase == GATHER_AT_END {
        return gather(view_at_end(a), view_at_end(b), vec2<i32>(0, 0), vec2<i32>(0, 0), detail, now);
    }
    let gone = offset(b.body.position, b.body.motion, (*now).tick);
    return gather(a, b, sprites_at(a.body, b.body, *now), gone, detail, now);
}

// A sprite and a convex body, which are led to the stay in which they hit, and to the tick: then what overlaps by then
// is gathered.
fn detail_mixed(sprite: View, convex: View, detail: ptr<function, RawDetail>, now: ptr<function, Progress>) -> u32 {
    if (*now).phase < TIME {
        let answer = pair(sprite, convex, now);
        if answer != HIT {
            return answer;
        }
        tell_tick(sprite.body, convex.body, (*now).tick, detail);
        (*now).cursor = 0u;
        let stay = stay_at(sprite.body, *now);
        if (*now).phase == END {
            (*now).phase = GATHER_AT_END;
        } else if stay.begin == stay.end || (*detail).time.y == 0u {
            (*now).phase = GATHER;
        } else {
            (*now).phase = TIME;
            (*detail).time.x = NEVER;
        }
    }
    if (*now).phase == TIME {
        var first = (*detail).time.x;
        let answer = mixed_tick(sprite, convex, &first, now);
        (*detail).time.x = first;
        if answer == UNFINISHED {
            return UNFINISHED;
        }
        (*now).phase = GATHER;
    }
    if (*now).phase == GATHER_AT_END {
        return gather(view_at_end(sprite), view_at_end(convex), vec2<i32>(0, 0), vec2<i32>(0, 0), detail, now);
    }
    let stay = stay_at(sprite.body, *now);
    let by_then = swept(convex, way(convex.body, stay.begin, (*detail).time.x));
    return gather(sprite, by_then, stay.at, vec2<i32>(0, 0), detail, now);
}

// Notes the tick of a pair with a sprite, if one of them moves.
fn tell_tick(a: Body, b: Body, tick: u32, detail: ptr<function, RawDetail>) {
    (*detail).sprite = 1u;
    (*detail).time = select(vec2<u32>(0u, 0u), vec2<u32>(tick, TICKS), moves(a) || moves(b));
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
    let a = view(hit.x);
    let b = view(hit.y);
    var detail = RawDetail();
    if params.resume == 1u {
        detail = details[c];
    }
    var answer = HIT;
    if is(a.body, SPRITE) && is(b.body, SPRITE) {
        answer = detail_sprites(a, b, &detail, &now);
    } else if is(a.body, SPRITE) {
        answer = detail_mixed(a, b, &detail, &now);
    } else if is(b.body, SPRITE) {
        answer = detail_mixed(b, a, &detail, &now);
    } else {
        answer = detail_convex(a, b, &detail, &now);
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
