//! Outlines made of lines and arcs, in units: those of bodies, inflated by their radius, and open ones.

use std::f64::consts::{FRAC_PI_4, TAU};

use crate::ground::lattice::{Point, SUBPIXELS};
use crate::host::contact::convex::{add, hull};
use crate::world::World;
use crate::world::body::BodyId;

/// The next part of a [`Curve`], from the point where the previous part ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// A straight line to a point.
    Line([f64; 2]),
    /// An arc around a centre, turning from +x toward +y, by at most half a turn.
    Arc {
        /// The centre of the circle.
        centre: [f64; 2],
        /// The end of the arc.
        to: [f64; 2],
    },
}

/// A connected line without branches, made of straight lines and arcs, in units.
///
/// [`Curve::outlines`] returns those of a body without rounding them off to polygons, as SVG and vector renderers take
/// them.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// The first point.
    pub start: [f64; 2],
    /// The parts, each from the end of the one before.
    pub steps: Vec<Step>,
    /// Whether it returns to its start.
    pub closed: bool,
}

impl Step {
    /// Returns the point where the part ends.
    ///
    /// ```
    /// use hitmask::debug::Step;
    ///
    /// assert_eq!(Step::Line([3.0, 4.0]).to(), [3.0, 4.0]);
    /// ```
    #[must_use]
    pub fn to(&self) -> [f64; 2] {
        match *self {
            Self::Line(to) | Self::Arc { to, .. } => to,
        }
    }

    /// Returns the angle by which the part turns if it begins at a point, in radians; 0 for a line.
    ///
    /// ```
    /// use hitmask::debug::Step;
    ///
    /// let quarter = Step::Arc { centre: [0.0, 0.0], to: [0.0, 1.0] };
    /// assert_eq!(quarter.turn([1.0, 0.0]), std::f64::consts::FRAC_PI_2);
    /// ```
    #[must_use]
    pub fn turn(&self, from: [f64; 2]) -> f64 {
        match *self {
            Self::Line(_) => 0.0,
            Self::Arc { centre, to } => (angle(centre, to) - angle(centre, from)).rem_euclid(TAU),
        }
    }
}

