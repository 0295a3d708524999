//! Pairs of large masks, without a world.

use super::{SplitMix64, blob, seed};
use hitmask::Mask;
use hitmask::Result;

/// The workload of masks: number 5.
#[derive(Clone, Debug)]
pub struct MaskPairs {
    /// 16 masks of 512 x 512 texels.
    pub masks: Vec<Mask>,
    /// A thousand pairs of them.
    pub pairs: Vec<MaskPair>,
}

/// Two masks, beside or on each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MaskPair {
    /// The index of the first mask.
    pub a: usize,
    /// The index of the second mask.
    pub b: usize,
    /// The top-left corner of the second mask in the frame of the first: -448 to 448 texels in x and in y.
    pub offset: [i32; 2],
}

/// Returns 16 masks and a thousand pairs of them; `a`, `b`, `x` and `y` are drawn for each pair.
pub fn mask_pairs() -> Result<MaskPairs> {
    const PAIRS: u32 = 1_000;
    let mut random = SplitMix64(5512);
    let masks = (0..16).map(|_| blob(&mut random, 512, 600)).collect::<Result<_>>()?;
    let mut random = SplitMix64(seed(5, PAIRS));
    let pair = |_| MaskPair {
        a: random.below(16) as usize,
        b: random.below(16) as usize,
        offset: [(); 2].map(|()| random.below(897) as i32 - 448),
    };
    Ok(MaskPairs { masks, pairs: (0..PAIRS).map(pair).collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts the common texels one by one.
    fn area(a: &Mask, b: &Mask, [dx, dy]: [i32; 2]) -> u64 {
        let under = |v: u32, d: i32| (v as i32 - d) as u32;
        let both = |x, y| a.get(x, y) && b.get(under(x, dx), under(y, dy));
        (0..a.height()).map(|y| (0..a.width()).filter(|&x| both(x, y)).count() as u64).sum()
    }

    #[test]
    fn areas_are_those_of_a_plain_loop() {
        let MaskPairs { masks, pairs } = mask_pairs().unwrap();
        for MaskPair { a, b, offset } in pairs.iter().step_by(50) {
            let (a, b) = (&masks[*a], &masks[*b]);
            let area = area(a, b, *offset);
            assert_eq!((a.overlap_area(b, *offset), a.overlaps(b, *offset)), (area, area > 0), "at {offset:?}");
        }
    }

    /// Checks the answers against those from when the workload was made. Other programs can compare theirs.
    #[test]
    fn answers_stay_as_they_are() {
        let MaskPairs { masks, pairs } = mask_pairs().unwrap();
        assert!(masks.iter().all(|mask| mask.count() >= 512 * 512 * 600 / 1000));
        let areas = pairs.iter().map(|pair| masks[pair.a].overlap_area(&masks[pair.b], pair.offset));
        let (hit, area) = areas.fold((0, 0), |(hit, sum), area| (hit + u32::from(area > 0), sum + area));
        assert_eq!((pairs.len(), hit, area), (1_000, 778, 31_627_647));
    }
}
