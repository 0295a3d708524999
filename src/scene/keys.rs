//! The JSON keys of shapes and bodies, and the checks on which keys go together.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::model::{BodySpec, Form, Image, PartSpec, Pose, ShapeSpec};
use super::values::{self, Object};
use crate::ground::linear::Flip;
use crate::ground::text::named;
use crate::mask::DEFAULT_THRESHOLD;

impl<'de> Deserialize<'de> for ShapeSpec {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let Object(raw) = Object::<RawShape>::deserialize(d)?;
        raw.spec().map_err(serde::de::Error::custom)
    }
}

impl Serialize for ShapeSpec {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        RawShape::from(self.clone()).serialize(s)
    }
}

impl<'de> Deserialize<'de> for BodySpec {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let Object(raw) = Object::<RawBody>::deserialize(d)?;
        raw.spec().map_err(serde::de::Error::custom)
    }
}

impl Serialize for BodySpec {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        RawBody::from(self.clone()).serialize(s)
    }
}

/// A shape, key by key.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct RawShape {
    #[serde(rename = "box", deserialize_with = "values::some_pair", skip_serializing_if = "Option::is_none")]
    rect: Option<[f64; 2]>,
    #[serde(deserialize_with = "values::some", skip_serializing_if = "Option::is_none")]
    circle: Option<f64>,
    #[serde(deserialize_with = "values::some_object", skip_serializing_if = "Option::is_none")]
    capsule: Option<RawCapsule>,
    #[serde(deserialize_with = "values::some_outline", skip_serializing_if = "Option::is_none")]
    polygon: Option<Vec<[f64; 2]>>,
    #[serde(deserialize_with = "values::some_outlines", skip_serializing_if = "Option::is_none")]
    holes: Option<Vec<Vec<[f64; 2]>>>,
    #[serde(deserialize_with = "values::some", skip_serializing_if = "Option::is_none")]
    radius: Option<f64>,
    #[serde(deserialize_with = "values::some", skip_serializing_if = "Option::is_none")]
    parts: Option<Vec<RawPart>>,
    #[serde(with = "values::image", skip_serializing_if = "Option::is_none")]
    sprite: Option<Image>,
    #[serde(deserialize_with = "values::threshold", skip_serializing_if = "Option::is_none")]
    threshold: Option<u8>,
    #[serde(deserialize_with = "values::region", skip_serializing_if = "Option::is_none")]
    region: Option<[u32; 4]>,
    #[serde(deserialize_with = "values::some_pair", skip_serializing_if = "Option::is_none")]
    anchor: Option<[f64; 2]>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawCapsule {
    #[serde(deserialize_with = "values::pair")]
    from: [f64; 2],
    #[serde(deserialize_with = "values::pair")]
    to: [f64; 2],
    radius: f64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawPart {
    shape: ShapeSpec,
    #[serde(default, deserialize_with = "values::some_pair", skip_serializing_if = "Option::is_none")]
    at: Option<[f64; 2]>,
    #[serde(default, deserialize_with = "values::some", skip_serializing_if = "Option::is_none")]
    tag: Option<u32>,
}

impl RawPart {
    fn spec(self) -> PartSpec {
        PartSpec { shape: self.shape, at: self.at.unwrap_or_default(), tag: self.tag.unwrap_or_default() }
    }
}

impl From<PartSpec> for RawPart {
    fn from(PartSpec { shape, at, tag }: PartSpec) -> Self {
        Self { shape, at: Some(at).filter(|&at| at != [0.0; 2]), tag: Some(tag).filter(|&tag| tag != 0) }
    }
}

impl RawShape {
    /// Returns the shape, or a message about keys that do not go together.
    fn spec(self) -> Result<ShapeSpec, String> {
        let raw = self;
        let forms = [
            ("box", raw.rect.is_some()),
            ("circle", raw.circle.is_some()),
            ("capsule", raw.capsule.is_some()),
            ("polygon", raw.polygon.is_some()),
            ("parts", raw.parts.is_some()),
            ("sprite", raw.sprite.is_some()),
        ];
        let given: Vec<String> = forms.iter().filter(|form| form.1).map(|form| format!("`{}`", form.0)).collect();
        let [form] = given.as_slice() else {
            let given = if given.is_empty() { "none".into() } else { given.join(" and ") };
            return Err(format!(
                "a shape has exactly one of `box`, `circle`, `capsule`, `polygon`, `parts`, `sprite`; this one has \
                 {given}"
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
            RawShape { parts: Some(parts), .. } => Form::Parts(parts.into_iter().map(RawPart::spec).collect()),
            RawShape { sprite: Some(image), threshold, region, .. } => {
                Form::Sprite { image, threshold: threshold.unwrap_or(DEFAULT_THRESHOLD), region }
            }
            _ => return Err("a shape has a form".into()),
        };
        Ok(ShapeSpec { form, anchor: raw.anchor.unwrap_or_default() })
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
            Form::Parts(parts) => Self { parts: Some(parts.into_iter().map(RawPart::from).collect()), ..raw },
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
    #[serde(deserialize_with = "values::pair")]
    at: [f64; 2],
    #[serde(default, deserialize_with = "values::some", skip_serializing_if = "Option::is_none")]
    angle: Option<f64>,
    #[serde(default, with = "values::scale", skip_serializing_if = "Option::is_none")]
    scale: Option<[f64; 2]>,
    #[serde(default, with = "values::flip", skip_serializing_if = "Option::is_none")]
    flip: Option<Flip>,
    #[serde(default, deserialize_with = "values::matrix", skip_serializing_if = "Option::is_none")]
    matrix: Option<[[f64; 2]; 2]>,
    #[serde(default, rename = "move", deserialize_with = "values::some_pair", skip_serializing_if = "Option::is_none")]
    motion: Option<[f64; 2]>,
    #[serde(default, deserialize_with = "values::layers", skip_serializing_if = "Option::is_none")]
    layer: Option<u32>,
    #[serde(default, deserialize_with = "values::layers", skip_serializing_if = "Option::is_none")]
    hits: Option<u32>,
    #[serde(default, deserialize_with = "values::some", skip_serializing_if = "Option::is_none")]
    detector: Option<bool>,
    #[serde(default, deserialize_with = "values::layers", skip_serializing_if = "Option::is_none")]
    group: Option<u32>,
    #[serde(default, deserialize_with = "values::some", skip_serializing_if = "Option::is_none")]
    name: Option<String>,
}

impl RawBody {
    /// Returns the body, or a message about keys that do not go together.
    fn spec(self) -> Result<BodySpec, String> {
        let raw = self;
        let pose = match raw.matrix {
            Some(matrix) => {
                let keys =
                    [("angle", raw.angle.is_some()), ("scale", raw.scale.is_some()), ("flip", raw.flip.is_some())];
                if let Some((key, _)) = keys.iter().find(|key| key.1) {
                    let name = raw.name.map_or_else(String::new, |name| format!(" (body `{}`)", named(&name)));
                    return Err(format!(
                        "`matrix` replaces `angle`, `scale` and `flip`, but `{key}` is given as well{name}"
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
        Ok(BodySpec {
            shape: raw.shape,
            at: raw.at,
            pose,
            motion: raw.motion.unwrap_or_default(),
            layers: raw.layer.unwrap_or(1),
            mask: raw.hits.unwrap_or(u32::MAX),
            detector: raw.detector.unwrap_or(false),
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
            layer: Some(spec.layers).filter(|&layer| layer != 1),
            hits: Some(spec.mask).filter(|&hits| hits != u32::MAX),
            detector: spec.detector.then_some(true),
            group: Some(spec.group).filter(|&group| group != 0),
            name: spec.name,
        }
    }
}
