//! Actors: bodies that play the tags of a sheet, with bodies for the named boxes of the frame that shows.
//!
//! ```text
//!            frame 0            frame 1
//! mask       shape of frame 0   shape of frame 1
//! "hurt"     box of "hurt"      box of "hurt"        a slot a name, or several if a frame has several boxes of it
//! "punch"    switched off       box of "punch"
//! ```
//!
//! All bodies of an actor have its pose. The anchor of each shape is the pivot of its frame, so that boxes stay in
//! place when the actor is flipped or turned.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;
use std::time::Duration;

use hitmask::geometry::{Flip, Vec2};
use hitmask::{Bodies, BodyId, Linear, Shape, ShapeId, World};

use crate::error::{Error, Result, malformed, quoted};
use crate::filter::Filter;
use crate::sheet::{NamedBox, Sheet};

/// The shapes of a [`Sheet`] in a [`World`], and the actors that play it.
///
/// ```
/// use std::time::Duration;
///
/// use hitmask::World;
/// use hitmask_files::{Cast, Filter, Sheet};
///
/// let mut world = World::default();
/// // The pixels of heroes hit walls, on layer 1. Their boxes hit each other, on layer 2.
/// let mut heroes = Cast::new(&mut world, Sheet::open("assets/hero.aseprite")?, [6.0, 16.0], |part| match part {
///     None => Some(Filter { layers: 1, mask: 1, ..Filter::default() }),
///     Some(_) => Some(Filter { layers: 2, mask: 2, ..Filter::default() }),
/// })?;
/// let mut hero = heroes.add(&mut world, 7)?; // any number that means it to the game
/// heroes.play(&mut hero, "walk")?;
/// hero.at = [100.0, 80.0].into();
/// hero.flip.x = true;
/// hero.elapsed += Duration::from_millis(16);
/// heroes.update(&mut world, std::slice::from_mut(&mut hero))?;
/// let hurt = heroes.parts(&hero).nth(1).expect("a box");
/// assert_eq!((hurt.entity, hurt.name, hurt.data), (7, Some("hurt"), "damage=2"));
/// # Ok::<(), hitmask_files::Error>(())
/// ```
pub struct Cast {
    sheet: Arc<Sheet>,
    /// The shapes of each frame by slot; `None` where a slot is empty. Slot 0 is the mask.
    shapes: Vec<Vec<Option<ShapeId>>>,
    /// The place in its frame of the box of each slot but the first, by frame.
    boxes: Vec<Vec<Option<usize>>>,
    /// The filter of each slot; `None` for one without bodies.
    filters: Vec<Option<Filter>>,
    /// The name of each slot; `None` for the mask.
    names: Vec<Option<Arc<str>>>,
    /// The owners of bodies, by index.
    owners: Vec<Option<Owner>>,
    /// The lists of an update, whose memory is used again.
    lists: Lists,
}

/// An actor of a [`Cast`]: change its fields, then call [`Cast::update`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Actor {
    /// The number that the game knows it by.
    pub entity: u64,
    /// The position of its pivot.
    pub at: Vec2,
    /// The motion in the next step.
    pub motion: Vec2,
    /// The rotation and scale, applied after the flip.
    pub linear: Linear,
    /// The flip about its pivot.
    pub flip: Flip,
    /// The index of the tag that it plays in [`Sheet::tags`]; `None` for all frames.
    pub tag: Option<usize>,
    /// The time for which it has played the tag.
    pub elapsed: Duration,
    /// The number of times that [`Cast::play`] was called.
    pub plays: u32,
    /// The bodies by slot.
    bodies: Vec<Option<BodyId>>,
    /// The frame that shows.
    frame: usize,
}

/// A part of an actor: its mask, or a named box.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Part<'a> {
    /// The entity of the actor.
    pub entity: u64,
    /// [`Actor::plays`] of the actor.
    pub plays: u32,
    /// The index of the frame that shows.
    pub frame: usize,
    /// The name of the box; `None` for the mask.
    pub name: Option<&'a str>,
    /// The text of the box's user data; empty for the mask, and for a box that the frame does not have.
    pub data: &'a str,
    /// The body.
    pub body: BodyId,
}

#[derive(Clone, Copy)]
struct Owner {
    body: BodyId,
    entity: u64,
    plays: u32,
    frame: usize,
    slot: usize,
}

#[derive(Default)]
struct Lists {
    bodies: Vec<BodyId>,
    shapes: Vec<ShapeId>,
    positions: Vec<Vec2>,
    linears: Vec<Linear>,
    motions: Vec<Vec2>,
}

/// The first group of actors: each has one, so that its own bodies do not hit each other.
const GROUPS: u32 = 1 << 31;

