//! The scene that runs: its bodies step by step, the world that engines see, and their answer.
//!
//! On the GPU a step is sent off and drawn with the flags that it leaves there; its answer in memory is taken a frame
//! later, when nobody has to wait for it, or at once where the next step of the scene, or what is to be drawn, depends
//! on it.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use hitmask::cpu::Broad;
use hitmask::geometry::Vec2;
use hitmask::profile::Profile;
use hitmask::{Ask, Engine, Hits, Touch, World, auto, cpu, gpu};

use crate::controls::{Backend, Controls, REFERENCE_BODIES, Source};
use crate::host::Host;
use crate::input::Input;
use crate::record::Record;
use crate::scenes::{Kind, Mark, Seen};
use crate::stage::Stage;

/// Steps that the GPU may be sent before the answer of the first is taken.
const IN_FLIGHT: usize = 2;

/// Which bodies hit, a bit each.
pub(crate) enum Flags<'a> {
    Here(&'a [u32]),
    OnGpu(gpu::Results<'a>),
}

/// The running scene.
pub(crate) struct Game {
    pub(crate) stage: Stage,
    pub(crate) world: World,
    swept: bool,
    engine: Engine,
    backend: Backend,
    broad: Broad,
    /// The steps that the GPU was sent and whose answer was not taken yet, the oldest first.
    flights: VecDeque<gpu::Ticket>,
    /// The last answer that was taken.
    pub(crate) hits: Hits,
    /// Whether the world as it is was asked about.
    sent: bool,
    asked: Ask,
    /// The steps so far.
    pub(crate) step: u64,
    /// The body that the pointer holds.
    pub(crate) held: Option<usize>,
    /// What a player wants, from the first key on.
    pub(crate) input: Option<Input>,
    record: Option<Record>,
    /// Whether the world is another than the record has, or a step on.
    unrecorded: bool,
    /// What the last step cost: moving the bodies, and the engine's stages.
    pub(crate) moving: Duration,
    pub(crate) answering: Duration,
    pub(crate) profile: Profile,
    /// Counts the worlds, and the holes in their masks: a sheet of sprites is of one of them.
    pub(crate) era: u64,
}

impl Game {
    /// The game that the controls ask for. A scene file says whether touching counts, which the controls learn.
    pub(crate) fn new(host: &Host, controls: &mut Controls) -> anyhow::Result<Self> {
        let mut stage = Stage::open(&controls.source, controls.bodies)?;
        controls.touch = stage.touch().unwrap_or(controls.touch);
        let world = stage.world(controls.touch, controls.swept)?;
        let mut game = Self {
            stage,
            world,
            swept: controls.swept,
            engine: engine(host, controls)?,
            backend: controls.backend,
            broad: controls.broad,
            flights: VecDeque::new(),
            hits: Hits::default(),
            sent: false,
            asked: Ask::Flags,
            step: 0,
            held: None,
            input: None,
            record: None,
            unrecorded: false,
            moving: Duration::ZERO,
            answering: Duration::ZERO,
            profile: Profile::default(),
            era: 0,
        };
        game.stage.play.look(&game.world)?;
        game.send(controls)?;
        Ok(game)
    }

    /// Makes true what the controls ask for, and says whether anything had to be done. On an error all is as it was,
    /// and the controls say so.
    pub(crate) fn apply(&mut self, host: &Host, controls: &mut Controls) -> anyhow::Result<bool> {
        let changed = self.try_apply(host, controls);
        if changed.is_err() {
            controls.source = self.stage.source.clone();
            controls.bodies = self.stage.asked;
            (controls.backend, controls.broad) = (self.backend, self.broad);
            (controls.touch, controls.swept) = (self.world.touch(), self.swept);
        }
        changed
    }

    fn try_apply(&mut self, host: &Host, controls: &mut Controls) -> anyhow::Result<bool> {
        if controls.backend == Backend::Reference && controls.bodies > REFERENCE_BODIES {
            anyhow::ensure!(
                self.backend == Backend::Reference,
                "the reference is slow: at most {REFERENCE_BODIES} bodies"
            );
            controls.bodies = REFERENCE_BODIES;
        }
        let engines = (self.backend, self.broad) != (controls.backend, controls.broad);
        if engines {
            self.engine = engine(host, controls)?;
            self.flights.clear();
            self.sent = false;
            (self.backend, self.broad) = (controls.backend, controls.broad);
        }
        let counts = matches!(controls.source, Source::Kind(_)) && self.stage.asked != controls.bodies;
        let opens = counts || self.stage.source != controls.source;
        if opens {
            self.open(controls)?;
        } else if (self.world.touch(), self.swept) != (controls.touch, controls.swept) {
            self.enter(controls.touch, controls.swept)?;
        } else if !engines && self.asked >= self.ask(controls) {
            return Ok(false);
        }
        self.send(controls)?;
        Ok(true)
    }

    /// Begins with the scene that the controls ask for.
    fn open(&mut self, controls: &mut Controls) -> anyhow::Result<()> {
        let mut stage = Stage::open(&controls.source, controls.bodies)?;
        let touch = stage.touch().unwrap_or(controls.touch);
        let world = stage.world(touch, controls.swept)?;
        self.end_record()?;
        (self.world, self.stage) = (world, stage);
        self.stage.play.look(&self.world)?;
        (controls.touch, controls.bodies) = (touch, self.stage.asked);
        self.swept = controls.swept;
        (self.step, self.held, self.input) = (0, None, None);
        self.sent = false;
        self.flights.clear();
        self.era += 1;
        Ok(())
    }

    /// Reads the scene file again where it has changed, and says whether it did. On an error the last good scene stays.
    pub(crate) fn reload(&mut self, controls: &mut Controls) -> anyhow::Result<bool> {
        if !self.stage.is_stale() {
            return Ok(false);
        }
        // Once for each change, good or bad.
        self.stage.refresh_stamps();
        self.open(controls)?;
        self.send(controls)?;
        Ok(true)
    }

    /// Makes the world anew, under another rule.
    fn enter(&mut self, touch: Touch, swept: bool) -> anyhow::Result<()> {
        // A replay is of one rule.
        self.end_record()?;
        self.world = self.stage.renewed(&self.world, touch, swept)?;
        self.stage.play.look(&self.world)?;
        self.swept = swept;
        self.sent = false;
        self.flights.clear();
        self.era += 1;
        Ok(())
    }

    /// What is to be asked for.
    fn ask(&self, controls: &Controls) -> Ask {
        let plays = matches!(self.stage.source, Source::Kind(kind) if kind.asks_details());
        if plays || controls.lit { Ask::Details } else { Ask::Pairs }
    }

    /// Moves the bodies by a step, and asks about it.
    pub(crate) fn advance(&mut self, controls: &Controls) -> anyhow::Result<()> {
        if matches!(self.stage.source, Source::Kind(kind) if kind.asks_details()) {
            self.settle(controls)?;
        }
        let start = Instant::now();
        let held = self.held.map(|body| (body, self.stage.bodies[body].at));
        let seen = Seen { world: &self.world, hits: &self.hits, step: self.step, held: self.held, input: self.input };
        self.stage.play.step(&mut self.stage.bodies, &seen)?;
        if let Some((body, at)) = held {
            self.stage.bodies[body].at = at;
            self.held = Some(body).filter(|&body| self.stage.bodies.lives(body));
        }
        self.step += 1;
        self.unrecorded = true;
        self.follow()?;
        self.moving = start.elapsed();
        self.send(controls)
    }

    /// Puts into the world what has changed.
    fn follow(&mut self) -> anyhow::Result<()> {
        let change = self.stage.bodies.follow(&mut self.world, self.swept)?;
        if !change.holes.is_empty() {
            self.era += 1;
            if let Some(record) = &mut self.record {
                record.erased(&self.stage, &change.holes);
            }
        }
        self.sent &= !change.any;
        self.unrecorded |= change.any;
        self.stage.play.look(&self.world)
    }

    /// Asks about the world as it is, unless that was done. The CPU answers at once.
    pub(crate) fn send(&mut self, controls: &Controls) -> anyhow::Result<()> {
        self.take_down()?;
        let ask = self.ask(controls);
        if self.sent && self.asked >= ask {
            return Ok(());
        }
        self.asked = ask;
        if let Engine::Gpu(_) = self.engine {
            while self.flights.len() >= IN_FLIGHT {
                self.land(Duration::MAX)?;
            }
        }
        if let Engine::Gpu(gpu) = &mut self.engine {
            self.flights.push_back(gpu.submit(&self.world, ask)?);
        } else {
            let start = Instant::now();
            self.engine.run_into(&self.world, ask, &mut self.hits)?;
            self.answering = start.elapsed();
            self.profile = self.engine.profile();
        }
        self.sent = true;
        Ok(())
    }

    /// Takes the answers that are there, without a wait.
    pub(crate) fn take(&mut self) -> anyhow::Result<()> {
        while !self.flights.is_empty() && self.land(Duration::ZERO)? {}
        Ok(())
    }

    /// Sees to it that the answer is one about the world as it is.
    pub(crate) fn settle(&mut self, controls: &Controls) -> anyhow::Result<()> {
        self.send(controls)?;
        while !self.flights.is_empty() {
            self.land(Duration::MAX)?;
        }
        Ok(())
    }

    /// Takes the answer of the oldest step in flight, and says whether it came in time.
    fn land(&mut self, timeout: Duration) -> anyhow::Result<bool> {
        let Some(ticket) = self.flights.front_mut() else { return Ok(false) };
        let answer = ticket.wait(timeout);
        if let Ok(None) = answer {
            return Ok(false);
        }
        let ticket = self.flights.pop_front();
        if let Some(hits) = answer? {
            self.hits = hits;
            self.profile = ticket.and_then(|ticket| ticket.profile().cloned()).unwrap_or_default();
        }
        Ok(true)
    }

    /// Which bodies hit, of the world as it was asked about last.
    pub(crate) fn flags(&self) -> Flags<'_> {
        match self.flights.back() {
            Some(ticket) => Flags::OnGpu(ticket.results()),
            None => Flags::Here(&self.hits.flags),
        }
    }

    /// Where a body is, in units.
    pub(crate) fn at(&self, body: usize) -> Vec2 {
        self.stage.bodies[body].at
    }

    /// Puts the held body somewhere.
    pub(crate) fn drag(&mut self, at: Vec2) -> anyhow::Result<()> {
        let Some(body) = self.held else { return Ok(()) };
        self.stage.bodies[body].at = at;
        self.follow()
    }

    /// Begins to record, from the world as it is on.
    pub(crate) fn record(&mut self, path: PathBuf) -> anyhow::Result<()> {
        self.end_record()?;
        self.record = Some(Record::begin(path, &self.stage, &self.world)?);
        self.unrecorded = false;
        Ok(())
    }

    /// Ends the record, if there is one; its file.
    pub(crate) fn end_record(&mut self) -> anyhow::Result<Option<PathBuf>> {
        self.record.take().map(Record::end).transpose()
    }

    /// The record that is being made.
    pub(crate) fn recording(&self) -> Option<&Record> {
        self.record.as_ref()
    }

    /// Records the step that is about to be asked about, unless that was done. A record that cannot be gone on with
    /// ends.
    fn take_down(&mut self) -> anyhow::Result<()> {
        let unrecorded = std::mem::take(&mut self.unrecorded);
        let Some(record) = self.record.as_mut().filter(|_| unrecorded) else { return Ok(()) };
        let done = record.step(&self.stage, &self.world);
        if done.is_err() {
            self.record = None;
        }
        done
    }

    /// The topmost body at a point in units.
    pub(crate) fn pick(&self, at: [f64; 2]) -> Option<usize> {
        self.world.bodies_at(at).ok()?.last().map(|body| body.index() as usize)
    }

    /// The text of a scene file of this very step.
    pub(crate) fn to_json(&self) -> anyhow::Result<String> {
        self.stage.to_json(&self.world)
    }

    /// Begins the scene again.
    pub(crate) fn restart(&mut self, controls: &Controls) -> anyhow::Result<()> {
        self.open(&mut controls.clone())?;
        self.send(controls)
    }

    /// What there is to see, `[left, top, right, bottom]` in units.
    pub(crate) fn home(&self) -> [f64; 4] {
        self.stage.play.home()
    }

    /// The least zoom with which a scene is shown at first: what plays in a field is shown in part rather than small.
    pub(crate) fn least_zoom(&self) -> f64 {
        match self.stage.source {
            Source::Kind(Kind::BulletHell | Kind::Asteroids) => 2.0,
            _ => 1.0,
        }
    }

    /// What is drawn beside the bodies.
    pub(crate) fn marks(&self) -> &[Mark] {
        self.stage.play.marks()
    }

    /// What the scene tells of itself.
    pub(crate) fn note(&self) -> String {
        self.stage.play.note()
    }

    /// A body for people.
    pub(crate) fn label(&self, body: usize) -> String {
        self.stage.label(body)
    }

    /// What the engine runs on, and which one that is where it chooses itself.
    pub(crate) fn device(&self) -> String {
        match &self.engine {
            Engine::Auto(auto) => format!("{}\n{}", auto.device(), auto.status()),
            engine => engine.device(),
        }
    }
}

/// The engine that the controls ask for.
fn engine(host: &Host, controls: &Controls) -> anyhow::Result<Engine> {
    let broad = controls.broad;
    Ok(match controls.backend {
        Backend::Gpu => {
            anyhow::ensure!(host.computes, "{} can draw, but not compute: use the CPU engine", host.name());
            let options = gpu::Options::default().broad(broad).timestamps(true).frames(IN_FLIGHT as u32);
            Engine::Gpu(Box::new(gpu::Engine::on(host.device.clone(), host.queue.clone(), &options)?))
        }
        Backend::Cpu => Engine::Cpu(cpu::Engine::with(&cpu::Options::default().broad(broad))?),
        Backend::Auto => {
            let (cpu, gpu) = (cpu::Options::default().broad(broad), gpu::Options::default().broad(broad));
            Engine::Auto(Box::new(auto::Engine::with(&cpu, &gpu)?))
        }
        Backend::Reference => Engine::reference(),
    })
}
