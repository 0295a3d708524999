//! Worlds on the GPU over many steps. Frames keep earlier uploads and are brought up to date: after any edits,
//! alternating with other worlds, with steps in flight, dropped, refused or failed.

use std::time::Duration;

use hitmask::cpu::Broad;
use hitmask::gpu::{Engine, Options, Ticket};
use hitmask::{Ask, Bodies, Body, BodyId, Hits, Linear, Mask, Shape, ShapeId, Touch, World, cpu, wgpu};
use hitmask_workbench::workloads::{SplitMix64, Workload, blob};

use crate::bodies::{body, shapes};
use crate::common::gpu_engine;

/// Returns the answer of an engine that has seen nothing before.
fn fresh(world: &World, ask: Ask) -> Hits {
    let options = cpu::Options::default().broad(Broad::AllPairs);
    cpu::Engine::with(&options).unwrap().run(world, ask).unwrap()
}

fn ngon(vertices: u32, radius: f64) -> Shape {
    let angles = (0..vertices).map(|k| f64::from(k) * std::f64::consts::TAU / f64::from(vertices));
    Shape::polygon(&angles.map(|angle| [radius * angle.cos(), radius * angle.sin()]).collect::<Vec<_>>()).unwrap()
}

/// A world, with the shapes and random numbers for its bodies.
struct Going {
    world: World,
    shapes: Vec<ShapeId>,
    random: SplitMix64,
}

impl Going {
    fn new(seed: u64, bodies: u32) -> Self {
        let (mut world, mut random) = (World::new(Touch::Excluded), SplitMix64(seed));
        let shapes = shapes(&mut world, &mut random);
        let mut going = Self { world, shapes, random };
        for _ in 0..bodies {
            going.add();
        }
        going
    }

    fn add(&mut self) {
        let body = body(&mut self.random, &self.shapes, 150);
        self.world.add(&body).unwrap();
    }

    fn set(&mut self) {
        let index = self.random.below(self.world.indices() as u32);
        // Some are removed.
        if let Some(id) = self.world.id(index) {
            self.world.set(id, &body(&mut self.random, &self.shapes, 150)).unwrap();
        }
    }

    /// Moves all bodies or some, sometimes with motions.
    fn place(&mut self) {
        let all: Vec<BodyId> = self.world.ids().collect();
        let every = self.random.below(3) + 1;
        let some: Vec<BodyId> = all.iter().copied().filter(|_| self.random.below(every) == 0).collect();
        let (bodies, count) = match self.random.below(2) {
            0 => (Bodies::All, self.world.indices()),
            _ => (Bodies::These(&some), some.len()),
        };
        let drawn: Vec<[[f64; 2]; 2]> = (0..count)
            .map(|_| {
                let at = body(&mut self.random, &self.shapes, 150).at;
                let motion = [0, 1].map(|_| f64::from(self.random.below(3)) * 7.25 - 7.25);
                [[at.x, at.y], motion]
            })
            .collect();
        let at: Vec<[f64; 2]> = drawn.iter().map(|[at, _]| *at).collect();
        let motions: Vec<[f64; 2]> = drawn.iter().map(|[_, motion]| *motion).collect();
        match self.random.below(3) {
            0 => self.world.set_moving(bodies, &at, &motions).unwrap(),
            1 => self.world.set_positions(bodies, &at).unwrap(),
            // If some would leave the world, far away and fast, none moves.
            _ => drop(self.world.advance()),
        }
    }

