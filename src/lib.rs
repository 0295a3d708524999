//! Exact and pixel-perfect 2D collision for a whole scene at once, on the GPU and on the CPU, with the same bits on both.
//!
//! A [`World`] holds [`Shape`]s (boxes, circles, capsules, polygons, sprites with alpha masks) and bodies in poses (rotation, scale, flip, any
//! matrix), at rest or moving. An [`Engine`] answers which bodies hit which: every pair, in order, and on request what each pair carries.
//!
//! ```
//! use hitmask::{Ask, Body, Engine, Linear, Mask, Shape, World};
//!
//! let mut world = World::default();
//! let ship = world.add_shape(Shape::sprite(Mask::from_rows(&["..#..", ".###.", "#####"])?).anchored([2.5, 1.5])?)?;
//! let shot = world.add_shape(Shape::circle(1.0)?)?;
//! world.add(&Body::new(ship, [10.0, 10.0]).posed(Linear::turned(30.0)))?;
//! world.add(&Body::new(shot, [0.0, 10.0]).moving([40.0, 0.0]))?; // much faster than it is large
//! let hits = Engine::cpu()?.run(&world, Ask::Details)?;
//! assert_eq!(hits.pairs, [[0, 1]]);
//! println!("after {:?} of the step, {:?} pixels", hits.details[0].time, hits.details[0].area);
//! # Ok::<(), hitmask::Error>(())
//! ```
//!
//! What makes all engines agree is [`lattice`]: every number is snapped to an integer once, when it enters a world. From there no float
//! decides anything, and [`Engine::Reference`], [`Engine::Cpu`] and `Engine::Gpu` give the same answer to the last bit.
//!
//! # Features
//!
//! `gpu` (default): the engine on wgpu, which is re-exported as `hitmask::wgpu`. `scene` (default): scene files (JSON, CSV, PNG) and the comparison of engines on them.

mod broad;
mod changes;
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
pub mod profile;
mod query;
pub mod reference;
pub mod rows;
#[cfg(feature = "scene")]
pub mod scene;
pub mod shape;
pub mod simd;
#[cfg(feature = "scene")]
pub mod verify;
pub mod workloads;
pub mod world;

pub use broad::Broad;
pub use contact::{Contact, contact, overlap_mask};
pub use engine::Engine;
pub use error::{Error, Result};
pub use hits::{Ask, Detail, Hits, Overlap};
pub use lattice::{Flip, Linear, Point, Vec2};
pub use mask::Mask;
pub use profile::Profile;
pub use query::Landed;
#[cfg(feature = "scene")]
pub use scene::Scene;
pub use shape::Shape;
pub use simd::Simd;
#[cfg(feature = "gpu")]
pub use wgpu;
pub use world::{Body, BodyId, ShapeId, Touch, World};

/// The README's example.
#[cfg(all(doctest, feature = "gpu"))]
#[doc = include_str!("../README.md")]
struct Readme;
