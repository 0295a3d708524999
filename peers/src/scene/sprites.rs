//! Unturned sprites: the bits of the masks, shifted.

use anyhow::ensure;
use hitmask::geometry::Aabb;
use hitmask_workbench::workloads::Crowd;

use super::{Scene, boxes, pixels, placements};
use crate::contest::PLACEMENTS;
use crate::rows::{Rows, WIDTH};

/// Sprites by the pixels of their solid texels' bounds, and those texels as bits.
pub(crate) struct Sprites {
    boxes: [Vec<Aabb>; PLACEMENTS],
    /// The mask of each body.
    mask_of: Vec<u32>,
    /// The rows of each mask, within its solid texels' bounds.
    masks: Vec<Vec<u64>>,
}

impl Sprites {
    /// Creates the scene of a crowd of unturned sprites of up to 64 columns.
    pub(crate) fn new(crowd: &Crowd) -> anyhow::Result<Self> {
        let mut masks = Vec::new();
        for (_, shape) in crowd.world().shapes() {
            let Some((mask, [x, y, w, h])) = shape.mask().and_then(|mask| Some((mask, mask.bounds()?))) else {
                anyhow::bail!("a shape is not a sprite with solid texels");
            };
            ensure!(mask.width() <= WIDTH as u32 && w > 0, "a mask has {} columns; at most {WIDTH} fit", mask.width());
            masks.push((y..y + h).map(|y| mask.row(y)[0] >> x).collect());
        }
        Ok(Self {
            boxes: placements(crowd, 1000, |crowd| boxes(crowd, pixels))?,
            mask_of: crowd.homes().iter().map(|body| body.shape.index()).collect(),
            masks,
        })
    }
}

impl Scene for Sprites {
    fn boxes(&self, placement: usize) -> &[Aabb] {
        &self.boxes[placement]
    }

    fn hits(&self, placement: usize) -> impl Fn(u32, u32) -> bool + Sync {
        let rows = move |i: u32| {
            let min = self.boxes[placement][i as usize].min;
            Rows { x: min.x, y: min.y, bits: &self.masks[self.mask_of[i as usize] as usize] }
        };
        move |i, j| rows(i).meet(rows(j))
    }
}
