//! How far a body comes, and how it goes on along what stops it.

use super::search::Search;
use crate::ground::error::Result;
use crate::ground::lattice::{SUBPIXELS, fix};
use crate::ground::vec2::Vec2;
use crate::host::impact::Impact;
use crate::host::stop::Stop;
use crate::world::body::Body;

/// How often the way to a stop is looked at before the body stays where it was.
const SHORTER: u32 = 8;
/// How often a body goes on along what stopped it.
const SLIDES: u32 = 3;

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
    /// body stays: [`World::pushed_out_of`] tells the way out. A sprite goes by whole pixels from its start, as it is
    /// drawn, and may so come up to a pixel beyond its motion, along one axis; what is left then points back.
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
        let [start, motion] = [body.at, body.motion].map(snapped);
        let (mut way, mut first, mut hits) = (motion, None, Vec::new());
        for looks in 1..=SHORTER {
            let asked = Body { motion: way, ..*body };
            self.all(&asked, &mut hits)?;
            let Some(stop) = self.world.stop_of(&asked, &hits, &counts)? else { break };
            first.get_or_insert(stop);
            way = if looks < SHORTER { [stop.at.x - start.x, stop.at.y - start.y].into() } else { Vec2::default() };
            if way == Vec2::default() {
                break;
            }
        }
        let at = [start.x + way.x, start.y + way.y].into();
        let left = [motion.x - way.x, motion.y - way.y].into();
        Ok(Sweep { at, stop: first.map(|stop| Stop { at, left, ..stop }) })
    }

    /// [`Search::sweep`], and on along what stopped it, by [`Stop::slide`], up to three times ("move and slide"): never
    /// back, and into nothing that has stopped it before. Where the way along would lead out of the world, it ends
    /// before.
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
            let Some(left) = onward(&stops, motion) else { break };
            let Ok(next) = self.sweep(&Body { at, motion: left, ..*body }, &counts) else { break };
            at = next.at;
            let Some(stop) = next.stop else { break };
            stops.push(stop);
        }
        Ok(Slide { at, stops })
    }
}

/// What is left of a motion along what has stopped it, into none of it and not back (as `SlideMove` of Quake, 1996);
/// nothing where it is stuck between.
fn onward(stops: &[Stop], motion: Vec2) -> Option<Vec2> {
    let along = |way: &Vec2, [x, y]: [f64; 2]| way.x * x + way.y * y;
    let step = 1.0 / f64::from(SUBPIXELS);
    let leaves_all = |way: &Vec2| stops.iter().all(|stop| along(way, stop.impact.normal) >= -step);
    let ways = stops.iter().rev().map(|stop| stops[stops.len() - 1].slide_along(stop.impact.normal));
    ways.filter(|way| along(way, [motion.x, motion.y]) > 0.0).find(leaves_all)
}

/// On the lattice, as engines have it.
fn snapped(v: Vec2) -> Vec2 {
    [v.x, v.y].map(|v| fix(v) / f64::from(SUBPIXELS)).into()
}
