//! The functions of `shaders/shared/wide.wgsl`.

use super::twin::Twin;

/// Returns the functions on integers wider than 32 bits.
pub(in crate::gpu) fn wide_integers() -> Vec<Twin> {
    vec![
        Twin::new("wide", 1, "wide(int(0u))", |v| i64::from(v.int(0))),
        Twin::new("wide_add", 4, "wide_add(long(0u), long(2u))", |v| v.long(0).wrapping_add(v.long(2))),
        Twin::new("wide_sub", 4, "wide_sub(long(0u), long(2u))", |v| v.long(0).wrapping_sub(v.long(2))),
        Twin::new("wide_neg", 2, "wide_neg(long(0u))", |v| v.long(0).wrapping_neg()),
        Twin::new("wide_is_zero", 2, "wide_is_zero(long(0u))", |v| v.long(0) == 0),
        Twin::new("wide_sign", 2, "wide_sign(long(0u))", |v| v.long(0).signum() as i32),
        Twin::new("wide_less", 4, "wide_less(long(0u), long(2u))", |v| v.long(0) < v.long(2)),
        Twin::new("wide_abs", 2, "wide_abs(long(0u))", |v| v.long(0).unsigned_abs()),
        Twin::new("wide_product", 2, "wide_product(word(0u), word(1u))", |v| {
            u64::from(v.word(0)) * u64::from(v.word(1))
        }),
        Twin::new("wide_mul", 4, "wide_mul(long(0u), long(2u))", |v| v.long(0).wrapping_mul(v.long(2))),
        Twin::new("wide_mul_i32", 2, "wide_mul_i32(int(0u), int(1u))", |v| i64::from(v.int(0)) * i64::from(v.int(1))),
        Twin::new("wide_shift_low", 3, "wide_shift_low(long(0u), 1u + word(2u) % 31u)", |v| {
            (v.long(0) >> (1 + v.word(2) % 31)) as i32
        }),
        Twin::new("widest_product", 4, "widest_words(widest_product(long(0u), long(2u)))", |v| {
            u128::from(v.long(0) as u64) * u128::from(v.long(2) as u64)
        }),
        Twin::new("widest_less", 8, "widest_less(longest(0u), longest(4u))", |v| v.longest(0) < v.longest(4)).fit(
            |v| {
                // Make the higher words equal often, so that lower ones decide.
                let equal = v[0] as usize % 5;
                v.copy_within(4 - equal..4, 8 - equal);
            },
        ),
    ]
}
