//! Masks from sprites: regions, anchors, flips, sizes, thresholds, and the cache.

use bevy_app::App;
use bevy_asset::{Assets, Handle};
use bevy_ecs::prelude::*;
use bevy_hitmask::{Collider, HitSpace, Hitmask};
use bevy_image::{Image, TextureAtlas, TextureAtlasLayout};
use bevy_math::{Quat, Rect, URect, UVec2, Vec2};
use bevy_sprite::{Anchor, Sprite};
use bevy_transform::components::Transform;

use crate::common::{add_image, app, at, image, pairs, rgba};

/// No flip, half-turn or mirror image of it is the same.
const GLYPH: [&str; 4] = ["###.", "#...", "##..", "#..."];

/// Returns the pixels that an entity's body covers, by probes of a tenth of a unit in the middle of each: for each row
/// from `top` down, for each column from `left` on.
fn covered(app: &mut App, entity: Entity, [left, top]: [i32; 2], [width, height]: [i32; 2]) -> Vec<String> {
    let mut probes = Vec::new();
    for y in 0..height {
        for x in 0..width {
            let middle = at((left + x) as f32 + 0.5, (top - y) as f32 - 0.5);
            probes.push(app.world_mut().spawn((Collider::rectangle(0.1, 0.1), middle)).id());
        }
    }
    app.update();
    let hit: Vec<_> = pairs(app).into_iter().filter(|pair| pair.contains(&entity)).flatten().collect();
    let row = |row: &[Entity]| row.iter().map(|probe| if hit.contains(probe) { '#' } else { '.' }).collect();
    let rows = probes.chunks(width as usize).map(row).collect();
    for probe in probes {
        app.world_mut().despawn(probe);
    }
    app.update();
    rows
}

fn spawn(app: &mut App, bundle: impl Bundle) -> Entity {
    app.world_mut().spawn((bundle, Hitmask::alpha(128))).id()
}

fn turned(rows: &[&str], turn: impl Fn(usize, usize) -> [usize; 2]) -> Vec<String> {
    let pixel = |x, y| {
        let [u, v] = turn(x, y);
        char::from(rows[v].as_bytes()[u])
    };
    (0..4).map(|y| (0..4).map(|x| pixel(x, y)).collect()).collect()
}

#[test]
fn a_mask_stands_right_side_up() {
    let mut app = app();
    let image = add_image(&mut app, &GLYPH);
    let entity = spawn(&mut app, Sprite::from_image(image));
    assert_eq!(covered(&mut app, entity, [-2, 2], [4, 4]), GLYPH);
}

#[test]
fn a_mask_turns_counterclockwise_as_bevy_does() {
    let mut app = app();
    let image = add_image(&mut app, &GLYPH);
    let quarter = Transform::from_rotation(Quat::from_rotation_z(std::f32::consts::FRAC_PI_2));
    let entity = spawn(&mut app, (Sprite::from_image(image), quarter));
    // What was at the right is at the top.
    assert_eq!(covered(&mut app, entity, [-2, 2], [4, 4]), turned(&GLYPH, |x, y| [3 - y, x]));
}

#[test]
fn flips_mirror_a_sprite_about_its_own_centre() {
    for (flip_x, flip_y) in [(true, false), (false, true), (true, true)] {
        let mut app = app();
        let image = add_image(&mut app, &GLYPH);
        let sprite = Sprite { flip_x, flip_y, ..Sprite::from_image(image) };
        let entity = spawn(&mut app, (sprite, Anchor::BOTTOM_LEFT));
        let mirrored = turned(&GLYPH, |x, y| [if flip_x { 3 - x } else { x }, if flip_y { 3 - y } else { y }]);
        assert_eq!(covered(&mut app, entity, [0, 4], [4, 4]), mirrored, "flips {flip_x} {flip_y}");
    }
}

