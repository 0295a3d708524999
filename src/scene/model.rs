//! What a scene file is made of, as it is written: shapes and bodies before they are checked and snapped.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::masks::Masks;
use super::read::{self, Object};
use crate::ground::error::{Error, Result};
use crate::ground::lattice::{RADIUS, snap};
use crate::ground::linear::{Flip, Linear};
use crate::ground::text::{Number, Numbers, named};
use crate::world::body::{Body, ShapeId};
use crate::world::mask::DEFAULT_THRESHOLD;
use crate::world::shape::Shape;

/// A shape as it is written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Object<RawShape>", into = "RawShape")]
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Object<RawBody>", into = "RawBody")]
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

    /// The shape, checked and snapped.
    pub(super) fn shape<'a>(&'a self, masks: &mut Masks<'a>) -> Result<Shape> {
        let shape = match &self.form {
            Form::Box([w, h]) => Shape::rect(*w, *h)?,
            Form::Circle(radius) => Shape::circle(*radius)?,
            Form::Capsule { from, to, radius } => Shape::capsule(*from, *to, *radius)?,
            Form::Polygon { outline, holes, radius } if holes.is_empty() => Shape::rounded(outline, *radius)?,
            Form::Polygon { outline, holes, radius } => {
                if snap("radius", *radius, RADIUS)? != 0 {
                    return Err(Error::value("radius", Number(*radius), "be 0: the polygon has holes"));
                }
                Shape::polygon_with_holes(outline, holes)?
            }
            Form::Sprite { image, threshold, region } => Shape::sprite(masks.mask(image, *threshold, *region)?),
        };
        shape.anchored(self.anchor)
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

    /// The body, with this shape.
    pub(super) fn body(&self, shape: ShapeId) -> Result<Body> {
        let body = Body::new(shape, self.at).posed(self.linear()?).moving(self.motion);
        Ok(body.filtered(self.layer, self.hits).grouped(self.group))
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

    /// The error in this body's words, which names fields as a file does.
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

/// A shape, key by key.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct RawShape {
    #[serde(rename = "box", deserialize_with = "read::some_pair", skip_serializing_if = "Option::is_none")]
    rect: Option<[f64; 2]>,
    #[serde(deserialize_with = "read::some", skip_serializing_if = "Option::is_none")]
    circle: Option<f64>,
    #[serde(deserialize_with = "read::some_object", skip_serializing_if = "Option::is_none")]
    capsule: Option<RawCapsule>,
    #[serde(deserialize_with = "read::some_outline", skip_serializing_if = "Option::is_none")]
    polygon: Option<Vec<[f64; 2]>>,
    #[serde(deserialize_with = "read::some_outlines", skip_serializing_if = "Option::is_none")]
    holes: Option<Vec<Vec<[f64; 2]>>>,
    #[serde(deserialize_with = "read::some", skip_serializing_if = "Option::is_none")]
    radius: Option<f64>,
    #[serde(with = "read::image", skip_serializing_if = "Option::is_none")]
    sprite: Option<Image>,
    #[serde(deserialize_with = "read::threshold", skip_serializing_if = "Option::is_none")]
    threshold: Option<u8>,
    #[serde(deserialize_with = "read::region", skip_serializing_if = "Option::is_none")]
    region: Option<[u32; 4]>,
    #[serde(deserialize_with = "read::some_pair", skip_serializing_if = "Option::is_none")]
    anchor: Option<[f64; 2]>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawCapsule {
    #[serde(deserialize_with = "read::pair")]
    from: [f64; 2],
    #[serde(deserialize_with = "read::pair")]
    to: [f64; 2],
    radius: f64,
}

impl TryFrom<Object<RawShape>> for ShapeSpec {
    type Error = String;

    fn try_from(Object(raw): Object<RawShape>) -> std::result::Result<Self, String> {
        let forms = [
            ("box", raw.rect.is_some()),
            ("circle", raw.circle.is_some()),
            ("capsule", raw.capsule.is_some()),
            ("polygon", raw.polygon.is_some()),
            ("sprite", raw.sprite.is_some()),
        ];
        let given: Vec<String> = forms.iter().filter(|form| form.1).map(|form| format!("`{}`", form.0)).collect();
        let [form] = given.as_slice() else {
            let given = if given.is_empty() { "none".into() } else { given.join(" and ") };
            return Err(format!(
                "a shape has exactly one of `box`, `circle`, `capsule`, `polygon`, `sprite`; this has {given}"
            ));
        };
        let extras = [
            ("holes", "polygon", raw.holes.is_some()),
            ("radius", "polygon", raw.radius.is_some()),
            ("threshold", "sprite", raw.threshold.is_some()),
            ("region", "sprite", raw.region.is_some()),
        ];
        for (key, of, given) in extras {
            if given && *form != format!("`{of}`") {
                return Err(format!("`{key}` goes with `{of}`; this is a {form}"));
            }
        }
        let form = match raw {
            RawShape { rect: Some(sides), .. } => Form::Box(sides),
            RawShape { circle: Some(radius), .. } => Form::Circle(radius),
            RawShape { capsule: Some(RawCapsule { from, to, radius }), .. } => Form::Capsule { from, to, radius },
            RawShape { polygon: Some(outline), holes, radius, .. } => {
                Form::Polygon { outline, holes: holes.unwrap_or_default(), radius: radius.unwrap_or(0.0) }
            }
            RawShape { sprite: Some(image), threshold, region, .. } => {
                Form::Sprite { image, threshold: threshold.unwrap_or(DEFAULT_THRESHOLD), region }
            }
            _ => return Err("a shape has a form".into()),
        };
        Ok(Self { form, anchor: raw.anchor.unwrap_or_default() })
    }
}

impl From<ShapeSpec> for RawShape {
    fn from(spec: ShapeSpec) -> Self {
        let raw = Self { anchor: Some(spec.anchor).filter(|&anchor| anchor != [0.0; 2]), ..Self::default() };
        match spec.form {
            Form::Box(sides) => Self { rect: Some(sides), ..raw },
            Form::Circle(radius) => Self { circle: Some(radius), ..raw },
            Form::Capsule { from, to, radius } => Self { capsule: Some(RawCapsule { from, to, radius }), ..raw },
            Form::Polygon { outline, holes, radius } => Self {
                polygon: Some(outline),
                holes: Some(holes).filter(|holes| !holes.is_empty()),
                radius: Some(radius).filter(|&radius| radius != 0.0),
                ..raw
            },
            Form::Sprite { image, threshold, region } => Self {
                sprite: Some(image),
                threshold: Some(threshold).filter(|&threshold| threshold != DEFAULT_THRESHOLD),
                region,
                ..raw
            },
        }
    }
}

/// A body, key by key.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawBody {
    shape: String,
    #[serde(deserialize_with = "read::pair")]
    at: [f64; 2],
    #[serde(default, deserialize_with = "read::some", skip_serializing_if = "Option::is_none")]
    angle: Option<f64>,
    #[serde(default, with = "read::scale", skip_serializing_if = "Option::is_none")]
    scale: Option<[f64; 2]>,
    #[serde(default, with = "read::flip", skip_serializing_if = "Option::is_none")]
    flip: Option<Flip>,
    #[serde(default, deserialize_with = "read::matrix", skip_serializing_if = "Option::is_none")]
    matrix: Option<[[f64; 2]; 2]>,
    #[serde(default, rename = "move", deserialize_with = "read::some_pair", skip_serializing_if = "Option::is_none")]
    motion: Option<[f64; 2]>,
    #[serde(default, deserialize_with = "read::layers", skip_serializing_if = "Option::is_none")]
    layer: Option<u32>,
    #[serde(default, deserialize_with = "read::layers", skip_serializing_if = "Option::is_none")]
    hits: Option<u32>,
    #[serde(default, deserialize_with = "read::layers", skip_serializing_if = "Option::is_none")]
    group: Option<u32>,
    #[serde(default, deserialize_with = "read::some", skip_serializing_if = "Option::is_none")]
    name: Option<String>,
}

