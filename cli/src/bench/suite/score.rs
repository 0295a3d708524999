//! The score of an engine: how many times the stated machine's throughput it has, on the geometric mean of all parts.

use super::super::record::{PartRecord, Score};

/// The score of the stated machine's CPU engine.
const BASE: f64 = 100.0;

/// Returns the score of an engine: absent unless all `of` parts were measured, so that no score leaves out what is
/// slow.
pub(super) fn of(backend: &str, parts: &[PartRecord], of: usize) -> Score {
    let ratios: Vec<f64> = parts.iter().filter(|part| part.backend == backend).filter_map(|part| part.ratio).collect();
    let whole = !ratios.is_empty() && ratios.len() == of;
    Score { backend: backend.into(), points: whole.then(|| BASE * geometric_mean(&ratios)), ran: ratios.len(), of }
}

fn geometric_mean(values: &[f64]) -> f64 {
    (values.iter().map(|value| value.ln()).sum::<f64>() / values.len() as f64).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(backend: &str, ratio: Option<f64>) -> PartRecord {
        let problem = ratio.is_none().then(|| "the device was lost".to_owned());
        PartRecord { part: "boxes-10k".into(), backend: backend.into(), ratio, problem }
    }

    #[test]
    fn a_score_is_the_geometric_mean_of_the_ratios_of_one_engine() {
        let parts = [part("cpu", Some(1.0)), part("gpu", Some(10.0)), part("cpu", Some(4.0))];
        let score = of("cpu", &parts, 2);
        assert!((score.points.unwrap() - 200.0).abs() < 1e-9, "{score:?}");
        assert_eq!((score.ran, score.of), (2, 2));
    }

    #[test]
    fn there_is_no_score_of_a_part_of_the_parts() {
        let parts = [part("gpu", Some(1.0)), part("gpu", None)];
        assert_eq!(of("gpu", &parts, 2), Score { backend: "gpu".into(), points: None, ran: 1, of: 2 });
        assert_eq!(of("cpu", &parts, 2).points, None, "no part at all");
    }
}
