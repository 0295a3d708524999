//! Letters that move in each other's gaps without touching. Some cells have two that do not fit.

use hitmask::geometry::{Flip, Vec2};
use hitmask::{Body, Linear, ShapeId};

use super::{Opened, Play, Seen};
use crate::cast::Cast;
use crate::shapes::{Look, Sheet};

/// The size of a cell with two letters, in units.
const CELL: [f64; 2] = [78.0, 88.0];
/// One cell in this many has two letters that do not fit.
const MISFIT: usize = 7;

const H: usize = 0;
const U: usize = 1;
const O: usize = 2;
const E: usize = 3;
const C: usize = 4;
const MARK: usize = 5;
const K: usize = 6;
const T: usize = 7;

pub(super) fn shapes() -> Vec<Look> {
    let letter = |name, column: u32, row: u32| Look::sprite(name, Sheet::Font, [12 * column, 16 * row, 11, 15]);
    vec![
        letter("H", 0, 0),
        letter("U", 6, 1),
        letter("O", 5, 1),
        letter("E", 1, 1),
        letter("C", 0, 1),
        letter("!", 7, 0),
        letter("K", 6, 0),
        letter("T", 2, 0),
    ]
}

/// The motion of the second letter of a cell relative to the first.
#[derive(Clone, Copy)]
enum Dance {
    /// A letter that opens upward, and one that opens downward, four columns to its right. Each has a stroke in the
    /// other's gap, with a pixel of air on both sides. The number is their minimum distance in rows.
    Plug(f64),
    /// Strokes as wide as the gaps: neighbours without air, which hit only with touch included.
    Comb,
    /// A letter that turns inside the other one, which is four times as large.
    Spin,
}

struct Letters {
    /// For each cell its dance, the angle of the whole, and a phase in degrees.
    cells: Vec<(Dance, f64, f64)>,
    columns: usize,
}

pub(super) fn open(count: usize, shapes: &[ShapeId]) -> Opened {
    let cells = (count / 2).max(1);
    let columns = ((cells as f64 * 1.35).sqrt().round() as usize).clamp(1, cells);
    let mut game = Letters { cells: Vec::with_capacity(cells), columns };
    let mut bodies = Vec::with_capacity(2 * cells);
    for cell in 0..cells {
        let (dance, first, second) = match cell % 9 {
            0 | 4 => (Dance::Spin, O, [K, MARK, T][cell / 9 % 3]),
            2 => (Dance::Comb, E, E),
            5 => (Dance::Comb, C, E),
            1 | 6 => (Dance::Plug(10.0), H, H),
            _ => (Dance::Plug(4.0), U, U),
        };
        // Some cells are turned by 90 degrees, some by 30.
        let angle = match cell % 5 {
            3 => 90.0,
            4 => 30.0,
            _ => 0.0,
        };
        game.cells.push((dance, angle, (cell * 67 % 360) as f64));
        // Cells do not hit each other's letters.
        for shape in [first, second] {
            bodies.push(Body::new(shapes[shape], [0.0; 2]));
        }
    }
    game.place(&mut bodies, 0, None);
    (bodies, Box::new(game))
}

impl Letters {
    fn place(&self, bodies: &mut [Body], step: u64, held: Option<usize>) {
        for (cell, (&(dance, angle, phase), bodies)) in self.cells.iter().zip(bodies.chunks_exact_mut(2)).enumerate() {
            let (column, row) = (cell % self.columns, cell / self.columns);
            let middle = [(column as f64 + 0.5) * CELL[0], (row as f64 + 0.5) * CELL[1]];
            let wave = Linear::from_degrees(phase + step as f64 * 1.5).x[0];
            let misfit = cell % MISFIT == MISFIT - 1;
            let none = Flip::default();
            // For each letter: scale, flip, offset of its middle from the cell's before the cell is turned, and its own
            // turn.
            let [a, b] = match dance {
                Dance::Plug(least) => {
                    // At most four rows apart.
                    let apart = 2.0 * (f64::midpoint(19.0, least) + (19.0 - least) / 2.0 * wave);
                    let aside = if misfit { 6.0 } else { 4.0 };
                    [
                        (2.0, none, [-aside, apart / 2.0], 0.0),
                        (2.0, Flip { x: false, y: true }, [aside, -apart / 2.0], 0.0),
                    ]
                }
                Dance::Comb => {
                    let apart = 2.0 * (11.5 + 3.5 * wave);
                    let down = if misfit { 2.0 } else { 3.0 };
                    [
                        (2.0, none, [-apart / 2.0, -down], 0.0),
                        (2.0, Flip { x: true, y: false }, [apart / 2.0, down], 0.0),
                    ]
                }
                Dance::Spin => {
                    let turn = (phase + step as f64 * 2.0).rem_euclid(360.0);
                    [(4.0, none, [0.0; 2], 0.0), (if misfit { 1.75 } else { 1.0 }, none, [0.0; 2], turn)]
                }
            };
            let whole = Linear::from_degrees(angle);
            for (index, (scale, flip, [x, y], turn)) in [a, b].into_iter().enumerate() {
                let body = &mut bodies[index];
                let at = Vec2 {
                    x: middle[0] + whole.x[0] * x + whole.x[1] * y,
                    y: middle[1] + whole.y[0] * x + whole.y[1] * y,
                };
                body.linear = Linear::new(angle + turn, [scale; 2], flip);
                if held != Some(2 * cell + index) {
                    body.at = at;
                }
            }
        }
    }
}

impl Play for Letters {
    fn step(&mut self, bodies: &mut Cast, seen: &Seen<'_>) -> anyhow::Result<()> {
        self.place(bodies, seen.step + 1, seen.held);
        Ok(())
    }

    fn home(&self) -> [f64; 4] {
        [0.0, 0.0, self.columns as f64 * CELL[0], self.cells.len().div_ceil(self.columns) as f64 * CELL[1]]
    }
}
