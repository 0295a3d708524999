//! Any sequence of edits of a world: bodies are added, removed, moved, changed and switched, alone and in bulk, shapes
//! are replaced and masks edited. After each step an engine and an index that keep data between steps answer like fresh
//! ones. At the end they answer for some of the bodies like the reference; for all of them, or after each step, that
//! would take far longer.

use std::cell::RefCell;

use hitmask::cpu::{Broad, Engine, Options};
use hitmask::query::{Queries, RegionQuery};
use hitmask::{Ask, Bodies, BodyId, ShapeId, Touch, World};

use crate::bytes::Bytes;
use crate::few::{compare, some_of};

/// Maximum number of bodies: enough that a step in which one changes is steady.
const BODIES: usize = 64;
/// Maximum number of steps of a run.
const STEPS: usize = 12;
/// The levels of detail to pick from: details rarely, as they take as long as everything else.
const ASKED: [Ask; 4] = [Ask::Flags, Ask::Pairs, Ask::Pairs, Ask::Details];

thread_local! {
    static ENGINE: RefCell<Engine> = RefCell::new(engine());
}

fn engine() -> Engine {
    Engine::with(&Options::default().threads(1).broad(Broad::Sorted)).expect("an engine")
}

struct Life<'a> {
    bytes: Bytes<'a>,
    world: World,
    shapes: Vec<ShapeId>,
    gone: Vec<BodyId>,
}

impl Life<'_> {
    fn some(&mut self) -> Option<BodyId> {
        let count = self.world.len();
        let at = self.bytes.below(count.clamp(1, 256));
        self.world.ids().nth(at)
    }

    /// Performs one edit. Refused edits must change nothing, which the comparison checks.
    fn edit(&mut self) {
        match self.bytes.byte() % 16 {
            0..=4 if self.world.len() < BODIES => {
                let body = self.bytes.body(&self.shapes);
                let _ = self.world.add(&body);
            }
            5 => {
                if let Some(id) = self.some() {
                    self.world.remove(id).expect("it is there");
                    self.gone.push(id);
                }
            }
            6..=8 => {
                let body = self.bytes.body(&self.shapes);
                if let Some(id) = self.some() {
                    let _ = self.world.set(id, &body);
                }
            }
            9 => {
                let on = self.bytes.byte().is_multiple_of(2);
                if let Some(id) = self.some() {
                    self.world.set_enabled(id, on).expect("it is there");
                }
            }
            10 => {
                let shape = self.bytes.pick(&self.shapes);
                if let Some(id) = self.some() {
                    let _ = self.world.set_shape(id, shape);
                }
            }
            11 => {
                let ids: Vec<BodyId> = (0..self.bytes.below(8)).filter_map(|_| self.some()).collect();
                let at: Vec<[f64; 2]> = ids.iter().map(|_| self.bytes.point()).collect();
                let _ = self.world.set_positions(Bodies::These(&ids), &at);
            }
            12 => {
                let shape = self.bytes.pick(&self.shapes);
                if let Some(to) = self.bytes.shape() {
                    let _ = self.world.replace_shape(shape, to);
                }
            }
            13 => {
                let (shape, stamp) = (self.bytes.pick(&self.shapes), self.bytes.mask());
                let at = [self.bytes.byte(), self.bytes.byte()].map(|v| i32::from(v as i8));
                let erase = self.bytes.byte().is_multiple_of(2);
                let _ = self.world.edit_mask(
                    shape,
                    |mask| {
                        if erase { mask.erase(&stamp, at) } else { mask.draw(&stamp, at) }
                    },
                );
            }
            14 => drop(self.world.advance()),
            _ => {
                let body = self.bytes.body(&self.shapes);
                for id in &self.gone {
                    assert!(self.world.body(*id).is_none() && self.world.set(*id, &body).is_err());
                }
            }
        }
    }
}

/// Returns the bodies near the origin.
fn within(queries: &mut Queries, world: &World) -> Vec<BodyId> {
    let mut found = Vec::new();
    queries.on(world).all(&RegionQuery::new([-40, -40], [30, 50]), &mut found).expect("a region");
    found
}

/// Checks one input.
pub fn check(bytes: &[u8]) {
    let (len, mut bytes) = (bytes.len(), Bytes(bytes));
    let mut world = World::new(if bytes.byte() % 2 == 0 { Touch::Excluded } else { Touch::Included });
    let shapes = bytes.shapes(&mut world);
    for _ in 0..bytes.below(BODIES) {
        let _ = world.add(&bytes.body(&shapes));
    }
    let mut life = Life { bytes, world, shapes, gone: Vec::new() };
    let (mut queries, mut steps) = (Queries::new(), 0);
    while !life.bytes.is_empty() && steps < STEPS {
        for _ in 0..=life.bytes.below(4) {
            life.edit();
        }
        steps += 1;
        let (ask, world) = (life.bytes.pick(&ASKED), &life.world);
        let found = ENGINE.with_borrow_mut(|engine| engine.run(world, ask)).expect("an answer");
        assert_eq!(found, engine().run(world, ask).expect("an answer"), "step {steps}");
        assert_eq!(within(&mut queries, world), within(&mut Queries::new(), world), "step {steps}");
    }
    let world = &life.world;
    let found = ENGINE.with_borrow_mut(|engine| engine.run(world, Ask::Details)).expect("an answer");
    let (near, few) = (within(&mut queries, world), some_of(world, len));
    compare(&found, &few);
    let near: Vec<BodyId> = near.into_iter().filter(|&id| few.body(id).is_some()).collect();
    assert_eq!(near, within(&mut Queries::reference(), &few));
}
