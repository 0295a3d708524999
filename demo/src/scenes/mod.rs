//! The scenes: what moves in them, and how. A scene knows no clock but its steps, and no chance but a seed: step by
//! step it is the same on every machine, as long as nothing is dragged.

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
    /// What a player wants, where one plays; else the scene plays itself.
    pub(crate) input: Option<Input>,
}

impl Seen<'_> {
    /// The shape of an index in [`Kind::shapes`].
    pub(crate) fn shape(&self, index: usize) -> Option<ShapeId> {
        self.world.shapes().nth(index).map(|(id, _)| id)
    }
}

/// What is drawn beside bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Mark {
    /// A ray of light, from a point to a point in units.
    Beam([Vec2; 2]),
    /// A body that a ray of light meets, by its index.
    Shone(u32),
    /// From a body to what is nearest to it, in units.
    Nearest([Vec2; 2]),
}

/// How a scene goes on.
pub(crate) trait Play {
    /// Moves the bodies by a step. A body's motion is what it does in the step to come.
    fn step(&mut self, bodies: &mut Cast, seen: &Seen<'_>) -> anyhow::Result<()>;

    /// Asks what it wants to know of the world, after a step or where a body was dragged.
    fn look(&mut self, _: &World) -> anyhow::Result<()> {
        Ok(())
    }

    /// What is drawn beside the bodies of the world that it looked at last.
    fn marks(&self) -> &[Mark] {
        &[]
    }

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

    /// How many bodies to begin with: few where all is done in software.
    pub(crate) fn bodies(self, software: bool) -> usize {
        let few = match self {
            Self::BulletHell => 2_000,
            Self::Asteroids => 600,
            Self::Pinball => 100,
            Self::Letters => 48,
            Self::Tunnelling | Self::Cave => 60,
            Self::Laser => 28,
        };
        // A place to play in is as large everywhere.
        if software || self.is_played() { few } else { 5 * few }
    }

    /// Whether a player's keys are for it.
    pub(crate) fn is_played(self) -> bool {
        matches!(self, Self::Cave | Self::Laser)
    }

    /// Whether motions are swept to begin with.
    pub(crate) fn sweeps(self) -> bool {
        self == Self::Tunnelling
    }

    /// Whether its steps need to know what hits carry.
    pub(crate) fn asks_details(self) -> bool {
        matches!(self, Self::Pinball | Self::Tunnelling | Self::Laser)
    }

    /// Its shapes.
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

    /// Its bodies, about `count`, of shapes in the order of [`Kind::shapes`].
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

/// The direction of an angle in degrees.
fn direction(angle: f64) -> Vec2 {
    Linear::turned(angle) * Vec2 { x: 1.0, y: 0.0 }
}

/// The sides of a field 16 to 10 in which each of `count` bodies has so many square units.
fn field(count: usize, each: f64) -> [f64; 2] {
    let area = count.max(1) as f64 * each;
    [(area * 1.6).sqrt().ceil(), (area / 1.6).sqrt().ceil()]
}
