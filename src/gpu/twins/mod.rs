//! Functions of the shaders and their twins on the host, run on the same inputs on a GPU and here, and compared to the
//! last bit.
//!
//! A function is a row of a table: its call in WGSL and in Rust, on an input of a few words. Both sides read the words
//! by functions of the same names. A GPU must answer 24 inputs for each of some functions before an engine works on it
//! ([`self_test`]), and a million for each function in tests. [`vectors`](super::vectors) writes inputs and answers
//! down for a browser.
//!
//! [`self_test`]: super::self_test

mod answer;
#[cfg(any(test, feature = "internals"))]
pub(super) mod by_bounds;
mod cores;
#[cfg(any(test, feature = "internals"))]
mod double;
#[cfg(any(test, feature = "internals"))]
mod family;
mod input;
#[cfg(any(test, feature = "internals"))]
mod landing;
#[cfg(any(test, feature = "internals"))]
mod pixels;
mod run;
#[cfg(any(test, feature = "internals"))]
mod search;
#[cfg(any(test, feature = "internals"))]
mod slabs;
#[cfg(test)]
mod tests;
#[cfg(any(test, feature = "internals"))]
mod ticks;
mod twin;
#[cfg(any(test, feature = "internals"))]
mod ways;
mod wide;

pub(super) use cores::{WORDS, has_area, parts};
#[cfg(feature = "internals")]
pub(super) use family::ATLAS;
pub(super) use run::{GROUP, send, upload};
pub(super) use twin::{LANDED, Twin, source};
pub(super) use wide::wide_integers;

#[cfg(any(test, feature = "internals"))]
use family::Family;

/// Returns all functions, callees before their callers.
#[cfg(any(test, feature = "internals"))]
pub(super) fn families() -> [Family; 10] {
    let of = |twins| Family { twins, ..Family::default() };
    [
        of(wide_integers()),
        of(parts()),
        search::search(),
        ticks::motion(),
        landing::landing(),
        pixels::pixels(),
        slabs::coarse(),
        by_bounds::by_bounds(),
        double::doubles(),
        ways::ways(),
    ]
}
