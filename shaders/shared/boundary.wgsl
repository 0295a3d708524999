// The boundary of a union of convex sets: the edges and arcs of each, and where they cross; twin of
// src/host/contact/boundary.rs, which explains it.

// needs: differences, double, exit, types, vector

// See `SLACK` and `ROUNDED` of the twin.
const SLACK: Double = Double(false, -72, vec2<u32>(0u, 0x100000u));
const ONE_AND_SLACK: Double = Double(false, -52, vec2<u32>(0u, 0x100001u));
const ROUNDED: Double = Double(false, -64, vec2<u32>(0u, 0x100000u));

// An edge or arc of a set's boundary.
struct Element {
    is_arc: bool,
    // The point at which an edge begins, or the centre of an arc.
    at: Vector,
    // The vector of an edge.
    along: Vector,
    // The normal of an edge, or the direction in which an arc begins; and that in which an arc ends.
    normal: Vector,
    to: Vector,
    // The radius of an arc.
    radius: Double,
    // Bounds.
    min: Vector,
    max: Vector,
}

// Up to three places where the boundary of the union may be nearest to the origin: the nearest of an element, with the
// normals there, or those where two elements cross, with the normals of both.
struct Places {
    count: u32,
    at: array<Vector, 3>,
    normals: array<Vector, 3>,
    others: array<Vector, 2>,
    are_crossings: bool,
    // Whether the way out may have another normal there.
    corner: bool,
}

fn no_places() -> Places {
    var places: Places;
    places.corner = true;
    return places;
}

// Adds a place where two elements cross.
fn add_crossing(places: ptr<function, Places>, at: Vector, normal: Vector, other: Vector) {
    (*places).at[(*places).count] = at;
    (*places).normals[(*places).count] = normal;
    (*places).others[(*places).count] = other;
    (*places).count += 1u;
    (*places).are_crossings = true;
}

// Adds a place of an element.
fn add_nearest(places: ptr<function, Places>, at: Vector, normal: Vector) {
    (*places).at[(*places).count] = at;
    (*places).normals[(*places).count] = normal;
    (*places).count += 1u;
}

// Returns one of some places, as an end of a way out.
fn exit_of(places: Places, k: u32) -> Exit {
    if places.are_crossings {
        return crossing_exit(places.at[k], places.normals[k], places.others[k]);
    }
    return Exit(places.at[k], places.normals[k], false);
}

// Returns the number of edges and arcs of a set.
fn elements_of(slot: u32, radius: i32) -> u32 {
    let count = max(edge_counts[slot], u32(radius > 0));
    return select(count, 2u * count, radius > 0);
}

// Returns bounds of an edge or arc: the edge or vertex of the differences where it lies, inflated by the radius.
fn element_box(slot: u32, i: u32, radius: i32) -> Aabb {
    var edge = edge_of(slot, select(i, i / 2u, radius > 0));
    return grown(Aabb(min(edge.xy, edge.zw), max(edge.xy, edge.zw)), radius + i32(radius > 0));
}

// Returns an edge or arc of a set; with a radius, they alternate.
fn element_of(slot: u32, i: u32, radius: i32) -> Element {
    var element: Element;
    element.is_arc = edge_counts[slot] == 0u || (radius > 0 && i % 2u == 1u);
    element.radius = double_of_int(radius);
    let edge = edge_of(slot, select(i, i / 2u, radius > 0));
    element.along = vector_of(edge.zw - edge.xy);
    var reach = SLIT;
    var end: Vector;
    if edge_counts[slot] == 0u {
        // A circle: two halves.
        let right = Vector(DOUBLE_ONE, DOUBLE_ZERO);
        let left = vector_neg(right);
        element.at = vector_of(edge.xy);
        if i == 0u {
            element.normal = right;
            element.to = left;
        } else {
            element.normal = left;
            element.to = right;
        }
    } else {
        element.normal = outward(element.along);
        element.at = vector_of(edge.zw);
    }
    if element.is_arc {
        reach = double_add(element.radius, SLIT);
        end = element.at;
        if edge_counts[slot] > 0u {
            element.to = outward(vector_of(edge_after(slot, edge)));
        }
    } else {
        element.at = vector_add(vector_of(edge.xy), vector_scaled(element.normal, element.radius));
        end = vector_add(element.at, element.along);
    }
    let is_right = double_less(element.at.x, end.x);
    let is_lower = double_less(element.at.y, end.y);
    element.min = element.at;
    element.max = end;
    if !is_right {
        element.min.x = end.x;
        element.max.x = element.at.x;
    }
    if !is_lower {
        element.min.y = end.y;
        element.max.y = element.at.y;
    }
    element.min = vector_sub(element.min, Vector(reach, reach));
    element.max = vector_add(element.max, Vector(reach, reach));
    return element;
}

