//! What a scene file is made of, as it is written: shapes and bodies before they are checked and snapped.

use std::path::Path;

use crate::ground::linear::Flip;

/// A shape as it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct ShapeSpec {
    /// What it is.
    pub form: Form,
    /// The local point that lands at a body's position, in units; by default `[0, 0]`.
    pub anchor: [f64; 2],
}

/// What a shape is, in units.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// Width and height.
    Box([f64; 2]),
    /// The radius.
    Circle(f64),
    /// All points within a distance of a segment.
    Capsule {
        /// The one end.
        from: [f64; 2],
        /// The other end.
        to: [f64; 2],
        /// The distance.
        radius: f64,
    },
    /// A polygon.
    Polygon {
        /// Its outline.
        outline: Vec<[f64; 2]>,
        /// Its holes.
        holes: Vec<Vec<[f64; 2]>>,
        /// By how much it is inflated.
        radius: f64,
    },
    /// The solid texels of an image.
    Sprite {
        /// The image.
        image: Image,
        /// The least alpha of a solid texel, 1 to 255.
        threshold: u8,
        /// The part of the image that counts, `[x, y, width, height]` in texels.
        region: Option<[u32; 4]>,
    },
}

/// The image of a sprite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Image {
    /// A file, relative to the scene's.
    File(String),
    /// Rows of text: `#` has alpha 255, `.` has alpha 0.
    Rows(Vec<String>),
}

/// A body as it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct BodySpec {
    /// The name of its shape.
    pub shape: String,
    /// Where the shape's anchor lands, in units.
    pub at: [f64; 2],
    /// How it is turned, scaled and flipped.
    pub pose: Pose,
    /// Its motion within the step, in units.
    pub motion: [f64; 2],
    /// The layers that it is on.
    pub layer: u32,
    /// The layers that it hits.
    pub hits: u32,
    /// Its group; 0 is none.
    pub group: u32,
    /// Free text for people.
    pub name: Option<String>,
}

/// How a body is turned, scaled and flipped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pose {
    /// Flip, then scale, then rotate.
    Turned {
        /// In degrees, +x toward +y.
        angle: f64,
        /// In x and in y; 0 makes the body empty.
        scale: [f64; 2],
        /// Mirroring.
        flip: Flip,
    },
    /// `[[a, b], [c, d]]`.
    Matrix([[f64; 2]; 2]),
}

impl Default for Pose {
    fn default() -> Self {
        Self::Turned { angle: 0.0, scale: [1.0; 2], flip: Flip::default() }
    }
}

impl ShapeSpec {
    /// A shape of this form, anchored at its local origin.
    #[must_use]
    pub fn new(form: Form) -> Self {
        Self { form, anchor: [0.0; 2] }
    }

    /// This shape, its image's path no longer relative to `folder`.
    pub(super) fn within(mut self, folder: &Path) -> Self {
        if let Form::Sprite { image: Image::File(path), .. } = &mut self.form {
            *path = folder.join(&*path).to_string_lossy().into_owned();
        }
        self
    }
}

impl BodySpec {
    /// A body of the shape with this name at a position in units: unturned, at rest, on layer 1, hitting all, without a name.
    #[must_use]
    pub fn new(shape: impl Into<String>, at: [f64; 2]) -> Self {
        let (pose, motion) = (Pose::default(), [0.0; 2]);
        Self { shape: shape.into(), at, pose, motion, layer: 1, hits: u32::MAX, group: 0, name: None }
    }
}
