//! The answers of engines: flags, ordered pairs, details.

use crate::ground::bit_set;
use crate::ground::digest;
use crate::ground::error::{Error, Result};

/// The parts of the answer that an engine computes. The rest is neither computed nor read back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ask {
    /// A flag for each body: whether it hits any other.
    Flags,
    /// Flags and every pair.
    #[default]
    Pairs,
    /// Flags, every pair, and the [`Detail`] of each pair.
    Details,
}

/// The answer of a step: the same on every engine, every machine, every run.
///
/// To make one from pairs that you have read from the GPU or streamed, fill in the fields of `Hits::default()`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Hits {
    /// A bit for each body index, set if the body is in any pair: bit `i % 32` of word `i / 32`; see [`Hits::flag`].
    pub flags: Vec<u32>,
    /// The pairs, ascending, each with the lower index first. Bodies are named by
    /// [`BodyId::index`](crate::BodyId::index); [`World::id`](crate::World::id) returns their handles, until bodies are
    /// added or removed. Empty if only flags were requested.
    pub pairs: Vec<[u32; 2]>,
    /// The details of the pairs, in the same order. Empty if details were not requested.
    pub details: Vec<Detail>,
    /// The bodies that the indices name.
    pub(crate) stamp: Stamp,
}

/// The origin of an answer. Stamps are not part of an answer's value: all compare equal.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stamp {
    /// The additions to a world until an engine ran it: as long as a world has no others, each index names the body
    /// that it named then, or none. `None` for an answer that the caller made.
    pub(crate) past: Option<u64>,
    /// True if the answer was left on the GPU, so that this one is empty.
    pub(crate) resident: bool,
}

impl Stamp {
    /// Makes the stamp of a world with this past.
    pub(crate) fn of(past: u64) -> Self {
        Self { past: Some(past), resident: false }
    }
}

impl PartialEq for Stamp {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Stamp {}

/// The details of a pair: when it hits, and the pixels that it shares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Detail {
    /// The tick of first contact, and the number of ticks in a step, 65,536; `None` if neither body moves.
    pub time: Option<[u32; 2]>,
    /// For a pair with a sprite, the number of pixels painted by both at that tick. Against a convex body, the number
    /// of the sprite's pixels whose interiors it has overlapped by then, since the sprite came to its current offset. 0
    /// if the two only touch.
    pub area: Option<u64>,
    /// The place of those pixels in the world at that tick; `None` if there are none.
    pub overlap: Option<Overlap>,
}

impl Detail {
    /// Returns the digest of the details; an absent part differs from every present one.
    fn digest(&self) -> u64 {
        let pair = |[a, b]: [u32; 2]| u64::from(a) << 32 | u64::from(b);
        let time = self.time.map_or([0, 0], |time| [1, pair(time)]);
        let area = self.area.map_or([0, 0], |area| [1, area]);
        let overlap = self.overlap.map_or([0; 6], |Overlap { bounds: [x, y, w, h], first: [left, top], sums }| {
            let place = [[x, y], [w, h], [left, top]].map(|both| pair(both.map(|v| v as u32)));
            [1, place[0], place[1], place[2], sums[0] as u64, sums[1] as u64]
        });
        digest::of_words([digest::of_words(time), digest::of_words(area), digest::of_words(overlap)])
    }

    /// Returns the tick of first contact, 0 to 65,536; 0 if neither body moves.
    ///
    /// ```
    /// use hitmask::Detail;
    ///
    /// let mut detail = Detail::default();
    /// detail.time = Some([16384, 65536]);
    /// assert_eq!((detail.tick(), Detail::default().tick()), (16384, 0));
    /// ```
    #[must_use]
    pub fn tick(&self) -> u32 {
        self.time.map_or(0, |[tick, _]| tick)
    }

    /// Returns the fraction of the step at which the pair first hits, 0 to 1; 0 if neither body moves.
    ///
    /// ```
    /// use hitmask::Detail;
    ///
    /// let mut detail = Detail::default();
    /// detail.time = Some([16384, 65536]);
    /// assert_eq!(detail.fraction(), 0.25);
    /// ```
    #[must_use]
    pub fn fraction(&self) -> f64 {
        self.time.map_or(0.0, |[tick, ticks]| f64::from(tick) / f64::from(ticks))
    }
}

/// The pixels that two bodies share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Overlap {
    /// The bounding box of the pixels, `[x, y, width, height]`.
    pub bounds: [i32; 4],
    /// The leftmost pixel of the top row.
    pub first: [i32; 2],
    /// The sums of the pixels' x and of their y coordinates.
    pub sums: [i64; 2],
}

impl Hits {
    /// Returns an answer without hits among `bodies` bodies.
    pub(crate) fn none(bodies: usize) -> Self {
        Self { flags: vec![0; bit_set::words(bodies)], ..Self::default() }
    }

    /// Returns an error unless the indices of the answer name bodies of a world with this past.
    pub(crate) fn check_past(&self, past: u64) -> Result<()> {
        if self.stamp.past.is_none_or(|stamp| stamp == past) {
            return Ok(());
        }
        let value = "the answer of another world, or of this one before a body was added";
        Err(Error::value("hits", value, "be that of a step of this world, with no body added since"))
    }

