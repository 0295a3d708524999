//! Everything computed on the host from a world and an engine's answer: contacts, impacts, stops, events, distances and
//! point lookups.

pub(crate) mod contact;
mod cover;
pub(crate) mod distance;
pub(crate) mod encounter;
pub(crate) mod events;
mod free;
mod holds;
pub(crate) mod impact;
mod impacts;
pub(crate) mod landed;
mod moment;
pub(crate) mod near;
pub(crate) mod outline;
mod painted;
mod parts;
pub(crate) mod runs;
mod side;
mod sorted_pieces;
pub(crate) mod stop;
pub(crate) mod surface;
pub(crate) mod texels;
mod touching;
