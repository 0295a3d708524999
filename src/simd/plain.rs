//! The lanes of code that the compiler vectorizes if it can.

use std::convert::Infallible;

use super::{Lanes, WIDTH};

/// Packs lanes of 0 or 1 into bits.
#[inline(always)]
fn bits(lanes: [u8; WIDTH]) -> u32 {
    // The factor puts the lowest bit of byte `k` at bit 56 + k, without collisions.
    let eight = |lanes: u64| (lanes.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u32;
    let lanes = u128::from_le_bytes(lanes);
    eight(lanes as u64) | eight((lanes >> 64) as u64) << 8
}

/// The lanes of `Simd::Scalar`.
#[derive(Clone, Copy)]
pub(super) struct Plain;

#[expect(clippy::needless_bitwise_bool, reason = "of lanes that do not branch compilers make vectors")]
impl Lanes for Plain {
    type Words = [u64; 4];
    type Small = Infallible;
    type Medium = Infallible;

    #[inline(always)]
    fn within(self, a: &[i32; WIDTH], b: i32, c: &[i32; WIDTH], d: i32) -> u32 {
        bits(std::array::from_fn(|k| u8::from((a[k] <= b) & (c[k] >= d))))
    }

    #[inline(always)]
    fn share(self, a: &[u32; WIDTH], b: u32, c: &[u32; WIDTH], d: u32) -> u32 {
        bits(std::array::from_fn(|k| u8::from((a[k] & b != 0) & (c[k] & d != 0))))
    }

    #[inline(always)]
    fn least_above(self, a: &[i32; WIDTH], b: i32) -> i32 {
        a.iter().fold(i32::MAX, |least, &a| if a > b { least.min(a) } else { least })
    }
}
