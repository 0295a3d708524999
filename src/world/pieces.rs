//! The convex pieces of a polygon, and a tree of bounding boxes over them, so that only pieces near another body are
//! tested; twin of `shaders/shared/pieces.wgsl`.
//!
//! ```text
//!        0                 A node lies before its children, which lie in order, so one number says how far a search
//!      / | \               has come. Each node knows its successor, the next node after its subtree:
//!     1  2  5
//!       / \                visit node k: near     -> go on with k + 1
//!      3   4                             far away -> go on with its successor
//! ```
//!
//! The layout is that of Smits, *Efficiency Issues for Ray Tracing*, 1998. A leaf is one piece. A line through the
//! median of the centres, across the longer axis, splits pieces into those before it, those beyond it, and those that
//! straddle it. The third part exists because the pieces of hills are long slivers, which would make the bounds of
//! either side as long as they are. If more than half of the pieces fall into one part, a line across the other axis is
//! tried, and as a last resort halving by centre. Up to four pieces are children of one node. Nodes hold bounds from
//! the anchor and land with the body: along each axis, the outermost two corners of a node land at least as far out as
//! everything in the node. The pieces of a shape of several parts are in one tree; each leaf names its part, and a
//! table in the atlas has the radius of each part.

use std::cmp::Ordering;
use std::ops::Range;

use bytemuck::{Pod, Zeroable};

use crate::ground::aabb::Aabb;
use crate::ground::lattice::Point;
use crate::ground::linear::{SCALE_BITS, Snapped, land_along};
use crate::ground::sorting::sort_by_key;
use crate::ground::touch::Touch;
use crate::world::packed::{Body, Packed, Shape};
use crate::world::seam::{ENTRY_WORDS, Entry};

/// A distance beyond what any body covers, in lattice steps from its position. Landed corners of nodes are clamped to
/// it, because they are no vertices and may land farther away.
pub(crate) const FAR: i32 = 1 << 30;

/// A node of the tree.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub(crate) struct Node {
    /// The bounds of its subtree, from the anchor.
    bounds: Aabb,
    /// The next node after its subtree.
    next: u32,
    /// The first vertex of a leaf's piece, counted through all pieces.
    first: u32,
    /// The number of vertices of a leaf's piece; 0 for other nodes.
    count: u32,
    /// The part to which a leaf's piece belongs; 0 unless the shape has several.
    part: u32,
}

/// A part of a shape in the atlas.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub(crate) struct Part {
    /// Its radius before it lands, in lattice steps.
    pub radius: i32,
    pub tag: u32,
}

/// A convex piece of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    /// Its first vertex, counted through all pieces.
    pub first: usize,
    /// The number of its vertices.
    pub count: usize,
    /// Its landed radius, in lattice steps.
    pub radius: i32,
    /// The part to which it belongs; 0 unless the shape has several.
    pub part: u32,
}

impl Piece {
    /// Returns the indices of its vertices.
    #[inline(always)]
    pub(crate) fn vertices(&self) -> Range<usize> {
        self.first..self.first + self.count
    }

    /// Returns true if it has no interior because it is a segment without a radius.
    #[inline(always)]
    pub(crate) fn is_segment(&self) -> bool {
        self.count == 2 && self.radius == 0
    }
}

impl Node {
    /// Returns the node with its bounds relative to an anchor.
    pub(super) fn from(self, anchor: Point) -> Self {
        Self { bounds: self.bounds.moved(-anchor), ..self }
    }

    /// Returns the indices of a leaf's vertices.
    pub(super) fn vertices(&self) -> Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }

    /// Returns the part of a leaf's piece; `None` for other nodes.
    pub(crate) fn part(&self) -> Option<u32> {
        (self.count > 0).then_some(self.part)
    }
}

/// Maximum number of pieces that all become children of one node.
const FEW: usize = 4;

/// The number of 32-bit words of a node in the atlas.
pub(crate) const NODE_WORDS: usize = size_of::<Node>() / 4;

/// The number of 32-bit words of a part in the atlas.
pub(crate) const PART_WORDS: usize = size_of::<Part>() / 4;

/// The pieces of a body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pieces<'a> {
    /// The tree; empty for a single piece that is no part.
    nodes: &'a [Node],
    /// The parts; none unless the shape was made of parts.
    parts: &'a [Part],
    /// The radius and the scale of the body.
    radius: i32,
    scale: i32,
    corners: usize,
    position: Point,
    linear: Snapped,
}

