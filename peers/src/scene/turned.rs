//! Turned sprites: each is painted once a step, pixel by pixel, into a word per row, then compared like unturned ones.

use std::sync::Mutex;

use anyhow::ensure;
use hitmask::geometry::Aabb;
use hitmask_workbench::workloads::Crowd;
use rayon::prelude::*;

use super::{Scene, boxes, pixels, placements};
use crate::contest::PLACEMENTS;
use crate::rows::Rows;
use crate::texels::{Pose, Texels, masks, poses};

/// Maximum number of rows of a painted sprite; the diagonal of 32 x 32 texels takes 46, 47 or 48.
const SIDE: usize = 48;

/// Sprites by the pixels that they may paint, and their poses.
pub(crate) struct Turned {
    boxes: [Vec<Aabb>; PLACEMENTS],
    /// The mask of each body, and how its texels lie under the pixels.
    poses: [Vec<Pose>; PLACEMENTS],
    masks: Vec<Vec<u64>>,
    /// The painted rows, kept from step to step so that no step waits for fresh memory.
    painted: Mutex<Vec<[u64; SIDE]>>,
}

impl Turned {
    /// Creates the scene of a crowd of sprites that paint at most 48 x 48 pixels.
    pub(crate) fn new(crowd: &Crowd) -> anyhow::Result<Self> {
        let boxes = placements(crowd, 1000, |crowd| boxes(crowd, pixels))?;
        let side = boxes.iter().flatten().map(|b| (b.max.x - b.min.x).max(b.max.y - b.min.y) + 1).max();
        ensure!(side.unwrap_or(0) <= SIDE as i32, "a sprite paints {side:?} pixels a side; at most {SIDE} fit");
        Ok(Self {
            boxes,
            poses: placements(crowd, 1000, poses)?,
            masks: masks(crowd)?,
            painted: Mutex::new(vec![[0; SIDE]; crowd.homes().len()]),
        })
    }
}

impl Scene for Turned {
    fn boxes(&self, placement: usize) -> &[Aabb] {
        &self.boxes[placement]
    }

    fn hits(&self, placement: usize) -> impl Fn(u32, u32) -> bool + Sync {
        let boxes = &self.boxes[placement];
        let mut painted = self.painted.lock().expect("nothing panics while it is held");
        painted.par_iter_mut().zip(boxes).zip(&self.poses[placement]).for_each(|((rows, b), pose)| {
            let texels = Texels::new(pose, &self.masks);
            for (row, y) in rows.iter_mut().zip(b.min.y..=b.max.y) {
                *row = texels.row(b.min.x, y, b.max.x - b.min.x + 1);
            }
        });
        move |i, j| {
            let rows = |i: u32| {
                let Aabb { min, max } = boxes[i as usize];
                Rows { x: min.x, y: min.y, bits: &painted[i as usize][..=(max.y - min.y) as usize] }
            };
            rows(i).meet(rows(j))
        }
    }
}
