//! The built-in scenes: their bodies and how they move. A scene depends only on its step numbers, a seed and the
//! player's input, so that it runs alike on every machine as long as nothing is dragged.

mod asteroids;
mod bullet_hell;
mod cave;
mod laser;
mod letters;
mod pinball;
mod tunnelling;

use clap::ValueEnum;
use hitmask::geometry::Vec2;
use hitmask::{Body, Hits, Linear, ShapeId, World};

use crate::cast::Cast;
use crate::input::Input;
use crate::shapes::Look;

/// A built-in scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    BulletHell,
    Asteroids,
    Pinball,
    Letters,
    Tunnelling,
    Cave,
    Laser,
}

/// The result of the previous step, as a scene sees it.
pub(crate) struct Seen<'a> {
    /// The world of that step.
    pub(crate) world: &'a World,
    /// The answer, with details if [`Kind::asks_details`].
    pub(crate) hits: &'a Hits,
    /// The number of steps before this one.
    pub(crate) step: u64,
    /// The body that the pointer holds.
    pub(crate) held: Option<usize>,
    /// The player's input; without it the scene plays itself.
    pub(crate) input: Option<Input>,
}

impl Seen<'_> {
    /// Returns the shape with an index in [`Kind::shapes`].
    pub(crate) fn shape(&self, index: usize) -> Option<ShapeId> {
        self.world.shapes().nth(index).map(|(id, _)| id)
    }
}

/// A thing to draw in addition to bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Mark {
    /// A laser beam between two points, in units.
    Beam([Vec2; 2]),
    /// The index of a body that a beam hits.
    Shone(u32),
    /// A line from a body to the nearest one, in units.
    Nearest([Vec2; 2]),
}

/// The behaviour of a scene.
pub(crate) trait Play {
    /// Moves the bodies by a step. A body's motion is its motion in the next step.
    fn step(&mut self, bodies: &mut Cast, seen: &Seen<'_>) -> anyhow::Result<()>;

    /// Runs the scene's queries on the world, after a step or after a body was dragged.
    fn look(&mut self, _: &World) -> anyhow::Result<()> {
        Ok(())
    }

    /// Returns the marks to draw, for the world of the last [`Play::look`].
    fn marks(&self) -> &[Mark] {
        &[]
    }

    /// Returns the part of the world to show first, `[left, top, right, bottom]` in units.
    fn home(&self) -> [f64; 4];

    /// Returns the status line.
    fn note(&self) -> String {
        String::new()
    }
}

/// The bodies of a scene, and its behaviour.
pub(crate) type Opened = (Vec<Body>, Box<dyn Play>);

impl Kind {
    pub(crate) const ALL: [Self; 7] =
        [Self::BulletHell, Self::Asteroids, Self::Pinball, Self::Letters, Self::Tunnelling, Self::Cave, Self::Laser];

    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::BulletHell => "Bullet hell",
            Self::Asteroids => "Asteroids",
            Self::Pinball => "Pinball",
            Self::Letters => "Letters",
            Self::Tunnelling => "Tunnelling",
            Self::Cave => "Cave",
            Self::Laser => "Laser",
        }
    }

    /// Describes the scene in a line or two.
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
                "Fast balls, paddles a pixel thin. Swept, none gets through; turn motions off (M), and most do."
            }
            Self::Cave => {
                "A platformer in one large mask. Arrows run, jump and drop through planks, X lays a bomb. It plays \
                 itself until you do."
            }
            Self::Laser => {
                "A room of turning mirrors. Left and right turn the ship, up and down move it, X fires. It plays \
                 itself until you do."
            }
        }
    }

    /// Returns the initial number of bodies, which is small if everything runs in software.
    pub(crate) fn bodies(self, software: bool) -> usize {
        let few = match self {
            Self::BulletHell => 2_000,
            Self::Asteroids => 600,
            Self::Pinball => 100,
            Self::Letters => 48,
            Self::Tunnelling | Self::Cave => 60,
            Self::Laser => 28,
        };
        // A scene to play in has the same size everywhere.
        if software || self.is_played() { few } else { 5 * few }
    }

    /// Returns whether the player's keys control the scene.
    pub(crate) fn is_played(self) -> bool {
        matches!(self, Self::Cave | Self::Laser)
    }

    /// Returns whether motions are swept initially.
    pub(crate) fn sweeps(self) -> bool {
        self == Self::Tunnelling
    }

    /// Returns whether its steps need the details of hits.
    pub(crate) fn asks_details(self) -> bool {
        matches!(self, Self::Pinball | Self::Tunnelling | Self::Laser)
    }

    /// Returns its shapes.
    pub(crate) fn shapes(self) -> Vec<Look> {
        match self {
            Self::BulletHell => bullet_hell::shapes(),
            Self::Asteroids => asteroids::shapes(),
            Self::Pinball => pinball::shapes(),
            Self::Letters => letters::shapes(),
            Self::Tunnelling => tunnelling::shapes(),
            Self::Cave => cave::shapes(),
            Self::Laser => laser::shapes(),
        }
    }

    /// Creates about `count` bodies; `shapes` are in the order of [`Kind::shapes`].
    pub(crate) fn open(self, count: usize, shapes: &[ShapeId]) -> Opened {
        match self {
            Self::BulletHell => bullet_hell::open(count, shapes),
            Self::Asteroids => asteroids::open(count, shapes),
            Self::Pinball => pinball::open(count, shapes),
            Self::Letters => letters::open(count, shapes),
            Self::Tunnelling => tunnelling::open(count, shapes),
            Self::Cave => cave::open(count, shapes),
            Self::Laser => laser::open(count, shapes),
        }
    }
}

/// A scene in which nothing moves.
pub(crate) struct Still {
    pub(crate) home: [f64; 4],
}

impl Play for Still {
    fn step(&mut self, _: &mut Cast, _: &Seen<'_>) -> anyhow::Result<()> {
        Ok(())
    }

    fn home(&self) -> [f64; 4] {
        self.home
    }
}

/// Wraps a coordinate that leaves `0..end`, extended by `margin` on either side, to the other side.
fn wrapped(v: f64, end: f64, margin: f64) -> f64 {
    if v < -margin {
        v + end + 2.0 * margin
    } else if v > end + margin {
        v - end - 2.0 * margin
    } else {
        v
    }
}

/// Returns the direction of an angle in degrees.
fn direction(angle: f64) -> Vec2 {
    Linear::from_degrees(angle) * Vec2 { x: 1.0, y: 0.0 }
}

/// Returns the sides of a field, 16 to 10, that has `each` square units for each of `count` bodies.
fn field(count: usize, each: f64) -> [f64; 2] {
    let area = count.max(1) as f64 * each;
    [(area * 1.6).sqrt().ceil(), (area / 1.6).sqrt().ceil()]
}
