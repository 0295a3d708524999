//! Tests of the library's public interface, in one program, so that they link once and run in parallel.

#[path = "../common/bodies.rs"]
mod bodies;
#[path = "../common/mod.rs"]
mod common;

#[cfg(feature = "scene")]
mod bad_input;
mod bulk;
#[cfg(feature = "gpu")]
mod concurrency;
#[cfg(feature = "scene")]
mod conformance;
#[cfg(all(feature = "gpu", feature = "internals"))]
mod contacts;
mod conventions;
mod crowds;
#[cfg(feature = "scene")]
mod debug;
#[cfg(feature = "scene")]
mod detectors;
#[cfg(feature = "scene")]
mod distances;
mod edge;
mod edits;
#[cfg(feature = "gpu")]
mod engines;
mod extremes;
#[cfg(all(feature = "gpu", feature = "internals"))]
mod frames;
#[cfg(feature = "scene")]
mod golden;
#[cfg(feature = "gpu")]
mod gpu;
mod guide;
#[cfg(all(feature = "gpu", feature = "scene"))]
mod host;
#[cfg(all(feature = "gpu", feature = "internals"))]
mod later;
mod layers;
mod lists;
#[cfg(feature = "scene")]
mod lives;
mod locks;
mod motion;
mod painted;
#[cfg(feature = "scene")]
mod parts;
#[cfg(feature = "scene")]
mod pieces;
mod polygons;
#[cfg(feature = "scene")]
mod queries;
#[cfg(feature = "scene")]
mod random;
#[cfg(feature = "gpu")]
mod refusals;
#[cfg(feature = "gpu")]
mod renderer;
mod rooms;
#[cfg(feature = "scene")]
#[cfg(feature = "internals")]
mod saves;
mod scene;
mod segments;
#[cfg(feature = "scene")]
mod sides;
mod small;
mod split;
mod steps;
mod stream;
#[cfg(feature = "gpu")]
mod streams;
mod surface;
mod terrain;
mod texels;
#[cfg(all(feature = "gpu", feature = "internals"))]
mod unions;
#[cfg(feature = "gpu")]
mod uploads;
#[cfg(all(feature = "gpu", feature = "internals"))]
mod vectors;
