//! A game: a life, and what happens to each of two peers in each of its steps.

use hitmask::Save;
use hitmask_workbench::workloads::SplitMix64;

use crate::driver::{Fault, Faults};
use crate::life::{self, Life};
use crate::peer::{Peer, Rig};

/// An event in a step of a peer.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Event {
    /// It goes on with the engine of this number.
    Swap(usize),
    /// It submits the step, and drops the ticket before it takes the step again.
    Drop,
    /// It submits the step, and takes the answer so many steps later.
    Late(usize),
    /// It submits the step, and the GPU is silent for a while.
    Silence,
    /// A call of the GPU's driver fails in the step, the one of this number.
    Fault(Fault, u32),
    /// It saves its world, and goes on with a new one that it loads.
    Reload,
    /// It goes astray, then back by so many steps, and takes them again.
    RollBack(usize),
}

/// The numbers of events that happened, and of pairs that hit.
#[derive(Debug, Default)]
pub(crate) struct Happened {
    pub(crate) steps: usize,
    pub(crate) pairs: usize,
    pub(crate) on_gpu: usize,
    pub(crate) dropped: usize,
    pub(crate) late: usize,
    pub(crate) silences: usize,
    pub(crate) faults: usize,
    pub(crate) lost: usize,
    pub(crate) reloaded: usize,
    pub(crate) taken_again: usize,
}

impl Happened {
    /// Returns whether each kind of event happened often enough, by a scale.
    pub(crate) fn is_enough(&self, scale: usize) -> bool {
        let Self { steps: _, pairs, on_gpu, dropped, late, silences, faults, lost, reloaded, taken_again } = *self;
        // How many faults come depends on how often wgpu waits.
        pairs > 2_000 * scale
            && [on_gpu, reloaded, taken_again].into_iter().all(|count| count > 200 * scale)
            && [dropped, late, silences].into_iter().all(|count| count > 20 * scale)
            && [faults, lost].into_iter().all(|count| count > 5 * scale)
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Game {
    pub(crate) life: Life,
    /// For each step, what happens to each peer.
    pub(crate) events: Vec<[Vec<Event>; 2]>,
}

impl Game {
    pub(crate) fn random(seed: u64, steps: usize) -> Self {
        let mut random = SplitMix64(seed ^ 0x6761_6D65);
        let mut events = |_| [(); 2].map(|()| (0..7).filter_map(|kind| event(&mut random, kind)).collect());
        Self { life: life::random(seed, steps), events: (0..steps).map(&mut events).collect() }
    }

    /// Plays the game.
    ///
    /// # Errors
    ///
    /// The first thing that goes wrong.
    pub(crate) fn play(&self, rigs: &mut [Rig; 2], faults: &Faults, happened: &mut Happened) -> Result<(), String> {
        let mut model = self.life.model();
        faults.clear();
        let [a, b] = rigs;
        let mut peers = [Peer::new(&self.life, a, 0), Peer::new(&self.life, b, 1)];
        for (step, ((ops, advance), events)) in self.life.steps.iter().zip(&self.events).enumerate() {
            let ask = life::ask(step);
            happened.steps += 1;
            for (peer, events) in peers.iter_mut().zip(events) {
                peer.prepare(&self.life, step, events, happened)?;
                for op in ops {
                    peer.lived.apply(op);
                }
            }
            for op in ops {
                model.apply(op);
            }
            let expected = life::expected(&peers[0].lived, &model, self.life.touch, ask);
            happened.pairs += expected.pairs.len();
            for (number, (peer, events)) in peers.iter_mut().zip(events).enumerate() {
                let wrong = |problem| format!("step {step}, {ask:?}, peer {number}, {events:?}: {problem}");
                peer.step(step, &expected, events, faults, happened).map_err(wrong)?;
            }
            agree(&peers).map_err(|problem| format!("step {step}: {problem}"))?;
            if *advance {
                model.advance();
                for peer in &mut peers {
                    peer.lived.world.advance().unwrap();
                }
            }
        }
        peers.iter_mut().try_for_each(|peer| peer.take_late(usize::MAX, happened))
    }

    /// Returns a smaller game that still fails, the same game if it does not fail again.
    pub(crate) fn shrink(mut self, mut fails: impl FnMut(&Self, &mut Happened) -> bool) -> Self {
        let mut happened = Happened::default();
        if !fails(&self, &mut happened) {
            return self;
        }
        self.life.steps.truncate(happened.steps);
        self.events.truncate(happened.steps);
        let mut fails = |game: &Self| fails(game, &mut Happened::default());
        for step in (0..self.events.len()).rev() {
            for peer in 0..2 {
                for event in (0..self.events[step][peer].len()).rev() {
                    let mut less = self.clone();
                    less.events[step][peer].remove(event);
                    if fails(&less) {
                        self = less;
                    }
                }
            }
        }
        for step in (0..self.events.len()).rev() {
            let mut less = self.clone();
            less.life.steps.remove(step);
            less.events.remove(step);
            if fails(&less) {
                self = less;
            }
        }
        let Self { life, events } = self;
        let life = life.shrink_edits(|life| fails(&Self { life: life.clone(), events: events.clone() }));
        Self { life, events }
    }
}

/// Draws whether and how an event of a kind happens.
fn event(random: &mut SplitMix64, kind: u32) -> Option<Event> {
    let often = [5, 12, 6, 8, 10, 8, 12][kind as usize];
    if random.below(often) > 0 {
        return None;
    }
    Some(match kind {
        0 => Event::Swap(random.below(3) as usize),
        1 => Event::Drop,
        2 => Event::Late(1 + random.below(3) as usize),
        3 => {
            // Pipelines are left out: a thread makes them meanwhile, so the fault might come in a later step.
            let fault = [Fault::Buffers, Fault::Memory, Fault::Submits, Fault::Waits][random.below(4) as usize];
            Event::Fault(fault, 1 + random.below(3))
        }
        4 => Event::Reload,
        5 => Event::RollBack(1 + random.below(7) as usize),
        _ => Event::Silence,
    })
}

/// Checks that the worlds of both peers are the same to the bit, with the same handles.
fn agree(peers: &[Peer<'_>; 2]) -> Result<(), String> {
    let [a, b] = [&peers[0].lived, &peers[1].lived];
    let bytes = [a, b].map(|lived| lived.world.save(Save::Whole).unwrap());
    let same = [
        ("handles", a.bodies == b.bodies),
        ("worlds", a.world == b.world),
        ("checksums", a.world.checksum() == b.world.checksum()),
        ("saved bytes", bytes[0] == bytes[1]),
    ];
    match same.iter().find(|(_, is_same)| !is_same) {
        Some((what, _)) => Err(format!("the peers differ in their {what}: {:?}", a.world.differences(&b.world))),
        None => Ok(()),
    }
}
