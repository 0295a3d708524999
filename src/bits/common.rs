//! The common bits of two sets of rows, in the words of the first.

use super::MOST_STRIDE;
use super::rows::Rows;
use super::shift::Shifted;
use super::stamp::Stamp;
use crate::simd::{Kernel, Lanes, Simd};

/// Sets in `to`, of the size of `a`'s words, at most [`MOST_STRIDE`] in a row, the pixels that are set in both.
pub(crate) fn common(simd: Simd, a: &Rows<'_>, b: &Rows<'_>, to: &mut [u64]) {
    simd.run(Common(a, b, to));
}

/// Returns the column and the row, in `a`'s words, of the first pixel set in both: the leftmost of the topmost row.
pub(crate) fn first(simd: Simd, a: &Rows<'_>, b: &Rows<'_>) -> Option<[usize; 2]> {
    simd.run(First(a, b))
}

struct Common<'a>(&'a Rows<'a>, &'a Rows<'a>, &'a mut [u64]);

impl Kernel for Common<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, _: L) {
        let Self(a, b, to) = self;
        let mut shifted = Shifted::new(a.at, &a.bounds, b);
        let mut bits = [0; MOST_STRIDE];
        for y in shifted.rows() {
            let within = shifted.row(y, &mut bits);
            let (first, bits) = (y * a.stride, &bits[within.clone()]);
            let (mine, to) = (&a.words[first..][within.clone()], &mut to[first..][within]);
            for ((to, mine), its) in to.iter_mut().zip(mine).zip(bits) {
                *to = mine & its;
            }
        }
    }
}

struct First<'a>(&'a Rows<'a>, &'a Rows<'a>);

impl Kernel for First<'_> {
    type Output = Option<[usize; 2]>;

    #[inline(always)]
    fn run<L: Lanes>(self, _: L) -> Self::Output {
        let Self(a, b) = self;
        let mut shifted = Shifted::new(a.at, &a.bounds, b);
        let mut bits = [0; MOST_STRIDE];
        for y in shifted.rows() {
            let within = shifted.row(y, &mut bits);
            let mine = &a.words[y * a.stride..][within.clone()];
            for ((word, mine), its) in (within.start..).zip(mine).zip(&bits[within]) {
                if mine & its != 0 {
                    return Some([64 * word + (mine & its).trailing_zeros() as usize, y]);
                }
            }
        }
        None
    }
}
