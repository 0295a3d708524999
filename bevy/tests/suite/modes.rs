//! Image modes: masks of tiled, sliced and scaled sprites are what Bevy's shader draws.

use bevy_app::App;
use bevy_asset::{Assets, Handle};
use bevy_ecs::system::RunSystemOnce;
use bevy_hitmask::{HitFilter, HitQuery, HitSpace, Hitmask, Problem};
use bevy_image::{Image, TextureAtlas, TextureAtlasLayout};
use bevy_math::{DVec2, Rect, URect, UVec2, Vec2};
use bevy_sprite::{Anchor, BorderRect, SliceScaleMode, Sprite, SpriteImageMode, SpriteScalingMode, TextureSlicer};

use crate::common::{add_image, app, problems, rgba};

/// Random numbers that are the same in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, count: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) % count
    }

    fn is_set(&mut self) -> bool {
        self.below(2) == 1
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }
}

/// A sprite as Bevy draws it: by the formulas of its `sprite_mesh_material.rs` for a sprite, and of its
/// `functions.wesl` for a pixel.
struct Drawn<'a> {
    sprite: &'a Sprite,
    anchor: DVec2,
    region: [DVec2; 2],
}

impl Drawn<'_> {
    /// Returns the place in the image, in texels; `None` if a pixel is not on the sprite's quad.
    fn place(&self, at: DVec2) -> Option<DVec2> {
        let [min, shown] = self.region;
        let (mut quad, mut offset) = (shown, DVec2::ZERO);
        let (mut uv_scale, mut uv_offset) = (DVec2::ONE, DVec2::ZERO);
        let (mut tile, mut slice) = (None, None);
        if let Some(custom) = self.sprite.custom_size.map(Vec2::as_dvec2) {
            let (quad_ratio, custom_ratio) = (shown.x / shown.y, custom.x / custom.y);
            let wide = DVec2::new(custom.y * quad_ratio, custom.y);
            let high = DVec2::new(custom.x, custom.x / quad_ratio);
            let (fill, fit) = if quad_ratio > custom_ratio { (wide, high) } else { (high, wide) };
            match &self.sprite.image_mode {
                SpriteImageMode::Auto => quad = custom,
                SpriteImageMode::Scale(scaling) => match scaling {
                    SpriteScalingMode::FillCenter => {
                        (uv_scale, uv_offset, quad) = (custom / fill, (fill - custom) * 0.5 / custom, custom);
                    }
                    SpriteScalingMode::FillStart => (uv_scale, quad) = (custom / fill, custom),
                    SpriteScalingMode::FillEnd => {
                        (uv_scale, uv_offset, quad) = (custom / fill, (fill - custom) / custom, custom);
                    }
                    SpriteScalingMode::FitCenter => quad = fit,
                    SpriteScalingMode::FitStart => {
                        (offset, quad) = ((custom - fit) * DVec2::new(-0.5, 0.5), fit);
                    }
                    SpriteScalingMode::FitEnd => {
                        (offset, quad) = ((custom - fit) * DVec2::new(0.5, -0.5), fit);
                    }
                },
                SpriteImageMode::Tiled { tile_x, tile_y, stretch_value } => {
                    tile = Some(([*tile_x, *tile_y], shown * f64::from(*stretch_value) / custom));
                    quad = custom;
                }
                mode @ SpriteImageMode::Sliced(_) if mode.slice_border_out_of_bounds(shown.as_vec2()) => quad = custom,
                SpriteImageMode::Sliced(slicer) => {
                    slice = Some(Slice::new(slicer, shown, custom));
                    quad = custom;
                }
            }
        }
        offset -= quad * self.anchor;
        let from_centre = (at - offset) / quad * DVec2::new(1.0, -1.0);
        let mut uv = from_centre + 0.5;
        if uv.min_element() < 0.0 || uv.max_element() >= 1.0 {
            return None;
        }
        if self.sprite.flip_x {
            uv.x = 1.0 - uv.x;
        }
        if self.sprite.flip_y {
            uv.y = 1.0 - uv.y;
        }
        if let Some(([tile_x, tile_y], stretch)) = tile {
            let tiled = (uv - stretch * (uv / stretch).floor()) / stretch;
            uv = DVec2::new(if tile_x { tiled.x } else { uv.x }, if tile_y { tiled.y } else { uv.y });
        }
        if let Some(slice) = slice {
            uv = slice.apply(uv);
        }
        Some((uv + uv_offset) * uv_scale * shown + min)
    }
}

struct Slice {
    scale: DVec2,
    insets: [DVec2; 2],
    sides: DVec2,
    center: DVec2,
}

