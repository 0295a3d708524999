//! The convex pieces of a polygon, and a tree of bounds over them, so that of many pieces only those are looked at that
//! something comes near; twin of `shaders/shared/pieces.wgsl`.
//!
//! ```text
//!        0                 nodes lie before their children, which lie in order, so that what is left to be looked at
//!      / | \               is told by one number. Each says which node comes next after all under it:
//!     1  2  5
//!       / \                look at node k: near     -> go on with k + 1
//!      3   4                               far away -> go on with that next one
//! ```
//!
//! (Smits, *Efficiency Issues for Ray Tracing*, 1998.) A leaf is one piece. A line through the median of the centres,
//! across the longer axis, parts pieces into those before it, those beyond it, and those that lie over it: pieces of
//! hills are long slivers, which would make the bounds of either side as long as they are. Where that leaves more than
//! half in one part, a line across the other axis is tried, and last of all halves by centres. A few pieces are
//! children of one node at once. Nodes are bounds from the anchor, and land with the body: the two corners that go
//! farthest along an axis land no nearer than all that lies in the node.

use std::cmp::Ordering;

use bytemuck::{Pod, Zeroable};

use crate::ground::aabb::Aabb;
use crate::ground::lattice::Point;
use crate::ground::linear::{Snapped, land_along};
use crate::ground::touch::Touch;
use crate::world::packed::{Body, Packed};

/// Beyond what any body reaches, in lattice steps from its position: a corner that no vertex has may land farther away.
pub(crate) const FAR: i32 = 1 << 30;

/// A node of the tree.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub(crate) struct Node {
    /// The bounds of all under it, from the anchor.
    bounds: Aabb,
    /// The next node after all under it.
    next: u32,
    /// Of a leaf the first vertex of its piece, counted through all pieces.
    first: u32,
    /// Of a leaf the number of its vertices; else 0.
    count: u32,
    unused: u32,
}

impl Node {
    /// The same, its bounds from an anchor.
    pub(super) fn from(self, anchor: Point) -> Self {
        Self { bounds: self.bounds.moved(-anchor), ..self }
    }
}

/// So many pieces, or fewer, are children of one node.
const FEW: usize = 4;

/// The words of a node in the atlas, of 32 bits each.
pub(crate) const NODE_WORDS: usize = size_of::<Node>() / 4;

/// The pieces of a body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pieces<'a> {
    /// The tree; empty where there is one piece.
    nodes: &'a [Node],
    corners: usize,
    position: Point,
    linear: Snapped,
}

impl Packed {
    /// The pieces of a convex body or polygon where it stands.
    #[inline(always)]
    pub(crate) fn pieces(&self, body: &Body) -> Pieces<'_> {
        let shape = &self.shapes[body.shape as usize];
        let words = &self.words()[shape.first as usize / 2..][..NODE_WORDS / 2 * shape.stride as usize];
        Pieces {
            nodes: bytemuck::cast_slice(words),
            corners: shape.corners as usize,
            position: body.position,
            linear: body.linear,
        }
    }
}

