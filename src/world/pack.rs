//! Packing of a shape into words of the atlas.

use super::packed;
use super::pieces::{NODE_WORDS, Node, PART_WORDS, Part};
use super::seam::{ENTRY_WORDS, Entry, entries};
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

    /// Returns the words of the shape: the rows of a mask, or the tree over its pieces, its parts, the vertices from
    /// the anchor, and its seams.
    pub(super) fn packed_words(&self) -> Vec<u64> {
        match &self.geometry {
            Geometry::Convex { nodes, members, seams, .. } => {
                let nodes: Vec<Node> = nodes.iter().map(|node| node.from(self.anchor)).collect();
                let parts: Vec<Part> =
                    members.iter().map(|member| Part { radius: member.radius, tag: member.tag }).collect();
                let mut words: Vec<u64> = bytemuck::pod_collect_to_vec(&nodes);
                words.extend(bytemuck::pod_collect_to_vec::<Part, u64>(&parts));
                let local = self.local();
                words.extend(bytemuck::pod_collect_to_vec::<Point, u64>(&local));
                words.extend(bytemuck::pod_collect_to_vec::<Entry, u64>(&entries(seams, &local)));
                words
            }
            Geometry::Sprite(mask) => mask.words().to_vec(),
        }
    }

    /// Returns the least radius of a piece with two vertices.
    fn thinnest(&self) -> Option<i32> {
        let Geometry::Convex { nodes, members, pieces, radius, .. } = &self.geometry else { return None };
        let parts = nodes.iter().filter_map(Node::part);
        let own = parts.map(|part| members.get(part as usize).map_or(*radius, |member| member.radius));
        let radii = own.chain(nodes.is_empty().then_some(*radius));
        pieces.iter().zip(radii).filter(|(piece, _)| piece.len() == 2).map(|(_, radius)| radius).min()
    }

    /// Returns the number of words that the shape takes.
    pub(super) fn packed_len(&self) -> usize {
        match &self.geometry {
            Geometry::Convex { nodes, members, pieces, seams, .. } => {
                NODE_WORDS / 2 * nodes.len()
                    + PART_WORDS / 2 * members.len()
                    + pieces.iter().map(Vec::len).sum::<usize>()
                    + ENTRY_WORDS / 2 * 2 * seams.len()
            }
            Geometry::Sprite(mask) => mask.words().len(),
        }
    }

    /// Returns the locations of the shape's parts if its words begin at `first`.
    pub(super) fn packed_at(&self, first: usize) -> packed::Shape {
        let first = 2 * first as u32;
        let mut packed = packed::Shape { first, anchor: self.anchor, thinnest: -1, ..packed::Shape::default() };
        match &self.geometry {
            Geometry::Convex { nodes, members, pieces, seams, radius, .. } => {
                packed.stride = nodes.len() as u32;
                packed.corners = pieces.iter().map(Vec::len).sum::<usize>() as u32;
                packed.vertices = first + (NODE_WORDS * nodes.len() + PART_WORDS * members.len()) as u32;
                packed.radius = *radius;
                packed.thinnest = self.thinnest().unwrap_or(-1);
                packed.seams = 2 * seams.len() as u32;
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
