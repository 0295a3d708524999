//! Packing of a shape into words of the atlas.

use super::packed;
use super::pieces::{NODE_WORDS, Node, PART_WORDS, Part};
use super::shape::{Geometry, Shape};
use crate::ground::lattice::Point;

impl Shape {
    /// Returns the vertices of a convex shape's pieces, from the anchor.
    pub(super) fn local(&self) -> Vec<Point> {
        match &self.geometry {
            Geometry::Convex { pieces, .. } => pieces.iter().flatten().map(|&p| p - self.anchor).collect(),
            Geometry::Sprite(_) => Vec::new(),
        }
    }

    /// Returns the words of the shape: the rows of a mask, or the tree over its pieces, its parts, and the vertices
    /// from the anchor.
    pub(super) fn packed_words(&self) -> Vec<u64> {
        match &self.geometry {
            Geometry::Convex { nodes, members, .. } => {
                let nodes: Vec<Node> = nodes.iter().map(|node| node.from(self.anchor)).collect();
                let parts: Vec<Part> =
                    members.iter().map(|member| Part { radius: member.radius, tag: member.tag }).collect();
                let mut words: Vec<u64> = bytemuck::pod_collect_to_vec(&nodes);
                words.extend(bytemuck::pod_collect_to_vec::<Part, u64>(&parts));
                words.extend(bytemuck::pod_collect_to_vec::<Point, u64>(&self.local()));
                words
            }
            Geometry::Sprite(mask) => mask.words().to_vec(),
        }
    }

    /// Returns the number of words that the shape takes.
    pub(super) fn packed_len(&self) -> usize {
        match &self.geometry {
            Geometry::Convex { nodes, members, pieces, .. } => {
                NODE_WORDS / 2 * nodes.len()
                    + PART_WORDS / 2 * members.len()
                    + pieces.iter().map(Vec::len).sum::<usize>()
            }
            Geometry::Sprite(mask) => mask.words().len(),
        }
    }

    /// Returns the locations of the shape's parts if its words begin at `first`.
    pub(super) fn packed_at(&self, first: usize) -> packed::Shape {
        let first = 2 * first as u32;
        let mut packed = packed::Shape { first, anchor: self.anchor, ..packed::Shape::default() };
        match &self.geometry {
            Geometry::Convex { nodes, members, pieces, radius, .. } => {
                packed.stride = nodes.len() as u32;
                packed.corners = pieces.iter().map(Vec::len).sum::<usize>() as u32;
                packed.vertices = first + (NODE_WORDS * nodes.len() + PART_WORDS * members.len()) as u32;
                packed.radius = *radius;
            }
            Geometry::Sprite(mask) => {
                packed.stride = 2 * mask.stride();
                packed.size = Point::new(mask.width() as i32, mask.height() as i32);
                packed.set_solid(mask.bounds());
            }
        }
        packed
    }
}
