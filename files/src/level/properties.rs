//! Custom properties: the values that a level's author has given to tiles, objects, layers and levels.

use std::collections::BTreeMap;

use serde_json::Value as Json;

/// The custom properties of a tile, an object, a layer or a level, by name.
///
/// ```
/// use hitmask_files::level::{Properties, Value};
///
/// let mut properties = Properties::default();
/// properties.insert("damage".into(), Value::Int(3));
/// assert_eq!((properties.int("damage"), properties.bool("damage")), (Some(3), None));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Properties(BTreeMap<String, Value>);

/// The bytes of a property or of an item of a list, beside its texts.
const ENTRY: u64 = 64;

/// The value of a property.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// No value: a field of LDtk that is not set.
    Null,
    /// A flag.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number.
    Float(f64),
    /// A text, the name of an enum's value, or a colour as in the file, such as "#ff00aa99".
    Text(String),
    /// The path of a file, as in the file.
    File(String),
    /// The number of another object; 0 if there is none.
    Object(i64),
    /// The properties of a class of Tiled, or a record of LDtk.
    Class(Properties),
    /// A list.
    List(Vec<Value>),
}

impl Properties {
    pub(super) const EMPTY: Self = Self(BTreeMap::new());

    /// Returns a property.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    /// Returns a flag; `None` if there is none of this name.
    #[must_use]
    pub fn bool(&self, name: &str) -> Option<bool> {
        match self.get(name)? {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// Returns a whole number; `None` if there is none of this name.
    #[must_use]
    pub fn int(&self, name: &str) -> Option<i64> {
        match self.get(name)? {
            Value::Int(value) => Some(*value),
            _ => None,
        }
    }

    /// Returns a number, whole or not; `None` if there is none of this name.
    #[must_use]
    pub fn float(&self, name: &str) -> Option<f64> {
        match self.get(name)? {
            Value::Float(value) => Some(*value),
            Value::Int(value) => Some(*value as f64),
            _ => None,
        }
    }

    /// Returns a text; `None` if there is none of this name.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.get(name)? {
            Value::Text(value) | Value::File(value) => Some(value),
            _ => None,
        }
    }

    /// Sets a property, and returns its value so far.
    pub fn insert(&mut self, name: String, value: Value) -> Option<Value> {
        self.0.insert(name, value)
    }

    /// Returns the properties in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// Returns whether there are no properties.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the number of properties.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns the bytes that they take, roughly.
    pub(super) fn bytes(&self) -> u64 {
        self.0.iter().map(|(name, value)| ENTRY + name.len() as u64 + value.bytes()).sum()
    }

    /// Adds those of a template that are not set here.
    pub(super) fn inherit(&mut self, template: &Self) {
        for (name, value) in &template.0 {
            self.0.entry(name.clone()).or_insert_with(|| value.clone());
        }
    }
}

impl Value {
    fn bytes(&self) -> u64 {
        match self {
            Self::Text(text) | Self::File(text) => text.len() as u64,
            Self::Class(properties) => properties.bytes(),
            Self::List(items) => items.iter().map(|item| ENTRY + item.bytes()).sum(),
            Self::Null | Self::Bool(_) | Self::Int(_) | Self::Float(_) | Self::Object(_) => 0,
        }
    }
}

impl FromIterator<(String, Value)> for Properties {
    fn from_iter<I: IntoIterator<Item = (String, Value)>>(properties: I) -> Self {
        Self(properties.into_iter().collect())
    }
}

/// Returns a value whose type is that of its JSON.
pub(super) fn untyped(value: Json) -> Value {
    match value {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Bool(value),
        Json::Number(number) => {
            number.as_i64().map_or_else(|| Value::Float(number.as_f64().unwrap_or_default()), Value::Int)
        }
        Json::String(text) => Value::Text(text),
        Json::Array(items) => Value::List(items.into_iter().map(untyped).collect()),
        Json::Object(members) => {
            Value::Class(members.into_iter().map(|(name, member)| (name, untyped(member))).collect())
        }
    }
}
