//! The frame that shows: played by a tag, or chosen by hand.

use std::time::Duration;

use hitmask_files::{Sheet, Tag};

/// The frame that shows, and how it is played.
pub(crate) struct Player {
    frame: usize,
    /// The index of the tag that is played; `None` for all frames.
    tag: Option<usize>,
    pub(crate) playing: bool,
    elapsed: Duration,
    /// The time of the last update, in seconds.
    last: Option<f64>,
}

impl Player {
    pub(crate) fn new() -> Self {
        Self { frame: 0, tag: None, playing: false, elapsed: Duration::ZERO, last: None }
    }

    pub(crate) fn frame(&self) -> usize {
        self.frame
    }

    pub(crate) fn tag(&self) -> Option<usize> {
        self.tag
    }

    /// Starts or stops. It starts at the frame that shows, or at the tag's first if it is elsewhere.
    pub(crate) fn play(&mut self, sheet: &Sheet, playing: bool) {
        self.playing = playing;
        self.last = None;
        self.elapsed = self.time_of(sheet).unwrap_or_default();
    }

    /// Chooses a tag, and shows its first frame.
    pub(crate) fn choose(&mut self, sheet: &Sheet, tag: Option<usize>) {
        self.tag = tag;
        self.elapsed = Duration::ZERO;
        self.frame = sheet.frame_at(&self.played(sheet), Duration::ZERO).unwrap_or(0);
    }

    /// Shows a frame, and stops.
    pub(crate) fn show(&mut self, sheet: &Sheet, frame: usize) {
        self.playing = false;
        self.frame = frame.min(sheet.frames.len().saturating_sub(1));
    }

    /// Shows the frame that is `by` further in the tag, or in the sheet if the tag does not have the one that shows.
    pub(crate) fn step(&mut self, sheet: &Sheet, by: isize) {
        let tag = self.played(sheet).frames;
        let range = if tag.contains(&self.frame) { tag } else { 0..sheet.frames.len() };
        let place = (self.frame - range.start) as isize + by;
        self.show(sheet, range.start + place.rem_euclid(range.len().max(1) as isize) as usize);
    }

    /// Plays on to a time in seconds. Returns how long the frame shows from then on, if it plays.
    pub(crate) fn update(&mut self, sheet: &Sheet, now: f64) -> Option<Duration> {
        if !self.playing {
            self.last = None;
            return None;
        }
        let passed = self.last.replace(now).map_or(0.0, |last| (now - last).max(0.0));
        self.elapsed += Duration::from_secs_f64(passed);
        let tag = self.played(sheet);
        self.frame = sheet.frame_at(&tag, self.elapsed)?;
        if sheet.duration(&tag).is_some_and(|end| self.elapsed >= end) {
            self.playing = false;
            return None;
        }
        // A frame shows for 1 ms at least.
        Some(sheet.frames[self.frame].duration.min(Duration::from_millis(16)))
    }

    fn played(&self, sheet: &Sheet) -> Tag {
        self.tag.and_then(|tag| sheet.tags.get(tag).cloned()).unwrap_or_else(|| sheet.whole())
    }

    /// Returns a time at which the tag shows the frame; `None` if it never does.
    fn time_of(&self, sheet: &Sheet) -> Option<Duration> {
        let tag = self.played(sheet);
        let place = tag.frames.contains(&self.frame).then_some(self.frame)?;
        let mut time = Duration::ZERO;
        // A pass shows each frame of the tag.
        for _ in tag.frames.clone() {
            let shown = sheet.frame_at(&tag, time)?;
            if shown == place {
                return Some(time);
            }
            time += sheet.frames[shown].duration;
        }
        None
    }
}
