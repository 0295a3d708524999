//! A world of a workload or a scene whose bodies move from step to step.

use super::random::hash;
use crate::refused;
use hitmask::geometry::{SUBPIXELS, Vec2};
use hitmask::{Bodies, Body, BodyId, Result, Shape, ShapeId, Touch, World};

/// Maximum distance of a moved body from its home in x and in y, in units.
const REACH: u32 = 2;

/// A world, and the home of each of its bodies: the body as it was added.
///
/// ```
/// use hitmask_workbench::workloads::Workload;
///
/// let mut crowd = Workload::Boxes.crowd(1_000)?;
/// assert_eq!(crowd.step(1, 1_000)?, 1_000); // all move
/// assert_eq!(crowd.step(2, 10)?, 10); // a steady scene: one in a hundred moves
/// # Ok::<(), hitmask::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Crowd {
    world: World,
    homes: Vec<Body>,
    /// A number of lattice steps; bodies are moved by multiples of it.
    grid: u32,
    /// Whether bodies also move within the step.
    moving: bool,
}

impl Crowd {
    /// Creates a crowd from the bodies of a world; they are moved by whole units.
    #[must_use]
    pub fn of(world: World) -> Self {
        let homes = world.ids().filter_map(|id| world.body(id)).collect();
        Self { world, homes, grid: SUBPIXELS as u32, moving: false }
    }

    /// Creates a crowd without bodies. They are moved by whole units if `whole`, else by any number of lattice steps.
    pub(crate) fn new(touch: Touch, whole: bool) -> Self {
        let grid = if whole { SUBPIXELS as u32 } else { 1 };
        Self { world: World::new(touch), homes: Vec::new(), grid, moving: false }
    }

    /// Makes the bodies also move within each step, by any number of lattice steps: a body that is placed moves to
    /// where [`Crowd::moved`] has it in the next step.
    #[must_use]
    pub fn moving(self) -> Self {
        Self { grid: 1, moving: true, ..self }
    }

    pub(crate) fn add_shape(&mut self, shape: Shape) -> Result<ShapeId> {
        self.world.add_shape(shape)
    }

    pub(crate) fn add(&mut self, body: Body) -> Result<()> {
        self.world.add(&body)?;
        self.homes.push(body);
        Ok(())
    }

    /// Adds a box by its sides and its top-left corner, in lattice steps.
    pub(super) fn add_box(&mut self, sides: [i32; 2], at: [i32; 2]) -> Result<()> {
        let [w, h] = sides.map(units);
        let shape = self.add_shape(Shape::rect(w, h)?)?;
        self.add(Body::new(shape, at.map(units)))
    }

    /// Returns the world in its current state.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Returns the world, without the homes.
    #[must_use]
    pub fn into_world(self) -> World {
        self.world
    }

    /// Returns the bodies in order of index, each at its home.
    #[must_use]
    pub fn homes(&self) -> &[Body] {
        &self.homes
    }

    /// Returns a body in a step in which it moves: in step 0 at its home, in others up to 2 units from it in x and in
    /// y. The result depends only on the body and the step. In odd steps the body lies right of its home, in even ones
    /// left, so that it changes its place from step to step.
    #[must_use]
    pub fn moved(&self, body: usize, step: u32) -> Body {
        let home = self.homes[body];
        if step == 0 {
            return home;
        }
        let draw = hash(step, body as u32);
        let below = |bits: u64, n: u32| (((bits & 0xFFFF_FFFF) * u64::from(n)) >> 32) as i32;
        // In multiples of the grid.
        let reach = REACH * SUBPIXELS as u32 / self.grid;
        let aside = 1 + below(draw >> 32, reach);
        let dx = if step % 2 == 1 { aside } else { -aside };
        let dy = below(draw, 2 * reach + 1) - reach as i32;
        let [dx, dy] = [dx, dy].map(|v| units(v * self.grid as i32));
        Body { at: Vec2 { x: home.at.x + dx, y: home.at.y + dy }, ..home }
    }

    /// Returns whether a body is among those that move if `permille` thousandths of them do.
    #[must_use]
    pub fn moves(body: usize, permille: u32) -> bool {
        body as u64 * u64::from(permille) % 1000 < u64::from(permille)
    }

    /// Moves `permille` thousandths of the bodies, evenly spread by index and the same in each step, to where
    /// [`Crowd::moved`] has them in this step. The others stay where they are. Returns the number of moved bodies.
    ///
    /// Returns an [`Error::Value`](hitmask::Error::Value), and moves no body, for a `permille` above 1000 or a body
    /// that would leave the world.
    pub fn step(&mut self, step: u32, permille: u32) -> Result<u32> {
        let placement = self.placement(step, permille)?;
        self.place(&placement)?;
        Ok(placement.at.len() as u32)
    }