#[test]
fn anchors_are_those_of_the_sprite() {
    for (anchor, left, top) in [(Anchor::TOP_LEFT, 0, 0), (Anchor::BOTTOM_RIGHT, -4, 4), (Anchor::CENTER_LEFT, 0, 2)] {
        let mut app = app();
        let image = add_image(&mut app, &GLYPH);
        let entity = spawn(&mut app, (Sprite::from_image(image), anchor));
        assert_eq!(covered(&mut app, entity, [left, top], [4, 4]), GLYPH, "{anchor:?}");
    }
}

#[test]
fn a_custom_size_stretches_the_mask() {
    let mut app = app();
    let image = add_image(&mut app, &["#.", ".#"]);
    let sprite = Sprite { custom_size: Some(Vec2::new(6.0, 4.0)), ..Sprite::from_image(image) };
    let entity = spawn(&mut app, (sprite, Anchor::BOTTOM_LEFT));
    assert_eq!(covered(&mut app, entity, [0, 4], [6, 4]), ["###...", "###...", "...###", "...###"]);
}

#[test]
fn a_rect_is_a_region_of_the_image_or_of_the_atlas_region() {
    let sheet = ["#..#", "....", ".#..", "...."];
    let mut app = app();
    let image = add_image(&mut app, &sheet);
    let rect = Some(Rect::new(0.0, 1.0, 2.0, 3.0));
    let whole = spawn(&mut app, (Sprite { rect, ..Sprite::from_image(image.clone()) }, Anchor::TOP_LEFT));
    assert_eq!(covered(&mut app, whole, [0, 0], [2, 2]), ["..", ".#"]);
    app.world_mut().despawn(whole);

    let atlas = atlas(&mut app, &[URect::new(1, 0, 4, 4)]);
    let sprite = Sprite { rect, ..Sprite::from_atlas_image(image, atlas) };
    let within = spawn(&mut app, (sprite, Anchor::TOP_LEFT));
    assert_eq!(covered(&mut app, within, [0, 0], [2, 2]), ["..", "#."]);
}

fn atlas(app: &mut App, regions: &[URect]) -> TextureAtlas {
    let layout = TextureAtlasLayout { size: UVec2::splat(16), textures: regions.to_vec() };
    app.world_mut().resource_mut::<Assets<TextureAtlasLayout>>().add(layout).into()
}

fn frames(app: &mut App) -> (Handle<Image>, TextureAtlas) {
    let image = add_image(app, &["#..#", "...#"]);
    (image, atlas(app, &[URect::new(0, 0, 2, 2), URect::new(2, 0, 4, 2)]))
}

fn sprite(app: &mut App, entity: Entity) -> Mut<'_, Sprite> {
    app.world_mut().get_mut(entity).unwrap()
}

#[test]
fn the_mask_follows_the_atlas_index_the_image_and_the_flip() {
    let mut app = app();
    let (image, atlas) = frames(&mut app);
    let other = add_image(&mut app, &["####", "####"]);
    let entity = spawn(&mut app, (Sprite::from_atlas_image(image, atlas), Anchor::TOP_LEFT));
    assert_eq!(covered(&mut app, entity, [0, 0], [2, 2]), ["#.", ".."]);
    sprite(&mut app, entity).texture_atlas.as_mut().unwrap().index = 1;
    assert_eq!(covered(&mut app, entity, [0, 0], [2, 2]), [".#", ".#"]);
    sprite(&mut app, entity).flip_x = true;
    assert_eq!(covered(&mut app, entity, [0, 0], [2, 2]), ["#.", "#."]);
    sprite(&mut app, entity).image = other;
    assert_eq!(covered(&mut app, entity, [0, 0], [2, 2]), ["##", "##"]);
}

