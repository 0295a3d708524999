//! Random worlds: the answer of the ECS is that of the library's reference for the same bodies.

use bevy_asset::Assets;
use bevy_ecs::prelude::*;
use bevy_hitmask::hitmask::{Ask, Body, Engine, Linear, Mask, Shape, World};
use bevy_hitmask::{Collider, HitBody, Hitmask, HitmaskDisabled, Layers};
use bevy_image::Image;
use bevy_math::{Quat, Vec2, Vec3};
use bevy_sprite::{Anchor, Sprite};
use bevy_transform::components::Transform;
use proptest::prelude::*;

use crate::common::{app, image, pairs};

#[derive(Clone, Copy, Debug)]
enum Form {
    Sprite { anchor: [i8; 2], flip: [bool; 2], size: Option<[u8; 2]> },
    Circle(u8),
    Wedge,
    Capsule,
}

/// A body with its places, in quarters of a unit, and its turns, in degrees, at two steps.
#[derive(Clone, Debug)]
struct Thing {
    form: Form,
    places: [[i16; 2]; 2],
    degrees: [u16; 2],
    scale: u8,
    layers: [u32; 2],
    detector: bool,
    enabled: bool,
    teleports: bool,
}

const ROWS: [&str; 5] = ["####..", "#.....", "###..#", "#....#", "#...##"];
const WEDGE: [[f32; 2]; 3] = [[-3.0, -2.0], [5.0, -2.0], [-3.0, 7.0]];

fn form() -> impl Strategy<Value = Form> {
    let sprite = (any::<[bool; 2]>(), prop::array::uniform2(-1..=1i8), prop::option::of([3..12u8, 3..12u8]))
        .prop_map(|(flip, anchor, size)| Form::Sprite { anchor, flip, size });
    prop_oneof![4 => sprite, 2 => (1..6u8).prop_map(Form::Circle), 1 => Just(Form::Wedge), 1 => Just(Form::Capsule)]
}

fn thing() -> impl Strategy<Value = Thing> {
    let places = prop::array::uniform2(prop::array::uniform2(-120..120i16));
    let kinds = prop::array::uniform2(1..8u32);
    let flags = [0.3, 0.9, 0.2].map(prop::bool::weighted);
    (form(), places, prop::array::uniform2(0..360u16), 1..4u8, kinds, flags).prop_map(
        |(form, places, degrees, scale, layers, [detector, enabled, teleports])| Thing {
            form,
            places,
            degrees,
            scale,
            layers,
            detector,
            enabled,
            teleports,
        },
    )
}

impl Thing {
    fn place(&self, step: usize) -> Vec2 {
        Vec2::new(f32::from(self.places[step][0]), f32::from(self.places[step][1])) / 4.0
    }

    fn transform(&self, step: usize) -> Transform {
        let turn = Quat::from_rotation_z(f32::from(self.degrees[step]).to_radians());
        Transform {
            translation: self.place(step).extend(0.0),
            rotation: turn,
            scale: Vec3::splat(f32::from(self.scale)),
        }
    }

    fn texel(&self) -> [f64; 2] {
        let Form::Sprite { flip, size, .. } = self.form else { return [1.0; 2] };
        let sizes = [0, 1].map(|k| size.map_or(1.0, |size| f64::from(f32::from(size[k]) / [6.0_f32, 5.0][k])));
        [0, 1].map(|k| if flip[k] { -sizes[k] } else { sizes[k] })
    }

