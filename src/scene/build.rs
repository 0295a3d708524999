//! Building a world from a scene: names are resolved, images decoded, numbers checked and snapped.

use std::collections::HashMap;

use super::masks::Masks;
use super::model::{BodySpec, Form, PartSpec, Pose, ShapeSpec};
use super::rows;
use super::{Scene, in_file};
use crate::ground::error::{Error, Result};
use crate::ground::lattice::snap_radius;
use crate::ground::linear::Linear;
use crate::ground::text::{Number, Numbers, named};
use crate::world::World;
use crate::world::body::{Body, ShapeId};
use crate::world::part::Part;
use crate::world::shape::Shape;

impl Scene {
    /// Builds the world of this scene: resolves names, decodes images, and checks and snaps every number.
    ///
    /// A body's index in the world is its index in [`Scene::bodies`]. An error is an [`Error::In`] that names the file,
    /// if there is one, and the shape or body. Image files are decoded one at a time.
    ///
    /// ```
    /// use std::path::Path;
    ///
    /// use hitmask::scene::Scene;
    ///
    /// let scene = Scene::parse(r#"{ "bodies": [{ "shape": "ball", "at": [0, 0] }] }"#, Path::new("."))?;
    /// assert_eq!(scene.world().unwrap_err().to_string(), "body 0 (ball): there is no shape `ball`");
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn world(&self) -> Result<World> {
        self.build().map_err(|error| in_file(self.file.as_deref(), error))
    }

    fn build(&self) -> Result<World> {
        let mut world = World::new(self.touch);
        let mut ids: HashMap<&str, ShapeId> = HashMap::with_capacity(self.shapes.len());
        let mut masks = Masks::new(&self.folder, self.shapes.iter().map(|(_, shape)| shape));
        for (name, spec) in &self.shapes {
            let id = spec.shape(&mut masks).and_then(|shape| world.add_shape(shape));
            let id = id.map_err(|error| error.of(format!("shape `{}`", named(name))))?;
            if ids.insert(name, id).is_some() {
                return Err(Error::value("shapes", format!("`{}` twice", named(name)), "have each name only once"));
            }
        }
        for (index, spec) in self.bodies.iter().enumerate() {
            let added = match ids.get(spec.shape.as_str()) {
                Some(&shape) => spec.body(shape).and_then(|body| world.add(&body).map(drop)),
                None => Err(Error::Unknown { what: format!("shape `{}`", named(&spec.shape)) }),
            };
            added.map_err(|error| self.blame(index, error))?;
        }
        Ok(world)
    }

    /// Adds the body at `index` to an error, and names the file's fields or columns.
    fn blame(&self, index: usize, error: Error) -> Error {
        // The world knows a body only by its index.
        let error = match error {
            Error::In { source, .. } => *source,
            error => error,
        };
        let error = self.bodies[index].blame(error);
        let label = self.label(index);
        match self.rows.as_ref().and_then(|rows| rows.line(index).map(|line| (rows, line))) {
            Some((rows, line)) => rows::blame(error).of(format!("{}: line {line} (body {label})", rows.file.display())),
            None => error.of(format!("body {label}")),
        }
    }
}

impl ShapeSpec {
    /// Makes the shape, checked and snapped.
    pub(super) fn shape<'a>(&'a self, masks: &mut Masks<'a>) -> Result<Shape> {
        let shape = match &self.form {
            Form::Box([w, h]) => Shape::rect(*w, *h)?,
            Form::Circle(radius) => Shape::circle(*radius)?,
            Form::Capsule { from, to, radius } => Shape::capsule(*from, *to, *radius)?,
            Form::Polygon { outline, holes, radius } if holes.is_empty() => Shape::rounded_polygon(outline, *radius)?,
            Form::Polygon { outline, holes, radius } => {
                if snap_radius("radius", *radius, 0)? != 0 {
                    return Err(Error::value("radius", Number(*radius), "be 0: the polygon has holes"));
                }
                Shape::polygon_with_holes(outline, holes)?
            }
            Form::Parts(parts) => {
                let part = |(index, PartSpec { shape, at, tag }): (usize, &'a PartSpec)| {
                    // Before an image is read.
                    if matches!(shape.form, Form::Sprite { .. }) {
                        return Err(Error::value(format!("parts[{index}]"), "a sprite", "be a shape without pixels"));
                    }
                    let shape = shape.shape(masks).map_err(|error| error.of(format!("parts[{index}]")))?;
                    Ok(Part::new(shape, *at).tagged(*tag))
                };
                Shape::parts(&parts.iter().enumerate().map(part).collect::<Result<Vec<_>>>()?)?
            }
            Form::Sprite { image, threshold, region } => Shape::sprite(masks.mask(image, *threshold, *region)?),
        };
        shape.anchored(self.anchor)
    }
}

impl BodySpec {
    /// Makes the body, with this shape.
    pub(super) fn body(&self, shape: ShapeId) -> Result<Body> {
        let body = Body::new(shape, self.at).posed(self.linear()?).moving(self.motion);
        Ok(body.filtered(self.layers, self.mask).detector(self.detector).grouped(self.group))
    }

    fn linear(&self) -> Result<Linear> {
        match self.pose {
            Pose::Turned { angle, scale, flip } => {
                if !angle.is_finite() {
                    return Err(Error::value("angle", Number(angle), "be a finite number of degrees"));
                }
                if scale.iter().any(|s| !s.is_finite()) {
                    return Err(Error::value("scale", scale_text(scale), "be finite"));
                }
                Ok(Linear::new(angle, scale, flip))
            }
            Pose::Matrix(matrix) => Ok(matrix.into()),
        }
    }

    /// Renames the fields of an error to those that this body has in a file.
    pub(super) fn blame(&self, error: Error) -> Error {
        let Error::Value { field, value, limit } = error else { return error };
        match (field.as_str(), self.pose) {
            ("linear", Pose::Turned { scale, .. }) => Error::value("scale", scale_text(scale), limit),
            ("linear", Pose::Matrix(_)) => Error::value("matrix", value, limit),
            _ => Error::value(field.replace("motion", "move"), value, limit),
        }
    }
}

fn scale_text([x, y]: [f64; 2]) -> String {
    if x == y { Number(x).to_string() } else { Numbers(&[x, y]).to_string() }
}
