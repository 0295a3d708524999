//! Random scenes whose shapes have several parts.

use super::random::{Draw, Kind, random_scene};
use crate::workloads::SplitMix64;
use hitmask::scene::{BodySpec, Form, PartSpec, Pose, Scene, ShapeSpec};

/// The kinds of the parts that are added.
const ADDED: [Kind; 7] =
    [Kind::Box, Kind::Circle, Kind::Capsule, Kind::Convex, Kind::Rounded, Kind::Concave, Kind::Holed];

/// Returns the random scene of a seed, with one to three parts added to most of its shapes without pixels: always a
/// valid world, and always the same.
#[must_use]
pub fn random_scene_of_parts(seed: u64) -> Scene {
    let Scene { touch, shapes, bodies, .. } = random_scene(seed);
    let mut draw = Draw(SplitMix64(seed ^ 0x7061_7274));
    let shapes: Vec<_> = shapes.into_iter().map(|(name, shape)| (name, draw.with_parts(shape))).collect();
    let valid = |body: &BodySpec| Scene::new(touch, shapes.clone(), vec![body.clone()]).world().is_ok();
    let bodies = bodies.into_iter().filter_map(|body| {
        // A radius allows no stretched pose.
        let plain = BodySpec { pose: Pose::default(), ..body.clone() };
        [body, plain].into_iter().find(valid)
    });
    Scene::new(touch, shapes.clone(), bodies.collect())
}

impl Draw {
    /// Returns a shape with parts added, unless it has pixels.
    pub(super) fn with_parts(&mut self, shape: ShapeSpec) -> ShapeSpec {
        if matches!(shape.form, Form::Sprite { .. }) || self.once_in(4) {
            return shape;
        }
        let anchor = shape.anchor;
        let mut parts = vec![PartSpec { shape, at: [0.0; 2], tag: self.below(9) }];
        for _ in 0..=self.below(3) {
            let part = loop {
                let kind = self.pick(&ADDED);
                let shape = ShapeSpec::new(self.form(kind, 0));
                let part = PartSpec { shape, at: self.point(12), tag: self.below(9) };
                let alone = vec![("s".into(), ShapeSpec::new(Form::Parts(vec![part.clone()])))];
                if Scene::new(hitmask::Touch::Excluded, alone, vec![]).world().is_ok() {
                    break part;
                }
            };
            parts.push(part);
        }
        if self.once_in(2) {
            parts.reverse();
        }
        ShapeSpec { anchor, ..ShapeSpec::new(Form::Parts(parts)) }
    }
}
