//! Scenes of saved worlds: shapes and bodies written out, with names that follow from their indices.

use std::collections::HashMap;

use super::Scene;
use super::model::{BodySpec, Form, Image, PartSpec, Pose, ShapeSpec};
use super::moment::Moment;
use crate::ground::error::Result;
use crate::ground::lattice::{Point, SUBPIXELS};
use crate::mask::DEFAULT_THRESHOLD;
use crate::world::World;
use crate::world::body::{BodyId, ShapeId};
use crate::world::member::Member;
use crate::world::shape::{Geometry, Shape};

impl Scene {
    /// Returns the scene of a world, to be written as JSON, drawn, or checked by the program.
    ///
    /// A shape is named by its kind and index, as in "sprite 2", a body by its index, as in "7". Scenes have no tags
    /// and no switches: bodies that are switched off are left out.
    ///
    /// ```
    /// use hitmask::scene::Scene;
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(2.0)?)?;
    /// world.add(&Body::new(ball, [3, 4]))?;
    /// let scene = Scene::of_world(&world);
    /// assert_eq!(scene.label(0), "0 `0` (circle 0)");
    /// assert_eq!(Scene::parse(&scene.to_json()?, ".".as_ref())?.world()?, world);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn of_world(world: &World) -> Self {
        let shapes: Vec<_> = world.shapes().map(|(id, shape)| (id, name_of(id, shape))).collect();
        Self::of_named(world, &shapes, |id| id.index.to_string())
    }

    /// Returns the scene of a saved world, with the names of the moment of a replay if it is of one.
    pub(super) fn of_saved(file: &[u8]) -> Result<Self> {
        let Ok(moment) = Moment::load(file) else { return World::load(file).map(|world| Self::of_world(&world)) };
        let taken = &moment.lived.shapes;
        let names: HashMap<_, _> = taken.iter().map(|(name, id)| (*id, name)).collect();
        let name = |(id, shape): (ShapeId, &Shape)| {
            let mut name = names.get(&id).map_or_else(|| name_of(id, shape), |name| (*name).clone());
            // A shape that has lost its name to another one must not take the name of a third.
            while taken.get(&name).is_some_and(|other| *other != id) {
                name.push('*');
            }
            (id, name)
        };
        let shapes: Vec<_> = moment.world().shapes().map(name).collect();
        Ok(Self::of_named(moment.world(), &shapes, |id| moment.name(id).unwrap_or_default().to_owned()))
    }

    fn of_named(world: &World, names: &[(ShapeId, String)], name: impl Fn(BodyId) -> String) -> Self {
        let spec = |(id, name): &(ShapeId, String)| Some((name.clone(), ShapeSpec::of(world.shape(*id)?)));
        let shapes = names.iter().filter_map(spec).collect();
        let body = |id| {
            let body = world.body(id).filter(|body| body.enabled)?;
            let (_, shape) = &names[names.binary_search_by_key(&body.shape, |(id, _)| *id).ok()?];
            Some(BodySpec {
                shape: shape.clone(),
                at: body.at.into(),
                pose: Pose::of(body.linear.x, body.linear.y),
                motion: body.motion.into(),
                layers: body.layers,
                mask: body.mask,
                detector: body.detector,
                group: body.group,
                name: Some(name(id)),
            })
        };
        Self::new(world.touch(), shapes, world.ids().filter_map(body).collect())
    }
}

impl ShapeSpec {
    /// Writes a shape out.
    fn of(shape: &Shape) -> Self {
        let form = match &shape.geometry {
            Geometry::Sprite(mask) => {
                Form::Sprite { image: Image::Rows(mask.to_rows()), threshold: DEFAULT_THRESHOLD, region: None }
            }
            Geometry::Convex { radius, members, .. } if members.is_empty() => of_rings(shape.rings(), *radius),
            Geometry::Convex { rings, members, .. } => {
                let mut rings = &rings[..];
                let part = |member: &Member| {
                    let (own, rest) = rings.split_at(member.rings);
                    rings = rest;
                    let shape = Self::new(of_rings(own, member.radius));
                    PartSpec { shape, at: [0.0; 2], tag: member.tag }
                };
                Form::Parts(members.iter().map(part).collect())
            }
        };
        Self { form, anchor: shape.anchor.units() }
    }
}

impl Pose {
    /// Writes a matrix out, or nothing for the identity.
    fn of(x: [f64; 2], y: [f64; 2]) -> Self {
        if [x, y] == [[1.0, 0.0], [0.0, 1.0]] { Self::default() } else { Self::Matrix([x, y]) }
    }
}

/// Returns the name that a shape gets.
fn name_of(id: ShapeId, shape: &Shape) -> String {
    format!("{} {}", shape.kind(), id.index)
}

/// Returns the plainest form with this outline, these holes and this radius.
fn of_rings(rings: &[Vec<Point>], radius: i32) -> Form {
    let mut rings: Vec<Vec<_>> = rings.iter().map(|ring| units(ring)).collect();
    let radius = f64::from(radius) / f64::from(SUBPIXELS);
    let holes = rings.split_off(1);
    let outline = rings.swap_remove(0);
    match outline[..] {
        [[0.0, 0.0]] => Form::Circle(radius),
        [at] => Form::Capsule { from: at, to: at, radius },
        [from, to] => Form::Capsule { from, to, radius },
        [[0.0, 0.0], [w, 0.0], [x, h], [0.0, y]] if x == w && y == h && radius == 0.0 && holes.is_empty() => {
            Form::Box([w, h])
        }
        _ => Form::Polygon { outline, holes, radius },
    }
}

fn units(ring: &[Point]) -> Vec<[f64; 2]> {
    ring.iter().map(|point| point.units()).collect()
}
