//! Traces the rings along the edges of a component's texels, from its runs.
//!
//! ```text
//! for each line between two rows, and the first and the last
//!     merge the ends of the runs above it and below it by column: sides, each with its texels on the right
//!         two at one column that lead the same way are one side, which goes on
//!         all others begin or end at the line; join them in pairs: in between, the texels above and below differ
//! rings = from side to side until the first comes again; the corners are the ends of sides
//! ```
//!
//! If four sides meet, two texels touch at a corner. Both belong to the component, so it encloses one of the two
//! empty texels, and each way goes on around its own empty texel. No ring touches itself: two ways of one ring would be
//! connected through empty texels, and that connection would separate the two texels, which are connected themselves.

use super::super::Component;
use super::{Polygon, begin_at_first};

/// A tracer of components, one after another in the same memory.
#[derive(Default)]
pub(super) struct Tracer {
    /// The start `[x, y]` and the end `[x, y]` of each run, in order.
    ends: Vec<[i32; 2]>,
    /// Sorted by their upper ends, topmost, then leftmost.
    sides: Vec<Side>,
    /// The sides in the last row, the left side of each run before its right one.
    row: Vec<usize>,
    /// Memory for the next row.
    spare: Vec<usize>,
}

/// A vertical edge of a ring. It leads up if it is at the left of its texels, and down if it is at their right.
struct Side {
    x: i32,
    /// The lines at which it begins and ends.
    from: i32,
    to: i32,
    /// The next side; `None` once this side is part of a ring.
    next: Option<usize>,
}

impl Tracer {
    /// Returns the polygon of a component by edges.
    pub(super) fn polygon(&mut self, part: Component<'_>) -> Polygon {
        let mut ends = std::mem::take(&mut self.ends);
        ends.extend(part.runs().flat_map(|(y, run)| [run.start, run.end].map(|x| [x as i32, y as i32])));
        for row in ends.chunk_by(|a, b| a[1] == b[1]) {
            self.link(row[0][1], row);
        }
        let [_, _, _, height] = part.bounds();
        self.link(ends[0][1] + height as i32, &[]);
        ends.clear();
        self.ends = ends;
        // The first side is the leftmost of the top row, so it belongs to the outline.
        let mut rings = (0..self.sides.len()).filter_map(|first| ring(&mut self.sides, first));
        let polygon = Polygon { outline: rings.next().unwrap_or_default(), holes: rings.collect() };
        self.sides.clear();
        polygon
    }

    /// Links the sides of the last row, above line `y`, with those of the row below it.
    fn link(&mut self, y: i32, below: &[[i32; 2]]) {
        let mut open = None;
        let (mut i, mut k) = (0, 0);
        while i < self.row.len() || k < below.len() {
            let x = self.row.get(i).map_or(i32::MAX, |&side| self.sides[side].x);
            let u = below.get(k).map_or(i32::MAX, |end| end[0]);
            if x == u && i % 2 == k % 2 {
                self.spare.push(self.row[i]);
                (i, k) = (i + 1, k + 1);
                continue;
            }
            // In one column, the side whose empty texel is on the left comes first, so each is joined around its own.
            let is_above = x < u || x == u && i % 2 == 0;
            let (side, leads_here) = if is_above {
                i += 1;
                (self.row[i - 1], i % 2 == 0)
            } else {
                k += 1;
                self.spare.push(self.sides.len());
                self.sides.push(Side { x: u, from: y, to: y, next: None });
                (self.sides.len() - 1, k % 2 == 1)
            };
            *if leads_here { &mut self.sides[side].to } else { &mut self.sides[side].from } = y;
            match open.take() {
                None => open = Some(side),
                Some(first) if leads_here => self.sides[side].next = Some(first),
                Some(first) => self.sides[first].next = Some(side),
            }
        }
        self.row.clear();
        std::mem::swap(&mut self.row, &mut self.spare);
    }
}

/// Returns the ring of a side; `None` if it is part of a ring already.
fn ring(sides: &mut [Side], first: usize) -> Option<Vec<[i32; 2]>> {
    let mut ring = Vec::new();
    let mut side = &mut sides[first];
    while let Some(next) = side.next.take() {
        ring.extend([[side.x, side.from], [side.x, side.to]]);
        side = &mut sides[next];
    }
    begin_at_first(&mut ring);
    (!ring.is_empty()).then_some(ring)
}
