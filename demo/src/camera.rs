//! The part of the world that the window shows.
//!
//! A world pixel is a whole number of window pixels wide, or the other way round, and their edges coincide. So all
//! world pixels look alike.

use hitmask::geometry::{MAX_COORDINATE, SUBPIXELS};

/// A scale of the view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Zoom {
    /// Window pixels per world pixel, or 1.
    pub(crate) up: i64,
    /// World pixels per window pixel, or 1.
    pub(crate) down: i64,
}

impl Zoom {
    pub(crate) const ALL: [Self; 21] = {
        const fn down(down: i64) -> Zoom {
            Zoom { up: 1, down }
        }
        const fn up(up: i64) -> Zoom {
            Zoom { up, down: 1 }
        }
        [
            down(64),
            down(32),
            down(16),
            down(8),
            down(4),
            down(2),
            up(1),
            up(2),
            up(3),
            up(4),
            up(5),
            up(6),
            up(8),
            up(10),
            up(12),
            up(16),
            up(20),
            up(24),
            up(32),
            up(48),
            up(64),
        ]
    };

    /// Returns the number of window pixels per world pixel.
    pub(crate) fn factor(self) -> f64 {
        self.up as f64 / self.down as f64
    }

    /// Returns the zoom of this factor, if there is one.
    pub(crate) fn of(factor: f64) -> Option<Self> {
        Self::ALL.into_iter().find(|zoom| zoom.factor() == factor)
    }

    /// Returns the largest zoom of at most `factor`, else the smallest.
    fn at_most(factor: f64) -> Self {
        Self::ALL.into_iter().rfind(|zoom| zoom.factor() <= factor).unwrap_or(Self::ALL[0])
    }

    /// Returns the zoom of the factor that is nearest to `factor`, by their ratio.
    fn nearest(factor: f64) -> Self {
        let ratio = |zoom: Self| (zoom.factor() / factor).ln().abs();
        Self::ALL.into_iter().min_by(|&a, &b| ratio(a).total_cmp(&ratio(b))).unwrap_or(Self::ALL[0])
    }

    /// Returns the zoom that is larger by some levels.
    fn changed(self, levels: i32) -> Self {
        let level = Self::ALL.iter().position(|&zoom| zoom == self).unwrap_or_default() as i32;
        Self::ALL[(level + levels).clamp(0, Self::ALL.len() as i32 - 1) as usize]
    }
}

/// The largest zoom at which a scene is first shown.
pub(crate) const MOST_ZOOM: f64 = 16.0;

/// A view of the world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Camera {
    pub(crate) zoom: Zoom,
    /// The top-left corner of the window, in window pixels from the world's origin.
    corner: [i64; 2],
    /// The fractions of window pixels by which the view was moved beyond the corner.
    rest: [f64; 2],
}

impl Camera {
    /// Creates a view with a world pixel in the window's top-left corner.
    pub(crate) fn new(zoom: Zoom, pixel: [i32; 2]) -> Self {
        let corner = pixel.map(|v| (i64::from(v) * zoom.up).div_euclid(zoom.down));
        Self { zoom, corner, rest: [0.0; 2] }.within_world()
    }

    /// Creates a view with a rectangle `[left, top, right, bottom]` of the world in the middle of `size` window pixels.
    /// It shows the whole rectangle, or if the zoom would be below `least`, its middle. The zoom is at most `most`.
    pub(crate) fn around([left, top, right, bottom]: [f64; 4], size: [f64; 2], [least, most]: [f64; 2]) -> Self {
        let fits = (size[0] / (right - left).max(1.0)).min(size[1] / (bottom - top).max(1.0));
        let zoom = Zoom::at_most(fits.max(least).min(most));
        let middle = [f64::midpoint(left, right), f64::midpoint(top, bottom)];
        let corner = |axis: usize| (middle[axis] * zoom.factor() - size[axis] / 2.0).round() as i64;
        Self { zoom, corner: [corner(0), corner(1)], rest: [0.0; 2] }.within_world()
    }

    /// Converts a point of the window to a point of the world.
    pub(crate) fn point(&self, at: [f64; 2]) -> [f64; 2] {
        [0, 1].map(|axis| (self.corner[axis] as f64 + at[axis]) / self.zoom.factor())
    }

    /// Converts a point of the world to a point of the window.
    pub(crate) fn place(&self, point: [f64; 2]) -> [f64; 2] {
        [0, 1].map(|axis| point[axis] * self.zoom.factor() - self.corner[axis] as f64)
    }