// Returns the vector of the edge that follows an edge of a set.
fn edge_after(slot: u32, edge: vec4<i32>) -> vec2<i32> {
    let count = edge_counts[slot];
    var along = edge.xy - edge.zw;
    for (var i = 0u; i < count; i++) {
        let next = edge_of(slot, i);
        if all(next.xy == edge.zw) {
            along = next.zw - next.xy;
        }
    }
    return along;
}

// Returns whether the bounds of two elements meet.
fn elements_meet(p: Element, q: Element) -> bool {
    return !double_less(p.max.x, q.min.x) && !double_less(q.max.x, p.min.x)
        && !double_less(p.max.y, q.min.y) && !double_less(q.max.y, p.min.y);
}

// Returns the point of an element that is nearest to the origin; for an arc, its ends as well.
fn nearest_places(element: Element) -> Places {
    var places = no_places();
    if !element.is_arc {
        let before = vector_dot(element.at, element.along);
        let part = double_div(double_neg(before), vector_dot(element.along, element.along));
        let is_first = !double_less(DOUBLE_ZERO, part);
        places.corner = is_first || !double_less(part, DOUBLE_ONE);
        // The foot by its distance, which is exact for axis-aligned edges.
        var at = vector_scaled(element.normal, vector_dot(element.at, element.normal));
        if is_first {
            at = element.at;
        } else if places.corner {
            at = vector_add(element.at, element.along);
        }
        add_nearest(&places, at, element.normal);
        return places;
    }
    let distance = vector_length(element.at);
    for (var k = 0u; k < 3u; k++) {
        var direction = element.normal;
        if k == 2u {
            direction = element.to;
        } else if k == 0u && !double_is_zero(distance) {
            direction = vector_scaled(element.at, double_neg(double_div(DOUBLE_ONE, distance)));
        }
        if turns(element.normal, direction, element.to) {
            add_nearest(&places, vector_add(element.at, vector_scaled(direction, element.radius)), direction);
        }
    }
    return places;
}

// Returns the points where two elements cross.
fn crossings(p: Element, q: Element) -> Places {
    if p.is_arc && q.is_arc {
        return arc_crossings(p, q);
    }
    if !p.is_arc && !q.is_arc {
        return edge_crossings(p, q);
    }
    var edge = p;
    var arc = q;
    if p.is_arc {
        edge = q;
        arc = p;
    }
    return edge_arc_crossings(edge, arc);
}

fn edge_crossings(p: Element, q: Element) -> Places {
    var places = no_places();
    let turn = vector_cross(p.along, q.along);
    let between = vector_sub(q.at, p.at);
    let s = vector_cross(between, q.along);
    let t = vector_cross(between, p.along);
    // Divide only if the quotients may lie between 0 and 1.
    if double_is_zero(turn) || is_beyond(s, turn) || is_beyond(t, turn) {
        return places;
    }
    let part = double_div(s, turn);
    if is_on(part) && is_on(double_div(t, turn)) {
        add_crossing(&places, vector_add(p.at, vector_scaled(p.along, part)), p.normal, q.normal);
    }
    return places;
}

