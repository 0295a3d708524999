//! Plain values that everything else builds on: coordinates, boxes, the touch rule, ticks, the exact predicate and the
//! exact distance, bit sets, handles, digests, errors and their texts, and the available memory and threads.

pub(crate) mod aabb;
#[cfg(all(target_family = "wasm", not(target_feature = "atomics")))]
pub(crate) mod alone;
#[cfg(feature = "gpu")]
pub(crate) mod arrival;
#[cfg(feature = "gpu")]
#[cfg_attr(target_family = "wasm", allow(dead_code, reason = "a page has no threads"))]
pub(crate) mod background;
pub(crate) mod bit_set;
pub(crate) mod buckets;
pub(crate) mod clock;
pub(crate) mod digest;
pub(crate) mod error;
pub(crate) mod gap;
pub(crate) mod handle;
pub(crate) mod lattice;
pub(crate) mod linear;
pub(crate) mod memory;
pub(crate) mod normal;
#[cfg(any(not(target_family = "wasm"), target_feature = "atomics"))]
mod patience;
pub(crate) mod pool;
pub(crate) mod predicate;
pub(crate) mod sorting;
pub(crate) mod swept;
pub(crate) mod text;
#[cfg(any(not(target_family = "wasm"), target_feature = "atomics"))]
pub(crate) mod threads;
pub(crate) mod ticks;
pub(crate) mod touch;
pub(crate) mod vec2;
pub(crate) mod wide;

#[cfg(all(target_family = "wasm", not(target_feature = "atomics")))]
pub(crate) use alone as threads;