impl Slice {
    fn new(slicer: &TextureSlicer, quad: DVec2, custom: DVec2) -> Self {
        let [min, max] = [slicer.border.min_inset, slicer.border.max_inset].map(|inset| inset.as_dvec2() / quad);
        let coef = custom / quad;
        let corner = coef.min_element().min(slicer.max_corner_scale.into()).max(f32::EPSILON.into());
        let scale = coef / corner;
        let stretch = |mode| match mode {
            SliceScaleMode::Stretch => DVec2::ZERO,
            SliceScaleMode::Tile { stretch_value } => {
                f64::from(stretch_value) * (quad * (1.0 - max - min)) / (custom * (1.0 - max / scale - min / scale))
            }
        };
        let (sides, center) = (stretch(slicer.sides_scale_mode), stretch(slicer.center_scale_mode));
        Self { scale, insets: [min, max], sides, center }
    }

    fn apply(&self, uv: DVec2) -> DVec2 {
        let [min, max] = self.insets;
        let (low, high) = (min / self.scale, 1.0 - max / self.scale);
        let middle = uv.cmpge(low) & uv.cmple(high);
        let stretch = if middle.all() { self.center } else { self.sides };
        let mut out = DVec2::ZERO;
        for axis in 0..2 {
            out[axis] = if uv[axis] < low[axis] {
                uv[axis] * self.scale[axis]
            } else if uv[axis] > high[axis] {
                1.0 - (1.0 - uv[axis]) * self.scale[axis]
            } else {
                let value = (uv[axis] - low[axis]) / (high[axis] - low[axis]);
                let part = stretch[axis];
                let value = if part == 0.0 { value } else { (value - part * (value / part).floor()) / part };
                value * (1.0 - max[axis] - min[axis]) + min[axis]
            };
        }
        out
    }
}

/// An image without symmetry, and its solid texels.
fn picture(app: &mut App, random: &mut Random, size: UVec2) -> (Handle<Image>, Vec<Vec<bool>>) {
    let solid: Vec<Vec<bool>> = (0..size.y).map(|_| (0..size.x).map(|_| random.is_set()).collect()).collect();
    let data = solid.iter().flatten().flat_map(|&solid| [1, 2, 3, if solid { 255 } else { 0 }]).collect();
    let image = rgba([size.x as usize, size.y as usize], data);
    (app.world_mut().resource_mut::<Assets<Image>>().add(image), solid)
}

fn mode(random: &mut Random) -> SpriteImageMode {
    let stretch = |random: &mut Random| random.pick(&[0.3, 0.77, 1.0, 1.0, 1.6, 3.0]);
    let slices = |random: &mut Random| {
        if random.is_set() { SliceScaleMode::Stretch } else { SliceScaleMode::Tile { stretch_value: stretch(random) } }
    };
    match random.below(3) {
        0 => {
            let (tile_x, tile_y) = (random.is_set(), random.is_set());
            SpriteImageMode::Tiled { tile_x, tile_y, stretch_value: stretch(random) }
        }
        1 => SpriteImageMode::Scale(random.pick(&[
            SpriteScalingMode::FillCenter,
            SpriteScalingMode::FillStart,
            SpriteScalingMode::FillEnd,
            SpriteScalingMode::FitCenter,
            SpriteScalingMode::FitStart,
            SpriteScalingMode::FitEnd,
        ])),
        _ => {
            let border: [f32; 4] = std::array::from_fn(|_| random.below(5) as f32 * 0.75);
            SpriteImageMode::Sliced(TextureSlicer {
                border: BorderRect::from(border),
                center_scale_mode: slices(random),
                sides_scale_mode: slices(random),
                max_corner_scale: random.pick(&[0.4, 1.0, 1.0, 2.5]),
            })
        }
    }
}

/// Returns the middles of pixels around the origin, and whether a body is there.
fn hits(app: &mut App) -> Vec<(Vec2, bool)> {
    let hits = |query: HitQuery<'_, '_>| {
        let middles = (-43..43).flat_map(|x| (-43..43).map(move |y| Vec2::new(x as f32 + 0.5, y as f32 + 0.5)));
        let is_hit = |at| !query.at(at, &HitFilter::default()).unwrap().is_empty();
        middles.map(|at| (at, is_hit(at))).collect::<Vec<_>>()
    };
    app.world_mut().run_system_once(hits).unwrap()
}

