//! The broad phase without sorting: compares each body with all behind it, 16 at a time.

use super::pairs::{GATHERED, Pairs};
use super::sweep::Entries;
use super::table::block;
use crate::ground::error::Result;
use crate::ground::touch::Touch;
use crate::simd::{Kernel, Lanes, WIDTH};

/// Compares some entries of a [`super::strips::Strips::list`] with all entries behind them.
pub(in crate::cpu) struct AllPairs<'a>(pub Entries<'a>);

impl Kernel for AllPairs<'_> {
    type Output = Result<()>;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Result<()> {
        let Entries { packed, touch, strips, range, found, room } = self.0;
        let ([u0, u1], [v0, v1], bodies, end) = (&strips.table.u, &strips.table.v, &strips.table.bodies, strips.len());
        let open = i32::from(touch == Touch::Excluded);
        let mut pairs = Pairs::new();
        for k in range {
            let ([left, right], [top, bottom]) = ([u0[k] + open, u1[k] - open], [v0[k] + open, v1[k] - open]);
            let row = strips.table.row(k);
            for next in (k + 1..end).step_by(WIDTH) {
                let mut bits = lanes.within(block(u0, next), right, block(u1, next), left)
                    & lanes.within(block(v0, next), bottom, block(v1, next), top);
                if end - next < WIDTH {
                    bits &= (1 << (end - next)) - 1;
                }
                bits &= strips.table.tested(lanes, next, row);
                if bits != 0 {
                    pairs.add(lanes, bodies[k], bits, block(bodies, next));
                    if pairs.len > GATHERED {
                        found.take(packed, touch, pairs.drain(), room)?;
                    }
                }
            }
        }
        found.take(packed, touch, pairs.drain(), room)
    }
}
