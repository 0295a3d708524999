//! A grid over boxes of real numbers, which finds those that meet another box.

/// A box in pixels: its least corner, then its largest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    pub(crate) min: [f64; 2],
    pub(crate) max: [f64; 2],
}

impl Span {
    /// Returns whether the interiors of two boxes overlap.
    fn meets(&self, other: &Self) -> bool {
        (0..2).all(|axis| self.min[axis] < other.max[axis] && self.max[axis] > other.min[axis])
    }
}

/// The most cells along an axis.
const MOST_CELLS: f64 = 1024.0;

/// The most cells that a box lies in; larger ones are compared with every other box.
const MOST_CELLS_OF_ONE: usize = 64;

/// The cells of a row of columns, and of a row of rows, that a box lies in.
type Cells = [[usize; 2]; 2];

/// A grid of cells, each with the boxes that lie in it.
pub(crate) struct Grid {
    origin: [f64; 2],
    /// The cells of a pixel, along both axes.
    scale: f64,
    sides: [usize; 2],
    /// The index in `boxes` at which those of each cell begin; one more at the end.
    starts: Vec<u32>,
    boxes: Vec<u32>,
    /// The boxes that lie in too many cells.
    large: Vec<u32>,
}

impl Grid {
    pub(crate) fn new(spans: &[Span]) -> Self {
        let mut bounds = Span { min: [f64::INFINITY; 2], max: [f64::NEG_INFINITY; 2] };
        let mut size = 0.0;
        for span in spans {
            for axis in 0..2 {
                bounds.min[axis] = bounds.min[axis].min(span.min[axis]);
                bounds.max[axis] = bounds.max[axis].max(span.max[axis]);
                size += span.max[axis] - span.min[axis];
            }
        }
        let extent = [bounds.max[0] - bounds.min[0], bounds.max[1] - bounds.min[1]];
        let longest = extent[0].max(extent[1]);
        // A cell is about twice as wide as a box, and there are not many more cells than boxes.
        let typical = size / (spans.len() as f64).max(1.0);
        let even = (extent[0] * extent[1] / (spans.len() as f64).max(1.0)).sqrt();
        let cell = typical.max(even).max(longest / MOST_CELLS).max(1.0);
        let cell = if cell.is_finite() { cell } else { 1.0 };
        let sides = extent.map(|extent| if extent.is_finite() { (extent / cell) as usize + 1 } else { 1 });
        let sides = sides.map(|side| side.clamp(1, MOST_CELLS as usize + 1));
        let mut grid = Self {
            origin: bounds.min.map(|v| if v.is_finite() { v } else { 0.0 }),
            scale: 1.0 / cell,
            sides,
            starts: vec![0; sides[0] * sides[1] + 1],
            boxes: Vec::new(),
            large: Vec::new(),
        };
        grid.fill(spans);
        grid
    }

    /// Returns the cells that a box lies in, those at the rim for what lies beyond it.
    fn cells(&self, span: &Span) -> Cells {
        [0, 1].map(|axis| {
            // A cast saturates, and takes NaN for 0.
            let cell = |v: f64| ((v - self.origin[axis]) * self.scale) as usize;
            [cell(span.min[axis]).min(self.sides[axis] - 1), cell(span.max[axis]).min(self.sides[axis] - 1)]
        })
    }

    /// Sorts the boxes into the cells.
    fn fill(&mut self, spans: &[Span]) {
        let cells: Vec<Cells> = spans.iter().map(|span| self.cells(span)).collect();
        let mut kept = Vec::with_capacity(spans.len());
        for (index, cells) in cells.iter().enumerate() {
            if count(cells) > MOST_CELLS_OF_ONE {
                self.large.push(index as u32);
                continue;
            }
            kept.push(index as u32);
            for_each(cells, self.sides[0], |cell| self.starts[cell + 1] += 1);
        }
        for cell in 1..self.starts.len() {
            self.starts[cell] += self.starts[cell - 1];
        }
        self.boxes = vec![0; self.starts.last().copied().unwrap_or(0) as usize];
        let mut next = self.starts.clone();
        for index in kept {
            for_each(&cells[index as usize], self.sides[0], |cell| {
                self.boxes[next[cell] as usize] = index;
                next[cell] += 1;
            });
        }
    }

    /// Appends the boxes of the grid that meet a box, each once, in ascending order. `spans` are the grid's boxes, and
    /// `seen` has a number for each, none of them `round`.
    pub(crate) fn search(&self, span: &Span, spans: &[Span], seen: &mut [u32], round: u32, found: &mut Vec<u32>) {
        let first = found.len();
        found.extend(self.large.iter().filter(|index| spans[**index as usize].meets(span)));
        for_each(&self.cells(span), self.sides[0], |cell| {
            for &index in &self.boxes[self.starts[cell] as usize..self.starts[cell + 1] as usize] {
                if seen[index as usize] != round && spans[index as usize].meets(span) {
                    seen[index as usize] = round;
                    found.push(index);
                }
            }
        });
        found[first..].sort_unstable();
    }
}

fn count([columns, rows]: &Cells) -> usize {
    (columns[1].saturating_sub(columns[0]) + 1) * (rows[1].saturating_sub(rows[0]) + 1)
}

fn for_each([columns, rows]: &Cells, stride: usize, mut work: impl FnMut(usize)) {
    for row in rows[0]..=rows[1] {
        for column in columns[0]..=columns[1] {
            work(row * stride + column);
        }
    }
}