    /// Makes the library's shape by its own words: y down, the anchor in texels, flips that mirror the mask's texels.
    fn shape(&self) -> Shape {
        match self.form {
            Form::Sprite { anchor, flip, .. } => {
                let offset = [f64::from(anchor[0]) * 0.5 * 6.0, -f64::from(anchor[1]) * 0.5 * 5.0];
                let signs = flip.map(|flip| if flip { -1.0 } else { 1.0 });
                let anchor = [3.0 + offset[0] * signs[0], 2.5 + offset[1] * signs[1]];
                Shape::sprite(Mask::from_rows(&ROWS).unwrap()).anchored(anchor).unwrap()
            }
            Form::Circle(radius) => Shape::circle(f64::from(radius)).unwrap(),
            Form::Wedge => Shape::polygon(&WEDGE.map(|[x, y]| [x, -y])).unwrap(),
            Form::Capsule => Shape::capsule([0, 2], [4, -3], 1.5).unwrap(),
        }
    }

    /// Returns the linear part of the same turn and scale, y down: turned the other way.
    fn linear(&self, step: usize) -> Linear {
        let matrix = self.transform(step).to_matrix();
        let [x, y] = [matrix.x_axis, matrix.y_axis];
        let [u, v] = self.texel();
        let f = f64::from;
        Linear { x: [f(x.x) * u, -f(y.x) * v], y: [-f(x.y) * u, f(y.y) * v] }
    }
}

fn spawn(app: &mut bevy_app::App, image: &bevy_asset::Handle<Image>, thing: &Thing) -> Entity {
    let layers = Layers::new(thing.layers[0], thing.layers[1]).detector(thing.detector);
    let mut entity = app.world_mut().spawn((thing.transform(0), layers));
    match thing.form {
        Form::Sprite { anchor, flip: [flip_x, flip_y], size } => entity.insert((
            Sprite {
                flip_x,
                flip_y,
                custom_size: size.map(|[x, y]| Vec2::new(f32::from(x), f32::from(y))),
                ..Sprite::from_image(image.clone())
            },
            Anchor(Vec2::new(f32::from(anchor[0]), f32::from(anchor[1])) * 0.5),
            Hitmask::default(),
        )),
        Form::Circle(radius) => entity.insert(Collider::circle(f32::from(radius))),
        Form::Wedge => entity.insert(Collider::polygon(WEDGE.map(Vec2::from_array))),
        Form::Capsule => entity.insert(Collider::capsule(Vec2::new(0.0, -2.0), Vec2::new(4.0, 3.0), 1.5)),
    };
    if !thing.enabled {
        entity.insert(HitmaskDisabled);
    }
    entity.id()
}

fn reference(things: &[Thing], entities: &[Entity], step: usize) -> Vec<[Entity; 2]> {
    let mut world = World::default();
    for thing in things {
        let shape = world.add_shape(thing.shape()).unwrap();
        let (from, to) = (thing.place(0), thing.place(step));
        let from = if thing.teleports { to } else { from };
        let motion = to - from;
        let body = Body::new(shape, [from.x, -from.y])
            .moving([motion.x, -motion.y])
            .posed(thing.linear(step))
            .filtered(thing.layers[0], thing.layers[1])
            .detector(thing.detector)
            .enabled(thing.enabled);
        world.add(&body).unwrap();
    }
    let hits = Engine::reference().run(&world, Ask::Pairs).unwrap();
    hits.pairs.iter().map(|pair| pair.map(|index| entities[index as usize])).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_answer_of_the_ecs_is_that_of_the_library(things in prop::collection::vec(thing(), 2..40)) {
        let mut app = app();
        let image = app.world_mut().resource_mut::<Assets<Image>>().add(image(&ROWS));
        let entities: Vec<Entity> = things.iter().map(|thing| spawn(&mut app, &image, thing)).collect();
        app.update();
        prop_assert_eq!(pairs(&app), reference(&things, &entities, 0));
        for (&entity, thing) in entities.iter().zip(&things) {
            *app.world_mut().get_mut::<Transform>(entity).unwrap() = thing.transform(1);
            if thing.teleports {
                app.world_mut().get_mut::<HitBody>(entity).unwrap().teleport();
            }
        }
        app.update();
        prop_assert_eq!(pairs(&app), reference(&things, &entities, 1));
    }
}
