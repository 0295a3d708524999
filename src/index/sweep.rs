//! Sweeps and slides: moving a body until something stops it, then along the obstacle.

use std::collections::VecDeque;

use super::search::Search;
use crate::ground::aabb::Aabb;
use crate::ground::error::Result;
use crate::ground::lattice::{MAX_COORDINATE, Point, SUBPIXELS, snap};
use crate::ground::vec2::Vec2;
use crate::host::encounter::{Neighbour, is_seen};
use crate::host::impact::Impact;
use crate::host::stop::Stop;
use crate::queries::{BodyHit, RegionQuery};
use crate::world::body::{Body, BodyId};
use crate::world::packed;

/// The most attempts to find a free place before a stop; then the body stays where it was.
const SHORTER: u32 = 8;
/// The most times that a body slides on along what stopped it.
const SLIDES: u32 = 3;
/// The distance below which a sprite counts as not having moved, in units: some lattice steps.
const HARDLY: f64 = 4.0 / SUBPIXELS as f64;
/// The distances by which a body is moved over a lip, or off a side along which it moves, in lattice steps.
const LIPS: [f64; 2] = [1.0, 3.0];
/// How far two sides open at least for a body to be moved off both: 1 plus the cosine of the angle of their normals.
const SLIT: f64 = 1.0 / 64.0;
/// The loss of way, in units, below which a body that rounding leads into something beside its way just stops earlier.
const LITTLE: f64 = 16.0 / SUBPIXELS as f64;

/// The result of [`Search::sweep`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Sweep {
    /// The position where the body ends, in units. It is free of everything that counts if the start was.
    pub at: Vec2,
    /// The first stop, if there was one. Its `at` is where the body stopped, its `left` the rest of the motion there;
    /// ignore the `hit` of its impact.
    pub stop: Option<Stop>,
}

impl Sweep {
    /// Returns the body that counts and that the moved body overlapped at its start: the one with the lowest index.
    /// The moved body then stayed where it was. If this is the moved body itself, it was not left out with
    /// [`Search::except`].
    ///
    /// ```
    /// use hitmask::query::Queries;
    /// use hitmask::{Body, Shape, World};
    ///
    /// let (mut world, mut queries) = (World::default(), Queries::new());
    /// let tile = world.add_shape(Shape::rect(4.0, 4.0)?)?;
    /// let hero = world.add(&Body::new(tile, [0, 0]))?;
    /// let (search, moved) = (queries.on(&world), Body::new(tile, [0, 0]).moving([9, 0]));
    /// assert_eq!(search.sweep(&moved, |_| true)?.started_inside(), Some(hero));
    /// assert_eq!(search.except(&[hero])?.sweep(&moved, |_| true)?.started_inside(), None);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn started_inside(&self) -> Option<BodyId> {
        inside_at(self.stop.as_ref())
    }
}

/// The result of [`Search::slide`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Slide {
    /// The position where the body ends, in units, like [`Sweep::at`].
    pub at: Vec2,
    /// The stops, in order, each like [`Sweep::stop`]. A body that comes down a wall onto a floor has two.
    pub stops: Vec<Stop>,
}

impl Slide {
    /// Returns the body that the moved body overlapped at its start, like [`Sweep::started_inside`].
    ///
    /// ```
    /// use hitmask::query::Queries;
    /// use hitmask::{Body, Shape, World};
    ///
    /// let (mut world, mut queries) = (World::default(), Queries::new());
    /// let tile = world.add_shape(Shape::rect(4.0, 4.0)?)?;
    /// let wall = world.add(&Body::new(tile, [3, 0]))?;
    /// let slide = queries.on(&world).slide(&Body::new(tile, [0, 0]).moving([0, 9]), |_| true)?;
    /// assert_eq!((slide.started_inside(), slide.at.y), (Some(wall), 0.0)); // it stayed
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn started_inside(&self) -> Option<BodyId> {
        inside_at(self.stops.first())
    }
}

