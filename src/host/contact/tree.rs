//! A tree of bounds over the pieces of a body, and a walk over the pairs of two bodies' pieces.

use std::ops::ControlFlow;

use super::bounds::Bounds;
use crate::ground::aabb::Aabb;
use crate::ground::lattice::Point;
use crate::ground::touch::Touch;
use crate::world::pose::land::Piece;

/// A binary tree in preorder: the box of a node, those of the first half of its pieces, then those of the other half.
struct Tree {
    boxes: Vec<Aabb>,
    pieces: Vec<usize>,
}

/// A node: the index of its box, and the range of its pieces in the tree.
#[derive(Clone, Copy)]
struct Node {
    index: usize,
    first: usize,
    count: usize,
}

impl Tree {
    /// Builds a tree over at least one piece.
    fn new(pieces: &[Piece]) -> Self {
        let around: Vec<Aabb> = pieces.iter().map(Piece::bounds).collect();
        let mut tree = Self { boxes: Vec::with_capacity(2 * pieces.len()), pieces: (0..pieces.len()).collect() };
        tree.add_boxes(&around, tree.root());
        tree
    }

    fn root(&self) -> Node {
        Node { index: 0, first: 0, count: self.pieces.len() }
    }

    /// Appends the boxes of a node and of all below it, splitting pieces by their centres along the longer side.
    fn add_boxes(&mut self, around: &[Aabb], node: Node) {
        let pieces = &mut self.pieces[node.first..node.first + node.count];
        let all = pieces.iter().fold(Aabb::NOWHERE, |all, &piece| all.join(&around[piece]));
        self.boxes.push(all);
        if node.count > 1 {
            let is_wide = all.max.x - all.min.x > all.max.y - all.min.y;
            let centre = |piece: usize| {
                let Point { x, y } = around[piece].min + around[piece].max;
                (if is_wide { x } else { y }, piece)
            };
            pieces.select_nth_unstable_by_key(node.count / 2, |&piece| centre(piece));
            for half in node.halves() {
                self.add_boxes(around, half);
            }
        }
    }

    fn aabb(&self, node: Node) -> &Aabb {
        &self.boxes[node.index]
    }

    /// Returns the length of the longer side of a node's box.
    fn side(&self, node: Node) -> i32 {
        let Aabb { min, max } = self.aabb(node);
        (max.x - min.x).max(max.y - min.y)
    }
}

impl Node {
    fn halves(self) -> [Self; 2] {
        let Self { index, first, count } = self;
        let half = count / 2;
        // A tree over `n` pieces has `2n - 1` boxes.
        let other = Self { index: index + 2 * half, first: first + half, count: count - half };
        [Self { index: index + 1, first, count: half }, other]
    }
}

/// A piece of the first body and one of the second.
pub(super) type Pair = [usize; 2];

/// The pairs of two bodies' pieces.
pub(super) struct Pairs {
    a: Tree,
    b: Tree,
    /// True for the pieces of both that are segments; empty if two segments may hit.
    segments: [Vec<bool>; 2],
}

impl Pairs {
    /// Makes the pairs of two bodies of at least one piece each.
    pub(super) fn new(a: &[Piece], b: &[Piece], touch: Touch) -> Self {
        let has_segments = |pieces: &[Piece]| pieces.iter().any(|piece| piece.is_segment);
        let never_hit = touch == Touch::Excluded && has_segments(a) && has_segments(b);
        let segments = |pieces: &[Piece]| pieces.iter().filter(|_| never_hit).map(|piece| piece.is_segment).collect();
        Self { a: Tree::new(a), b: Tree::new(b), segments: [segments(a), segments(b)] }
    }

    /// Returns whether both pieces are segments, which never hit each other.
    fn are_segments(&self, [i, j]: Pair) -> bool {
        let [ours, theirs] = &self.segments;
        ours.get(i) == Some(&true) && theirs.get(j) == Some(&true)
    }

    /// Returns the bounds of the translations that bring pieces of two nodes together.
    fn differences(&self, a: Node, b: Node) -> Bounds {
        Bounds::differences(self.a.aabb(a), self.b.aabb(b))
    }

    /// Returns the bounds of all translations that bring two pieces together.
    pub(super) fn bounds(&self) -> Bounds {
        self.differences(self.a.root(), self.b.root())
    }

    /// Passes to `look` the pairs for which the bounds of translations, and all bounds around them, weigh more than
    /// `least`. Of two halves, the heavier comes first.
    ///
    /// `look` returns the new `least`, or ends the walk.
    pub(super) fn walk<B>(
        &self,
        mut least: f64,
        weigh: impl Fn(&Bounds) -> f64,
        mut look: impl FnMut(Pair) -> ControlFlow<B, f64>,
    ) -> Option<B> {
        let weighed = |a: Node, b: Node| (weigh(&self.differences(a, b)), a, b);
        let mut open = vec![weighed(self.a.root(), self.b.root())];
        while let Some((weight, a, b)) = open.pop() {
            if weight <= least {
                continue;
            }
            if a.count == 1 && b.count == 1 {
                let pair = [self.a.pieces[a.first], self.b.pieces[b.first]];
                if self.are_segments(pair) {
                    continue;
                }
                match look(pair) {
                    ControlFlow::Continue(enough) => least = enough,
                    ControlFlow::Break(end) => return Some(end),
                }
                continue;
            }
            let halves_a = b.count == 1 || (a.count > 1 && self.a.side(a) > self.b.side(b));
            let [one, other] =
                if halves_a { a.halves().map(|a| weighed(a, b)) } else { b.halves().map(|b| weighed(a, b)) };
            open.extend(if one.0 < other.0 { [one, other] } else { [other, one] });
        }
        None
    }
}
