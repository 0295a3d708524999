//! Queries: the 60 scenes of `tests/conformance/queries.jsonl`, whose answers come from an independent program, and
//! random worlds of all kinds of bodies. An index that follows the changing worlds is compared with the definition.

use hitmask::cpu::Simd;
use hitmask::geometry::{Vec2, snap};
use hitmask::query::{
    Answers, BodyHit, Nearest, NearestHit, PointQuery, Queries, Query, RayCast, RayHit, RegionQuery, Search,
};
use hitmask::scene::{Scene, SceneQuery};
use hitmask::{Body, Linear, Mask, Shape, Touch, World};
use hitmask_workbench::verify::random_scene;
use hitmask_workbench::workloads::SplitMix64;
use serde_json::{Map, Value, json};

use crate::bodies;

/// The relative error allowed in distances.
const RELATIVE: f64 = 1e-9;

/// Returns an answer in the format of scene files.
fn answer(search: Search<'_>, query: &SceneQuery) -> Value {
    let indices = |ids: Vec<hitmask::BodyId>| ids.into_iter().map(hitmask::BodyId::index).collect::<Vec<_>>();
    let met = |hit: &RayHit| json!({ "body": hit.body.index(), "time": [hit.tick, 65536] });
    match query {
        SceneQuery::Point(spot) => json!({ "bodies": indices(all(search, spot)) }),
        SceneQuery::Ray(ray) => search.first(ray).unwrap().as_ref().map_or(json!({}), met),
        SceneQuery::Nearest(near) => {
            let nearby = |near: &NearestHit| json!({ "body": near.body.index(), "distance": near.distance });
            json!({ "bodies": all(search, near).iter().map(nearby).collect::<Vec<_>>() })
        }
        SceneQuery::Body(body) => {
            let written = |hit: &BodyHit| {
                let mut keys = Map::from_iter([("body".into(), hit.body.index().into())]);
                let detail = &hit.detail;
                let mut put = |key: &str, value: Value| drop(keys.insert(key.into(), value));
                detail.time.inspect(|time| put("time", json!(time)));
                detail.area.inspect(|area| put("area", json!(area)));
                detail.overlap.inspect(|overlap| {
                    put("bounds", json!(overlap.bounds));
                    put("first", json!(overlap.first));
                    put("sums", json!(overlap.sums));
                });
                Value::Object(keys)
            };
            let mut answer = json!({ "bodies": all(search, body).iter().map(written).collect::<Vec<_>>() });
            if let Some(first) = search.first(body).unwrap() {
                answer["first"] = first.body.index().into();
            }
            answer
        }
    }
}

fn all<Q: Query>(search: Search<'_>, query: &Q) -> Vec<Q::Answer> {
    let mut found = Vec::new();
    search.all(query, &mut found).unwrap();
    found
}

/// Returns whether two answers are equal, except for the last digits of distances.
fn same(found: &Value, expected: &Value) -> bool {
    match (found, expected) {
        (Value::Object(found), Value::Object(expected)) => {
            found.len() == expected.len()
                && found.iter().all(|(key, found)| match (key.as_str(), expected.get(key)) {
                    ("distance", Some(expected)) => {
                        let (found, expected) = (found.as_f64().unwrap(), expected.as_f64().unwrap());
                        (found - expected).abs() <= RELATIVE * expected
                    }
                    (_, expected) => expected.is_some_and(|expected| same(found, expected)),
                })
        }
        (Value::Array(found), Value::Array(expected)) => {
            found.len() == expected.len() && found.iter().zip(expected).all(|(found, expected)| same(found, expected))
        }
        (found, expected) => found == expected,
    }
}

#[test]
fn every_scene_is_answered() {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance/queries.jsonl");
    let mut wrong = Vec::new();
    let (mut scenes, mut asked) = (0, 0);
    for line in std::fs::read_to_string(file).unwrap().lines() {
        let expected: Value = serde_json::from_str(line).unwrap();
        let name = expected["name"].as_str().unwrap();
        let scene = Scene::parse(&expected["scene"].to_string(), ".".as_ref()).unwrap();
        let again = Scene::parse(&scene.to_json().unwrap(), ".".as_ref()).unwrap();
        assert_eq!(again.queries, scene.queries, "{name} is written as it is");
        let world = scene.world().unwrap();
        let mut engines = vec![("reference".to_owned(), Queries::reference())];
        engines.extend(Simd::available().into_iter().map(|simd| (simd.name().to_owned(), Queries::new().simd(simd))));
        for (engine, queries) in &mut engines {
            let search = queries.on(&world);
            for (k, query) in scene.prepare_queries(&world).unwrap().iter().enumerate() {
                let (found, expected) = (answer(search, query), &expected["answers"][k]);
                if !same(&found, expected) {
                    wrong.push(format!("{name} by {engine}: {query:?}: {found}, not {expected}"));
                }
                asked += 1;
            }
        }
        scenes += 1;
    }
    assert!(wrong.is_empty(), "{} of {asked} are wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(scenes, 60);
}

/// Draws random queries at and near the bodies of a world.
struct Asker<'a> {
    random: &'a mut SplitMix64,
    bodies: Vec<Body>,
    /// The distance of queries from bodies, in units.
    reach: f64,
}

