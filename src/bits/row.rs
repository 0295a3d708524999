//! One row of bits. The lowest bit of the first word is leftmost.

use std::ops::Range;

/// Sets the bits of some columns, all of them within the row.
#[inline(always)]
pub(crate) fn set(row: &mut [u64], columns: Range<u32>) {
    if columns.is_empty() {
        return;
    }
    let ([first, last], [head, tail]) = ends(&columns);
    if first == last {
        row[first] |= head & tail;
    } else {
        row[first] |= head;
        row[first + 1..last].fill(u64::MAX);
        row[last] |= tail;
    }
}

/// Returns whether any bit of some columns, all within the row, is set.
pub(crate) fn any(row: &[u64], columns: Range<u32>) -> bool {
    if columns.is_empty() {
        return false;
    }
    let ([first, last], [head, tail]) = ends(&columns);
    if first == last {
        return row[first] & head & tail != 0;
    }
    row[first] & head != 0 || row[first + 1..last].iter().any(|&word| word != 0) || row[last] & tail != 0
}

/// Returns the first and the last word of some columns, and the columns' bits in these two.
#[inline(always)]
fn ends(columns: &Range<u32>) -> ([usize; 2], [u64; 2]) {
    let last = columns.end - 1;
    ([columns.start, last].map(|x| (x / 64) as usize), [u64::MAX << (columns.start % 64), u64::MAX >> (63 - last % 64)])
}

/// Returns the words that hold some columns.
#[inline(always)]
pub(crate) fn words(columns: &Range<u32>) -> Range<usize> {
    columns.start as usize / 64..columns.end.div_ceil(64) as usize
}

/// Returns the range from the first set bit to the last; `None` if no bit is set.
pub(crate) fn extent(row: &[u64]) -> Option<Range<u32>> {
    let first = row.iter().position(|&word| word != 0)?;
    let last = row.iter().rposition(|&word| word != 0)?;
    let left = first as u32 * 64 + row[first].trailing_zeros();
    let right = last as u32 * 64 + 63 - row[last].leading_zeros();
    Some(left..right + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_set_and_found() {
        let columns = [0, 1, 62, 63, 64, 65, 127, 128, 191, 192];
        for start in columns {
            for end in columns.into_iter().filter(|&end| end >= start) {
                let mut row = [0; 3];
                set(&mut row, start..end);
                let is_set = |x: u32| row[x as usize / 64] >> (x % 64) & 1 == 1;
                assert!((0..192).all(|x| is_set(x) == (start..end).contains(&x)), "{start}..{end}");
                assert_eq!(extent(&row), (start < end).then_some(start..end));
                for x in 0..192 {
                    let mut row = [0; 3];
                    set(&mut row, x..x + 1);
                    assert_eq!(any(&row, start..end), (start..end).contains(&x), "{x} in {start}..{end}");
                }
                let outside = |(i, word): (usize, &u64)| words(&(start..end)).contains(&i) || *word == 0;
                assert!(row.iter().enumerate().all(outside), "{start}..{end}");
            }
        }
    }
}
