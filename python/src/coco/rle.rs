//! COCO's run-length encodings: counts of empty and solid pixels in turn, as numbers or as text.
//!
//! The text (`pycocotools`, `maskApi.c`) has each count as a difference from the count before the last, from the fourth
//! on, in digits of five bits, lowest first, each added to `0`; the bit for 32 says that more digits follow, and the
//! highest bit of the last digit is the sign.

use super::masks::Masks;

/// The most digits of a count: a difference of two counts has 33 bits.
const MOST_DIGITS: u32 = 7;

/// Adds a mask of counts. Returns what is wrong with them, if something is, and adds none then.
pub(crate) fn put_counts(masks: &mut Masks, counts: impl Iterator<Item = Result<i64, String>>) -> Result<(), String> {
    let all = i64::from(masks.pixels());
    let (mut at, mut solid) = (0, false);
    for (index, count) in counts.enumerate() {
        let next = count.and_then(|count| match at + count {
            _ if count < 0 => Err(format!("count {index} is {count}; it must not be negative")),
            next if next > all => {
                Err(format!("the first {} counts add up to {next}; the mask has {all} pixels", index + 1))
            }
            next => Ok(next),
        });
        let next = next.inspect_err(|_| masks.undo())?;
        if solid {
            masks.put(at as u32..next as u32);
        }
        (at, solid) = (next, !solid);
    }
    if at != all {
        masks.undo();
        return Err(format!("the counts add up to {at}; the mask has {all} pixels"));
    }
    masks.finish();
    Ok(())
}

/// Returns the counts of a text.
pub(crate) fn counts(text: &[u8]) -> impl Iterator<Item = Result<i64, String>> {
    let (mut at, mut last, mut index) = (0, [0_i64; 2], 0_u32);
    std::iter::from_fn(move || {
        if at >= text.len() {
            return None;
        }
        let mut count = 0_i64;
        for digit in 0..=MOST_DIGITS {
            let Some(&byte) = text.get(at) else {
                return Some(Err("the text ends within a count".into()));
            };
            let bits = byte.wrapping_sub(b'0');
            if bits > 63 || digit == MOST_DIGITS {
                at = text.len();
                return Some(Err(if bits > 63 {
                    format!("byte {byte} is no digit; digits are 48 to 111")
                } else {
                    format!("a count has more than {MOST_DIGITS} digits")
                }));
            }
            at += 1;
            count |= i64::from(bits & 31) << (5 * digit);
            if bits & 32 == 0 {
                if bits & 16 != 0 {
                    count |= -1 << (5 * digit + 5);
                }
                break;
            }
        }
        if index > 2 {
            count += last[0];
        }
        last = [last[1], count];
        index += 1;
        Some(Ok(count))
    })
}

/// Returns the counts of a mask. The last is above 0, but for a mask without pixels.
pub(crate) fn counts_of(masks: &Masks, mask: usize) -> Vec<u32> {
    let (mut counts, mut at) = (Vec::new(), 0);
    for &[start, end] in masks.runs(mask) {
        counts.extend([start - at, end - start]);
        at = end;
    }
    if at < masks.pixels() || counts.is_empty() {
        counts.push(masks.pixels() - at);
    }
    counts
}

/// Returns the text of counts.
pub(crate) fn text(counts: &[u32]) -> String {
    let mut text = String::with_capacity(2 * counts.len());
    for (index, &count) in counts.iter().enumerate() {
        let mut rest = i64::from(count) - if index > 2 { i64::from(counts[index - 2]) } else { 0 };
        loop {
            let bits = rest & 31;
            rest >>= 5;
            let more = rest != if bits & 16 != 0 { -1 } else { 0 };
            text.push(char::from(b'0' + bits as u8 + if more { 32 } else { 0 }));
            if !more {
                break;
            }
        }
    }
    text
}
