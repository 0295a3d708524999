//! Shapes of several parts. The judge is a world in which each part is a body by itself, at the same place and in the
//! same pose.

use std::collections::BTreeMap;

use hitmask::geometry::{Point, Vec2};
use hitmask::query::{Nearest, PointQuery, Queries, RayCast, RegionQuery};
use hitmask::response::Axis;
use hitmask::scene::{Form, PartSpec, Pose, Scene, ShapeSpec};
use hitmask::{Ask, Body, BodyId, Detail, Engine, Part, Shape, Touch, World};
use hitmask_workbench::verify::random_scene_of_parts;
use hitmask_workbench::workloads::SplitMix64;

use crate::common::{self, Gpu, Setup};
use crate::random;

/// A world, and the world in which each of its parts is a body: for each body of the first, the bodies of its parts.
struct Split {
    whole: World,
    apart: World,
    bodies: Vec<(BodyId, Vec<BodyId>)>,
}

impl Split {
    /// Splits a random scene; `None` if a scale may round the radius of a part otherwise than that of a shape.
    fn new(seed: u64) -> Option<Self> {
        let scene = random_scene_of_parts(seed);
        let exact = |pose: &Pose| match pose {
            Pose::Turned { scale: [x, y], .. } => x.fract() == 0.0 && y.fract() == 0.0,
            Pose::Matrix(_) => true,
        };
        if !scene.bodies.iter().all(|body| exact(&body.pose)) {
            return None;
        }
        let whole = scene.world().unwrap();
        let shapes: BTreeMap<&str, &ShapeSpec> =
            scene.shapes.iter().map(|(name, shape)| (name.as_str(), shape)).collect();
        let (mut split, mut bodies) = (Scene::new(scene.touch, Vec::new(), Vec::new()), Vec::new());
        for (index, body) in (0..).zip(&scene.bodies) {
            // Parts of one body do not hit each other.
            let group = if body.group == 0 { 1_000 + index } else { body.group };
            let parts = parts_of(shapes[body.shape.as_str()]);
            let first = split.bodies.len();
            for shape in parts {
                let name = split.shapes.len().to_string();
                let mut part = body.clone();
                (part.shape, part.group) = (name.clone(), group);
                split.shapes.push((name, shape));
                split.bodies.push(part);
            }
            bodies.push(first..split.bodies.len());
        }
        let apart = split.world().unwrap();
        let id = |index: usize| apart.id(index as u32).unwrap();
        let bodies = (0..).zip(bodies).map(|(index, range)| (whole.id(index).unwrap(), range.map(id).collect()));
        let bodies = bodies.collect();
        Some(Self { whole, apart, bodies })
    }

    /// Returns the body of the whole, and the part, that a body of the other world is.
    fn owner(&self, part: u32) -> [u32; 2] {
        for (id, parts) in &self.bodies {
            if let Some(number) = parts.iter().position(|id| id.index() == part) {
                return [id.index(), number as u32];
            }
        }
        panic!("each body is a part");
    }
}

/// Returns each part of a shape as a shape that lands at the same place.
fn parts_of(shape: &ShapeSpec) -> Vec<ShapeSpec> {
    let Form::Parts(parts) = &shape.form else { return vec![shape.clone()] };
    let alone = |PartSpec { shape: part, at, .. }: &PartSpec| ShapeSpec {
        anchor: [0, 1].map(|axis| snapped(shape.anchor[axis]) - snapped(at[axis]) + snapped(part.anchor[axis])),
        form: part.form.clone(),
    };
    parts.iter().map(alone).collect()
}

/// Rounds to the lattice.
fn snapped(v: f64) -> f64 {
    (256.0 * v + 0.5).floor() / 256.0
}

fn splits(seeds: std::ops::Range<u64>) -> impl Iterator<Item = (u64, Split)> {
    seeds.filter_map(|seed| Some((seed, Split::new(seed)?)))
}

/// Returns the pairs of the whole, each with the first tick and the parts that hit at it, from the hits of the parts.
fn expected(split: &Split) -> BTreeMap<[u32; 2], (u32, Vec<[u32; 2]>)> {
    let hits = Engine::reference().run(&split.apart, Ask::Details).unwrap();
    let mut pairs: BTreeMap<[u32; 2], (u32, Vec<[u32; 2]>)> = BTreeMap::new();
    for (pair, detail) in hits.pairs.iter().zip(&hits.details) {
        let [[a, part_a], [b, part_b]] = pair.map(|part| split.owner(part));
        let tick = detail.tick();
        let (first, parts) = pairs.entry([a, b]).or_insert((tick, Vec::new()));
        if tick < *first {
            (*first, *parts) = (tick, Vec::new());
        }
        if tick == *first {
            parts.push([part_a, part_b]);
        }
    }
    for (_, parts) in pairs.values_mut() {
        parts.sort_unstable();
    }
    pairs
}

