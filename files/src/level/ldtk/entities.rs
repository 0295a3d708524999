//! Entities and fields.

use serde_json::Value as Json;

use super::{Reader, model};
use crate::budget;
use crate::error::{Result, quoted};
use crate::level::limits;
use crate::level::object::{Form, Object};
use crate::level::properties::{Properties, Value, untyped};

impl Reader<'_, '_> {
    /// Reads entities as objects.
    pub(super) fn entities(&mut self, entities: Vec<model::Entity>) -> Result<Vec<Object>> {
        let read = |entity: model::Entity| {
            self.entities += 1;
            budget::at_most("entities", limits::MAX_OBJECTS, self.entities)?;
            let size = [entity.width, entity.height].map(f64::from);
            let at = [0, 1].map(|axis| f64::from(entity.px[axis]) - entity.pivot[axis] * size[axis]);
            let place = || format!("entity {}", quoted(&entity.identifier));
            limits::numbers(at.into_iter().chain(size)).map_err(|error| error.at(place()))?;
            let mut properties = fields(entity.field_instances);
            if !entity.tags.is_empty() {
                let tags = entity.tags.into_iter().map(Value::Text).collect();
                properties.insert("__tags".into(), Value::List(tags));
            }
            let object = Object::new(at, size, Form::Rect);
            let (name, class) = (entity.iid, entity.identifier);
            Ok(Object { id: self.entities as u32, name, class, properties, ..object })
        };
        entities.into_iter().map(read).collect()
    }
}

/// Reads the fields of an entity or a level.
pub(super) fn fields(fields: impl IntoIterator<Item = model::Field>) -> Properties {
    fields.into_iter().map(|field| (field.identifier, value(&field.kind, field.value))).collect()
}

fn value(kind: &str, value: Json) -> Value {
    let inner = kind.strip_prefix("Array<").and_then(|kind| kind.strip_suffix('>'));
    match (inner, kind, value) {
        (Some(kind), _, Json::Array(items)) => {
            Value::List(items.into_iter().map(|item| self::value(kind, item)).collect())
        }
        (_, "Float", Json::Number(number)) => Value::Float(number.as_f64().unwrap_or_default()),
        (_, "FilePath", Json::String(path)) => Value::File(path),
        (_, _, value) => untyped(value),
    }
}
