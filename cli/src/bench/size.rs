//! Numbers of bodies as people write them: `1k`, `2.5k`, `1M`.

use std::str::FromStr;

/// A number of bodies, at least 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size(pub(super) u32);

/// The maximum number of bodies: a world keeps one index free.
const MOST: u128 = u32::MAX as u128 - 1;

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let usage = || "a size is a number such as 1000, 1k, 2.5k or 1M".to_owned();
        let (number, unit) = match text.strip_suffix(['k', 'K']) {
            Some(number) => (number, 1000),
            None => text.strip_suffix('M').map_or((text, 1), |number| (number, 1_000_000)),
        };
        let (whole, decimals) = number.split_once('.').unwrap_or((number, "0"));
        let digits = |part: &str| (1..=20).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
        if !digits(whole) || !digits(decimals) {
            return Err(usage());
        }
        // In units of the last decimal, so that nothing is rounded: at most 40 digits, plus those of a unit.
        let scale = 10_u128.pow(decimals.len() as u32);
        let parse = |part: &str| part.parse::<u128>().map_err(|_| usage());
        let scaled = parse(whole)?.checked_mul(scale).ok_or_else(usage)? + parse(decimals)?;
        let scaled = scaled.checked_mul(unit).ok_or_else(usage)?;
        if !scaled.is_multiple_of(scale) {
            return Err(format!("{text} is not a whole number of bodies"));
        }
        let bodies = scaled / scale;
        if !(1..=MOST).contains(&bodies) {
            return Err(format!("a world has from 1 to {MOST} bodies"));
        }
        Ok(Self(bodies as u32))
    }
}

/// Formats a number of bodies as [`Size`] parses it, shortened if that loses nothing.
pub(super) fn short(bodies: u64) -> String {
    let tenths = |unit: u64, name: char| match (bodies / unit, bodies % unit * 10 / unit) {
        (whole, 0) => format!("{whole}{name}"),
        (whole, tenth) => format!("{whole}.{tenth}{name}"),
    };
    if bodies >= 1_000_000 && bodies.is_multiple_of(100_000) {
        tenths(1_000_000, 'M')
    } else if bodies >= 1000 && bodies.is_multiple_of(100) {
        tenths(1000, 'k')
    } else {
        bodies.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_they_are_written() {
        for (text, bodies) in [
            ("1", 1),
            ("1000", 1000),
            ("1k", 1000),
            ("2.5k", 2500),
            ("0.1K", 100),
            ("1M", 1_000_000),
            ("1.5M", 1_500_000),
        ] {
            assert_eq!(text.parse(), Ok(Size(bodies)), "{text}");
        }
        for bodies in [1, 999, 1000, 1234, 2500, 100_000, 1_000_000, 1_234_567, 2_300_000] {
            assert_eq!(short(bodies).parse(), Ok(Size(bodies as u32)), "{}", short(bodies));
        }
        assert_eq!([short(2500), short(1_000_000), short(1234)], ["2.5k", "1M", "1234"]);
    }

    #[test]
    fn what_is_no_size_is_refused() {
        for text in [
            "",
            "k",
            ".5k",
            "1.k",
            "1e3",
            "-1",
            "1m",
            "ten",
            "1 k",
            "1.2.3",
            "99999999999999999999.99999999999999999999M",
        ] {
            assert!(text.parse::<Size>().is_err(), "{text}");
        }
        for text in ["0", "0.0005k", "0k", "5000M", "4294967295"] {
            assert!(text.parse::<Size>().is_err(), "{text}");
        }
        assert!("4294967294".parse::<Size>().is_ok());
    }
}
