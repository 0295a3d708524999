//! Tiled's JSON, where it does not have the form of its model: properties and tiles.

use std::fmt;

use serde::de::value::SeqAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error as _, SeqAccess, Visitor};
use serde_json::Value as Json;

use super::model::Data;
use crate::level::properties::{Properties, Value, untyped};

#[derive(serde::Deserialize)]
struct Property {
    name: String,
    #[serde(rename = "type")]
    kind: Option<String>,
    #[serde(default)]
    value: Json,
}

/// Reads a list of properties.
pub(super) fn properties<'de, D: Deserializer<'de>>(from: D) -> std::result::Result<Properties, D::Error> {
    let list = Vec::<Property>::deserialize(from)?;
    let read = |Property { name, kind, value }: Property| {
        let value = typed(kind.as_deref(), value)
            .map_err(|kind| D::Error::custom(format!("the property {} is no {kind}", crate::error::quoted(&name))))?;
        Ok((name, value))
    };
    list.into_iter().map(read).collect()
}

/// Returns a value of a type, or the name of the type that it does not have.
fn typed(kind: Option<&str>, value: Json) -> std::result::Result<Value, String> {
    Ok(match (kind, value) {
        (Some("float"), Json::Number(number)) => Value::Float(number.as_f64().ok_or("float")?),
        (Some("object"), Json::Number(number)) => Value::Object(number.as_i64().ok_or("object")?),
        (Some("file"), Json::String(text)) => Value::File(text),
        (Some("list"), Json::Array(items)) => {
            let items = items.into_iter().map(|item| match item {
                Json::Object(mut item) if item.contains_key("value") => {
                    let value = item.remove("value").unwrap_or_default();
                    typed(item.get("type").and_then(Json::as_str), value)
                }
                other => typed(None, other),
            });
            Value::List(items.collect::<std::result::Result<_, _>>()?)
        }
        (Some(kind @ ("int" | "bool" | "float" | "object" | "file" | "list")), value) => match (kind, untyped(value)) {
            ("int", value @ Value::Int(_)) | ("bool", value @ Value::Bool(_)) => value,
            _ => return Err(kind.to_owned()),
        },
        (_, value) => untyped(value),
    })
}

impl<'de> Deserialize<'de> for Data {
    fn deserialize<D: Deserializer<'de>>(from: D) -> std::result::Result<Self, D::Error> {
        struct Either;

        impl<'de> Visitor<'de> for Either {
            type Value = Data;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("numbers of tiles or a text in base64")
            }

            fn visit_str<E>(self, text: &str) -> std::result::Result<Data, E> {
                Ok(Data::Text(text.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, numbers: A) -> std::result::Result<Data, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(numbers)).map(Data::Numbers)
            }
        }

        from.deserialize_any(Either)
    }
}