/// Returns the body that caused a first stop, if it was hit from the start.
fn inside_at(first: Option<&Stop>) -> Option<BodyId> {
    first.filter(|stop| stop.impact.tick == 0).map(|stop| stop.impact.other)
}

impl Search<'_> {
    /// Moves a body by its motion until the first hit that counts stops it ("move and collide"). `counts` returns
    /// whether a hit counts. The bodies of the world stand still, and the world does not change. If the body overlaps
    /// something that counts at the start, it stays, and [`Sweep::started_inside`] names it;
    /// [`World::probe_pushed_out`] finds the way out. If touching counts as a hit, a body that only touches another at
    /// the start is stopped only by motion into it, not along it or away from it.
    ///
    /// A sprite approaches by whole pixels, as it is drawn. Along an axis in which nothing is in its way it keeps the
    /// fraction of a pixel that its motion gives it, so over many steps it moves as far as its motions say, to within a
    /// pixel.
    ///
    /// A body that is in the world hits itself: leave it out with [`Search::except`], as in the example.
    ///
    /// If rounding would put the body into a third one beside its way, it ends up to some lattice steps off both. If it
    /// cannot, it stops earlier; at worst it stays. `counts` may be called several times for one body.
    ///
    /// Each call allocates. Errors are those of [`Search::all`] with this body.
    ///
    /// ```
    /// use hitmask::query::Queries;
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let [floor, man] = [world.add_shape(Shape::rect(100.0, 10.0)?)?, world.add_shape(Shape::rect(2.0, 2.0)?)?];
    /// world.add(&Body::new(floor, [0, 20]))?;
    /// let hero = world.add(&Body::new(man, [0, 0]))?;
    /// let mut queries = Queries::new();
    /// let fall = world.body(hero).unwrap().moving([30, 30]);
    /// let sweep = queries.on(&world).except(&[hero])?.sweep(&fall, |_| true)?;
    /// assert_eq!([sweep.at.x, sweep.at.y], [18.0, 18.0]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    ///
    /// [`World::probe_pushed_out`]: crate::World::probe_pushed_out
    pub fn sweep(self, body: &Body, counts: impl Fn(&Impact) -> bool) -> Result<Sweep> {
        let start = snapped(body.at);
        let body = Body { at: start, motion: snapped(body.motion), ..*body };
        let mut hits = Vec::new();
        let mut look = |way: Vec2| self.look(&Body { motion: way, ..body }, &mut hits, &counts);
        let Some(first) = look(body.motion)? else {
            return Ok(Sweep { at: start + body.motion, stop: None });
        };
        let mut way = Vec2::default();
        let mut ways = VecDeque::from(self.world.ways_to(&body, &first)?);
        for _ in 0..SHORTER {
            let Some(next) = ways.pop_front().filter(|way| *way != Vec2::default()) else { break };
            // Beside its way the world may end.
            let Ok(met) = look(next) else { continue };
            match met {
                None => {
                    way = next;
                    break;
                }
                Some(stop) if ways.is_empty() => {
                    let shorter = stop.at - start;
                    let goes_on = |way: &Vec2| (*way - shorter).dot(body.motion) > 0.0;
                    if length(next - shorter) > LITTLE {
                        let away = off_both(first.impact.normal, stop.impact.normal);
                        ways.extend(LIPS.map(|steps| next + off(away, steps)).into_iter().filter(goes_on));
                    }
                    ways.push_back(shorter);
                }
                Some(_) => (),
            }
        }
        Ok(Sweep { at: start + way, stop: Some(Stop { at: start + way, left: body.motion - way, ..first }) })
    }

    /// Returns the first hit of a moving body that counts.
    fn look(self, body: &Body, hits: &mut Vec<BodyHit>, counts: impl Fn(&Impact) -> bool) -> Result<Option<Stop>> {
        self.all(body, hits)?;
        self.world.stop_of_near(body, hits, &|body, near| self.near(body, near), counts)
    }

    /// Returns the bodies at rest that `body` sees and whose bounds meet a box.
    fn near(self, body: &packed::Body, near: &Aabb) -> Vec<Neighbour> {
        let within = |p: Point| {
            Point::new(p.x.clamp(-MAX_COORDINATE, MAX_COORDINATE), p.y.clamp(-MAX_COORDINATE, MAX_COORDINATE)).units()
        };
        // Not `RegionQuery::new`, which would turn a box that is nowhere into one.
        let region = RegionQuery { min: within(near.min).into(), max: within(near.max).into(), mask: body.filter.mask };
        let mut found = Vec::new();
        if self.all(&region, &mut found).is_err() {
            return Vec::new();
        }
        let standing = found.into_iter().filter_map(|id| Some((id, self.world.standing(id).ok()?)));
        standing.filter(|(_, other)| is_seen(body, other)).collect()
    }

    /// Moves a body as [`Search::sweep`] does, then slides it along what stopped it by [`Stop::slide`], up to three
    /// times ("move and slide"). It moves neither back nor farther than its motion, except for the pixel to which a
    /// sprite is rounded, nor into anything that has stopped it before. If sliding on would lead out of the world, it
    /// ends before that. Rounding does not stop it: it steps over an edge of one or two lattice steps, as there are
    /// where turned bodies adjoin, and off a side that it only moves along.
    ///
    /// Errors are those of [`Search::all`] with this body.
    ///
    /// ```
    /// use hitmask::query::Queries;
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let [floor, man] = [world.add_shape(Shape::rect(100.0, 10.0)?)?, world.add_shape(Shape::rect(2.0, 2.0)?)?];
    /// world.add(&Body::new(floor, [0, 20]))?;
    /// let hero = world.add(&Body::new(man, [0, 0]))?;
    /// let mut queries = Queries::new();
    /// let fall = world.body(hero).unwrap().moving([30, 30]);
    /// let slide = queries.on(&world).except(&[hero])?.slide(&fall, |_| true)?;
    /// assert_eq!([slide.at.x, slide.at.y], [30.0, 18.0]);
    /// assert!(slide.stops.iter().any(|stop| stop.impact.normal == [0.0, -1.0])); // it stands on something
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn slide(self, body: &Body, counts: impl Fn(&Impact) -> bool) -> Result<Slide> {
        let motion = snapped(body.motion);
        let Sweep { mut at, stop } = self.sweep(body, &counts)?;
        let mut stops: Vec<Stop> = stop.into_iter().collect();
        for _ in 0..SLIDES {
            if let Some(next) = self.step_over(body, &stops, &counts) {
                at = next.at;
                stops.pop();
                let Some(stop) = next.stop else { break };
                stops.push(stop);
                continue;
            }
            let Some(left) = onward(&stops, motion) else { break };
            let on = Body { at, motion: left, ..*body };
            let Ok(next) = self.go_on(&on, motion, &stops, &counts) else { break };
            at = next.at;
            let Some(stop) = next.stop else { break };
            stops.push(stop);
        }
        Ok(Slide { at, stops })
    }

    /// Moves a body on along what stopped it. A sprite whose whole pixels prevent that moves along one axis, then along
    /// the other, starting with the one that leads away from the side; only along the first if both together lead back
    /// on the motion with which the slide began.
    fn go_on(self, body: &Body, motion: Vec2, stops: &[Stop], counts: &impl Fn(&Impact) -> bool) -> Result<Sweep> {
        let next = self.sweep(body, counts)?;
        let came = next.at - body.at;
        let is_sprite = self.world.shape(body.shape).is_some_and(|shape| shape.mask().is_some());
        let Some(stop) = stops.last().filter(|_| is_sprite && came.dot(came) < HARDLY * HARDLY) else {
            return Ok(next);
        };
        let Vec2 { x, y } = body.motion;
        let mut ways = [Vec2 { x, y: 0.0 }, Vec2 { x: 0.0, y }];
        if ways[1].dot(stop.impact.normal) > ways[0].dot(stop.impact.normal) {
            ways.reverse();
        }
        let first = self.sweep(&Body { motion: ways[0], ..*body }, counts)?;
        let then = self.sweep(&Body { at: first.at, motion: ways[1], ..*body }, counts)?;
        // Whole pixels may lead back by one of them.
        let pixel = length(motion);
        let goes = |sweep: &Sweep| {
            let came = sweep.at - body.at;
            came.dot(body.motion) > 0.0 && came.dot(motion) > -pixel && came.dot(came) >= HARDLY * HARDLY
        };
        let both = Sweep { stop: then.stop.or(first.stop), ..then };
        if let Some(sweep) = [both, first].into_iter().find(goes) {
            return Ok(sweep);
        }
        // Held by two sides at once, it turns along the one that faces its motion.
        let faces = |stop: &Stop| body.motion.dot(stop.impact.normal) < -1.0 / f64::from(SUBPIXELS);
        let other = [first.stop, then.stop].into_iter().flatten().find(faces);
        let Some((stop, other)) = next.stop.filter(|stop| !faces(stop)).zip(other) else { return Ok(next) };
        let impact = Impact { normal: other.impact.normal, other: other.impact.other, ..stop.impact };
        Ok(Sweep { stop: Some(Stop { impact, lip: None, ..stop }), ..next })
    }

    /// Moves a body over the lip of what stopped it last, or off a side that it only moves along, if the way on is free
    /// from there.
    fn step_over(self, body: &Body, stops: &[Stop], counts: &impl Fn(&Impact) -> bool) -> Option<Sweep> {
        let stop = stops.last()?;
        let normal = stop.impact.normal;
        let grazes = || stop.impact.tick > 0 && stop.left.dot(normal) > -1.0 / f64::from(SUBPIXELS);
        let away = stop.lip.or_else(|| grazes().then_some(normal))?;
        LIPS.into_iter().find_map(|steps| {
            let up = self.sweep(&Body { at: stop.at, motion: off(away.into(), steps), ..*body }, counts).ok()?;
            let on = self.sweep(&Body { at: up.at, motion: stop.left, ..*body }, counts).ok()?;
            let goes = (on.at - stop.at).dot(stop.left) > length(stop.left) / f64::from(SUBPIXELS);
            (up.stop.is_none() && goes).then_some(on)
        })
    }
}