#[test]
fn a_body_hits_by_its_parts() {
    let mut reference = Engine::reference();
    let (mut pairs, mut several, mut later) = (0, 0, 0);
    for (seed, split) in splits(0..1_500) {
        let hits = reference.run(&split.whole, Ask::Details).unwrap();
        let expected = expected(&split);
        assert!(hits.pairs.iter().eq(expected.keys()), "scene {seed}: {:?}, not {expected:?}", hits.pairs);
        for (pair, detail) in hits.pairs.iter().zip(&hits.details) {
            let (tick, parts) = &expected[pair];
            assert_eq!(detail.tick(), *tick, "scene {seed}, {pair:?}");
            assert_eq!(split.whole.parts_hit(*pair, detail), *parts, "scene {seed}, {pair:?}");
            let mut back: Vec<_> = parts.iter().map(|[a, b]| [*b, *a]).collect();
            back.sort_unstable();
            assert_eq!(split.whole.parts_hit([pair[1], pair[0]], detail), back, "scene {seed}, {pair:?}");
            pairs += usize::from(parts.iter().flatten().any(|part| *part > 0));
            several += usize::from(parts.len() > 1);
            later += usize::from(detail.tick() > 0);
        }
    }
    assert!(pairs > 1_000 && several > 500 && later > 200, "{pairs}, {several}, {later}");
}

#[test]
fn engines_agree_on_shapes_of_parts() {
    let mut reference = Engine::reference();
    let mut runners: Vec<_> = [1, 2].into_iter().flat_map(Setup::cpus).map(Setup::runner).collect();
    runners.extend(common::gpu(Gpu::Default).into_iter().map(Setup::runner));
    let mut pairs = 0;
    for seed in 0..1_000 {
        let scene = random_scene_of_parts(seed);
        let world = scene.world().unwrap();
        let expected = reference.run(&world, Ask::Details).unwrap();
        for runner in &mut runners {
            if runner.answer(&world, &format!("scene {seed}")) != expected {
                random::report(&scene, &format!("parts-{seed}"), runner.setup);
            }
        }
        pairs += expected.pairs.len();
    }
    assert!(pairs > 5_000, "{pairs} pairs");
}

