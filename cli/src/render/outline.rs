//! Outlines made of lines and arcs, in units: those of bodies, inflated by their radius, and open ones.

use std::f64::consts::TAU;

use hitmask::geometry::{Point, SUBPIXELS};

/// The next part of an outline, from the point where the previous part ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Step {
    Line([f64; 2]),
    /// An arc around a centre, turning from +x toward +y, by at most half a turn.
    Arc {
        centre: [f64; 2],
        to: [f64; 2],
    },
}

/// A connected line without branches.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Line {
    pub(super) start: [f64; 2],
    pub(super) steps: Vec<Step>,
    /// Whether it returns to its start.
    pub(super) closed: bool,
}

impl Line {
    /// Connects points by straight lines.
    pub(super) fn through(points: &[[f64; 2]], closed: bool) -> Option<Self> {
        let (&start, rest) = points.split_first()?;
        Some(Self { start, steps: rest.iter().map(|&to| Step::Line(to)).collect(), closed })
    }

    /// Returns this line, moved.
    pub(super) fn moved(&self, by: [f64; 2]) -> Self {
        let step = |step: &Step| match *step {
            Step::Line(to) => Step::Line(add(to, by)),
            Step::Arc { centre, to } => Step::Arc { centre: add(centre, by), to: add(to, by) },
        };
        Self { start: add(self.start, by), steps: self.steps.iter().map(step).collect(), closed: self.closed }
    }
}

impl Step {
    pub(super) fn to(&self) -> [f64; 2] {
        match *self {
            Self::Line(to) | Self::Arc { to, .. } => to,
        }
    }
}

/// Returns the angle, in radians, by which an arc turns from `from` to `to`.
pub(super) fn turn(centre: [f64; 2], from: [f64; 2], to: [f64; 2]) -> f64 {
    let angle = |p: [f64; 2]| (p[1] - centre[1]).atan2(p[0] - centre[0]);
    (angle(to) - angle(from)).rem_euclid(TAU)
}

/// Returns the outline of a body from its loops of landed vertices and its radius, in lattice steps.
pub(super) fn outline(loops: &[Vec<Point>], radius: i32) -> Vec<Line> {
    let units = |vertices: &Vec<Point>| -> Vec<[f64; 2]> { vertices.iter().map(|p| p.units()).collect() };
    if radius == 0 {
        return loops.iter().filter_map(|vertices| Line::through(&units(vertices), true)).collect();
    }
    let radius = f64::from(radius) / f64::from(SUBPIXELS);
    loops.iter().filter_map(|vertices| inflated(units(vertices), radius)).collect()
}

/// Returns the outline of a convex core inflated by a radius: its edges moved outward, and an arc around each vertex.
///
/// ```text
///      ________
///     /        \        an edge  start ──> Line
///    |  p----q  |       a vertex q:        Arc around q, to where the next edge begins
///     \________/
/// ```
fn inflated(mut core: Vec<[f64; 2]>, radius: f64) -> Option<Line> {
    core.dedup();
    while core.len() > 1 && core.first() == core.last() {
        core.pop();
    }
    if let [[x, y]] = core[..] {
        let [right, left] = [[x + radius, y], [x - radius, y]];
        let arc = |to| Step::Arc { centre: [x, y], to };
        return Some(Line { start: right, steps: vec![arc(left), arc(right)], closed: true });
    }
    let next = |i: usize| (i + 1) % core.len();
    let area: f64 = (0..core.len()).map(|i| core[i][0] * core[next(i)][1] - core[i][1] * core[next(i)][0]).sum();
    if area < 0.0 {
        core.reverse();
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
    Some(Line { start, steps: steps.collect(), closed: true })
}

pub(super) fn add([a, b]: [f64; 2], [c, d]: [f64; 2]) -> [f64; 2] {
    [a + c, b + d]
}

#[cfg(test)]
mod tests {
    use std::f64::consts::{FRAC_PI_2, PI};

    use super::*;

    /// Returns the lengths of lines and the angles of arcs.
    fn parts(line: &Line) -> (Vec<f64>, Vec<f64>) {
        let (mut lengths, mut angles, mut at) = (Vec::new(), Vec::new(), line.start);
        for step in &line.steps {
            match *step {
                Step::Line(to) => lengths.push((to[0] - at[0]).hypot(to[1] - at[1])),
                Step::Arc { centre, to } => angles.push(turn(centre, at, to)),
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
            let [line] = &outline(&[points(&core)], 256)[..] else { panic!("one line") };
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
            let (_, angles) = parts(&outline(&[core], 300)[0]);
            assert!(angles.len() == 2 && angles.iter().all(|angle| (angle - PI).abs() < 1e-9), "{angles:?}");
        }
    }

    #[test]
    fn without_a_radius_every_loop_is_as_it_landed() {
        let lines = outline(&[points(&[[0, 0], [4, 0], [0, 4]]), points(&[[1, 1], [1, 2], [2, 1]])], 0);
        assert_eq!(lines[1].start, [1.0, 1.0]);
        assert_eq!(lines[1].steps, [Step::Line([1.0, 2.0]), Step::Line([2.0, 1.0])]);
        assert!(lines.len() == 2 && lines.iter().all(|line| line.closed));
    }
}