impl Curve {
    /// Returns the outline and the holes of a convex body or polygon, placed in the world and inflated by its radius,
    /// or those of each of its parts; `None` for a sprite or a removed body.
    ///
    /// ```
    /// use hitmask::debug::{Curve, Step};
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(2.0)?)?;
    /// let ball = world.add(&Body::new(ball, [5, 0]))?;
    /// let [circle] = &Curve::outlines(&world, ball).unwrap()[..] else { panic!("one line") };
    /// let arc = |to| Step::Arc { centre: [5.0, 0.0], to };
    /// assert_eq!((circle.start, &circle.steps[..]), ([7.0, 0.0], &[arc([3.0, 0.0]), arc([7.0, 0.0])][..]));
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn outlines(world: &World, body: BodyId) -> Option<Vec<Self>> {
        Some(world.outline_with_radii(body)?.iter().filter_map(|(loop_, radius)| outline(loop_, *radius)).collect())
    }

    /// Connects points by straight lines; `None` if there are no points.
    ///
    /// ```
    /// use hitmask::debug::{Curve, Step};
    ///
    /// let corner = Curve::through(&[[0.0, 0.0], [4.0, 0.0]], false).unwrap();
    /// assert_eq!((corner.start, corner.steps), ([0.0, 0.0], vec![Step::Line([4.0, 0.0])]));
    /// ```
    #[must_use]
    pub fn through(points: &[[f64; 2]], closed: bool) -> Option<Self> {
        let (&start, rest) = points.split_first()?;
        Some(Self { start, steps: rest.iter().map(|&to| Step::Line(to)).collect(), closed })
    }

    /// Returns this curve, moved.
    ///
    /// ```
    /// use hitmask::debug::Curve;
    ///
    /// let curve = Curve::through(&[[0.0, 0.0], [4.0, 0.0]], false).unwrap();
    /// assert_eq!(Some(curve.moved([1.0, 2.0])), Curve::through(&[[1.0, 2.0], [5.0, 2.0]], false));
    /// ```
    #[must_use]
    pub fn moved(&self, by: [f64; 2]) -> Self {
        let step = |step: &Step| match *step {
            Step::Line(to) => Step::Line(add(to, by)),
            Step::Arc { centre, to } => Step::Arc { centre: add(centre, by), to: add(to, by) },
        };
        Self { start: add(self.start, by), steps: self.steps.iter().map(step).collect(), closed: self.closed }
    }

    /// Returns points on the curve, from its start on. The lines between them are at most `tolerance` units from the
    /// curve, and turn by at most an eighth of a turn each. A tolerance below a lattice step counts as one.
    ///
    /// ```
    /// use hitmask::debug::{Curve, Step};
    ///
    /// let half = Step::Arc { centre: [0.0, 0.0], to: [-9.0, 0.0] };
    /// let half = Curve { start: [9.0, 0.0], steps: vec![half], closed: false };
    /// assert_eq!([0.5, 0.01].map(|tolerance| half.flattened(tolerance).len()), [6, 35]);
    /// ```
    #[must_use]
    pub fn flattened(&self, tolerance: f64) -> Vec<[f64; 2]> {
        let tolerance = tolerance.max(1.0 / f64::from(SUBPIXELS));
        let mut points = vec![self.start];
        for step in &self.steps {
            let &from = points.last().unwrap_or(&self.start);
            if let Step::Arc { centre, .. } = *step {
                let [dx, dy] = [from[0] - centre[0], from[1] - centre[1]];
                let (radius, start, turn) = (dx.hypot(dy), angle(centre, from), step.turn(from));
                // The middle of a chord is `radius * (1 - cos(angle / 2))` from its arc.
                let most = (2.0 * (1.0 - tolerance / radius).max(0.0).acos()).min(FRAC_PI_4);
                let count = (turn / most).ceil();
                let on_arc = |k: u32| {
                    let (sin, cos) = (start + turn * f64::from(k) / count).sin_cos();
                    add(centre, [radius * cos, radius * sin])
                };
                points.extend((1..count as u32).map(on_arc));
            }
            points.push(step.to());
        }
        points
    }
}

/// Returns the angle at which a point lies around a centre, in radians.
fn angle(centre: [f64; 2], p: [f64; 2]) -> f64 {
    (p[1] - centre[1]).atan2(p[0] - centre[0])
}

/// Returns the outline of a loop of landed vertices with a radius, in lattice steps.
pub(super) fn outline(vertices: &[Point], radius: i32) -> Option<Curve> {
    if radius > 0 {
        return inflated(vertices, f64::from(radius) / f64::from(SUBPIXELS));
    }
    Curve::through(&vertices.iter().map(|p| p.units()).collect::<Vec<_>>(), true)
}

/// Returns the outline of a convex core inflated by a radius: its edges moved outward, and an arc around each vertex.
///
/// ```text
///      ________
///     /        \        an edge  start ──> Line
///    |  p----q  |       a vertex q:        Arc around q, to where the next edge begins
///     \________/
/// ```
fn inflated(core: &[Point], radius: f64) -> Option<Curve> {
    let core = around(core);
    if let [[x, y]] = core[..] {
        let [right, left] = [[x + radius, y], [x - radius, y]];
        let arc = |to| Step::Arc { centre: [x, y], to };
        return Some(Curve { start: right, steps: vec![arc(left), arc(right)], closed: true });
    }
    let next = |i: usize| (i + 1) % core.len();
    let outward = |i: usize| {
        let [p, q] = [core[i], core[next(i)]];
        let edge = [q[0] - p[0], q[1] - p[1]];
        let length = edge[0].hypot(edge[1]);
        [radius * edge[1] / length, -radius * edge[0] / length]
    };
    let start = add(*core.first()?, outward(0));
    let steps = (0..core.len()).flat_map(|i| {
        let corner = core[next(i)];
        let arc = Step::Arc { centre: corner, to: add(corner, outward(next(i))) };
        [Step::Line(add(corner, outward(i))), arc]
    });
    Some(Curve { start, steps: steps.collect(), closed: true })
}

