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

    /// Returns the zoom that is larger by some levels.
    fn changed(self, levels: i32) -> Self {
        let level = Self::ALL.iter().position(|&zoom| zoom == self).unwrap_or_default() as i32;
        Self::ALL[(level + levels).clamp(0, Self::ALL.len() as i32 - 1) as usize]
    }
}

/// A view of the world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Camera {
    pub(crate) zoom: Zoom,
    /// The top-left corner of the window, in window pixels from the world's origin.
    corner: [i64; 2],
}

impl Camera {
    /// Creates a view with a world pixel in the window's top-left corner.
    pub(crate) fn new(zoom: Zoom, pixel: [i32; 2]) -> Self {
        let corner = pixel.map(|v| (i64::from(v) * zoom.up).div_euclid(zoom.down));
        Self { zoom, corner }.within_world()
    }

    /// Creates a view with a rectangle `[left, top, right, bottom]` of the world in the middle of `size` window pixels.
    /// It shows the whole rectangle, or if the zoom would be below `least`, its middle.
    pub(crate) fn around([left, top, right, bottom]: [f64; 4], size: [f64; 2], least: f64) -> Self {
        let fits = (size[0] / (right - left).max(1.0)).min(size[1] / (bottom - top).max(1.0));
        let zoom = Zoom::at_most(fits.max(least).min(16.0));
        let middle = [f64::midpoint(left, right), f64::midpoint(top, bottom)];
        let corner = |axis: usize| (middle[axis] * zoom.factor() - size[axis] / 2.0).round() as i64;
        Self { zoom, corner: [corner(0), corner(1)] }.within_world()
    }

    /// Converts a point of the window to a point of the world.
    pub(crate) fn point(&self, at: [f64; 2]) -> [f64; 2] {
        [0, 1].map(|axis| (self.corner[axis] as f64 + at[axis]) / self.zoom.factor())
    }

    /// Returns the world pixel in the window's corner, and how many window pixels of it lie outside.
    pub(crate) fn base(&self) -> ([i32; 2], [i32; 2]) {
        let Zoom { up, down } = self.zoom;
        let pixel = self.corner.map(|v| v.div_euclid(up) * down);
        (pixel.map(|v| v as i32), self.corner.map(|v| v.rem_euclid(up) as i32))
    }

    /// Zooms by some levels. The point of the world under `at` stays there.
    pub(crate) fn zoom_about(&mut self, at: [f64; 2], levels: i32) {
        let point = self.point(at);
        self.zoom = self.zoom.changed(levels);
        self.corner = [0, 1].map(|axis| (point[axis] * self.zoom.factor() - at[axis]).round() as i64);
        *self = self.within_world();
    }

    /// Moves the view, by window pixels.
    pub(crate) fn pan(&mut self, by: [f64; 2]) {
        self.corner = [0, 1].map(|axis| self.corner[axis] + by[axis].round() as i64);
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
    fn the_base_lies_in_the_corner() {
        let mut camera = Camera::new(Zoom::of(3.0).unwrap(), [-7, 5]);
        assert_eq!(camera.base(), ([-7, 5], [0, 0]));
        camera.pan([-1.0, 4.0]);
        assert_eq!(camera.base(), ([-8, 6], [2, 1]));
        assert_eq!(camera.point([1.0, 2.0]), [-7.0, 7.0]);
    }
}
