//! Adding, changing and removing single bodies.

use super::World;
use super::body::{Body, BodyId, ShapeId, body_at};
use super::content::Forms;
use super::filter::Filter;
use super::packed::{self, DETECTOR, Kind, OFF, Packed, Pose};
use super::pose::land::bound;
use super::pose::{self, Model, solid_box};
use crate::bits::look::Look;
use crate::ground::aabb::Aabb;
use crate::ground::error::{Error, Result};
use crate::ground::lattice::Point;
use crate::ground::linear::Linear;
use crate::ground::memory::{Need, Room};

/// The memory of the world's bodies, as errors name it.
pub(super) const BODIES: Need =
    Need { what: "the list of the world's bodies", advice: "split them over several worlds", beside: 0 };
/// Minimum number of unused indices at the end before they are dropped.
const UNUSED: usize = 1024;

impl World {
    /// Adds a body at the lowest free index and returns its handle.
    ///
    /// Returns [`Error::In`], which names the body by that index and holds an [`Error::Value`] with the invalid field,
    /// or [`Error::Capacity`] if there is not enough memory.
    ///
    /// ```
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// world.add(&Body::new(ball, [0, 0]))?;
    /// let error = world.add(&Body::new(ball, [f64::NAN, 0.0])).unwrap_err();
    /// assert_eq!(error.to_string(), "body 1: `at.x` is NaN; it must lie within ±2097151.99609375 units");
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn add(&mut self, body: &Body) -> Result<BodyId> {
        let posed = self.pose(self.body_handles.next(), body)?;
        self.make_body_room(1)?;
        Ok(self.insert(&posed, body))
    }

