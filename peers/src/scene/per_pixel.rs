//! Sprites as in tutorials: for each pair whose boxes meet, looks up each pixel common to the boxes in both masks.

use hitmask::geometry::Aabb;
use hitmask_workbench::workloads::Crowd;

use super::{Scene, boxes, pixels, placements};
use crate::contest::PLACEMENTS;
use crate::texels::{Pose, Texels, masks, poses};

/// Sprites, turned or not, by the pixels that they may paint.
pub(crate) struct PerPixel {
    boxes: [Vec<Aabb>; PLACEMENTS],
    poses: [Vec<Pose>; PLACEMENTS],
    masks: Vec<Vec<u64>>,
}

impl PerPixel {
    /// Creates the scene of a crowd of sprites of up to 64 columns.
    pub(crate) fn new(crowd: &Crowd) -> anyhow::Result<Self> {
        Ok(Self {
            boxes: placements(crowd, 1000, |crowd| boxes(crowd, pixels))?,
            poses: placements(crowd, 1000, poses)?,
            masks: masks(crowd)?,
        })
    }
}

impl Scene for PerPixel {
    fn boxes(&self, placement: usize) -> &[Aabb] {
        &self.boxes[placement]
    }

    fn hits(&self, placement: usize) -> impl Fn(u32, u32) -> bool + Sync {
        let (boxes, poses) = (&self.boxes[placement], &self.poses[placement]);
        let texels = move |i: u32| Texels::new(&poses[i as usize], &self.masks);
        move |i, j| {
            let (a, b) = (boxes[i as usize], boxes[j as usize]);
            let (one, other) = (texels(i), texels(j));
            let mut rows = a.min.y.max(b.min.y)..=a.max.y.min(b.max.y);
            rows.any(|y| {
                let mut columns = a.min.x.max(b.min.x)..=a.max.x.min(b.max.x);
                columns.any(|x| one.solid(x, y) && other.solid(x, y))
            })
        }
    }
}
