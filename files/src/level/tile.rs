//! A tile in a cell: which one, and how it is flipped.

use hitmask::{Linear, Mask};

/// A tile as it stands in a cell or as an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tile {
    /// The index of its tileset in [`Level::tilesets`](crate::Level::tilesets).
    pub tileset: u16,
    /// Its number in the tileset.
    pub id: u32,
    /// How it is flipped.
    pub flips: Flips,
}

/// The flips of a tile, which also turn it: one of eight ways to stand in a cell.
///
/// ```text
///          plain   diagonal   x     y    x, y   diagonal, x   diagonal, y   all
///           ab       ac       ba    cd    dc        ca            bd         db
///           cd       bd       dc    ab    ba        db            ac         ca
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Flips {
    /// Whether to exchange x and y, before the other flips. A tile's width and height are exchanged too.
    pub diagonal: bool,
    /// Whether to exchange left and right.
    pub x: bool,
    /// Whether to exchange top and bottom.
    pub y: bool,
}

impl Tile {
    /// Makes a tile that is not flipped.
    #[must_use]
    pub fn new(tileset: u16, id: u32) -> Self {
        Self { tileset, id, flips: Flips::default() }
    }
}

impl Flips {
    /// Returns the size of a flipped tile.
    #[must_use]
    pub fn size<T>(self, [width, height]: [T; 2]) -> [T; 2] {
        if self.diagonal { [height, width] } else { [width, height] }
    }

    /// Returns the place in a flipped tile of a point in the tile, whose size before the flips is `size`.
    ///
    /// ```
    /// use hitmask_files::level::Flips;
    ///
    /// let quarter = Flips { diagonal: true, x: true, y: false }; // a quarter turn clockwise
    /// assert_eq!(quarter.point([1.0, 2.0], [16.0, 8.0]), [6.0, 1.0]);
    /// ```
    #[must_use]
    pub fn point(self, at: [f64; 2], size: [f64; 2]) -> [f64; 2] {
        let ([x, y], [width, height]) = (self.size(at), self.size(size));
        [if self.x { width - x } else { x }, if self.y { height - y } else { y }]
    }

    /// Returns the linear part of the pose of a body that is flipped so about its local origin.
    #[must_use]
    pub fn linear(self) -> Linear {
        let [x, y] = [self.x, self.y].map(|flipped| if flipped { -1.0 } else { 1.0 });
        if self.diagonal { [[0.0, x], [y, 0.0]].into() } else { [[x, 0.0], [0.0, y]].into() }
    }

    /// Returns the mask of a flipped tile.
    pub(super) fn mask(self, mask: &Mask) -> hitmask::Result<Mask> {
        let [width, height] = self.size(mask.size());
        Mask::from_fn(width, height, |x, y| {
            let [x, y] = self.size([if self.x { width - 1 - x } else { x }, if self.y { height - 1 - y } else { y }]);
            mask.get(x, y)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_eight_flips_stand_as_drawn() {
        let mask = Mask::from_rows(&["#..", "#.#"]).unwrap();
        for (diagonal, x, y, rows) in [
            (false, false, false, &["#..", "#.#"][..]),
            (false, true, false, &["..#", "#.#"]),
            (false, false, true, &["#.#", "#.."]),
            (false, true, true, &["#.#", "..#"]),
            (true, false, false, &["##", "..", ".#"]),
            (true, true, false, &["##", "..", "#."]),
            (true, false, true, &[".#", "..", "##"]),
            (true, true, true, &["#.", "..", "##"]),
        ] {
            let flips = Flips { diagonal, x, y };
            let flipped = flips.mask(&mask).unwrap();
            assert_eq!(flipped.to_rows(), rows, "{flips:?}");
            for (u, v) in [(0, 0), (2, 0), (1, 1), (2, 1)] {
                let [x, y] = flips.point([f64::from(u) + 0.5, f64::from(v) + 0.5], [3.0, 2.0]);
                assert_eq!(flipped.get(x as u32, y as u32), mask.get(u, v), "{flips:?}: {u}, {v}");
                let turned = flips.linear() * hitmask::geometry::Vec2 { x: f64::from(u), y: f64::from(v) };
                let start = flips.point([0.0, 0.0], [3.0, 2.0]);
                assert_eq!(flips.point([u.into(), v.into()], [3.0, 2.0]), [turned.x + start[0], turned.y + start[1]]);
            }
        }
    }
}
