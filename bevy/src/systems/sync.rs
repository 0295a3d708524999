//! The synchronization: what has changed on entities changes on their bodies.
//!
//! ```text
//!   for each entity with a change, or that waits; those whose shape must be made come last, in the order of entities:
//!     a body that moves or shows another frame?  noted, in the order of Bevy's tables
//!     else a shape?  its slot in the cache, or it waits, or its problem is reported
//!          a body?   added, changed or removed
//!   the world is edited in bulk: bodies leave, come, change shapes, are posed
//! ```

use bevy_asset::{AssetServer, Assets, LoadState};
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use bevy_ecs::query::{Allow, QueryData};
use bevy_ecs::system::SystemParam;
use bevy_image::{Image, TextureAtlasLayout};
use bevy_math::Vec2;
use bevy_platform::collections::HashSet;
use bevy_sprite::{Anchor, Sprite};
use bevy_transform::components::GlobalTransform;
use hitmask::{Bodies, Body, BodyId, Linear, ShapeId};

use super::changes::{self, MOVED, OTHER, SHOWN, Table, Watched};
use super::frames::Frames;
use crate::components::body::HitBody;
use crate::components::character::Character;
use crate::components::collider::Collider;
use crate::components::hitmask::{Hitmask, HitmaskDisabled};
use crate::components::layers::Layers;
use crate::masks::Slot;
use crate::masks::source::{Drawn, Unready};
use crate::problem::{HitmaskProblem, Problem, name_of};
use crate::space::{HitSpace, order};
use crate::units::{Pose, down};

/// The largest motion that is swept, in units; anything farther counts as a teleport.
const FARTHEST: f64 = (hitmask::geometry::MAX_MOTION / hitmask::geometry::SUBPIXELS) as f64;

/// All that a body is made of.
#[derive(QueryData)]
#[query_data(mutable)]
pub(crate) struct Row {
    entity: Entity,
    body: &'static mut HitBody,
    transform: &'static GlobalTransform,
    sprite: Option<Ref<'static, Sprite>>,
    anchor: Option<Ref<'static, Anchor>>,
    hitmask: Option<Ref<'static, Hitmask>>,
    collider: Option<Ref<'static, Collider>>,
    layers: Option<Ref<'static, Layers>>,
    is_character: Has<Character>,
    is_off: Has<HitmaskDisabled>,
    is_disabled: Has<Disabled>,
}

/// Layers of entities without a body.
type Shapeless<'w, 's> = Query<'w, 's, Entity, (Added<Layers>, Without<HitBody>)>;

#[derive(SystemParam)]
pub(crate) struct Sources<'w> {
    images: Option<Res<'w, Assets<Image>>>,
    layouts: Option<Res<'w, Assets<TextureAtlasLayout>>>,
    server: Option<Res<'w, AssetServer>>,
}

impl Sources<'_> {
    /// Returns the problem of a sprite whose image could not be loaded.
    fn failure(&self, sprite: &Sprite) -> Option<Problem> {
        let images = self.images.as_ref()?;
        if images.contains(&sprite.image) {
            return None;
        }
        let Some(LoadState::Failed(error)) = self.server.as_ref()?.get_load_state(&sprite.image) else { return None };
        let image = name_of(sprite.image.id(), sprite.image.path().map(ToString::to_string));
        Some(Problem::NotLoaded { image, error: error.to_string() })
    }
}

/// The edits of a step, applied at its end.
#[derive(Default)]
pub(crate) struct Edits {
    /// The changes of a table's rows.
    changes: Vec<u8>,
    frames: Frames,
    /// Entities with a change that is neither a motion nor a frame.
    slow: Vec<Entity>,
    /// Entities whose shape must be made, and whether they are visited anew.
    late: Vec<(Entity, bool)>,
    /// Bodies that come; sorted by entity, so that their order does not depend on how Bevy stores entities.
    added: Vec<(Entity, Body)>,
    /// Bodies with another shape.
    reshaped: Vec<BodyId>,
    shapes: Vec<ShapeId>,
    /// Bodies with another pose: where they were and where they are.
    posed: Vec<BodyId>,
    starts: Vec<[f64; 2]>,
    ends: Vec<[f64; 2]>,
    /// Those of them with another linear part, which costs the library several times as much as another position.
    turned: Vec<BodyId>,
    linears: Vec<Linear>,
    problems: Vec<HitmaskProblem>,
}

