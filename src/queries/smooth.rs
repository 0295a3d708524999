//! Which way the surface of pixels faces where a body or a ray has hit it, as one looks at it.

use super::search::Search;
use crate::ground::aabb::Aabb;
use crate::ground::error::Result;
use crate::ground::lattice::{Point, WORLD, fix};
use crate::ground::vec2::Vec2;
use crate::host::stop::Stop;
use crate::host::surface::{around, smoothed, snapped_window, touched};
use crate::questions::{Ray, RayContact, RayHit, Region};
use crate::world::body::{Body, BodyId};
use crate::world::packed::{self, SPRITE};

impl Search<'_> {
    /// Returns which way the surface faces where a body was stopped, its stairs of pixels smoothed: what
    /// [`World::surface_normal`](crate::World::surface_normal) tells there of all bodies together that the body may hit
    /// and that count. `body` is the one that was swept, `stop` what stopped it, `window` 1 to 64 units; 8 is a good
    /// one.
    ///
    /// It is [`Impact::normal`](crate::response::Impact::normal) where that is exact already, as what was hit is no
    /// sprite; and where no smoothed one is to be had, or it leads into the side that was hit.
    ///
    /// Take the speed of a body by it, as in bouncing and rolling, or turn its picture. Where the body can go on, the
    /// side that was hit decides: move it by [`Stop::slide`] or [`Search::slide`].
    ///
    /// Bodies stand where they are at the start of the step, as in all questions; for a stop of a step in which what
    /// was hit moves, ask after [`World::advance`](crate::World::advance). A body that is in the world meets itself:
    /// leave it out by [`Search::except`].
    ///
    /// Takes as long as a question by a [`Region`] of the window, and then as `World::surface_normal`. Errors are its
    /// own, those of a question by `body`, and an [`Error::Gone`](crate::Error::Gone) where what was hit is gone.
    ///
    /// ```
    /// use hitmask::query::Queries;
    /// use hitmask::{Body, Mask, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ramp = world.add_shape(Shape::sprite(Mask::from_fn(80, 40, |x, y| y >= 39 - x / 2)?))?;
    /// world.add(&Body::new(ramp, [0, 0]))?;
    /// let ball = world.add_shape(Shape::circle(5.0)?)?;
    /// let (mut queries, fall) = (Queries::new(), Body::new(ball, [40.8, 0.0]).moving([0, 40]));
    /// let search = queries.on(&world);
    /// let stop = search.sweep(&fall, |_| true)?.stop.unwrap();
    /// let off = |[x, y]: [f64; 2]| (x - -0.447).abs().max((y - -0.894).abs()); // of what 26.6 degrees have
    /// assert!(off(stop.impact.normal) > 0.2); // it lies on the corner of a pixel
    /// assert!(off(search.smooth_normal(&fall, &stop, 8.0, |_| true)?) < 0.01);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn smooth_normal(
        self,
        body: &Body,
        stop: &Stop,
        window: f64,
        counts: impl Fn(BodyId) -> bool,
    ) -> Result<[f64; 2]> {
        let (window, normal) = (snapped_window(window)?, stop.impact.normal);
        let ours = self.world.pose_apart(&Body { at: stop.at, motion: Vec2::default(), ..*body })?;
        let packed = self.world.packed();
        let other = packed.body(self.world.index_of(stop.impact.other)?);
        if !other.is(SPRITE) {
            return Ok(normal);
        }
        let Some(at) = touched(packed, &ours, &other, normal, self.world.touch()) else { return Ok(normal) };
        let meets = |id, ground: &packed::Body| ground.filter.sees(&ours.filter) && counts(id);
        let smooth = self.smoothed(at.units().into(), normal, window, body.hits, meets)?;
        Ok(smooth.unwrap_or(normal))
    }

    /// Returns [`World::ray_contact`](crate::World::ray_contact) with the normal of the surface as one looks at it, its
    /// stairs of pixels smoothed: what [`World::surface_normal`](crate::World::surface_normal) tells there of all
    /// bodies together that the ray may hit. `window` is 1 to 64 units; 8 is a good one.
    ///
    /// [`RayContact::beside`] then lies a whole unit off the edge along that normal: beyond the stairs of a slope, so
    /// that [`RayContact::reflect`] leads away from it. Where there is something else within a unit, it may be in that.
    ///
    /// It is the contact as it was where what was hit is no sprite; and where no smoothed normal is to be had, or it
    /// leads into the side that was hit.
    ///
    /// Takes as long as a question by a [`Region`] of the window, and then as `World::surface_normal`. Errors are its
    /// own and those of `World::ray_contact`.
    ///
    /// ```
    /// use hitmask::query::{Queries, Ray};
    /// use hitmask::{Body, Mask, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ramp = world.add_shape(Shape::sprite(Mask::from_fn(80, 40, |x, y| y >= 39 - x / 2)?))?;
    /// world.add(&Body::new(ramp, [0, 0]))?;
    /// let (mut queries, ray) = (Queries::new(), Ray::new([40.3, 0.0], [40.3, 40.0]));
    /// let search = queries.on(&world);
    /// let hit = search.first(&ray)?.unwrap();
    /// assert_eq!(world.ray_contact(&ray, &hit)?.normal, [0.0, -1.0]); // that of a pixel
    /// let contact = search.smooth_ray_contact(&ray, &hit, 8.0)?;
    /// let [x, y] = contact.normal;
    /// assert!((x - -0.447).abs() < 0.01 && (y - -0.894).abs() < 0.01);
    /// let onward = Ray::new(contact.beside, contact.beside + contact.reflect([0, 40]));
    /// assert!(!search.any(&onward)?);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn smooth_ray_contact(self, ray: &Ray, hit: &RayHit, window: f64) -> Result<RayContact> {
        let window = snapped_window(window)?;
        let contact = self.world.ray_contact(ray, hit)?;
        let side = contact.normal;
        if !self.world.packed().body(self.world.index_of(hit.body)?).is(SPRITE) {
            return Ok(contact);
        }
        let Some(normal) = self.smoothed(contact.at, side, window, ray.hits, |_, _| true)? else { return Ok(contact) };
        let beside = contact.at + Vec2::from(side) * ray.radius + normal;
        Ok(RayContact { normal, beside, ..contact })
    }

    /// The smoothed normal of what is on some layers and counts, about a place on a side; `None` where there is none,
    /// or it leads into the side.
    fn smoothed(
        self,
        at: Vec2,
        side: [f64; 2],
        window: i32,
        hits: u32,
        counts: impl Fn(BodyId, &packed::Body) -> bool,
    ) -> Result<Option<[f64; 2]>> {
        // A unit out: of a line that is a pixel thick, the other side would weigh as much.
        let [x, y] = <[f64; 2]>::from(at + side).map(|v| fix(v) as i32);
        let (at, inside) = (Point::new(x, y), |v: i32| v.clamp(-WORLD, WORLD));
        let Aabb { min, max } = around(at, window);
        let [min, max] = [min, max].map(|p| Point::new(inside(p.x), inside(p.y)).units().into());
        let mut found = Vec::new();
        self.all(&Region { min, max, hits }, &mut found)?;
        let counted = |id: BodyId| self.world.posed(id).filter(|body| counts(id, body));
        let grounds: Vec<packed::Body> = found.into_iter().filter_map(counted).collect();
        let leads_out = |normal: &[f64; 2]| normal[0] * side[0] + normal[1] * side[1] > 0.0;
        Ok(smoothed(self.world.packed(), &grounds, at, window).filter(leads_out))
    }
}
