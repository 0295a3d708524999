//! Marks: the texels of a frame that are solid or empty whatever their alpha is.

use hitmask::Mask;

use crate::error::{Result, malformed, quoted};

/// Texels of a frame that are solid or empty, whatever their alpha is. The others follow the threshold.
///
/// ```
/// use hitmask::Mask;
/// use hitmask_files::{Mark, Marks};
///
/// let mut marks = Marks::new([3, 1])?;
/// let brush = Mask::from_rows(&["#"])?;
/// marks.set(&brush, [0, 0], Mark::Solid);
/// marks.set(&brush, [2, 0], Mark::Empty);
/// let mut mask = Mask::from_rows(&[".##"])?;
/// marks.apply(&mut mask);
/// assert_eq!((mask.to_rows(), marks.to_rows()), (vec!["##.".to_owned()], vec!["#~.".to_owned()]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marks {
    /// Masks of one size that share no texel.
    solid: Mask,
    empty: Mask,
}

/// The state of a texel in [`Marks`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mark {
    /// It is solid.
    Solid,
    /// It is empty.
    Empty,
    /// It follows the threshold.
    Alpha,
}

impl Mark {
    const ALL: [Self; 3] = [Self::Solid, Self::Empty, Self::Alpha];

    fn letter(self) -> char {
        match self {
            Self::Solid => '#',
            Self::Empty => '.',
            Self::Alpha => '~',
        }
    }
}

impl Marks {
    /// Makes marks for a frame of a size, in which all texels follow the threshold. Returns an error for a size that a
    /// mask cannot have.
    pub fn new([width, height]: [u32; 2]) -> Result<Self> {
        let empty = Mask::new(width, height)?;
        Ok(Self { solid: empty.clone(), empty })
    }

    /// Returns the size of the frame.
    #[must_use]
    pub fn size(&self) -> [u32; 2] {
        self.solid.size()
    }

    /// Returns the mark of a texel; [`Mark::Alpha`] outside the frame.
    #[must_use]
    pub fn get(&self, [x, y]: [u32; 2]) -> Mark {
        match (self.solid.get(x, y), self.empty.get(x, y)) {
            (true, _) => Mark::Solid,
            (_, true) => Mark::Empty,
            _ => Mark::Alpha,
        }
    }

    /// Sets the mark of all texels that `stamp` covers if its top-left corner lies at `offset`.
    ///
    /// Returns the bounding box `[x, y, width, height]` of the texels that changed; `None` if none did. The time grows
    /// with the size of the stamp, not with that of the frame.
    pub fn set(&mut self, stamp: &Mask, offset: [i32; 2], mark: Mark) -> Option<[u32; 4]> {
        let changed = [(&mut self.solid, Mark::Solid), (&mut self.empty, Mark::Empty)]
            .map(|(mask, own)| if mark == own { mask.draw(stamp, offset) } else { mask.erase(stamp, offset) });
        changed.into_iter().flatten().reduce(around)
    }

    /// Returns the marks of a rectangle, `[x, y, width, height]`. Outside the frame all texels follow the threshold.
    /// Returns an error for a size that a mask cannot have.
    ///
    /// ```
    /// use hitmask_files::Marks;
    ///
    /// let marks = Marks::from_rows(&["#..", "~#~"])?;
    /// assert_eq!(marks.cropped([1, 0, 3, 2])?.to_rows(), ["..~", "#~~"]);
    /// # Ok::<(), hitmask_files::Error>(())
    /// ```
    pub fn cropped(&self, rectangle: [i32; 4]) -> Result<Self> {
        Ok(Self { solid: self.solid.cropped(rectangle)?, empty: self.empty.cropped(rectangle)? })
    }

    /// Replaces the marks of a rectangle by others, whose top-left corner lies at `offset`. The part outside the frame
    /// is ignored.
    ///
    /// ```
    /// use hitmask_files::Marks;
    ///
    /// let mut marks = Marks::from_rows(&["###", "###"])?;
    /// marks.paste(&Marks::from_rows(&[".~"])?, [1, 1]);
    /// assert_eq!(marks.to_rows(), ["###", "#.~"]);
    /// # Ok::<(), hitmask_files::Error>(())
    /// ```
    pub fn paste(&mut self, other: &Self, offset: [i32; 2]) {
        let ([x, y], [width, height]) = (offset, other.size().map(u32::cast_signed));
        for (mask, theirs) in [(&mut self.solid, &other.solid), (&mut self.empty, &other.empty)] {
            mask.erase_rect([x, y, width, height]);
            mask.draw(theirs, offset);
        }
    }

    /// Changes a mask of the frame to what the marks say.
    pub fn apply(&self, mask: &mut Mask) {
        mask.draw(&self.solid, [0; 2]);
        mask.erase(&self.empty, [0; 2]);
    }

    /// Returns whether all texels follow the threshold.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        [&self.solid, &self.empty].iter().all(|mask| mask.words().iter().all(|&word| word == 0))
    }

    /// Returns the rows as in a file: `#` for solid, `.` for empty, `~` for a texel that follows the threshold.
    #[must_use]
    pub fn to_rows(&self) -> Vec<String> {
        let [width, height] = self.size();
        (0..height).map(|y| (0..width).map(|x| self.get([x, y]).letter()).collect()).collect()
    }

    /// Reads rows as [`Marks::to_rows`] returns them. Returns an error for rows that differ in length, and for any
    /// other character.
    pub fn from_rows<S: AsRef<str>>(rows: &[S]) -> Result<Self> {
        let width = rows.first().map_or(0, |row| row.as_ref().chars().count());
        let mut marks = Self::new([width, rows.len()].map(|side| u32::try_from(side).unwrap_or(u32::MAX)))?;
        for (y, row) in rows.iter().enumerate() {
            let place = |problem: String| malformed(problem).at(format!("row {y}"));
            let row = row.as_ref();
            let count = row.chars().count();
            if count != width {
                return Err(place(format!("{count} characters; the first row has {width}")));
            }
            for (x, letter) in row.chars().enumerate() {
                let Some(mark) = Mark::ALL.into_iter().find(|mark| mark.letter() == letter) else {
                    let letter = quoted(letter.encode_utf8(&mut [0; 4]));
                    return Err(place(format!("the character {letter} in column {x}; it may be `#`, `.` or `~`")));
                };
                match mark {
                    Mark::Solid => marks.solid.set(x as u32, y as u32, true)?,
                    Mark::Empty => marks.empty.set(x as u32, y as u32, true)?,
                    Mark::Alpha => {}
                }
            }
        }
        Ok(marks)
    }
}

/// Returns the bounding box of two.
fn around(a: [u32; 4], b: [u32; 4]) -> [u32; 4] {
    let [from, to] = [
        [0, 1].map(|axis| a[axis].min(b[axis])),
        [0, 1].map(|axis| (a[axis] + a[axis + 2]).max(b[axis] + b[axis + 2])),
    ];
    [from[0], from[1], to[0] - from[0], to[1] - from[1]]
}
