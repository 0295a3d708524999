//! The corners that rings still have, as a grid of bits.

use std::ops::Range;

use crate::bits::row;

/// The places of the corners that rings still have.
pub(super) struct Standing {
    /// The number of words in a row, which has one place more than the mask has texels.
    stride: usize,
    words: Vec<u64>,
}

impl Standing {
    /// Makes an empty grid for a mask of this size.
    pub(super) fn new([width, height]: [u32; 2]) -> Self {
        let stride = width as usize / 64 + 1;
        Self { stride, words: vec![0; stride * (height as usize + 1)] }
    }

    pub(super) fn put(&mut self, at: [i32; 2]) {
        let (word, bit) = self.locate(at);
        self.words[word] |= bit;
    }

    pub(super) fn take(&mut self, at: [i32; 2]) {
        let (word, bit) = self.locate(at);
        self.words[word] &= !bit;
    }

    /// Returns whether a closed triangle holds no corner besides its own three, which are in the grid.
    pub(super) fn only_ends_in(&mut self, triangle: [[i32; 2]; 3]) -> bool {
        for at in triangle {
            self.take(at);
        }
        let rows = triangle.map(|[_, y]| y);
        let mut rows = rows.into_iter().min().unwrap_or(0)..=rows.into_iter().max().unwrap_or(0);
        let holds_none = rows.all(|y| {
            let row = &self.words[y as usize * self.stride..][..self.stride];
            !row::any(row, columns(triangle, y))
        });
        for at in triangle {
            self.put(at);
        }
        holds_none
    }

    fn locate(&self, [x, y]: [i32; 2]) -> (usize, u64) {
        (y as usize * self.stride + x as usize / 64, 1 << (x % 64))
    }
}

/// Returns the columns of the grid that lie in a closed triangle, in a row that it reaches.
fn columns(triangle: [[i32; 2]; 3], y: i32) -> Range<u32> {
    let (mut start, mut end) = (i32::MAX, 0);
    for k in 0..3 {
        let [a, b] = [triangle[k], triangle[(k + 1) % 3]];
        let [[x, top], [u, bottom]] = if a[1] <= b[1] { [a, b] } else { [b, a] };
        if !(top..=bottom).contains(&y) {
            continue;
        }
        // A level side has both its ends on other sides.
        let height = (bottom - top).max(1);
        let across = i64::from(u - x) * i64::from(y - top);
        let floor = x + across.div_euclid(height.into()) as i32;
        let ceiling = x - (-across).div_euclid(height.into()) as i32;
        (start, end) = (start.min(ceiling), end.max(floor + 1));
    }
    start as u32..end as u32
}