impl Pieces<'_> {
    /// Whether there are more than one.
    #[inline(always)]
    pub(crate) fn are_many(&self) -> bool {
        !self.nodes.is_empty()
    }

    /// Those whose bounds, as they land, are near to what is asked about: the first vertex of each, and their number.
    /// Bounds are without the body's radius, and may be larger than the piece; of a single piece nothing is asked.
    #[inline(always)]
    pub(crate) fn near(self, is_near: impl Fn(&Aabb) -> bool) -> impl Iterator<Item = (usize, usize)> {
        let mut single = if self.are_many() { None } else { Some((0, self.corners)) };
        let mut next = 0;
        std::iter::from_fn(move || {
            while let Some(node) = self.nodes.get(next) {
                let near = is_near(&self.landed(&node.bounds));
                next = if near { next + 1 } else { node.next as usize };
                if near && node.count > 0 {
                    return Some((node.first as usize, node.count as usize));
                }
            }
            single.take()
        })
    }

    /// Those whose bounds, as they land, meet a box, if there are more than one.
    #[inline(always)]
    pub(crate) fn meeting(self, near: Aabb) -> impl Iterator<Item = (usize, usize)> {
        self.near(move |bounds| bounds.meets(&near, Touch::Included))
    }

    /// All of them.
    pub(crate) fn all(self) -> impl Iterator<Item = (usize, usize)> {
        self.near(|_| true)
    }

    /// A piece on the way down to the node that is nearest at each level: not always the nearest piece.
    pub(crate) fn beside(&self, distance: impl Fn(&Aabb) -> f64) -> (usize, usize) {
        let (mut at, mut end) = (0, self.nodes.len());
        while at < end {
            let children =
                std::iter::successors(Some(at), |&child| self.nodes.get(child).map(|node| node.next as usize));
            let far = |&child: &usize| distance(&self.landed(&self.nodes[child].bounds));
            let children = children.take_while(|&child| child < end).map(|child| (child, far(&child)));
            let Some((nearest, _)) = children.min_by(|a, b| a.1.total_cmp(&b.1)) else { break };
            let node = &self.nodes[nearest];
            if node.count > 0 {
                return (node.first as usize, node.count as usize);
            }
            (at, end) = (nearest + 1, node.next as usize);
        }
        (0, self.corners)
    }

    /// Bounds of all that lies in a node, landed.
    #[inline(always)]
    fn landed(&self, local: &Aabb) -> Aabb {
        let Snapped { x, y } = self.linear;
        let land = |last: bool| Point::new(land_corner(x, local, last), land_corner(y, local, last));
        Aabb { min: self.position + land(false), max: self.position + land(true) }
    }
}

/// Where the corner of a box lands that lands first or last along the axis of a row, from the body's position; at most
/// [`FAR`] away.
#[inline(always)]
pub(crate) fn land_corner([a, b]: [i32; 2], Aabb { min, max }: &Aabb, last: bool) -> i32 {
    let corner = Point::new(if (a > 0) == last { max.x } else { min.x }, if (b > 0) == last { max.y } else { min.y });
    land_along([a, b], corner).clamp(i64::from(-FAR), i64::from(FAR - 1)) as i32
}

/// A piece of which the tree is to be built.
struct Piece {
    bounds: Aabb,
    vertices: Vec<Point>,
}

/// Pieces in the order of the leaves of the tree over them, and its nodes from the origin; a single piece has none.
pub(crate) fn tree(pieces: Vec<Vec<Point>>) -> (Vec<Vec<Point>>, Vec<Node>) {
    let mut pieces: Vec<Piece> =
        pieces.into_iter().map(|vertices| Piece { bounds: Aabb::around(&vertices), vertices }).collect();
    let mut nodes = Vec::new();
    if pieces.len() > 1 {
        grow(&mut nodes, &mut pieces, 0);
    }
    (pieces.into_iter().map(|piece| piece.vertices).collect(), nodes)
}

/// Adds a node over pieces, of which the first begins with a vertex; its bounds, and the vertex after the last.
fn grow(nodes: &mut Vec<Node>, pieces: &mut [Piece], first: u32) -> (Aabb, u32) {
    let at = nodes.len();
    nodes.push(Node::zeroed());
    let (bounds, end, count) = if let [piece] = pieces {
        let count = piece.vertices.len() as u32;
        (piece.bounds, first + count, count)
    } else {
        let (mut bounds, mut end) = (Aabb::NOWHERE, first);
        for part in part(pieces) {
            let (under, after) = grow(nodes, part, end);
            (bounds, end) = (bounds.join(&under), after);
        }
        (bounds, end, 0)
    };
    nodes[at] = Node { bounds, next: nodes.len() as u32, first, count, unused: 0 };
    (bounds, end)
}