/// Queries of a world of parts are answered as in the world in which each part is a body.
#[test]
fn queries_find_a_body_by_its_parts() {
    let mut random = SplitMix64(3);
    let mut found = [0; 5];
    for (seed, split) in splits(10_000..10_400) {
        let (mut queries, mut apart) = (Queries::new(), Queries::new());
        let bounds = split.whole.ids().filter_map(|id| split.whole.bounds(id)).reduce(|a, b| a.join(&b));
        let Some(bounds) = bounds else { continue };
        let [min, max] = [bounds.min, bounds.max].map(Point::units);
        for _ in 0..20 {
            let mut place = || -> Vec2 {
                let mut along =
                    |axis: usize| min[axis] + f64::from(random.below(((max[axis] - min[axis]) * 4.0) as u32 + 1)) / 4.0;
                [along(0), along(1)].into()
            };
            let (at, to) = (place(), place());
            let owners = |ids: Vec<BodyId>| {
                let mut owners: Vec<u32> = ids.iter().map(|id| split.owner(id.index())[0]).collect();
                owners.dedup();
                owners
            };
            let whole = |ids: Vec<BodyId>| ids.iter().map(|id| id.index()).collect::<Vec<_>>();
            let search = (queries.on(&split.whole), apart.on(&split.apart));

            let (mut ids, mut parts) = (Vec::new(), Vec::new());
            search.0.all(&PointQuery::new(at), &mut ids).unwrap();
            search.1.all(&PointQuery::new(at), &mut parts).unwrap();
            for &id in &ids {
                let numbers = parts.iter().map(|id| split.owner(id.index())).filter(|[owner, _]| *owner == id.index());
                let numbers: Vec<u32> = numbers.map(|[_, part]| part).collect();
                assert_eq!(split.whole.parts_at(id, at).unwrap(), numbers, "scene {seed}, {at:?}");
            }
            found[0] += ids.len();
            assert_eq!(whole(ids), owners(parts), "scene {seed}, {at:?}");

            let (mut ids, mut parts) = (Vec::new(), Vec::new());
            let region =
                RegionQuery::new([at.x.min(to.x), at.y.min(to.y)], [at.x.max(to.x) + 0.25, at.y.max(to.y) + 0.25]);
            search.0.all(&region, &mut ids).unwrap();
            search.1.all(&region, &mut parts).unwrap();
            found[1] += ids.len();
            assert_eq!(whole(ids), owners(parts), "scene {seed}, {region:?}");

            let ray = RayCast::new(at, to).radius(f64::from(random.below(3)) / 2.0);
            let (hit, part) = (search.0.first(&ray).unwrap(), search.1.first(&ray).unwrap());
            assert_eq!(hit.map(|hit| hit.tick), part.map(|hit| hit.tick), "scene {seed}, {ray:?}");
            if let (Some(hit), Some(part)) = (hit, part) {
                let [owner, _] = split.owner(part.body.index());
                assert_eq!(hit.body.index(), owner, "scene {seed}, {ray:?}");
                let told = split.whole.ray_contact(&ray, &hit).unwrap().part;
                let mut all = Vec::new();
                search.1.all(&ray, &mut all).unwrap();
                let first = all.iter().filter(|other| other.tick == hit.tick).map(|hit| split.owner(hit.body.index()));
                let first = first.filter(|[body, _]| *body == owner).map(|[_, part]| part).min();
                assert_eq!(Some(told), first, "scene {seed}, {ray:?}");
                found[2] += 1;
            }

            let (mut near, mut parts) = (Vec::new(), Vec::new());
            search.0.all(&Nearest::new(at), &mut near).unwrap();
            search.1.all(&Nearest::new(at), &mut parts).unwrap();
            let mut least: BTreeMap<u32, f64> = BTreeMap::new();
            for hit in parts {
                let owner = split.owner(hit.body.index())[0];
                let best = least.entry(owner).or_insert(f64::INFINITY);
                *best = best.min(hit.distance);
            }
            let told: BTreeMap<u32, f64> = near.iter().map(|hit| (hit.body.index(), hit.distance)).collect();
            assert_eq!(told, least, "scene {seed}, {at:?}");
            found[3] += near.len();
        }
        for (a, parts_a) in &split.bodies {
            for (b, parts_b) in &split.bodies {
                let far = |a: BodyId, b: BodyId, world: &World| world.distance(a, b).unwrap().map(|far| far.distance);
                let parts = parts_a.iter().flat_map(|a| parts_b.iter().filter_map(|b| far(*a, *b, &split.apart)));
                let least = parts.reduce(f64::min);
                if a != b {
                    assert_eq!(far(*a, *b, &split.whole), least, "scene {seed}, {a:?} {b:?}");
                    found[4] += usize::from(least.is_some_and(|least| least > 0.0));
                }
            }
        }
    }
    assert!(found.iter().all(|count| *count > 200), "{found:?}");
}