impl Edits {
    fn clear(&mut self) {
        self.frames.clear();
        self.slow.clear();
        self.late.clear();
        self.added.clear();
        self.reshaped.clear();
        self.shapes.clear();
        self.posed.clear();
        self.starts.clear();
        self.ends.clear();
        self.turned.clear();
        self.linears.clear();
        self.problems.clear();
    }
}

pub(crate) fn sync(
    mut space: ResMut<'_, HitSpace>,
    sources: Sources<'_>,
    mut bodies: ParamSet<'_, '_, (Query<'_, '_, Row>, Query<'_, '_, Watched>)>,
    shapeless: Shapeless<'_, '_>,
    mut messages: MessageWriter<'_, HitmaskProblem>,
    mut edits: Local<'_, Edits>,
) {
    let (space, edits) = (&mut *space, &mut *edits);
    edits.clear();
    let dirty = space.take_dirty();
    let mut all = bodies.p0();
    for &entity in &dirty {
        if let Ok(row) = all.get_mut(entity) {
            visit(row, Visit { is_anew: true, makes: false }, space, &sources, edits);
        }
    }
    let seen: HashSet<Entity> = dirty.into_iter().collect();
    let mut changes = std::mem::take(&mut edits.changes);
    changes::each_table(&mut bodies.p1(), &mut changes, |mut table| {
        for row in 0..table.changes.len() {
            let entity = table.entities[row];
            let is_new = table.changes[row] != 0 && (seen.is_empty() || !seen.contains(&entity));
            if is_new && !visit_fast(&mut table, row, space, &sources, edits) {
                edits.slow.push(entity);
            }
        }
    });
    edits.changes = changes;
    let mut all = bodies.p0();
    let slow = std::mem::take(&mut edits.slow);
    for &entity in &slow {
        if let Ok(row) = all.get_mut(entity) {
            visit(row, Visit { is_anew: false, makes: false }, space, &sources, edits);
        }
    }
    edits.slow = slow;
    let mut late = std::mem::take(&mut edits.late);
    late.sort_unstable_by_key(|&(entity, _)| order(entity));
    for &(entity, is_anew) in &late {
        if let Ok(row) = all.get_mut(entity) {
            visit(row, Visit { is_anew, makes: true }, space, &sources, edits);
        }
    }
    edits.late = late;
    let mut left = std::mem::take(&mut space.left);
    if !left.is_empty() {
        space.is_stale = true;
        // The order of removal decides which index the next body gets.
        left.sort_unstable_by_key(|id| id.index());
        // A body may have left twice, if its entity was put back by a rollback.
        if space.world.remove_all(&left).is_err() {
            for id in left {
                let _gone = space.world.remove(id);
            }
        }
    }
    change(space, edits, &mut all);
    add(space, edits, &mut all);
    space.shapes.collect(&mut space.world);
    for entity in &shapeless {
        edits.problems.push(HitmaskProblem { entity, problem: Problem::NoShape { component: "Layers" } });
    }
    edits.problems.sort_by_key(|problem| order(problem.entity));
    for problem in edits.problems.drain(..) {
        problem.send(&mut messages);
    }
}

/// The kind of a visit.
#[derive(Clone, Copy)]
struct Visit {
    /// Whether to look at all as if it had changed.
    is_anew: bool,
    /// Whether to make a shape that is not there, rather than to come back later.
    makes: bool,
}

/// Notes that the entity in a row of a table has moved, or shows another frame whose shape is there. Returns false, and
/// has noted nothing, if it has no body or has changed otherwise.
fn visit_fast(
    table: &mut Table<'_>,
    row: usize,
    space: &mut HitSpace,
    sources: &Sources<'_>,
    edits: &mut Edits,
) -> bool {
    let (changes, body) = (table.changes[row], &mut table.bodies[row]);
    let Some(id) = body.id.filter(|_| changes & OTHER == 0) else { return false };
    let mut is_turned = false;
    if changes & SHOWN != 0 {
        let look = Look {
            hitmask: table.hitmasks.map(|hitmasks| &hitmasks[row]),
            collider: table.colliders.map(|colliders| &colliders[row]),
            sprite: table.sprites.map(|sprites| &sprites[row]),
            anchor: table.anchors.map(|anchors| anchors[row]).unwrap_or_default(),
        };
        let Ok((slot, texel)) = shape(look, body.slot, false, space, sources, &mut edits.frames) else { return false };
        is_turned = texel != body.texel;
        reshape(body, id, slot, texel, space, edits);
    }
    // One that only shows another frame is where it was, so its transform need not be read.
    if changes & MOVED != 0 || is_turned {
        repose(body, id, Pose::new(&table.transforms[row]), is_turned, edits);
    }
    true
}

