//! Bytes read as text, numbers, shapes and bodies.

use hitmask::geometry::Flip;
use hitmask::{Body, Linear, Mask, Part, Result, Shape, ShapeId, World};

/// Returns the text that an input begins with.
pub(crate) fn text(bytes: &[u8]) -> &str {
    bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid())
}

/// Input, read from the front; after its end, zeros are read.
pub(crate) struct Bytes<'a>(pub(crate) &'a [u8]);

impl Bytes<'_> {
    /// Returns whether all input has been read.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Reads the next byte.
    pub(crate) fn byte(&mut self) -> u8 {
        let Some((&byte, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        byte
    }

    /// Reads a 16-bit number.
    pub(crate) fn short(&mut self) -> i16 {
        i16::from_le_bytes([self.byte(), self.byte()])
    }

    /// Reads a number below `n`, which is at most 256.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        usize::from(self.byte()) % n
    }

    /// Reads a count up to `most`, which is at most 255: usually below 6, as comparing many with the reference takes
    /// long.
    pub(crate) fn few(&mut self, most: usize) -> usize {
        let count = self.below(most + 1);
        if self.byte().is_multiple_of(8) { count } else { count % 6 }
    }

    /// Picks one of several elements.
    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// Reads a coordinate: usually a few units, on half units or finer, and rarely far away.
    pub(crate) fn coordinate(&mut self) -> f64 {
        match self.byte() % 8 {
            0..=2 => f64::from(self.byte() as i8) / 2.0,
            3..=6 => f64::from(self.short()) / 512.0,
            _ => f64::from(self.short()) * 63.0,
        }
    }

    /// Reads a point of two coordinates.
    pub(crate) fn point(&mut self) -> [f64; 2] {
        [self.coordinate(), self.coordinate()]
    }

    /// Reads a mask of up to 14 x 14 texels, as the reference paints pixel by pixel, or rarely a wide one with blocks.
    pub(crate) fn mask(&mut self) -> Mask {
        let (width, height) =
            if self.byte().is_multiple_of(32) { (300, 5) } else { (1 + self.below(14), 1 + self.below(14)) };
        let (seed, kind) = (usize::from(self.byte()), self.byte() % 4);
        let solid = |x: u32, y: u32| {
            let (x, y) = (x as usize, y as usize);
            match kind {
                0 => true,
                1 => (x ^ y ^ seed) & 1 == 0,
                2 => (x * 7 + y * 13 + seed) % 5 < 3,
                _ => x.abs_diff(width / 2) + y.abs_diff(height / 2) < seed % 14,
            }
        };
        Mask::from_fn(width as u32, height as u32, solid).expect("a mask of that size")
    }

    /// Reads a shape of any kind; `None` if the numbers make no valid shape.
    pub(crate) fn shape(&mut self) -> Option<Shape> {
        let side = |bytes: &mut Self| f64::from(bytes.byte()) / 8.0;
        let shape = match self.byte() % 8 {
            0 => Shape::rect(side(self), side(self)),
            1 => Shape::circle(side(self)),
            2 => Shape::capsule(self.point(), self.point(), side(self)),
            3 => {
                let count = 3 + self.below(8);
                Shape::polygon(&(0..count).map(|_| [side(self), side(self)]).collect::<Vec<_>>())
            }
            4 => {
                let count = 3 + self.below(3);
                Shape::rounded_polygon(&(0..count).map(|_| [side(self), side(self)]).collect::<Vec<_>>(), side(self))
            }
            7 => {
                let count = 1 + self.below(3);
                let parts = (0..count).map(|_| {
                    let (w, h, radius) = (side(self), side(self), side(self));
                    let shape = if self.byte() & 1 == 0 { Shape::rect(w, h) } else { Shape::circle(radius) };
                    Ok(Part::new(shape?, self.point()).tagged(self.byte().into()))
                });
                parts.collect::<Result<Vec<_>>>().and_then(|parts| Shape::parts(&parts))
            }
            _ => Ok(Shape::sprite(self.mask())),
        };
        let anchor = self.point();
        shape.and_then(|shape| shape.anchored(anchor)).ok()
    }

    /// Reads some shapes, at least one, and adds them to a world.
    pub(crate) fn shapes(&mut self, world: &mut World) -> Vec<ShapeId> {
        let unit = Shape::rect(2.0, 2.0).expect("a box");
        let count = self.below(6);
        let shapes: Vec<Shape> = [unit].into_iter().chain((0..count).filter_map(|_| self.shape())).collect();
        shapes.into_iter().filter_map(|shape| world.add_shape(shape).ok()).collect()
    }

    /// Reads a pose: the identity, quarter turns, any angle, mirrored and scaled, or any matrix.
    pub(crate) fn linear(&mut self) -> Linear {
        let flip = Flip { x: self.byte().is_multiple_of(2), y: self.byte().is_multiple_of(2) };
        match self.byte() % 8 {
            0..=2 => Linear::default(),
            3 => Linear::from_degrees(90.0 * f64::from(self.byte() % 4)),
            4 | 5 => Linear::from_degrees(f64::from(self.byte()) * 1.5),
            6 => Linear::new(f64::from(self.byte()), [f64::from(self.byte()) / 128.0; 2], flip),
            _ => [(); 2].map(|()| [(); 2].map(|()| f64::from(self.byte() as i8) / 64.0)).into(),
        }
    }

    /// Reads a body with one of these shapes.
    pub(crate) fn body(&mut self, shapes: &[ShapeId]) -> Body {
        let body = Body::new(self.pick(shapes), self.point()).posed(self.linear());
        let body = match self.byte() % 4 {
            // The reference tests each pixel of a path, so long ones are rare, and never the longest possible.
            0 if self.byte().is_multiple_of(32) => {
                body.moving([self.short(), self.short()].map(|v| f64::from(v) / 256.0))
            }
            0 | 1 => body.moving([self.byte(), self.byte()].map(|v| f64::from(v as i8) / 8.0)),
            _ => body,
        };
        match self.byte() % 4 {
            0 => body.filtered(1 << self.below(3), self.byte().into()),
            1 => body.grouped(self.byte().into()),
            2 => body.filtered(1 << self.below(3), self.byte().into()).detector(true),
            _ => body,
        }
    }
}
