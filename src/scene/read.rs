//! The text of a scene: numbers, lists of a certain length, and errors that say where.

use std::collections::HashSet;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{self, Deserialize, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Unexpected, Visitor};

use super::model::{BodySpec, ShapeSpec};
use super::queries::QuerySpec;
use crate::ground::linear::Flip;
use crate::ground::touch::Touch;

/// The version of the format.
const VERSION: u64 = 1;

/// A scene file, before its CSV file is read.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Text {
    #[serde(default, rename = "version", deserialize_with = "version")]
    _version: (),
    #[serde(default, deserialize_with = "touch")]
    pub(super) touch: Touch,
    #[serde(default, deserialize_with = "shapes")]
    pub(super) shapes: Vec<(String, ShapeSpec)>,
    #[serde(default)]
    pub(super) bodies: Vec<BodySpec>,
    #[serde(default, deserialize_with = "some")]
    pub(super) bodies_csv: Option<String>,
    #[serde(default)]
    pub(super) queries: Vec<QuerySpec>,
}

/// Reads a scene; else what is wrong, with the path to it ("bodies[3].at") and line and column.
pub(super) fn scene(json: &str) -> Result<Text, String> {
    // Following the path costs an allocation a key: only once something is wrong.
    serde_json::from_str(json).map(|Object(text)| text).or_else(|_| {
        let mut text = serde_json::Deserializer::from_str(json);
        let Object(scene) = serde_path_to_error::deserialize(&mut text).map_err(|error| {
            let path = error.path().to_string();
            let path = if path == "." { String::new() } else { format!("{}: ", super::printable(&path)) };
            format!("{path}{}", super::printable(&error.inner().to_string()))
        })?;
        text.end().map_err(|error| error.to_string())?;
        Ok(scene)
    })
}

/// What is written as an object: what serde derives would also take a list of the values alone.
pub(super) struct Object<T>(pub(super) T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        struct Keys<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Keys<T> {
            type Value = Object<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                T::deserialize(de::value::MapAccessDeserializer::new(map)).map(Object)
            }
        }
        d.deserialize_map(Keys(PhantomData))
    }
}

pub(super) fn some_object<'de, D: Deserializer<'de>, T: Deserialize<'de>>(d: D) -> Result<Option<T>, D::Error> {
    Object::deserialize(d).map(|object| Some(object.0))
}

/// What is there, where `null` is not nothing but a wrong type.
pub(super) fn some<'de, D: Deserializer<'de>, T: Deserialize<'de>>(d: D) -> Result<Option<T>, D::Error> {
    T::deserialize(d).map(Some)
}

/// A list of exactly `N`.
struct Exactly<T, const N: usize>([T; N]);

impl<'de, T: Deserialize<'de> + Copy + Default, const N: usize> Deserialize<'de> for Exactly<T, N> {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        struct List<T, const N: usize>(PhantomData<T>);
        impl<'de, T: Deserialize<'de> + Copy + Default, const N: usize> Visitor<'de> for List<T, N> {
            type Value = Exactly<T, N>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a list of {N}")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
                let mut list = [T::default(); N];
                for (i, value) in list.iter_mut().enumerate() {
                    *value = seq.next_element()?.ok_or_else(|| A::Error::invalid_length(i, &self))?;
                }
                let mut more = 0;
                while seq.next_element::<IgnoredAny>()?.is_some() {
                    more += 1;
                }
                if more == 0 { Ok(Exactly(list)) } else { Err(A::Error::invalid_length(N + more, &self)) }
            }
        }
        d.deserialize_seq(List(PhantomData))
    }
}

type Pair = Exactly<f64, 2>;

fn pairs(list: Vec<Pair>) -> Vec<[f64; 2]> {
    list.into_iter().map(|pair| pair.0).collect()
}

pub(super) fn pair<'de, D: Deserializer<'de>>(d: D) -> Result<[f64; 2], D::Error> {
    Pair::deserialize(d).map(|pair| pair.0)
}

pub(super) fn some_pair<'de, D: Deserializer<'de>>(d: D) -> Result<Option<[f64; 2]>, D::Error> {
    pair(d).map(Some)
}

