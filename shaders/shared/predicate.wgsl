// The exact predicate on convex cores; twin of src/ground/predicate.rs, which explains it.

// needs: fuel, types, wide
// expects: landed

// A convex core: the hull of `count` vertices in `landed`, from word `first` on; or if `count` is 0, the box `square`.
struct Core {
    first: u32,
    count: u32,
    square: Aabb,
}

struct Normal {
    x: Wide,
    y: Wide,
}

// The result of a search: whether two bodies are apart, and if so, a direction that separates them.
struct Apart {
    yes: bool,
    normal: Normal,
}

const TOGETHER: Apart = Apart(false, Normal(WIDE_ZERO, WIDE_ZERO));

fn hull(first: u32, count: u32) -> Core {
    return Core(first, count, Aabb(vec2<i32>(0, 0), vec2<i32>(0, 0)));
}

fn square(region: Aabb) -> Core {
    return Core(0u, 0u, region);
}

fn landed_vertex(core: Core, i: u32) -> vec2<i32> {
    let at = core.first + 2u * i;
    return bitcast<vec2<i32>>(vec2<u32>(landed[at], landed[at + 1u]));
}

// Returns the bounds of the vertices of a hull.
fn core_bounds(core: Core) -> Aabb {
    var low = landed_vertex(core, 0u);
    var high = low;
    for (var i = 1u; i < core.count; i++) {
        let vertex = landed_vertex(core, i);
        low = min(low, vertex);
        high = max(high, vertex);
    }
    fuel -= i32(core.count);
    return Aabb(low, high);
}

// Returns a vertex farthest along `n`.
fn support(core: Core, n: Normal) -> vec2<i32> {
    if core.count == 0u {
        return vec2<i32>(
            select(core.square.min.x, core.square.max.x, wide_sign(n.x) > 0),
            select(core.square.min.y, core.square.max.y, wide_sign(n.y) > 0),
        );
    }
    var best = landed_vertex(core, 0u);
    var farthest = dot_wide(n, best);
    for (var i = 1u; i < core.count; i++) {
        let vertex = landed_vertex(core, i);
        let along = dot_wide(n, vertex);
        if wide_less(farthest, along) {
            best = vertex;
            farthest = along;
        }
    }
    return best;
}

// Returns any vertex.
fn any_vertex(core: Core) -> vec2<i32> {
    if core.count == 0u {
        return core.square.min;
    }
    return landed_vertex(core, 0u);
}

// Returns whether the hull of the core and its translate by `sweep` has an area.
fn has_area(core: Core, sweep: vec2<i32>) -> bool {
    if core.count == 0u {
        return true;
    }
    let start = landed_vertex(core, 0u);
    var along = sweep;
    for (var i = 0u; i < core.count; i++) {
        let edge = landed_vertex(core, i) - start;
        if !wide_is_zero(cross_wide(along, edge)) {
            return true;
        }
        if all(along == vec2<i32>(0, 0)) {
            along = edge;
        }
    }
    return false;
}

fn dot_wide(n: Normal, p: vec2<i32>) -> Wide {
    return wide_add(wide_mul(n.x, wide(p.x)), wide_mul(n.y, wide(p.y)));
}

fn cross_wide(p: vec2<i32>, q: vec2<i32>) -> Wide {
    return wide_sub(wide_mul_i32(p.x, q.y), wide_mul_i32(p.y, q.x));
}

// Returns q · (q - p), whose sign locates the origin's foot on the line through `p` and `q`: it lies beyond `q` unless
// the result is positive.
fn past(p: vec2<i32>, q: vec2<i32>) -> Wide {
    let itself = wide_add(wide_mul_i32(q.x, q.x), wide_mul_i32(q.y, q.y));
    return wide_sub(itself, wide_add(wide_mul_i32(q.x, p.x), wide_mul_i32(q.y, p.y)));
}

// Returns a direction to the left of the edge from `p` to `q`.
fn left(p: vec2<i32>, q: vec2<i32>) -> Normal {
    return Normal(wide_sub(wide(p.y), wide(q.y)), wide_sub(wide(q.x), wide(p.x)));
}

fn toward_origin(p: vec2<i32>) -> Normal {
    return Normal(wide(-p.x), wide(-p.y));
}

fn opposite(n: Normal) -> Normal {
    return Normal(wide_neg(n.x), wide_neg(n.y));
}

fn is_nowhere(n: Normal) -> bool {
    return wide_is_zero(n.x) && wide_is_zero(n.y);
}

// Returns whether the pair is apart, given that n·c is at most `along` for each difference c of a point of one core and
// a point of the other.
fn beyond(along: Wide, n: Normal, radius: i32, touch: u32) -> bool {
    let sign = wide_sign(along);
    if radius == 0 {
        return sign < 0 || (sign == 0 && touch == TOUCH_EXCLUDED);
    }
    if sign >= 0 {
        return false;
    }
    let size = wide_abs(along);
    let behind = widest_product(size, size);
    let x = wide_abs(n.x);
    let y = wide_abs(n.y);
    let length = wide_add(wide_mul(x, x), wide_mul(y, y));
    let room = widest_product(wide_mul_i32(radius, radius), length);
    return widest_less(room, behind) || (touch == TOUCH_EXCLUDED && widest_is(room, behind));
}

