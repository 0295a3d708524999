//! Exact, pixel-perfect 2D collision for a whole scene at once, on the GPU and on the CPU, with identical bits on both.
//!
//! A [`World`] holds [`Shape`]s (boxes, circles, capsules, polygons, sprites with alpha masks) and bodies in poses
//! (rotation, scale, flip, any matrix), at rest or moving. An [`Engine`] finds the bodies that hit each other. It
//! returns every pair, sorted, and each pair's details on request.
//!
//! ```
//! use hitmask::{Ask, Body, Engine, Linear, Mask, Shape, World};
//!
//! let mut world = World::default();
//! let ship = world.add_shape(Shape::sprite(Mask::from_rows(&["..#..", ".###.", "#####"])?).anchored([2.5, 1.5])?)?;
//! let shot = world.add_shape(Shape::circle(1.0)?)?;
//! world.add(&Body::new(ship, [10.0, 10.0]).posed(Linear::from_degrees(30.0)))?;
//! world.add(&Body::new(shot, [0.0, 10.0]).moving([40.0, 0.0]))?; // moves much farther than its size
//! let hits = Engine::cpu()?.run(&world, Ask::Details)?;
//! assert_eq!(hits.pairs, [[0, 1]]);
//! println!("after {:.2} of the step, {:?} pixels", hits.details[0].fraction(), hits.details[0].area);
//! # Ok::<(), hitmask::Error>(())
//! ```
//!
//! All engines agree because of the lattice of [`geometry`]: every number is snapped to an integer once, when it enters
//! a world. From then on no float decides anything, so [`Engine::Reference`], [`Engine::Cpu`] and `Engine::Gpu` give
//! the same answer to the last bit. [`Engine::auto`] picks whichever of CPU and GPU is faster.
//!
//! The [`guide`] shows how to remove bodies, to tell new hits from old ones, to stop at the floor, and more that a game
//! needs first. The [`contract`] defines a hit to the bit.
//!
//! # Features
//!
//! - `gpu` (default): the GPU engine on wgpu, which is re-exported as `hitmask::wgpu`.
//! - `scene` (default): scene files (JSON, CSV, images).
//! - `bmp`, `gif`, `qoi`, `tga`, `webp`: images in these formats. PNG needs no feature.

#[cfg(feature = "gpu")]
pub mod auto;
mod bits;
mod broad;
pub mod cpu;
pub mod debug;
mod engine;
#[cfg(feature = "gpu")]
#[cfg_attr(
    target_family = "wasm",
    allow(clippy::arc_with_non_send_sync, reason = "wgpu's objects are of one thread there, as the page is")
)]
pub mod gpu;
mod ground;
mod hits;
mod host;
mod index;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod internals;
pub mod mask;
mod polygon;
pub mod profile;
mod queries;
mod reference;
#[cfg(feature = "scene")]
pub mod scene;
mod simd;
mod world;

/// Points, boxes, the lattice of 1/256 unit to which everything is snapped, and the pieces of bodies placed on it.
pub mod geometry {
    pub use crate::ground::aabb::Aabb;
    pub use crate::ground::lattice::{
        MAX_ANCHOR, MAX_COORDINATE, MAX_MOTION, MAX_RADIUS, MAX_RAY, Point, SUBPIXELS, snap,
    };
    pub use crate::ground::linear::{Flip, MAX_INVERSE, MAX_LINEAR};
    pub use crate::ground::ticks::TICKS;
    pub use crate::ground::vec2::Vec2;
    pub use crate::world::pose::land::Piece;
    pub use crate::world::read::Sampling;
}

pub mod query {
    //! Queries without a step: the bodies at a point, along a ray, hit by a body, or nearest.
    //!
    //! [`Queries`] keeps an index of a world's bodies. [`Queries::on`] returns a [`Search`], which takes any
    //! [`Query`]. [`World::distance`](crate::World::distance) needs no index.

    pub use crate::host::distance::Distance;
    pub use crate::index::{Answers, Queries, Query, Search, Slide, Sweep};
    pub use crate::queries::{BodyHit, Nearest, NearestHit, PointQuery, RayCast, RayContact, RayHit, RegionQuery};
}

/// Responding to hits: the pairs that began and ended, the stop of a body, the pixels that two bodies share, and a
/// walking character.
///
/// [`World::contact`](crate::World::contact) finds the shortest way out of a hit,
/// [`World::push_along`](crate::World::push_along) the shortest along one axis.
pub mod response {
    pub use crate::host::contact::along::Axis;
    pub use crate::host::events::{Event, Events, TaggedPair};
    pub use crate::host::impact::Impact;
    pub use crate::host::stop::Stop;
    pub use crate::host::texels::{LabelHit, TexelHit};
    pub use crate::index::{Pace, Side, Surface, Walk, Walker};
}

#[doc = include_str!("../docs/contract.md")]
pub mod contract {}

#[doc = include_str!("../docs/guide.md")]
pub mod guide {}

pub use engine::Engine;
pub use ground::error::{Error, Result};
pub use ground::handle::{BodyId, ShapeId};
pub use ground::linear::Linear;
pub use ground::touch::Touch;
pub use hits::{Ask, Detail, Hits, Overlap};
pub use host::contact::Contact;
pub use mask::Mask;
#[cfg(feature = "gpu")]
pub use wgpu;
pub use world::World;
pub use world::body::Body;
pub use world::bulk::Bodies;
pub use world::part::Part;
pub use world::save::Save;
pub use world::shape::Shape;
pub use world::split::Fragment;

/// The README's example.
#[cfg(all(doctest, feature = "gpu"))]
#[doc = include_str!("../README.md")]
struct Readme;
