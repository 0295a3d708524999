//! The labels of lines, and where to place them.

use super::super::record::Case;

/// Returns the labels of all lines, in the order in which they first appear.
pub(super) fn labels(cases: &[Case]) -> Vec<String> {
    let mut labels: Vec<String> = Vec::new();
    for label in cases.iter().map(full) {
        if !labels.contains(&label) {
            labels.push(label);
        }
    }
    labels
}

/// Returns the label of a case's line. It says what was requested unless that is pairs.
pub(super) fn full(case: &Case) -> String {
    let mut label = case.backend.clone();
    if case.backend != "reference" {
        label += " ";
        label += &case.broad;
    }
    if case.ask != "pairs" {
        label += ", ";
        label += &case.ask;
    }
    label
}

/// Returns heights near the wanted ones (which ascend) in the same order, at least `distance` apart, and within a range
/// if they fit into it.
pub(super) fn apart(wanted: &[f64], [top, bottom]: [f64; 2], distance: f64) -> Vec<f64> {
    let mut heights = wanted.to_vec();
    // Neighbours that are too near move apart, each by the same amount. This may bring them too near to others; repeat
    // until all keep their distance.
    for _ in 0..100 * heights.len() {
        let near = heights.windows(2).position(|pair| pair[1] - pair[0] < distance - 1e-6);
        let Some(i) = near else { break };
        let middle = heights[i].midpoint(heights[i + 1]);
        (heights[i], heights[i + 1]) = (middle - distance / 2.0, middle + distance / 2.0);
    }
    let mut least = top;
    for height in &mut heights {
        *height = height.max(least);
        least = *height + distance;
    }
    let mut most = bottom;
    for height in heights.iter_mut().rev() {
        *height = height.min(most);
        most = *height - distance;
    }
    heights
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_keep_apart_and_in_order() {
        assert_eq!(apart(&[10.0, 50.0], [0.0, 100.0], 15.0), [10.0, 50.0]);
        assert_eq!(apart(&[50.0, 50.0], [0.0, 100.0], 10.0), [45.0, 55.0]);
        for wanted in [&[3.0, 4.0, 5.0, 6.0, 7.0][..], &[99.0, 99.0, 99.0, 100.0], &[40.0, 41.0, 42.0, 70.0, 71.0]] {
            let heights = apart(wanted, [0.0, 100.0], 12.0);
            assert!(heights.windows(2).all(|pair| pair[1] - pair[0] > 11.99), "{heights:?}");
            assert!(heights[0] >= 0.0 && heights[heights.len() - 1] <= 100.0, "{heights:?}");
        }
    }
}
