//! What engines answer: flags, ordered pairs, details.

/// How much an engine is asked for; what is not asked for is not computed, nor read back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ask {
    /// For each body, whether it hits any other.
    Flags,
    /// Flags, and every pair.
    #[default]
    Pairs,
    /// Flags, every pair, and what each pair carries.
    Details,
}

/// The hits of a world: the same on every engine, every machine, every run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hits {
    /// A bit for each body, whether it is in any pair: bit `i % 32` of word `i / 32`; see [`Hits::flag`].
    pub flags: Vec<u32>,
    /// The pairs, lower index first, ascending. Empty where only flags were asked for.
    pub pairs: Vec<[u32; 2]>,
    /// For each pair what it carries, in the same order. Empty where details were not asked for.
    pub details: Vec<Detail>,
}

/// What a pair carries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Detail {
    /// The first moment of contact, where one of the two moves: numerator and denominator, not reduced.
    pub time: Option<[u32; 2]>,
    /// For a pair with a sprite, the pixels painted by both (against a convex body: the painted pixels whose squares'
    /// interiors overlap it), at the first moment of contact. 0 where touch alone makes the hit.
    pub area: Option<u64>,
    /// Where those pixels lie, if there are any, in the frame of the body that stands still (the second; for a sprite
    /// against a convex body, the convex one).
    pub overlap: Option<Overlap>,
}

/// The pixels that two bodies share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overlap {
    /// Their bounds `[x, y, width, height]`.
    pub bounds: [i32; 4],
    /// The leftmost of the top row.
    pub first: [i32; 2],
    /// The sums of their x and of their y.
    pub sums: [i64; 2],
}

impl Hits {
    /// No hit among `bodies` bodies.
    pub(crate) fn none(bodies: usize) -> Self {
        Self { flags: vec![0; bodies.div_ceil(32)], ..Self::default() }
    }

    /// Whether a body is in any pair.
    #[must_use]
    pub fn flag(&self, body: usize) -> bool {
        self.flags.get(body / 32).is_some_and(|word| word >> (body % 32) & 1 == 1)
    }

    /// Sets the flags of both bodies of each pair.
    pub(crate) fn flag_pairs(&mut self) {
        raise_flags(&mut self.flags, &self.pairs);
    }

    /// The rule that this answer breaks, if any: pairs ascend without repetition, flags are as pairs say, and there is a
    /// detail for each pair.
    #[must_use]
    pub fn broken_rule(&self, ask: Ask) -> Option<&'static str> {
        let details = if ask == Ask::Details { self.pairs.len() } else { 0 };
        let mut expected = Self { flags: vec![0; self.flags.len()], pairs: self.pairs.clone(), ..Self::default() };
        let rules: [(&'static str, bool); 3] = [
            ("a pair has its lower index first", self.pairs.iter().all(|[i, j]| i < j)),
            ("pairs ascend without repetition", self.pairs.windows(2).all(|pair| pair[0] < pair[1])),
            ("there is a detail for each pair, if asked for", self.details.len() == details),
        ];
        if let Some((rule, _)) = rules.iter().find(|rule| !rule.1) {
            return Some(rule);
        }
        if ask == Ask::Flags {
            return (!self.pairs.is_empty()).then_some("there are no pairs unless asked for");
        }
        if self.pairs.as_flattened().iter().any(|&body| body as usize / 32 >= self.flags.len()) {
            return Some("a pair is of two bodies");
        }
        expected.flag_pairs();
        (expected.flags != self.flags).then_some("flags are those of the pairs")
    }

    /// Asserts that all parts agree, see [`Hits::broken_rule`].
    ///
    /// # Panics
    ///
    /// Where they do not.
    pub fn validate(&self, ask: Ask) {
        if let Some(rule) = self.broken_rule(ask) {
            panic!("{rule}");
        }
    }
}

