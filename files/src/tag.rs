//! Tags: named ranges of frames, and how they are played.

use std::num::NonZeroU32;
use std::ops::Range;

use crate::error::{Result, malformed, quoted};
use crate::sheet::Sheet;

/// A named range of frames, and how it is played: see [`Sheet::frame_at`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tag {
    /// The name.
    pub name: String,
    /// The indices of its frames in [`Sheet::frames`].
    pub frames: Range<usize>,
    /// The order in which the frames are played.
    pub direction: Direction,
    /// The number of passes; `None` to play forever. A ping-pong that goes and comes back has 2.
    pub repeat: Option<NonZeroU32>,
    /// The text of the user data; empty if there is none.
    pub data: String,
}

/// The order in which the frames of a [`Tag`] are played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From the first frame to the last.
    #[default]
    Forward,
    /// From the last frame to the first.
    Reverse,
    /// Forward, then in reverse, and so on.
    PingPong,
    /// In reverse, then forward, and so on.
    PingPongReverse,
}

impl Sheet {
    /// Returns a tag without a name that plays all frames forward, forever.
    #[must_use]
    pub fn whole(&self) -> Tag {
        let frames = 0..self.frames.len();
        Tag { name: String::new(), frames, direction: Direction::Forward, repeat: None, data: String::new() }
    }
}

impl Tag {
    /// Makes a tag of the frames `from` to `to`, inclusive, of a file with `count` frames.
    pub(crate) fn new(name: String, [from, to]: [u32; 2], count: usize) -> Result<Self> {
        if from > to || to as usize >= count {
            let problem = format!("frames {from} to {to}; the file has the frames 0 to {}", count.saturating_sub(1));
            return Err(malformed(problem).at(place(&name)));
        }
        let frames = from as usize..to as usize + 1;
        Ok(Self { name, frames, direction: Direction::default(), repeat: None, data: String::new() })
    }
}

/// Returns the place in an error: `tag "walk"`.
pub(crate) fn place(name: &str) -> String {
    format!("tag {}", quoted(name))
}