/// Notes another shape of a body.
fn reshape(body: &mut HitBody, id: BodyId, slot: Slot, texel: Vec2, space: &HitSpace, edits: &mut Edits) {
    if body.slot != Some(slot) {
        edits.reshaped.push(id);
        edits.shapes.push(space.shapes.id(slot));
    }
    (body.slot, body.texel) = (Some(slot), texel);
}

/// Notes another pose of a body. `is_turned` is true if its linear part is another one in any case.
fn repose(body: &mut HitBody, id: BodyId, pose: Pose, is_turned: bool, edits: &mut Edits) {
    let is_turned = is_turned || !pose.is_parallel(&body.pose);
    if is_turned || pose != body.pose {
        let (start, end) = (down(body.pose.at), down(pose.at));
        let is_swept = !body.teleports && is_sweepable(start, end);
        edits.posed.push(id);
        edits.starts.push(if is_swept { start } else { end });
        edits.ends.push(end);
        if is_turned {
            edits.turned.push(id);
            edits.linears.push(pose.linear(body.texel));
        }
        body.pose = pose;
    }
    body.teleports = false;
}

/// Notes what has changed on an entity.
fn visit(mut row: RowItem<'_, '_>, kind: Visit, space: &mut HitSpace, sources: &Sources<'_>, edits: &mut Edits) {
    let is_in = !row.is_off && !row.is_disabled && (row.hitmask.is_some() || row.collider.is_some());
    if !is_in {
        space.take_out(&mut row.body);
        if row.is_character && !row.is_off && !row.is_disabled {
            let problem = Problem::NoShape { component: "Character" };
            complain(&mut row, problem.kind(), problem, space, &mut edits.problems);
        } else {
            row.body.reported = None;
        }
        return;
    }
    let mut is_turned = false;
    // The shape of a body that the library has refused may be gone.
    let was_refused = row.body.id.is_none() && row.body.slot.is_some();
    if kind.is_anew || was_refused || is_reshaped(&row) {
        let look = Look {
            hitmask: row.hitmask.as_deref(),
            collider: row.collider.as_deref(),
            sprite: row.sprite.as_deref(),
            anchor: row.anchor.as_deref().copied().unwrap_or_default(),
        };
        match shape(look, row.body.slot, kind.makes, space, sources, &mut edits.frames) {
            Ok((slot, texel)) => {
                is_turned = texel != row.body.texel;
                if let Some(id) = row.body.id {
                    reshape(&mut row.body, id, slot, texel, space, edits);
                } else {
                    (row.body.slot, row.body.texel) = (Some(slot), texel);
                }
            }
            Err(Unready::New) => return edits.late.push((row.entity, kind.is_anew)),
            Err(unready) => {
                space.take_out(&mut row.body);
                match unready {
                    Unready::Loading | Unready::New => space.waiting.push(row.entity),
                    Unready::Problem(problem) => {
                        complain(&mut row, problem.reason(), problem, space, &mut edits.problems);
                    }
                }
                return;
            }
        }
    }
    let (pose, Some(slot)) = (Pose::new(row.transform), row.body.slot) else { return };
    let Some(id) = row.body.id else {
        row.body.pose = pose;
        let body = Body::new(space.shapes.id(slot), down(pose.at)).posed(pose.linear(row.body.texel));
        edits.added.push((row.entity, filtered(body, row.layers.as_deref()).tagged(row.entity.to_bits())));
        return;
    };
    if kind.is_anew || row.layers.as_ref().is_some_and(DetectChanges::is_changed) {
        filter(space, id, row.layers.as_deref());
    }
    repose(&mut row.body, id, pose, is_turned, edits);
}

