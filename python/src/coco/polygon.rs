//! COCO's rasterization of polygons, to the bit that of `pycocotools` (`maskApi.c`, Piotr Dollár and Tsung-Yi Lin).
//!
//! Corners are rounded on a lattice of fifths of a pixel. The outline is followed point by point on it; where it goes
//! from a column of points to the next through the middle of a column of pixels, it flips that column from its row on.

use super::masks::Masks;

/// Points of the lattice a pixel.
const SCALE: i32 = 5;

/// The largest coordinate: the outline is followed point by point.
pub(crate) const MOST: f64 = 1_000_000.0;

/// Appends the pixels from which on a ring flips all others, for `[height, width]`.
fn flips(ring: &[[f64; 2]], [height, width]: [u32; 2], flips: &mut Vec<u32>) {
    let corner = |k: usize| ring[k % ring.len()].map(|v| (f64::from(SCALE) * v + 0.5) as i32);
    let mut last: Option<[i32; 2]> = None;
    let mut visit = |point: [i32; 2]| {
        if let Some([u, v]) = last
            && point[0] != u
        {
            // The middle of a column of pixels is the third of its five points, likewise of a row.
            let left = if point[0] < u { point[0] } else { point[0] - 1 } - 2;
            let x = left / SCALE;
            if left >= 0 && left % SCALE == 0 && (x as u32) < width {
                let y = (v.min(point[1]) + 2).div_euclid(SCALE).clamp(0, height as i32);
                flips.push(x as u32 * height + y as u32);
            }
        }
        last = Some(point);
    };
    for k in 0..ring.len() {
        let [mut from, mut to] = [corner(k), corner(k + 1)];
        let [dx, dy] = [0, 1].map(|axis| to[axis].abs_diff(from[axis]));
        let steep = dx < dy;
        let along = usize::from(steep);
        // Points between two corners are the same in both directions.
        let back = from[along] > to[along];
        if back {
            (from, to) = (to, from);
        }
        let steps = dx.max(dy) as i32;
        let slope = f64::from(to[1 - along] - from[1 - along]) / f64::from(steps);
        for step in 0..=steps {
            let step = if back { steps - step } else { step };
            let aside = if steps == 0 {
                f64::from(from[1 - along])
            } else {
                f64::from(from[1 - along]) + slope * f64::from(step)
            };
            let mut point = [0; 2];
            point[along] = from[along] + step;
            point[1 - along] = (aside + 0.5) as i32;
            visit(point);
        }
    }
}

/// Adds a mask that is solid in all polygons, each of which must have corners of magnitude up to [`MOST`].
pub(crate) fn put(masks: &mut Masks, rings: &[Vec<[f64; 2]>]) {
    let mut each = Masks::new(masks.size());
    for ring in rings {
        let mut ends = Vec::new();
        flips(ring, masks.size(), &mut ends);
        ends.push(masks.pixels());
        ends.sort_unstable();
        // Every second range is solid.
        for pair in ends.chunks(2) {
            if let [start, end] = *pair {
                each.put(start..end);
            }
        }
        each.finish();
    }
    let all: Vec<u32> = (0..each.len() as u32).collect();
    each.union(&all, masks);
}
