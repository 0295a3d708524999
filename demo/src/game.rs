//! The running scene: its bodies, the world that engines see, and their answer.
//!
//! On the GPU, a step is submitted and drawn with the flags that it leaves there. Its answer is read back a frame
//! later, when nobody has to wait for it, or at once if the next step of the scene, or what is drawn, depends on it. A
//! page, which must not wait, makes such a step once the answer has arrived.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::time::Duration;

use hitmask::geometry::Vec2;
use hitmask::profile::Profile;
use hitmask::{Ask, Engine, Hits, Touch, World, gpu};
use web_time::Instant;

use crate::controls::{Backend, Choice, Controls, REFERENCE_BODIES, Source};
use crate::engine::IN_FLIGHT;
use crate::input::Input;
use crate::platform;
use crate::record::Record;
use crate::scenes::{Kind, Mark, Seen};
use crate::stage::Stage;

/// The longest time to wait for an answer. A page must not wait at all.
const PATIENCE: Duration = if platform::WAITS { Duration::MAX } else { Duration::ZERO };

/// A bit for each body: whether it hits.
pub(crate) enum Flags<'a> {
    Here(&'a [u32]),
    OnGpu(gpu::Results<'a>),
}

/// The running scene.
#[expect(clippy::struct_excessive_bools, reason = "each is a state of its own")]
pub(crate) struct Game {
    pub(crate) stage: Stage,
    pub(crate) world: World,
    swept: bool,
    engine: Engine,
    pub(crate) choice: Choice,
    /// The steps in flight on the GPU, the oldest first.
    flights: VecDeque<gpu::Ticket>,
    /// The last answer that arrived.
    pub(crate) hits: Hits,
    /// Whether the present world was submitted.
    sent: bool,
    asked: Ask,
    /// The number of steps so far.
    pub(crate) step: u64,
    /// The body that the pointer holds.
    pub(crate) held: Option<usize>,
    /// The player's input, from the first key on.
    pub(crate) input: Option<Input>,
    record: Option<Record>,
    /// The file of a recording that has ended by itself, until somebody takes it.
    pub(crate) ended: Option<PathBuf>,
    /// True if the controls showed paths when they last took effect.
    paths: bool,
    /// Whether the world has changed, or advanced by a step, since the last recorded line.
    unrecorded: bool,
    /// The costs of the last step: moving the bodies, and the engine's stages.
    pub(crate) moving: Duration,
    pub(crate) answering: Duration,
    pub(crate) profile: Profile,
    /// The number of the world, also increased by holes in its masks; a sheet of sprites belongs to one number.
    pub(crate) era: u64,
}

impl Game {
    /// Creates the game that the controls describe, with the engine that they name. A scene file sets the touch rule
    /// and the number of bodies of the controls.
    pub(crate) fn new(engine: Engine, controls: &mut Controls) -> anyhow::Result<Self> {
        let mut stage = Stage::open(&controls.source, controls.bodies)?;
        (controls.touch, controls.bodies) = (stage.touch().unwrap_or(controls.touch), stage.asked);
        controls.check()?;
        let world = stage.world(controls.touch, controls.swept)?;
        let mut game = Self {
            stage,
            world,
            swept: controls.swept,
            engine,
            choice: controls.choice,
            flights: VecDeque::new(),
            hits: Hits::default(),
            sent: false,
            asked: Ask::Flags,
            step: 0,
            held: None,
            input: None,
            record: None,
            ended: None,
            paths: controls.paths,
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

    /// Puts the controls into effect, and switches to `engine`, the one that they choose, if there is one. Returns
    /// whether anything changed. On an error nothing changes, and the controls are reset, but for the choice of an
    /// engine that may still be opening.
    pub(crate) fn apply(&mut self, engine: Option<Engine>, controls: &mut Controls) -> anyhow::Result<bool> {
        let changed = self.try_apply(engine, controls);
        if changed.is_err() {
            controls.source = self.stage.source.clone();
            controls.bodies = self.stage.asked;
            (controls.touch, controls.swept) = (self.world.touch(), self.swept);
            controls.paths = self.paths;
        }
        self.paths = controls.paths;
        changed
    }

    fn try_apply(&mut self, engine: Option<Engine>, controls: &mut Controls) -> anyhow::Result<bool> {
        if let Err(error) = controls.check() {
            if self.choice.backend != Backend::Reference {
                controls.choice = self.choice;
                return Err(error);
            }
            controls.bodies = REFERENCE_BODIES;
        }
        let is_new = engine.is_some();
        if let Some(engine) = engine {
            self.engine = engine;
            self.flights.clear();
            self.sent = false;
            self.choice = controls.choice;
        }
        let counts = matches!(controls.source, Source::Kind(_)) && self.stage.asked != controls.bodies;
        let opens = counts || self.stage.source != controls.source;
        if opens {
            self.open(controls)?;
        } else if (self.world.touch(), self.swept) != (controls.touch, controls.swept) {
            self.enter(controls.touch, controls.swept)?;
        } else if !is_new && self.has_asked(controls) {
            return Ok(false);
        }
        self.send(controls)?;
        Ok(true)
    }

    /// Opens the scene that the controls name.
    fn open(&mut self, controls: &mut Controls) -> anyhow::Result<()> {
        let mut stage = Stage::open(&controls.source, controls.bodies)?;
        let touch = stage.touch().unwrap_or(controls.touch);
        let world = stage.world(touch, controls.swept)?;
        self.cut_record()?;
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

    /// Reloads the scene file if it has changed, and returns whether it has. On an error the last good scene stays.
    pub(crate) fn reload(&mut self, controls: &mut Controls) -> anyhow::Result<bool> {
        if !self.stage.is_stale() {
            return Ok(false);
        }
        // Try once per change, whether or not it succeeds.
        self.stage.mark_as_read();
        self.open(controls)?;
        self.send(controls)?;
        Ok(true)
    }

    /// Builds the world anew with other rules.
    fn enter(&mut self, touch: Touch, swept: bool) -> anyhow::Result<()> {
        // The rules of a replay are fixed.
        self.cut_record()?;
        self.world = self.stage.renewed(&self.world, touch, swept)?;
        self.stage.play.look(&self.world)?;
        self.swept = swept;
        self.sent = false;
        self.flights.clear();
        self.era += 1;
        Ok(())
    }

    /// Returns the kind of answer to request.
    fn ask(&self, controls: &Controls) -> Ask {
        let plays = matches!(self.stage.source, Source::Kind(kind) if kind.asks_details());
        if plays || controls.lit { Ask::Details } else { Ask::Pairs }
    }

    /// Returns whether answers arrive in later frames, as those of a GPU do on a page: it must not wait for them.
    pub(crate) fn answers_later(&self) -> bool {
        !platform::WAITS && matches!(self.engine, Engine::Gpu(_))
    }

    /// Moves the bodies by a step, and submits it. Returns false if the answer that this needs arrives later.
    pub(crate) fn advance(&mut self, controls: &Controls) -> anyhow::Result<bool> {
        if self.answers_later() {
            self.take()?;
            // The details of the last step decide this one, or are still to be drawn.
            let needs_answer = self.ask(controls) == Ask::Details;
            let is_ready =
                if needs_answer { !self.is_in_flight() && self.has_asked(controls) } else { self.has_room()? };
            if !is_ready {
                return Ok(false);
            }
        } else if matches!(self.stage.source, Source::Kind(kind) if kind.asks_details()) {
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
        self.send(controls)?;
        Ok(true)
    }

    /// Applies the scene's changes to the world.
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

    /// Returns whether a step can be submitted.
    fn has_room(&mut self) -> anyhow::Result<bool> {
        while self.flights.len() >= IN_FLIGHT && self.land(PATIENCE)? {}
        Ok(self.flights.len() < IN_FLIGHT)
    }

    /// Submits the present world, unless that was done or, on a page, too many are in flight. The CPU answers at once.
    pub(crate) fn send(&mut self, controls: &Controls) -> anyhow::Result<()> {
        let is_sent = self.sent && self.has_asked(controls);
        if !is_sent && !self.has_room()? {
            return Ok(());
        }
        self.take_down()?;
        if is_sent {
            return Ok(());
        }
        let ask = self.ask(controls);
        self.asked = ask;
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

    /// Takes the answers that have arrived, without waiting.
    pub(crate) fn take(&mut self) -> anyhow::Result<()> {
        while !self.flights.is_empty() && self.land(Duration::ZERO)? {}
        Ok(())
    }

    /// Waits until the answer is that of the present world, unless it arrives later.
    pub(crate) fn settle(&mut self, controls: &Controls) -> anyhow::Result<()> {
        self.send(controls)?;
        while !self.flights.is_empty() && self.land(PATIENCE)? {}
        Ok(())
    }

    /// Returns whether the answer is that of the present world.
    pub(crate) fn is_settled(&self) -> bool {
        self.sent && self.flights.is_empty()
    }

    /// Returns whether the last step that was submitted asked for all that the controls need.
    pub(crate) fn has_asked(&self, controls: &Controls) -> bool {
        self.asked >= self.ask(controls)
    }

    /// Returns whether a step is in flight.
    pub(crate) fn is_in_flight(&self) -> bool {
        !self.flights.is_empty()
    }

    /// Takes the answer of the oldest step in flight. Returns whether it arrived in time.
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

    /// Returns which bodies hit in the world submitted last.
    pub(crate) fn flags(&self) -> Flags<'_> {
        match self.flights.back() {
            Some(ticket) => Flags::OnGpu(ticket.results()),
            None => Flags::Here(&self.hits.flags),
        }
    }

    /// Releases the player's keys, whose own releases are not reported from then on.
    pub(crate) fn release_keys(&mut self) {
        self.input = self.input.map(|_| Input::default());
    }

    /// Returns a body's position, in units.
    pub(crate) fn at(&self, body: usize) -> Vec2 {
        self.stage.bodies[body].at
    }

    /// Moves the held body.
    pub(crate) fn drag(&mut self, at: Vec2) -> anyhow::Result<()> {
        let Some(body) = self.held else { return Ok(()) };
        self.stage.bodies[body].at = at;
        self.follow()
    }

    /// Starts recording, from the present world on.
    pub(crate) fn record(&mut self, path: PathBuf) -> anyhow::Result<()> {
        self.end_record()?;
        self.record = Some(Record::begin(path, &self.stage, &self.world)?);
        self.unrecorded = false;
        Ok(())
    }

    /// Ends the recording, if there is one, and returns its path.
    pub(crate) fn end_record(&mut self) -> anyhow::Result<Option<PathBuf>> {
        self.record.take().map(Record::end).transpose()
    }

    /// Ends the recording, if there is one, because the scene begins anew or its rules change.
    fn cut_record(&mut self) -> anyhow::Result<()> {
        let ended = self.end_record()?;
        self.ended = ended.or_else(|| self.ended.take());
        Ok(())
    }

    /// Returns the current recording.
    pub(crate) fn recording(&self) -> Option<&Record> {
        self.record.as_ref()
    }

    /// Records the step that is about to be submitted, unless that was done. Ends the recording on an error.
    fn take_down(&mut self) -> anyhow::Result<()> {
        let unrecorded = std::mem::take(&mut self.unrecorded);
        let Some(record) = self.record.as_mut().filter(|_| unrecorded) else { return Ok(()) };
        let done = record.step(&self.stage, &self.world);
        if done.is_err() {
            self.record = None;
        }
        done
    }

    /// Returns the topmost body at a point in units.
    pub(crate) fn pick(&self, at: [f64; 2]) -> Option<usize> {
        self.world.bodies_at(at).ok()?.last().map(|body| body.index() as usize)
    }

    /// Returns the text of a scene file of the present step.
    pub(crate) fn to_json(&self) -> anyhow::Result<String> {
        self.stage.to_json(&self.world)
    }

    /// Restarts the scene.
    pub(crate) fn restart(&mut self, controls: &Controls) -> anyhow::Result<()> {
        self.open(&mut controls.clone())?;
        self.send(controls)
    }

    /// Returns the part of the world to show first, `[left, top, right, bottom]` in units.
    pub(crate) fn home(&self) -> [f64; 4] {
        self.stage.play.home()
    }

    /// Returns the minimum zoom at which a scene is first shown: large fields are shown in part, rather than small.
    pub(crate) fn least_zoom(&self) -> f64 {
        match self.stage.source {
            Source::Kind(Kind::BulletHell | Kind::Asteroids) => 2.0,
            _ => 1.0,
        }
    }

    /// Returns the marks to draw in addition to the bodies.
    pub(crate) fn marks(&self) -> &[Mark] {
        self.stage.play.marks()
    }

    /// Returns the scene's status line.
    pub(crate) fn note(&self) -> String {
        self.stage.play.note()
    }

    /// Describes a body, for people.
    pub(crate) fn label(&self, body: usize) -> String {
        self.stage.label(body)
    }

    /// Returns what the engine runs on and, for `auto`, which engine runs.
    pub(crate) fn device(&self) -> String {
        match &self.engine {
            Engine::Auto(auto) => format!("{}\n{}", auto.device(), auto.status()),
            engine => engine.device(),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::options::Options;

    /// Opens a scene on the CPU.
    fn open(scene: &str) -> (Game, Controls) {
        let options = Options::parse_from(["hitmask-demo", scene, "--bodies", "20", "--backend", "cpu"]);
        let mut controls = options.controls(false, true, false);
        (Game::new(Engine::cpu().unwrap(), &mut controls).unwrap(), controls)
    }

    #[test]
    fn a_scene_file_with_an_error_leaves_the_controls_as_they_were() {
        for paths in [false, true] {
            let (mut game, mut controls) = open("asteroids");
            controls.paths = paths;
            game.apply(None, &mut controls).unwrap();
            let before = controls.clone();
            controls.open(Source::File("no-such-file.json".into()), true);
            game.apply(None, &mut controls).unwrap_err();
            assert_eq!(controls, before);
        }
    }

    #[test]
    fn a_recording_that_is_cut_short_names_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let (mut game, mut controls) = open("pinball");
        let cuts: [fn(&mut Game, &mut Controls); 3] = [
            |game, controls| game.restart(controls).unwrap(),
            |game, controls| {
                controls.touch = Touch::Included;
                assert!(game.apply(None, controls).unwrap());
            },
            |game, controls| {
                controls.open(Source::Kind(Kind::Letters), true);
                assert!(game.apply(None, controls).unwrap());
            },
        ];
        for (number, cut) in cuts.into_iter().enumerate() {
            let path = folder.path().join(format!("{number}.jsonl"));
            game.record(path.clone()).unwrap();
            game.advance(&controls).unwrap();
            assert!(game.ended.is_none());
            cut(&mut game, &mut controls);
            assert_eq!(game.ended.take(), Some(path.clone()));
            assert_eq!(hitmask::scene::Replay::open(&path).unwrap().steps.len(), 2);
        }
        // Without a recording, nothing ends.
        game.restart(&controls).unwrap();
        assert!(game.ended.is_none());
    }

    #[test]
    fn released_keys_hold_nothing_but_the_player_goes_on_playing() {
        let (mut game, _) = open("cave");
        game.release_keys();
        assert_eq!(game.input, None);
        game.input = Some(Input { right: true, act: true, ..Input::default() });
        game.release_keys();
        assert_eq!(game.input, Some(Input::default()));
    }
}
