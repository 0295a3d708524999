//! The functions of the shaders against their twins on the host, one by one, on a million inputs each, to the last bit.

mod harness;

use rayon::prelude::*;

use crate::geometry::{Aabb, Point};
use crate::ground::predicate::{Core, meets};
use crate::{Touch, reference};

use super::answer::Answer;
use super::by_bounds::{WORDS as BOUNDS_WORDS, by_bounds};
use super::cores::{WORDS, parts};
use super::double::doubles;
use super::family::Family;
use super::input::Input;
use super::landing::landing;
use super::pixels::pixels;
use super::search::search;
use super::slabs::coarse;
use super::ticks::motion;
use super::ways::ways;
use super::wide::wide_integers;
use harness::{CASES, Device, check, compare, inputs};

#[test]
fn wide_integers_are_those_of_the_host() {
    check(&Family { twins: wide_integers(), ..Family::default() });
}

#[test]
fn parts_of_the_predicate() {
    check(&Family { twins: parts(), ..Family::default() });
}

#[test]
fn doubles_and_linear_parts() {
    check(&doubles());
}

#[test]
fn ways_out_of_two_cores() {
    check(&ways());
}

#[test]
fn motion_by_ticks() {
    check(&motion());
}

#[test]
fn landing_and_bounds() {
    check(&landing());
}

#[test]
fn words_and_pixels() {
    check(&pixels());
}

#[test]
fn slabs_of_boxes() {
    check(&coarse());
}

#[test]
fn boxes_and_circles_by_bounds() {
    let (devices, family) = (Device::all(), by_bounds());
    let twin = &family.twins[0];
    let inputs = inputs(twin);
    let answers = compare(&devices, &family, twin, &inputs);
    let touching = inputs.par_chunks_exact(BOUNDS_WORDS).zip(&answers).filter(|(v, hit)| {
        let mut other = v.to_vec();
        other[0] ^= 1 << 8;
        twin.host(&other) != **hit
    });
    let hit = answers.iter().filter(|&&hit| hit == 1).count();
    let counts = [hit, CASES - hit, touching.count()];
    assert!(counts.iter().all(|&count| count > CASES / 50), "hit, not, touching: {counts:?}");
}

/// Returns whether two cores hit, by the reference engine.
fn reference_meets(v: Input<'_>) -> bool {
    let wide = |p: Point| [p.x.into(), p.y.into()];
    let vertices = |core: Core<'_>| match core {
        Core::Hull(vertices) | Core::Segment(vertices) => vertices.iter().copied().map(wide).collect(),
        Core::Square(Aabb { min, max }) => {
            let [[x0, y0], [x1, y1]] = [wide(min), wide(max)];
            vec![[x0, y0], [x1, y0], [x1, y1], [x0, y1]]
        }
    };
    let [dx, dy] = wide(v.point(2));
    let piece = |core: Core<'_>, radius: i32| {
        reference::Piece::of(reference::hull(vertices(core).into_iter()), radius.into(), core.is_segment())
    };
    reference::convex_meet(&piece(v.core_a(), v.int(1)), &piece(v.core_b(), 0), [dx, dy], v.touch())
}

#[test]
fn cores() {
    let (devices, family) = (Device::all(), search());
    // All functions share the same inputs.
    let inputs = inputs(&family.twins[0]);
    let mut answers = family.twins.iter().map(|twin| compare(&devices, &family, twin, &inputs));
    let [_, _, times, hits] = [(); 4].map(|()| answers.next().unwrap());

    let wrong =
        inputs.par_chunks_exact(WORDS).zip(&hits).find_first(|(v, hit)| reference_meets(Input(v)).bits() != **hit);
    assert_eq!(wrong, None, "the predicate and the reference differ");
    // Check that the inputs are telling: many hit, many do not, many hit only by touch, many on the way.
    let other_touch = |v: &[u32]| {
        let v = Input(v);
        let other = if v.touch() == Touch::Excluded { Touch::Included } else { Touch::Excluded };
        meets(v.core_a(), v.core_b(), v.point(2), v.int(1), other)
    };
    let touching = inputs.par_chunks_exact(WORDS).zip(&hits).filter(|(v, hit)| other_touch(v).bits() != **hit).count();
    let on_the_way = times.iter().filter(|&&k| 0 < k && k <= 1 << 16).count();
    let hit = hits.iter().filter(|&&hit| hit == 1).count();
    let counts = [hit, CASES - hit, touching, on_the_way];
    assert!(counts.iter().all(|&count| count > CASES / 20), "hit, not, touching, on the way: {counts:?}");
}
