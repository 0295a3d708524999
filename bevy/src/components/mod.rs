//! The components that give an entity a body, and those that say how it hits.

pub(crate) mod body;
pub(crate) mod character;
pub(crate) mod collider;
pub(crate) mod hitmask;
pub(crate) mod layers;
