//! Sprites as tutorials have them: for each pair of which the boxes meet, each pixel of both boxes is looked up in both.

use hitmask::packed::{Aabb, Body};
use hitmask::workloads::Crowd;

use super::{Scene, boxes, pixels, placements};
use crate::contest::PLACEMENTS;
use crate::texels::{Texels, masks};

/// Sprites, turned or not, by the pixels that they may paint.
pub(crate) struct PerPixel {
    crowd: Crowd,
    boxes: [Vec<Aabb>; PLACEMENTS],
    bodies: [Vec<Body>; PLACEMENTS],
    masks: Vec<Vec<u64>>,
}

impl PerPixel {
    /// Those of a crowd of sprites of up to 64 columns.
    pub(crate) fn new(crowd: &Crowd) -> anyhow::Result<Self> {
        Ok(Self {
            boxes: placements(crowd, 1000, |crowd| boxes(crowd, pixels))?,
            bodies: placements(crowd, 1000, |crowd| Ok(crowd.world().packed().bodies.clone()))?,
            masks: masks(crowd)?,
            crowd: crowd.clone(),
        })
    }
}

impl Scene for PerPixel {
    fn boxes(&self, placement: usize) -> &[Aabb] {
        &self.boxes[placement]
    }

    fn hits(&self, placement: usize) -> impl Fn(u32, u32) -> bool + Sync {
        let (boxes, bodies) = (&self.boxes[placement], &self.bodies[placement]);
        let texels = move |i: u32| {
            let body = &bodies[i as usize];
            Texels::new(&self.crowd, body, &self.masks[body.shape as usize])
        };
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