impl Cast {
    /// Adds the shapes of a sheet to a world. `pivot` is that of frames without one of their own, in pixels. `filter`
    /// returns what the masks of frames hit, for `None`, and what the boxes of a name hit; `None` for no bodies. The
    /// groups of filters are ignored: the bodies of an actor have a group of their own, from 2^31 on.
    pub fn new(
        world: &mut World,
        sheet: impl Into<Arc<Sheet>>,
        pivot: [f64; 2],
        filter: impl Fn(Option<&str>) -> Option<Filter>,
    ) -> Result<Self> {
        let sheet = sheet.into();
        let mut slots: HashMap<(&str, usize), usize> = HashMap::new();
        let mut filters = vec![filter(None)];
        let mut names = vec![None];
        let mut boxes = Vec::new();
        for frame in &sheet.frames {
            let mut seen: HashMap<&str, usize> = HashMap::new();
            let mut own = vec![None; filters.len()];
            for (place, named) in frame.boxes.iter().enumerate() {
                let count = seen.entry(&named.name).or_default();
                let slot = *slots.entry((&named.name, *count)).or_insert_with(|| {
                    filters.push(filter(Some(&named.name)));
                    names.push(Some(named.name.clone()));
                    filters.len() - 1
                });
                *count += 1;
                own.resize(own.len().max(slot + 1), None);
                own[slot] = Some(place);
            }
            boxes.push(own);
        }
        for own in &mut boxes {
            own.resize(filters.len(), None);
        }
        let mut cast =
            Self { shapes: Vec::new(), boxes, filters, names, owners: Vec::new(), lists: Lists::default(), sheet };
        match cast.add_shapes(world, pivot) {
            Ok(()) => Ok(cast),
            Err(error) => {
                cast.remove_from(world)?;
                Err(error)
            }
        }
    }

    fn add_shapes(&mut self, world: &mut World, pivot: [f64; 2]) -> Result<()> {
        let mut alike: HashMap<([i32; 4], [u64; 2]), ShapeId> = HashMap::new();
        for (k, frame) in self.sheet.frames.iter().enumerate() {
            let place = |error: hitmask::Error| Error::from(error).at(format!("frame {k}"));
            let pivot = frame.pivot.unwrap_or(pivot);
            self.shapes.push(vec![None; self.filters.len()]);
            if self.filters[0].is_some() {
                let shape = Shape::sprite(frame.mask.clone()).anchored(pivot).map_err(place)?;
                self.shapes[k][0] = Some(world.add_shape(shape).map_err(place)?);
            }
            for (slot, place_of_box) in self.boxes[k].iter().enumerate().skip(1) {
                let (Some(box_), Some(_)) = (place_of_box, self.filters[slot]) else { continue };
                let named = &frame.boxes[*box_];
                let key = (named.bounds, pivot.map(f64::to_bits));
                if let Entry::Vacant(place_of_shape) = alike.entry(key) {
                    let shape = box_shape(named, pivot).and_then(|shape| world.add_shape(shape));
                    let shape = shape.map_err(|error| place(error).at(format!("slice {}", quoted(&named.name))))?;
                    place_of_shape.insert(shape);
                }
                let shape = alike[&key];
                self.shapes[k][slot] = Some(shape);
            }
        }
        Ok(())
    }

    /// Returns the sheet.
    #[must_use]
    pub fn sheet(&self) -> &Sheet {
        &self.sheet
    }

    /// Adds an actor that shows the first frame at the origin.
    pub fn add(&mut self, world: &mut World, entity: u64) -> Result<Actor> {
        let mut actor = Actor {
            entity,
            at: Vec2::default(),
            motion: Vec2::default(),
            linear: Linear::IDENTITY,
            flip: Flip::default(),
            tag: None,
            elapsed: Duration::ZERO,
            plays: 0,
            bodies: vec![None; self.filters.len()],
            frame: 0,
        };
        if let Err(error) = self.add_bodies(world, &mut actor) {
            self.remove(world, actor)?;
            return Err(error);
        }
        Ok(actor)
    }

    fn add_bodies(&mut self, world: &mut World, actor: &mut Actor) -> Result<()> {
        let mut group = None;
        for slot in 0..self.filters.len() {
            // A slot without a shape in the first frame waits with that of another.
            let shape = self.shapes.iter().find_map(|shapes| shapes[slot]);
            let (Some(filter), Some(shape)) = (self.filters[slot], shape) else { continue };
            let mut body = filter.body(shape, Vec2::default());
            body.group = group.unwrap_or(0);
            body.enabled = self.shapes[0][slot].is_some();
            let id = world.add(&body)?;
            actor.bodies[slot] = Some(id);
            if group.is_none() {
                let own = GROUPS | id.index();
                group = Some(own);
                world.set_filter(id, filter.layers, filter.mask, own)?;
            }
            let index = id.index() as usize;
            if self.owners.len() <= index {
                self.owners.resize(index + 1, None);
            }
            let Actor { entity, plays, frame, .. } = *actor;
            self.owners[index] = Some(Owner { body: id, entity, plays, frame, slot });
        }
        Ok(())
    }

    /// Starts a tag of an actor from its beginning. Returns an error if the sheet has no tag of the name.
    pub fn play(&self, actor: &mut Actor, tag: &str) -> Result<()> {
        let place = self.sheet.tags.iter().position(|own| own.name == tag);
        actor.tag = Some(place.ok_or_else(|| malformed(format!("the sheet has no tag {}", quoted(tag))))?);
        actor.elapsed = Duration::ZERO;
        actor.plays = actor.plays.wrapping_add(1);
        Ok(())
    }

