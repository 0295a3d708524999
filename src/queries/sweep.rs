//! How far a body comes, and how it goes on along what stops it.

use std::collections::VecDeque;

use super::search::Search;
use crate::ground::aabb::Aabb;
use crate::ground::error::Result;
use crate::ground::lattice::{Point, SUBPIXELS, WORLD, fix};
use crate::ground::vec2::Vec2;
use crate::host::encounter::{Neighbour, is_seen};
use crate::host::impact::Impact;
use crate::host::stop::Stop;
use crate::questions::{BodyHit, Region};
use crate::world::body::Body;
use crate::world::packed;

/// How often the way to a stop is looked at before the body stays where it was.
const SHORTER: u32 = 8;
/// How often a body goes on along what stopped it.
const SLIDES: u32 = 3;
/// A way that a sprite is taken not to have gone, in units: some lattice steps.
const HARDLY: f64 = 4.0 / SUBPIXELS as f64;
/// How far along a lip a body is moved to get over it, in lattice steps.
const LIPS: [f64; 2] = [1.0, 3.0];

/// How far a body came.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sweep {
    /// Where it stands now, in units: free of what counts, if it was free of that at the start.
    pub at: Vec2,
    /// What stopped it first. Its `at` is where the body stood then, its `left` what was left of the motion; ignore the
    /// `hit` of its impact.
    pub stop: Option<Stop>,
}

/// How far a body came, along what stopped it.
#[derive(Clone, Debug, PartialEq)]
pub struct Slide {
    /// Where it stands now, in units, as that of a [`Sweep`].
    pub at: Vec2,
    /// What stopped it, one after the other, each as that of a [`Sweep`]: a body that comes down a wall onto a floor
    /// has both.
    pub stops: Vec<Stop>,
}

impl Search<'_> {
    /// Moves a body by its motion, to where the first hit that `counts` stops it ("move and collide"). The bodies of
    /// the world stand still, and the world does not change. Where something that counts is hit from the start, the
    /// body stays: [`World::pushed_out_of`] tells the way out. Where touching is a hit, what it only touches at the
    /// start stops it where it moves into that, and not on its way along or away.
    ///
    /// A sprite comes to what it hits by whole pixels, as it is drawn. It stops with the fraction of a pixel that its
    /// motion gives it along the axis in which nothing is in its way: so over many steps it goes as far as its motions
    /// say, to less than a pixel.
    ///
    /// A body that is in the world meets itself: leave it out, as here.
    ///
    /// Where rounding would put it into a third body, it stops earlier; at worst it stays. `counts` may be asked about
    /// a body several times.
    ///
    /// Each call allocates. Errors are those of the question.
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
    /// [`World::pushed_out_of`]: crate::World::pushed_out_of
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
            match look(next)? {
                None => {
                    way = next;
                    break;
                }
                Some(stop) if ways.is_empty() => ways.push_back(stop.at - start),
                Some(_) => (),
            }
        }
        Ok(Sweep { at: start + way, stop: Some(Stop { at: start + way, left: body.motion - way, ..first }) })
    }

    /// The first hit of a body on its way that counts.
    fn look(self, body: &Body, hits: &mut Vec<BodyHit>, counts: impl Fn(&Impact) -> bool) -> Result<Option<Stop>> {
        self.all(body, hits)?;
        self.world.stop_of_near(body, hits, &|body, near| self.near(body, near), counts)
    }

    /// The bodies that one may hit, at rest, whose bounds meet a box.
    fn near(self, body: &packed::Body, near: &Aabb) -> Vec<Neighbour> {
        let within = |p: Point| Point::new(p.x.clamp(-WORLD, WORLD), p.y.clamp(-WORLD, WORLD)).units();
        let region = Region::new(within(near.min), within(near.max)).hitting(body.filter.hits);
        let mut found = Vec::new();
        if self.all(&region, &mut found).is_err() {
            return Vec::new();
        }
        let standing = found.into_iter().filter_map(|id| Some((id, self.world.standing(id).ok()?)));
        standing.filter(|(_, other)| is_seen(body, other)).collect()
    }

    /// [`Search::sweep`], and on along what stopped it, by [`Stop::slide`], up to three times ("move and slide"): never
    /// back, and into nothing that has stopped it before. Where the way along would lead out of the world, it ends
    /// before. A body that runs into an edge that ends within three lattice steps, as rounding makes them where turned
    /// bodies adjoin, goes over it, and is not stopped by it.
    ///
    /// Errors are those of the question.
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
                stops.extend(next.stop);
                continue;
            }
            let Some(left) = onward(&stops, motion) else { break };
            let Ok(next) = self.go_on(&Body { at, motion: left, ..*body }, &stops, &counts) else { break };
            at = next.at;
            let Some(stop) = next.stop else { break };
            stops.push(stop);
        }
        Ok(Slide { at, stops })
    }

    /// Goes on along what stopped a body. A sprite that its whole pixels keep from that goes along one axis, then along
    /// the other, first the way that leads off the side.
    fn go_on(self, body: &Body, stops: &[Stop], counts: &impl Fn(&Impact) -> bool) -> Result<Sweep> {
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
        let came = then.at - body.at;
        let goes = came.dot(body.motion) > 0.0 && came.dot(came) >= HARDLY * HARDLY;
        Ok(if goes { Sweep { at: then.at, stop: then.stop.or(first.stop) } } else { next })
    }

    /// Goes on over the lip of what stopped a body last, if it has one and there is a way.
    fn step_over(self, body: &Body, stops: &[Stop], counts: &impl Fn(&Impact) -> bool) -> Option<Sweep> {
        let stop = stops.last()?;
        let lip = stop.lip?;
        LIPS.into_iter().find_map(|steps| {
            let up = lip.map(|v| (v * steps).round() / f64::from(SUBPIXELS)).into();
            let up = self.sweep(&Body { at: stop.at, motion: up, ..*body }, counts).ok()?;
            let on = self.sweep(&Body { at: up.at, motion: stop.left, ..*body }, counts).ok()?;
            let [came, step] =
                [(on.at - stop.at).dot(stop.left), stop.left.dot(stop.left).sqrt() / f64::from(SUBPIXELS)];
            let goes = came > step;
            (up.stop.is_none() && goes).then_some(on)
        })
    }
}

/// What is left of a motion along what has stopped it, into none of it and not back (as `SlideMove` of Quake, 1996);
/// nothing where it is stuck between.
fn onward(stops: &[Stop], motion: Vec2) -> Option<Vec2> {
    let last = stops.last().filter(|stop| stop.impact.tick > 0)?;
    let step = 1.0 / f64::from(SUBPIXELS);
    let leaves_all = |way: &Vec2| stops.iter().all(|stop| way.dot(Vec2::from(stop.impact.normal)) >= -step);
    let ways = stops.iter().rev().map(|stop| last.slide_along(stop.impact.normal));
    ways.filter(|way| way.dot(motion) > 0.0).find(leaves_all)
}

/// On the lattice, as engines have it.
fn snapped(v: Vec2) -> Vec2 {
    [v.x, v.y].map(|v| fix(v) / f64::from(SUBPIXELS)).into()
}
