//! The bodies that move: a shape of each kind, 4 to 16 units wide.

use hitmask::scene::{Form, Image, Pose, ShapeSpec};

use super::draw::Draw;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mover {
    Box,
    Circle,
    Capsule,
    Hexagon,
    Concave,
    Rounded,
    Sprite,
}

pub(super) const MOVERS: [Mover; 7] =
    [Mover::Box, Mover::Circle, Mover::Capsule, Mover::Hexagon, Mover::Concave, Mover::Rounded, Mover::Sprite];

impl Mover {
    pub(super) fn shape(self, draw: &mut Draw) -> ShapeSpec {
        let [w, h] = [draw.round(4.0, 12.0), draw.round(6.0, 16.0)];
        let polygon = |outline: Vec<[f64; 2]>, radius| Form::Polygon { outline, holes: Vec::new(), radius };
        let form = match self {
            Self::Box => Form::Box([w, h]),
            Self::Circle => Form::Circle(w / 2.0),
            Self::Capsule => Form::Capsule { from: [0.0, 0.0], to: [0.0, h - 4.0], radius: w / 2.0 },
            Self::Hexagon => polygon(hexagon([w, h]), 0.0),
            Self::Concave if draw.once_in(2) => {
                polygon(vec![[0.0, 0.0], [w, 0.0], [w, h], [w / 2.0, h], [w / 2.0, h / 2.0], [0.0, h / 2.0]], 0.0)
            }
            // Legs to stand on.
            Self::Concave => {
                let [a, b] = [w / 4.0, w * 0.75];
                polygon(vec![[0.0, 0.0], [w, 0.0], [w, h], [b, h], [b, h / 2.0], [a, h / 2.0], [a, h], [0.0, h]], 0.0)
            }
            Self::Rounded => polygon(hexagon([w, h]), draw.round(0.25, 2.0)),
            Self::Sprite => Form::Sprite { image: Image::Rows(blot(draw)), threshold: 128, region: None },
        };
        ShapeSpec::new(form)
    }

    /// Returns a random pose. Sprites stay upright, since then they are painted alike everywhere.
    pub(super) fn pose(self, draw: &mut Draw) -> Pose {
        let angle = match draw.below(4) {
            _ if self == Self::Sprite => 0.0,
            0 => 90.0 * f64::from(draw.below(4)),
            1 => draw.round(0.0, 360.0),
            _ => 0.0,
        };
        Pose::Turned { angle, scale: [1.0; 2], flip: hitmask::geometry::Flip::default() }
    }
}

fn hexagon([w, h]: [f64; 2]) -> Vec<[f64; 2]> {
    let quarter = h / 4.0;
    vec![[w / 2.0, 0.0], [w, quarter], [w, 3.0 * quarter], [w / 2.0, h], [0.0, 3.0 * quarter], [0.0, quarter]]
}

/// Returns the rows of a full sprite, or of one with ragged edges.
fn blot(draw: &mut Draw) -> Vec<String> {
    let [w, h] = [4 + draw.below(8), 6 + draw.below(8)];
    let ragged = draw.once_in(2);
    let row = |_| {
        let [from, to] = if ragged { [draw.below(w / 2), w - draw.below(w / 2)] } else { [0, w] };
        (0..w).map(|x| if (from..to).contains(&x) { '#' } else { '.' }).collect()
    };
    (0..h).map(row).collect()
}
