//! The contents of a scene file as written: shapes and bodies before they are checked and snapped.

use std::path::Path;

use crate::ground::linear::Flip;

/// A shape as written in a file.
#[derive(Clone, Debug, PartialEq)]
pub struct ShapeSpec {
    /// The geometry.
    pub form: Form,
    /// The local point that is placed at a body's position, in units; `[0, 0]` by default.
    pub anchor: [f64; 2],
}

/// The geometry of a shape, in units.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// A box with this width and height, and its top-left corner at the local origin.
    Box([f64; 2]),
    /// A circle with this radius, around the local origin.
    Circle(f64),
    /// A capsule: all points within a distance of a segment.
    Capsule {
        /// One end of the segment.
        from: [f64; 2],
        /// The other end of the segment.
        to: [f64; 2],
        /// The distance; 0 for the segment itself.
        radius: f64,
    },
    /// A polygon, with holes or with a radius.
    Polygon {
        /// The outline.
        outline: Vec<[f64; 2]>,
        /// The holes.
        holes: Vec<Vec<[f64; 2]>>,
        /// The distance by which the polygon is inflated; 0 if it has holes.
        radius: f64,
    },
    /// Several parts, each by itself.
    Parts(Vec<PartSpec>),
    /// The solid texels of an image.
    Sprite {
        /// The image.
        image: Image,
        /// The least alpha of a solid texel, 1 to 255.
        threshold: u8,
        /// The part of the image to use, `[x, y, width, height]` in texels.
        region: Option<[u32; 4]>,
    },
}

/// A part of a shape.
#[derive(Clone, Debug, PartialEq)]
pub struct PartSpec {
    /// The shape: any but a sprite or one of several parts.
    pub shape: ShapeSpec,
    /// The place of its anchor, in units.
    pub at: [f64; 2],
    /// The tag; 0 by default.
    pub tag: u32,
}

/// The image of a sprite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Image {
    /// A file, relative to the scene's folder.
    File(String),
    /// Rows of text: `#` has alpha 255, `.` has alpha 0.
    Rows(Vec<String>),
}

/// A body as written in a file.
#[derive(Clone, Debug, PartialEq)]
pub struct BodySpec {
    /// The name of its shape.
    pub shape: String,
    /// The position of the shape's anchor, in units.
    pub at: [f64; 2],
    /// The rotation, scale and flip.
    pub pose: Pose,
    /// Its motion within the step, in units.
    pub motion: [f64; 2],
    /// The layers that it is on.
    pub layers: u32,
    /// The layers that it hits.
    pub mask: u32,
    /// True if it is a detector.
    pub detector: bool,
    /// Its group; 0 is none.
    pub group: u32,
    /// A name for people; in a replay it identifies the body.
    pub name: Option<String>,
}

/// The rotation, scale and flip of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pose {
    /// Rotation, scale and flip, applied in the order flip, scale, rotation.
    Turned {
        /// The angle in degrees, from +x toward +y.
        angle: f64,
        /// The factors in x and in y; 0 makes the body empty.
        scale: [f64; 2],
        /// The mirroring.
        flip: Flip,
    },
    /// The matrix `[[a, b], [c, d]]`.
    Matrix([[f64; 2]; 2]),
}

impl Default for Pose {
    fn default() -> Self {
        Self::Turned { angle: 0.0, scale: [1.0; 2], flip: Flip::default() }
    }
}

impl ShapeSpec {
    /// Makes a shape with this geometry, anchored at its local origin.
    ///
    /// ```
    /// use hitmask::scene::{Form, ShapeSpec};
    ///
    /// assert_eq!(ShapeSpec::new(Form::Circle(2.0)).anchor, [0.0; 2]);
    /// ```
    #[must_use]
    pub fn new(form: Form) -> Self {
        Self { form, anchor: [0.0; 2] }
    }

    /// Returns its image, if it is a sprite.
    pub(super) fn image(&self) -> Option<&Image> {
        match &self.form {
            Form::Sprite { image, .. } => Some(image),
            _ => None,
        }
    }

    /// Returns this shape with its image's path joined to `folder`.
    pub(super) fn within(mut self, folder: &Path) -> Self {
        if let Form::Sprite { image: Image::File(path), .. } = &mut self.form {
            *path = folder.join(&*path).to_string_lossy().into_owned();
        }
        self
    }
}

impl BodySpec {
    /// Makes a body of the named shape at a position in units: unturned, at rest, on layer 1, hitting all layers, in no
    /// group and without a name.
    ///
    /// ```
    /// use hitmask::scene::{BodySpec, Pose};
    ///
    /// let body = BodySpec::new("ship", [3.0, 4.0]);
    /// assert_eq!((body.layers, body.mask, body.pose), (1, u32::MAX, Pose::default()));
    /// ```
    #[must_use]
    pub fn new(shape: impl Into<String>, at: [f64; 2]) -> Self {
        let (pose, motion) = (Pose::default(), [0.0; 2]);
        let (layers, mask, detector, group) = (1, u32::MAX, false, 0);
        Self { shape: shape.into(), at, pose, motion, layers, mask, detector, group, name: None }
    }
}
