//! hitmask: exact and pixel-perfect 2D collision for a whole scene at once.

mod error;
pub mod lattice;
pub mod mask;
mod polygon;

pub use error::{Error, Result};
pub use lattice::{Flip, Linear, Point, Vec2};
pub use mask::Mask;
