//! The artist's files: sheets of frames with masks, named boxes and tags, and levels of tiles.
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
//! A [`Retouch`] has changes to a sheet in a file of its own, as `hitmask-demo` writes them: masks that were painted,
//! pivots and boxes. [`Sheet::open`] reads that file too.
//!
//! A [`Cast`] keeps bodies that play the tags of a sheet, with the named boxes of the frame that shows.
//!
//! A [`Level`] is a map of Tiled or a project of LDtk. [`Level::add_to`] makes few bodies of its tiles, and the
//! [`Terrain`] that it returns finds the tile of each hit.
//!
//! With the feature `scene`, the module `scene` reads scene files that name sheets and levels. The features `bmp`,
//! `gif`, `qoi`, `tga` and `webp` read images in these formats wherever PNG is read.
//!
//! # Untrusted files
//!
//! No file makes this crate panic. The sizes that a file claims are checked before memory is allocated for them
//! ([`Import::limit`]), and a file that another one names lies in the folder of that file or below it, or in
//! [`Import::folder`].

mod aseprite;
mod atlas;
mod budget;
mod cast;
mod disk;
mod error;
mod filter;
mod folder;
mod grid;
mod import;
mod json;
mod kind;
pub mod level;
mod picture;
mod playback;
mod pool;
mod retouch;
#[cfg(feature = "scene")]
pub mod scene;
mod sheet;
mod slices;
mod strikes;
mod tag;
pub mod terrain;

pub use cast::{Actor, Cast, Part};
pub use error::{Error, Problem, Result};
pub use filter::Filter;
pub use import::{Art, DEFAULT_LIMIT, Import};
pub use kind::Kind;
pub use level::Level;
pub use retouch::{FrameGrid, FrameRetouch, Mark, Marks, Retouch};
pub use sheet::{Frame, NamedBox, Sheet};
pub use strikes::Strikes;
pub use tag::{Direction, Tag};
pub use terrain::{Solids, Terrain};

/// The README's example.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
