//! Smoothed normals of pixel surfaces where a body or a ray has hit them.

use super::search::Search;
use crate::ground::aabb::Aabb;
use crate::ground::error::Result;
use crate::ground::lattice::{MAX_COORDINATE, Point, snap};
use crate::ground::vec2::Vec2;
use crate::host::stop::Stop;
use crate::host::surface::{around, smoothed, snapped_window, touched};
use crate::queries::{RayCast, RayContact, RayHit, RegionQuery};
use crate::world::body::{Body, BodyId};
use crate::world::packed::{self, SPRITE};

impl Search<'_> {
    /// Returns the surface normal where a body was stopped, with stairs of pixels smoothed. It is
    /// [`World::surface_normal`](crate::World::surface_normal) at that place, of all bodies that the body sees and for
    /// which `counts` returns true. `body` is the body that was swept, `stop` what stopped it, `window` the radius
    /// to smooth over, 1 to 64 units; 8 works well.
    ///
    /// It returns [`Impact::normal`](crate::response::Impact::normal) if the body that was hit is not a sprite, since
    /// that normal is exact already, and if there is no smoothed normal or it points into the side that was hit.
    ///
    /// Use it to change a body's velocity, as in bouncing and rolling, or to turn its picture. The side that was hit
    /// decides whether the body can move on, so move it by [`Stop::slide`] or [`Search::slide`].
    ///
    /// Bodies are taken at the start of the step, as in all queries. For a stop from a step in which the body that was
    /// hit moves, call this after [`World::advance`](crate::World::advance). A body that is in the world hits itself:
    /// leave it out with [`Search::except`].
    ///
    /// Costs a [`RegionQuery`] of the window plus `World::surface_normal`. Errors are those of `World::surface_normal`
    /// and of a query with `body`, and an [`Error::Gone`](crate::Error::Gone) if the body that was hit is gone.
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
    /// let off = |[x, y]: [f64; 2]| (x - -0.447).abs().max((y - -0.894).abs()); // from that of a 26.6 degree slope
    /// assert!(off(stop.impact.normal) > 0.2); // it rests on the corner of a pixel
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
        let meets = |id, ground: &packed::Body| ours.sees(ground) && counts(id);
        let smooth = self.smoothed(at.units().into(), normal, window, body.mask, meets)?;
        Ok(smooth.unwrap_or(normal))
    }

    /// Returns [`World::ray_contact`](crate::World::ray_contact) with stairs of pixels smoothed: the normal is
    /// [`World::surface_normal`](crate::World::surface_normal) at that place, of all bodies that the ray may hit.
    /// `window` is the radius to smooth over, 1 to 64 units; 8 works well.
    ///
    /// [`RayContact::beside`] is then a whole unit off the edge along that normal. That is beyond the stairs of a
    /// slope, so a ray from there along [`RayContact::reflect`] leads away from it. If another body is within a unit,
    /// `beside` may be inside it.
    ///
    /// It returns the contact unchanged if the body that was hit is not a sprite, and if there is no smoothed normal or
    /// it points into the side that was hit.
    ///
    /// Costs a [`RegionQuery`] of the window plus `World::surface_normal`. Errors are those of `World::surface_normal`
    /// and of `World::ray_contact`.
    ///
    /// ```
    /// use hitmask::query::{Queries, RayCast};
    /// use hitmask::{Body, Mask, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ramp = world.add_shape(Shape::sprite(Mask::from_fn(80, 40, |x, y| y >= 39 - x / 2)?))?;
    /// world.add(&Body::new(ramp, [0, 0]))?;
    /// let (mut queries, ray) = (Queries::new(), RayCast::new([40.3, 0.0], [40.3, 40.0]));
    /// let search = queries.on(&world);
    /// let hit = search.first(&ray)?.unwrap();
    /// assert_eq!(world.ray_contact(&ray, &hit)?.normal, [0.0, -1.0]); // the normal of a pixel's side
    /// let contact = search.smooth_ray_contact(&ray, &hit, 8.0)?;
    /// let [x, y] = contact.normal;
    /// assert!((x - -0.447).abs() < 0.01 && (y - -0.894).abs() < 0.01);
    /// let onward = RayCast::new(contact.beside, contact.beside + contact.reflect([0, 40]));
    /// assert!(!search.any(&onward)?);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn smooth_ray_contact(self, ray: &RayCast, hit: &RayHit, window: f64) -> Result<RayContact> {
        let window = snapped_window(window)?;
        let contact = self.world.ray_contact(ray, hit)?;
        let side = contact.normal;
        if !self.world.packed().body(self.world.index_of(hit.body)?).is(SPRITE) {
            return Ok(contact);
        }
        let Some(normal) = self.smoothed(contact.at, side, window, ray.mask, |_, _| true)? else { return Ok(contact) };
        let beside = contact.at + Vec2::from(side) * ray.radius + normal;
        Ok(RayContact { normal, beside, ..contact })
    }

    /// Returns the smoothed normal near a place on a side, of the bodies on some layers that count; `None` if there is
    /// none, or if it points into the side.
    fn smoothed(
        self,
        at: Vec2,
        side: [f64; 2],
        window: i32,
        mask: u32,
        counts: impl Fn(BodyId, &packed::Body) -> bool,
    ) -> Result<Option<[f64; 2]>> {
        // Look from a unit outside the side: on a line one pixel thick, the other side would otherwise weigh as much.
        let [x, y] = <[f64; 2]>::from(at + side).map(|v| snap(v) as i32);
        let (at, inside) = (Point::new(x, y), |v: i32| v.clamp(-MAX_COORDINATE, MAX_COORDINATE));
        let Aabb { min, max } = around(at, window);
        let [min, max] = [min, max].map(|p| Point::new(inside(p.x), inside(p.y)).units().into());
        let mut found = Vec::new();
        self.all(&RegionQuery { min, max, mask }, &mut found)?;
        let counted = |id: BodyId| self.world.posed(id).filter(|body| counts(id, body));
        let grounds: Vec<packed::Body> = found.into_iter().filter_map(counted).collect();
        let leads_out = |normal: &[f64; 2]| normal[0] * side[0] + normal[1] * side[1] > 0.0;
        Ok(smoothed(self.world.packed(), &grounds, at, window).filter(leads_out))
    }
}
