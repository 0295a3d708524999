//! Polygons as a caller has them: corners in units, and where rings and polygons begin.

/// The lattice steps of a unit.
const STEPS: f64 = hitmask::geometry::SUBPIXELS as f64;

/// The largest magnitude of a coordinate, in units: lattice steps are then exact in 64-bit floats.
pub(super) const MOST: f64 = (1_u64 << 40) as f64;

/// The longest side of a box, in units: a world ends at two million.
const MOST_SIDE: f64 = (1 << 20) as f64;

/// Why a polygon is refused.
pub(super) enum Fault {
    Empty,
    /// A corner lies beyond [`MOST`], or has a coordinate that is no number.
    Beyond([f64; 2]),
    /// The sides of the box in units, of which one is 0 or longer than [`MOST_SIDE`].
    Sides([f64; 2]),
    /// Sides cross each other, or there is no area.
    Crossed,
}

/// The row of a polygon that is wrong, and why.
pub(super) type Wrong = (usize, Fault);

/// An array of polygons: its corners, and where they belong.
pub(super) struct Source<'a> {
    /// In units.
    pub(super) corners: &'a [[f64; 2]],
    /// The corner at which each ring begins, and the end of the last.
    pub(super) rings: &'a [usize],
    /// The ring at which each polygon begins, and the end of the last.
    pub(super) polygons: &'a [usize],
}

/// Sources of polygons, whose rows follow each other.
pub(super) struct Sources<'a> {
    all: &'a [Source<'a>],
    /// The row at which each source begins.
    starts: Vec<usize>,
    pub(super) len: usize,
}

impl<'a> Sources<'a> {
    pub(super) fn new(all: &'a [Source<'a>]) -> Self {
        let (mut starts, mut len) = (Vec::new(), 0);
        for source in all {
            starts.push(len);
            len += source.polygons.len().saturating_sub(1);
        }
        Self { all, starts, len }
    }

    /// Returns the source of a polygon, and where its rings begin, and the end of the last.
    pub(super) fn rings(&self, polygon: usize) -> (&'a Source<'a>, &'a [usize]) {
        let at = self.starts.partition_point(|start| *start <= polygon) - 1;
        let (source, polygon) = (&self.all[at], polygon - self.starts[at]);
        (source, &source.rings[source.polygons[polygon]..=source.polygons[polygon + 1]])
    }

    /// Returns the corners of a polygon.
    pub(super) fn corners(&self, polygon: usize) -> &'a [[f64; 2]] {
        let (source, rings) = self.rings(polygon);
        &source.corners[rings[0]..rings[rings.len() - 1]]
    }
}

/// Returns the box of corners.
pub(super) fn frame(corners: &[[f64; 2]]) -> Result<Frame, Fault> {
    let (mut min, mut max, mut none) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2], [0.0; 2]);
    for corner in corners {
        for axis in 0..2 {
            min[axis] = if corner[axis] < min[axis] { corner[axis] } else { min[axis] };
            max[axis] = if corner[axis] > max[axis] { corner[axis] } else { max[axis] };
            // Becomes NaN by a coordinate that is no number.
            none[axis] += corner[axis] * 0.0;
        }
    }
    if corners.is_empty() {
        return Err(Fault::Empty);
    }
    if (0..2).any(|axis| none[axis].is_nan() || min[axis] < -MOST || max[axis] > MOST) {
        let is_beyond = |corner: &&[f64; 2]| !corner.iter().all(|v| v.abs() <= MOST);
        return Err(Fault::Beyond(*corners.iter().find(is_beyond).unwrap_or(&min)));
    }
    let (min, max) = (min.map(lattice), max.map(lattice));
    let sides = [max[0] - min[0], max[1] - min[1]];
    if sides.iter().any(|side| *side <= 0.0 || *side > MOST_SIDE * STEPS) {
        return Err(Fault::Sides(sides.map(|side| side / STEPS)));
    }
    Ok(Frame { origin: min.map(|v| v as i64), size: sides.map(|side| side as i32) })
}

/// The box of a polygon, in lattice steps.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    /// The least corner.
    pub(super) origin: [i64; 2],
    /// The sides.
    pub(super) size: [i32; 2],
}

impl Frame {
    /// Returns the least x and y, then the largest.
    pub(super) fn corners(&self) -> [i64; 4] {
        let ([x, y], [width, height]) = (self.origin, self.size.map(i64::from));
        [x, y, x + width, y + height]
    }
}

/// Floats of this size have no fraction, and differ by 1.
const WHOLE: f64 = (3_u64 << 51) as f64;

/// Returns the lattice step nearest to a coordinate, the larger of two: `floor(v * 256 + 0.5)`, which calls a function
/// where the processor has no such instruction.
#[inline]
pub(super) fn lattice(v: f64) -> f64 {
    let v = v * STEPS + 0.5;
    let near = (v + WHOLE) - WHOLE;
    if near > v { near - 1.0 } else { near }
}

/// Returns a whole number as 32 bits, which are the low ones of the float: a cast would check the range.
#[inline]
pub(super) fn low_bits(v: f64) -> i32 {
    (v + WHOLE).to_bits() as i32
}
