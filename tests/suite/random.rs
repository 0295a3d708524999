//! Random scenes of all families: every engine against the reference. A mismatch is shrunk and written as a scene file.

use hitmask::cpu::{Broad, Simd};
use hitmask::geometry::{Aabb, Flip, Vec2};
use hitmask::scene::{BodySpec, Scene};
use hitmask::{Ask, Body, BodyId, Detail, Engine, Hits, Linear, Mask, Overlap, Shape, Touch, World};
use hitmask_workbench::verify::{compare, random_scene, shrink, swarm_scene};

use crate::common::{self, Gpu, Setup};

/// The number of scenes of each kind; `hitmask verify --random N [--swarm]` compares any number.
const SCENES: u64 = 2_000;
const SWARM: u64 = 1_000;

/// Each scene runs with each SIMD set in both broad phases, in a step on a new world and in one in which nothing has
/// changed. Worlds this small run on one thread, whatever the setting.
#[test]
fn engines_agree_on_random_scenes() {
    let mut reference = Engine::reference();
    let mut cpus = [1, 2, 3].map(|threads| Setup::cpus(threads).map(Setup::runner).collect::<Vec<_>>());
    let mut gpu = common::gpu(Gpu::Default).map(Setup::runner);
    assert!(cpus.iter().all(|runners| runners.len() == 2 * Simd::available().len()));
    let mut pairs = [0; 2];
    let swarm = (0..SWARM).map(|seed| (format!("swarm-{seed}"), swarm_scene(seed)));
    let scenes = (0..SCENES).map(|seed| (seed.to_string(), random_scene(seed))).chain(swarm);
    for (number, (name, scene)) in scenes.enumerate() {
        let what = format!("scene {name}");
        let world = scene.world().unwrap_or_else(|error| panic!("{what}: {error}"));
        let expected = reference.run(&world, Ask::Details).unwrap();
        expected.validate(Ask::Details);
        // A step on a GPU in software takes as long as hundreds on the CPU, so it gets a third of the scenes.
        for runner in cpus[number % 3].iter_mut().chain(gpu.as_mut().filter(|_| number % 3 == 0)) {
            // The last step of `answer` knows the world already; a copy is a new world.
            let steady = runner.answer(&world, &what);
            let anew = runner.engine.run(&world.clone(), Ask::Details).unwrap();
            if [steady, anew].iter().any(|hits| *hits != expected) {
                report(&scene, &name, runner.setup);
            }
        }
        pairs[usize::from(number >= SCENES as usize)] += expected.pairs.len();
    }
    let enough = [SCENES, SWARM].map(|scenes| 10 * scenes as usize);
    assert!(pairs[0] > enough[0] && pairs[1] > enough[1], "{pairs:?} pairs are too few to tell anything");
}

/// Shrinks a scene that shows a difference, writes it, and panics with its path.
pub(crate) fn report(scene: &Scene, name: &str, setup: Setup) -> ! {
    let mut engines = [Engine::reference(), setup.runner().engine];
    let mismatch = scene.world().and_then(|world| compare(&world, &mut engines));
    let Ok(Some(mismatch)) = mismatch else { panic!("scene {name}: {setup} differs, but only after other scenes") };
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("mismatch-{name}.json"));
    std::fs::write(&file, shrink(scene, &mismatch, &mut engines).to_json().unwrap()).unwrap();
    panic!("scene {name}: {setup}: {mismatch}\nreplay it: hitmask verify {}", file.display());
}