impl Packed {
    /// Returns the pieces of a convex body or polygon at its position.
    #[inline(always)]
    pub(crate) fn pieces(&self, body: &Body) -> Pieces<'_> {
        let shape = &self.shapes[body.shape as usize];
        let words = &self.words()[shape.first as usize / 2..][..NODE_WORDS / 2 * shape.stride as usize];
        Pieces {
            nodes: bytemuck::cast_slice(words),
            parts: self.parts(shape),
            radius: body.radius,
            scale: body.scale,
            corners: shape.corners as usize,
            position: body.position,
            linear: body.linear,
        }
    }

    /// Returns the parts of a shape; none unless it was made of parts.
    #[inline(always)]
    pub(crate) fn parts(&self, shape: &Shape) -> &[Part] {
        if shape.corners == 0 {
            // A mask.
            return &[];
        }
        let first = shape.first as usize + NODE_WORDS * shape.stride as usize;
        bytemuck::cast_slice(&self.words()[first / 2..shape.vertices as usize / 2])
    }

    /// Returns the seams of a polygon, as each of their pieces has them.
    #[inline(always)]
    pub(crate) fn seams(&self, shape: &Shape) -> &[Entry] {
        let first = shape.vertices as usize / 2 + shape.corners as usize;
        bytemuck::cast_slice(&self.words()[first..][..ENTRY_WORDS / 2 * shape.seams as usize])
    }

    /// Returns whether some piece of a convex body or polygon is a segment without a radius.
    pub(crate) fn has_segments(&self, body: &Body) -> bool {
        let shape = &self.shapes[body.shape as usize];
        let landed = |radius: i32| {
            if self.parts(shape).is_empty() { body.radius } else { part_radius(radius, body.scale) }
        };
        shape.thinnest >= 0 && landed(shape.thinnest) == 0
    }
}

impl Pieces<'_> {
    /// Returns true if there is a tree: there is more than one piece, or a part.
    #[inline(always)]
    pub(crate) fn are_many(&self) -> bool {
        !self.nodes.is_empty()
    }

    /// Returns the pieces whose landed bounds satisfy `is_near`. Bounds exclude radii and may be larger than the piece.
    /// A single piece is returned without a test.
    #[inline(always)]
    pub(crate) fn near(self, is_near: impl Fn(&Aabb) -> bool) -> impl Iterator<Item = Piece> {
        let mut single = if self.are_many() { None } else { Some(self.single()) };
        let mut next = 0;
        std::iter::from_fn(move || {
            while let Some(node) = self.nodes.get(next) {
                let near = is_near(&self.landed(&node.bounds));
                next = if near { next + 1 } else { node.next as usize };
                if near && node.count > 0 {
                    return Some(self.piece(node));
                }
            }
            single.take()
        })
    }

    /// Returns the only piece of a body without a tree.
    #[inline(always)]
    fn single(&self) -> Piece {
        Piece { first: 0, count: self.corners, radius: self.radius, part: 0 }
    }

    /// Returns the piece of a leaf.
    #[inline(always)]
    fn piece(&self, leaf: &Node) -> Piece {
        let part = self.parts.get(leaf.part as usize);
        let radius = part.map_or(self.radius, |part| part_radius(part.radius, self.scale));
        Piece { first: leaf.first as usize, count: leaf.count as usize, radius, part: leaf.part }
    }

    /// Returns the pieces whose landed bounds meet a box. A single piece is returned without a test.
    #[inline(always)]
    pub(crate) fn meeting(self, near: Aabb) -> impl Iterator<Item = Piece> {
        self.near(move |bounds| bounds.meets(&near, Touch::Included))
    }

    /// Returns all pieces.
    pub(crate) fn all(self) -> impl Iterator<Item = Piece> {
        self.near(|_| true)
    }

    /// Returns the piece that is found by descending to the nearest node at each level. It is not always the nearest
    /// piece.
    pub(crate) fn beside(&self, distance: impl Fn(&Aabb) -> f64) -> Piece {
        let (mut at, mut end) = (0, self.nodes.len());
        while at < end {
            let children =
                std::iter::successors(Some(at), |&child| self.nodes.get(child).map(|node| node.next as usize));
            let far = |&child: &usize| distance(&self.landed(&self.nodes[child].bounds));
            let children = children.take_while(|&child| child < end).map(|child| (child, far(&child)));
            let Some((nearest, _)) = children.min_by(|a, b| a.1.total_cmp(&b.1)) else { break };
            let node = &self.nodes[nearest];
            if node.count > 0 {
                return self.piece(node);
            }
            (at, end) = (nearest + 1, node.next as usize);
        }
        self.single()
    }

    /// Returns bounds of everything that lies in a node, landed.
    #[inline(always)]
    fn landed(&self, local: &Aabb) -> Aabb {
        let Snapped { x, y } = self.linear;
        let land = |last: bool| Point::new(land_corner(x, local, last), land_corner(y, local, last));
        Aabb { min: self.position + land(false), max: self.position + land(true) }
    }
}

/// Returns the first or last coordinate at which a corner of a box lands along the axis of a row of a linear part, from
/// the body's position, clamped to [`FAR`].
#[inline(always)]
pub(crate) fn land_corner([a, b]: [i32; 2], Aabb { min, max }: &Aabb, last: bool) -> i32 {
    let corner = Point::new(if (a > 0) == last { max.x } else { min.x }, if (b > 0) == last { max.y } else { min.y });
    land_along([a, b], corner).clamp(i64::from(-FAR), i64::from(FAR - 1)) as i32
}

