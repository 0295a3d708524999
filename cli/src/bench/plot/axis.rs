//! A logarithmic axis of whole decades.

/// The length of the axis beyond its first and last decade, in decades, so that no mark lies on the frame.
const BEYOND: f64 = 0.12;

/// An axis from one power of ten to another, with its length in pixels.
pub(super) struct Axis {
    first: i32,
    last: i32,
    length: f64,
}

impl Axis {
    /// Creates an axis of whole decades over all these values: at least one decade, and two around a single power of
    /// ten. Values below 1 count as 1.
    pub(super) fn over(values: impl Iterator<Item = f64>, length: f64) -> Self {
        let (least, most) = values
            .map(|value| value.max(1.0))
            .fold((f64::INFINITY, 0.0_f64), |(least, most), v| (least.min(v), most.max(v)));
        if least > most {
            return Self { first: 0, last: 1, length };
        }
        let [mut first, mut last] = [least.log10().floor() as i32, most.log10().ceil() as i32];
        if first == last {
            (first, last) = (first - 1, last + 1);
        }
        Self { first, last, length }
    }

    /// Returns the distance from the start of the axis to a value, in pixels.
    pub(super) fn at(&self, value: f64) -> f64 {
        let decades = f64::from(self.last - self.first) + 2.0 * BEYOND;
        (value.max(1.0).log10() - f64::from(self.first) + BEYOND) / decades * self.length
    }

    /// Returns whether a value lies between the first and the last power of ten.
    pub(super) fn holds(&self, value: f64) -> bool {
        self.decades().next().is_some_and(|first| first <= value)
            && self.decades().last().is_some_and(|last| value <= last)
    }

    /// Returns the powers of ten.
    pub(super) fn decades(&self) -> impl Iterator<Item = f64> {
        (self.first..=self.last).map(|power| 10_f64.powi(power))
    }

    /// Returns 2 to 9 times each power of ten but the last.
    pub(super) fn between(&self) -> impl Iterator<Item = f64> {
        (self.first..self.last).flat_map(|power| (2..10).map(move |digit| f64::from(digit) * 10_f64.powi(power)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decades(values: &[f64]) -> Vec<f64> {
        Axis::over(values.iter().copied(), 100.0).decades().collect()
    }

    #[test]
    fn an_axis_holds_its_values() {
        assert_eq!(decades(&[2500.0, 40_000.0]), [1e3, 1e4, 1e5]);
        assert_eq!(decades(&[1000.0, 100_000.0]), [1e3, 1e4, 1e5]);
        assert_eq!(decades(&[1000.0]), [1e2, 1e3, 1e4]);
        assert_eq!(decades(&[2000.0]), [1e3, 1e4]);
        assert_eq!(decades(&[]), [1.0, 10.0]);
        let axis = Axis::over([30.0, 3e6].into_iter(), 200.0);
        assert!(axis.at(30.0) > 0.0 && axis.at(3e6) < 200.0 && (axis.at(1e4) - 100.0).abs() < 30.0);
        assert!(axis.holds(10.0) && axis.holds(1e7) && !axis.holds(9.0) && !axis.holds(1.1e7));
    }
}
