//! A shape as the words of the atlas.

use super::packed;
use super::shape::{Geometry, Shape};
use crate::ground::lattice::Point;

impl Shape {
    /// The vertices of a convex shape's pieces, from the anchor.
    pub(super) fn local(&self) -> Vec<Point> {
        match &self.geometry {
            Geometry::Convex { pieces, .. } => pieces.iter().flatten().map(|&p| p - self.anchor).collect(),
            Geometry::Sprite(_) => Vec::new(),
        }
    }

    /// Its words: the rows of a mask, or the numbers of its pieces' vertices, two in a word, and then these from the
    /// anchor.
    pub(super) fn packed_words(&self) -> Vec<u64> {
        let pair = |[low, high]: [u32; 2]| u64::from(low) | u64::from(high) << 32;
        match &self.geometry {
            Geometry::Convex { pieces, .. } => {
                let counts = pieces.chunks(2).map(|two| [two[0].len() as u32, two.get(1).map_or(0, Vec::len) as u32]);
                counts.map(pair).chain(self.local().iter().map(|p| pair([p.x as u32, p.y as u32]))).collect()
            }
            Geometry::Sprite(mask) => mask.words().to_vec(),
        }
    }

    /// How many words it takes.
    pub(super) fn packed_len(&self) -> usize {
        match &self.geometry {
            Geometry::Convex { pieces, .. } => pieces.len().div_ceil(2) + pieces.iter().map(Vec::len).sum::<usize>(),
            Geometry::Sprite(mask) => mask.words().len(),
        }
    }

    /// Where its parts lie, from its first word on.
    pub(super) fn packed_at(&self, first: usize) -> packed::Shape {
        let first = 2 * first as u32;
        match &self.geometry {
            Geometry::Convex { pieces, .. } => {
                let stride = pieces.len() as u32;
                let corners = pieces.iter().map(Vec::len).sum::<usize>() as u32;
                let vertices = first + stride.next_multiple_of(2);
                packed::Shape { first, stride, vertices, corners, size: Point::ZERO, anchor: self.anchor }
            }
            Geometry::Sprite(mask) => {
                let size = Point::new(mask.width() as i32, mask.height() as i32);
                packed::Shape { first, stride: 2 * mask.stride(), vertices: 0, corners: 0, size, anchor: self.anchor }
            }
        }
    }
}
