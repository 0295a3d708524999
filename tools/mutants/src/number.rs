//! Numbers as they stand in a text.

/// Returns the next integer, or the one before the greatest of a common width; `None` if the text is no integer.
pub(crate) fn next(text: &str) -> Option<String> {
    let (radix, digits) = match text.get(..2) {
        Some("0x") => (16, &text[2..]),
        Some("0b") => (2, &text[2..]),
        _ => (10, text),
    };
    let end = digits.find(|c: char| c != '_' && !c.is_digit(radix)).unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(end);
    let value = u128::from_str_radix(&digits.replace('_', ""), radix).ok()?;
    let is_greatest = GREATEST.contains(&value);
    let value = if is_greatest { value - 1 } else { value.checked_add(1)? };
    Some(match radix {
        16 => format!("0x{value:X}{suffix}"),
        2 => format!("0b{value:b}{suffix}"),
        _ => format!("{value}{suffix}"),
    })
}

const GREATEST: [u128; 4] = [i32::MAX as u128, u32::MAX as u128, i64::MAX as u128, u64::MAX as u128];

#[cfg(test)]
mod tests {
    use super::next;

    #[test]
    fn the_next_is_of_the_same_kind() {
        let cases = [
            ("1", "2"),
            ("7u", "8u"),
            ("0xFF", "0x100"),
            ("0x7FFFFFFF", "0x7FFFFFFE"),
            ("1_000_i64", "1001i64"),
            ("0b11", "0b100"),
        ];
        for (from, to) in cases {
            assert_eq!(next(from).as_deref(), Some(to));
        }
        assert_eq!(next("0x"), None);
    }
}
