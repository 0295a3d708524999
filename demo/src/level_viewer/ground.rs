//! The bodies of a level, and their outlines.

use std::collections::HashMap;

use hitmask::{BodyId, World};
use hitmask_files::level::Tile;
use hitmask_files::terrain::{Merge, Solids, Source};
use hitmask_files::{Level, Terrain};

/// A ring of points in pixels.
type Ring = Vec<[f64; 2]>;

/// A body's outline.
pub(super) struct Outline {
    /// `[left, top, right, bottom]` in pixels.
    pub(super) bounds: [f64; 4],
    pub(super) rings: Vec<Ring>,
}

/// The bodies of a level in a world of their own.
pub(super) struct Ground {
    source: Source,
    world: World,
    terrain: Option<Terrain>,
    outlines: HashMap<BodyId, Outline>,
}

impl Ground {
    /// Makes the bodies of a level: polygons of a part of its tiles.
    pub(super) fn new(level: &Level, source: Source) -> anyhow::Result<Self> {
        let mut world = World::default();
        // An edit of a tile renews a square of cells rather than a whole cave.
        let solids = Solids::default().source(source).merge(Merge::Polygons).sector(32);
        let terrain = level.add_to(&mut world, &solids)?;
        let mut ground = Self { source, world, terrain: Some(terrain), outlines: HashMap::new() };
        ground.outline();
        Ok(ground)
    }

    /// Makes bodies of the shapes of tiles, or if no tile has one, of their pixels. On an error there are none.
    pub(super) fn first(level: &Level) -> (Self, Option<anyhow::Error>) {
        let mut problem = None;
        for source in [Source::Shapes, Source::Pixels] {
            match Self::new(level, source) {
                Ok(ground) if ground.count() > 0 => return (ground, problem),
                Ok(_) => {}
                Err(error) => problem = Some(error),
            }
        }
        let none = Self {
            source: Source::default(),
            world: World::default(),
            terrain: level.add_to(&mut World::default(), &Solids::default().rule(|_| None)).ok(),
            outlines: HashMap::new(),
        };
        (none, problem)
    }

    pub(super) fn source(&self) -> Source {
        self.source
    }

    pub(super) fn count(&self) -> usize {
        self.outlines.len()
    }

    pub(super) fn outlines(&self) -> impl Iterator<Item = &Outline> {
        self.outlines.values()
    }

    /// Sets a tile in the level and in its bodies, and returns the one that was there.
    pub(super) fn set(
        &mut self,
        level: &mut Level,
        layer: usize,
        cell: [i32; 2],
        tile: Option<Tile>,
    ) -> anyhow::Result<Option<Tile>> {
        let Self { world, terrain, .. } = self;
        let terrain = terrain.as_mut().ok_or_else(|| anyhow::anyhow!("the level has no bodies to change"))?;
        let old = terrain.set_tile(level, world, layer, cell, tile)?;
        self.outline();
        Ok(old)
    }

    /// Makes the outlines of new bodies, and forgets those of bodies that are gone.
    fn outline(&mut self) {
        let world = &self.world;
        self.outlines.retain(|body, _| world.body(*body).is_some());
        for body in world.ids() {
            if self.outlines.contains_key(&body) {
                continue;
            }
            let rings: Vec<Ring> = world
                .outline(body)
                .unwrap_or_default()
                .iter()
                .map(|ring| ring.iter().map(|point| point.units()).collect())
                .collect();
            let bounds = world.bounds(body).map_or([0.0; 4], |bounds| {
                let ([left, top], [right, bottom]) = (bounds.min.units(), bounds.max.units());
                [left, top, right, bottom]
            });
            self.outlines.insert(body, Outline { bounds, rings });
        }
    }
}