    /// Changes a body beyond its placement: switches it off or on, removes and adds it, or changes its shape or its
    /// shape's outline within the same bounds.
    fn alter(&mut self) {
        let all: Vec<BodyId> = self.world.ids().collect();
        let id = all[self.random.below(all.len() as u32) as usize];
        let now = self.world.body(id).unwrap();
        match self.random.below(5) {
            0 => self.world.set_enabled(id, !now.enabled).unwrap(),
            1 => {
                self.world.remove(id).unwrap();
                self.add();
            }
            2 => drop(self.world.remove(id)),
            3 => drop(self.world.set_shape(id, self.shapes[self.random.below(9) as usize])),
            _ => {
                // A box, and one with a corner cut off.
                let outlines: [&[[f64; 2]]; 2] = [
                    &[[0.0, 0.0], [8.0, 0.0], [8.0, 6.0], [0.0, 6.0]],
                    &[[0.0, 0.0], [8.0, 0.0], [8.0, 4.0], [6.0, 6.0], [0.0, 6.0]],
                ];
                let outline = outlines[self.random.below(2) as usize];
                self.world.replace_shape(self.shapes[0], Shape::polygon(outline).unwrap()).unwrap();
            }
        }
    }

    /// Changes the world. Mostly few bodies change; sometimes none, all, or there are more bodies or more shapes than
    /// before, or bodies only move.
    fn edit(&mut self) {
        if self.random.below(2) == 0 {
            self.place();
            for _ in 0..self.random.below(3) {
                self.alter();
            }
            return;
        }
        let all = self.world.indices() as u32;
        let changes = match self.random.below(10) {
            0 => 0,
            1 => all,
            2 => {
                self.add();
                1
            }
            3 => {
                let side = 10 + self.random.below(80);
                let mask = Shape::sprite(blob(&mut self.random, side, 600).unwrap());
                for shape in [mask, ngon(12, 9.0)] {
                    self.shapes.push(self.world.add_shape(shape).unwrap());
                }
                self.random.below(9)
            }
            _ => 1 + self.random.below(all / 6),
        };
        for _ in 0..changes {
            self.set();
        }
    }
}

#[test]
fn any_edits_reach_all_frames() {
    for (frames, broad) in [(1, Broad::AllPairs), (2, Broad::Sorted), (3, Broad::Auto)] {
        let mut gpu = gpu_engine(&Options::default().frames(frames).broad(broad));
        let mut going = Going::new(u64::from(frames), 70);
        let mut flying: Vec<(Ticket, Hits)> = Vec::new();
        let mut pairs = 0;
        for step in 0..40 {
            going.edit();
            let ask = [Ask::Flags, Ask::Pairs, Ask::Details][going.random.below(3) as usize];
            let what = format!("step {step}, {ask:?}, {frames} frames");
            if flying.len() as u32 == frames {
                // Refused, without harm to any frame.
                gpu.submit(&going.world, ask).unwrap_err();
                let (mut ticket, expected) = flying.remove(going.random.below(frames) as usize);
                if going.random.below(4) > 0 {
                    assert!(ticket.wait(Duration::MAX).unwrap() == Some(expected), "before {what}");
                }
            }
            // Sometimes runs a copy, or another world.
            let other = match going.random.below(8) {
                0 => Some(going.world.clone()),
                1 => Some(Workload::Turned.world(30 + step).unwrap()),
                2 => Some(Workload::Boxes.world(step % 3).unwrap()),
                _ => None,
            };
            let world = other.as_ref().unwrap_or(&going.world);
            let expected = fresh(world, ask);
            pairs += expected.pairs.len();
            flying.push((gpu.submit(world, ask).unwrap(), expected));
        }
        for (mut ticket, expected) in flying {
            assert!(ticket.wait(Duration::MAX).unwrap() == Some(expected), "the last, {frames} frames");
        }
        assert!(pairs > 1_000, "{pairs} pairs are too few to tell anything");
    }
}

