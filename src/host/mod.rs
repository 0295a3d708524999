//! What is answered on the host, by the ground's predicates, of a world and of what an engine has found.

pub(crate) mod contact;
pub(crate) mod encounter;
pub(crate) mod events;
pub(crate) mod impact;
mod impacts;
mod moment;
pub(crate) mod outline;
mod parts;
pub(crate) mod query;
mod runs;
mod side;
pub(crate) mod stop;
pub(crate) mod surface;
mod touching;