/// Checks whether the library can sweep a body from one point to another.
pub(crate) fn is_sweepable(start: [f64; 2], end: [f64; 2]) -> bool {
    (0..2).all(|k| (end[k] - start[k]).abs() <= FARTHEST)
}

fn is_reshaped(row: &RowItem<'_, '_>) -> bool {
    row.sprite.as_ref().is_some_and(DetectChanges::is_changed)
        || row.anchor.as_ref().is_some_and(DetectChanges::is_changed)
        || row.hitmask.as_ref().is_some_and(DetectChanges::is_changed)
        || row.collider.as_ref().is_some_and(DetectChanges::is_changed)
}

/// All that a shape depends on.
#[derive(Clone, Copy)]
struct Look<'a> {
    hitmask: Option<&'a Hitmask>,
    collider: Option<&'a Collider>,
    sprite: Option<&'a Sprite>,
    anchor: Anchor,
}

/// Returns the slot of an entity's shape and the size of its texels. If it held another one, that is released.
fn shape(
    look: Look<'_>,
    held: Option<Slot>,
    makes: bool,
    space: &mut HitSpace,
    sources: &Sources<'_>,
    frames: &mut Frames,
) -> Result<(Slot, Vec2), Unready> {
    let HitSpace { world, shapes, .. } = space;
    let (slot, texel) = match (look.hitmask, look.collider) {
        (Some(_), Some(_)) => return Err(Problem::TwoShapes.into()),
        (None, None) => return Err(Problem::NoSprite.into()),
        (Some(hitmask), None) => {
            let (sprite, anchor) = (look.sprite.ok_or(Problem::NoSprite)?, look.anchor);
            let place = frames.place(sprite, anchor, hitmask.threshold);
            if let Some(found) = place.and_then(|place| frames.get(place)) {
                found
            } else {
                let images = sources.images.as_ref().ok_or(Unready::Loading)?;
                if let Some(problem) = sources.failure(sprite) {
                    return Err(problem.into());
                }
                let drawn = Drawn::new(sprite, anchor, hitmask.threshold, images, sources.layouts.as_deref())?;
                let slot = match held.filter(|&held| shapes.is_sprite(held, &drawn)) {
                    Some(held) => held,
                    None if makes || shapes.has_sprite(&drawn) => shapes.sprite(world, &drawn, images)?,
                    None => return Err(Unready::New),
                };
                if let Some(place) = place {
                    frames.set(place, (slot, drawn.texel));
                }
                (slot, drawn.texel)
            }
        }
        (None, Some(collider)) => match held.filter(|&held| shapes.is_collider(held, collider)) {
            Some(held) => (held, Vec2::ONE),
            None if makes || shapes.has_collider(collider) => (shapes.collider(world, collider)?, Vec2::ONE),
            None => return Err(Unready::New),
        },
    };
    if let Some(held) = held.filter(|&held| held != slot) {
        shapes.release(held);
    }
    Ok((slot, texel))
}

/// Reports a problem unless the entity has reported it, or another entity one of the same image. `key` identifies the
/// problem: its kind or its reason.
fn complain(
    row: &mut RowItem<'_, '_>,
    key: u64,
    problem: Problem,
    space: &mut HitSpace,
    problems: &mut Vec<HitmaskProblem>,
) {
    let image = row.sprite.as_ref().map(|sprite| sprite.image.id());
    if let Some(image) = image {
        space.shapes.trouble(image);
    }
    if row.body.reported != Some(key) && space.shapes.is_news(image, &problem) {
        problems.push(HitmaskProblem { entity: row.entity, problem });
    }
    row.body.reported = Some(key);
}

fn filtered(body: Body, layers: Option<&Layers>) -> Body {
    let Layers { memberships, filter, detector, group } = layers.copied().unwrap_or_default();
    body.filtered(memberships.0, filter.0).detector(detector).grouped(group)
}

fn filter(space: &mut HitSpace, id: BodyId, layers: Option<&Layers>) {
    let Layers { memberships, filter, detector, group } = layers.copied().unwrap_or_default();
    let set = space.world.set_filter(id, memberships.0, filter.0, group);
    // The only error is a body that is gone, which a rollback may have left on an entity.
    space.is_stale |= set.and_then(|()| space.world.set_detector(id, detector)).is_ok();
}

