//! The convex pieces of a polygon, and a tree of bounds over them, so that of many pieces only those are looked at that
//! something comes near; twin of `shaders/shared/pieces.wgsl`.
//!
//! ```text
//!        0                 nodes lie before their children, which lie in order, so that what is left to be looked at
//!      / | \               is told by one number. Each says which node comes behind all that lie under it:
//!     1  2  5
//!       / \                look at node k: near     -> go on with k + 1
//!      3   4                               far away -> go on with the node behind
//! ```
//!
//! (Smits, *Efficiency Issues for Ray Tracing*, 1998.) Pieces are parted at the median of their centres along the
//! longer axis, twice for the four children of a node. A leaf is one piece. Nodes are bounds from the anchor, and land
//! with the body: the two corners that go farthest along an axis land no nearer than all that lies in the node.

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
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(super) struct Node {
    /// The bounds of all under it, from the anchor.
    bounds: Aabb,
    /// The node behind all under it.
    behind: u32,
    /// Of a leaf the first vertex of its piece, counted through all pieces.
    first: u32,
    /// Of a leaf the number of its vertices; else 0.
    count: u32,
    unused: u32,
}

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
                next = if near { next + 1 } else { node.behind as usize };
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
                std::iter::successors(Some(at), |&child| self.nodes.get(child).map(|node| node.behind as usize));
            let far = |&child: &usize| distance(&self.landed(&self.nodes[child].bounds));
            let children = children.take_while(|&child| child < end).map(|child| (child, far(&child)));
            let Some((nearest, _)) = children.min_by(|a, b| a.1.total_cmp(&b.1)) else { break };
            let node = &self.nodes[nearest];
            if node.count > 0 {
                return (node.first as usize, node.count as usize);
            }
            (at, end) = (nearest + 1, node.behind as usize);
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

/// Puts pieces in the order of the tree's leaves.
pub(super) fn in_order(mut pieces: Vec<Vec<Point>>) -> Vec<Vec<Point>> {
    let centre = |(index, piece): (usize, &Vec<Point>)| (Aabb::around(piece).centre(), index);
    let mut centres: Vec<(Point, usize)> = pieces.iter().enumerate().map(centre).collect();
    part(&mut centres);
    centres.iter().map(|&(_, index)| std::mem::take(&mut pieces[index])).collect()
}

/// Parts pieces at the median of their centres, and both halves again.
fn part(centres: &mut [(Point, usize)]) {
    if centres.len() < 2 {
        return;
    }
    let Aabb { min, max } = centres.iter().fold(Aabb::NOWHERE, |all, &(min, _)| all.join(&Aabb { min, max: min }));
    let wide = i64::from(max.x) - i64::from(min.x) > i64::from(max.y) - i64::from(min.y);
    let middle = centres.len() / 2;
    centres.select_nth_unstable_by_key(middle, |&(p, index)| if wide { (p.x, p.y, index) } else { (p.y, p.x, index) });
    let (before, behind) = centres.split_at_mut(middle);
    part(before);
    part(behind);
}

/// The nodes over so many pieces.
pub(super) fn node_count(pieces: usize) -> usize {
    let under = |pieces| if pieces == 1 { 1 } else { node_count(pieces) };
    if pieces > 1 { 1 + children(pieces).into_iter().map(under).sum::<usize>() } else { 0 }
}

/// How many of so many pieces lie under each child of a node: a child without any is none.
fn children(pieces: usize) -> [usize; 4] {
    let halves = |pieces: usize| [pieces / 2, pieces - pieces / 2];
    let [a, b] = halves(pieces).map(halves);
    [a[0], a[1], b[0], b[1]]
}

/// The tree over pieces that are in order.
pub(super) fn nodes(pieces: &[Vec<Point>], anchor: Point) -> Vec<Node> {
    let mut nodes = Vec::with_capacity(node_count(pieces.len()));
    if pieces.len() > 1 {
        grow(&mut nodes, pieces, 0, anchor);
    }
    nodes
}

/// Adds a node over pieces, of which the first begins with a vertex; its bounds, and the vertex behind the last.
fn grow(nodes: &mut Vec<Node>, pieces: &[Vec<Point>], first: u32, anchor: Point) -> (Aabb, u32) {
    let at = nodes.len();
    nodes.push(Node::zeroed());
    let (bounds, end, count) = if let [piece] = pieces {
        let Aabb { min, max } = Aabb::around(piece);
        let count = piece.len() as u32;
        (Aabb { min: min - anchor, max: max - anchor }, first + count, count)
    } else {
        let (mut bounds, mut end, mut rest) = (Aabb::NOWHERE, first, pieces);
        for count in children(pieces.len()).into_iter().filter(|&count| count > 0) {
            let (child, more) = rest.split_at(count);
            let (under, behind) = grow(nodes, child, end, anchor);
            (bounds, end, rest) = (bounds.join(&under), behind, more);
        }
        (bounds, end, 0)
    };
    nodes[at] = Node { bounds, behind: nodes.len() as u32, first, count, unused: 0 };
    (bounds, end)
}