/// A contact leads out, and nothing shorter does: moved by less in any of 32 directions, the body still hits.
#[test]
fn a_contact_leads_out_of_all_parts_by_the_shortest_way() {
    let mut reference = Engine::reference();
    let (mut random, mut tested) = (SplitMix64(8), 0);
    let parts = |random: &mut SplitMix64| {
        let mut part = || {
            let mut along = |n: u32| f64::from(random.below(4 * n)) / 4.0;
            let (w, h, r) = (1.0 + along(6), 1.0 + along(6), 0.5 + along(3));
            let shape = match along(5) as u32 {
                0 => Shape::rect(w, h),
                1 => Shape::circle(r),
                2 => Shape::polygon(&[[0.0, 0.0], [w, h], [2.0 * w, 0.0], [w, h + 3.0]]),
                3 => Shape::polygon_with_holes(
                    &[[0.0, 0.0], [w + 4.0, 0.0], [w + 4.0, h + 4.0], [0.0, h + 4.0]],
                    &[[[2.0, 2.0], [w + 2.0, 2.0], [2.0, h + 2.0]]],
                ),
                _ => Shape::capsule([0.0, 0.0], [w, h], r),
            };
            Part::new(shape.unwrap(), [along(8), along(8)])
        };
        Shape::parts(&[part(), part(), part()]).unwrap()
    };
    for case in 0..200 {
        let mut world = World::new(if case % 2 == 0 { Touch::Excluded } else { Touch::Included });
        let shapes = [(); 2].map(|()| world.add_shape(parts(&mut random)).unwrap());
        let at = [(); 2].map(|()| f64::from(random.below(48)) / 4.0);
        let a = world.add(&Body::new(shapes[0], [0, 0])).unwrap();
        let b = world.add(&Body::new(shapes[1], at)).unwrap();
        let hits = reference.run(&world, Ask::Details).unwrap();
        let Some(detail) = hits.details.first() else {
            assert_eq!(world.contact([0, 1], &Detail::default()).depth, 0.0, "case {case}");
            continue;
        };
        let contact = world.contact([0, 1], detail);
        let mut hits_at = |by: [f64; 2]| {
            world.set(a, &Body::new(shapes[0], by)).unwrap();
            !reference.run(&world, Ask::Pairs).unwrap().pairs.is_empty()
        };
        assert!(!hits_at(contact.push.units()), "case {case}: {contact:?}");
        for k in 0..32 {
            let angle = f64::from(k) * std::f64::consts::TAU / 32.0;
            let by = [angle.cos(), angle.sin()].map(|v| v * (contact.depth - 0.02));
            assert!(contact.depth < 0.03 || hits_at(by), "case {case}: {contact:?}, but {by:?} is free");
        }
        world.set(a, &Body::new(shapes[0], [0, 0])).unwrap();
        let along = world.push_along(a, b, Axis::X).unwrap().unwrap();
        world.set(a, &Body::new(shapes[0], along)).unwrap();
        assert!(reference.run(&world, Ask::Pairs).unwrap().pairs.is_empty(), "case {case}: {along:?}");
        assert!(along.x.abs() >= contact.depth - 0.02, "case {case}");
        tested += 1;
    }
    assert!(tested > 100, "{tested}");
}

/// A mover meets the same sides, and slides to the same places, on parts as on bodies.
#[test]
fn movers_meet_parts_as_they_meet_bodies() {
    let mut random = SplitMix64(5);
    let mut met = 0;
    for case in 0..400 {
        let touch = if case % 2 == 0 { Touch::Excluded } else { Touch::Included };
        let mut below = |n: u32| f64::from(random.below(n));
        let parts: Vec<(Shape, [f64; 2])> = (0..4)
            .map(|_| {
                let shape = match below(3) as u32 {
                    0 => Shape::rect(4.0 + below(12), 4.0 + below(12)),
                    1 => Shape::circle(2.0 + below(6)),
                    _ => Shape::capsule([0.0, 0.0], [below(16) + 1.0, below(16)], 1.0 + below(3)),
                };
                (shape.unwrap(), [20.0 + below(40), below(40) - 20.0])
            })
            .collect();
        let [mut whole, mut apart] = [World::new(touch), World::new(touch)];
        let list: Vec<Part> = parts.iter().map(|(shape, at)| Part::new(shape.clone(), *at)).collect();
        let ground = whole.add_shape(Shape::parts(&list).unwrap()).unwrap();
        whole.add(&Body::new(ground, [0, 0])).unwrap();
        for (shape, at) in &parts {
            let shape = apart.add_shape(shape.clone()).unwrap();
            apart.add(&Body::new(shape, *at)).unwrap();
        }
        // The same circle, and the same circle as the part of a shape.
        let ball = Shape::circle(2.0).unwrap();
        let movers = match case % 3 {
            0 => [Shape::rect(3.0, 4.0).unwrap(), Shape::rect(3.0, 4.0).unwrap()],
            1 => [ball.clone(), ball],
            _ => [Shape::parts(&[Part::new(ball.clone(), [0, 0])]).unwrap(), ball],
        };
        let way = [70.0, below(40) - 20.0];
        let [sweep, slide] = [0, 1].map(|which| {
            [(&mut whole, &movers[0]), (&mut apart, &movers[1])].map(|(world, mover)| {
                let shape = world.add_shape(mover.clone()).unwrap();
                let body = Body::new(shape, [0, 0]).moving(way);
                let mut queries = Queries::new();
                let search = queries.on(world);
                if which == 0 {
                    let sweep = search.sweep(&body, |_| true).unwrap();
                    (sweep.at, sweep.stop.map(|stop| (stop.impact.normal, stop.impact.tick)))
                } else {
                    (search.slide(&body, |_| true).unwrap().at, None)
                }
            })
        });
        assert_eq!(sweep[0], sweep[1], "case {case}");
        // If touching is a hit, a body that is touched from the start stops the mover where their interiors meet.
        assert!(touch == Touch::Included || slide[0] == slide[1], "case {case}: {slide:?}");
        met += usize::from(sweep[0].1.is_some());
    }
    assert!(met > 150, "{met}");
}