impl Asker<'_> {
    fn below(&mut self, n: u32) -> u32 {
        self.random.below(n)
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u32) as usize]
    }

    /// Returns a point: the position of a body, whole units from it, or anywhere near.
    fn point(&mut self) -> [f64; 2] {
        let index = self.below(self.bodies.len().max(1) as u32) as usize;
        let at = self.bodies.get(index).map_or([0.0; 2], |body| [body.at.x, body.at.y]);
        let kind = self.below(4);
        let reach = self.reach;
        let mut off = || match kind {
            0 => 0.0,
            1 => (f64::from(self.random.below(9)) - 4.0) / 2.0,
            2 => f64::from(self.random.below(2 * reach as u32 + 1)) - reach.trunc(),
            _ => (f64::from(self.random.below(1 << 20)) / f64::from(1 << 19) - 1.0) * reach,
        };
        [at[0] + off(), at[1] + off()].map(|v| v.clamp(-2e6, 2e6))
    }

    fn hits(&mut self) -> u32 {
        self.pick(&[u32::MAX, u32::MAX, u32::MAX, 1, 2, 6, 0])
    }

    fn spot(&mut self) -> PointQuery {
        PointQuery::new(self.point()).hitting(self.hits())
    }

    fn ray(&mut self) -> RayCast {
        let [from, mut to] = [self.point(), self.point()];
        match self.below(6) {
            0 => to[0] = from[0],
            1 => to[1] = from[1],
            2 => to = from,
            _ => {}
        }
        let thick = self.pick(&[0.0, 0.0, 0.0, 1.0 / 256.0, 0.5, 3.0]);
        RayCast::new(from, to).radius(thick).hitting(self.hits())
    }

    fn region(&mut self) -> RegionQuery {
        let [a, b] = [self.point(), self.point()];
        let [min, max] =
            [[0, 1].map(|axis| a[axis].min(b[axis])), [0, 1].map(|axis| a[axis].max(b[axis]) + 1.0 / 256.0)];
        RegionQuery::new(min, max).hitting(self.hits())
    }

    fn near(&mut self) -> Nearest {
        let within = self.pick(&[0.0, 1.0, 3.0, 10.0, 1e7, f64::INFINITY]);
        let count = self.pick(&[0, 1, 2, 3, 5, usize::MAX]);
        Nearest::new(self.point()).within(within).count(count).hitting(self.hits())
    }

    /// Returns a body with the shape of one body, the pose of another and the motion of a third.
    fn body(&mut self, world: &World) -> Option<Body> {
        if self.bodies.is_empty() {
            return None;
        }
        let all = self.bodies.clone();
        let [shape, pose, motion] = [self.pick(&all), self.pick(&all), self.pick(&all)];
        let motion = if self.below(2) == 0 { motion.motion } else { [0.0; 2].into() };
        let linear = if self.below(2) == 0 { shape.linear } else { pose.linear };
        let body = Body { motion, linear, at: self.point().into(), ..shape }.grouped(self.below(3));
        // A body that the world refuses is refused as a query too.
        let mut world = world.clone();
        world.add(&body).is_ok().then_some(body)
    }
}

/// An answer as text that is equal for both ways to compute it; distances have nine digits.
trait Told {
    fn told(&self) -> String;
}

impl Told for hitmask::BodyId {
    fn told(&self) -> String {
        self.index().to_string()
    }
}

impl Told for RayHit {
    fn told(&self) -> String {
        format!("{} at {}", self.body.index(), self.tick)
    }
}

impl Told for BodyHit {
    fn told(&self) -> String {
        format!("{} {:?}", self.body.index(), self.detail)
    }
}

impl Told for NearestHit {
    fn told(&self) -> String {
        format!("{} {:.9e}", self.body.index(), self.distance)
    }
}

/// The number of answers, by kind of query.
pub(crate) type Counts = std::collections::BTreeMap<&'static str, usize>;

