//! An open scene: its shapes, its bodies, and how they move.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::Context;
use hitmask::scene::{BodySpec, Form, Image, Pose, Scene, ShapeSpec};
use hitmask::{Body, BodyId, Shape, ShapeId, Touch, World};

use crate::cast::Cast;
use crate::controls::Source;
use crate::platform;
use crate::scenes::{Play, Still};
use crate::shapes::Look;

/// The content of a game.
pub(crate) struct Stage {
    pub(crate) source: Source,
    /// The requested number of bodies; a built-in scene may have a few more or less.
    pub(crate) asked: usize,
    pub(crate) looks: Vec<Look>,
    /// The bodies with their motions, whether or not motions are swept.
    pub(crate) bodies: Cast,
    pub(crate) play: Box<dyn Play>,
    /// The shapes as in a scene file, with the names of its bodies and its touch rule.
    scene: Scene,
    shapes: Vec<Shape>,
    /// The files that a scene file consists of, itself first, and their modification times when they were read.
    files: Vec<(PathBuf, Option<SystemTime>)>,
}

impl Stage {
    pub(crate) fn open(source: &Source, count: usize) -> anyhow::Result<Self> {
        match source {
            Source::Kind(kind) => {
                let looks = kind.shapes();
                let specs = looks.iter().map(|look| (look.name.clone(), look.spec.clone())).collect();
                let scene = Scene::new(Touch::Excluded, specs, Vec::new());
                let shapes = shapes(&scene.world()?);
                let (_, ids) = furnished(Touch::Excluded, &shapes)?;
                let (bodies, play) = kind.open(count, &ids);
                Ok(Self {
                    source: source.clone(),
                    asked: count,
                    looks,
                    bodies: Cast::new(bodies),
                    play,
                    scene,
                    shapes,
                    files: Vec::new(),
                })
            }
            Source::File(path) => Self::read(path),
        }
    }

    fn read(path: &Path) -> anyhow::Result<Self> {
        let own = platform::modified(path);
        let (scene, art) = platform::scene(path)?;
        let others = scene.files().filter(|file| file != path).chain(art);
        let others = others.map(|file| {
            let time = platform::modified(&file);
            (file, time)
        });
        let files = std::iter::once((path.to_owned(), own)).chain(others).collect();
        let world = platform::world(&scene, path)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let looks = scene.shapes.iter().map(|(name, spec)| Look::of_file(folder, name, spec)).collect();
        let around = world.ids().filter_map(|id| world.swept_bounds(id)).reduce(|all, one| all.join(&one));
        let home = around.map_or([-50.0, -50.0, 50.0, 50.0], |all| {
            let ([left, top], [right, bottom]) = (all.min.units(), all.max.units());
            [left - 8.0, top - 8.0, right + 8.0, bottom + 8.0]
        });
        let bodies: Vec<Body> = world.ids().filter_map(|id| world.body(id)).collect();
        Ok(Self {
            source: Source::File(path.to_owned()),
            asked: bodies.len(),
            looks,
            play: Box::new(Still { home }),
            shapes: shapes(&world),
            bodies: Cast::new(bodies),
            scene,
            files,
        })
    }

    /// Returns the scene's touch rule, if it is a file.
    pub(crate) fn touch(&self) -> Option<Touch> {
        matches!(self.source, Source::File(_)).then_some(self.scene.touch)
    }