    /// Replaces a body. On an error it stays as it was.
    ///
    /// ```
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// let id = world.add(&Body::new(ball, [0, 0]))?;
    /// world.set(id, &Body::new(ball, [7, 0]))?;
    /// assert_eq!(world.body(id).unwrap().at.x, 7.0);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn set(&mut self, id: BodyId, body: &Body) -> Result<()> {
        let index = self.index_of(id)?;
        let posed = self.pose_again(index, body)?;
        let put = |world: &mut Self| {
            world.use_shape(index, posed.shape);
            world.put(index, &posed, body);
        };
        if self.has_form(index, &posed) && self.linears[index] == body.linear && self.tags[index] == body.tag {
            put(self);
        } else {
            self.edit_form(index, put);
        }
        Ok(())
    }

    /// Gives a body another shape, such as the next frame of an animation; everything else stays.
    ///
    /// ```
    /// use hitmask::{Body, Mask, Shape, World};
    ///
    /// let mut world = World::default();
    /// let sheet = Mask::from_rows(&["#..#", "##.."])?;
    /// let frames = [[0, 0, 2, 2], [2, 0, 2, 2]].map(|region| sheet.cropped(region));
    /// let frames = Shape::sprites(frames.into_iter().collect::<Result<Vec<_>, _>>()?, [1.0, 1.0])?;
    /// let frames = world.add_shapes(frames)?;
    /// let walker = world.add(&Body::new(frames[0], [10, 10]))?;
    /// world.set_shape(walker, frames[1])?;
    /// assert_eq!(world.body(walker).unwrap().shape, frames[1]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn set_shape(&mut self, id: BodyId, shape: ShapeId) -> Result<()> {
        let body = self.body(id).ok_or_else(|| gone(id))?;
        self.set(id, &Body { shape, ..body })
    }

    /// Switches a body on or off. A body that is off hits nothing, costs nothing, and no query finds it.
    ///
    /// ```
    /// use hitmask::{Ask, Body, Engine, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// let [a, b] = [world.add(&Body::new(ball, [0, 0]))?, world.add(&Body::new(ball, [1, 0]))?];
    /// world.set_enabled(a, false)?;
    /// assert!(Engine::cpu()?.run(&world, Ask::Pairs)?.pairs.is_empty());
    /// world.set_enabled(a, true)?;
    /// assert_eq!(Engine::cpu()?.run(&world, Ask::Pairs)?.pairs, [[a.index(), b.index()]]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn set_enabled(&mut self, id: BodyId, enabled: bool) -> Result<()> {
        let index = self.index_of(id)?;
        self.edit_form(index, |world| {
            let flags = &mut world.packed.poses[index].flags;
            *flags = if enabled { *flags & !OFF } else { *flags | OFF };
        });
        self.changed_forms.note(index as u32, self.packed.len());
        self.refresh(index);
        Ok(())
    }

    /// Sets the layers that a body is on, the layers that it hits (`mask`) and its group, as [`Body::filtered`] and
    /// [`Body::grouped`] do; everything else stays. Its pose is not computed again.
    ///
    /// Returns [`Error::Gone`] if the body is gone.
    ///
    /// ```
    /// use hitmask::{Ask, Body, Engine, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// let [ship, shot] = [world.add(&Body::new(ball, [0, 0]))?, world.add(&Body::new(ball, [1, 0]))?];
    /// world.set_filter(ship, 1, 0, 0)?; // invulnerable: it hits no layer
    /// assert!(Engine::cpu()?.run(&world, Ask::Pairs)?.pairs.is_empty());
    /// world.set_filter(ship, 1, u32::MAX, 0)?;
    /// assert_eq!(Engine::cpu()?.run(&world, Ask::Pairs)?.pairs, [[ship.index(), shot.index()]]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn set_filter(&mut self, id: BodyId, layers: u32, mask: u32, group: u32) -> Result<()> {
        let index = self.index_of(id)?;
        let filter = Filter { layers, mask, group };
        let posed = packed::Body { filter, ..self.packed.body(index) };
        self.edit_form(index, |world| world.put_posed(index, &posed));
        Ok(())
    }

    /// Makes a body a detector, or no longer one, as [`Body::detector`] does; everything else stays.
    ///
    /// Returns [`Error::Gone`] if the body is gone.
    ///
    /// ```
    /// use hitmask::{Ask, Body, Engine, Shape, World};
    ///
    /// let mut world = World::default();
    /// let [ball, box_] = [world.add_shape(Shape::circle(1.0)?)?, world.add_shape(Shape::rect(8.0, 8.0)?)?];
    /// let zone = world.add(&Body::new(box_, [0, 0]).filtered(2, 1))?;
    /// world.add(&Body::new(ball, [4, 4]).filtered(1, 4))?; // it does not hit the zone's layer
    /// assert!(Engine::cpu()?.run(&world, Ask::Pairs)?.pairs.is_empty());
    /// world.set_detector(zone, true)?;
    /// assert_eq!(Engine::cpu()?.run(&world, Ask::Pairs)?.pairs, [[0, 1]]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn set_detector(&mut self, id: BodyId, detector: bool) -> Result<()> {
        let index = self.index_of(id)?;
        let before = self.packed.body(index);
        let flags = if detector { before.flags | DETECTOR } else { before.flags & !DETECTOR };
        self.edit_form(index, |world| world.put_posed(index, &packed::Body { flags, ..before }));
        Ok(())
    }

    /// Removes a body from the world and returns it.
    ///
    /// ```
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// let ids = [world.add(&Body::new(ball, [0, 0]))?, world.add(&Body::new(ball, [5, 0]))?];
    /// assert_eq!(world.remove(ids[0])?, Body::new(ball, [0, 0]));
    /// assert_eq!(world.remove(ids[0]).unwrap_err().to_string(), "body 0 was removed, or belongs to another world");
    /// assert_eq!(world.add(&Body::new(ball, [9, 0]))?.index(), 0);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn remove(&mut self, id: BodyId) -> Result<Body> {
        let body = self.body(id).ok_or_else(|| gone(id))?;
        self.take_out(id.index as usize);
        Ok(body)
    }

    /// Removes all bodies from the world. Its shapes stay.
    ///
    /// ```
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// let id = world.add(&Body::new(ball, [0, 0]))?;
    /// world.clear();
    /// assert!(world.is_empty() && world.body(id).is_none() && world.shape(ball).is_some());
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn clear(&mut self) {
        for index in 0..self.indices() {
            if self.body_handles.serial(index as u32).is_some() {
                self.body_handles.give_back(index);
            }
        }
        self.body_handles.shrink(0);
        self.truncate(0);
        self.uses.fill(0);
        self.forms = Forms::default();
    }

    /// Returns the index of a body; an error if it is gone.
    #[inline]
    pub(crate) fn index_of(&self, id: BodyId) -> Result<usize> {
        if self.body_handles.lives(id.index, id.serial) { Ok(id.index as usize) } else { Err(gone(id)) }
    }

    /// Adds the body at an index to an error.
    #[cold]
    pub(super) fn blame(&self, index: usize, error: Error) -> Error {
        error.at(body_at(index), self.id(index as u32))
    }

    /// Snaps and checks a body; errors name it by `index`.
    fn pose(&self, index: usize, body: &Body) -> Result<packed::Body> {
        self.pose_apart(body).map_err(|error| self.blame(index, error))
    }

    /// Snaps and checks a body that replaces the one at an index; errors name it by `index`.
    pub(super) fn pose_again(&self, index: usize, body: &Body) -> Result<packed::Body> {
        let before = self.packed.body(index);
        let is_before = |shape: usize| shape == before.shape as usize;
        // Most bodies that are set only move.
        if self.index_of_shape(body.shape).is_ok_and(is_before) && self.linears[index] == body.linear {
            pose::repose(body, &before).map_err(|error| self.blame(index, error))
        } else {
            self.pose(index, body)
        }
    }

    /// Snaps and checks a body that is not added to the world.
    pub(crate) fn pose_apart(&self, body: &Body) -> Result<packed::Body> {
        self.model(body.shape).and_then(|model| pose::pose(body, &model))
    }

    /// Returns a shape with the data that poses are computed from.
    fn model(&self, id: ShapeId) -> Result<Model<'_>> {
        self.index_of_shape(id).and_then(|index| self.model_at(index))
    }

    /// As [`World::model`], given the shape's index.
    #[inline(always)]
    pub(super) fn model_at(&self, index: usize) -> Result<Model<'_>> {
        let Some(shape) = &self.shapes[index] else { return Err(shape_gone(index)) };
        Ok(Model { shape, vertices: self.packed.vertices(&self.packed.shapes[index]), solid: self.solid[index] })
    }

    /// Returns the anchor of a sprite's shape and the box of its solid texels; `None` if it has none, and for any other
    /// shape.
    #[inline(always)]
    pub(super) fn solid_of(&self, index: usize) -> Option<(Point, Aabb)> {
        let shape = self.shapes[index].as_ref()?;
        Some((shape.anchor, solid_box(self.solid[index]?)))
    }

    /// Stores a posed body at the lowest free index, for which there must be room.
    pub(super) fn insert(&mut self, posed: &packed::Body, body: &Body) -> BodyId {
        let index = self.body_handles.next();
        let shape = self.shape_handles.serial(posed.shape).unwrap_or_default();
        let [at, motion] = [posed.position, posed.motion].map(Point::word);
        let serial = self.body_handles.take([shape, at, motion, body.tag]);
        if index == self.packed.len() {
            self.push_absent();
        }
        self.uses[posed.shape as usize] += 1;
        self.put(index, posed, body);
        self.count_form(index);
        BodyId { index: index as u32, serial }
    }

    /// Removes the body at an index.
    pub(super) fn take_out(&mut self, index: usize) {
        self.uses[self.packed.poses[index].shape as usize] -= 1;
        self.discount_form(index);
        self.body_handles.give_back(index);
        self.make_absent(index);
        if self.body_handles.shrink(UNUSED) {
            self.truncate(self.body_handles.indices());
        } else {
            self.changed_bodies.note(index as u32, self.packed.len());
        }
    }

    /// Counts the body at an index as a user of this shape, and no longer of the one that it has.
    pub(super) fn use_shape(&mut self, index: usize, shape: u32) {
        self.uses[self.packed.poses[index].shape as usize] -= 1;
        self.uses[shape as usize] += 1;
    }

    /// Stores a posed body, its linear part and its tag at its index.
    fn put(&mut self, index: usize, posed: &packed::Body, body: &Body) {
        self.linears[index] = body.linear.without_minus_zero();
        self.tags[index] = body.tag;
        self.put_posed(index, posed);
    }

    /// Returns true if the body at an index differs from a posed one at most in position and motion.
    fn has_form(&self, index: usize, posed: &packed::Body) -> bool {
        let packed::Body { position, motion, .. } = *posed;
        packed::Body { position, motion, ..self.packed.body(index) } == *posed
    }

    /// Writes a posed body to the columns.
    pub(super) fn put_posed(&mut self, index: usize, posed: &packed::Body) {
        if self.packed.filters[index] != posed.filter {
            self.packed.filters[index] = posed.filter;
            self.changed_forms.note(index as u32, self.packed.len());
        }
        self.packed.classes.put(index, &posed.filter, posed.is(DETECTOR));
        self.put_pose(index, posed, bound(posed));
    }

    /// Writes a posed body with these bounds to the columns, except for its filter.
    #[inline(always)]
    pub(super) fn put_pose(&mut self, index: usize, posed: &packed::Body, bounds: Aabb) {
        let (extent, pose) = (posed.extent, posed.pose());
        if self.packed.poses[index] != pose || self.packed.extents[index] != extent {
            self.packed.poses[index] = pose;
            self.packed.extents[index] = extent;
            self.changed_forms.note(index as u32, self.packed.len());
        }
        self.packed.positions[index] = posed.position;
        self.packed.motions[index] = posed.motion;
        self.derive(index, posed, bounds);
    }

    /// Updates everything that is derived from a body, and notes that it changed.
    pub(super) fn refresh(&mut self, index: usize) {
        let body = self.packed.body(index);
        self.derive(index, &body, bound(&body));
    }

    /// As [`World::refresh`], given the body and its bounds.
    #[inline(always)]
    fn derive(&mut self, index: usize, body: &packed::Body, bounds: Aabb) {
        let Packed { shapes, bounds: all, kinds, looks, moving, varied, masked, filtered, grouped, detecting, .. } =
            &mut self.packed;
        let shape = &shapes[body.shape as usize];
        let (kind, look) = (body.kind(shape.corners), body.look(shape));
        kinds[index] = kind;
        all[index] = if kind == Kind::Absent { Aabb::NOWHERE } else { bounds };
        looks[index] = look;
        *moving |= body.moves();
        *masked |= look != Look::default();
        *varied |= kind != Kind::Box;
        *filtered |= Filter { group: 0, ..body.filter } != Filter::ALL;
        *grouped |= body.filter.group != 0;
        *detecting |= body.is(DETECTOR);
        self.changed_bodies.note(index as u32, self.packed.len());
    }

    /// Makes room for this many more bodies.
    pub(super) fn make_body_room(&mut self, bodies: usize) -> Result<()> {
        // Free indices are taken first.
        self.make_indices_room(self.indices().max(self.len() + bodies))
    }

    /// Makes room for this many indices.
    pub(super) fn make_indices_room(&mut self, indices: usize) -> Result<()> {
        // One index is reserved to mean "no body".
        if indices > u32::MAX as usize {
            return Err(Error::value("bodies", indices - 1, format!("stay below {}", u32::MAX)));
        }
        if indices > self.tags.capacity() { self.grow(indices) } else { Ok(()) }
    }

    /// Makes room for `least` bodies in every list that has an entry for each: for twice as many or, if memory is
    /// short, for an eighth more.
    #[cold]
    fn grow(&mut self, least: usize) -> Result<()> {
        let room = Room::default();
        self.reserve(2 * least, &room).or_else(|_| self.reserve(least + least / 8, &room))
    }

    fn reserve(&mut self, count: usize, room: &Room) -> Result<()> {
        let Packed { positions, motions, extents, poses, filters, classes, bounds, kinds, looks, .. } =
            &mut self.packed;
        room.grow_to(positions, count, BODIES)?;
        room.grow_to(motions, count, BODIES)?;
        room.grow_to(extents, count, BODIES)?;
        room.grow_to(poses, count, BODIES)?;
        room.grow_to(filters, count, BODIES)?;
        room.grow_to(classes.column_mut(), count, BODIES)?;
        room.grow_to(bounds, count, BODIES)?;
        room.grow_to(kinds, count, BODIES)?;
        room.grow_to(looks, count, BODIES)?;
        room.grow_to(&mut self.linears, count, BODIES)?;
        self.changed_bodies.reserve(count, room, BODIES)?;
        self.changed_forms.reserve(count, room, BODIES)?;
        self.body_handles.reserve(count, room, BODIES)?;
        // Grown last, because its capacity stands for that of all.
        room.grow_to(&mut self.tags, count, BODIES)
    }

    /// Appends indices without a body until there are this many.
    pub(super) fn push_absent_until(&mut self, indices: usize) {
        while self.packed.len() < indices {
            self.changed_bodies.note(self.packed.len() as u32, indices);
            self.push_absent();
        }
    }

    /// Appends an index without a body.
    fn push_absent(&mut self) {
        let packed = &mut self.packed;
        packed.positions.push(Point::ZERO);
        packed.motions.push(Point::ZERO);
        packed.extents.push(Aabb { min: Point::ZERO, max: Point::ZERO });
        packed.poses.push(Pose::NONE);
        packed.filters.push(Filter::ALL);
        packed.classes.push();
        packed.bounds.push(Aabb::NOWHERE);
        packed.kinds.push(Kind::Absent);
        packed.looks.push(Look::default());
        self.linears.push(Linear::IDENTITY);
        self.tags.push(0);
        self.changed_forms.note(self.packed.len() as u32 - 1, self.packed.len());
    }

    /// Clears an index, which is then without a body.
    pub(super) fn make_absent(&mut self, index: usize) {
        let packed = &mut self.packed;
        packed.positions[index] = Point::ZERO;
        packed.motions[index] = Point::ZERO;
        packed.extents[index] = Aabb { min: Point::ZERO, max: Point::ZERO };
        packed.poses[index] = Pose::NONE;
        packed.filters[index] = Filter::ALL;
        packed.classes.remove(index);
        packed.bounds[index] = Aabb::NOWHERE;
        packed.kinds[index] = Kind::Absent;
        packed.looks[index] = Look::default();
        (self.linears[index], self.tags[index]) = (Linear::IDENTITY, 0);
        self.changed_forms.note(index as u32, self.packed.len());
    }

    /// Drops the indices from `indices` on.
    pub(super) fn truncate(&mut self, indices: usize) {
        let packed = &mut self.packed;
        packed.positions.truncate(indices);
        packed.motions.truncate(indices);
        packed.extents.truncate(indices);
        packed.poses.truncate(indices);
        packed.filters.truncate(indices);
        packed.classes.truncate(indices);
        packed.bounds.truncate(indices);
        packed.kinds.truncate(indices);
        packed.looks.truncate(indices);
        self.linears.truncate(indices);
        self.tags.truncate(indices);
        if indices == 0 {
            (packed.moving, packed.varied, packed.masked) = (false, false, false);
            (packed.filtered, packed.grouped, packed.detecting) = (false, false, false);
        }
        self.changed_bodies.note_all();
    }
}

/// Returns the error for a shape that is gone.
#[cold]
pub(super) fn shape_gone(index: usize) -> Error {
    Error::Gone { what: format!("shape {index}") }
}

/// Returns the error for a handle of a body that is gone.
#[cold]
pub(super) fn gone(id: BodyId) -> Error {
    Error::Gone { what: body_at(id.index) }
}