#[test]
fn tiled_sliced_and_scaled_sprites_have_the_pixels_that_the_shader_draws() {
    let (mut app, mut random) = (app(), Random(0x9E37_79B9_7F4A_7C15));
    let (mut compared, mut skipped) = (0_usize, 0_usize);
    for round in 0..120 {
        let size = UVec2::new(4 + random.below(9) as u32, 4 + random.below(9) as u32);
        let (image, solid) = picture(&mut app, &mut random, size);
        let rect = random.is_set().then(|| Rect::new(1.0, 2.0, size.x as f32, size.y as f32 - 1.0));
        let region = rect.map_or([DVec2::ZERO, size.as_dvec2()], |rect| [rect.min, rect.size()].map(Vec2::as_dvec2));
        let custom = Vec2::new(1.0 + random.below(40) as f32, 1.0 + random.below(40) as f32);
        let sprite = Sprite {
            rect,
            custom_size: (random.below(8) > 0).then_some(custom),
            image_mode: mode(&mut random),
            flip_x: random.is_set(),
            flip_y: random.is_set(),
            ..Sprite::from_image(image)
        };
        // Their corners lie on whole units, so that the middles of cells are those of pixels.
        let anchor = random.pick(&[Anchor::TOP_LEFT, Anchor::BOTTOM_RIGHT, Anchor::BOTTOM_LEFT]);
        let drawn = Drawn { sprite: &sprite, anchor: anchor.as_vec().as_dvec2(), region };
        let entity = app.world_mut().spawn((sprite.clone(), anchor, Hitmask::alpha(128))).id();
        app.update();
        assert_eq!(problems(&mut app), [], "{round}: {sprite:?}");
        for (at, is_hit) in hits(&mut app) {
            let place = drawn.place(at.as_dvec2());
            let texel = |at: DVec2| drawn.place(at).map(DVec2::floor);
            let around = [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)];
            // Where rounding decides between two texels, it may be either.
            if around.iter().any(|&(x, y)| texel(at.as_dvec2() + 0.02 * DVec2::new(x, y)) != place.map(DVec2::floor)) {
                skipped += 1;
                continue;
            }
            let expected = place.is_some_and(|place| solid[place.y as usize][place.x as usize]);
            assert_eq!(is_hit, expected, "{round}: {sprite:?} {anchor:?} of {size} at {at}, texel {place:?}");
            compared += usize::from(place.is_some());
        }
        app.world_mut().despawn(entity);
    }
    assert!(compared > 10 * skipped && compared > 20_000, "{compared} compared, {skipped} skipped");
    app.update();
    let counts = app.world().resource::<HitSpace>().counts();
    assert_eq!((counts.bodies, counts.shapes, counts.masks), (0, 0, 0));
}

#[test]
fn an_atlas_region_is_tiled_by_itself() {
    let mut app = app();
    let image = add_image(&mut app, &["##..", "##.#"]);
    let layout = TextureAtlasLayout { size: UVec2::new(4, 2), textures: vec![URect::new(2, 0, 4, 2)] };
    let layout = app.world_mut().resource_mut::<Assets<TextureAtlasLayout>>().add(layout);
    let sprite = Sprite {
        image_mode: SpriteImageMode::Tiled { tile_x: true, tile_y: true, stretch_value: 1.0 },
        custom_size: Some(Vec2::new(5.4, 3.0)),
        ..Sprite::from_atlas_image(image, TextureAtlas { layout, index: 0 })
    };
    app.world_mut().spawn((sprite, Hitmask::default()));
    app.update();
    let world = app.world().resource::<HitSpace>().world();
    let body = world.body(world.id(0).unwrap()).unwrap();
    // 5.4 units make five cells, each a bit wider than a unit.
    assert_eq!(world.shape(body.shape).unwrap().mask().unwrap().to_rows(), [".....", ".#.#.", "....."]);
    assert!((body.linear.x[0] - 1.08).abs() < 1e-6);
}

#[test]
fn a_tiled_sprite_that_grows_leaves_no_masks_behind() {
    let mut app = app();
    let image = add_image(&mut app, &["#."]);
    let other = app.world_mut().spawn((Sprite::from_image(image.clone()), Hitmask::default())).id();
    let image_mode = SpriteImageMode::Tiled { tile_x: true, tile_y: true, stretch_value: 1.0 };
    let bar = app.world_mut().spawn((Sprite { image_mode, ..Sprite::from_image(image) }, Hitmask::default())).id();
    for width in 1..100 {
        app.world_mut().get_mut::<Sprite>(bar).unwrap().custom_size = Some(Vec2::new(width as f32, 1.0));
        app.update();
        let counts = app.world().resource::<HitSpace>().counts();
        assert!(counts.masks <= 3 && counts.shapes <= 3, "{counts:?}");
    }
    app.world_mut().despawn(bar);
    app.world_mut().despawn(other);
    app.update();
    let counts = app.world().resource::<HitSpace>().counts();
    assert_eq!((counts.shapes, counts.masks), (0, 0));
}

