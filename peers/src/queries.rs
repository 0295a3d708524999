//! Queries on 100,000 boxes: rays, boxes and nearest, one by one and in batches, and the update after all bodies have
//! moved.

use std::hint::black_box;
use std::time::{Duration, Instant};

use anyhow::ensure;
use hitmask::geometry::{Aabb, Point, Vec2};
use hitmask::query::{Answers, Nearest, Queries, RayCast, RegionQuery, Search};
use hitmask_workbench::workloads::{SplitMix64, Workload};
use parry2d::math::Vector;
use parry2d::partitioning::{Bvh, BvhBuildStrategy, BvhLeafUpdateStatus, BvhWorkspace};
use parry2d::query::{PointQuery as _, RayCast as _};
use rayon::ThreadPool;
use rayon::prelude::*;

use crate::contest::median;

/// Number of bodies.
const BODIES: u32 = 100_000;
/// Number of queries of each kind.
const QUESTIONS: usize = 10_000;
/// Maximum side of a box and length of a ray along each axis, in units.
const REACH: u32 = 200;
/// One ray in this many may be answered differently, as it passes an edge on the other side in `f32`.
const GRAZING: usize = 500;

/// The times of a contest of queries. Pairs of times are those of hitmask and of `parry2d`.
pub(crate) struct Outcome {
    pub(crate) kinds: Vec<Kind>,
    /// The times of an update after all bodies have moved.
    pub(crate) refreshed: [Duration; 2],
    /// The times to build from scratch.
    pub(crate) built: [Duration; 2],
    pub(crate) bodies: u32,
    /// The number of runs from which the medians are taken.
    pub(crate) runs: usize,
}

/// The times per query of a kind.
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    pub(crate) one_by_one: [Duration; 2],
    pub(crate) batch: [Duration; 2],
}

/// `parry2d`'s tree over boxes, in lattice steps.
struct Parry {
    bvh: Bvh,
    boxes: Vec<parry2d::bounding_volume::Aabb>,
    workspace: BvhWorkspace,
    statuses: Vec<BvhLeafUpdateStatus>,
}

fn vector(x: i32, y: i32) -> Vector {
    Vector::new(x as f32, y as f32)
}

fn aabb(b: &Aabb) -> parry2d::bounding_volume::Aabb {
    parry2d::bounding_volume::Aabb::new(vector(b.min.x, b.min.y), vector(b.max.x, b.max.y))
}

impl Parry {
    fn new(boxes: &[Aabb]) -> Self {
        let boxes: Vec<_> = boxes.iter().map(aabb).collect();
        let bvh = Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes);
        Self { bvh, boxes, workspace: BvhWorkspace::default(), statuses: Vec::new() }
    }

    fn refresh(&mut self, boxes: &[Aabb]) {
        self.boxes.par_iter_mut().zip(boxes).for_each(|(to, from)| *to = aabb(from));
        let updates: Vec<_> =
            self.boxes.par_iter().zip(0..self.boxes.len() as u32).map(|(b, i)| (*b, i, 0.0)).collect();
        self.bvh.insert_or_update_batch_partially_parallel(&updates, &mut self.statuses);
        self.bvh.refit_parallel(&mut self.workspace);
    }

    fn region(&self, region: &Aabb, found: &mut Vec<u32>) {
        let region = aabb(region);
        found.clear();
        found.extend(self.bvh.intersect_aabb(&region));
        found.sort_unstable();
    }

    fn ray(&self, [from, to]: &[Vector; 2]) -> Option<(u32, f32)> {
        let ray = parry2d::query::Ray::new(*from, *to - *from);
        self.bvh.cast_ray(&ray, 1.0, |leaf, best| self.boxes[leaf as usize].cast_local_ray(&ray, best, true))
    }

    fn near(&self, at: Vector) -> Option<(u32, f32)> {
        let project = |leaf: u32, _| Some(self.boxes[leaf as usize].project_local_point(at, true));
        self.bvh.project_point(at, f32::MAX, project).map(|(leaf, (distance, _))| (leaf, distance))
    }
}