// Returns whether a / b surely lies outside the range of `is_on`.
fn is_beyond(a: Double, b: Double) -> bool {
    let is_before = a.is_negative != b.is_negative && double_is_nearer(double_scaled(b, -19), a);
    return is_before || double_is_nearer(double_scaled(b, 1), a);
}

// Returns whether a part of an edge's length lies on it.
fn is_on(part: Double) -> bool {
    return !double_less(part, double_neg(SLACK)) && !double_less(ONE_AND_SLACK, part);
}

fn edge_arc_crossings(edge: Element, arc: Element) -> Places {
    var places = no_places();
    let whole = vector_length(edge.along);
    let direction = vector_scaled(edge.along, double_div(DOUBLE_ONE, whole));
    let between = vector_sub(arc.at, edge.at);
    let middle = vector_dot(between, direction);
    let off = vector_cross(direction, between);
    let reach = double_neg(double_add(arc.radius, SLIT));
    if double_less(double_add(arc.radius, ROUNDED), off) || double_less(off, reach) {
        return places;
    }
    let square = double_sub(double_mul(arc.radius, arc.radius), double_mul(off, off));
    // If they miss each other by so little, they touch.
    var half = DOUBLE_ZERO;
    if !square.is_negative {
        half = double_sqrt(square);
    }
    for (var k = 0u; k < 2u; k++) {
        half = double_neg(half);
        let part = double_add(middle, half);
        let at = vector_add(edge.at, vector_scaled(direction, part));
        let around = vector_scaled(vector_sub(at, arc.at), double_div(DOUBLE_ONE, arc.radius));
        let is_within = !double_less(part, double_neg(DOUBLE_ONE))
            && !double_less(double_add(whole, DOUBLE_ONE), part);
        if is_within && turns(arc.normal, around, arc.to) {
            add_crossing(&places, at, edge.normal, around);
        }
    }
    return places;
}

fn arc_crossings(p: Element, q: Element) -> Places {
    var places = no_places();
    let between = vector_sub(q.at, p.at);
    let distance = vector_length(between);
    var inside = double_sub(p.radius, q.radius);
    inside.is_negative = false;
    inside = double_sub(inside, ROUNDED);
    let outside = double_add(double_add(p.radius, q.radius), SLIT);
    if double_is_zero(distance) || double_less(distance, inside) || double_less(outside, distance) {
        return places;
    }
    let square = double_mul(distance, distance);
    // How far along the line between the centres the crossings lie: halfway if the radii are equal.
    let difference = double_sub(double_mul(p.radius, p.radius), double_mul(q.radius, q.radius));
    let part = double_add(DOUBLE_HALF, double_div(double_scaled(difference, -1), square));
    var rest = double_sub(double_mul(p.radius, p.radius), double_mul(double_mul(part, part), square));
    if rest.is_negative {
        rest = DOUBLE_ZERO;
    }
    let half = double_sqrt(rest);
    let foot = vector_add(p.at, vector_scaled(between, part));
    var across = vector_scaled(Vector(double_neg(between.y), between.x), double_div(half, distance));
    for (var k = 0u; k < 2u; k++) {
        let at = vector_add(foot, across);
        let around = vector_scaled(vector_sub(at, p.at), double_div(DOUBLE_ONE, p.radius));
        let other = vector_scaled(vector_sub(at, q.at), double_div(DOUBLE_ONE, q.radius));
        if turns(p.normal, around, p.to) && turns(q.normal, other, q.to) {
            add_crossing(&places, at, around, other);
        }
        across = vector_neg(across);
    }
    return places;
}

// Returns whether `direction` lies between two others at most half a turn apart, with some slack.
fn turns(from_: Vector, direction: Vector, to: Vector) -> bool {
    let slack = double_neg(SLACK);
    return !double_less(vector_cross(from_, direction), slack) && !double_less(vector_cross(direction, to), slack);
}
