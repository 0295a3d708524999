//! JSON values: numbers within limits, lists of a fixed length or limited by memory, names, and values that may be
//! written in two ways.

use std::fmt;
use std::marker::PhantomData;

use serde::de::Error as _;
use serde::de::{self, Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Unexpected, Visitor};

use super::model::Image;
use crate::ground::linear::Flip;
use crate::ground::memory::{Need, Room};

/// A value that must be written as an object. Code derived by serde would also accept a list of the values alone.
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

/// Deserializes a present value; `null` is a type error, not absence.
pub(super) fn some<'de, D: Deserializer<'de>, T: Deserialize<'de>>(d: D) -> Result<Option<T>, D::Error> {
    T::deserialize(d).map(Some)
}

/// A list of exactly `N` elements.
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

/// Any other list. A row of a sprite needs further memory for its texels.
const LISTS: Need = Need { what: "a list", advice: "split it over several scenes", beside: 32 };

/// A list of any length, limited only by memory.
pub(super) struct Listed<T>(PhantomData<T>, Need);

impl<T> Listed<T> {
    pub(super) fn new(need: Need) -> Self {
        Self(PhantomData, need)
    }
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for Listed<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Vec<T>, A::Error> {
        let (room, mut list) = (Room::default(), Vec::new());
        while let Some(element) = seq.next_element()? {
            room.reserve(&mut list, 1, self.1).map_err(A::Error::custom)?;
            list.push(element);
        }
        Ok(list)
    }
}

/// A list of any length within another value.
struct List<T>(Vec<T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        d.deserialize_seq(Listed::new(LISTS)).map(Self)
    }
}

type Pair = Exactly<f64, 2>;

fn pairs(List(list): List<Pair>) -> Vec<[f64; 2]> {
    list.into_iter().map(|pair| pair.0).collect()
}

pub(super) fn pair<'de, D: Deserializer<'de>>(d: D) -> Result<[f64; 2], D::Error> {
    Pair::deserialize(d).map(|pair| pair.0)
}

pub(super) fn some_pair<'de, D: Deserializer<'de>>(d: D) -> Result<Option<[f64; 2]>, D::Error> {
    pair(d).map(Some)
}

pub(super) fn some_outline<'de, D: Deserializer<'de>>(d: D) -> Result<Option<Vec<[f64; 2]>>, D::Error> {
    List::deserialize(d).map(|outline| Some(pairs(outline)))
}

#[expect(clippy::type_complexity, reason = "a list of outlines that may be absent is just that")]
pub(super) fn some_outlines<'de, D: Deserializer<'de>>(d: D) -> Result<Option<Vec<Vec<[f64; 2]>>>, D::Error> {
    List::deserialize(d).map(|List(outlines)| Some(outlines.into_iter().map(pairs).collect()))
}

/// Deserializes a list of two whole numbers. Values that do not fit in an `i32` are clamped; either way they lie
/// outside every mask.
pub(super) fn whole_pair<'de, D: Deserializer<'de>>(d: D) -> Result<[i32; 2], D::Error> {
    let near = |v: i64| v.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
    Exactly::<i64, 2>::deserialize(d).map(|pair| pair.0.map(near))
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
        write!(f, "a whole number from {} to {}", self.min, self.max)
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

/// A set of names and the value of each.
pub(super) struct Named<T, const N: usize>(pub(super) [(&'static str, T); N]);

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

/// A scale: one number, or one for x and one for y.
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

/// A flip: `""`, `"x"`, `"y"` or `"xy"`.
pub(super) mod flip {
    use super::{Flip, Named};
    use serde::{Deserializer, Serializer};

    const NAMES: [(&str, Flip); 4] = [
        ("", Flip { x: false, y: false }),
        ("x", Flip { x: true, y: false }),
        ("y", Flip { x: false, y: true }),
        ("xy", Flip { x: true, y: true }),
    ];

    /// Returns the flip of this name.
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

/// An image: a path, or `{ "rows": [...] }`.
pub(super) mod image {
    use super::{Image, List, MapAccess, Visitor, de, fmt};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Rows {
        #[serde(deserialize_with = "rows")]
        rows: Vec<String>,
    }

    fn rows<'de, D: Deserializer<'de>>(d: D) -> Result<Vec<String>, D::Error> {
        List::deserialize(d).map(|list| list.0)
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
