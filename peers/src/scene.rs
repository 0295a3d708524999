//! Scenes as peers see them: boxes, and for other shapes a test of pairs whose boxes meet.
//!
//! All input (boxes and snapped poses) is prepared before the clock starts. Everything that depends on the bodies'
//! positions in a step (a tree, painted pixels) is made while it runs.

mod circles;
mod per_pixel;
mod sprites;
mod turned;

use anyhow::ensure;
use hitmask::BodyId;
use hitmask::geometry::{Aabb, Point};
use hitmask_workbench::workloads::Crowd;

pub(crate) use circles::Circles;
pub(crate) use per_pixel::PerPixel;
pub(crate) use sprites::Sprites;
pub(crate) use turned::Turned;

use crate::contest::PLACEMENTS;
use crate::peers::EXACT;

/// The input of peers.
pub(crate) trait Scene: Sync {
    /// Returns the closed boxes of a placement.
    fn boxes(&self, placement: usize) -> &[Aabb];

    /// Returns the test that decides whether a pair whose boxes meet hits.
    fn hits(&self, placement: usize) -> impl Fn(u32, u32) -> bool + Sync;
}

/// A scene of boxes, which are their own bounds.
pub(crate) struct Boxes {
    boxes: [Vec<Aabb>; PLACEMENTS],
}

impl Boxes {
    /// Creates the scene of a crowd of which `permille` thousandths move.
    pub(crate) fn new(crowd: &Crowd, permille: u32) -> anyhow::Result<Self> {
        Ok(Self { boxes: placements(crowd, permille, |crowd| boxes(crowd, reach))? })
    }
}

impl Scene for Boxes {
    fn boxes(&self, placement: usize) -> &[Aabb] {
        &self.boxes[placement]
    }

    fn hits(&self, _: usize) -> impl Fn(u32, u32) -> bool + Sync {
        |_, _| true
    }
}

/// Returns the step of a crowd that corresponds to a placement.
pub(crate) fn step(placement: usize) -> u32 {
    placement as u32 + 1
}

/// Returns the result of `each` for each placement of a crowd.
fn placements<T>(
    crowd: &Crowd,
    permille: u32,
    mut each: impl FnMut(&Crowd) -> anyhow::Result<T>,
) -> anyhow::Result<[T; PLACEMENTS]> {
    let mut crowd = crowd.clone();
    let mut placed = |placement| {
        crowd.step(step(placement), permille)?;
        each(&crowd)
    };
    Ok([placed(0)?, placed(1)?])
}

/// Returns a box for each body. Returns an error if a body is nowhere or a box exceeds [`EXACT`].
fn boxes(crowd: &Crowd, of: impl Fn(&Crowd, BodyId) -> Option<Aabb>) -> anyhow::Result<Vec<Aabb>> {
    let boxes: Option<Vec<Aabb>> = crowd.world().ids().map(|id| of(crowd, id)).collect();
    let boxes = boxes.ok_or_else(|| anyhow::anyhow!("a body has no bounds"))?;
    let exact = |v: i32| v.abs() <= EXACT;
    let first = boxes.iter().position(|b| ![b.min.x, b.min.y, b.max.x, b.max.y].into_iter().all(exact));
    if let Some(i) = first {
        ensure!(false, "body {i} lies beyond 2^24, where the f32 of peers is no longer exact: use fewer bodies");
    }
    Ok(boxes)
}

/// Returns the bounds of a body, in lattice steps.
fn reach(crowd: &Crowd, id: BodyId) -> Option<Aabb> {
    crowd.world().bounds(id)
}

/// Returns the first and the last pixels, in x and in y, that a sprite may paint.
fn pixels(crowd: &Crowd, id: BodyId) -> Option<Aabb> {
    let [x, y, width, height] = crowd.world().pixels(id)?;
    Some(Aabb { min: Point::new(x, y), max: Point::new(x + width - 1, y + height - 1) })
}
