//! The artist's files: sheets of frames with masks, named boxes and tags.
//!
//! A [`Sheet`] is an animation or a set of sprites, with a collision mask for each frame. [`Sheet::open`] reads
//! Aseprite's own files, the JSON that Aseprite and TexturePacker write beside an image, and [`Import`] also images
//! with frames in a grid:
//!
//! ```
//! use std::time::Duration;
//!
//! use hitmask_files::Sheet;
//!
//! let hero = Sheet::open("assets/hero.aseprite")?;
//! let walk = hero.tag("walk").expect("the artist has drawn one");
//! let shown = hero.frame_at(walk, Duration::from_millis(250)).expect("a tag has frames");
//! assert!(hero.frames[shown].mask.count() > 0);
//! # Ok::<(), hitmask_files::Error>(())
//! ```
//!
//! # Untrusted files
//!
//! No file makes this crate panic. The sizes that a file claims are checked before memory is allocated for them
//! ([`Import::limit`]), and an image that a file names lies in the folder of that file or below it.

mod aseprite;
mod atlas;
mod budget;
mod disk;
mod error;
mod folder;
mod grid;
mod import;
mod json;
pub mod level;
mod picture;
mod playback;
mod pool;
mod sheet;
mod slices;
mod tag;
pub mod terrain;

pub use error::{Error, Problem, Result};
pub use import::{DEFAULT_LIMIT, Import};
pub use level::Level;
pub use sheet::{Frame, NamedBox, Sheet};
pub use tag::{Direction, Tag};
pub use terrain::{Solids, Terrain};

/// The README's example.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
