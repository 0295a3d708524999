//! A peer: its world, its engines, what it has saved, and the tickets that it has not taken yet.

use std::collections::BTreeMap;
use std::time::Duration;

use hitmask::cpu::{Broad, Simd};
use hitmask::gpu::{self, Options, Ticket};
use hitmask::{BodyId, Engine, Error, Hits, Save, World};

use crate::common::Setup;
use crate::driver::{Fault, Faults};
use crate::game::{Event, Happened};
use crate::life::{Life, Lived, ask};

/// The most steps in flight on a GPU: those that are taken late, and two more.
const FRAMES: u32 = 4;
/// The most answers that are taken late.
const LATE: usize = 2;
/// How long to wait for an answer that does not come.
const SOON: Duration = Duration::from_millis(10);

/// The engines of a peer, which keep what they know from game to game.
pub(crate) struct Rig([Engine; 3]);

/// The world before a step.
struct Saved {
    bytes: Vec<u8>,
    bodies: BTreeMap<String, BodyId>,
}

/// An answer that is taken later.
struct Late {
    due: usize,
    ticket: Ticket,
    expected: Hits,
}

pub(crate) struct Peer<'a> {
    pub(crate) lived: Lived,
    rig: &'a mut Rig,
    /// The number of the engine that it uses.
    current: usize,
    /// For each step, the world before it, and its answer.
    saved: Vec<Saved>,
    answers: Vec<Hits>,
    late: Vec<Late>,
}

impl Rig {
    /// Opens the engines of two peers.
    pub(crate) fn both() -> [Self; 2] {
        let sorted = Setup::Cpu { simd: Simd::best(), broad: Broad::Sorted, threads: 2 };
        [(); 2].map(|()| {
            let gpu = gpu::Engine::with(&Options::default().frames(FRAMES));
            let gpu = Engine::Gpu(Box::new(gpu.expect("a GPU; `./test --setup` installs one in software")));
            Self([gpu, Setup::threads(1).runner().engine, sorted.runner().engine])
        })
    }
}

impl<'a> Peer<'a> {
    /// Begins a life with one of the rig's engines.
    pub(crate) fn new(life: &Life, rig: &'a mut Rig, current: usize) -> Self {
        Self { lived: Lived::new(life), rig, current, saved: Vec::new(), answers: Vec::new(), late: Vec::new() }
    }

    fn engine(&mut self) -> &mut Engine {
        &mut self.rig.0[self.current]
    }

    /// Runs the events that come before a step's edits.
    pub(crate) fn prepare(
        &mut self,
        life: &Life,
        step: usize,
        events: &[Event],
        happened: &mut Happened,
    ) -> Result<(), String> {
        for event in events {
            match *event {
                Event::Swap(engine) => self.current = engine,
                Event::Reload => {
                    let bytes = self.lived.world.save(Save::Whole).unwrap();
                    self.lived.world = World::load(&bytes).unwrap();
                    happened.reloaded += 1;
                }
                Event::RollBack(by) => self.roll_back(life, step, by.min(step), happened)?,
                Event::Drop | Event::Silence | Event::Late(_) | Event::Fault(..) => {}
            }
        }
        self.take_late(step, happened)?;
        self.saved.push(self.save());
        Ok(())
    }

    fn save(&self) -> Saved {
        Saved { bytes: self.lived.world.save(Save::Whole).unwrap(), bodies: self.lived.bodies.clone() }
    }

    /// Takes a step with wrong edits, goes back by some steps, and takes these again: they must have the same answers,
    /// and lead to the same world.
    fn roll_back(&mut self, life: &Life, step: usize, by: usize, happened: &mut Happened) -> Result<(), String> {
        let here = self.save();
        for op in &life.steps[(step + 1) % life.steps.len()].0 {
            self.lived.apply(op);
        }
        self.run(step)?;
        let there = if by == 0 { &here } else { &self.saved[step - by] };
        if by.is_multiple_of(2) {
            self.lived.world.load_into(&there.bytes).unwrap();
        } else {
            self.lived.world = World::load(&there.bytes).unwrap();
        }
        self.lived.bodies.clone_from(&there.bodies);
        for again in step - by..step {
            let (ops, advance) = &life.steps[again];
            for op in ops {
                self.lived.apply(op);
            }
            let hits = self.run(again)?;
            if hits != self.answers[again] {
                return Err(format!("step {again}, taken again before step {step}: {hits:?}"));
            }
            if *advance {
                self.lived.world.advance().unwrap();
            }
            happened.taken_again += 1;
        }
        let is_here = self.save().bytes == here.bytes && self.lived.bodies == here.bodies;
        is_here.then_some(()).ok_or_else(|| format!("{by} steps, taken again before step {step}, lead elsewhere"))
    }