/// The queries, as hitmask and as `parry2d` take them.
struct Asked {
    regions: Vec<RegionQuery>,
    boxes: Vec<Aabb>,
    rays: Vec<RayCast>,
    segments: Vec<[Vector; 2]>,
    nears: Vec<Nearest>,
    points: Vec<Vector>,
}

impl Asked {
    /// Draws queries all over the bodies, on the lattice.
    fn new(all: &Aabb) -> Self {
        let mut random = SplitMix64(99);
        let mut asked = Self {
            regions: Vec::new(),
            boxes: Vec::new(),
            rays: Vec::new(),
            segments: Vec::new(),
            nears: Vec::new(),
            points: Vec::new(),
        };
        let units = |x: i32, y: i32| Vec2::from([x, y].map(|v| f64::from(v) / 256.0));
        for _ in 0..QUESTIONS {
            let mut below = |n: i32| random.below(n as u32) as i32;
            let x = all.min.x + below(all.max.x - all.min.x);
            let y = all.min.y + below(all.max.y - all.min.y);
            let reach = 256 * REACH as i32;
            let (w, h) = (1 + below(reach), 1 + below(reach));
            let (dx, dy) = (below(2 * reach) - reach, below(2 * reach) - reach);
            asked.regions.push(RegionQuery::new(units(x, y), units(x + w, y + h)));
            asked.boxes.push(Aabb { min: Point::new(x, y), max: Point::new(x + w, y + h) });
            asked.rays.push(RayCast::new(units(x, y), units(x + dx, y + dy)));
            asked.segments.push([vector(x, y), vector(x + dx, y + dy)]);
            asked.nears.push(Nearest::new(units(x, y)));
            asked.points.push(vector(x, y));
        }
        asked
    }
}

/// Runs the queries on both, in turn.
pub(crate) fn contest(runs: usize, quick: bool, pool: &ThreadPool) -> anyhow::Result<Outcome> {
    let bodies = if quick { BODIES / 10 } else { BODIES };
    let mut crowd = Workload::Boxes.crowd(bodies)?;
    let reach = |world: &hitmask::World| world.ids().filter_map(|id| world.bounds(id)).collect::<Vec<_>>();
    let (mut queries, mut boxes) = (Queries::new(), reach(crowd.world()));
    let asked = Asked::new(&boxes.iter().fold(Aabb::NOWHERE, |all, b| all.join(b)));
    let mut built = [Vec::new(), Vec::new()];
    let mut parry = Parry::new(&boxes);
    for _ in 0..runs {
        built[0].push(timed(&mut || keep(Queries::new().on(crowd.world()))));
        built[1].push(timed(&mut || keep(Parry::new(&boxes))));
    }
    queries.on(crowd.world());
    let mut refreshed = [Vec::new(), Vec::new()];
    for run in 0..=runs as u32 {
        crowd.step(1 + run % 2, 1000)?;
        boxes = reach(crowd.world());
        let ours = timed(&mut || pool.install(|| keep(queries.on(crowd.world()))));
        let theirs = timed(&mut || pool.install(|| parry.refresh(&boxes)));
        if run > 0 {
            refreshed[0].push(ours);
            refreshed[1].push(theirs);
        }
    }
    let search = queries.on(crowd.world());
    check(search, &parry, &asked)?;

    let (mut found, mut theirs) = (Vec::new(), Vec::new());
    let (mut answers, mut rays, mut nears) = (Answers::new(), Vec::new(), Vec::new());
    let kinds = vec![
        measure(
            "boxes, all that meet them",
            runs,
            [
                &mut || {
                    for region in &asked.regions {
                        search.all(region, &mut found).expect("it lies in the world");
                    }
                },
                &mut || asked.boxes.iter().for_each(|region| parry.region(region, &mut theirs)),
                &mut || pool.install(|| search.all_of(&asked.regions, &mut answers)).expect("they lie in the world"),
                &mut || {
                    let each = |found: &mut Vec<u32>, region: &Aabb| {
                        parry.region(region, found);
                        found.clone()
                    };
                    let all = || {
                        asked.boxes.par_iter().with_min_len(64).map_init(Vec::new, each).collect::<Vec<_>>().concat()
                    };
                    keep(pool.install(all));
                },
            ],
        ),
        measure(
            "rays, the first that they meet",
            runs,
            [
                &mut || asked.rays.iter().for_each(|ray| keep(search.first(ray))),
                &mut || asked.segments.iter().for_each(|ray| keep(parry.ray(ray))),
                &mut || pool.install(|| search.first_of(&asked.rays, &mut rays)).expect("they lie in the world"),
                &mut || {
                    let all =
                        || asked.segments.par_iter().with_min_len(64).map(|ray| parry.ray(ray)).collect::<Vec<_>>();
                    keep(pool.install(all));
                },
            ],
        ),
        measure(
            "nearest, one",
            runs,
            [
                &mut || asked.nears.iter().for_each(|near| keep(search.first(near))),
                &mut || asked.points.iter().for_each(|&at| keep(parry.near(at))),
                &mut || pool.install(|| search.first_of(&asked.nears, &mut nears)).expect("they lie in the world"),
                &mut || {
                    let all = || asked.points.par_iter().with_min_len(64).map(|&at| parry.near(at)).collect::<Vec<_>>();
                    keep(pool.install(all));
                },
            ],
        ),
    ];
    let [refreshed, built] = [refreshed, built].map(|times| times.map(|mut times| median(&mut times)));
    Ok(Outcome { kinds, refreshed, built, bodies, runs })
}