/// Raises the flags of both bodies of each pair.
pub(crate) fn raise_flags(flags: &mut [u32], pairs: &[[u32; 2]]) {
    // Lower indices mostly ascend: the flags of 32 are gathered before they are put down.
    let (mut word, mut bits) = (0, 0);
    for &[i, j] in pairs {
        if i as usize / 32 != word {
            flags[word] |= bits;
            (word, bits) = (i as usize / 32, 0);
        }
        bits |= 1 << (i % 32);
        flags[j as usize / 32] |= 1 << (j % 32);
    }
    if let Some(flags) = flags.get_mut(word) {
        *flags |= bits;
    }
}

/// An overlap as it is gathered, pixel by pixel or word by word, in any order of rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gather {
    area: u64,
    min: [i32; 2],
    max: [i32; 2],
    first_x: i32,
    sums: [i64; 2],
}

impl Gather {
    pub(crate) const NOTHING: Self =
        Self { area: 0, min: [i32::MAX; 2], max: [i32::MIN; 2], first_x: i32::MAX, sums: [0; 2] };

    /// Takes in 64 pixels of a row, the lowest bit at `(x, y)`.
    pub(crate) fn take(&mut self, x: i32, y: i32, bits: u64) {
        if bits == 0 {
            return;
        }
        let left = x + bits.trailing_zeros() as i32;
        let right = x + 63 - bits.leading_zeros() as i32;
        if y < self.min[1] || (y == self.min[1] && left < self.first_x) {
            self.first_x = left;
        }
        self.min = [self.min[0].min(left), self.min[1].min(y)];
        self.max = [self.max[0].max(right), self.max[1].max(y)];
        let count = u64::from(bits.count_ones());
        self.area += count;
        self.sums[0] += i64::from(x) * count as i64 + bit_sum(bits);
        self.sums[1] += i64::from(y) * count as i64;
    }

    /// The area, and where it lies if there is any.
    pub(crate) fn finish(self) -> (u64, Option<Overlap>) {
        let Self { area, min: [x, y], max, first_x, sums } = self;
        let overlap =
            (area > 0).then(|| Overlap { bounds: [x, y, max[0] - x + 1, max[1] - y + 1], first: [first_x, y], sums });
        (area, overlap)
    }
}

/// The sum of the indices of the set bits.
fn bit_sum(bits: u64) -> i64 {
    // Bit k of an index, summed over all set bits: those in places whose index has bit k.
    const PLACES: [u64; 6] = [
        0xAAAA_AAAA_AAAA_AAAA,
        0xCCCC_CCCC_CCCC_CCCC,
        0xF0F0_F0F0_F0F0_F0F0,
        0xFF00_FF00_FF00_FF00,
        0xFFFF_0000_FFFF_0000,
        0xFFFF_FFFF_0000_0000,
    ];
    PLACES.iter().enumerate().map(|(k, places)| i64::from((bits & places).count_ones()) << k).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_summed_by_index() {
        for bits in [0, 1, 1 << 63, u64::MAX, 0x8000_0001_0400_0030] {
            let plain: i64 = (0..64).filter(|i| bits >> i & 1 == 1).sum();
            assert_eq!(bit_sum(bits), plain);
        }
    }

    #[test]
    fn what_is_gathered_is_what_was_there() {
        let mut gather = Gather::NOTHING;
        gather.take(-10, 5, 0b1100);
        gather.take(-3, 4, 0b1_0010);
        let overlap = Overlap { bounds: [-8, 4, 10, 2], first: [-2, 4], sums: [-8 - 7 - 2 + 1, 18] };
        assert_eq!(gather.finish(), (4, Some(overlap)));
        assert_eq!(Gather::NOTHING.finish(), (0, None));
    }

    #[test]
    #[should_panic(expected = "pairs ascend")]
    fn unordered_pairs_are_found() {
        Hits { flags: vec![7], pairs: vec![[0, 2], [0, 1]], details: vec![] }.validate(Ask::Pairs);
    }
}