pub(super) fn some_outline<'de, D: Deserializer<'de>>(d: D) -> Result<Option<Vec<[f64; 2]>>, D::Error> {
    Vec::deserialize(d).map(|outline| Some(pairs(outline)))
}

#[expect(clippy::type_complexity, reason = "a list of outlines that may be absent is just that")]
pub(super) fn some_outlines<'de, D: Deserializer<'de>>(d: D) -> Result<Option<Vec<Vec<[f64; 2]>>>, D::Error> {
    Vec::<Vec<Pair>>::deserialize(d).map(|outlines| Some(outlines.into_iter().map(pairs).collect()))
}

pub(super) fn region<'de, D: Deserializer<'de>>(d: D) -> Result<Option<[u32; 4]>, D::Error> {
    Exactly::<u32, 4>::deserialize(d).map(|list| Some(list.0))
}

pub(super) fn matrix<'de, D: Deserializer<'de>>(d: D) -> Result<Option<[[f64; 2]; 2]>, D::Error> {
    Exactly::<Row, 2>::deserialize(d).map(|rows| Some(rows.0.map(|row| row.0)))
}

/// A row of a matrix.
#[derive(Clone, Copy, Default)]
struct Row([f64; 2]);

impl<'de> Deserialize<'de> for Row {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        pair(d).map(Self)
    }
}

/// A whole number within limits.
struct Whole {
    min: u64,
    max: u64,
}

impl Visitor<'_> for Whole {
    type Value = u64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a whole number within {} to {}", self.min, self.max)
    }

    fn visit_u64<E: de::Error>(self, v: u64) -> Result<u64, E> {
        let within = (self.min..=self.max).contains(&v);
        if within { Ok(v) } else { Err(E::invalid_value(Unexpected::Unsigned(v), &self)) }
    }

    fn visit_i64<E: de::Error>(self, v: i64) -> Result<u64, E> {
        Err(E::invalid_value(Unexpected::Signed(v), &self))
    }
}

pub(super) fn threshold<'de, D: Deserializer<'de>>(d: D) -> Result<Option<u8>, D::Error> {
    d.deserialize_u64(Whole { min: 1, max: 255 }).map(|v| Some(v as u8))
}

pub(super) fn layers<'de, D: Deserializer<'de>>(d: D) -> Result<Option<u32>, D::Error> {
    d.deserialize_u64(Whole { min: 0, max: u32::MAX.into() }).map(|v| Some(v as u32))
}

fn version<'de, D: Deserializer<'de>>(d: D) -> Result<(), D::Error> {
    struct Version;
    impl Visitor<'_> for Version {
        type Value = ();

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "version {VERSION}, the only one that this program knows")
        }

        fn visit_u64<E: de::Error>(self, v: u64) -> Result<(), E> {
            if v == VERSION { Ok(()) } else { Err(E::invalid_value(Unexpected::Unsigned(v), &self)) }
        }
    }
    d.deserialize_u64(Version)
}

fn touch<'de, D: Deserializer<'de>>(d: D) -> Result<Touch, D::Error> {
    d.deserialize_str(Named([("excluded", Touch::Excluded), ("included", Touch::Included)]))
}