    /// Returns the positions of the bodies that [`Crowd::step`] moves, as a game would hold them, to benchmark placing
    /// them.
    ///
    /// Returns an [`Error::Value`](hitmask::Error::Value) for a `permille` above 1000.
    pub fn placement(&self, step: u32, permille: u32) -> Result<Placement> {
        if permille > 1000 {
            return Err(refused("permille", permille, "be at most 1000"));
        }
        let moving = self.world.ids().enumerate().filter(|(body, _)| Self::moves(*body, permille));
        let (ids, at) = moving.map(|(body, id)| (id, self.moved(body, step).at)).unzip();
        let mut placement = Placement { ids, at, motion: Vec::new() };
        if self.moving {
            let moving = (0..self.homes.len()).filter(|&body| Self::moves(body, permille));
            let to = moving.map(|body| self.moved(body, step + 1).at);
            let by = to.zip(&placement.at).map(|(to, from)| Vec2 { x: to.x - from.x, y: to.y - from.y });
            placement.motion = by.collect();
        }
        Ok(placement)
    }

    /// Moves bodies to the positions of a placement.
    ///
    /// Returns an [`Error::Value`](hitmask::Error::Value), and moves no body, if one would leave the world.
    pub fn place(&mut self, Placement { ids, at, motion }: &Placement) -> Result<()> {
        let bodies = if at.len() == self.homes.len() { Bodies::All } else { Bodies::These(ids) };
        if self.moving { self.world.set_moving(bodies, at, motion) } else { self.world.set_positions(bodies, at) }
    }
}

/// Positions of bodies, and their motions if they move within the step, in units.
#[derive(Clone, Debug)]
pub struct Placement {
    ids: Vec<BodyId>,
    at: Vec<Vec2>,
    motion: Vec<Vec2>,
}

fn units(steps: i32) -> f64 {
    f64::from(steps) / f64::from(SUBPIXELS)
}

#[cfg(test)]
mod tests {
    use hitmask::{Body, Linear, World};

    use super::super::Workload;

    fn bodies(world: &World) -> Vec<Body> {
        world.ids().filter_map(|id| world.body(id)).collect()
    }

    /// Returns the bodies, with their shapes by index, as handles differ between worlds.
    fn told(world: &World) -> Vec<(u32, [f64; 2], Linear)> {
        bodies(world).into_iter().map(|body| (body.shape.index(), [body.at.x, body.at.y], body.linear)).collect()
    }

    #[test]
    fn a_step_is_the_same_whatever_came_before() {
        for workload in Workload::ALL {
            let (mut a, mut b) = (workload.crowd(500).unwrap(), workload.crowd(500).unwrap());
            assert_eq!(told(a.world()), told(b.world()));
            for step in [1, 7, 2] {
                a.step(step, 1000).unwrap();
            }
            b.step(2, 1000).unwrap();
            assert_eq!(told(a.world()), told(b.world()), "{workload}");
            a.step(0, 1000).unwrap();
            assert_eq!(told(a.world()), told(&workload.world(500).unwrap()), "{workload}");
        }
    }

    #[test]
    fn all_who_move_change_their_place_and_stay_near() {
        for workload in Workload::ALL {
            let mut crowd = workload.crowd(1_000).unwrap();
            let homes = bodies(crowd.world());
            crowd.step(1, 1000).unwrap();
            let odd = bodies(crowd.world());
            crowd.step(2, 1000).unwrap();
            let even = bodies(crowd.world());
            for ((home, odd), even) in homes.iter().zip(&odd).zip(&even) {
                assert!(home.at != odd.at && odd.at != even.at && home.at != even.at);
                for moved in [odd, even] {
                    let by = [moved.at.x - home.at.x, moved.at.y - home.at.y];
                    assert!(by.iter().all(|v| v.abs() <= 2.0));
                    if crowd.grid > 1 {
                        assert!(by.iter().all(|v| v.fract() == 0.0), "{workload}");
                    }
                    assert_eq!((moved.shape, moved.linear, moved.mask), (home.shape, home.linear, home.mask));
                }
            }
        }
    }

    #[test]
    fn bodies_that_move_within_a_step_end_where_the_next_has_them() {
        for workload in Workload::ALL {
            let mut crowd = workload.crowd(1_000).unwrap().moving();
            crowd.step(1, 500).unwrap();
            for (index, body) in bodies(crowd.world()).iter().enumerate() {
                let next = if super::Crowd::moves(index, 500) { crowd.moved(index, 2).at } else { body.at };
                assert_eq!([body.at.x + body.motion.x, body.at.y + body.motion.y], [next.x, next.y], "{workload}");
            }
        }
    }

    #[test]
    fn so_many_thousandths_move() {
        let mut crowd = Workload::Boxes.crowd(3_000).unwrap();
        for (permille, moves) in [(0, 0), (1, 3), (10, 30), (333, 999), (999, 2_997), (1000, 3_000)] {
            let mut crowd = crowd.clone();
            let before = bodies(crowd.world());
            assert_eq!(crowd.step(1, permille).unwrap(), moves);
            let after = bodies(crowd.world());
            assert_eq!(before.iter().zip(&after).filter(|(a, b)| a != b).count(), moves as usize);
        }
        let message = crowd.step(1, 1001).unwrap_err().to_string();
        assert_eq!(message, "`permille` is 1001; it must be at most 1000");
    }
}
