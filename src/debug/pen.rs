//! The pen that appends lines: it leaves out those that are out of view, and asks for memory.

use super::border::Pixels;
use super::curve::Curve;
use super::lines::Line;
use super::palette::Color;
use crate::ground::aabb::Aabb;
use crate::ground::error::Result;
use crate::ground::lattice::{Point, SUBPIXELS};
use crate::ground::memory::{Need, Room};
use crate::ground::vec2::Vec2;

const NEED: Need = Need { what: "the list of debug lines", advice: "draw less, or a smaller view", beside: 0 };

/// Draws into a list.
pub(super) struct Pen<'a> {
    lines: &'a mut Vec<Line>,
    room: Room,
    origin: Vec2,
    /// The smallest and the largest corner of the view, in units.
    view: [Vec2; 2],
    /// The maximum distance of a line from the curve that it approximates, in units.
    tolerance: f64,
}

impl<'a> Pen<'a> {
    pub(super) fn new(lines: &'a mut Vec<Line>, origin: Vec2, view: Option<[Vec2; 2]>, tolerance: f64) -> Self {
        let everywhere = [f64::NEG_INFINITY, f64::INFINITY].map(|v| Vec2 { x: v, y: v });
        Self { lines, room: Room::default(), origin, view: view.unwrap_or(everywhere), tolerance }
    }

    /// Returns a box around the view, in lattice steps.
    pub(super) fn sight(&self) -> Aabb {
        // Casts saturate.
        let steps = |v: f64| v * f64::from(SUBPIXELS);
        let [min, max] = self.view;
        Aabb {
            min: Point::new(steps(min.x).floor() as i32, steps(min.y).floor() as i32),
            max: Point::new(steps(max.x).ceil() as i32, steps(max.y).ceil() as i32),
        }
    }

    /// Returns the pixels that the view meets, or touches.
    pub(super) fn pixels(&self) -> Pixels {
        let Aabb { min, max } = self.sight();
        let range = |min: i32, max: i32| [min.saturating_sub(1) >> 8, (max >> 8) + 1];
        Pixels { columns: range(min.x, max.x), rows: range(min.y, max.y) }
    }

    /// Returns whether a point lies in the view, or at most `slack` units beside it.
    pub(super) fn sees(&self, at: Vec2, slack: f64) -> bool {
        let [min, max] = self.view;
        let within = |v: f64, min: f64, max: f64| v >= min - slack && v <= max + slack;
        within(at.x, min.x, max.x) && within(at.y, min.y, max.y)
    }

    /// Draws a line between two points in units, if its bounding box meets the view.
    pub(super) fn line(&mut self, from: Vec2, to: Vec2, color: Color) -> Result<()> {
        let [min, max] = self.view;
        let meets = |a: f64, b: f64, min: f64, max: f64| a.min(b) <= max && a.max(b) >= min;
        if from == to || !meets(from.x, to.x, min.x, max.x) || !meets(from.y, to.y, min.y, max.y) {
            return Ok(());
        }
        self.room.reserve(self.lines, 1, NEED)?;
        let [from, to] = [from, to].map(|p| p - self.origin).map(|p| [p.x as f32, p.y as f32]);
        self.lines.push(Line { from, to, color });
        Ok(())
    }

    /// Draws a closed curve.
    pub(super) fn curve(&mut self, curve: &Curve, color: Color) -> Result<()> {
        let points = curve.flattened(self.tolerance);
        for (&from, &to) in points.iter().zip(points.iter().cycle().skip(1)) {
            self.line(from.into(), to.into(), color)?;
        }
        Ok(())
    }

    /// Draws the edges of a box in lattice steps.
    pub(super) fn rectangle(&mut self, &Aabb { min, max }: &Aabb, color: Color) -> Result<()> {
        let corners = [min, Point::new(max.x, min.y), max, Point::new(min.x, max.y)];
        Curve::through(&corners.map(Point::units), true).map_or(Ok(()), |curve| self.curve(&curve, color))
    }

    /// Draws a diagonal cross.
    pub(super) fn cross(&mut self, at: Vec2, arm: f64, color: Color) -> Result<()> {
        self.line(at - [arm, arm], at + [arm, arm], color)?;
        self.line(at - [arm, -arm], at + [arm, -arm], color)
    }
}
