//! The bodies of levels.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use hitmask::World;
use hitmask::mask::DEFAULT_THRESHOLD;
use hitmask::scene::{BodySpec, Scene};

use super::Art;
use super::keys::LevelKeys;
use super::sheet::others;
use crate::budget;
use crate::error::{Result, malformed, quoted};
use crate::filter::Filter;
use crate::folder::file_beside;
use crate::import::{Art as Kind, Import};
use crate::level::Level;
use crate::terrain::{Solids, Source};

/// The largest number of bodies that all levels of a scene make.
const MAX_BODIES: u64 = 1 << 22;

impl Art<'_> {
    /// Adds the bodies of levels to a scene.
    pub(super) fn add_levels(&mut self, levels: Vec<(String, LevelKeys)>, scene: &mut Scene) -> Result<()> {
        let mut names = HashSet::new();
        for (place, keys) in levels {
            let added = self.add_level(&keys, &mut names, scene);
            added.map_err(|error| self.blame(&place, error))?;
        }
        Ok(())
    }

    fn add_level(&mut self, keys: &LevelKeys, names: &mut HashSet<String>, scene: &mut Scene) -> Result<()> {
        let (file, is_map) = match (&keys.tiled, &keys.ldtk) {
            (Some(file), None) => (file, true),
            (None, Some(file)) => (file, false),
            _ => return Err(malformed("a level has either `tiled` or `ldtk`")),
        };
        if is_map && keys.level.is_some() {
            return Err(malformed("`level` goes with `ldtk`; a map of Tiled is one level"));
        }
        let name = keys.name.as_ref().or(keys.level.as_ref()).unwrap_or(file).clone();
        if !names.insert(name.clone()) {
            let problem = format!("another level has the name {}; give one of them a `name`", quoted(&name));
            return Err(malformed(problem));
        }
        let path = file_beside(self.scene, file, None)?;
        let level = self.level(&path, keys)?;
        self.add_bodies(&level, keys, &name, scene).map_err(|error| error.of(&path))
    }

    /// Opens the file of a level. If `level` is given, keeps only the layers of that level.
    fn level(&mut self, path: &Path, keys: &LevelKeys) -> Result<Level> {
        let threshold = keys.threshold.map_or(DEFAULT_THRESHOLD, std::num::NonZero::get);
        let import = Import::default().threshold(threshold).folder(self.folder());
        let (mut level, files) = match import.open_art_with_files(path)? {
            (Kind::Level(level), files) => (level, files),
            (Kind::Sheet(_), _) => return Err(malformed("this is a sheet, and no level").of(path)),
        };
        self.files.extend(files);
        // Only the levels of a project have names.
        if level.rooms.is_empty() && keys.ldtk.is_some() {
            return Err(malformed("the project has no levels").of(path));
        }
        let is_map = level.rooms.iter().all(|room| room.name.is_empty());
        match (is_map, keys.tiled.is_some()) {
            (true, false) => return Err(malformed("this is a map of Tiled: name it as `tiled`").of(path)),
            (false, true) => return Err(malformed("this is a project of LDtk: name it as `ldtk`").of(path)),
            _ => {}
        }
        if let Some(name) = &keys.level {
            let room = level.rooms.iter().position(|room| room.name == *name).ok_or_else(|| {
                let names = others("the levels are", level.rooms.iter().map(|room| &*room.name));
                malformed(format!("there is no level {}{names}", quoted(name))).of(path)
            })?;
            level.layers.retain(|layer| layer.room == room);
        }
        if level.layers.is_empty() {
            return Err(malformed("the level has no layers").of(path));
        }
        Ok(level)
    }

    fn add_bodies(&mut self, level: &Level, keys: &LevelKeys, name: &str, scene: &mut Scene) -> Result<()> {
        let LevelKeys { layer, hits, detector, group, solid, merge, at, .. } = *keys;
        let mut world = World::default();
        // A body's tag tells the name of its layer.
        let names: Vec<String> = level.layers.iter().map(|layer| layer.name.clone()).collect();
        let tags: HashMap<String, u64> = names.iter().cloned().zip(0..).collect();
        let solids = Solids::default().source(solid).merge(merge).rule(move |subject| {
            let tag = tags.get(&subject.layer.name).copied().unwrap_or_default();
            subject.is_tile().then_some(Filter { layers: layer, mask: hits, detector, group, tag })
        });
        level.add_to(&mut world, &solids)?;
        if world.is_empty() {
            return Err(malformed(match solid {
                Source::Shapes => {
                    "no tile of a visible layer has a collision shape; `solid` may be \"pixels\" or \"boxes\""
                }
                Source::Pixels | Source::Boxes => "no visible layer has a solid tile",
            }));
        }
        self.bodies += world.len() as u64;
        budget::at_most("bodies in all levels of a scene", MAX_BODIES, self.bodies)?;
        world.shapes().filter_map(|(_, shape)| shape.mask()).try_for_each(|mask| self.count(mask))?;
        let own = Scene::of_world(&world);
        let prefixed = |own: &str| format!("{name}/{own}");
        scene.shapes.extend(own.shapes.into_iter().map(|(shape, spec)| (prefixed(&shape), spec)));
        let mut counts = vec![0_u32; names.len()];
        for (body, id) in own.bodies.into_iter().zip(world.ids()) {
            let tag = world.body(id).map_or(0, |body| body.tag) as usize;
            let number = counts[tag];
            counts[tag] += 1;
            scene.bodies.push(BodySpec {
                shape: prefixed(&body.shape),
                at: [body.at[0] + at[0], body.at[1] + at[1]],
                name: Some(prefixed(&format!("{}/{number}", names[tag]))),
                ..body
            });
        }
        Ok(())
    }
}