#[test]
fn bad_parts_are_refused() {
    let refused = |parts: &[Part]| Shape::parts(parts).unwrap_err().to_string();
    let ball = Shape::circle(1.0).unwrap();
    assert_eq!(refused(&[]), "`parts` is 0; it must be 1 to 1048576 parts");
    let sprite = Shape::sprite(hitmask::Mask::from_rows(&["#"]).unwrap());
    let second = [Part::new(ball.clone(), [0, 0]), Part::new(sprite, [0, 0])];
    assert_eq!(refused(&second), "`parts[1]` is a sprite; it must be a shape without pixels");
    let nested = Shape::parts(&[Part::new(ball.clone(), [0, 0])]).unwrap();
    assert_eq!(refused(&[Part::new(nested, [0, 0])]), "`parts[0]` is a shape of parts; it must be a shape of one part");
    assert!(refused(&[Part::new(ball.clone(), [f64::NAN, 0.0])]).contains("`parts[0].at.x` is NaN"));
    assert!(refused(&[Part::new(ball.clone(), [1e9, 0.0])]).contains("`parts[0].at.x` is 1000000000"));
    let far = Shape::rect(2e6, 1.0).unwrap();
    assert!(refused(&[Part::new(far, [2e6, 0.0])]).contains("`parts[0].at` is [2000000, 0]; it must keep the part"));
    // A radius allows no stretched pose, wherever it is.
    let mut world = World::default();
    let parts = [Part::new(Shape::rect(1.0, 1.0).unwrap(), [0, 0]), Part::new(ball, [0, 0])];
    let shape = world.add_shape(Shape::parts(&parts).unwrap()).unwrap();
    let stretched = Body::new(shape, [0, 0]).posed([[2.0, 0.0], [0.0, 1.0]]);
    assert!(world.add(&stretched).unwrap_err().to_string().contains("similarity"));
}