    /// Gives the bodies of actors their poses, motions and frames. Call it once a step for all actors: bodies are
    /// written in bulk.
    ///
    /// Returns an error, which names the body, if a pose is not one of the world. Then no pose has changed, but frames
    /// may have.
    pub fn update(&mut self, world: &mut World, actors: &mut [Actor]) -> Result<()> {
        let Lists { bodies, shapes, positions, linears, motions } = &mut self.lists;
        bodies.clear();
        shapes.clear();
        positions.clear();
        linears.clear();
        motions.clear();
        let whole = self.sheet.whole();
        for actor in actors.iter_mut() {
            let tag = actor.tag.and_then(|tag| self.sheet.tags.get(tag)).unwrap_or(&whole);
            let frame = self.sheet.frame_at(tag, actor.elapsed).unwrap_or(0);
            let flip = Linear::new(0.0, [1.0; 2], actor.flip);
            let linear = actor.linear * flip;
            for (slot, body) in actor.bodies.iter().enumerate() {
                let Some(body) = *body else { continue };
                let [shape, before] = [frame, actor.frame].map(|frame| self.shapes[frame][slot]);
                if shape.is_some() != before.is_some() {
                    world.set_enabled(body, shape.is_some())?;
                }
                let owner = self.owners.get_mut(body.index() as usize).and_then(Option::as_mut);
                if let Some(owner) = owner.filter(|owner| owner.body == body) {
                    (owner.entity, owner.plays, owner.frame) = (actor.entity, actor.plays, frame);
                }
                // One that is switched off needs no pose.
                if let Some(shape) = shape {
                    bodies.push(body);
                    shapes.push(shape);
                    positions.push(actor.at);
                    linears.push(linear);
                    motions.push(actor.motion);
                }
            }
            actor.frame = frame;
        }
        world.set_shapes(Bodies::These(bodies), shapes)?;
        world.set_poses(Bodies::These(bodies), positions, linears, motions)?;
        Ok(())
    }

    /// Returns the part that a body is; `None` if it does not belong to this cast, or was removed.
    ///
    /// Apply it to both bodies of a pair, or of an event, to find who has hit whom with what.
    #[must_use]
    pub fn part(&self, body: BodyId) -> Option<Part<'_>> {
        let owner = self.owners.get(body.index() as usize)?.filter(|owner| owner.body == body)?;
        let Owner { entity, plays, frame, slot, .. } = owner;
        let named = self.boxes.get(frame)?[slot].map(|place| &self.sheet.frames[frame].boxes[place]);
        let (name, data) = (self.names[slot].as_deref(), named.map_or("", |named| &*named.data));
        Some(Part { entity, plays, frame, name, data, body })
    }

    /// Returns the parts of an actor in the frame that shows: the mask, then the boxes.
    pub fn parts<'a>(&'a self, actor: &'a Actor) -> impl Iterator<Item = Part<'a>> {
        let slots = actor.bodies.iter().zip(self.shapes.get(actor.frame).into_iter().flatten());
        slots.filter_map(|(body, shape)| self.part((*body).filter(|_| shape.is_some())?))
    }

    /// Removes an actor and its bodies.
    pub fn remove(&mut self, world: &mut World, actor: Actor) -> Result<()> {
        for body in actor.bodies.into_iter().flatten() {
            if let Some(owner) = self.owners.get_mut(body.index() as usize) {
                // A body of another actor may have the index by now.
                owner.take_if(|owner| owner.body == body);
            }
            if world.body(body).is_some() {
                world.remove(body)?;
            }
        }
        Ok(())
    }

    /// Removes the bodies of all actors and the shapes of the sheet.
    pub fn remove_from(self, world: &mut World) -> Result<()> {
        for owner in self.owners.into_iter().flatten() {
            if world.body(owner.body).is_some() {
                world.remove(owner.body)?;
            }
        }
        let mut shapes: Vec<ShapeId> = self.shapes.into_iter().flatten().flatten().collect();
        shapes.sort_unstable_by_key(|shape| shape.to_bits());
        shapes.dedup();
        for shape in shapes {
            world.remove_shape(shape)?;
        }
        Ok(())
    }
}

impl Actor {
    /// Returns the index of the frame that shows since the last [`Cast::update`].
    #[must_use]
    pub fn frame(&self) -> usize {
        self.frame
    }

    /// Returns the body with the mask of the frame; `None` if masks have no bodies.
    #[must_use]
    pub fn body(&self) -> Option<BodyId> {
        self.bodies[0]
    }

    /// Returns whether a body is one of the actor.
    #[must_use]
    pub fn has(&self, body: BodyId) -> bool {
        self.bodies.contains(&Some(body))
    }
}

fn box_shape(named: &NamedBox, pivot: [f64; 2]) -> hitmask::Result<Shape> {
    let [x, y, width, height] = named.bounds.map(f64::from);
    Shape::rect(width, height)?.anchored([pivot[0] - x, pivot[1] - y])
}
