//! Products of 128-bit numbers.

/// A number of 256 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Wide {
    high: u128,
    low: u128,
}

impl Wide {
    pub(crate) fn product(a: u128, b: u128) -> Self {
        let halves = |v: u128| [v >> 64, v & u128::from(u64::MAX)];
        let ([a1, a0], [b1, b0]) = (halves(a), halves(b));
        let (middle, carry) = (a1 * b0).overflowing_add(a0 * b1);
        let (low, more) = (a0 * b0).overflowing_add(middle << 64);
        Self { high: a1 * b1 + (middle >> 64) + (u128::from(carry) << 64) + u128::from(more), low }
    }

    /// Returns the sum, which must fit.
    pub(crate) fn plus(self, other: Self) -> Self {
        let (low, carry) = self.low.overflowing_add(other.low);
        Self { high: self.high + other.high + u128::from(carry), low }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_product_is_that_of_long_multiplication(a in any::<u128>(), b in any::<u128>(), short in 0_u32..128) {
            let (a, b) = (a >> short, b);
            // Digit by digit, as on paper, with digits of 32 bits.
            let digits = |v: u128| (0..4).map(move |k| v >> (32 * k) & 0xffff_ffff);
            let mut columns = [0_u128; 9];
            for (i, p) in digits(a).enumerate() {
                for (j, q) in digits(b).enumerate() {
                    columns[i + j] += (p * q) & 0xffff_ffff;
                    columns[i + j + 1] += (p * q) >> 32;
                }
            }
            for k in 0..8 {
                columns[k + 1] += columns[k] >> 32;
                columns[k] &= 0xffff_ffff;
            }
            let number = |columns: &[u128]| columns.iter().rev().fold(0, |number, digit| number << 32 | digit);
            let expected = Wide { high: number(&columns[4..8]), low: number(&columns[..4]) };
            prop_assert_eq!(Wide::product(a, b), expected);
            let half = Wide::product(a >> 1, b);
            let rest = Wide::product(a & 1, b);
            prop_assert_eq!(half.plus(half).plus(rest), expected);
        }
    }
}