// Returns the vertex farthest along `n` of the difference of `a`, swept along `sweep`, and `b`.
fn difference_support(a: Core, b: Core, sweep: vec2<i32>, n: Normal) -> vec2<i32> {
    let swept = select(vec2<i32>(0, 0), sweep, wide_sign(dot_wide(n, sweep)) > 0);
    return (support(a, n) + swept) - support(b, opposite(n));
}

// Returns whether a core is a segment, if it has no radius.
fn is_segment(core: Core) -> bool {
    return core.count == 2u;
}

// Returns whether a core without a radius, swept along `sweep`, can hit another by more than touching it: it has an
// area, or is a segment.
fn is_solid(core: Core, sweep: vec2<i32>) -> bool {
    return is_segment(core) || has_area(core, sweep);
}

// Returns whether two cores without a radius, the first swept along `sweep`, can hit by more than touching.
fn can_overlap(a: Core, b: Core, sweep: vec2<i32>) -> bool {
    return !(is_segment(a) && is_segment(b)) && is_solid(a, sweep) && is_solid(b, vec2<i32>(0, 0));
}

// Returns whether `a`, swept along `sweep`, and `b` hit, with the sum `radius` of their radii.
fn meets(a: Core, b: Core, sweep: vec2<i32>, radius: i32, touch: u32) -> bool {
    if radius == 0 && touch == TOUCH_EXCLUDED && !can_overlap(a, b, sweep) {
        return false;
    }
    let apart = find_apart(a, b, sweep, radius, touch);
    return !apart.yes;
}

// Returns the most turns of a search: see `most_turns` of the twin. A box has `count` 0.
fn most_turns(a: Core, b: Core) -> u32 {
    return 2u * (a.count + b.count) + 24u;
}

// The direction that a turn of the search tests: a first one; one closer to separating; one to the left, and then to
// the right, of an edge of the difference that contains the origin.
const FIRST: u32 = 0u;
const NEARER: u32 = 1u;
const TO_LEFT: u32 = 2u;
const TO_RIGHT: u32 = 3u;

// Returns a direction in which `a`, swept along `sweep`, lies so far behind `b` that they do not hit, if they do not.
fn find_apart(a: Core, b: Core, sweep: vec2<i32>, radius: i32, touch: u32) -> Apart {
    let open = radius == 0 && touch == TOUCH_EXCLUDED;
    var n = toward_origin(any_vertex(a) - any_vertex(b));
    if is_nowhere(n) {
        n = Normal(wide(1), WIDE_ZERO);
    }
    var asks = FIRST;
    var p = vec2<i32>(0, 0);
    var q = p;
    var height = WIDE_ZERO;
    var turns = most_turns(a, b);
    loop {
        fuel -= i32(a.count + b.count + 4u);
        // The only call of the support function: drivers inline it at each call.
        let w = difference_support(a, b, sweep, n);
        let along = dot_wide(n, w);
        if asks == TO_LEFT || asks == TO_RIGHT {
            if wide_sign(along) <= 0 {
                return Apart(true, n);
            }
            if asks == TO_RIGHT {
                return TOGETHER;
            }
            n = opposite(n);
            asks = TO_RIGHT;
            continue;
        }
        if beyond(along, n, radius, touch) {
            return Apart(true, n);
        }
        if asks == FIRST {
            p = w;
            q = w;
            asks = NEARER;
        } else if !wide_less(height, along) {
            return TOGETHER;
        } else if all(p == q) {
            if wide_sign(past(p, w)) <= 0 {
                p = w;
                q = w;
            } else {
                let side = wide_sign(cross_wide(p, w));
                if side == 0 {
                    // The origin lies on the edge: closed sets meet, and interiors do if C has points on both sides.
                    if !open {
                        return TOGETHER;
                    }
                    n = left(p, w);
                    asks = TO_LEFT;
                    continue;
                }
                if side > 0 {
                    q = w;
                } else {
                    q = p;
                    p = w;
                }
            }
        } else {
            // An edge through the origin does not separate closed sets, but may separate interiors.
            let limit = select(-1, 0, open);
            let wp = wide_sign(cross_wide(w, p)) <= limit;
            let qw = wide_sign(cross_wide(q, w)) <= limit;
            if !wp && !qw {
                return TOGETHER;
            }
            if wp && wide_sign(past(p, w)) > 0 {
                q = w;
            } else if qw && wide_sign(past(q, w)) > 0 {
                p = w;
            } else {
                p = w;
                q = w;
            }
        }
        if all(p == q) {
            n = toward_origin(p);
        } else {
            n = left(p, q);
        }
        turns -= 1u;
        endless = endless || turns == 0u;
        if is_nowhere(n) || endless {
            break;
        }
        height = dot_wide(n, p);
    }
    return TOGETHER;
}
