//! hitmask: exact and pixel-perfect 2D collision for a whole scene at once.

pub mod cpu;
mod engine;
mod error;
#[cfg(feature = "gpu")]
pub mod gpu;
pub mod hits;
pub mod lattice;
pub mod mask;
pub mod packed;
pub mod path;
mod polygon;
pub mod predicate;
pub mod reference;
pub mod shape;
pub mod world;

pub use engine::Engine;
pub use error::{Error, Result};
pub use hits::{Ask, Detail, Hits, Overlap};
pub use lattice::{Flip, Linear, Point, Vec2};
pub use mask::Mask;
pub use shape::Shape;
pub use world::{Body, BodyId, ShapeId, Touch, World};
