//! Quantities for people: three digits and a unit.

/// Formats a time in nanoseconds: "12.3 µs".
pub(super) fn time(ns: u64) -> String {
    scaled(ns as f64, &[(1.0, " ns"), (1e3, " µs"), (1e6, " ms"), (1e9, " s")])
}

/// Formats a number or a rate: "1.23 M".
pub(super) fn number(value: f64) -> String {
    scaled(value, &[(1.0, ""), (1e3, " k"), (1e6, " M"), (1e9, " G"), (1e12, " T"), (1e15, " P")])
}

/// Formats a value in the first unit in which it has at most three digits, else in the last.
fn scaled(value: f64, units: &[(f64, &str)]) -> String {
    let fits = |&&(unit, _): &&(f64, &str)| value < 999.5 * unit;
    let (unit, name) = units.iter().find(fits).or(units.last()).copied().unwrap_or((1.0, ""));
    let value = value / unit;
    // A whole number below 1000 has no decimals.
    let decimals = match value {
        v if v >= 99.95 || (unit == 1.0 && v.fract() == 0.0) => 0,
        v if v >= 9.995 => 1,
        _ => 2,
    };
    format!("{value:.decimals$}{name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_and_a_unit() {
        let times = [0, 7, 999, 1000, 12_345, 999_499, 999_600, 103_000_000, 2_345_000_000, 123_000_000_000_000];
        let expected =
            ["0 ns", "7 ns", "999 ns", "1.00 µs", "12.3 µs", "999 µs", "1.00 ms", "103 ms", "2.35 s", "123000 s"];
        assert_eq!(times.map(time), expected);
        assert_eq!([0.0, 42.0, 55.57, 1234.0, 9.996e9].map(number), ["0", "42", "55.6", "1.23 k", "10.0 G"]);
    }
}
