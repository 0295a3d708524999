//! Circles: boxes, then squared distances.

use hitmask::geometry::Aabb;
use hitmask_workbench::workloads::Crowd;

use super::{Scene, boxes, placements, reach};
use crate::contest::PLACEMENTS;

/// Circles by centre and radius.
pub(crate) struct Circles {
    boxes: [Vec<Aabb>; PLACEMENTS],
    circles: [Vec<[i32; 3]>; PLACEMENTS],
}

impl Circles {
    /// Creates the scene of a crowd of circles.
    pub(crate) fn new(crowd: &Crowd) -> anyhow::Result<Self> {
        let circles = |crowd: &Crowd| {
            let world = crowd.world();
            let circle = |id| {
                let circle = &world.landed(id)?[0];
                let centre = circle.vertices[0];
                Some([centre.x, centre.y, circle.radius])
            };
            Ok(world.ids().filter_map(circle).collect())
        };
        Ok(Self {
            boxes: placements(crowd, 1000, |crowd| boxes(crowd, reach))?,
            circles: placements(crowd, 1000, circles)?,
        })
    }
}

impl Scene for Circles {
    fn boxes(&self, placement: usize) -> &[Aabb] {
        &self.boxes[placement]
    }

    fn hits(&self, placement: usize) -> impl Fn(u32, u32) -> bool + Sync {
        let circles = &self.circles[placement];
        move |i, j| {
            let ([ax, ay, ar], [bx, by, br]) = (circles[i as usize], circles[j as usize]);
            let [dx, dy, r] = [ax - bx, ay - by, ar + br].map(i64::from);
            dx * dx + dy * dy <= r * r
        }
    }
}
