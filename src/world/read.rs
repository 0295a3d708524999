//! Reading a world: bodies, shapes, bounding boxes, and how sprites are sampled.

use super::World;
use super::body::{Body, BodyId, ShapeId};
use super::packed::{self, DETECTOR, EMPTY, OFF, SPRITE};
use super::pose::land::bound;
use super::pose::texel::{self, texel_under};
use super::seam::Seam;
use super::shape::{Geometry, Shape};
use crate::ground::aabb::Aabb;
use crate::ground::error::Result;
#[cfg(feature = "gpu")]
use crate::ground::linear::Linear;
use crate::ground::vec2::Vec2;
use crate::simd::Lanes;

/// The mapping from world pixels to a sprite's texels, with which a shader can draw the sprite exactly as engines see
/// it.
///
/// For the pixel `i` to the right of the first of `pixels` and `j` below it, the texel under its centre is
/// `(start + i * across + j * down) >> 16`, in `i64`. If that lies outside the mask, there is no texel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sampling {
    /// The pixels that the sprite may paint, `[x, y, width, height]`.
    pub pixels: [i32; 4],
    /// The texel coordinates under the first of `pixels`, with 16 fractional bits.
    pub start: [i64; 2],
    /// The change of texel coordinates for each pixel to the right.
    pub across: [i32; 2],
    /// The change of texel coordinates for each pixel down.
    pub down: [i32; 2],
}

