// The pieces of two bodies that are near each other, and the sets of translations by which pairs of them meet; twin of
// src/host/contact/sets.rs.

// needs: differences, fuel, pieces, predicate, types, view
// expects: params

// The most pieces of a body that are considered, and the most pairs of them.
const MOST_NEAR: u32 = 64u;
const MOST_SETS: u32 = 256u;

// The nodes of the pieces: those of the first body, then from MOST_NEAR on those of the second. HOLLOW is set for
// pieces that have no interior, and so hit nothing.
var<private> near_nodes: array<u32, 2u * MOST_NEAR>;
const HOLLOW: u32 = 0x80000000u;

// Two bodies without pixels, as they stand when they hit.
struct Two {
    a: View,
    b: View,
    // The offset of `b` from where it started, as seen from `a`.
    by: vec2<i32>,
    // The number of their pieces.
    near: vec2<u32>,
    // Whether both have pieces that are not hollow, so that the others do not count.
    are_solid: bool,
}

// Finds the pieces of two bodies at most `around` from the other body. Returns whether they are few enough.
fn find_near(two: ptr<function, Two>, around: i32) -> bool {
    var most = vec2<u32>(0u, 0u);
    (*two).near = vec2<u32>(0u, 0u);
    for (var which = 0u; which < 2u; which++) {
        var body = (*two).a;
        var other = moved_box(reach((*two).b.body), (*two).by);
        if which == 1u {
            body = (*two).b;
            other = moved_box(reach((*two).a.body), -(*two).by);
        }
        let toward = grown(grown(other, around), body.body.radius);
        var node = 0u;
        while node < nodes_of(body.shape) {
            let visit = visit_node(body, node, toward);
            if visit.piece.count > 0u {
                if (*two).near[which] == MOST_NEAR {
                    return false;
                }
                near_nodes[which * MOST_NEAR + (*two).near[which]] = node;
                (*two).near[which] += 1u;
                most[which] = max(most[which], visit.piece.count);
            }
            node = visit.next;
        }
    }
    find_hollow(two);
    loaded = array<u32, 3>(0u, 0u, 0u);
    return most.x + most.y <= MOST_EDGES && (*two).near.x * (*two).near.y <= MOST_SETS;
}

// Returns a piece of one of two bodies, given by its place in `near_nodes`.
fn near_piece(two: Two, place: u32) -> Visit {
    var body = two.a;
    if place >= MOST_NEAR {
        body = two.b;
    }
    return piece_of(body, near_nodes[place] & ~HOLLOW);
}

// Marks the pieces that are hollow: without an area, unless they or some piece of the other body have a radius, or
// touching is a hit.
fn find_hollow(two: ptr<function, Two>) {
    var are_round = vec2<u32>(0u, 0u);
    var solid = vec2<u32>(0u, 0u);
    for (var turn = 0u; turn < 2u; turn++) {
        for (var which = 0u; which < 2u; which++) {
            let count = (*two).near[which];
            for (var k = 0u; k < count; k++) {
                let place = which * MOST_NEAR + k;
                let piece = near_piece(*two, place);
                let is_round = piece.radius > 0 || params.touch == TOUCH_INCLUDED;
                if turn == 0u {
                    are_round[which] |= u32(is_round);
                } else if is_round || are_round[1u - which] > 0u || has_area(piece.piece, vec2<i32>(0, 0)) {
                    solid[which] += 1u;
                } else {
                    near_nodes[place] |= HOLLOW;
                }
            }
        }
    }
    (*two).are_solid = all(solid > vec2<u32>(0u, 0u));
}

// Returns the number of pairs of pieces.
fn set_count(two: Two) -> u32 {
    return two.near.x * two.near.y;
}

// Returns the set of a pair of pieces, with B's counting up first.
fn set_at(two: Two, k: u32) -> Set {
    let a = near_piece(two, k / two.near.y);
    let b = near_piece(two, MOST_NEAR + k % two.near.y);
    return Set(Differences(a.piece, b.piece, two.by), a.radius + b.radius);
}

// Returns whether a pair of pieces has no interior to meet, while others have.
fn is_hollow(two: Two, k: u32) -> bool {
    let nodes = near_nodes[k / two.near.y] | near_nodes[MOST_NEAR + k % two.near.y];
    return two.are_solid && (nodes & HOLLOW) != 0u;
}

// Returns bounds of a set.
fn set_box(one: Set) -> Aabb {
    let a = core_bounds(one.among.a);
    let b = core_bounds(one.among.b);
    return grown(moved_box(Aabb(b.min - a.max, b.max - a.min), one.among.by), one.radius);
}

// The pairs of pieces whose edges are loaded, counted from 1.
var<private> loaded: array<u32, 3>;

// Finds the edges of the set of a pair of pieces, unless they are there.
fn load_edges(slot: u32, k: u32, one: Set) {
    if loaded[slot] != k + 1u {
        let corners = i32(one.among.a.count + one.among.b.count);
        fuel -= 2 * corners * (corners + 1);
        find_edges(slot, one.among);
        loaded[slot] = k + 1u;
    }
}

// Returns bounds of all sets of two bodies.
fn all_sets(two: Two) -> Aabb {
    let count = set_count(two);
    var bounds = set_box(set_at(two, 0u));
    for (var k = 1u; k < count; k++) {
        bounds = join(bounds, set_box(set_at(two, k)));
    }
    return bounds;
}
