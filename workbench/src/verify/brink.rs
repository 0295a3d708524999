//! Bodies on the brink of a hit, where engines go wrong first.

use super::random::{Draw, Weight};
use hitmask::scene::{BodySpec, Scene, ShapeSpec};
use hitmask::{Ask, Engine, Touch};

/// The distance at which a body is taken to be apart from another, in units, and the precision of the search.
const APART: f64 = 256.0;
const LEAST: f64 = 1.0 / 512.0;
/// The time that the reference may take to paint a body, in nanoseconds.
const PAINT: u64 = 50_000;

impl Draw {
    /// Moves a body to where it just hits another, or just misses it. The two are compared at rest, where both begin
    /// their step or where both end it. Returns the body unmoved if the search would take long, or if they never hit.
    pub(super) fn on_the_brink(
        &mut self,
        body: BodySpec,
        other: &BodySpec,
        shapes: &[(String, ShapeSpec)],
        touch: Touch,
    ) -> BodySpec {
        let is_slow = |body: &BodySpec| {
            let shape = shapes.iter().find(|(name, _)| *name == body.shape);
            shape.is_none_or(|(_, shape)| Weight::new(shape, body).paint() > PAINT)
        };
        if is_slow(&body) || is_slow(other) {
            return body;
        }
        let angle = if self.once_in(2) { f64::from(self.below(8)) / 8.0 } else { self.real(0.0, 1.0) };
        let angle = angle * std::f64::consts::TAU;
        let [dx, dy] = [libm::cos(angle), libm::sin(angle)];
        // Where both end, if chosen, the two are apart by so much more.
        let [x, y] = if self.once_in(2) {
            [0, 1].map(|axis| other.at[axis] + other.motion[axis] - body.motion[axis])
        } else {
            other.at
        };
        let at_rest = |body: &BodySpec, at| BodySpec { pose: body.pose, ..BodySpec::new(&body.shape, at) };
        let hits = |distance: f64| {
            let there = [other.at[0] + dx * distance, other.at[1] + dy * distance];
            let bodies = [at_rest(other, other.at), at_rest(&body, there)];
            let world = Scene::new(touch, shapes.to_vec(), bodies.to_vec()).world().ok()?;
            Some(!Engine::reference().run(&world, Ask::Pairs).ok()?.pairs.is_empty())
        };
        let (mut low, mut high) = (0.0, APART);
        if hits(low) != Some(true) || hits(high) != Some(false) {
            return body;
        }
        while high - low > LEAST {
            let middle = f64::midpoint(low, high);
            if hits(middle) == Some(true) { low = middle } else { high = middle }
        }
        let distance = self.pick(&[low, high, high, high + 0.5]);
        let moved = BodySpec { at: [x + dx * distance, y + dy * distance], ..body.clone() };
        let is_valid = Scene::new(touch, shapes.to_vec(), vec![moved.clone()]).world().is_ok();
        if is_valid { moved } else { body }
    }
}