    /// Runs the current engine, of whose driver no call fails.
    fn run(&mut self, step: usize) -> Result<Hits, String> {
        self.rig.0[self.current].run(&self.lived.world, ask(step)).map_err(|error| format!("no fault, but {error}"))
    }

    /// Takes a step whose answer is known.
    pub(crate) fn step(
        &mut self,
        step: usize,
        expected: &Hits,
        events: &[Event],
        faults: &Faults,
        happened: &mut Happened,
    ) -> Result<(), String> {
        self.answers.push(expected.clone());
        if let Engine::Gpu(_) = self.engine() {
            happened.on_gpu += 1;
            self.submit(step, expected, events, faults, happened)?;
            if let Some((fault, count)) = events.iter().find_map(|event| match *event {
                Event::Fault(fault, count) => Some((fault, count)),
                _ => None,
            }) {
                faults.set(fault, count);
                let hits = self.rig.0[self.current].run(&self.lived.world, ask(step));
                let came = !faults.is_left(fault);
                faults.set(fault, 0);
                happened.faults += usize::from(came);
                match hits {
                    Ok(hits) => same(&hits, expected, "with a fault that did not matter")?,
                    Err(Error::GpuMemory { .. }) if came => {}
                    Err(Error::GpuLost { .. }) if came => self.recover(happened)?,
                    Err(error) => return Err(format!("{error}, of a driver that failed: {came}")),
                }
            }
        }
        let hits = self.run(step)?;
        same(&hits, expected, "at last")
    }

    /// Submits the step for each ticket that is dropped or taken late.
    fn submit(
        &mut self,
        step: usize,
        expected: &Hits,
        events: &[Event],
        faults: &Faults,
        happened: &mut Happened,
    ) -> Result<(), String> {
        for event in events {
            if matches!(event, Event::Late(_)) && self.late.len() == LATE {
                self.take_late(usize::MAX, happened)?;
            }
            let Engine::Gpu(gpu) = &mut self.rig.0[self.current] else { return Ok(()) };
            let mut submit = || gpu.submit(&self.lived.world, ask(step)).map_err(|error| format!("submit: {error}"));
            match *event {
                Event::Drop => {
                    drop(submit()?);
                    happened.dropped += 1;
                }
                Event::Silence => {
                    faults.set(Fault::Silent, 1);
                    let mut ticket = submit()?;
                    let early = ticket.wait(SOON);
                    faults.set(Fault::Silent, 0);
                    let hits = match early.map_err(|error| format!("in a silence: {error}"))? {
                        // The GPU is not asked about a world without pairs.
                        Some(hits) if expected.flags.iter().all(|&word| word == 0) => Some(hits),
                        Some(hits) => return Err(format!("in a silence: {hits:?}")),
                        None => {
                            happened.silences += 1;
                            ticket.wait(Duration::MAX).map_err(|error| format!("after a silence: {error}"))?
                        }
                    };
                    same(&hits.ok_or("no answer after a silence")?, expected, "after a silence")?;
                }
                Event::Late(by) => {
                    let ticket = submit()?;
                    self.late.push(Late { due: step + by, ticket, expected: expected.clone() });
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Takes the answers that are due.
    pub(crate) fn take_late(&mut self, step: usize, happened: &mut Happened) -> Result<(), String> {
        for mut late in self.late.extract_if(.., |late| late.due <= step) {
            let hits = late.ticket.wait(Duration::MAX).map_err(|error| format!("a late answer: {error}"))?;
            same(&hits.ok_or("a late answer does not come")?, &late.expected, "late")?;
            happened.late += 1;
        }
        Ok(())
    }

    /// Rebuilds the engine whose device is lost; answers that were not taken are lost, and say so.
    fn recover(&mut self, happened: &mut Happened) -> Result<(), String> {
        happened.lost += 1;
        for mut late in self.late.drain(..) {
            match late.ticket.wait(Duration::MAX) {
                Err(Error::GpuLost { .. }) => {}
                Ok(Some(hits)) => same(&hits, &late.expected, "late, of a device that was lost since")?,
                answer => return Err(format!("a late answer of a lost device: {answer:?}")),
            }
        }
        self.engine().rebuild().map_err(|error| format!("rebuild: {error}"))
    }
}

fn same(hits: &Hits, expected: &Hits, when: &str) -> Result<(), String> {
    if hits == expected {
        return Ok(());
    }
    Err(format!("{when}: {hits:?}, and not {expected:?}"))
}
