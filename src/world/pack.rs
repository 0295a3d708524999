//! A shape as the words of the atlas.

use super::packed;
use super::shape::{Geometry, Shape};
use crate::ground::lattice::Point;

impl Shape {
    /// The words of 32 bits that it takes in the atlas.
    pub(super) fn words(&self) -> u64 {
        match &self.geometry {
            Geometry::Convex { pieces, .. } => {
                pieces.len().next_multiple_of(2) as u64 + 2 * pieces.iter().map(Vec::len).sum::<usize>() as u64
            }
            Geometry::Sprite(mask) => 2 * mask.words().len() as u64,
        }
    }

    /// Appends it to the atlas.
    pub(super) fn pack(&self, words: &mut Vec<u64>) -> packed::Shape {
        let first = 2 * words.len() as u32;
        match &self.geometry {
            Geometry::Convex { pieces, .. } => {
                let pair = |[low, high]: [u32; 2]| u64::from(low) | u64::from(high) << 32;
                for counts in pieces.chunks(2) {
                    words.push(pair([counts[0].len() as u32, counts.get(1).map_or(0, Vec::len) as u32]));
                }
                let vertices = 2 * words.len() as u32;
                let local = pieces.iter().flatten().map(|&p| p - self.anchor);
                words.extend(local.map(|p| pair([p.x as u32, p.y as u32])));
                let corners = words.len() as u32 - vertices / 2;
                let stride = pieces.len() as u32;
                packed::Shape { first, stride, vertices, corners, size: Point::ZERO, anchor: self.anchor }
            }
            Geometry::Sprite(mask) => {
                words.extend_from_slice(mask.words());
                let size = Point::new(mask.width() as i32, mask.height() as i32);
                packed::Shape { first, stride: 2 * mask.stride(), vertices: 0, corners: 0, size, anchor: self.anchor }
            }
        }
    }
}
