//! Any queries on any world, with some bodies left out: the index answers like the reference. A body that is swept from
//! a free place ends in a free place.

use std::fmt::Debug;

use hitmask::cpu::Simd;
use hitmask::geometry::Vec2;
use hitmask::query::{Nearest, NearestHit, PointQuery, Queries, Query, RayCast, RegionQuery, Search};
use hitmask::{Body, Touch, World};

use crate::bytes::Bytes;

/// Maximum number of bodies: two blocks of the index. The reference tests each, for each query.
const BODIES: usize = 32;
/// Maximum number of queries of a run.
const QUESTIONS: usize = 8;

/// Checks that both give the same answers or the same error.
fn compare<Q: Query + Debug>([index, plain]: [Search<'_>; 2], query: &Q, tell: impl Fn(&Q::Answer) -> String) {
    let all = |search: Search<'_>| {
        let mut found = Vec::new();
        let told = search.all(query, &mut found).map(|()| found.iter().map(&tell).collect::<Vec<_>>());
        told.map_err(|error| error.to_string())
    };
    assert_eq!(all(index), all(plain), "all of {query:?}");
    let first = |search: Search<'_>| {
        search.first(query).map(|found| found.as_ref().map(&tell)).map_err(|error| error.to_string())
    };
    assert_eq!(first(index), first(plain), "the first of {query:?}");
}

/// Sweeps a body from its position if it is free there, and checks the result.
fn sweep([index, plain]: [Search<'_>; 2], body: &Body) {
    let stands = |at: Vec2| plain.is_free(&Body { at, ..body.moving([0.0; 2]) });
    if let (Ok(true), Ok(slide)) = (stands(body.at), index.slide(body, |_| true)) {
        assert!(stands(slide.at).expect("it came there"), "{body:?} comes to {:?}", slide.at);
        assert_eq!(slide, plain.slide(body, |_| true).expect("the same"), "{body:?}");
    }
}

/// Formats all of an answer.
fn whole(answer: &impl Debug) -> String {
    format!("{answer:?}")
}

/// Formats an answer without the last digits of its distance, which may differ.
fn nearby(answer: &NearestHit) -> String {
    format!("{:?} {:.9e}", answer.body, answer.distance)
}

/// Checks one input.
pub fn check(bytes: &[u8]) {
    let mut bytes = Bytes(bytes);
    let mut world = World::new(if bytes.byte() % 2 == 0 { Touch::Excluded } else { Touch::Included });
    let shapes = bytes.shapes(&mut world);
    for _ in 0..bytes.few(BODIES) {
        let _ = world.add(&bytes.body(&shapes));
    }
    let mut queries = Queries::new().simd(bytes.pick(&Simd::available()));
    let mut reference = Queries::reference();
    let ids: Vec<_> = world.ids().collect();
    let out: Vec<_> = (0..bytes.few(2)).filter_map(|_| ids.get(bytes.below(BODIES)).copied()).collect();
    let searches =
        [queries.on(&world), reference.on(&world)].map(|search| search.except(&out).expect("they are there"));
    for _ in 0..=bytes.few(QUESTIONS - 1) {
        let (kind, hits) = (bytes.byte() % 6, if bytes.byte() % 2 == 0 { u32::MAX } else { bytes.byte().into() });
        match kind {
            0 => compare(searches, &PointQuery::new(bytes.point()).hitting(hits), whole),
            1 => compare(searches, &RegionQuery::new(bytes.point(), bytes.point()).hitting(hits), whole),
            2 => {
                let ray = RayCast::new(bytes.point(), bytes.point()).hitting(hits);
                compare(searches, &if bytes.byte() % 2 == 0 { ray } else { ray.radius(bytes.coordinate()) }, whole);
            }
            3 => {
                let near = Nearest::new(bytes.point()).hitting(hits).count(bytes.below(9));
                compare(searches, &if bytes.byte() % 2 == 0 { near } else { near.within(bytes.coordinate()) }, nearby);
            }
            4 => compare(searches, &bytes.body(&shapes), whole),
            _ => sweep(searches, &bytes.body(&shapes)),
        }
    }
}
