//! The outline of a mask: the texels along the border of a component, in order.

use super::Mask;

/// The directions to the neighbours of a texel: clockwise on a y-down screen, from the right.
const AROUND: [[i32; 2]; 8] = [[1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1], [1, -1]];

impl Mask {
    /// Returns the texels `[x, y]` along the outer border of the component that contains the first solid texel
    /// (topmost, then leftmost). They start with that texel and go clockwise on a y-down screen, each a neighbour of
    /// the one before by an edge or a corner. The loop is closed, so the first texel is not repeated at the end. Where
    /// the component is one texel thin, texels occur twice, once in each direction. Holes are ignored. An empty mask
    /// has an empty outline.
    ///
    /// It is Moore neighbourhood tracing as in pygame's `outline`: the next texel is the first solid neighbour
    /// clockwise from where the last texel was left. It ends when it would go from the first texel to the second again
    /// (Gonzalez and Woods, "Digital Image Processing", third edition, section 11.1.1, after Moore, 1968). pygame
    /// repeats the first texel at the end of its list; its `every` is [`Iterator::step_by`].
    ///
    /// For the outlines of all components, use [`Mask::components`] and
    /// [`Component::mask`](crate::mask::Component::mask). [`Mask::polygons`] returns the boundary along the edges of
    /// texels, with holes, for shapes.
    ///
    /// ```
    /// use hitmask::Mask;
    ///
    /// let mask = Mask::from_rows(&[".##.", ".###", "...#"])?;
    /// assert_eq!(mask.outline(), [[1, 0], [2, 0], [3, 1], [3, 2], [2, 1], [1, 1]]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[doc(alias = "contour")]
    #[must_use]
    pub fn outline(&self) -> Vec<[u32; 2]> {
        let Some(y) = self.rows().position(|row| row.iter().any(|&word| word != 0)) else { return Vec::new() };
        let first = self.runs(y as u32).next().map_or([0; 2], |run| [run.start, y as u32]);
        let mut outline = vec![first];
        // No solid texel is above the first one or left of it, so the search begins at the right.
        let Some((mut from, second)) = self.next(first, 0) else { return outline };
        let mut texel = second;
        loop {
            // Begin two directions counterclockwise of the one that led here, which is at or just after the last texel
            // examined from the texel before; that one is empty.
            let Some((way, next)) = self.next(texel, from + 6) else { return outline };
            if texel == first && next == second {
                return outline;
            }
            outline.push(texel);
            (from, texel) = (way, next);
        }
    }

    /// Returns the first solid neighbour of a texel, clockwise from direction `from` on, and the direction to it.
    fn next(&self, [x, y]: [u32; 2], from: usize) -> Option<(usize, [u32; 2])> {
        let ways = (from..from + 8).map(|way| way % 8);
        ways.map(|way| (way, AROUND[way]))
            .map(|(way, [dx, dy])| (way, [x.wrapping_add_signed(dx), y.wrapping_add_signed(dy)]))
            .find(|&(_, [x, y])| self.get(x, y))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::samples::{any_masks, full, largest, masks};
    use super::*;
    use crate::mask::Neighbours;

    /// Finds the texels of the first component that share an edge with the outside: the empty texels around the mask,
    /// and those connected with them by edges.
    fn border(mask: &Mask) -> Vec<[u32; 2]> {
        let parts = mask.components(Neighbours::Eight);
        let Some(part) = parts.iter().next() else { return Vec::new() };
        let [x, y, width, height] = part.bounds().map(|v| v as i32);
        let mut around = Mask::new(width as u32 + 2, height as u32 + 2).unwrap();
        around.draw(&part.mask(), [1, 1]);
        around.invert();
        let parts = around.components(Neighbours::Four);
        let outside = parts.at(0, 0).unwrap().mask();
        let mut border = Vec::new();
        for (v, u) in (0..height).flat_map(|v| (0..width).map(move |u| (v, u))) {
            let empty = |dx: i32, dy: i32| outside.get((u + 1 + dx) as u32, (v + 1 + dy) as u32);
            if !around.get(u as u32 + 1, v as u32 + 1) && (empty(1, 0) || empty(-1, 0) || empty(0, 1) || empty(0, -1)) {
                border.push([x + u, y + v].map(|v| v as u32));
            }
        }
        border
    }

    fn check(mask: &Mask) {
        let outline = mask.outline();
        let mut texels = outline.clone();
        texels.sort_unstable_by_key(|&[x, y]| [y, x]);
        assert_eq!(outline.first(), texels.first(), "it begins at the first of all");
        texels.dedup();
        assert!(texels == border(mask), "the outline of {mask:?} is all of the border");
        if outline.len() > 1 {
            for (&[x, y], &[u, v]) in outline.iter().zip(outline.iter().cycle().skip(1)) {
                assert_eq!(x.abs_diff(u).max(y.abs_diff(v)), 1, "{mask:?} from {:?} to {:?}", [x, y], [u, v]);
            }
        }
        // Twice the enclosed area, by the shoelace formula: clockwise with y down is positive.
        let wide = outline.iter().map(|point| point.map(i64::from));
        let area: i64 = wide.clone().zip(wide.cycle().skip(1)).map(|([x, y], [u, v])| x * v - u * y).sum();
        assert!(area >= 0);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn the_outline_is_the_border_in_order(mask in masks()) {
            check(&mask);
        }

        #[test]
        fn so_is_that_of_what_has_an_inside(mask in any_masks(), factor in 1_u32..6) {
            check(&mask.scaled(mask.width() * factor / 2 + 1, mask.height() * factor).unwrap());
        }

        #[test]
        fn small_masks_have_every_shape(bits: u32) {
            check(&Mask::from_fn(5, 6, |x, y| bits >> (y * 5 + x) & 1 == 1).unwrap());
        }
    }

    /// Expected values from pygame-ce 2.5.8, without the first texel at the end.
    #[test]
    fn outlines_are_those_of_pygame() {
        let outline = |rows: &[&str]| Mask::from_rows(rows).unwrap().outline();
        let peak = [[2, 0], [3, 1], [4, 2], [3, 1], [2, 0], [1, 1], [0, 2], [1, 1]];
        assert_eq!(outline(&["..#..", ".#.#.", "#...#"]), peak);
        let ring = [[0, 0], [1, 0], [2, 0], [2, 1], [3, 2], [2, 2], [1, 3], [0, 2], [0, 1]];
        assert_eq!(outline(&["###.", "#.#.", "####", ".#.."]), ring);
        let [head, tail] = [
            [[3, 0], [4, 1], [5, 0], [5, 1], [5, 2], [4, 3], [5, 4], [4, 4], [4, 3]],
            [[3, 2], [2, 2], [1, 3], [0, 4], [1, 3], [0, 2], [1, 1], [2, 1], [0, 0]],
        ];
        let star = [&head[..], &tail[..8]].concat();
        assert_eq!(outline(&["...#.#", ".##.##", "######", ".#..#.", "#...##"]), star);
    }

    #[test]
    fn the_border_of_the_largest_mask_is_walked() {
        assert_eq!(largest().outline().len(), 4 * 8191);
        assert_eq!(full(1, 1).outline(), [[0, 0]]);
        assert!(Mask::new(5, 5).unwrap().outline().is_empty());
    }
}
