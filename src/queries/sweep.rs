//! How far a body comes, and how it goes on along what stops it.

use super::search::Search;
use crate::ground::error::Result;
use crate::ground::lattice::{SUBPIXELS, Vec2, fix};
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
    /// Where it stands now, in units: nothing that counts is hit there that was not hit from the start.
    pub at: Vec2,
    /// What stopped it first.
    pub stop: Option<Stop>,
}

impl Search<'_> {
    /// Moves a body by its motion, to where the first hit that `counts` stops it ("move and collide"). The bodies of the
    /// world stand still, and the world does not change. A body that is in the world meets itself: leave its own handle
    /// out. Where something that counts is hit from the start, it stays; [`World::pushed_out_of`] tells the way out.
    ///
    /// This is [`World::stop_of`] until nothing is in the way: the place a tick before a hit is rounded to the lattice,
    /// so that a third body may be hit there.
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
    /// let sweep = queries.on(&world).sweep(&fall, |impact| impact.other != hero)?;
    /// assert_eq!([sweep.at.x, sweep.at.y], [18.0, 18.0]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    ///
    /// [`World::pushed_out_of`]: crate::World::pushed_out_of
    /// [`World::stop_of`]: crate::World::stop_of
    pub fn sweep(self, body: &Body, counts: impl Fn(&Impact) -> bool) -> Result<Sweep> {
        let [start, motion] = [body.at, body.motion].map(snapped);
        let (mut way, mut first, mut hits) = (motion, None, Vec::new());
        for _ in 0..SHORTER {
            let asked = Body { motion: way, ..*body };
            self.all(&asked, &mut hits)?;
            let Some(stop) = self.world.stop_of(&asked, &hits, &counts)? else {
                return Ok(Sweep { at: [start.x + way.x, start.y + way.y].into(), stop: first });
            };
            way = [stop.at.x - start.x, stop.at.y - start.y].into();
            first.get_or_insert(stop);
            if way == Vec2::default() {
                break;
            }
        }
        Ok(Sweep { at: start, stop: first })
    }

    /// [`Search::sweep`], and on along what stopped it, by [`Stop::slide`], up to three times ("move and slide").
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
    /// let sweep = queries.on(&world).slide(&fall, |impact| impact.other != hero)?;
    /// assert_eq!([sweep.at.x, sweep.at.y], [30.0, 18.0]);
    /// assert_eq!(sweep.stop.unwrap().impact.normal, [0.0, -1.0]); // it stands on something
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn slide(self, body: &Body, counts: impl Fn(&Impact) -> bool) -> Result<Sweep> {
        let first = self.sweep(body, &counts)?;
        let mut last = first;
        for _ in 0..SLIDES {
            let left = last.stop.map(|stop| stop.slide());
            let Some(left) = left.filter(|&left| left != Vec2::default()) else { break };
            last = self.sweep(&Body { at: last.at, motion: left, ..*body }, &counts)?;
        }
        Ok(Sweep { at: last.at, stop: first.stop })
    }
}

/// On the lattice, as engines have it.
fn snapped(v: Vec2) -> Vec2 {
    [v.x, v.y].map(|v| fix(v) / f64::from(SUBPIXELS)).into()
}
