//! Functions of `shaders/stages/land.wgsl`, and those that compare bounds and filters.

use bytemuck::Zeroable;

use crate::ground::aabb::Aabb;
use crate::ground::lattice::Point;
use crate::ground::linear::Snapped;
use crate::world::packed::{Body, DETECTOR};
use crate::world::pose::land::{bound, core};

use super::by_bounds::{fit_kind, kind_of};
use super::family::Family;
use super::input::{Input, clamp, fit_body, touch};
use super::twin::Twin;

/// Returns the functions that land vertices, bound bodies, and compare bounds and filters.
pub(in crate::gpu) fn landing() -> Family {
    let land_along = |v: Input<'_>| {
        let row = [v.int(0), v.int(1)];
        let mut landed = [Point::ZERO];
        core(&Body { linear: Snapped { x: row, y: row }, ..Body::zeroed() }, &[v.point(2)], &mut landed);
        landed[0].x
    };
    let meet = |closed: u32| {
        let wgsl = format!("bounds_meet(Aabb(point(0), point(2)), Aabb(point(4), point(6)), {closed})");
        Twin::new("bounds_meet", 8, &wgsl, move |v| {
            let [a, b] = [0, 4].map(|k| Aabb { min: v.point(k), max: v.point(k + 2) });
            a.meets(&b, touch(closed))
        })
    };
    let twins = vec![
        Twin::new("land_along", 4, "land_along(point(0), point(2))", land_along).fit(|v| clamp(&mut v[..2], 127 << 24)),
        Twin::new("bound", 20, "bound(body())", |v| {
            let body = v.body();
            if body.is_absent() { Aabb::NOWHERE } else { bound(&body) }
        })
        .fit(fit_body),
        Twin::new("kind_of", 20, "kind_of(body())", |v| kind_of(&v.body())).fit(fit_kind),
        Twin::new("is_tested", 8, "is_tested(filter_at(0), filter_at(4))", |v| {
            let [(a, a_detects), (b, b_detects)] = [0, 4].map(|k| (v.filter(k), v.word(k + 3) & DETECTOR != 0));
            a.sees(a_detects, &b) || b.sees(b_detects, &a)
        }),
        meet(0),
        meet(1),
    ];
    let files = &[include_str!("../../../shaders/stages/land.wgsl")];
    Family { files, writes_landed: true, twins }
}
