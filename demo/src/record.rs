//! Recording to a replay file: a line for each step that the engines run.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::Context;
use hitmask::scene::{BodySpec, Edits, Image, Replay, Stamp};
use hitmask::{BodyId, World};

use crate::cast::Hole;
use crate::platform::Output;
use crate::stage::Stage;

/// A replay file being written.
pub(crate) struct Record {
    path: PathBuf,
    file: Output,
    /// The bodies as last written, with their names.
    bodies: BTreeMap<BodyId, BodySpec>,
    /// The number of names given so far.
    named: usize,
    /// The stamps erased from masks since the last line.
    masks: Vec<Stamp>,
}

impl Record {
    /// Starts a replay with the present world, on which its first step runs.
    pub(crate) fn begin(path: PathBuf, stage: &Stage, world: &World) -> anyhow::Result<Self> {
        let (file, bodies) = (Output::create(&path)?, BTreeMap::new());
        let mut record = Self { path, file, bodies, named: 0, masks: Vec::new() };
        for id in world.ids() {
            if let Some(spec) = record.named(stage, world, id) {
                record.bodies.insert(id, spec);
            }
        }
        let scene = stage.scene(world, record.bodies.values().cloned().collect());
        let text = Replay::new(scene, vec![Edits::default()]).to_json()?;
        record.write(&text)?;
        Ok(record)
    }

    /// Returns the name of a body: that of its shape and a unique number.
    #[cfg(test)]
    pub(crate) fn name(&self, id: BodyId) -> Option<&str> {
        self.bodies.get(&id)?.name.as_deref()
    }

    /// Notes the holes that were erased before the next step.
    pub(crate) fn erased(&mut self, stage: &Stage, holes: &[Hole]) {
        let stamp = |hole: &Hole| Stamp {
            shape: stage.looks[hole.shape].name.clone(),
            image: Image::Rows(hole.stamp.to_rows()),
            erase: true,
            at: hole.at,
        };
        self.masks.extend(holes.iter().map(stamp));
    }

    /// Writes how the world has changed since the previous step.
    pub(crate) fn step(&mut self, stage: &Stage, world: &World) -> anyhow::Result<()> {
        let mut edits = Edits { masks: std::mem::take(&mut self.masks), ..Edits::default() };
        self.bodies.retain(|&id, spec| {
            let lives = world.body(id).is_some();
            if !lives {
                edits.remove.extend(spec.name.clone());
            }
            lives
        });
        for id in world.ids() {
            if let Some(old) = self.bodies.get_mut(&id) {
                let Some(spec) = stage.spec(world, id) else { continue };
                let spec = BodySpec { name: old.name.clone(), ..spec };
                if *old != spec {
                    edits.set.push(spec.clone());
                    *old = spec;
                }
            } else if let Some(spec) = self.named(stage, world, id) {
                edits.add.push(spec.clone());
                self.bodies.insert(id, spec);
            }
        }
        let line = serde_json::to_string(&edits).context("a step cannot be written")?;
        self.write(&(line + "\n"))
    }

    /// Finishes the file, and returns its path.
    pub(crate) fn end(self) -> anyhow::Result<PathBuf> {
        self.file.end(&self.path)?;
        Ok(self.path)
    }

    fn named(&mut self, stage: &Stage, world: &World, id: BodyId) -> Option<BodySpec> {
        let spec = stage.spec(world, id)?;
        self.named += 1;
        Some(BodySpec { name: Some(format!("{}-{}", spec.shape, self.named)), ..spec })
    }

    fn write(&mut self, text: &str) -> anyhow::Result<()> {
        self.file.write(&self.path, text.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use hitmask::cpu::Broad;
    use hitmask::{Ask, Engine, Hits, Touch};

    use super::*;
    use crate::controls::{Backend, Choice, Controls, Source};
    use crate::engine;
    use crate::game::Game;
    use crate::host::Host;
    use crate::scenes::Kind;

    /// Returns the pairs of a step by the bodies' names.
    fn pairs(game: &Game, record: &Record, hits: &Hits) -> BTreeSet<BTreeSet<String>> {
        let name = |index: u32| {
            let id = game.world.id(index).expect("pairs are of bodies");
            record.name(id).expect("all are recorded").to_owned()
        };
        hits.pairs.iter().map(|pair| pair.map(name).into()).collect()
    }

    #[test]
    fn a_replay_has_the_pairs_of_each_step() {
        let host = Host::headless().expect("a device that draws");
        let folder = tempfile::tempdir().expect("a folder");
        // From the start, and from a later moment.
        for (kind, moment) in Kind::ALL.into_iter().flat_map(|kind| [(kind, 0), (kind, 100)]) {
            let mut controls = Controls {
                source: Source::Kind(kind),
                bodies: 0,
                choice: Choice { backend: Backend::Cpu, broad: Broad::Auto },
                touch: Touch::Excluded,
                swept: false,
                paused: false,
                lit: false,
                bounds: false,
                candidates: false,
                paths: false,
                panel: false,
            };
            controls.open(Source::Kind(kind), true);
            controls.bodies = controls.bodies.min(200);
            let engine = pollster::block_on(engine::open(&host, controls.choice, |_, _| ())).expect("an engine");
            let mut game = Game::new(engine, &mut controls).expect("a game");
            for _ in 0..moment {
                game.advance(&controls).expect("a step");
            }
            let path = folder.path().join(format!("{kind:?}-{moment}.jsonl"));
            game.record(path.clone()).expect("it can be written");
            let mut expected = Vec::new();
            for step in 0..=240 {
                if step > 0 {
                    game.advance(&controls).expect("a step");
                }
                let record = game.recording().expect("it records");
                expected.push((game.world.len(), pairs(&game, record, &game.hits)));
            }
            game.end_record().expect("it can be written");

            let replay = Replay::open(&path).expect("a replay");
            assert_eq!(replay.steps.len(), expected.len());
            let (mut play, mut engine) = (replay.play().expect("a world"), Engine::cpu().expect("an engine"));
            for (step, expected) in expected.into_iter().enumerate() {
                assert!(play.edit().expect("a step"));
                let hits = engine.run(play.world(), Ask::Pairs).expect("an answer");
                let told = play.take(&hits).expect("a step");
                let pairs = told.pairs.into_iter().map(BTreeSet::from).collect();
                assert_eq!((told.bodies, pairs), expected, "{kind:?} from {moment}, step {step}");
            }
        }
    }
}
