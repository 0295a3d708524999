//! Playback: the frame of a tag that shows after a time, as Aseprite plays it.
//!
//! A tag is played in passes. A ping-pong turns at its ends, and does not show the frame at which it turns twice:
//!
//! ```text
//!             passes:     1           2        3
//! forward          0  1  2  3  0  1  2  3  0  1  2  3
//! reverse          3  2  1  0  3  2  1  0  3  2  1  0
//! ping-pong        0  1  2  3  2  1  0  1  2  3
//! ... reverse      3  2  1  0  1  2  3  2  1  0
//! ```

use std::time::Duration;

use crate::sheet::Sheet;
use crate::tag::{Direction, Tag};

impl Sheet {
    /// Returns the index of the frame that shows when a tag has been played for a time. `None` if the tag has no
    /// frames, or not all of them are in this sheet.
    ///
    /// Each frame shows for its duration. A ping-pong does not show the frames at its ends twice when it turns. A tag
    /// without [`Tag::repeat`] plays forever; any other shows its last frame when it has ended.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use hitmask_files::{Direction, Sheet};
    ///
    /// let hero = Sheet::open("assets/hero.aseprite")?; // 100 ms a frame
    /// let walk = hero.tag("walk").expect("the artist has drawn one");
    /// assert_eq!((walk.frames.clone(), walk.direction), (1..5, Direction::PingPong));
    /// let shown: Vec<_> = (0..8).map(|k| hero.frame_at(walk, k * Duration::from_millis(100)).unwrap()).collect();
    /// assert_eq!(shown, [1, 2, 3, 4, 3, 2, 1, 2]);
    /// # Ok::<(), hitmask_files::Error>(())
    /// ```
    #[must_use]
    pub fn frame_at(&self, tag: &Tag, elapsed: Duration) -> Option<usize> {
        let cycle = Cycle::new(self, tag)?;
        let mut left = elapsed.as_nanos();
        if let Some((_, last)) = cycle.end(tag).filter(|&(end, _)| left >= end) {
            return Some(tag.frames.start + last);
        }
        left = left.checked_rem(cycle.nanos).unwrap_or_default();
        let shown = cycle.places().find(|&place| {
            let is_shown = left < cycle.of(place);
            left = left.saturating_sub(cycle.of(place));
            is_shown
        });
        Some(tag.frames.start + shown.unwrap_or_else(|| cycle.first()))
    }

    /// Returns the time that a tag takes to play; `None` if it plays forever, or if [`Sheet::frame_at`] has no frame of
    /// it.
    #[must_use]
    pub fn duration(&self, tag: &Tag) -> Option<Duration> {
        let (end, _) = Cycle::new(self, tag)?.end(tag)?;
        let [seconds, nanos] = [end / 1_000_000_000, end % 1_000_000_000];
        Some(Duration::new(seconds.try_into().unwrap_or(u64::MAX), nanos as u32))
    }
}

/// The order of a tag's frames until it begins anew.
struct Cycle {
    /// The duration of each frame of the tag in nanoseconds.
    durations: Vec<u128>,
    /// True if the tag begins at its last frame.
    is_reverse: bool,
    /// True if the tag turns at its ends.
    turns: bool,
    /// The duration of one pass.
    pass: u128,
    /// The duration of the cycle: a pass, or two that do not show the frames at the ends twice.
    nanos: u128,
}

impl Cycle {
    fn new(sheet: &Sheet, tag: &Tag) -> Option<Self> {
        let frames = sheet.frames.get(tag.frames.clone())?;
        let durations: Vec<u128> = frames.iter().map(|frame| frame.duration.as_nanos()).collect();
        let ends = durations.first()? + durations.last()?;
        let pass = durations.iter().sum();
        let is_reverse = matches!(tag.direction, Direction::Reverse | Direction::PingPongReverse);
        // A single frame cannot turn: Aseprite shows it once a pass.
        let turns = matches!(tag.direction, Direction::PingPong | Direction::PingPongReverse) && durations.len() > 1;
        let nanos = if turns { 2 * pass - ends } else { pass };
        Some(Self { durations, is_reverse, turns, pass, nanos })
    }

    /// Returns the places in the tag, in the order in which they show.
    fn places(&self) -> impl Iterator<Item = usize> {
        let count = self.durations.len();
        let back = if self.turns { 1..count - 1 } else { 0..0 };
        (0..count).chain(back.rev()).map(move |place| if self.is_reverse { count - 1 - place } else { place })
    }

    fn of(&self, place: usize) -> u128 {
        self.durations[place]
    }

    fn first(&self) -> usize {
        if self.is_reverse { self.durations.len() - 1 } else { 0 }
    }

    /// Returns when a tag has ended, and the place that then shows; `None` if it plays forever.
    fn end(&self, tag: &Tag) -> Option<(u128, usize)> {
        let passes = u128::from(tag.repeat?.get());
        let [first, last] = [self.first(), self.durations.len() - 1 - self.first()];
        let (cycles, (rest, place)) = match (self.turns, passes % 2) {
            (false, _) => (passes, (0, last)),
            (true, 0) => (passes / 2, (self.of(first), first)),
            (true, _) => (passes / 2, (self.pass, last)),
        };
        Some((cycles.saturating_mul(self.nanos).saturating_add(rest), place))
    }
}
