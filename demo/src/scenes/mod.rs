//! The scenes: what moves in them, and how. A scene knows no clock but its steps, and no chance but a seed: step by step it is the same
//! on every machine, as long as nothing is dragged.

mod asteroids;
mod bullet_hell;
mod letters;
mod pinball;
mod tunnelling;

use clap::ValueEnum;
use hitmask::{Body, Hits, ShapeId, World};

use crate::shapes::Look;

/// A built-in scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    BulletHell,
    Asteroids,
    Pinball,
    Letters,
    Tunnelling,
}

/// What a scene sees of the step before.
pub(crate) struct Seen<'a> {
    /// The world that was answered about.
    pub(crate) world: &'a World,
    /// The answer, with details where [`Kind::asks_details`].
    pub(crate) hits: &'a Hits,
    /// The number of steps before this.
    pub(crate) step: u64,
    /// The body that the pointer holds.
    pub(crate) held: Option<usize>,
}

/// How a scene goes on.
pub(crate) trait Play {
    /// Moves the bodies by a step. A body's motion is what it does in the step to come.
    fn step(&mut self, bodies: &mut [Body], seen: &Seen<'_>);

    /// What there is to see, `[left, top, right, bottom]` in units.
    fn home(&self) -> [f64; 4];

    /// What to tell of it.
    fn note(&self) -> String {
        String::new()
    }
}

/// The bodies of a scene, and how it goes on.
pub(crate) type Opened = (Vec<Body>, Box<dyn Play>);

impl Kind {
    pub(crate) const ALL: [Self; 5] =
        [Self::BulletHell, Self::Asteroids, Self::Pinball, Self::Letters, Self::Tunnelling];

    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::BulletHell => "Bullet hell",
            Self::Asteroids => "Asteroids",
            Self::Pinball => "Pinball",
            Self::Letters => "Letters",
            Self::Tunnelling => "Tunnelling",
        }
    }

    /// What it shows, in a line or two.
    pub(crate) fn about(self) -> &'static str {
        match self {
            Self::BulletHell => {
                "Bullets of two sides, turned, scaled and flipped. Each hits those of the other side, pixel by pixel."
            }
            Self::Asteroids => {
                "Rocks under any rotation and scale. Shields are circles, and some rocks are concave polygons."
            }
            Self::Pinball => {
                "Circles, capsules and concave polygons. Balls bounce along the normal and depth that hits carry."
            }
            Self::Letters => "Letters in each other's gaps. Bounds overlap, pixels do not: only misfits hit.",
            Self::Tunnelling => {
                "Fast balls, paddles a pixel thin. Swept, none passes; switch motions off (M), and most do."
            }
        }
    }

    /// How many bodies to begin with: few where all is done in software.
    pub(crate) fn bodies(self, software: bool) -> usize {
        let few = match self {
            Self::BulletHell => 2_000,
            Self::Asteroids => 600,
            Self::Pinball => 100,
            Self::Letters => 48,
            Self::Tunnelling => 60,
        };
        if software { few } else { 5 * few }
    }

    /// Whether motions are swept to begin with.
    pub(crate) fn sweeps(self) -> bool {
        self == Self::Tunnelling
    }

    /// Whether its steps need to know what hits carry.
    pub(crate) fn asks_details(self) -> bool {
        matches!(self, Self::Pinball | Self::Tunnelling)
    }

    /// Its shapes.
    pub(crate) fn shapes(self) -> Vec<Look> {
        match self {
            Self::BulletHell => bullet_hell::shapes(),
            Self::Asteroids => asteroids::shapes(),
            Self::Pinball => pinball::shapes(),
            Self::Letters => letters::shapes(),
            Self::Tunnelling => tunnelling::shapes(),
        }
    }

    /// Its bodies, about `count`, of shapes in the order of [`Kind::shapes`].
    pub(crate) fn open(self, count: usize, shapes: &[ShapeId]) -> Opened {
        match self {
            Self::BulletHell => bullet_hell::open(count, shapes),
            Self::Asteroids => asteroids::open(count, shapes),
            Self::Pinball => pinball::open(count, shapes),
            Self::Letters => letters::open(count, shapes),
            Self::Tunnelling => tunnelling::open(count, shapes),
        }
    }
}

/// A scene in which nothing moves.
pub(crate) struct Still {
    pub(crate) home: [f64; 4],
}

impl Play for Still {
    fn step(&mut self, _: &mut [Body], _: &Seen<'_>) {}

    fn home(&self) -> [f64; 4] {
        self.home
    }
}

/// A coordinate that leaves `0..end`, with `margin` to either side, comes back at the other.
fn wrapped(v: f64, end: f64, margin: f64) -> f64 {
    if v < -margin {
        v + end + 2.0 * margin
    } else if v > end + margin {
        v - end - 2.0 * margin
    } else {
        v
    }
}

/// The sides of a field 16 to 10 in which each of `count` bodies has so many square units.
fn field(count: usize, each: f64) -> [f64; 2] {
    let area = count.max(1) as f64 * each;
    [(area * 1.6).sqrt().ceil(), (area / 1.6).sqrt().ceil()]
}