impl World {
    /// Returns the linear parts of all indices, as they were set.
    #[cfg(feature = "gpu")]
    pub(crate) fn linears(&self) -> impl Iterator<Item = Linear> + '_ {
        self.linears.iter().copied()
    }

    /// Returns the seams of the shape with this index; empty unless it is a polygon of several pieces.
    pub(crate) fn seams(&self, shape: u32) -> &[Seam] {
        match self.shapes.get(shape as usize) {
            Some(Some(Shape { geometry: Geometry::Convex { seams, .. }, .. })) => seams,
            _ => &[],
        }
    }

    /// Returns the handle of the body with this index, by which answers and GPU buffers name it; `None` if the index is
    /// free.
    ///
    /// ```
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// let id = world.add(&Body::new(ball, [0, 0]))?;
    /// assert_eq!((id.index(), world.id(0), world.id(1)), (0, Some(id), None));
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn id(&self, index: u32) -> Option<BodyId> {
        self.body_handles.serial(index).map(|serial| BodyId { index, serial })
    }

    /// Returns the handle and the tag of the body with this index; `None` if the index is free.
    #[inline]
    pub(crate) fn tagged(&self, index: u32) -> Option<(BodyId, u64)> {
        Some((self.id(index)?, *self.tags.get(index as usize)?))
    }

    /// Prefetches the memory that [`World::id`] reads.
    #[inline(always)]
    pub(crate) fn prefetch_id<L: Lanes>(&self, lanes: L, index: u32) {
        self.body_handles.prefetch(lanes, index);
    }

    /// Returns the handles of all bodies, in order of index.
    ///
    /// ```
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// let ids = [world.add(&Body::new(ball, [0, 0]))?, world.add(&Body::new(ball, [5, 0]))?];
    /// assert_eq!(world.ids().collect::<Vec<_>>(), ids);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = BodyId> + '_ {
        self.body_handles.iter().map(|(index, serial)| BodyId { index, serial })
    }

    /// Returns a body as it was set, with position and motion snapped to the lattice; `None` if it is gone.
    ///
    /// ```
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// let id = world.add(&Body::new(ball, [0.3, 7.0]))?;
    /// assert_eq!(world.body(id), Some(Body::new(ball, [77.0 / 256.0, 7.0])));
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn body(&self, id: BodyId) -> Option<Body> {
        let (body, index) = (self.posed(id)?, id.index as usize);
        let serial = self.shape_handles.serial(body.shape)?;
        Some(Body {
            shape: ShapeId { index: body.shape, serial },
            at: body.position.units().into(),
            linear: self.linears[index],
            motion: body.motion.units().into(),
            layers: body.filter.layers,
            mask: body.filter.mask,
            detector: body.is(DETECTOR),
            group: body.filter.group,
            enabled: !body.is(OFF),
            tag: self.tags[index],
        })
    }

    /// Returns whether `body` sees `other`: it hits a layer of the other, which also hits one of its own unless `body`
    /// is a [detector](Body::detector), and they are not in one group. A step tests two bodies if one sees the other.
    /// Switches, positions and shapes are ignored.
    ///
    /// Returns [`Error::Gone`](crate::Error::Gone) for the handle of a removed body.
    ///
    /// ```
    /// use hitmask::response::Events;
    /// use hitmask::{Ask, Body, Engine, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(5.0)?)?;
    /// let [coin, hero] = [1, 2];
    /// world.add(&Body::new(ball, [0, 0]).filtered(coin, 0))?;
    /// world.add(&Body::new(ball, [3, 0]).filtered(hero, coin).detector(true))?;
    /// let mut events = Events::default();
    /// events.update(&world, &Engine::cpu()?.run(&world, Ask::Pairs)?)?;
    /// for event in events.began() {
    ///     let [a, b] = event.pair;
    ///     assert_eq!([world.sees(a, b)?, world.sees(b, a)?], [false, true]); // the hero collects the coin
    /// }
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn sees(&self, body: BodyId, other: BodyId) -> Result<bool> {
        let [body, other] = [self.index_of(body)?, self.index_of(other)?].map(|index| self.packed.body(index));
        Ok(body.sees(&other))
    }

    /// Returns the bounding box of a body over the whole step, motion included, in lattice steps; `None` if the body is
    /// gone or empty, as for [`World::bounds`].
    ///
    /// ```
    /// use hitmask::geometry::{Aabb, Point};
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let tile = world.add_shape(Shape::rect(2.0, 1.0)?)?;
    /// let id = world.add(&Body::new(tile, [3, 0]))?;
    /// assert_eq!(world.swept_bounds(id), Some(Aabb { min: Point::new(768, 0), max: Point::new(1280, 256) }));
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn swept_bounds(&self, id: BodyId) -> Option<Aabb> {
        Some(bound(&self.posed(id)?)).filter(Aabb::is_somewhere)
    }

    /// Returns the bounding box of a body at the start of the step, in lattice steps; `None` if the body is gone or
    /// empty: a sprite without a solid texel, or a body whose [linear part](Body::linear) leaves it no area. An empty
    /// body hits nothing. One that is switched off has a bounding box.
    ///
    /// ```
    /// use hitmask::{Body, Linear, Shape, World};
    ///
    /// let mut world = World::default();
    /// let tile = world.add_shape(Shape::rect(2.0, 1.0)?)?;
    /// let tile = Body::new(tile, [3, 0]).moving([100, 0]);
    /// let [id, empty] = [world.add(&tile)?, world.add(&tile.posed(Linear::scaled(0.0)))?];
    /// assert_eq!(world.bounds(id).unwrap().max.units(), [5.0, 1.0]);
    /// assert_eq!(world.bounds(empty), None);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn bounds(&self, id: BodyId) -> Option<Aabb> {
        Some(self.posed(id)?.reach()).filter(Aabb::is_somewhere)
    }

    /// Returns the world pixels that a sprite may paint at the start of the step, `[x, y, width, height]`; `None` for a
    /// sprite without a solid texel and for any other body.
    ///
    /// ```
    /// use hitmask::{Body, Mask, Shape, World};
    ///
    /// let mut world = World::default();
    /// let arrow = world.add_shape(Shape::sprite(Mask::from_rows(&["..#", "###"])?))?;
    /// let id = world.add(&Body::new(arrow, [7, 1]))?;
    /// assert_eq!(world.pixels(id), Some([7, 1, 3, 2]));
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn pixels(&self, id: BodyId) -> Option<[i32; 4]> {
        let Aabb { min, max } = self.sprite(id)?.pixels();
        Some([min.x, min.y, max.x - min.x, max.y - min.y])
    }

    /// Returns the mapping from the pixels that a sprite may paint to its texels; `None` for a sprite without a solid
    /// texel and for any other body.
    ///
    /// ```
    /// use hitmask::{Body, Linear, Mask, Shape, World};
    ///
    /// let mut world = World::default();
    /// let arrow = world.add_shape(Shape::sprite(Mask::from_rows(&["..#", "###"])?))?;
    /// let turned = world.add(&Body::new(arrow, [10, 10]).posed(Linear::from_degrees(180.0)))?;
    /// let texels = world.sampling(turned).unwrap();
    /// assert_eq!(texels.start.map(|v| v >> 16), [2, 1]); // the last texel lies under the first pixel
    /// assert_eq!((texels.across, texels.down), ([-65536, 0], [0, -65536]));
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn sampling(&self, id: BodyId) -> Option<Sampling> {
        let body = self.sprite(id)?;
        let (shape, [x, y]) = (&self.packed.shapes[body.shape as usize], [body.linear.x, body.linear.y]);
        let pixels @ [left, top, ..] = self.pixels(id)?;
        let start = texel_under(&body, shape, left, top);
        Some(Sampling { pixels, start, across: [x[0], y[0]], down: [x[1], y[1]] })
    }

    /// Returns the texel that a sprite paints in a world pixel; `None` if it paints none there or the body is no
    /// sprite. [`World::local`] maps any point to the mask.
    ///
    /// ```
    /// use hitmask::{Body, Linear, Mask, Shape, World};
    ///
    /// let mut world = World::default();
    /// let arrow = world.add_shape(Shape::sprite(Mask::from_rows(&["..#", "###"])?))?;
    /// let turned = world.add(&Body::new(arrow, [10, 10]).posed(Linear::from_degrees(180.0)))?;
    /// assert_eq!(world.texel(turned, [7, 9]), Some([2, 0]));
    /// assert_eq!(world.texel(turned, [8, 9]), None);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn texel(&self, id: BodyId, pixel: [i32; 2]) -> Option<[u32; 2]> {
        texel::texel(&self.packed, &self.posed(id)?, pixel)
    }

    /// Maps a point of the world, in units, to the local frame of a body's shape. For a sprite the result is in texels
    /// of its mask, solid or not, as [`Mask::erase_disc`](crate::Mask::erase_disc) takes it. Returns `None` if the body
    /// is gone, if its linear part is singular, or if the point is not finite.
    ///
    /// This uses `f64` and the body's pose at the start of the step; at a texel's edge the result may differ from
    /// [`World::texel`].
    ///
    /// ```
    /// use hitmask::{Body, Linear, Mask, Shape, World};
    ///
    /// let mut world = World::default();
    /// let wall = world.add_shape(Shape::sprite(Mask::from_rows(&["####"; 4])?))?;
    /// let wall = world.add(&Body::new(wall, [10, 20]).posed(Linear::scaled(2.0)))?;
    /// assert_eq!(world.local(wall, [9, 26]), Some([-0.5, 3.0].into()));
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn local(&self, id: BodyId, point: impl Into<Vec2>) -> Option<Vec2> {
        let (Body { at, linear, shape, .. }, point) = (self.body(id)?, point.into());
        let [x, y] = [point.x - at.x, point.y - at.y];
        let [left, top] = self.shape(shape)?.anchor.units();
        let [u, v] = linear.inverted().map(|[a, b]| a * x + b * y);
        Some([left + u, top + v].into()).filter(|local: &Vec2| local.x.is_finite() && local.y.is_finite())
    }

    /// Returns a shape; `None` if it is gone.
    ///
    /// ```
    /// use hitmask::{Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// assert_eq!(world.shape(ball), Some(&Shape::circle(1.0)?));
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn shape(&self, id: ShapeId) -> Option<&Shape> {
        self.index_of_shape(id).ok().and_then(|index| self.shapes[index].as_ref())
    }

    /// Returns all shapes with their handles, in order of index.
    ///
    /// ```
    /// use hitmask::{Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// assert_eq!(world.shapes().collect::<Vec<_>>(), [(ball, &Shape::circle(1.0)?)]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn shapes(&self) -> impl DoubleEndedIterator<Item = (ShapeId, &Shape)> {
        let there = self.shape_handles.iter();
        there.filter_map(|(index, serial)| Some((ShapeId { index, serial }, self.shapes[index as usize].as_ref()?)))
    }

    /// Returns the number of bodies that use a shape; `None` if it is gone. A shape that none uses can be removed.
    ///
    /// ```
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// world.add(&Body::new(ball, [0, 0]))?;
    /// assert_eq!(world.uses(ball), Some(1));
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn uses(&self, id: ShapeId) -> Option<u32> {
        self.index_of_shape(id).ok().map(|index| self.uses[index])
    }

    /// Returns a body as engines read it.
    pub(crate) fn posed(&self, id: BodyId) -> Option<packed::Body> {
        self.index_of(id).ok().map(|index| self.packed.body(index))
    }

    fn sprite(&self, id: BodyId) -> Option<packed::Body> {
        self.posed(id).filter(|body| body.is(SPRITE) && !body.is(EMPTY))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::linear::{Flip, Linear};
    use crate::mask::Mask;
    use hitmask_workbench::workloads::SplitMix64;

    /// Maps the centres of painted pixels to the texels that the sprite paints there.
    #[test]
    fn a_point_lies_on_the_texel_that_is_painted_there() {
        let mut random = SplitMix64(77);
        let mut painted = 0;
        for round in 0..200 {
            let mut real = |most: f64| most * f64::from(random.below(1 << 16)) / f64::from(1 << 16);
            let mut world = World::default();
            let mask = Mask::from_fn(9, 7, |_, _| true).unwrap();
            let shape = Shape::sprite(mask).anchored([real(9.0).floor(), real(7.0).floor()]).unwrap();
            let shape = world.add_shape(shape).unwrap();
            let flip = Flip { x: round % 2 == 0, y: round % 3 == 0 };
            let linear = Linear::new(real(360.0), [0.6 + real(2.0), 0.6 + real(2.0)], flip);
            let id = world.add(&Body::new(shape, [real(50.0).floor() - 25.0, 12.5]).posed(linear)).unwrap();
            for (x, y) in (-80..80).step_by(3).flat_map(|x| (-60..90).map(move |y| (x, y))) {
                let local = world.local(id, [f64::from(x) + 0.5, f64::from(y) + 0.5]).unwrap();
                // Painting snaps the inverse, so points at a texel's edge may differ.
                let is_clear = [local.x, local.y].iter().all(|v| (v - v.round()).abs() > 0.01);
                if let (Some(texel), true) = (world.texel(id, [x, y]), is_clear) {
                    assert_eq!([local.x, local.y].map(|v| v.floor() as u32), texel, "{linear:?} at {x}, {y}");
                    painted += 1;
                }
            }
        }
        assert!(painted > 1_000, "{painted}");
    }
}