    /// Returns a checksum of flags, pairs and details, the same on every machine.
    ///
    /// ```
    /// use hitmask::{Ask, Body, Engine, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// world.add_all(&[Body::new(ball, [0, 0]), Body::new(ball, [1, 0])])?;
    /// let [here, there] = [Engine::cpu()?, Engine::reference()].map(|mut engine| engine.run(&world, Ask::Details));
    /// assert_eq!(here?.checksum(), there?.checksum());
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn checksum(&self) -> u64 {
        let lists = [self.flags.len(), self.pairs.len(), self.details.len()].map(|len| len as u64);
        let start = digest::of_words(lists);
        let start = digest::of_words([start, digest::of_column(&self.flags), digest::of_column(&self.pairs)]);
        self.details.iter().fold(start, |digest, detail| digest::of_words([digest, detail.digest()]))
    }

    /// Returns an error if pairs evidently were not requested: a body hits, but there is no pair; or if they were left
    /// on the GPU.
    pub(crate) fn has_pairs(&self) -> Result<()> {
        if self.stamp.resident {
            return Err(Error::value("hits", "left on the GPU", "be of a step that is not resident"));
        }
        if self.pairs.is_empty() && self.flags.iter().any(|&word| word != 0) {
            return Err(Error::value("hits", "without pairs", "be of a step that asks for pairs or details"));
        }
        Ok(())
    }

    /// Returns an error if details evidently were not requested.
    pub(crate) fn has_details(&self) -> Result<()> {
        if self.details.len() != self.pairs.len() {
            return Err(Error::value("hits", "without details", "be of a step that asks for details"));
        }
        self.has_pairs()
    }

    /// Returns whether a body is in any pair.
    ///
    /// ```
    /// use hitmask::Hits;
    ///
    /// let mut hits = Hits::default();
    /// (hits.flags, hits.pairs) = (vec![0b101], vec![[0, 2]]);
    /// assert_eq!([0, 1, 2, 99].map(|body| hits.flag(body)), [true, false, true, false]);
    /// ```
    #[must_use]
    pub fn flag(&self, body: usize) -> bool {
        body / 32 < self.flags.len() && bit_set::has(&self.flags, body as u32)
    }

    /// Returns the first rule that this answer breaks, if any: pairs ascend without repetition, flags agree with the
    /// pairs, and there is a detail for each pair if requested.
    ///
    /// ```
    /// use hitmask::{Ask, Hits};
    ///
    /// let mut hits = Hits::default();
    /// (hits.flags, hits.pairs) = (vec![0b101], vec![[2, 0]]);
    /// assert_eq!(hits.broken_rule(Ask::Pairs), Some("a pair has its lower index first"));
    /// ```
    #[cfg(any(test, feature = "internals"))]
    #[doc(hidden)]
    #[must_use]
    pub fn broken_rule(&self, ask: Ask) -> Option<&'static str> {
        let details = if ask == Ask::Details { self.pairs.len() } else { 0 };
        let rules: [(&'static str, bool); 3] = [
            ("a pair has its lower index first", self.pairs.iter().all(|[i, j]| i < j)),
            ("pairs ascend without repetition", self.pairs.windows(2).all(|pair| pair[0] < pair[1])),
            ("there is a detail for each pair, if requested", self.details.len() == details),
        ];
        if let Some((rule, _)) = rules.iter().find(|rule| !rule.1) {
            return Some(rule);
        }
        if ask == Ask::Flags {
            return (!self.pairs.is_empty()).then_some("there are no pairs unless requested");
        }
        if self.pairs.as_flattened().iter().any(|&body| body as usize / 32 >= self.flags.len()) {
            return Some("a pair is of two bodies");
        }
        // One by one, so that this check shares no code with the batched version of the engines.
        let mut flags = vec![0; self.flags.len()];
        self.pairs.as_flattened().iter().for_each(|&body| bit_set::insert(&mut flags, body));
        (flags != self.flags).then_some("flags agree with the pairs")
    }

    /// Asserts that all parts of the answer agree: see [`Hits::broken_rule`].
    ///
    /// # Panics
    ///
    /// Panics if they do not.
    ///
    /// ```
    /// use hitmask::{Ask, Hits};
    ///
    /// let mut hits = Hits::default();
    /// (hits.flags, hits.pairs) = (vec![0b101], vec![[0, 2]]);
    /// hits.validate(Ask::Pairs);
    /// ```
    #[cfg(any(test, feature = "internals"))]
    #[doc(hidden)]
    pub fn validate(&self, ask: Ask) {
        if let Some(rule) = self.broken_rule(ask) {
            panic!("{rule}");
        }
    }
}

/// Sets the flags of both bodies of each pair. Pairs must ascend.
#[inline(always)]
pub(crate) fn raise_flags(flags: &mut [u32], pairs: &[[u32; 2]]) {
    debug_assert!(pairs.is_sorted(), "pairs ascend");
    let (some, rest) = pairs.as_chunks::<16>();
    for pairs in some {
        // The lower indices mostly share one word, which is then written once.
        let word = pairs[0][0] / 32;
        if pairs[15][0] / 32 == word {
            flags[word as usize] |= pairs.iter().fold(0, |bits, [i, _]| bits | 1 << (i % 32));
        } else {
            for &[i, _] in pairs {
                bit_set::insert(flags, i);
            }
        }
        for &[_, j] in pairs {
            bit_set::insert(flags, j);
        }
    }
    rest.iter().flatten().for_each(|&body| bit_set::insert(flags, body));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "pairs ascend")]
    fn unordered_pairs_are_found() {
        Hits { flags: vec![7], pairs: vec![[0, 2], [0, 1]], ..Hits::default() }.validate(Ask::Pairs);
    }
}