/// Compares the answer of an index with the definition's.
fn compare<Q: Query + std::fmt::Debug>(
    kind: &'static str,
    [index, plain]: [Search<'_>; 2],
    query: &Q,
    what: &str,
    counts: &mut Counts,
) where
    Q::Answer: Told,
{
    let told = |search| all(search, query).iter().map(Told::told).collect::<Vec<_>>();
    let (found, expected) = (told(index), told(plain));
    assert_eq!(found, expected, "{what}: all of {query:?}");
    let [first, expected_first] = [index, plain].map(|search| search.first(query).unwrap().map(|first| first.told()));
    assert_eq!(first, expected_first, "{what}: the first of {query:?}");
    assert_eq!(index.any(query).unwrap(), !expected.is_empty(), "{what}: any of {query:?}");
    *counts.entry(kind).or_default() += expected.len();
}

/// Runs a query of each kind. Leaving bodies out must be the same as switching them off.
pub(crate) fn ask(
    queries: &mut Queries,
    world: &World,
    random: &mut SplitMix64,
    reach: f64,
    what: &str,
    counts: &mut Counts,
) {
    let mut reference = Queries::reference();
    let ids: Vec<_> = world.ids().collect();
    let count = if ids.is_empty() { 0 } else { [0, 0, 1, 4][random.below(4) as usize] };
    let out: Vec<_> = (0..count).map(|_| ids[random.below(ids.len() as u32) as usize]).collect();
    let mut without = world.clone();
    for &id in &out {
        without.set_enabled(id, false).unwrap();
    }
    let plain = if random.below(2) == 0 { reference.on(&without) } else { reference.on(world).except(&out).unwrap() };
    let searches = [queries.on(world).except(&out).unwrap(), plain];
    let bodies = world.ids().map(|id| world.body(id).unwrap()).collect();
    let mut asker = Asker { random, bodies, reach };
    let spot = asker.spot();
    compare("spot", searches, &spot, what, counts);
    assert_eq!(without.bodies_at(spot.at).unwrap(), all(searches[1], &PointQuery::new(spot.at)), "{what}: {spot:?}");
    compare("region", searches, &asker.region(), what, counts);
    compare("ray", searches, &asker.ray(), what, counts);
    compare("near", searches, &asker.near(), what, counts);
    if let Some(body) = asker.body(world) {
        compare("body", searches, &body, what, counts);
    }
}

#[test]
fn random_worlds_are_asked() {
    let (mut random, mut counts) = (SplitMix64(77), Counts::new());
    let mut queries: Vec<Queries> = Simd::available().into_iter().map(|simd| Queries::new().simd(simd)).collect();
    for seed in 0..600 {
        let mut world = random_scene(20_000 + seed).world().unwrap();
        for id in world.ids().filter(|id| id.index() % 7 == 6).collect::<Vec<_>>() {
            world.set_enabled(id, false).unwrap();
        }
        let kept = seed as usize % queries.len();
        for _ in 0..4 {
            ask(&mut queries[kept], &world, &mut random, 16.0, &format!("scene {seed}"), &mut counts);
        }
    }
    assert!(counts.values().all(|&count| count > 400) && counts.len() == 5, "{counts:?}");
}

#[test]
fn an_index_is_kept_while_a_world_changes() {
    let mut counts = Counts::new();
    for touch in [Touch::Excluded, Touch::Included] {
        let mut random = SplitMix64(5);
        let (mut world, mut queries) = (World::new(touch), Queries::new());
        let shapes = bodies::shapes(&mut world, &mut random);
        for step in 0..120 {
            let changes = [0, 1, 5, 20, 100][random.below(5) as usize];
            for _ in 0..changes {
                let body = bodies::body(&mut random, &shapes, 150);
                let ids: Vec<_> = world.ids().collect();
                match random.below(8) {
                    _ if ids.len() < 60 => drop(world.add(&body).unwrap()),
                    0 => drop(world.remove(ids[random.below(ids.len() as u32) as usize]).unwrap()),
                    1 => drop(world.add(&body).unwrap()),
                    2 => world.set_enabled(ids[random.below(ids.len() as u32) as usize], random.below(3) > 0).unwrap(),
                    _ => world.set(ids[random.below(ids.len() as u32) as usize], &body).unwrap(),
                }
            }
            match random.below(12) {
                0 => drop(world.advance()),
                1 if step > 90 => world.clear(),
                _ => {}
            }
            ask(&mut queries, &world, &mut random, 60.0, &format!("{touch:?}, step {step}"), &mut counts);
        }
    }
    assert!(counts.values().all(|&count| count > 50) && counts.len() == 5, "{counts:?}");
}

/// Asserts that queries have the same answers in a batch as alone.
fn together<Q: Query>(search: Search<'_>, queries: &[Q])
where
    Q::Answer: Told,
{
    let (mut answers, mut firsts, mut any) = (Answers::new(), Vec::new(), Vec::new());
    for _ in 0..2 {
        search.all_of(queries, &mut answers).unwrap();
        search.first_of(queries, &mut firsts).unwrap();
        search.any_of(queries, &mut any).unwrap();
    }
    let told = |found: &[Q::Answer]| found.iter().map(Told::told).collect::<Vec<_>>();
    assert_eq!([answers.len(), firsts.len(), any.len()], [queries.len(); 3]);
    for (k, query) in queries.iter().enumerate() {
        assert_eq!(told(answers.get(k)), told(&all(search, query)), "query {k}");
        let first = search.first(query).unwrap().map(|first| first.told());
        assert_eq!(firsts[k].as_ref().map(Told::told), first, "query {k}");
        assert_eq!(any[k], first.is_some(), "query {k}");
    }
    assert!(answers.all().next().is_some() && answers.get(queries.len()).is_empty());
}

#[test]
fn many_questions_are_answered_as_one_by_one() {
    let mut random = SplitMix64(9);
    let mut world = World::new(Touch::Included);
    let shapes = bodies::shapes(&mut world, &mut random);
    for _ in 0..3_000 {
        world.add(&bodies::body(&mut random, &shapes, 2_000)).unwrap();
    }
    let bodies = world.ids().map(|id| world.body(id).unwrap()).collect();
    let mut asker = Asker { random: &mut random, bodies, reach: 100.0 };
    let (rays, near): (Vec<_>, Vec<_>) = (0..500).map(|_| (asker.ray(), asker.near().count(4))).unzip();
    let cast: Vec<Body> = (0..200).filter_map(|_| asker.body(&world)).collect();
    let (spots, regions): (Vec<_>, Vec<_>) = (0..500).map(|_| (asker.spot(), asker.region())).unzip();
    let (mut queries, mut reference) = (Queries::new(), Queries::reference());
    let search = queries.on(&world);
    together(search, &rays);
    together(search, &near);
    together(search, &spots);
    together(search, &regions);
    together(search, &cast);
    let mut any = [Vec::new(), Vec::new()];
    search.any_of(&spots[..10], &mut any[0]).unwrap();
    reference.on(&world).any_of(&spots[..10], &mut any[1]).unwrap();
    assert_eq!(any[0], any[1]);
    let mut answers = Answers::new();
    search.all_of(&rays, &mut answers).unwrap();
    search.all_of::<RayCast>(&[], &mut answers).unwrap();
    assert!(answers.is_empty() && answers.all().next().is_none());
    search.any_of::<RayCast>(&[], &mut any[0]).unwrap();
    assert!(any[0].is_empty());
}

/// Asserts that a query is refused with these words.
fn refused<Q: Query>(search: Search<'_>, query: &Q, words: &str) {
    let mut kept = Vec::new();
    let error = search.all(query, &mut kept).unwrap_err().to_string();
    assert!(error.contains(words), "{error}");
    assert_eq!(search.first(query).map(|_| ()).unwrap_err().to_string(), error);
    assert_eq!(search.any(query).unwrap_err().to_string(), error);
    let mut kept = vec![true, false];
    let of_batch = search.any_of(std::slice::from_ref(query), &mut kept).unwrap_err().to_string();
    assert!(of_batch.starts_with("query 0") && of_batch.ends_with(&error), "{of_batch}");
    assert_eq!(kept, [true, false], "nothing has changed");
}

#[test]
fn what_cannot_be_asked_is_told() {
    let mut world = World::default();
    let ball = world.add_shape(hitmask::Shape::circle(1.0).unwrap()).unwrap();
    for mut queries in [Queries::reference(), Queries::new()] {
        let search = queries.on(&world);
        refused(search, &PointQuery::new([0.0, f64::NAN]), "`at.y` is NaN");
        refused(
            search,
            &RayCast::new([0.0, 0.0], [0.0, 2e6]),
            "`to.y` is 2000000; it must lie within 1048576 units of the start of the ray",
        );
        refused(search, &RayCast::new([3e6, 0.0], [0.0, 0.0]), "`from.x` is 3000000");
        refused(search, &RayCast::new([0, 0], [1, 0]).radius(-1.0), "`radius` is -1; it must be 0 to 16384 units");
        refused(search, &Nearest::new([0, 0]).within(f64::NAN), "`within` is NaN");
        refused(search, &Nearest::new([0, 0]).within(-1.0), "`within` is -1; it must be 0 or more");
        refused(search, &RegionQuery::new([0, 5], [5, 5]), "`max.y` is 5; it must exceed that of `min`, 5");
        let swapped = RegionQuery { min: [5, 0].into(), max: [0, 5].into(), mask: u32::MAX };
        refused(search, &swapped, "`max.x` is 0; it must exceed that of `min`, 5");
        refused(search, &RegionQuery::new([f64::NAN, 0.0], [5.0, 5.0]), "`min.x` is NaN");
        refused(search, &RegionQuery::new([0.0, 0.0], [5.0, f64::NAN]), "`max.y` is NaN");
        refused(search, &Body::new(ball, [3e6, 0.0]), "`at.x` is 3000000");
        refused(
            search,
            &Body::new(ball, [0, 0]).posed(Linear::new(0.0, [2.0, 1.0], hitmask::geometry::Flip::default())),
            "similarity",
        );
        let other = World::default().add_shape(hitmask::Shape::circle(2.0).unwrap()).unwrap();
        refused(search, &Body::new(other, [0, 0]), "was removed, or belongs to another world");
    }
}

#[test]
fn a_region_lies_between_any_two_opposite_corners() {
    let corners = [[-3.0, 2.0], [7.5, 2.0], [7.5, 4.0], [-3.0, 4.0]];
    for k in 0..4 {
        let region = RegionQuery::new(corners[k], corners[(k + 2) % 4]).hitting(6);
        assert_eq!(region, RegionQuery { min: corners[0].into(), max: corners[2].into(), mask: 6 });
    }
}

/// Returns polygons that consist of unit cells, with their cells.
fn walls() -> Vec<(Shape, Vec<[i32; 2]>)> {
    let cells = |rows: &[&str]| {
        let row = |(y, row): (usize, &&str)| {
            let solid = row.bytes().enumerate().filter(|(_, cell)| *cell == b'#');
            solid.map(move |(x, _)| [x as i32, y as i32]).collect::<Vec<_>>()
        };
        rows.iter().enumerate().flat_map(row).collect::<Vec<_>>()
    };
    let l = [[0, 0], [4, 0], [4, 2], [2, 2], [2, 4], [0, 4]];
    let plus = [[1, 0], [3, 0], [3, 1], [4, 1], [4, 3], [3, 3], [3, 4], [1, 4], [1, 3], [0, 3], [0, 1], [1, 1]];
    let (square, hole) = ([[0, 0], [4, 0], [4, 4], [0, 4]], [[1, 1], [3, 1], [3, 3], [1, 3]]);
    vec![
        (Shape::polygon(&l).unwrap(), cells(&["####", "####", "##..", "##.."])),
        (Shape::polygon(&plus).unwrap(), cells(&[".##.", "####", "####", ".##."])),
        (Shape::polygon_with_holes(&square, &[hole]).unwrap(), cells(&["####", "#..#", "#..#", "####"])),
    ]
}

/// Returns whether a segment between whole points has a point in the interior of a union of cells, which includes the
/// edges between adjacent cells. Such a point lies between two crossings of the grid's lines, or at one.
fn is_within(cells: &[[i32; 2]], from: [i32; 2], to: [i32; 2]) -> bool {
    let way = [to[0] - from[0], to[1] - from[1]];
    // Each crossing is at the end of one of 2 * 3600 parts, as ways are at most 6 units long.
    let parts = if way == [0, 0] { 0 } else { 7200 };
    (0..=parts).any(|part| {
        // In 1/7200 units: all cells that touch the point must be solid.
        let touched = [0, 1].map(|axis| {
            let at = 7200 * from[axis] + part * way[axis];
            let cell = at.div_euclid(7200);
            if at.rem_euclid(7200) == 0 { vec![cell - 1, cell] } else { vec![cell] }
        });
        touched[0].iter().all(|&x| touched[1].iter().all(|&y| cells.contains(&[x, y])))
    })
}

/// A ray is inside a polygon if it runs along an edge between two of its pieces, or begins there.
#[test]
fn no_ray_runs_between_the_pieces_of_a_polygon() {
    let mut random = SplitMix64(33);
    let (mut met, mut begun) = (0, 0);
    for (shape, cells) in walls() {
        let mut world = World::new(Touch::Excluded);
        let shape = world.add_shape(shape).unwrap();
        world.add(&Body::new(shape, [0, 0])).unwrap();
        let mut point = || [(); 2].map(|()| random.below(7) as i32 - 1);
        for _ in 0..2_000 {
            let (from, to) = (point(), point());
            let ray = RayCast::new(from.map(f64::from), to.map(f64::from));
            let found = all(Queries::new().on(&world), &ray);
            assert_eq!(found, all(Queries::reference().on(&world), &ray), "{ray:?}");
            assert_eq!(!found.is_empty(), is_within(&cells, from, to), "{ray:?} and {cells:?}");
            if let [hit] = found[..] {
                met += 1;
                begun += u32::from(hit.tick == 0);
                assert_eq!(hit.tick == 0, is_within(&cells, from, from), "{ray:?} and {cells:?}");
            }
        }
    }
    assert!(met > 1_000 && begun > 100, "{met} {begun}");
}

/// Bodies that are switched off or have no area have no interior between their pieces either.
#[test]
fn what_is_not_there_is_met_by_no_ray() {
    let mut world = World::new(Touch::Excluded);
    let (shape, _) = walls().remove(0);
    let shape = world.add_shape(shape).unwrap();
    let body = Body::new(shape, [0, 0]);
    let off = world.add(&body).unwrap();
    world.set_enabled(off, false).unwrap();
    world.add(&body.posed(Linear::scaled(1e-4))).unwrap();
    world.add(&body.posed(Linear::from([[1.0, 0.0], [1.0, 0.0]]))).unwrap();
    for ray in [RayCast::new([-1, -1], [5, 5]), RayCast::new([0, 0], [0, 0]), RayCast::new([1, 1], [2, 2])] {
        assert_eq!(all(Queries::new().on(&world), &ray), []);
        assert_eq!(all(Queries::reference().on(&world), &ray), []);
    }
}

#[test]
fn answers_replace_those_of_the_query_before() {
    let mut world = World::default();
    let ball = world.add_shape(Shape::circle(1.0).unwrap()).unwrap();
    assert!(world.is_empty());
    let id = world.add(&Body::new(ball, [0, 0])).unwrap();
    assert!(!world.is_empty());
    for mut queries in [Queries::new(), Queries::reference()] {
        let search = queries.on(&world);
        let (mut found, [near, far]) = (Vec::new(), [Body::new(ball, [1, 0]), Body::new(ball, [9, 0])]);
        for _ in 0..2 {
            search.all(&near, &mut found).unwrap();
            assert_eq!(found.iter().map(|hit| hit.body).collect::<Vec<_>>(), [id]);
        }
        let before = found.clone();
        assert!(search.all(&near.moving([f64::NAN, 0.0]), &mut found).is_err());
        assert_eq!(found, before, "an error changes nothing");
        search.all(&far, &mut found).unwrap();
        assert!(found.is_empty());
    }
}

/// A body of the world that is not left out is an answer to each query about it, and named by each answer.
#[test]
fn a_body_that_is_not_left_out_meets_itself() {
    let arrow = Mask::from_rows(&["..#", "###"]).unwrap();
    let shapes =
        [Shape::sprite(arrow), Shape::circle(3.0).unwrap(), Shape::rect(4.0, 2.0).unwrap(), walls().remove(0).0];
    for (shape, touch) in shapes.iter().flat_map(|shape| [(shape, Touch::Excluded), (shape, Touch::Included)]) {
        let mut world = World::new(touch);
        let shape = world.add_shape(shape.clone()).unwrap();
        let hero = world.add(&Body::new(shape, [0.5, 7.0]).posed(Linear::from_degrees(30.0))).unwrap();
        for (body, mut queries) in [[0, 0], [9, 0], [0, -9]].into_iter().flat_map(|motion| {
            let body = world.body(hero).unwrap().moving(motion);
            [(body, Queries::new()), (body, Queries::reference())]
        }) {
            let own = [hero];
            let with = queries.on(&world);
            let without = with.except(&own).unwrap();
            assert_eq!(all(with, &body).iter().map(|hit| hit.body).collect::<Vec<_>>(), own);
            assert_eq!(with.first(&body).unwrap().unwrap().body, hero);
            assert!(with.any(&body).unwrap() && !with.is_free(&body).unwrap());
            let [sweep, slide] = [with.sweep(&body, |_| true).unwrap().at, with.slide(&body, |_| true).unwrap().at];
            assert_eq!([sweep, slide], [body.at; 2]);
            assert_eq!(with.sweep(&body, |_| true).unwrap().started_inside(), Some(hero));
            assert_eq!(with.slide(&body, |_| true).unwrap().started_inside(), Some(hero));
            assert!(all(without, &body).is_empty() && without.is_free(&body).unwrap());
            assert_eq!(without.sweep(&body, |_| true).unwrap().started_inside(), None);
            assert_eq!(without.slide(&body, |_| true).unwrap().started_inside(), None);
        }
    }
}

/// Sweeps and slides name the first body that the moved one overlaps at its start and that counts: by the definition,
/// of a body at rest in a world in which touching is no hit.
#[test]
fn what_a_motion_starts_inside_is_named() {
    let (mut random, mut seen) = (SplitMix64(91), [0; 2]);
    for seed in 0..400 {
        let world = random_scene(31_000 + seed).world().unwrap();
        let mut apart = World::new(Touch::Excluded);
        let shapes = world.shapes().map(|(_, shape)| apart.add_shape(shape.clone()).unwrap()).collect::<Vec<_>>();
        let there = |body: Body| Body { shape: shapes[body.shape.index() as usize], ..body };
        for id in world.ids() {
            apart.add(&there(world.body(id).unwrap())).unwrap();
        }
        let bodies = world.ids().map(|id| world.body(id).unwrap()).collect();
        let Some(body) = (Asker { random: &mut random, bodies, reach: 8.0 }).body(&world) else { continue };
        let counts = |id: hitmask::BodyId| !id.index().is_multiple_of(3);
        let inside = all(Queries::reference().on(&apart), &there(body).moving([0, 0]));
        let expected = inside.iter().map(|hit| hit.body).find(|&id| counts(id)).map(hitmask::BodyId::index);
        let mut queries = Queries::new();
        let search = queries.on(&world);
        let sweep = search.sweep(&body, |impact| counts(impact.other)).unwrap();
        let slide = search.slide(&body, |impact| counts(impact.other)).unwrap();
        let found = [sweep.started_inside(), slide.started_inside()].map(|id| id.map(hitmask::BodyId::index));
        assert_eq!(found, [expected; 2], "scene {seed}: {body:?}");
        let start = [body.at.x, body.at.y].map(|v| snap(v) / 256.0).into();
        assert!(expected.is_none() || [sweep.at, slide.at] == [start; 2], "scene {seed}: it stays");
        seen[usize::from(expected.is_some())] += 1;
    }
    assert!(seen.iter().all(|&seen| seen > 50), "{seen:?}");
}

/// Returns the distance of a body from a point.
fn distance(search: Search<'_>, body: hitmask::BodyId, at: [f64; 2]) -> f64 {
    let nearby = all(search, &Nearest::new(at));
    nearby.iter().find(|near| near.body == body).expect("each has a distance").distance
}

#[test]
fn a_ray_is_as_far_from_what_it_comes_to_as_it_is_thick() {
    let (mut random, mut counts) = (SplitMix64(31), [0; 4]);
    for seed in 0..400 {
        let world = random_scene(40_000 + seed).world().unwrap();
        let bodies = world.ids().map(|id| world.body(id).unwrap()).collect();
        let mut asker = Asker { random: &mut random, bodies, reach: 16.0 };
        let mut queries = Queries::new();
        let search = queries.on(&world);
        let ray = asker.ray().hitting(u32::MAX);
        for hit in all(search, &ray) {
            let what = || format!("scene {seed}: {ray:?} {hit:?}");
            let contact = world.ray_contact(&ray, &hit).unwrap();
            let [at, normal] = [[contact.at.x, contact.at.y], contact.normal];
            if hit.tick == 0 || normal == [0.0; 2] {
                // With touch excluded, the edge between two pixels is met a moment later.
                assert_eq!((normal, at.map(snap)), ([0.0; 2], [ray.from.x, ray.from.y].map(snap)), "{}", what());
                assert!(distance(search, hit.body, [ray.from.x, ray.from.y]) <= ray.radius, "{}", what());
                counts[0] += 1;
                continue;
            }
            let way = [ray.to.x - ray.from.x, ray.to.y - ray.from.y];
            let along = |from: [f64; 2], by: [f64; 2], far: f64| [from[0] + far * by[0], from[1] + far * by[1]];
            let dot = |p: [f64; 2], q: [f64; 2]| p[0] * q[0] + p[1] * q[1];
            assert!((dot(normal, normal) - 1.0).abs() < 1e-9 && dot(way, normal) < 0.0, "{} {contact:?}", what());
            // Query points are rounded to the lattice, as are the ends of the ray.
            let near = 2.0 / 256.0;
            let centre = along(at, normal, ray.radius);
            let far = |at: [f64; 2]| distance(search, hit.body, at);
            assert!((far(centre) - ray.radius).abs() < near, "{} {contact:?} {}", what(), far(centre));
            for part in [0.9, 0.99, 0.3] {
                let before = [0, 1].map(|k| [ray.from.x, ray.from.y][k] * (1.0 - part) + centre[k] * part);
                assert!(far(before) > ray.radius - near, "{} {contact:?} {before:?}", what());
            }
            let onward = RayCast::new(contact.beside, contact.beside).radius(ray.radius);
            assert!(all(search, &onward).iter().all(|met| met.body != hit.body), "{} {contact:?}", what());
            if world.landed(hit.body).is_some_and(|landed| landed.len() == 1) {
                let away = far(along(at, normal, 1.0));
                assert!((away - 1.0).abs() < near, "{} {contact:?} {away}", what());
                counts[1] += 1;
            } else {
                counts[2 + usize::from(world.landed(hit.body).is_none())] += 1;
            }
        }
    }
    assert!(counts.iter().all(|&count| count > 20), "{counts:?}");
}

#[test]
fn what_adjoins_has_no_edge_between() {
    let mask = |rows: &[&str]| Shape::sprite(Mask::from_rows(rows).unwrap());
    let corner = Shape::polygon(&[[0, 0], [8, 0], [8, 4], [4, 4], [4, 8], [0, 8]]).unwrap();
    let bent = Shape::polygon(&[[0, 4], [4, 2], [8, 4], [8, 8], [4, 6], [0, 8]]).unwrap();
    let beak = Shape::polygon(&[[0, 0], [2, 3], [5, 1], [3, 0], [3, 1]]).unwrap();
    let (up, left, right, down) = ([0.0, -1.0], [-1.0, 0.0], [1.0, 0.0], [0.0, 1.0]);
    // The shape, the ray and its radius, the point at which it meets the shape, and the normal.
    let cases = [
        // At the edge between two pixels of a floor, from steep to flat.
        (mask(&["###", "###"]), [[0, -1], [2, 1]], 0.0, [1.0, 0.0], up),
        (mask(&["###", "###"]), [[-3, -1], [5, 1]], 0.0, [1.0, 0.0], up),
        (mask(&["####", "####"]), [[1, -2], [5, 2]], 1.0, [2.0, 0.0], up),
        // At a corner, the side that faces the ray more is met.
        (mask(&["###", "###"]), [[-4, -2], [4, 2]], 0.0, [0.0, 0.0], left),
        // Between the corners of two pixels into a third: the one of the two sides that faces the ray more.
        (mask(&[".#", "##"]), [[-1, 0], [3, 2]], 0.0, [1.0, 1.0], left),
        (mask(&[".#", "##"]), [[-100, -201], [102, 203]], 0.0, [1.0, 1.0], up),
        (mask(&[".#", "##"]), [[-339_999, -169_999], [340_001, 170_001]], 0.0, [1.0, 1.0], left),
        (beak, [[-997, -999], [1003, 1001]], 0.0, [3.0, 1.0], left),
        // From inside, on the edge between two pixels.
        (mask(&["####", "####"]), [[2, 1], [9, 2]], 0.0, [2.0, 1.0], [0.0; 2]),
        // At the inner corner of a polygon, whatever its pieces are.
        (corner.clone(), [[8, 5], [0, 3]], 0.0, [4.0, 4.0], right),
        (corner, [[5, 8], [3, 0]], 0.0, [4.0, 4.0], down),
        // At the end of an edge between two pieces: the side that faces the ray more, even if only the other piece is
        // entered.
        (bent.clone(), [[5, 0], [3, 4]], 0.0, [4.0, 2.0], [0.2_f64.sqrt(), -0.8_f64.sqrt()]),
        (bent, [[-36, -19], [44, 23]], 0.0, [4.0, 2.0], [-0.2_f64.sqrt(), -0.8_f64.sqrt()]),
    ];
    for (shape, [from, to], thick, at, normal) in cases {
        let mut world = World::default();
        let id = world.add_shape(shape).unwrap();
        world.add(&Body::new(id, [0, 0])).unwrap();
        let ray = RayCast::new(from, to).radius(thick);
        let hit = Queries::new().on(&world).first(&ray).unwrap().expect("it is met");
        let contact = world.ray_contact(&ray, &hit).unwrap();
        let off =
            [contact.at.x - at[0], contact.at.y - at[1], contact.normal[0] - normal[0], contact.normal[1] - normal[1]];
        assert!(off.iter().all(|off| off.abs() < 1.0 / 128.0), "{ray:?}: {contact:?}, not {at:?} {normal:?}");
    }
}

/// With touch excluded, a thin ray exactly between two pixels or two tiles meets neither; with a radius it does.
#[test]
fn a_thin_ray_between_pixels_or_tiles_meets_neither() {
    let sprite = Shape::sprite(Mask::from_rows(&["##", "##"]).unwrap());
    let tile = Shape::rect(1.0, 2.0).unwrap();
    let ray = RayCast::new([1, -5], [1, 9]);
    for (shape, places) in [(&sprite, &[[0, 0]][..]), (&tile, &[[0, 0], [1, 0]])] {
        for touch in [Touch::Excluded, Touch::Included] {
            let mut world = World::new(touch);
            let shape = world.add_shape(shape.clone()).unwrap();
            for at in places {
                world.add(&Body::new(shape, *at)).unwrap();
            }
            for mut queries in [Queries::new(), Queries::reference()] {
                let search = queries.on(&world);
                assert_eq!(search.any(&ray).unwrap(), touch == Touch::Included, "{touch:?}, {places:?}");
                assert!(search.any(&ray.radius(1.0 / 256.0)).unwrap(), "{touch:?}, {places:?}");
            }
        }
    }
}

/// The ground rises by a sixth of a quarter turn more at each corner, six times.
#[test]
fn a_body_slides_on_three_times() {
    let mut corners = vec![Vec2::from([-20.0, 0.0]), Vec2::from([5.0, 0.0])];
    let normals: Vec<Vec2> =
        (1..=6).map(|k| Linear::from_degrees(-15.0 * f64::from(k)) * Vec2::from([0, -1])).collect();
    for normal in &normals {
        let last = corners[corners.len() - 1];
        corners.push(Vec2::from([last.x - 6.0 * normal.y, last.y + 6.0 * normal.x]));
    }
    corners.extend([[60, -40], [60, 20], [-20, 20]].map(Vec2::from));
    for touch in [Touch::Excluded, Touch::Included] {
        let mut world = World::new(touch);
        let [ground, ball] = [Shape::polygon(&corners), Shape::circle(1.0)];
        let [ground, ball] = [ground, ball].map(|shape| world.add_shape(shape.unwrap()).unwrap());
        world.add(&Body::new(ground, [0, 0])).unwrap();
        let body = Body::new(ball, [-4.0, -1.5]).moving([60, 0]);
        let slide = Queries::new().on(&world).slide(&body, |_| true).unwrap();
        let met: Vec<Vec2> = slide.stops.iter().map(|stop| Vec2::from(stop.impact.normal)).collect();
        assert_eq!(met.len(), 4, "{touch:?}: {met:?}");
        for (met, normal) in met.iter().zip(&normals) {
            assert!(met.dot(*normal) > 0.999, "{touch:?}: {met:?}, not {normal:?}");
        }
    }
}

/// A row of tiles of which the next is a lattice step or two higher, as where turned tiles adjoin: a body steps over
/// the edge, and its motion is spent only once.
#[test]
fn a_slide_over_an_edge_ends_where_its_motion_does() {
    for (touch, steps) in [1, 2, 3].into_iter().flat_map(|k| [(Touch::Excluded, k), (Touch::Included, k + 1)]) {
        let mut world = World::new(touch);
        let [floor, man] =
            [[100.0, 10.0], [2.0, 2.0]].map(|[w, h]| world.add_shape(Shape::rect(w, h).unwrap()).unwrap());
        world.add(&Body::new(floor, [0, 20])).unwrap();
        world.add(&Body::new(floor, [100.0, 20.0 - f64::from(steps) / 256.0])).unwrap();
        for far in [60, 110, 140] {
            let body = Body::new(man, [0, 0]).moving([far, 30]);
            let slide = Queries::new().on(&world).slide(&body, |_| true).unwrap();
            // If touching is a hit, the man walks a step above the floor. The floor ends where he stands at 98.
            let is_stepped_over = steps - i32::from(touch == Touch::Included) < 3;
            let end = if is_stepped_over { f64::from(far) } else { f64::from(far).min(98.0) };
            assert!((slide.at.x - end).abs() < 2.0 / 256.0, "{touch:?}, {steps} steps: {slide:?}");
        }
    }
}

/// In a valley of two tiles, rounding leads a slide along one slope into it just before the other: it still goes there,
/// as in a valley of one polygon.
#[test]
fn a_slide_along_a_slope_goes_as_far_as_the_next() {
    let valley = [[-64, -48], [0, 0], [64, -40], [64, 60], [-64, 60]];
    let tiles = [vec![valley[0], valley[1], [0, 60], valley[4]], vec![valley[1], valley[2], valley[3], [0, 60]]];
    let ends = [vec![valley.to_vec()], tiles.to_vec()].map(|parts| {
        let mut world = World::default();
        for part in parts {
            let shape = world.add_shape(Shape::polygon(&part).unwrap()).unwrap();
            world.add(&Body::new(shape, [0, 0])).unwrap();
        }
        let man = world.add_shape(Shape::rect(4.0, 6.0).unwrap()).unwrap();
        let body = Body::new(man, [-11.71875, -14.789_062_5]).moving([9.0, 10.757_812_5]);
        Queries::new().on(&world).slide(&body, |_| true).unwrap()
    });
    let off = ends[0].at - ends[1].at;
    assert!(off.dot(off).sqrt() < 0.05, "{ends:?}");
}

/// A sprite between a ramp and a wall that it is pressed against from above stays: whole pixels along one axis would
/// lift it up the wall.
#[test]
fn a_slide_of_a_sprite_does_not_move_it_back_along_one_axis() {
    let mut world = World::default();
    let ramp = world.add_shape(Shape::polygon(&[[0, 0], [100, 70], [0, 70]]).unwrap()).unwrap();
    let wall = world.add_shape(Shape::rect(10.0, 200.0).unwrap()).unwrap();
    world.add(&Body::new(ramp, [0, 0])).unwrap();
    world.add(&Body::new(wall, [30, -150])).unwrap();
    let shapes = [Shape::sprite(Mask::from_fn(6, 6, |_, _| true).unwrap()), Shape::rect(6.0, 6.0).unwrap()];
    for shape in shapes.map(|shape| world.add_shape(shape).unwrap()) {
        for x in [40, 50] {
            let body = Body::new(shape, [x, 22]).moving([-72, 66]);
            let slide = Queries::new().on(&world).slide(&body, |_| true).unwrap();
            assert!((slide.at - body.at).dot(body.motion) >= 0.0, "{slide:?}");
            assert_eq!(slide.at.x.round(), 40.0, "to the wall: {slide:?}");
        }
    }
}