/// Returns the vertices of the hull of a landed core, in units, with the inside on the left. Rounding may have folded
/// the core. The first is the core's first in that order, if it is a vertex of the hull.
fn around(core: &[Point]) -> Vec<[f64; 2]> {
    let wide = |p: &Point| [i64::from(p.x), i64::from(p.y)];
    let mut hull = hull(core.iter().map(wide));
    let next = core.iter().cycle().skip(1);
    let area: i128 =
        core.iter().zip(next).map(|(p, q)| (wide(p), wide(q))).map(|([a, b], [c, d])| i128::from(a * d - b * c)).sum();
    let first = if area < 0 { core.last() } else { core.first() };
    if let Some(place) = first.and_then(|first| hull.iter().position(|p| *p == wide(first))) {
        hull.rotate_left(place);
    }
    hull.into_iter().map(|[x, y]| Point::new(x as i32, y as i32).units()).collect()
}

#[cfg(test)]
mod tests {
    use std::f64::consts::{FRAC_PI_2, PI};

    use super::*;

    /// Returns the lengths of lines and the angles of arcs.
    fn parts(line: &Curve) -> (Vec<f64>, Vec<f64>) {
        let (mut lengths, mut angles, mut at) = (Vec::new(), Vec::new(), line.start);
        for step in &line.steps {
            match *step {
                Step::Line(to) => lengths.push((to[0] - at[0]).hypot(to[1] - at[1])),
                Step::Arc { .. } => angles.push(step.turn(at)),
            }
            at = step.to();
        }
        (lengths, angles)
    }

    fn points(units: &[[i32; 2]]) -> Vec<Point> {
        units.iter().map(|&[x, y]| Point::new(256 * x, 256 * y)).collect()
    }

    #[test]
    fn a_rounded_box_has_four_sides_and_four_quarters_whichever_way_it_winds() {
        for core in [[[0, 0], [4, 0], [4, 2], [0, 2]], [[0, 2], [4, 2], [4, 0], [0, 0]]] {
            let line = &outline(&points(&core), 256).unwrap();
            let (mut lengths, angles) = parts(line);
            lengths.sort_by(f64::total_cmp);
            assert_eq!(lengths, [2.0, 2.0, 4.0, 4.0]);
            assert!(angles.iter().all(|angle| (angle - FRAC_PI_2).abs() < 1e-9), "{angles:?}");
            assert_eq!(line.steps.last().map(Step::to), Some(line.start));
            assert!(line.steps.iter().all(|step| step.to()[0] <= 5.0 && step.to()[1] <= 3.0));
        }
    }

    #[test]
    fn a_circle_and_a_capsule_have_two_halves() {
        for core in [points(&[[3, 3]]), points(&[[3, 3], [9, -5]]), points(&[[3, 3], [3, 3]])] {
            let (_, angles) = parts(&outline(&core, 300).unwrap());
            assert!(angles.len() == 2 && angles.iter().all(|angle| (angle - PI).abs() < 1e-9), "{angles:?}");
        }
    }

    #[test]
    fn a_core_that_rounding_has_folded_is_its_hull() {
        // The two last vertices have passed each other, and one lies on an edge.
        let folded = points(&[[0, 0], [2, 0], [4, 0], [0, 4], [4, 4]]);
        let (lengths, angles) = parts(&outline(&folded, 256).unwrap());
        assert_eq!(lengths, [4.0; 4]);
        assert!(angles.iter().all(|angle| (angle - FRAC_PI_2).abs() < 1e-9), "{angles:?}");
    }

    #[test]
    fn without_a_radius_every_loop_is_as_it_landed() {
        let loops = [points(&[[0, 0], [4, 0], [0, 4]]), points(&[[1, 1], [1, 2], [2, 1]])];
        let lines = loops.map(|vertices| outline(&vertices, 0).unwrap());
        assert_eq!(lines[1].start, [1.0, 1.0]);
        assert_eq!(lines[1].steps, [Step::Line([1.0, 2.0]), Step::Line([2.0, 1.0])]);
        assert!(lines.len() == 2 && lines.iter().all(|line| line.closed));
    }
}