#[test]
fn the_mask_follows_an_image_and_a_layout_that_are_edited() {
    let mut app = app();
    let (handle, atlas) = frames(&mut app);
    let layout = atlas.layout.clone();
    let entity = spawn(&mut app, (Sprite::from_atlas_image(handle.clone(), atlas), Anchor::TOP_LEFT));
    app.update();
    *app.world_mut().resource_mut::<Assets<Image>>().get_mut(&handle).unwrap() = image(&[".#.#", "...."]);
    app.update(); // Bevy sends the asset's event at the end of a frame
    assert_eq!(covered(&mut app, entity, [0, 0], [2, 2]), [".#", ".."]);
    app.world_mut().resource_mut::<Assets<TextureAtlasLayout>>().get_mut(&layout).unwrap().textures[0] =
        URect::new(1, 0, 3, 2);
    app.update();
    assert_eq!(covered(&mut app, entity, [0, 0], [2, 2]), ["#.", ".."]);
}

#[test]
fn the_threshold_is_the_least_alpha_of_a_solid_pixel() {
    let mut app = app();
    let data = vec![0, 0, 0, 127, 0, 0, 0, 128];
    let image = app.world_mut().resource_mut::<Assets<Image>>().add(rgba([2, 1], data));
    let bundle = (Sprite::from_image(image.clone()), Anchor::TOP_LEFT);
    let entity = spawn(&mut app, bundle);
    assert_eq!(covered(&mut app, entity, [0, 0], [2, 1]), [".#"]);
    *app.world_mut().get_mut::<Hitmask>(entity).unwrap() = Hitmask::alpha(127);
    assert_eq!(covered(&mut app, entity, [0, 0], [2, 1]), ["##"]);
    *app.world_mut().get_mut::<Hitmask>(entity).unwrap() = Hitmask::alpha(129);
    assert_eq!(covered(&mut app, entity, [0, 0], [2, 1]), [".."]);
}

#[test]
fn each_mask_is_made_once_and_dropped_with_the_last_sprite_of_its_image() {
    let mut app = app();
    let (image, atlas) = frames(&mut app);
    let entities: Vec<_> = (0..50)
        .map(|k| {
            let sprite = Sprite::from_atlas_image(image.clone(), atlas.clone().with_index(k % 2));
            spawn(&mut app, (sprite, at(10.0 * k as f32, 0.0)))
        })
        .collect();
    app.update();
    for step in 0..6 {
        for (k, &entity) in entities.iter().enumerate() {
            sprite(&mut app, entity).texture_atlas.as_mut().unwrap().index = (k + step) % 2;
        }
        app.update();
    }
    let counts = app.world().resource::<HitSpace>().counts();
    assert_eq!((counts.bodies, counts.masks, counts.masks_made, counts.shapes), (50, 2, 2, 2));
    for entity in entities {
        app.world_mut().despawn(entity);
    }
    app.update();
    let counts = app.world().resource::<HitSpace>().counts();
    assert_eq!((counts.bodies, counts.masks, counts.masks_made, counts.shapes), (0, 0, 2, 0));
}

#[test]
fn a_frame_that_is_not_shown_is_kept_for_the_animation_of_a_single_sprite() {
    let mut app = app();
    let (image, atlas) = frames(&mut app);
    let entity = spawn(&mut app, Sprite::from_atlas_image(image, atlas));
    for step in 0..8 {
        sprite(&mut app, entity).texture_atlas.as_mut().unwrap().index = step % 2;
        app.update();
    }
    assert_eq!(app.world().resource::<HitSpace>().counts().masks_made, 2);
}