/// Returns the rest of the motion along one of the stops, such that it leads into none of them and not back (as
/// `SlideMove` of Quake, 1996); `None` if the body is stuck between them.
fn onward(stops: &[Stop], motion: Vec2) -> Option<Vec2> {
    let last = stops.last().filter(|stop| stop.impact.tick > 0)?;
    let step = 1.0 / f64::from(SUBPIXELS);
    let leaves_all = |way: &Vec2| stops.iter().all(|stop| way.dot(Vec2::from(stop.impact.normal)) >= -step);
    let ways = stops.iter().rev().map(|stop| last.slide_along(stop.impact.normal));
    ways.filter(|way| way.dot(motion) > 0.0).find(leaves_all)
}

/// Returns the motion by some lattice steps along a direction, rounded.
fn off(direction: Vec2, steps: f64) -> Vec2 {
    <[f64; 2]>::from(direction).map(|v| (v * steps).round() / f64::from(SUBPIXELS)).into()
}

/// Returns the motion that leads off two sides by 1 each; if they hardly open, by less.
fn off_both(a: [f64; 2], b: [f64; 2]) -> Vec2 {
    let [a, b] = [a, b].map(Vec2::from);
    (a + b) * (1.0 + a.dot(b)).max(SLIT).recip()
}

fn length(v: Vec2) -> f64 {
    v.dot(v).sqrt()
}

/// Snaps to the lattice, as the engines do.
fn snapped(v: Vec2) -> Vec2 {
    [v.x, v.y].map(|v| snap(v) / f64::from(SUBPIXELS)).into()
}
