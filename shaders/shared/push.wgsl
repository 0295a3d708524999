// The way out in whole lattice steps, verified by the exact predicate; twin of `push_near` in src/host/contact/push.rs.

// needs: differences, fuel, near, seeking, square, types, union
// expects: params

// How far around the way out lattice points are tried, one square after the other, after no push at all: see the
// twin's. A square is taken band by band.
const AROUND: vec4<i32> = vec4<i32>(0, 4, 10, 24);
const SQUARES: u32 = 4u;
const BAND_PLACES: u32 = 100u;

// Finds the shortest translation near the best way that ends the hit, also with `a` displaced by `aside`, while there
// is fuel. If none of the squares has any, all are done: `first` is SQUARES.
fn find_push(two: Two, aside: vec2<i32>, now: ptr<function, Seeking>) -> Push {
    let count = set_count(two);
    // Each dispatch takes a band at least.
    fuel = max(fuel, 1);
    while (*now).first < SQUARES {
        if fuel <= 0 {
            return NO_PUSH;
        }
        let around = AROUND[(*now).first];
        var at = vec2<i32>(0, 0);
        var way = NO_WAY;
        if (*now).first > 0u {
            at = lattice_end((*now).best);
            way = (*now).best;
        }
        let side = u32(2 * around + 1);
        let rows = min(BAND_PLACES / side, side);
        let row = (*now).element * rows;
        let band = Band(at - around + vec2<i32>(0, i32(row)), vec2<u32>(side, min(rows, side - row)));
        clear_places();
        let last = band.first + vec2<i32>(band.size) - 1;
        let here = Aabb(band.first, last);
        let region = join(here, moved_box(here, aside));
        for (var k = 0u; k < count; k++) {
            fuel -= STEP_FUEL;
            let one = set_at(two, k);
            if bounds_meet(set_box(one), region, TOUCH_INCLUDED) {
                load_edges(TESTED_SET, k, one);
                if side_of_box(TESTED_SET, one.radius, region) >= 0 {
                    fuel -= i32(band.size.x * band.size.y * (3u + 2u * edge_counts[TESTED_SET]));
                    mark_hits(one, band, aside, params.touch);
                }
            }
        }
        fuel -= i32(band.size.x * band.size.y);
        let known = Push((*now).has_push, at + (*now).push);
        let push = nearest_unmarked(band, way, known);
        (*now).element += 1u;
        if row + rows < side {
            (*now).has_push = push.exists;
            (*now).push = push.by - at;
        } else if push.exists {
            return push;
        } else {
            (*now).element = 0u;
            (*now).first += 1u;
        }
    }
    return NO_PUSH;
}
