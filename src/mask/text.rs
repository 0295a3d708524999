//! Masks as rows of text, `#` and `.`.

use std::fmt;

use super::Mask;
use crate::ground::error::{Error, Result};

impl Mask {
    /// Makes a mask from rows of text, top row first: `#` is solid, `.` is empty.
    ///
    /// Returns [`Error::Mask`] for any other character, for rows of different lengths, and for a size that a mask
    /// cannot have (no rows, for example). It names the row, and the column if there is one, both counted from 0.
    ///
    /// ```
    /// use hitmask::Mask;
    ///
    /// let arrow = Mask::from_rows(&["..#", "###"])?;
    /// assert_eq!((arrow.width(), arrow.height(), arrow.count()), (3, 2, 4));
    /// let message = Mask::from_rows(&["..#", "##x"]).unwrap_err().to_string();
    /// assert_eq!(message, "row 1, column 2 is 'x'; it must be '#' or '.'");
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn from_rows<S: AsRef<str>>(rows: &[S]) -> Result<Self> {
        let length = |row: &S| row.as_ref().chars().count();
        let width = rows.first().map_or(0, length);
        let mut mask = Self::sized(width as i64, rows.len() as i64)?;
        let stride = mask.stride as usize;
        for (y, (row, words)) in rows.iter().zip(mask.words.chunks_exact_mut(stride)).enumerate() {
            if length(row) != width {
                let own = length(row);
                let problem = format!(
                    "the length of row {y} is {own}, but that of row 0 is {width}; all rows must be equally long"
                );
                return Err(Error::Mask { problem });
            }
            for (x, texel) in row.as_ref().chars().enumerate() {
                match texel {
                    '#' => words[x / 64] |= 1 << (x % 64),
                    '.' => {}
                    _ => {
                        let problem = format!("row {y}, column {x} is {texel:?}; it must be '#' or '.'");
                        return Err(Error::Mask { problem });
                    }
                }
            }
        }
        Ok(mask.blocked())
    }

    /// Returns rows of text as [`Mask::from_rows`] reads them.
    ///
    /// ```
    /// let mut mask = hitmask::Mask::new(3, 2)?;
    /// mask.set(2, 0, true)?;
    /// assert_eq!(mask.to_rows(), ["..#", "..."]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn to_rows(&self) -> Vec<String> {
        let text = |row: &[u64]| {
            let texel = |x: usize| if row[x / 64] >> (x % 64) & 1 == 1 { '#' } else { '.' };
            (0..self.width as usize).map(texel).collect()
        };
        self.rows().map(text).collect()
    }
}

impl fmt::Display for Mask {
    /// Writes the rows of [`Mask::to_rows`], one per line, without a newline at the end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_rows().join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::WIDTHS;
    use super::*;

    fn problem(rows: &[&str]) -> String {
        Mask::from_rows(rows).unwrap_err().to_string()
    }

    #[test]
    fn bad_rows_are_named() {
        assert!(problem(&[]).starts_with("a mask cannot have 0 x 0 texels"));
        assert!(problem(&["", ""]).starts_with("a mask cannot have 0 x 2 texels"));
        assert!(problem(&vec!["."; 8193]).starts_with("a mask cannot have 1 x 8193 texels"));
        assert_eq!(
            problem(&["..", "..", "."]),
            "the length of row 2 is 1, but that of row 0 is 2; all rows must be equally long"
        );
        assert_eq!(
            problem(&["..", "...", "."]),
            "the length of row 1 is 3, but that of row 0 is 2; all rows must be equally long"
        );
        assert_eq!(problem(&["..", ".ä"]), "row 1, column 1 is 'ä'; it must be '#' or '.'");
        assert_eq!(problem(&["ä\n", ".."]), "row 0, column 0 is 'ä'; it must be '#' or '.'");
        assert_eq!(problem(&[".\n", ".."]), "row 0, column 1 is '\\n'; it must be '#' or '.'");
    }

    #[test]
    fn text_goes_in_and_comes_out() {
        for width in WIDTHS {
            let row =
                |y: u32| (0..width).map(|x| if (x + y).is_multiple_of(3) { '#' } else { '.' }).collect::<String>();
            let rows: Vec<String> = (0..4).map(row).collect();
            let mask = Mask::from_rows(&rows).unwrap();
            mask.validate();
            assert_eq!(mask.to_rows(), rows);
            assert_eq!(mask.to_string(), rows.join("\n"));
        }
    }
}
