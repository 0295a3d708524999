//! The outlines of objects: polygons without a rotation, ready for shapes.

use hitmask::Linear;
use hitmask::geometry::Vec2;

use super::object::{Form, Object};

/// The largest distance in pixels between the arc of an ellipse or a capsule and the polygon in its place.
pub const ARC_ERROR: f64 = 0.125;

impl Object {
    /// Returns the outlines of the object in pixels of its layer, or of its tile.
    ///
    /// A rectangle, a capsule, an ellipse and a polygon have one outline. Arcs are polygons with their points on the
    /// arc and at most [`ARC_ERROR`] off elsewhere. A line has an outline for each segment: the rectangle around it
    /// that is `line_width` wide and reaches half of that beyond each end, or none if the width is 0. A point, a text
    /// and a tile have none.
    ///
    /// ```
    /// use hitmask_files::level::{Form, Object};
    ///
    /// let sign = Object::new([10.0, 20.0], [4.0, 2.0], Form::Rect);
    /// assert_eq!(sign.outlines(1.0), [[[10.0, 20.0], [14.0, 20.0], [14.0, 22.0], [10.0, 22.0]]]);
    /// ```
    #[must_use]
    pub fn outlines(&self, line_width: f64) -> Vec<Vec<[f64; 2]>> {
        let [width, height] = self.size;
        let mut outlines = match &self.form {
            Form::Rect => vec![vec![[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]]],
            Form::Ellipse => vec![ellipse([width / 2.0, height / 2.0], [0.0; 2])],
            Form::Capsule => vec![capsule([width, height])],
            Form::Polygon(points) => vec![points.clone()],
            Form::Polyline(points) => {
                points.windows(2).filter_map(|ends| band(ends[0], ends[1], line_width / 2.0)).collect()
            }
            Form::Point | Form::Tile(_) | Form::Text(_) => Vec::new(),
        };
        let turn = Linear::from_degrees(self.rotation);
        for point in outlines.iter_mut().flatten() {
            *point = (turn * Vec2::from(*point) + self.at).into();
        }
        outlines
    }
}

/// Returns an ellipse in `[0, 2 rx] x [0, 2 ry]`, with its right and lower halves shifted by `gap`.
fn ellipse([rx, ry]: [f64; 2], gap: [f64; 2]) -> Vec<[f64; 2]> {
    let quarter = quarter_count(rx.max(ry));
    let count = 4 * quarter;
    let mut points = Vec::new();
    for k in 0..count {
        let turned = Linear::from_degrees(360.0 * f64::from(k) / f64::from(count)).x;
        // The first column of the rotation, `[cos, sin]`, is its first row with the sine negated.
        let [cos, sin] = [turned[0], -turned[1]];
        let shifted = |shift: [bool; 2]| {
            let shift = [0, 1].map(|axis| if shift[axis] { gap[axis] } else { 0.0 });
            [rx + rx * cos + shift[0], ry + ry * sin + shift[1]]
        };
        let [right, low] = [k < quarter || k > 3 * quarter, k < 2 * quarter];
        // At the ends of a quarter both halves have the point, which the gap parts.
        if gap != [0.0; 2] && k % quarter == 0 {
            let before = [[true, false], [true, true], [false, true], [false, false]][(k / quarter) as usize];
            let after = [[true, true], [false, true], [false, false], [true, false]][(k / quarter) as usize];
            points.extend([shifted(before), shifted(after)]);
        } else {
            points.push(shifted([right, low]));
        }
    }
    points.dedup();
    points
}

/// Returns the number of edges of a quarter of a circle, such that none is farther from its arc than the error.
fn quarter_count(radius: f64) -> u32 {
    /// An octagon, for the smallest circles.
    const LEAST: f64 = 2.0;
    /// Enough for the largest radius of a world.
    const MOST: f64 = 8192.0;
    let half = (1.0 - (ARC_ERROR / radius).min(1.0)).acos();
    (std::f64::consts::FRAC_PI_4 / half).ceil().clamp(LEAST, MOST) as u32
}

fn capsule([width, height]: [f64; 2]) -> Vec<[f64; 2]> {
    let radius = width.min(height) / 2.0;
    ellipse([radius; 2], [width - 2.0 * radius, height - 2.0 * radius])
}

/// Returns the rectangle around a segment; `None` if it has no area.
fn band(from: [f64; 2], to: [f64; 2], half: f64) -> Option<Vec<[f64; 2]>> {
    let way = [to[0] - from[0], to[1] - from[1]];
    let length = way[0].hypot(way[1]);
    let [x, y] = [way[0] / length * half, way[1] / length * half];
    let [[ax, ay], [bx, by]] = [[from[0] - x, from[1] - y], [to[0] + x, to[1] + y]];
    (length > 0.0 && half != 0.0).then(|| vec![[ax + y, ay - x], [bx + y, by - x], [bx - y, by + x], [ax - y, ay + x]])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arcs_are_off_by_the_error_at_most() {
        for radius in [0.01, 0.5, 3.0, 50.0, 4000.0, 2_000_000.0] {
            let points = Object::new([0.0; 2], [2.0 * radius; 2], Form::Ellipse).outlines(1.0).remove(0);
            for (a, b) in points.iter().zip(points.iter().cycle().skip(1)) {
                assert!(((a[0] - radius).hypot(a[1] - radius) - radius).abs() < 1e-6 * radius.max(1.0));
                let middle = [0, 1].map(|axis| f64::midpoint(a[axis], b[axis]) - radius);
                assert!(radius - middle[0].hypot(middle[1]) <= ARC_ERROR + 1e-6, "{radius}");
            }
        }
    }

    #[test]
    fn a_capsule_is_half_circles_and_a_rectangle() {
        for (size, ends) in [([20.0, 8.0], [[4.0, 4.0], [16.0, 4.0]]), ([8.0, 20.0], [[4.0, 4.0], [4.0, 16.0]])] {
            let points = Object::new([0.0; 2], size, Form::Capsule).outlines(1.0).remove(0);
            let distance = |p: [f64; 2]| {
                let [a, b] = ends;
                let nearest = [0, 1].map(|axis| p[axis].clamp(a[axis], b[axis]));
                (p[0] - nearest[0]).hypot(p[1] - nearest[1])
            };
            assert!(points.iter().all(|&point| (distance(point) - 4.0).abs() < 1e-9));
            for corner in [[4.0, 0.0], [0.0, 4.0], [size[0], size[1] - 4.0], [size[0] - 4.0, size[1]]] {
                assert!(points.iter().any(|p| (p[0] - corner[0]).hypot(p[1] - corner[1]) < 1e-9), "{corner:?}");
            }
        }
    }

    #[test]
    fn objects_turn_about_their_position() {
        let mut object = Object::new([10.0, 10.0], [4.0, 2.0], Form::Rect);
        object.rotation = 90.0;
        assert_eq!(object.outlines(1.0), [[[10.0, 10.0], [10.0, 14.0], [8.0, 14.0], [8.0, 10.0]]]);
        object.form = Form::Polyline(vec![[0.0, 0.0], [4.0, 0.0], [4.0, 0.0]]);
        assert_eq!(object.outlines(2.0), [[[11.0, 9.0], [11.0, 15.0], [9.0, 15.0], [9.0, 9.0]]]);
        assert!(object.outlines(0.0).is_empty());
    }
}
