//! A case: a ground, a body that moves, and where it starts.

use hitmask::query::Queries;
use hitmask::scene::{BodySpec, QuerySpec, Scene, SceneQuery};
use hitmask::{Body, Touch, World};
use hitmask_workbench::workloads::SplitMix64;

use super::draw::Draw;
use super::ground::{GROUNDS, Ground, Laid};
use super::mover::{MOVERS, Mover};

/// A ground and a body that moves on it. The body is the only query of the scene.
#[derive(Clone)]
pub(super) struct Case {
    pub(super) seed: u64,
    pub(super) ground: Ground,
    pub(super) mover: Mover,
    pub(super) scene: Scene,
}

/// The number of starting places that are tried.
const TRIES: u32 = 60;
/// The largest number of steps that the mover walks before the case begins.
const WALK: u32 = 24;

impl Case {
    /// Returns the case of a seed, always the same.
    pub(super) fn random(seed: u64) -> Self {
        let mut draw = Draw(SplitMix64(seed));
        let (ground, mover) = (draw.pick(&GROUNDS), draw.pick(&MOVERS));
        let touch = draw.pick(&[Touch::Excluded, Touch::Excluded, Touch::Included]);
        let body = BodySpec { pose: mover.pose(&mut draw), ..BodySpec::new("mover", [0.0; 2]) };
        let shape = ("mover".to_owned(), mover.shape(&mut draw));
        // The mover alone, to measure its width.
        let alone = Scene::new(Touch::Excluded, vec![shape.clone()], vec![body.clone()]).world().unwrap();
        let reach = alone.ids().next().and_then(|id| alone.bounds(id)).unwrap();
        let Laid { mut shapes, bodies } = ground.lay(&mut draw, f64::from(reach.max.x - reach.min.x) / 256.0);
        shapes.push(shape);
        let mut scene = Scene::new(touch, shapes, bodies);
        scene.queries = vec![QuerySpec::Body(body)];
        let mut case = Self { seed, ground, mover, scene };
        case.start(&mut draw);
        case
    }

    /// Returns the world of the ground's bodies, and the mover.
    pub(super) fn world(&self) -> (World, Body) {
        self.world_of(self.scene.touch)
    }

    /// Returns the world and the mover with the given touch rule.
    pub(super) fn world_of(&self, touch: Touch) -> (World, Body) {
        let mut scene = self.scene.clone();
        scene.touch = touch;
        let world = scene.world().unwrap();
        let SceneQuery::Body(body) = scene.prepare_queries(&world).unwrap()[0] else {
            unreachable!("the mover is a body")
        };
        (world, body)
    }

    /// Chooses the mover's start, mostly in touch with something, and its motion.
    fn start(&mut self, draw: &mut Draw) {
        let (world, body) = self.world_of(Touch::Excluded);
        let mut queries = Queries::new();
        let mut at = [100.0, -200.0];
        for _ in 0..TRIES {
            let tried = [draw.round(20.0, 180.0), draw.round(30.0, 150.0)];
            if queries.on(&world).is_free(&Body { at: tried.into(), ..body }).unwrap() {
                at = tried;
                break;
            }
        }
        let mut sweep = |at: [f64; 2], way: [f64; 2]| {
            let sweep = queries.on(&world).sweep(&Body { at: at.into(), ..body }.moving(way), |_| true).unwrap();
            if sweep.stop.is_some() { sweep.at.into() } else { at }
        };
        // The mover came from the direction opposite to its motion.
        let mut into = [0.0, 300.0];
        match draw.below(8) {
            0 => {}
            1..5 => at = sweep(at, into),
            5 | 6 => {
                into = way(draw, 300.0);
                at = sweep(at, into);
            }
            // Into a corner.
            _ => {
                into = way(draw, 300.0);
                at = sweep(at, into);
                into = [-into[1], into[0]];
                at = sweep(at, into);
            }
        }
        // Like a player that walks and falls, perhaps until it stands in front of something.
        let walk = [draw.sign() * draw.real(0.5, 6.0), draw.pick(&[0.0, 0.0, 0.25, 2.0])];
        for _ in 0..draw.below(2) * draw.below(WALK) {
            let body = Body { at: at.into(), ..body }.moving(walk);
            at = queries.on(&world).slide(&body, |_| true).unwrap().at.into();
        }
        let mut motion = if draw.once_in(3) { walk } else { motion(draw) };
        if motion[0] * into[0] + motion[1] * into[1] < 0.0 && !draw.once_in(4) {
            motion = motion.map(|v| -v);
        }
        if self.scene.touch == Touch::Included && draw.once_in(2) {
            // It no longer touches what it stood on.
            at = [0, 1].map(|axis| at[axis] - f64::from(draw.below(3)) * into[axis].signum() / 256.0);
        }
        let QuerySpec::Body(spec) = &mut self.scene.queries[0] else { unreachable!("the mover is a body") };
        (spec.at, spec.motion) = (at, motion);
    }
}

/// Returns a motion of 0.3 to 40 units.
fn motion(draw: &mut Draw) -> [f64; 2] {
    let far = 0.3 * (40.0_f64 / 0.3).powf(draw.real(0.0, 1.0));
    let [x, y] = match draw.below(10) {
        0..4 => way(draw, 1.0),
        4..6 => [draw.sign(), 0.0],
        6 => [0.0, draw.sign()],
        // Walking and falling.
        _ => [draw.sign(), draw.pick(&[0.02, 0.1, 0.3, 1.0])],
    };
    let grid = draw.pick(&[4.0, 256.0]);
    let motion = [x * far, y * far].map(|v| (v * grid).round() / grid);
    if motion == [0.0; 2] { [far, 0.0].map(|v| (v * 256.0).round() / 256.0) } else { motion }
}

/// Returns a vector of length `far` in any direction.
fn way(draw: &mut Draw, far: f64) -> [f64; 2] {
    let (sin, cos) = draw.real(0.0, 360.0).to_radians().sin_cos();
    [cos * far, sin * far]
}