/// One of these names, for what it stands for.
struct Named<T, const N: usize>([(&'static str, T); N]);

impl<T: Copy, const N: usize> Visitor<'_> for Named<T, N> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "one of {}", self.0.each_ref().map(|known| format!("{:?}", known.0)).join(", "))
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<T, E> {
        let known = self.0.iter().find(|known| known.0 == name);
        known.map(|known| known.1).ok_or_else(|| E::invalid_value(Unexpected::Str(name), &self))
    }
}

fn shapes<'de, D: Deserializer<'de>>(d: D) -> Result<Vec<(String, ShapeSpec)>, D::Error> {
    struct Shapes;
    impl<'de> Visitor<'de> for Shapes {
        type Value = Vec<(String, ShapeSpec)>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object of shapes by name")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let (mut shapes, mut names) = (Vec::new(), HashSet::new());
            while let Some(name) = map.next_key::<String>()? {
                if !names.insert(name.clone()) {
                    let name = super::printable(&name);
                    return Err(A::Error::custom(format_args!("the shape `{name}` is there twice")));
                }
                shapes.push((name, map.next_value()?));
            }
            Ok(shapes)
        }
    }
    d.deserialize_map(Shapes)
}

/// A number, or a number for x and one for y.
pub(super) mod scale {
    use super::{Exactly, SeqAccess, Visitor, de, fmt};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Option<[f64; 2]>, D::Error> {
        struct Scale;
        impl<'de> Visitor<'de> for Scale {
            type Value = [f64; 2];

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number or a list of 2")
            }

            fn visit_f64<E: de::Error>(self, v: f64) -> Result<[f64; 2], E> {
                Ok([v; 2])
            }

            fn visit_u64<E: de::Error>(self, v: u64) -> Result<[f64; 2], E> {
                Ok([v as f64; 2])
            }

            fn visit_i64<E: de::Error>(self, v: i64) -> Result<[f64; 2], E> {
                Ok([v as f64; 2])
            }

            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<[f64; 2], A::Error> {
                Exactly::<f64, 2>::deserialize(de::value::SeqAccessDeserializer::new(seq)).map(|list| list.0)
            }
        }
        d.deserialize_any(Scale).map(Some)
    }

    #[expect(clippy::ref_option, reason = "the signature is serde's")]
    pub(in super::super) fn serialize<S: Serializer>(scale: &Option<[f64; 2]>, s: S) -> Result<S::Ok, S::Error> {
        match scale {
            Some([x, y]) if x == y => x.serialize(s),
            scale => scale.serialize(s),
        }
    }
}

/// `""`, `"x"`, `"y"` or `"xy"`.
pub(super) mod flip {
    use super::{Flip, Named};
    use serde::{Deserializer, Serializer};

    const NAMES: [(&str, Flip); 4] = [
        ("", Flip { x: false, y: false }),
        ("x", Flip { x: true, y: false }),
        ("y", Flip { x: false, y: true }),
        ("xy", Flip { x: true, y: true }),
    ];

    /// The flip of this name.
    pub(in super::super) fn named(name: &str) -> Option<Flip> {
        NAMES.iter().find(|known| known.0 == name).map(|known| known.1)
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Option<Flip>, D::Error> {
        d.deserialize_str(Named(NAMES)).map(Some)
    }

    #[expect(clippy::ref_option, clippy::trivially_copy_pass_by_ref, reason = "the signature is serde's")]
    pub(in super::super) fn serialize<S: Serializer>(flip: &Option<Flip>, s: S) -> Result<S::Ok, S::Error> {
        let name = NAMES.iter().find(|known| Some(known.1) == *flip).map_or("", |known| known.0);
        s.serialize_str(name)
    }
}

/// A path, or `{ "rows": [...] }`.
pub(super) mod image {
    use super::super::model::Image;
    use super::{MapAccess, Visitor, de, fmt};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Rows {
        rows: Vec<String>,
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Option<Image>, D::Error> {
        struct Source;
        impl<'de> Visitor<'de> for Source {
            type Value = Image;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(r#"an image's path or { "rows": [...] }"#)
            }

            fn visit_str<E: de::Error>(self, path: &str) -> Result<Image, E> {
                Ok(Image::File(path.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Image, A::Error> {
                Rows::deserialize(de::value::MapAccessDeserializer::new(map)).map(|rows| Image::Rows(rows.rows))
            }
        }
        d.deserialize_any(Source).map(Some)
    }

    #[expect(clippy::ref_option, reason = "the signature is serde's")]
    pub(in super::super) fn serialize<S: Serializer>(image: &Option<Image>, s: S) -> Result<S::Ok, S::Error> {
        match image {
            Some(Image::File(path)) => path.serialize(s),
            Some(Image::Rows(rows)) => Rows { rows: rows.clone() }.serialize(s),
            None => s.serialize_none(),
        }
    }
}
