//! Debugging: the world and the hits of a step as coloured lines, which any renderer's gizmos can draw; and the
//! differences between two worlds, which [`World::differences`](crate::World::differences) finds.
//!
//! [`Draw`] says what to draw, and appends it to a list of [`Lines`]. They show what engines see: bodies after
//! snapping, sprites as the pixels that they paint.
//!
//! ```
//! use hitmask::debug::{Draw, Lines};
//! use hitmask::{Ask, Body, Engine, Shape, World};
//!
//! let mut world = World::default();
//! let tile = world.add_shape(Shape::rect(8.0, 8.0)?)?;
//! world.add(&Body::new(tile, [0, 0]))?;
//! world.add(&Body::new(tile, [4, 6]))?;
//! let hits = Engine::cpu()?.run(&world, Ask::Details)?;
//! let mut lines = Lines::new();
//! Draw { contacts: true, ..Draw::default() }.step(&world, &hits, &mut lines)?;
//! for line in lines.as_slice() {
//!     println!("from {:?} to {:?} in {:?}", line.from, line.to, line.color);
//! }
//! assert_eq!(lines.as_slice().len(), 4 + 4 + 4); // two boxes; a cross, a normal and the way out
//! # Ok::<(), hitmask::Error>(())
//! ```

mod border;
mod curve;
mod draw;
mod lines;
mod palette;
mod pen;

pub use curve::{Curve, Step};
pub use draw::Draw;
pub use lines::{Line, Lines};
pub use palette::{Color, Palette};

pub use crate::world::difference::{Difference, Subject};