/// Returns the radius in the world of a part's radius, both in lattice steps, given the scale of a body.
#[inline(always)]
pub(crate) fn part_radius(radius: i32, scale: i32) -> i32 {
    ((i64::from(radius) * i64::from(scale) + (1 << (SCALE_BITS - 1))) >> SCALE_BITS) as i32
}

/// A piece to build the tree over.
struct Twig {
    bounds: Aabb,
    vertices: Vec<Point>,
    part: u32,
}

/// Builds the tree over pieces, each given with its part. Returns the pieces in the order of its leaves, and its nodes,
/// with bounds from the origin.
pub(crate) fn tree(pieces: Vec<(Vec<Point>, u32)>) -> (Vec<Vec<Point>>, Vec<Node>) {
    let twig = |(vertices, part): (Vec<Point>, u32)| Twig { bounds: Aabb::around(&vertices), vertices, part };
    let mut pieces: Vec<Twig> = pieces.into_iter().map(twig).collect();
    let mut nodes = Vec::new();
    grow(&mut nodes, &mut pieces, 0);
    (pieces.into_iter().map(|piece| piece.vertices).collect(), nodes)
}

/// As [`tree`], for the pieces of one polygon; a single piece has no nodes.
pub(crate) fn tree_of_one(pieces: Vec<Vec<Point>>) -> (Vec<Vec<Point>>, Vec<Node>) {
    if pieces.len() > 1 { tree(pieces.into_iter().map(|piece| (piece, 0)).collect()) } else { (pieces, Vec::new()) }
}

/// Adds a node over pieces, whose first vertex is `first`. Returns its bounds, and the vertex after its last.
fn grow(nodes: &mut Vec<Node>, pieces: &mut [Twig], first: u32) -> (Aabb, u32) {
    let at = nodes.len();
    nodes.push(Node::zeroed());
    let (bounds, end, count, part) = if let [piece] = pieces {
        let count = piece.vertices.len() as u32;
        (piece.bounds, first + count, count, piece.part)
    } else {
        let (mut bounds, mut end) = (Aabb::NOWHERE, first);
        for third in split(pieces) {
            let (under, after) = grow(nodes, third, end);
            (bounds, end) = (bounds.join(&under), after);
        }
        (bounds, end, 0, 0)
    };
    nodes[at] = Node { bounds, next: nodes.len() as u32, first, count, part };
    (bounds, end)
}

/// Splits pieces into the sets under the children of their node. If there are more than [`FEW`] pieces, no set has more
/// than half of them, rounded up.
fn split(pieces: &mut [Twig]) -> Vec<&mut [Twig]> {
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
        let side = |piece: &Twig| match piece.bounds {
            Aabb { max, .. } if along(wide, max) <= line => Ordering::Less,
            Aabb { min, .. } if along(wide, min) >= line => Ordering::Greater,
            _ => Ordering::Equal,
        };
        sort_by_key(pieces, side);
        let before = pieces.partition_point(|piece| side(piece).is_lt());
        let beyond = pieces.partition_point(|piece| side(piece).is_le());
        let most = before.max(beyond - before).max(pieces.len() - beyond);
        if most <= pieces.len() - middle {
            let (rest, last) = pieces.split_at_mut(beyond);
            let (first, over) = rest.split_at_mut(before);
            return [first, over, last].into_iter().filter(|set| !set.is_empty()).collect();
        }
    }
    // Both lines leave more than half in one part.
    sort_by_key(pieces, |piece| along(wide, piece.bounds.centre()));
    let (before, beyond) = pieces.split_at_mut(middle);
    vec![before, beyond]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a triangle between two columns.
    fn sliver(from: i32, to: i32) -> Vec<Point> {
        vec![Point::new(from, 0), Point::new(to, 1), Point::new(from, 2)]
    }

    /// Returns sets of pieces: apart, nested like slivers under hills, in one column as wide as a piece, all alike, and
    /// strips as wide as the whole set.
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
            let (pieces, nodes) = tree_of_one(pieces);
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

    /// Returns the number of nodes that are visited for some points.
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

    /// Long pieces among short ones do not lengthen the bounds of others.
    #[test]
    fn few_nodes_are_looked_at_among_slivers() {
        let (_, nodes) = tree_of_one(all()[1].clone());
        let looks = looks(&nodes, (0..1_000).map(|x| Point::new(x, 1)));
        assert!(looks < 50_000, "{looks}");
    }

    /// Pieces that no line across the longer axis splits are split across the other.
    #[test]
    fn few_nodes_are_looked_at_among_strips() {
        let (_, nodes) = tree_of_one(all()[4].clone());
        let looks = looks(&nodes, (0..1_000).map(|y| Point::new(1, y)));
        assert!(looks < 50_000, "{looks}");
    }
}
