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
    pub fn set(&mut self, stamp: &Mask, offset: [i32; 2], mark: Mark) {
        for (mask, own) in [(&mut self.solid, Mark::Solid), (&mut self.empty, Mark::Empty)] {
            if mark == own {
                mask.draw(stamp, offset);
            } else {
                mask.erase(stamp, offset);
            }
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
        self.solid.count() + self.empty.count() == 0
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
