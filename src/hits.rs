//! What engines answer: flags, ordered pairs, details.

use crate::ground::error::{Error, Result};

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
    /// The pairs, lower index first, ascending: of bodies by [`BodyId::index`](crate::BodyId::index), from which
    /// [`World::id`](crate::World::id) leads back, until bodies are added or removed. Empty where only flags were asked
    /// for.
    pub pairs: Vec<[u32; 2]>,
    /// For each pair what it carries, in the same order. Empty where details were not asked for.
    pub details: Vec<Detail>,
}

/// What a pair carries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Detail {
    /// The tick of the first moment of contact, where one of the two moves, and the ticks of a step: 65,536.
    pub time: Option<[u32; 2]>,
    /// For a pair with a sprite, the pixels painted by both at that tick; against a convex body, the painted pixels
    /// whose squares' interiors it has overlapped by then, since the sprite came to where it stands. 0 where touch
    /// alone makes the hit.
    pub area: Option<u64>,
    /// Where those pixels lie in the world at that tick, if there are any.
    pub overlap: Option<Overlap>,
}

impl Detail {
    /// The tick of the first moment of contact, 0 to 65,536; 0 where neither moves.
    ///
    /// ```
    /// use hitmask::Detail;
    ///
    /// let detail = Detail { time: Some([16384, 65536]), ..Detail::default() };
    /// assert_eq!((detail.tick(), Detail::default().tick()), (16384, 0));
    /// ```
    #[must_use]
    pub fn tick(&self) -> u32 {
        self.time.map_or(0, |[tick, _]| tick)
    }

    /// The part of the step after which the pair first hits, 0 to 1; 0 where neither moves.
    ///
    /// ```
    /// use hitmask::Detail;
    ///
    /// let detail = Detail { time: Some([16384, 65536]), ..Detail::default() };
    /// assert_eq!(detail.fraction(), 0.25);
    /// ```
    #[must_use]
    pub fn fraction(&self) -> f64 {
        self.time.map_or(0.0, |[tick, ticks]| f64::from(tick) / f64::from(ticks))
    }
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

    /// An error where pairs were not asked for, as far as that shows: a body hits, and there is no pair.
    pub(crate) fn has_pairs(&self) -> Result<()> {
        if self.pairs.is_empty() && self.flags.iter().any(|&word| word != 0) {
            return Err(Error::value("hits", "flags alone", "be asked for by `Ask::Pairs` or `Ask::Details`"));
        }
        Ok(())
    }

    /// An error where details were not asked for, as far as that shows.
    pub(crate) fn has_details(&self) -> Result<()> {
        if self.details.len() != self.pairs.len() {
            return Err(Error::value("hits", "without details", "be asked for by `Ask::Details`"));
        }
        self.has_pairs()
    }

    /// Whether a body is in any pair.
    ///
    /// ```
    /// use hitmask::Hits;
    ///
    /// let hits = Hits { flags: vec![0b101], pairs: vec![[0, 2]], details: vec![] };
    /// assert_eq!([0, 1, 2, 99].map(|body| hits.flag(body)), [true, false, true, false]);
    /// ```
    #[must_use]
    pub fn flag(&self, body: usize) -> bool {
        self.flags.get(body / 32).is_some_and(|word| word >> (body % 32) & 1 == 1)
    }

    /// The rule that this answer breaks, if any: pairs ascend without repetition, flags are as pairs say, and there is
    /// a detail for each pair.
    ///
    /// ```
    /// use hitmask::{Ask, Hits};
    ///
    /// let hits = Hits { flags: vec![0b101], pairs: vec![[2, 0]], details: vec![] };
    /// assert_eq!(hits.broken_rule(Ask::Pairs), Some("a pair has its lower index first"));
    /// ```
    #[must_use]
    pub fn broken_rule(&self, ask: Ask) -> Option<&'static str> {
        let details = if ask == Ask::Details { self.pairs.len() } else { 0 };
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
        // One by one, so that what engines do for many at once is judged by something else.
        let mut flags = vec![0; self.flags.len()];
        self.pairs.as_flattened().iter().for_each(|&body| raise(&mut flags, body));
        (flags != self.flags).then_some("flags are those of the pairs")
    }

    /// Asserts that all parts agree, see [`Hits::broken_rule`].
    ///
    /// # Panics
    ///
    /// Where they do not.
    ///
    /// ```
    /// use hitmask::{Ask, Hits};
    ///
    /// Hits { flags: vec![0b101], pairs: vec![[0, 2]], details: vec![] }.validate(Ask::Pairs);
    /// ```
    pub fn validate(&self, ask: Ask) {
        if let Some(rule) = self.broken_rule(ask) {
            panic!("{rule}");
        }
    }
}

/// Raises the flags of both bodies of each of some pairs, which ascend.
#[inline(always)]
pub(crate) fn raise_flags(flags: &mut [u32], pairs: &[[u32; 2]]) {
    debug_assert!(pairs.is_sorted(), "pairs ascend");
    let (some, rest) = pairs.as_chunks::<16>();
    for pairs in some {
        // The lower indices are mostly in one word, which is written once then.
        let word = pairs[0][0] / 32;
        if pairs[15][0] / 32 == word {
            flags[word as usize] |= pairs.iter().fold(0, |bits, [i, _]| bits | 1 << (i % 32));
        } else {
            for &[i, _] in pairs {
                raise(flags, i);
            }
        }
        for &[_, j] in pairs {
            raise(flags, j);
        }
    }
    rest.iter().flatten().for_each(|&body| raise(flags, body));
}

/// Raises the flag of a body.
#[inline(always)]
fn raise(flags: &mut [u32], body: u32) {
    flags[body as usize / 32] |= 1 << (body % 32);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "pairs ascend")]
    fn unordered_pairs_are_found() {
        Hits { flags: vec![7], pairs: vec![[0, 2], [0, 1]], details: vec![] }.validate(Ask::Pairs);
    }
}