/// Many scenes in one world: hundreds of overlapping bodies, many tiles, all kinds of pairs at once.
#[test]
fn engines_agree_on_many_scenes_at_once() {
    for touch in [Touch::Excluded, Touch::Included] {
        let (mut shapes, mut bodies) = (Vec::new(), Vec::new());
        for seed in 0..60 {
            let scene = random_scene(9_000 + seed);
            let name = |shape: &str| format!("{seed} {shape}");
            shapes.extend(scene.shapes.into_iter().map(|(shape, spec)| (name(&shape), spec)));
            bodies.extend(scene.bodies.into_iter().map(|body| BodySpec { shape: name(&body.shape), ..body }));
        }
        assert!(bodies.len() > 400, "{} bodies are one tile or two", bodies.len());
        let world = Scene::new(touch, shapes, bodies).world().unwrap();
        let mut runners = common::contestants();
        let expected = runners[0].answer(&world, "many scenes");
        assert!(expected.pairs.len() > 4_000, "{} pairs", expected.pairs.len());
        // Here the cramped configuration has no room for the pairs of a single body.
        for runner in runners[1..].iter_mut().filter(|runner| runner.setup != Setup::Gpu(Gpu::Cramped)) {
            assert!(runner.answer(&world, "many scenes") == expected, "{touch:?} on {}", runner.setup);
        }
    }
}

/// Scenes side by side in one world, too far apart to interact: its answer is the union of theirs.
struct Sheet {
    world: World,
    scenes: Vec<Placed>,
}

/// A scene of a sheet.
struct Placed {
    /// The reference's answer for it alone.
    alone: Hits,
    /// Its bodies, with consecutive indices.
    bodies: Vec<BodyId>,
    /// The pixels by which it was moved.
    shift: [i32; 2],
    /// Whether its bodies are switched on.
    on: bool,
}

/// The pixels between two scenes.
const GAP: i32 = 16;
/// The widest row of scenes, and the longest side of one of them, in pixels.
const ROW: i32 = 30_000;
const SIDE: i32 = 3_000;

impl Sheet {
    /// Returns a sheet of at least `bodies` bodies.
    fn new(touch: Touch, bodies: usize) -> Self {
        let mut sheet = Self { world: World::new(touch), scenes: Vec::new() };
        let (mut at, mut height) = ([0, 0], 0);
        for seed in 30_000.. {
            if sheet.world.len() >= bodies {
                break;
            }
            let alone = random_scene(seed).world().unwrap();
            let Some([min, max]) = pixels(&alone).filter(|_| alone.touch() == touch) else { continue };
            let [w, h] = [max[0] - min[0], max[1] - min[1]];
            if w > SIDE || h > SIDE {
                continue;
            }
            if at[0] + w > ROW {
                (at, height) = ([0, at[1] + height + GAP], 0);
            }
            sheet.place(&alone, [at[0] - min[0], at[1] - min[1]]);
            (at[0], height) = (at[0] + w + GAP, height.max(h));
        }
        sheet
    }

    fn place(&mut self, alone: &World, shift: [i32; 2]) {
        let shapes: Vec<_> =
            alone.shapes().map(|(id, shape)| (id, self.world.add_shape(shape.clone()).unwrap())).collect();
        let bodies = alone.ids().map(|id| {
            let body = alone.body(id).unwrap();
            let (_, shape) = shapes.iter().find(|(known, _)| *known == body.shape).unwrap();
            self.world.add(&moved(&Body { shape: *shape, ..body }, shift)).unwrap()
        });
        let bodies = bodies.collect();
        let alone = Engine::reference().run(alone, Ask::Details).unwrap();
        self.scenes.push(Placed { alone, bodies, shift, on: true });
    }

    /// Moves a scene by whole pixels.
    fn shift(&mut self, scene: usize, by: [i32; 2]) {
        let placed = &mut self.scenes[scene];
        placed.shift = [placed.shift[0] + by[0], placed.shift[1] + by[1]];
        for &id in &placed.bodies {
            let body = self.world.body(id).unwrap();
            self.world.set(id, &moved(&body, by)).unwrap();
        }
    }

    /// Switches a scene on or off.
    fn switch(&mut self, scene: usize, on: bool) {
        self.scenes[scene].on = on;
        self.scenes[scene].bodies.iter().for_each(|&id| self.world.set_enabled(id, on).unwrap());
    }

    /// Returns the answer, with details.
    fn answer(&self) -> Hits {
        let mut hits = Hits::default();
        hits.flags = vec![0; self.world.len().div_ceil(32)];
        for Placed { alone, bodies, shift, .. } in self.scenes.iter().filter(|scene| scene.on) {
            let first = bodies[0].index();
            hits.pairs.extend(alone.pairs.iter().map(|pair| pair.map(|body| first + body)));
            hits.details.extend(alone.details.iter().map(|detail| seen_from(detail, *shift)));
        }
        for &body in hits.pairs.as_flattened() {
            hits.flags[body as usize / 32] |= 1 << (body % 32);
        }
        hits
    }
}

