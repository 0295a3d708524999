//! Futures that the device completes.

use std::pin::Pin;

/// A future on the heap. In a browser, the objects of wgpu belong to the thread that created them.
#[cfg(not(target_family = "wasm"))]
pub(crate) type Later<T> = Pin<Box<dyn Future<Output = T> + Send>>;
/// A future on the heap. In a browser, the objects of wgpu belong to the thread that created them.
#[cfg(target_family = "wasm")]
pub(crate) type Later<T> = Pin<Box<dyn Future<Output = T>>>;