/// Rotating sprites need more and more room, until all are placed anew and stay unrotated for a while.
#[test]
fn what_turns_grows_out_of_its_place() {
    let mut gpu = gpu_engine(&Options::default());
    let mut world = World::default();
    let mut random = SplitMix64(3);
    let shape =
        world.add_shape(Shape::sprite(blob(&mut random, 40, 700).unwrap()).anchored([20.0; 2]).unwrap()).unwrap();
    let turned = |k: u32, step: u32| {
        let at = [f64::from(k % 16) * 33.0, f64::from(k / 16) * 33.0];
        let size = 0.5 + f64::from((k * step) % 29) / 9.0;
        let turn = if (k + step).is_multiple_of(5) { 0.0 } else { f64::from((7 * k * step) % 90) };
        Body::new(shape, at).posed(Linear::new(
            turn,
            [if turn > 0.0 { size } else { 1.0 }; 2],
            hitmask::geometry::Flip::default(),
        ))
    };
    for k in 0..64 {
        world.add(&turned(k, 0)).unwrap();
    }
    for step in 1..30 {
        for k in (0..64).filter(|k| (k + step) % 7 == 0) {
            world.set(world.id(k).unwrap(), &turned(k, step)).unwrap();
        }
        assert!(gpu.run(&world, Ask::Pairs).unwrap() == fresh(&world, Ask::Pairs), "step {step}");
    }
}

/// The first sprite to be painted gets the place of a polygon of many vertices.
#[test]
fn a_sprite_has_the_place_of_a_polygon() {
    let mut gpu = gpu_engine(&Options::default().frames(1));
    let mut world = World::default();
    let polygon = world.add_shape(ngon(100, 20.0)).unwrap();
    let dot = world.add_shape(Shape::sprite(Mask::from_rows(&["#####"; 5]).unwrap())).unwrap();
    for k in 0..40 {
        world.add(&Body::new(polygon, [f64::from(k) * 30.0, 0.0])).unwrap();
    }
    for k in 0..8 {
        assert!(gpu.run(&world, Ask::Details).unwrap() == fresh(&world, Ask::Details), "{k} sprites");
        world
            .set(
                world.id(k).unwrap(),
                &Body::new(dot, [f64::from(k) * 30.0 + 15.0, 0.0]).posed(Linear::from_degrees(20.0)),
            )
            .unwrap();
    }
}

/// A world that is too large fails, and its frame serves the next one.
#[test]
fn a_frame_of_a_failed_step_holds_nothing() {
    let small = wgpu::Limits { max_storage_buffer_binding_size: 1 << 16, ..wgpu::Limits::default() };
    let mut gpu = Engine::with(&Options::default().limits(small).frames(1)).unwrap();
    let mut going = Going::new(9, 60);
    for step in 0..6 {
        going.edit();
        let large = if step % 2 == 0 {
            Workload::Circles.world(1_000 + step)
        } else {
            // Few enough bodies, but with more vertices than there is room for.
            let mut world = World::default();
            let shape = world.add_shape(ngon(100, 50.0)).unwrap();
            (0..100).try_for_each(|k| world.add(&Body::new(shape, [f64::from(k); 2])).map(drop)).map(|()| world)
        };
        let error = gpu.run(&large.unwrap(), Ask::Pairs).unwrap_err().to_string();
        assert!(error.contains("max_storage_buffer_binding_size"), "{error}");
        assert!(gpu.run(&going.world, Ask::Pairs).unwrap() == fresh(&going.world, Ask::Pairs), "step {step}");
    }
}

/// All bodies rotate in each step, so all are uploaded each time, on a device with barely enough room.
#[test]
fn all_that_turns_goes_up_again() {
    let limits =
        wgpu::Limits { max_buffer_size: 1 << 16, max_storage_buffer_binding_size: 1 << 16, ..wgpu::Limits::default() };
    let mut gpu = Engine::with(&Options::default().limits(limits).frames(1)).unwrap();
    let mut world = World::default();
    let tile = world.add_shape(Shape::rect(9.0, 3.0).unwrap()).unwrap();
    let at = |k: u32| [f64::from(k % 40) * 10.0, f64::from(k / 40) * 10.0];
    for k in 0..800 {
        world.add(&Body::new(tile, at(k))).unwrap();
    }
    for step in 0..5 {
        for k in 0..800 {
            let turned = Linear::from_degrees(f64::from((k + 7) * step % 360));
            world.set(world.id(k).unwrap(), &Body::new(tile, at(k)).posed(turned)).unwrap();
        }
        assert!(gpu.run(&world, Ask::Pairs).unwrap() == fresh(&world, Ask::Pairs), "step {step}");
    }
}