/// Keeps the compiler from removing the computation of an answer that nothing reads.
fn keep<T>(answer: T) {
    let _ = black_box(answer);
}

fn timed(work: &mut dyn FnMut()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

/// Measures the times per query: one by one, then in batches, each for hitmask, then `parry2d`.
fn measure(name: &'static str, runs: usize, mut works: [&mut dyn FnMut(); 4]) -> Kind {
    let mut times = [const { Vec::new() }; 4];
    for run in 0..=runs {
        for (times, work) in times.iter_mut().zip(&mut works) {
            let time = timed(work);
            // The first run is a warm-up.
            if run > 0 {
                times.push(time);
            }
        }
    }
    let [a, b, c, d] = times.map(|mut times| median(&mut times) / QUESTIONS as u32);
    Kind { name, one_by_one: [a, b], batch: [c, d] }
}

/// Checks that the answers of both are equal; returns an error if not.
fn check(search: Search<'_>, parry: &Parry, asked: &Asked) -> anyhow::Result<()> {
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for (region, boxed) in asked.regions.iter().zip(&asked.boxes) {
        search.all(region, &mut ours)?;
        parry.region(boxed, &mut theirs);
        ensure!(ours.iter().map(|id| id.index()).eq(theirs.iter().copied()), "{region:?} has different answers");
    }
    let mut other = 0;
    for (ray, segment) in asked.rays.iter().zip(&asked.segments) {
        let part = search.first(ray)?.map(|hit| hit.fraction());
        let same = match (part, parry.ray(segment)) {
            (Some(ours), Some((_, theirs))) => (ours - f64::from(theirs)).abs() < 1e-3,
            (ours, theirs) => ours.is_none() == theirs.is_none(),
        };
        other += usize::from(!same);
    }
    ensure!(other * GRAZING <= asked.rays.len(), "{other} of {} rays have different answers", asked.rays.len());
    for (near, &at) in asked.nears.iter().zip(&asked.points) {
        let ours = search.first(near)?.map_or(0.0, |near| 256.0 * near.distance);
        let theirs = parry.near(at).map_or(0.0, |(_, distance)| f64::from(distance));
        ensure!((ours - theirs).abs() <= 1.0 + 1e-4 * ours, "{near:?} has different answers: {ours}, {theirs}");
    }
    Ok(())
}