#[test]
fn each_sprite_of_a_crowd_has_its_own_frame_size_flip_anchor_and_threshold() {
    let mut app = app();
    // Each row of pixels is a frame of one row; the last pixel of each is faint.
    let rows = ["#..#+", "##..+", ".#.#+", "####+"];
    let alpha = |pixel| match pixel {
        b'#' => 255,
        b'+' => 100,
        _ => 0,
    };
    let data: Vec<u8> = rows.iter().flat_map(|row| row.bytes()).flat_map(|pixel| [0, 0, 0, alpha(pixel)]).collect();
    let images = [data.clone(), data.iter().map(|byte| 255 - byte).collect()]
        .map(|data| app.world_mut().resource_mut::<Assets<Image>>().add(rgba([5, 4], data)));
    let up: Vec<URect> = (0..4).map(|k| URect::new(0, k, 5, k + 1)).collect();
    let down: Vec<URect> = up.iter().rev().copied().collect();
    let layouts = [up.clone(), down].map(|regions| atlas(&mut app, &regions));
    let mut seed = 1_u32;
    let mut random = move |count: u32| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 16) % count
    };
    let crowd: Vec<Entity> = (0..60).map(|k| app.world_mut().spawn(at(20.0 * k as f32, 0.0)).id()).collect();
    for _ in 0..20 {
        let mut expected = Vec::new();
        for &entity in &crowd {
            let [image, layout, flip, left, faint, wide, frame] = [2, 2, 2, 2, 2, 2, 4].map(&mut random);
            let row = if layout == 0 { frame } else { 3 - frame } as usize;
            let threshold = if faint == 1 { 50 } else { 200 };
            let is_solid = |pixel| threshold <= if image == 0 { alpha(pixel) } else { 255 - alpha(pixel) };
            let pixels: String = rows[row].bytes().map(|pixel| if is_solid(pixel) { '#' } else { '.' }).collect();
            let sprite = Sprite {
                flip_x: flip == 1,
                custom_size: (wide == 1).then_some(Vec2::new(15.0, 1.0)),
                ..Sprite::from_atlas_image(
                    images[image as usize].clone(),
                    layouts[layout as usize].clone().with_index(frame as usize),
                )
            };
            let anchor = if left == 1 { Anchor::CENTER_LEFT } else { Anchor::CENTER_RIGHT };
            app.world_mut().entity_mut(entity).insert((sprite, anchor, Hitmask::alpha(threshold)));
            // The side of the picture that lies at the origin.
            let side = if (left == 1) == (flip == 0) { 0.0 } else { 5.0 };
            let texel = if wide == 1 { 3.0 } else { 1.0 } * if flip == 1 { -1.0 } else { 1.0 };
            expected.push((pixels, side, texel));
        }
        app.update();
        let space = app.world().resource::<HitSpace>();
        for (&entity, (pixels, side, texel)) in crowd.iter().zip(expected) {
            let body = space.world().body(space.body(entity).unwrap()).unwrap();
            let shape = space.world().shape(body.shape).unwrap();
            assert_eq!(shape.mask().unwrap().to_rows(), [pixels]);
            assert_eq!((shape.anchor().x, body.linear.x[0]), (side, texel));
        }
    }
    for entity in crowd {
        app.world_mut().despawn(entity);
    }
    app.update();
    let counts = app.world().resource::<HitSpace>().counts();
    assert_eq!((counts.bodies, counts.shapes, counts.masks), (0, 0, 0));
}

#[test]
fn a_sprite_whose_anchor_or_rect_moves_leaves_few_shapes_behind() {
    let mut app = app();
    let row = ".".repeat(700);
    let image = add_image(&mut app, &[&row, &row]);
    let wide = spawn(&mut app, (Sprite::from_image(image.clone()), Anchor::CENTER));
    let scrolls = spawn(&mut app, Sprite::from_image(image));
    for k in 0..600 {
        app.world_mut().get_mut::<Anchor>(wide).unwrap().0.x = k as f32 / 1024.0;
        let left = k as f32;
        app.world_mut().get_mut::<Sprite>(scrolls).unwrap().rect = Some(Rect::new(left, 0.0, left + 2.0, 2.0));
        app.update();
    }
    let counts = app.world().resource::<HitSpace>().counts();
    assert_eq!((counts.bodies, counts.shapes), (2, 258));
    assert!(counts.masks <= 258, "{}", counts.masks);
    // The latest are kept.
    app.world_mut().get_mut::<Anchor>(wide).unwrap().0.x = 580.0 / 1024.0;
    app.world_mut().get_mut::<Sprite>(scrolls).unwrap().rect = Some(Rect::new(580.0, 0.0, 582.0, 2.0));
    app.update();
    assert_eq!(app.world().resource::<HitSpace>().counts().masks_made, counts.masks_made);
}