    /// Returns the world pixel in the window's corner, and how many window pixels of it lie outside.
    pub(crate) fn base(&self) -> ([i32; 2], [i32; 2]) {
        let Zoom { up, down } = self.zoom;
        let pixel = self.corner.map(|v| v.div_euclid(up) * down);
        (pixel.map(|v| v as i32), self.corner.map(|v| v.rem_euclid(up) as i32))
    }

    /// Zooms by some levels. The point of the world under `at` stays there.
    pub(crate) fn zoom_about(&mut self, at: [f64; 2], levels: i32) {
        self.set(self.zoom.changed(levels), at);
    }

    /// Zooms to the level whose factor is nearest to `factor`. The point of the world under `at` stays there.
    pub(crate) fn zoom_to(&mut self, at: [f64; 2], factor: f64) {
        self.set(Zoom::nearest(factor), at);
    }

    fn set(&mut self, zoom: Zoom, at: [f64; 2]) {
        if zoom == self.zoom {
            return;
        }
        let point = self.point(at);
        let corner = [0, 1].map(|axis| (point[axis] * zoom.factor() - at[axis]).round() as i64);
        *self = Self { zoom, corner, rest: [0.0; 2] }.within_world();
    }

    /// Moves the view, by window pixels. Their fractions add up.
    pub(crate) fn pan(&mut self, by: [f64; 2]) {
        let moved = [0, 1].map(|axis| self.rest[axis] + by[axis]);
        self.corner = [0, 1].map(|axis| self.corner[axis] + moved[axis].round() as i64);
        self.rest = moved.map(|v| v - v.round());
        *self = self.within_world();
    }

    /// Limits the corner to the world, so that integers hold all coordinates near it.
    fn within_world(self) -> Self {
        let edge = i64::from(MAX_COORDINATE / SUBPIXELS) * self.zoom.up / self.zoom.down;
        Self { corner: self.corner.map(|v| v.clamp(-edge, edge)), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_point_under_the_pointer_stays() {
        for levels in [-3, -1, 1, 2, 20] {
            let mut camera = Camera::new(Zoom::of(4.0).unwrap(), [-100, 37]);
            let at = [311.0, 222.0];
            let before = camera.point(at);
            camera.zoom_about(at, levels);
            let pixel = 1.0 / camera.zoom.factor();
            for (a, b) in before.into_iter().zip(camera.point(at)) {
                assert!((a - b).abs() <= pixel, "{before:?} {levels}");
            }
        }
    }

    #[test]
    fn fractions_of_moves_add_up() {
        for (by, times, sum) in [(0.5, 2, 1), (0.5, 7, 4), (-0.5, 6, -3), (0.25, 12, 3), (1.5, 3, 5), (0.125, 3, 0)] {
            let mut camera = Camera::new(Zoom::of(1.0).unwrap(), [10, 20]);
            for _ in 0..times {
                camera.pan([by, -by]);
            }
            assert_eq!(camera.base().0, [10 + sum, 20 - sum], "{times} of {by}");
            for _ in 0..times {
                camera.pan([-by, by]);
            }
            assert_eq!(camera.base().0, [10, 20], "{times} of {by}, and back");
        }
    }

    #[test]
    fn it_zooms_to_the_nearest_level() {
        for (start, ratio, end) in [
            (1.0, 2.0, 2.0),
            (1.0, 1.4, 1.0),
            (1.0, 1.5, 2.0),
            (1.0, 0.5, 0.5),
            (0.5, 0.8, 0.5),
            (0.5, 0.6, 0.25),
            (12.0, 2.0, 24.0),
            (12.0, 1.0, 12.0),
            (64.0, 3.0, 64.0),
            (0.015_625, 0.1, 0.015_625),
        ] {
            let mut camera = Camera::new(Zoom::of(start).unwrap(), [0, 0]);
            let at = [100.0, 60.0];
            let before = camera.point(at);
            camera.zoom_to(at, start * ratio);
            assert_eq!(camera.zoom.factor(), end, "{start} times {ratio}");
            assert_eq!(camera.point(at), before);
        }
    }

    #[test]
    fn the_base_lies_in_the_corner() {
        let mut camera = Camera::new(Zoom::of(3.0).unwrap(), [-7, 5]);
        assert_eq!(camera.base(), ([-7, 5], [0, 0]));
        camera.pan([-1.0, 4.0]);
        assert_eq!(camera.base(), ([-8, 6], [2, 1]));
        assert_eq!(camera.point([1.0, 2.0]), [-7.0, 7.0]);
    }
}
