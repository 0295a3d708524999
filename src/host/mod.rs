//! What is answered on the host, by the ground's predicates, of a world and of what an engine has found.

pub(crate) mod contact;
pub(crate) mod events;
mod facing;
pub(crate) mod impact;
mod moment;
pub(crate) mod query;
mod runs;
pub(crate) mod stop;
pub(crate) mod surface;