/// Changes shapes and poses, all at once if all are valid.
fn change(space: &mut HitSpace, edits: &mut Edits, all: &mut Query<'_, '_, Row>) {
    if edits.reshaped.is_empty() && edits.posed.is_empty() {
        return;
    }
    let HitSpace { world, moves, is_stale, .. } = &mut *space;
    *is_stale = true;
    let changed = world
        .set_shapes(Bodies::These(&edits.reshaped), &edits.shapes)
        .and_then(|()| world.set_positions(Bodies::These(&edits.posed), &edits.ends))
        .and_then(|()| world.set_linears(Bodies::These(&edits.turned), &edits.linears));
    if changed.is_ok() {
        moves.append(&mut edits.posed, &mut edits.starts, &mut edits.ends);
        return;
    }
    let mut refused = HashSet::new();
    for &id in edits.reshaped.iter().chain(&edits.posed) {
        let Some(entity) = space.entity(id) else { continue };
        let Ok(mut row) = all.get_mut(entity) else { continue };
        if let Err(error) = set(space, id, &row) {
            refused.insert(id);
            space.left.extend(row.body.id.take());
            if let Some(slot) = row.body.slot {
                space.shapes.release(slot);
            }
            let problem = Problem::from(error);
            complain(&mut row, problem.kind(), problem, space, &mut edits.problems);
        }
    }
    for id in space.left.drain(..) {
        let _gone = space.world.remove(id);
    }
    for (place, &id) in edits.posed.iter().enumerate() {
        // A body that is gone, which a rollback may have left on an entity, moves nowhere.
        if !refused.contains(&id) && space.entity(id).is_some() {
            space.moves.push(id, edits.starts[place], edits.ends[place]);
        }
    }
}

/// Sets a body to what its entity is.
fn set(space: &mut HitSpace, id: BodyId, row: &RowItem<'_, '_>) -> hitmask::Result<()> {
    let Some((body, slot)) = space.world.body(id).zip(row.body.slot) else { return Ok(()) };
    let at = down(row.body.pose.at).into();
    let linear = row.body.pose.linear(row.body.texel);
    space.world.set(id, &Body { shape: space.shapes.id(slot), at, linear, ..body })
}

/// Adds bodies, all at once if all are valid.
fn add(space: &mut HitSpace, edits: &mut Edits, all: &mut Query<'_, '_, Row>) {
    if edits.added.is_empty() {
        return;
    }
    space.is_stale = true;
    edits.added.sort_unstable_by_key(|&(entity, _)| order(entity));
    let bodies: Vec<Body> = edits.added.iter().map(|&(_, body)| body).collect();
    let ids: Vec<hitmask::Result<BodyId>> = match space.world.add_all(&bodies) {
        Ok(ids) => ids.into_iter().map(Ok).collect(),
        Err(_) => bodies.iter().map(|body| space.world.add(body)).collect(),
    };
    for ((entity, _), id) in std::mem::take(&mut edits.added).into_iter().zip(ids) {
        let Ok(mut row) = all.get_mut(entity) else { continue };
        match id {
            Ok(id) => {
                space.link(id, entity);
                (row.body.id, row.body.reported, row.body.teleports) = (Some(id), None, false);
            }
            Err(error) => {
                let problem = Problem::from(error);
                complain(&mut row, problem.kind(), problem, space, &mut edits.problems);
            }
        }
    }
}

/// Has the next step look at an entity that Bevy has disabled.
pub(crate) fn on_disable(event: On<'_, '_, Add<Disabled>>, mut space: ResMut<'_, HitSpace>) {
    space.dirty.push(event.entity);
}

/// Has the next step look at an entity that Bevy no longer disables.
pub(crate) fn on_enable(event: On<'_, '_, Remove<Disabled>>, mut space: ResMut<'_, HitSpace>) {
    space.dirty.push(event.entity);
}

/// Has the next step look at an entity that loses what its mask is drawn from. `RemovedComponents` would forget it
/// after two frames, and several may pass between two steps.
pub(crate) fn on_undraw(
    event: On<'_, '_, Remove<(Sprite, Anchor)>>,
    bodies: Query<'_, '_, (), (With<HitBody>, Allow<Disabled>)>,
    mut space: ResMut<'_, HitSpace>,
) {
    if bodies.contains(event.entity) {
        space.dirty.push(event.entity);
    }
}
