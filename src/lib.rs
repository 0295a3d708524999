//! hitmask: exact and pixel-perfect 2D collision for a whole scene at once.

mod contact;
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
#[cfg(feature = "scene")]
pub mod scene;
pub mod shape;
#[cfg(feature = "scene")]
pub mod verify;
pub mod workloads;
pub mod world;

pub use contact::{Contact, contact, overlap_mask};
pub use engine::Engine;
pub use error::{Error, Result};
pub use hits::{Ask, Detail, Hits, Overlap};
pub use lattice::{Flip, Linear, Point, Vec2};
pub use mask::Mask;
#[cfg(feature = "scene")]
pub use scene::Scene;
pub use shape::Shape;
pub use world::{Body, BodyId, ShapeId, Touch, World};