/// Returns the bounds of the pixels that a world's bodies reach, or `None` without any.
fn pixels(world: &World) -> Option<[[i32; 2]; 2]> {
    let reached = world.ids().filter_map(|id| world.swept_bounds(id));
    reached
        .map(|Aabb { min, max }| [[min.x >> 8, min.y >> 8], [(max.x >> 8) + 1, (max.y >> 8) + 1]])
        .reduce(|a, b| [[a[0][0].min(b[0][0]), a[0][1].min(b[0][1])], [a[1][0].max(b[1][0]), a[1][1].max(b[1][1])]])
}

/// Returns a body moved by whole pixels.
fn moved(body: &Body, by: [i32; 2]) -> Body {
    Body { at: Vec2 { x: body.at.x + f64::from(by[0]), y: body.at.y + f64::from(by[1]) }, ..*body }
}

/// Returns the details of a pair moved by whole pixels.
fn seen_from(detail: &Detail, shift: [i32; 2]) -> Detail {
    let mut detail = *detail;
    if let (Some(Overlap { bounds, first, sums, .. }), Some(area)) = (&mut detail.overlap, detail.area) {
        for axis in 0..2 {
            bounds[axis] += shift[axis];
            first[axis] += shift[axis];
            sums[axis] += area as i64 * i64::from(shift[axis]);
        }
    }
    detail
}

/// Sprites with more rows than 16 bits can count. They share a pixel only in their last rows.
#[test]
fn engines_agree_on_very_high_sprites() {
    let mut world = World::default();
    for top in ["#.", ".#"] {
        let rows: Vec<_> = [top].into_iter().chain(std::iter::repeat_n("..", 8190)).chain(["#."]).collect();
        let shape = world.add_shape(Shape::sprite(Mask::from_rows(&rows).unwrap())).unwrap();
        let ten_times_as_high = Linear::new(0.0, [1.0, 10.0], Flip::default());
        world.add(&Body::new(shape, [0.0, 0.0]).posed(ten_times_as_high)).unwrap();
    }
    for mut runner in common::runners() {
        let hits = runner.answer(&world, "very high sprites");
        let areas: Vec<_> = hits.details.iter().map(|detail| detail.area).collect();
        assert_eq!(areas, [Some(10)], "{}", runner.setup);
    }
}

/// Worlds large enough for several threads, over several steps: all new, unchanged, changed in a corner, and all new
/// again.
#[test]
fn threads_agree_on_thousands_of_bodies() {
    for touch in [Touch::Excluded, Touch::Included] {
        let mut sheet = Sheet::new(touch, 4_500);
        let setups = (1..=3).flat_map(Setup::cpus);
        let setups = setups.filter(|setup| {
            matches!(
                setup,
                Setup::Cpu { broad: Broad::Sorted, .. } | Setup::Cpu { broad: Broad::AllPairs, threads: 3, .. }
            )
        });
        let mut runners: Vec<_> = setups.map(Setup::runner).collect();
        assert_eq!(runners.len(), 4 * Simd::available().len());
        for step in 0..7 {
            match step {
                0 | 1 => {}
                2 => sheet.shift(5, [1, -1]),
                3 => {
                    sheet.shift(5, [-1, 1]);
                    sheet.switch(9, false);
                }
                4 => sheet.shift(sheet.scenes.len() - 1, [0, 3]),
                5 => sheet.switch(9, true),
                _ => (0..sheet.scenes.len()).for_each(|scene| sheet.shift(scene, [-7, 1000])),
            }
            let expected = sheet.answer();
            assert!(expected.pairs.len() > 5_000, "{} pairs", expected.pairs.len());
            for runner in &mut runners {
                let hits = runner.engine.run(&sheet.world, Ask::Details).unwrap();
                assert!(hits == expected, "{touch:?}, step {step} on {}", runner.setup);
            }
        }
    }
}
