//! Results of functions under test.

use crate::ground::aabb::Aabb;
use crate::ground::lattice::Point;
use crate::ground::normal::Normal;

/// A function's result as four words, the lowest first.
pub(in crate::gpu) trait Answer {
    /// The WGSL function that turns it into words.
    const WGSL: &str;
    fn bits(self) -> u128;
}

macro_rules! answers {
    ($($ty:ty, $wgsl:literal, $v:ident => $bits:expr;)*) => {
        $(impl Answer for $ty {
            const WGSL: &str = $wgsl;
            fn bits(self) -> u128 {
                let $v = self;
                $bits
            }
        })*
    };
}

answers! {
    bool, "of_bool", v => v.into();
    u32, "of_word", v => v.into();
    i32, "of_int", v => (v as u32).into();
    i64, "of_long", v => (v as u64).into();
    u64, "of_long", v => v.into();
    u128, "of_words", v => v;
    Point, "of_point", v => u128::from(v.x as u32) | u128::from(v.y as u32) << 32;
    Aabb, "of_box", v => v.min.bits() | v.max.bits() << 64;
    Normal, "of_normal", v => v[0].bits() | v[1].bits() << 64;
    // No component of a real normal is this large.
    Option<Normal>, "of_apart", v => v.map_or(0x7FFF_FFFF_7FFF_FFFF_7FFF_FFFF_7FFF_FFFF, Answer::bits);
}
