//! Exact, pixel-perfect 2D collision for Bevy, by the library [`hitmask`].

pub mod components;
mod events;
mod masks;
mod plugin;
mod problem;
mod space;
mod systems;
mod units;

pub use components::body::HitBody;
pub use components::collider::Collider;
pub use components::hitmask::{Hitmask, HitmaskDisabled};
pub use components::layers::{LayerMask, Layers};
pub use events::{CollidingEntities, HitContact, HitEnd, HitStart};
pub use hitmask;
pub use plugin::{HitmaskPlugin, HitmaskSystems};
pub use problem::{HitmaskProblem, Problem};
pub use space::{Counts, HitSpace};