/// Parts that land without a radius are no box, however many vertices they have.
#[test]
fn corners_of_several_parts_are_no_box() {
    let mut world = World::default();
    let dot = |at: [f64; 2]| Part::new(Shape::circle(1.0 / 256.0).unwrap(), at);
    let dots = Shape::parts(&[[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [0.0, 10.0]].map(dot)).unwrap();
    let [dots, ball] = [dots, Shape::circle(0.5).unwrap()].map(|shape| world.add_shape(shape).unwrap());
    world.add(&Body::new(dots, [0, 0]).posed(hitmask::Linear::scaled(0.4))).unwrap();
    world.add(&Body::new(ball, [2, 2])).unwrap();
    for mut runner in common::contestants() {
        let hits = runner.answer(&world, "four dots");
        assert!(hits.pairs.is_empty(), "{}", runner.setup);
    }
}

/// A ray along the edge between two pieces hits the part of these, not one beside it.
#[test]
fn a_ray_along_a_seam_hits_the_part_of_the_seam() {
    let hourglass = [[-2, -5], [12, -5], [10, 0], [12, 5], [-2, 5], [0, 0]];
    let parts = [
        Part::new(Shape::circle(8.0).unwrap(), [100, 100]),
        Part::new(Shape::rect(4.0, 2.0).unwrap(), [-20, 3]),
        Part::new(Shape::polygon(&hourglass).unwrap(), [0, 0]),
    ];
    let mut world = World::default();
    let shape = world.add_shape(Shape::parts(&parts).unwrap()).unwrap();
    world.add(&Body::new(shape, [0, 0])).unwrap();
    let (mut queries, ray) = (Queries::new(), RayCast::new([-40, 0], [40, 0]));
    let hit = queries.on(&world).first(&ray).unwrap().unwrap();
    let contact = world.ray_contact(&ray, &hit).unwrap();
    assert_eq!((contact.part, contact.at), (2, Vec2::from([0, 0])));
    assert!(contact.normal[0] < 0.0, "{contact:?}");
}

#[test]
fn parts_are_measured_drawn_and_compared_each_by_itself() {
    let ring =
        Shape::polygon_with_holes(&[[0, 0], [9, 0], [9, 9], [0, 9]], &[[[3, 3], [6, 3], [6, 6], [3, 6]]]).unwrap();
    let parts = |radius: f64, tag: u32| {
        let ball = Part::new(Shape::circle(radius).unwrap(), [20, 0]).tagged(tag);
        Shape::parts(&[Part::new(ring.clone(), [0, 0]), ball]).unwrap()
    };
    let area = 72.0 + 4.0 * std::f64::consts::PI;
    assert!((parts(2.0, 0).area() - area).abs() < 1e-9);
    let world = |radius, tag| {
        let mut world = World::default();
        let shape = world.add_shape(parts(radius, tag)).unwrap();
        world.add(&Body::new(shape, [0, 0])).unwrap();
        world
    };
    let here = world(2.0, 1);
    let id = here.id(0).unwrap();
    assert_eq!(here.outline(id).unwrap().iter().map(Vec::len).collect::<Vec<_>>(), [4, 4, 1]);
    assert_eq!(here.landed(id).unwrap().last().map(|piece| (piece.part, piece.radius)), Some((1, 512)));
    for other in [world(2.5, 1), world(2.0, 3)] {
        assert_ne!((here.checksum(), &here), (other.checksum(), &other));
        let fields: Vec<_> = here.differences(&other).iter().map(|difference| difference.field).collect();
        assert!(fields.contains(&"parts"), "{fields:?}");
    }
    assert_eq!((here.checksum(), &here), (world(2.0, 1).checksum(), &world(2.0, 1)));
}

#[test]
fn a_chain_has_a_part_for_each_segment() {
    let points = [[0, 0], [10, 0], [10, 10], [0, 10]];
    for (closed, segments) in [(false, 3), (true, 4)] {
        let mut world = World::default();
        let shape = Shape::chain(&points, 1.0, closed).unwrap();
        assert!(shape.part_tags().eq(0..segments));
        let shape = world.add_shape(shape).unwrap();
        let body = world.add(&Body::new(shape, [0, 0])).unwrap();
        let met = |at: [f64; 2]| world.parts_at(body, at).unwrap();
        assert_eq!([met([5.0, 0.5]), met([10.5, 5.0]), met([10.0, 10.0])], [vec![0], vec![1], vec![1, 2]]);
        assert_eq!(met([0.0, 5.0]), if closed { vec![3] } else { vec![] });
        assert_eq!(met([5.0, 5.0]), [0_u32; 0]);
    }
    let refused = |points: &[[f64; 2]], radius| Shape::chain(points, radius, false).unwrap_err().to_string();
    assert_eq!(refused(&[[0.0, 0.0]], 1.0), "`chain` is 1; it must be 2 to 1048576 points");
    assert!(refused(&[[0.0, 0.0], [1.0, 0.0]], -1.0).starts_with("chain[0]: `capsule.radius` is -1"));
    assert!(refused(&[[0.0, 0.0], [1.0, 0.0], [f64::NAN, 0.0]], 1.0).starts_with("chain[1]: `capsule.to.x` is NaN"));
}

/// A single part is the shape itself, and the order of parts numbers them.
#[test]
fn parts_keep_their_numbers_and_tags() {
    let mut world = World::default();
    let parts: Vec<Part> = (0..50)
        .map(|k| Part::new(Shape::rect(1.0, 1.0).unwrap(), [(k * 37) % 50, 0]).tagged(1_000 + k as u32))
        .collect();
    let shape = Shape::parts(&parts).unwrap();
    assert!(shape.part_tags().eq(1_000..1_050));
    let id = world.add_shape(shape).unwrap();
    let body = world.add(&Body::new(id, [0, 0])).unwrap();
    for k in 0..50 {
        let at = [f64::from((k * 37) % 50) + 0.5, 0.5];
        assert_eq!(world.parts_at(body, at).unwrap(), [k as u32], "{k}");
        assert_eq!(world.part_tag(body, k as u32), Some(1_000 + k as u32));
    }
    assert_eq!(world.part_tag(body, 50), None);
    for shape in [Shape::circle(1.0).unwrap(), Shape::sprite(hitmask::Mask::from_rows(&["#"]).unwrap())] {
        let shape = world.add_shape(shape).unwrap();
        let body = world.add(&Body::new(shape, [0, 0])).unwrap();
        assert_eq!((world.part_tag(body, 0), world.parts_at(body, [0.5, 0.5]).unwrap()), (None, vec![0]));
    }
}
