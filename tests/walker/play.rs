//! A character in a world, step by step.

use hitmask::geometry::Vec2;
use hitmask::query::{Queries, Search};
use hitmask::response::{Surface, Walk, Walker};
use hitmask::{Body, BodyId, Mask, Shape, Touch, World};

/// The gain of a fall per step, in units.
pub(crate) const GRAVITY: f64 = 0.25;
/// The tags of bodies that are not solid.
pub(crate) const PLANK: u64 = 1;
pub(crate) const OPEN: u64 = 2;

/// A character with its world.
pub(crate) struct Play {
    pub(crate) world: World,
    pub(crate) queries: Queries,
    pub(crate) id: BodyId,
    pub(crate) walker: Walker,
    pub(crate) fall: f64,
    /// Whether the character drops through planks.
    pub(crate) drops: bool,
}

/// Returns the characters of the tests, anchored at their feet.
pub(crate) fn players() -> [(&'static str, Shape); 4] {
    let hero = [".###.", "#####", "#####", ".###.", ".###.", ".#.#.", "##.##"];
    let hexagon = [[-2, 0], [2, 0], [4, -4], [2, -8], [-2, -8], [-4, -4]];
    [
        ("a sprite", Shape::sprite(Mask::from_rows(&hero).unwrap()).anchored([2.5, 7.0]).unwrap()),
        ("a box", Shape::rect(8.0, 12.0).unwrap().anchored([4.0, 12.0]).unwrap()),
        ("a capsule", Shape::capsule([0.0, -3.5], [0.0, -8.5], 3.5).unwrap()),
        ("a hexagon", Shape::polygon(&hexagon).unwrap()),
    ]
}

impl Play {
    pub(crate) fn new(touch: Touch, player: &Shape, at: impl Into<Vec2>, walker: Walker) -> Self {
        let mut world = World::new(touch);
        let shape = world.add_shape(player.clone()).unwrap();
        let id = world.add(&Body::new(shape, at)).unwrap();
        Self { world, queries: Queries::new(), id, walker, fall: 0.0, drops: false }
    }

    /// Adds a body.
    pub(crate) fn add(&mut self, shape: &Shape, body: impl Fn(Body) -> Body) -> BodyId {
        let shape = self.world.add_shape(shape.clone()).unwrap();
        self.world.add(&body(Body::new(shape, [0, 0]))).unwrap()
    }

    pub(crate) fn at(&self) -> Vec2 {
        self.body(self.id).at
    }

    pub(crate) fn body(&self, id: BodyId) -> Body {
        self.world.body(id).unwrap()
    }

    pub(crate) fn put(&mut self, id: BodyId, at: impl Into<Vec2>) {
        let body = self.body(id);
        self.world.set(id, &Body { at: at.into(), ..body }).unwrap();
    }

    /// Runs one step with gravity. Asserts that the character ends in nothing solid, unless it is stuck, which only
    /// one that started inside something is.
    pub(crate) fn step(&mut self, run: f64) -> Walk {
        let walk = self.go(run, self.fall + GRAVITY);
        assert!(!walk.stuck || walk.started_inside.is_some(), "{walk:?}");
        assert!(walk.stuck || self.is_free(), "at {:?} it is inside", walk.at);
        walk
    }

    /// Runs one step with the given run and fall.
    pub(crate) fn go(&mut self, run: f64, fall: f64) -> Walk {
        let (world, drops) = (&self.world, self.drops);
        let own = [self.id];
        let search: Search<'_> = self.queries.on(world).except(&own).unwrap();
        let surface = |id: BodyId| match world.body(id).map(|body| body.tag) {
            Some(PLANK) if !drops => Surface::OneWay,
            Some(PLANK | OPEN) => Surface::Open,
            _ => Surface::Solid,
        };
        let walk = self.walker.step(search, &world.body(self.id).unwrap(), run, fall, surface).unwrap();
        self.fall = walk.fall;
        self.put(self.id, walk.at);
        walk
    }

    /// Returns whether the character overlaps nothing solid. Bodies that it only touches do not count, under either
    /// touch rule.
    pub(crate) fn is_free(&mut self) -> bool {
        let (own, mut hits) = ([self.id], Vec::new());
        let hero = self.body(self.id);
        self.queries.on(&self.world).except(&own).unwrap().all(&hero, &mut hits).unwrap();
        hits.iter().map(|hit| self.body(hit.body)).all(|other| {
            [PLANK, OPEN].contains(&other.tag) || {
                let mut apart = World::new(Touch::Excluded);
                let [hero, other] = [hero, other].map(|body| {
                    let shape = apart.add_shape(self.world.shape(body.shape).unwrap().clone()).unwrap();
                    Body { shape, ..body }
                });
                apart.add(&other).unwrap();
                Queries::new().on(&apart).first(&hero).unwrap().is_none()
            }
        })
    }

    /// Falls until it stands on something.
    pub(crate) fn rest(&mut self) -> Walk {
        for _ in 0..400 {
            let walk = self.step(0.0);
            if walk.ground.is_some() {
                return walk;
            }
        }
        panic!("it does not come to stand: at {:?}", self.at());
    }
}