impl TryFrom<Object<RawBody>> for BodySpec {
    type Error = String;

    fn try_from(Object(raw): Object<RawBody>) -> std::result::Result<Self, String> {
        let pose = match raw.matrix {
            Some(matrix) => {
                let keys =
                    [("angle", raw.angle.is_some()), ("scale", raw.scale.is_some()), ("flip", raw.flip.is_some())];
                if let Some((key, _)) = keys.iter().find(|key| key.1) {
                    let name = raw.name.map_or_else(String::new, |name| format!(" (body `{}`)", named(&name)));
                    return Err(format!(
                        "`matrix` stands instead of `angle`, `scale` and `flip`; here is `{key}` as well{name}"
                    ));
                }
                Pose::Matrix(matrix)
            }
            None => Pose::Turned {
                angle: raw.angle.unwrap_or(0.0),
                scale: raw.scale.unwrap_or([1.0; 2]),
                flip: raw.flip.unwrap_or_default(),
            },
        };
        Ok(Self {
            shape: raw.shape,
            at: raw.at,
            pose,
            motion: raw.motion.unwrap_or_default(),
            layer: raw.layer.unwrap_or(1),
            hits: raw.hits.unwrap_or(u32::MAX),
            group: raw.group.unwrap_or(0),
            name: raw.name,
        })
    }
}

impl From<BodySpec> for RawBody {
    fn from(spec: BodySpec) -> Self {
        let (angle, scale, flip, matrix) = match spec.pose {
            Pose::Turned { angle, scale, flip } => (
                Some(angle).filter(|&angle| angle != 0.0),
                Some(scale).filter(|&scale| scale != [1.0; 2]),
                Some(flip).filter(|&flip| flip != Flip::default()),
                None,
            ),
            Pose::Matrix(matrix) => (None, None, None, Some(matrix)),
        };
        Self {
            shape: spec.shape,
            at: spec.at,
            angle,
            scale,
            flip,
            matrix,
            motion: Some(spec.motion).filter(|&motion| motion != [0.0; 2]),
            layer: Some(spec.layer).filter(|&layer| layer != 1),
            hits: Some(spec.hits).filter(|&hits| hits != u32::MAX),
            group: Some(spec.group).filter(|&group| group != 0),
            name: spec.name,
        }
    }
}