    /// Returns the files that a scene file consists of: itself, its images, and those of its sheets and levels.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(|(file, _)| &**file)
    }

    /// Returns whether one of these files has changed since it was read.
    pub(crate) fn is_stale(&self) -> bool {
        self.files.iter().any(|(file, time)| platform::modified(file) != *time)
    }

    /// Marks the present files as read.
    pub(crate) fn mark_as_read(&mut self) {
        for (file, time) in &mut self.files {
            *time = platform::modified(file);
        }
    }

    /// Builds a world of the present bodies, and points their shape handles to it.
    pub(crate) fn world(&mut self, touch: Touch, swept: bool) -> anyhow::Result<World> {
        let (mut world, shapes) = furnished(touch, &self.shapes)?;
        for body in self.bodies.iter_mut() {
            body.shape = shapes[body.shape.index() as usize];
        }
        self.bodies.enter(&mut world, swept)?;
        Ok(world)
    }

    /// Like [`Stage::world`], but with the shapes of an earlier world, whose masks may have holes.
    pub(crate) fn renewed(&mut self, world: &World, touch: Touch, swept: bool) -> anyhow::Result<World> {
        self.shapes = shapes(world);
        self.world(touch, swept)
    }

    /// Returns the name of a body, if it has one.
    pub(crate) fn name(&self, body: usize) -> Option<&str> {
        self.scene.bodies.get(body).and_then(|body| body.name.as_deref())
    }

    /// Describes a body and its shape, for people.
    pub(crate) fn label(&self, body: usize) -> String {
        let shape = self.shape_name(self.bodies[body].shape);
        match self.name(body) {
            Some(name) => format!("{body} {shape}: {name}"),
            None => format!("{body} {shape}"),
        }
    }

    /// Returns the text of a scene file with the bodies as they are in `world`.
    pub(crate) fn to_json(&self, world: &World) -> anyhow::Result<String> {
        let named = |id: BodyId| {
            Some(BodySpec { name: self.name(id.index() as usize).map(str::to_owned), ..self.spec(world, id)? })
        };
        let mut scene = self.scene.clone();
        (scene.touch, scene.shapes) = (world.touch(), self.specs(world));
        let scene = scene.with_bodies(world.ids().filter_map(named).collect());
        scene.to_json().context("the scene cannot be written")
    }

    /// Returns a scene with the shapes as they are in `world`, and with these bodies.
    pub(crate) fn scene(&self, world: &World, bodies: Vec<BodySpec>) -> Scene {
        let mut scene = self.scene.with_bodies(bodies);
        scene.touch = world.touch();
        if let Source::Kind(_) = self.source {
            // Bodies of other shapes may be added later.
            scene.shapes = self.specs(world);
        }
        scene
    }

    /// Returns a body of `world` as in a scene file, without a name.
    pub(crate) fn spec(&self, world: &World, id: BodyId) -> Option<BodySpec> {
        let body = world.body(id)?;
        // A scene file cannot disable a body, so clear its layers instead.
        let [layer, hits] = if body.enabled { [body.layers, body.mask] } else { [0; 2] };
        Some(BodySpec {
            shape: self.shape_name(body.shape).to_owned(),
            at: [body.at.x, body.at.y],
            pose: Pose::Matrix([body.linear.x, body.linear.y]),
            motion: [body.motion.x, body.motion.y],
            layers: layer,
            mask: hits,
            detector: body.detector,
            group: body.group,
            name: None,
        })
    }

    fn shape_name(&self, shape: ShapeId) -> &str {
        &self.looks[shape.index() as usize].name
    }

    /// Returns the shapes as in a scene file, with masks written as rows, as they are in `world`.
    fn specs(&self, world: &World) -> Vec<(String, ShapeSpec)> {
        let mut specs = self.scene.shapes.clone();
        for ((_, spec), (_, shape)) in specs.iter_mut().zip(world.shapes()) {
            if let (Form::Sprite { image: Image::Rows(rows), region, .. }, Some(mask)) = (&mut spec.form, shape.mask())
            {
                (*rows, *region) = (mask.to_rows(), None);
            }
        }
        specs
    }
}

/// Returns the shapes of a world, in order.
fn shapes(world: &World) -> Vec<Shape> {
    world.shapes().map(|(_, shape)| shape.clone()).collect()
}

/// Returns a world with these shapes and no bodies, and the handles of the shapes.
fn furnished(touch: Touch, shapes: &[Shape]) -> hitmask::Result<(World, Vec<ShapeId>)> {
    let mut world = World::new(touch);
    let ids = shapes.iter().map(|shape| world.add_shape(shape.clone())).collect::<hitmask::Result<_>>()?;
    Ok((world, ids))
}