#[test]
fn tiled_sprites_that_differ_only_in_their_anchors_share_a_mask() {
    let mut app = app();
    let image = add_image(&mut app, &["#."]);
    let spawn = |app: &mut App, anchor: Anchor| {
        let sprite = Sprite {
            image_mode: SpriteImageMode::Tiled { tile_x: true, tile_y: true, stretch_value: 1.0 },
            custom_size: Some(Vec2::new(6.0, 2.0)),
            ..Sprite::from_image(image.clone())
        };
        let entity = app.world_mut().spawn((sprite, anchor, Hitmask::default())).id();
        app.update();
        let counts = app.world().resource::<HitSpace>().counts();
        (entity, counts.shapes, counts.masks, counts.masks_made)
    };
    let (first, ..) = spawn(&mut app, Anchor::TOP_LEFT);
    let (second, shapes, masks, made) = spawn(&mut app, Anchor::CENTER);
    assert_eq!((shapes, masks, made), (2, 1, 1));
    app.world_mut().despawn(first);
    app.update();
    let (third, shapes, masks, made) = spawn(&mut app, Anchor::BOTTOM_LEFT);
    assert_eq!((shapes, masks, made), (2, 1, 1));
    app.world_mut().despawn(second);
    app.world_mut().despawn(third);
    app.update();
    let counts = app.world().resource::<HitSpace>().counts();
    assert_eq!((counts.shapes, counts.masks), (0, 0));
}

#[test]
fn a_mask_whose_shape_is_refused_is_not_kept() {
    let mut app = app();
    let image = add_image(&mut app, &["#."]);
    for k in 0..3 {
        let far = Anchor(Vec2::new(1e7 + k as f32, 0.0));
        let entity = app.world_mut().spawn((Sprite::from_image(image.clone()), far, Hitmask::default())).id();
        app.update();
        assert_eq!(problems(&mut app).len(), 1);
        let counts = app.world().resource::<HitSpace>().counts();
        assert_eq!((counts.shapes, counts.masks, counts.masks_made), (0, 0, 0));
        app.world_mut().despawn(entity);
    }
}

#[test]
fn modes_that_draw_nothing_sensible_are_named() {
    let mut app = app();
    let image = add_image(&mut app, &["####", "####", "####"]);
    let tiled = |stretch_value| SpriteImageMode::Tiled { tile_x: true, tile_y: true, stretch_value };
    let sliced = |slicer| SpriteImageMode::Sliced(slicer);
    let tile = SliceScaleMode::Tile { stretch_value: -1.0 };
    let negative = BorderRect { min_inset: Vec2::new(-1.0, 0.0), max_inset: Vec2::ZERO };
    let size = Vec2::new(9.0, 9.0);
    for (image_mode, size, name, part) in [
        (tiled(0.0), size, "Tiled", "stretch_value"),
        (tiled(f32::NAN), size, "Tiled", "stretch_value"),
        (tiled(1.0), Vec2::new(-9.0, 9.0), "Tiled", "custom_size"),
        (SpriteImageMode::Scale(SpriteScalingMode::FitEnd), Vec2::new(9.0, f32::NAN), "Scale", "custom_size"),
        (sliced(TextureSlicer { sides_scale_mode: tile, ..Default::default() }), size, "Sliced", "slices"),
        (sliced(TextureSlicer { border: negative, ..Default::default() }), size, "Sliced", "borders"),
    ] {
        let sprite = Sprite { image_mode, custom_size: Some(size), ..Sprite::from_image(image.clone()) };
        let entity = app.world_mut().spawn((sprite, Hitmask::default())).id();
        app.update();
        let found = problems(&mut app);
        let [problem] = &*found else { panic!("{name}: {found:?}") };
        assert_eq!(problem.entity, entity);
        assert!(
            matches!(problem.problem, Problem::ImageMode { mode, reason } if mode == name && reason.contains(part)),
            "{problem:?}"
        );
        app.world_mut().despawn(entity);
    }
    let image_mode = tiled(1.0);
    let sprite = Sprite { image_mode, custom_size: Some(Vec2::new(1e9, 9.0)), ..Sprite::from_image(image) };
    app.world_mut().spawn((sprite, Hitmask::default()));
    app.update();
    assert!(matches!(&*problems(&mut app), [found] if found.problem.to_string().contains("8192")));
}
