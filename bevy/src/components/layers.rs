//! Layers: which bodies may hit which.

use bevy_ecs::prelude::*;
use bevy_reflect::prelude::*;

use super::hitmask::changed;

/// The layers that a body is on, and those that it hits. 32 layers, one bit each.
///
/// Two bodies can hit each other only if each is on a layer that the other's filter has, or if one is a
/// [detector](Layers::detector). Without this component a body is on the first layer and hits all layers.
///
/// `memberships` are what the library calls `layers`, and `filter` is its `mask`.
///
/// ```
/// use bevy_hitmask::{LayerMask, Layers};
///
/// const SHIP: u32 = 1 << 0;
/// const BULLET: u32 = 1 << 1;
/// assert_eq!(Layers::new(SHIP, BULLET).filter, LayerMask(2));
///
/// // Or an enum:
/// #[derive(Clone, Copy)]
/// enum Layer { Ship, Bullet, Wall }
///
/// impl From<Layer> for LayerMask {
///     fn from(layer: Layer) -> Self {
///         Self(1 << layer as u32)
///     }
/// }
///
/// assert_eq!(Layers::new(Layer::Ship, [Layer::Bullet, Layer::Wall]), Layers::new(SHIP, 6));
/// ```
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash, Reflect)]
#[component(on_remove = changed, summary_tick)]
#[reflect(Component, Default, Debug, PartialEq, Hash, Clone)]
pub struct Layers {
    /// The layers that the body is on.
    pub memberships: LayerMask,
    /// The layers that it hits.
    pub filter: LayerMask,
    /// True if the body is a detector: it hits the bodies on the layers of its filter even if they do not hit its own.
    /// False by default.
    pub detector: bool,
    /// Bodies with the same group other than 0 never hit each other, such as a ship and the parts of it.
    pub group: u32,
}

impl Default for Layers {
    fn default() -> Self {
        Self { memberships: LayerMask(1), filter: LayerMask::ALL, detector: false, group: 0 }
    }
}

impl Layers {
    /// Makes layers from the layers that the body is on and those that it hits.
    #[must_use]
    pub fn new(memberships: impl Into<LayerMask>, filter: impl Into<LayerMask>) -> Self {
        Self { memberships: memberships.into(), filter: filter.into(), ..Self::default() }
    }

    /// Makes the body a detector, or no longer one, such as a zone, a trigger or an enemy's field of view. A detector
    /// hits the bodies on the layers of its filter, whatever these hit, and stops nobody that does not see it.
    ///
    /// The hit is like any other: [`HitStart`](crate::HitStart) and [`HitEnd`](crate::HitEnd) come for both entities,
    /// and [`HitSpace::sees`](crate::HitSpace::sees) tells which of them noticed the other.
    ///
    /// ```
    /// use bevy_ecs::prelude::*;
    /// use bevy_hitmask::{Collider, HitSpace, HitStart, Layers};
    ///
    /// const HERO: u32 = 1 << 0;
    /// const WALL: u32 = 1 << 1;
    /// const ZONE: u32 = 1 << 2;
    ///
    /// # let mut world = World::new();
    /// world.spawn((Collider::circle(4.0), Layers::new(HERO, WALL)));
    /// let zone = (Collider::rectangle(90.0, 20.0), Layers::new(ZONE, HERO).detector(true));
    /// world.spawn(zone).observe(|hit: On<HitStart>, space: Res<HitSpace>| {
    ///     assert!(space.sees(hit.entity, hit.other) && !space.sees(hit.other, hit.entity));
    /// });
    /// ```
    #[doc(alias = "sensor")]
    #[must_use]
    pub fn detector(self, detector: bool) -> Self {
        Self { detector, ..self }
    }

    /// Puts the body into a group.
    #[must_use]
    pub fn grouped(self, group: u32) -> Self {
        Self { group, ..self }
    }
}

/// A set of layers, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Reflect)]
#[reflect(Default, Debug, PartialEq, Hash, Clone)]
pub struct LayerMask(pub u32);

impl LayerMask {
    /// All layers.
    pub const ALL: Self = Self(u32::MAX);
    /// No layer.
    pub const NONE: Self = Self(0);
}

impl From<u32> for LayerMask {
    fn from(bits: u32) -> Self {
        Self(bits)
    }
}

impl<L: Into<LayerMask>, const N: usize> From<[L; N]> for LayerMask {
    fn from(layers: [L; N]) -> Self {
        Self(layers.into_iter().fold(0, |bits, layer| bits | layer.into().0))
    }
}