/// The parts of pieces that lie under the children of their node. Of more than a few, none has more than half, rounded
/// up.
fn part(pieces: &mut [Piece]) -> Vec<&mut [Piece]> {
    if pieces.len() <= FEW {
        return pieces.chunks_mut(1).collect();
    }
    let Aabb { min, max } = pieces.iter().fold(Aabb::NOWHERE, |all, piece| all.join(&piece.bounds));
    let wide = i64::from(max.x) - i64::from(min.x) > i64::from(max.y) - i64::from(min.y);
    let middle = pieces.len() / 2;
    let along = |wide: bool, p: Point| if wide { p.x } else { p.y };
    for wide in [wide, !wide] {
        let mut centres: Vec<i32> = pieces.iter().map(|piece| along(wide, piece.bounds.centre())).collect();
        let (_, &mut line, _) = centres.select_nth_unstable(middle);
        let side = |piece: &Piece| match piece.bounds {
            Aabb { max, .. } if along(wide, max) <= line => Ordering::Less,
            Aabb { min, .. } if along(wide, min) >= line => Ordering::Greater,
            _ => Ordering::Equal,
        };
        pieces.sort_by_key(side);
        let before = pieces.partition_point(|piece| side(piece).is_lt());
        let beyond = pieces.partition_point(|piece| side(piece).is_le());
        let most = before.max(beyond - before).max(pieces.len() - beyond);
        if most <= pieces.len() - middle {
            let (rest, last) = pieces.split_at_mut(beyond);
            let (first, over) = rest.split_at_mut(before);
            return [first, over, last].into_iter().filter(|part| !part.is_empty()).collect();
        }
    }
    // Neither line leaves at most half in each part.
    pieces.sort_by_key(|piece| along(wide, piece.bounds.centre()));
    let (before, beyond) = pieces.split_at_mut(middle);
    vec![before, beyond]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A triangle between two columns.
    fn sliver(from: i32, to: i32) -> Vec<Point> {
        vec![Point::new(from, 0), Point::new(to, 1), Point::new(from, 2)]
    }

    /// Apart, nested like slivers under hills, in one column as wide as a piece, all alike, and strips as wide as all.
    fn all() -> [Vec<Vec<Point>>; 5] {
        let count = 0..1_000;
        [
            count.clone().map(|k| sliver(3 * k, 3 * k + 2)).collect(),
            count.clone().map(|k| sliver(k, k + (1 << k.trailing_zeros().min(10)))).collect(),
            count
                .clone()
                .map(|k| vec![Point::new(-1, 2 * k), Point::new(0, 2 * k), Point::new(0, 2 * k + 1)])
                .collect(),
            count.clone().map(|_| sliver(-1, 0)).collect(),
            count
                .map(|k| k * 377 % 1_000)
                .map(|y| vec![Point::new(0, y), Point::new(5_000, y), Point::new(0, y + 1)])
                .collect(),
        ]
    }

    #[test]
    fn each_piece_is_a_leaf_and_lies_in_the_bounds_of_all_above_it() {
        for pieces in all() {
            let count = pieces.len();
            let (pieces, nodes) = tree(pieces);
            let mut leaves = Vec::new();
            let mut above: Vec<usize> = Vec::new();
            for (at, node) in nodes.iter().enumerate() {
                above.retain(|&node| nodes[node].next as usize > at);
                for &over in &above {
                    assert_eq!(nodes[over].bounds.join(&node.bounds), nodes[over].bounds, "{at} under {over}");
                    assert!(node.next <= nodes[over].next);
                }
                assert!(above.len() <= 12, "{} levels", above.len());
                if node.count > 0 {
                    leaves.push((node.first as usize, node.count as usize, node.bounds));
                }
                above.push(at);
            }
            let firsts = pieces.iter().scan(0, |first, piece| Some(std::mem::replace(first, *first + piece.len())));
            let right: Vec<_> = firsts.zip(&pieces).map(|(first, p)| (first, p.len(), Aabb::around(p))).collect();
            assert_eq!(leaves.len(), count);
            assert_eq!(leaves, right);
        }
    }

    /// The nodes that points look at.
    fn looks(nodes: &[Node], points: impl Iterator<Item = Point>) -> usize {
        let mut looks = 0;
        for min in points {
            let point = Aabb { min, max: min };
            let mut at = 0;
            while let Some(node) = nodes.get(at) {
                looks += 1;
                at = if node.bounds.meets(&point, Touch::Included) { at + 1 } else { node.next as usize };
            }
        }
        looks
    }

    /// Long pieces among short ones make no bounds of others long.
    #[test]
    fn few_nodes_are_looked_at_among_slivers() {
        let (_, nodes) = tree(all()[1].clone());
        let looks = looks(&nodes, (0..1_000).map(|x| Point::new(x, 1)));
        assert!(looks < 50_000, "{looks}");
    }

    /// Pieces that no line across the longer axis parts are parted along the other.
    #[test]
    fn few_nodes_are_looked_at_among_strips() {
        let (_, nodes) = tree(all()[4].clone());
        let looks = looks(&nodes, (0..1_000).map(|y| Point::new(1, y)));
        assert!(looks < 50_000, "{looks}");
    }
}
