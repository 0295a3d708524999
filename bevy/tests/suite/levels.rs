//! Levels of Tiled as assets: their bodies, the tiles of hits, reloads and problems.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use bevy_app::{App, FixedPostUpdate, TaskPoolPlugin};
use bevy_asset::io::memory::{Dir, MemoryAssetReader};
use bevy_asset::io::{AssetSourceBuilder, AssetSourceEvent, AssetSourceId, AssetWatcher};
use bevy_asset::{AssetApp, AssetPlugin, AssetServer, Assets, Handle, LoadState};
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use bevy_ecs::query::Allow;
use bevy_ecs::system::RunSystemOnce;
use bevy_hitmask::hitmask::{Touch, World as HitWorld};
use bevy_hitmask::hitmask_files::level::Tile;
use bevy_hitmask::hitmask_files::terrain::{Merge, Solids, Source};
use bevy_hitmask::hitmask_files::{Filter, Import};
use bevy_hitmask::{
    Collider, HitEnd, HitFilter, HitLevel, HitQuery, HitSnapshot, HitSpace, HitStart, HitTiles, HitTilesMut,
    HitmaskLevelsPlugin, HitmaskPlugin, HitmaskProblem, HitmaskSystems, Layers, LevelCollider, LevelPart, Problem,
};
use bevy_image::{Image, TextureAtlasLayout};
use bevy_math::{Quat, Vec2, Vec3};
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::TransformPlugin;
use bevy_transform::components::Transform;

use crate::common::{at, move_to, problems, take, until};

/// Tiles of 4 pixels: a block, a floor half as high, and spikes that hurt.
const TILES: &str = r#"<tileset name="set" tilewidth="4" tileheight="4" tilecount="3" columns="3">
 <tile id="0" type="rock"><objectgroup><object id="1" x="0" y="0" width="4" height="4"/></objectgroup></tile>
 <tile id="1" type="rock"><objectgroup><object id="1" x="0" y="2" width="4" height="2"/></objectgroup></tile>
 <tile id="2" type="spikes">
  <properties><property name="damage" type="int" value="3"/></properties>
  <objectgroup><object id="1" x="1" y="0" width="2" height="4"/></objectgroup>
 </tile>
</tileset>"#;

/// The picture of tiles 1, 2, 0 above 0, 3, 1: a character for each pixel.
const PICTURE: [&str; 8] = [
    "####........", //
    "####........",
    "########....",
    "########....",
    ".....##.####",
    ".....##.####",
    ".....##.####",
    ".....##.####",
];

fn map(tileset: &str, rows: [&str; 2]) -> String {
    format!(
        r#"<map orientation="orthogonal" width="3" height="2" tilewidth="4" tileheight="4">{tileset}
        <layer id="1" name="ground" width="3" height="2"><data encoding="csv">{},{}</data></layer></map>"#,
        rows[0], rows[1]
    )
}

fn cave() -> String {
    map(r#"<tileset firstgid="1" source="set.tsx"/>"#, ["1,2,0", "0,3,1"])
}

type Notify = Arc<Mutex<Option<Box<dyn Fn(PathBuf) + Send + Sync>>>>;

/// A folder of assets in memory, whose edits are noticed as those of files on disk are.
struct Folder {
    files: Dir,
    notify: Notify,
}

struct Watcher;

impl AssetWatcher for Watcher {}

impl Folder {
    fn put(&self, path: &str, text: impl Into<Vec<u8>>) {
        self.files.insert_asset(Path::new(path), text.into());
    }

    /// Edits a file, which the server notices.
    fn write(&self, path: &str, text: impl Into<Vec<u8>>) {
        self.put(path, text);
        if let Some(notify) = &*self.notify.lock().unwrap() {
            notify(path.into());
        }
    }
}

fn app() -> (App, Folder) {
    app_of(HitmaskPlugin::default())
}

fn app_of(plugin: HitmaskPlugin) -> (App, Folder) {
    let mut app = App::new();
    let folder = add_levels(&mut app, plugin);
    (app, folder)
}

/// Adds the plugins and a folder to an app, and takes its first step.
fn add_levels(app: &mut App, plugin: HitmaskPlugin) -> Folder {
    let folder = Folder { files: Dir::default(), notify: Notify::default() };
    let (root, notify) = (folder.files.clone(), folder.notify.clone());
    let source = AssetSourceBuilder::new(move || Box::new(MemoryAssetReader { root: root.clone() }));
    let source = source.with_watcher(move |sender| {
        let send = move |path| drop(sender.try_send(AssetSourceEvent::ModifiedAsset(path)));
        *notify.lock().unwrap() = Some(Box::new(send));
        Some(Box::new(Watcher))
    });
    let assets = AssetPlugin { watch_for_changes_override: Some(true), ..AssetPlugin::default() };
    app.register_asset_source(AssetSourceId::Default, source)
        .add_plugins((TaskPoolPlugin::default(), TimePlugin, TransformPlugin, assets))
        .add_plugins((plugin, HitmaskLevelsPlugin))
        .init_asset::<Image>()
        .init_asset::<TextureAtlasLayout>()
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.update();
    folder
}

/// Returns an app with the level of [`PICTURE`], loaded.
fn loaded(text: &str) -> (App, Folder, Handle<HitLevel>) {
    let (mut app, folder) = app();
    let level = load(&mut app, &folder, text);
    (app, folder, level)
}

fn load(app: &mut App, folder: &Folder, text: &str) -> Handle<HitLevel> {
    folder.put("maps/set.tsx", TILES);
    folder.put("maps/cave.tmx", text);
    let level = app.world().resource::<AssetServer>().load("maps/cave.tmx");
    until(app, "loaded", |app| app.world().resource::<AssetServer>().is_loaded(&level));
    level
}

fn bodies(app: &App) -> usize {
    app.world().resource::<HitSpace>().counts().bodies
}

/// Returns which of the pixels of the level are solid, where the level's entity has put them.
fn picture(app: &mut App, place: Transform) -> Vec<String> {
    let pixels = move |query: HitQuery<'_, '_>| {
        let is_solid = |x: usize, y: usize| {
            let at = place.transform_point(Vec3::new(x as f32 + 0.5, -(y as f32) - 0.5, 0.0));
            !query.at(at.truncate(), &HitFilter::default()).unwrap().is_empty()
        };
        let row = |y| (0..12).map(|x| if is_solid(x, y) { '#' } else { '.' }).collect::<String>();
        (0..8).map(row).collect::<Vec<_>>()
    };
    app.world_mut().run_system_once(pixels).unwrap()
}

fn parts(app: &mut App) -> Vec<Entity> {
    let world = app.world_mut();
    world.query_filtered::<Entity, With<LevelPart>>().iter(world).collect()
}

#[test]
fn the_bodies_of_a_level_cover_its_tiles_wherever_its_entity_is() {
    let (mut app, _, level) = loaded(&cave());
    let quarter = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
    for (merge, count) in [(Merge::Masks, 1), (Merge::Polygons, 2), (Merge::None, 4)] {
        for place in [
            Transform::default(),
            Transform::from_xyz(-70.0, 35.0, 5.0),
            Transform::from_xyz(9.0, 0.0, 0.0).with_rotation(quarter).with_scale(Vec3::new(2.0, 3.0, 1.0)),
        ] {
            let collider = LevelCollider::new(level.clone()).solids(Solids::default().merge(merge));
            let entity = app.world_mut().spawn((collider, place)).id();
            app.update();
            assert_eq!(picture(&mut app, place), PICTURE, "{merge:?} {place:?}");
            assert_eq!(bodies(&app), count, "{merge:?}");
            app.world_mut().despawn(entity);
            app.update();
            assert_eq!(app.world().resource::<HitSpace>().counts().shapes, 0);
        }
    }
}

#[test]
fn bodies_are_those_that_the_library_makes_of_tile_objects() {
    let text = r#"<map orientation="orthogonal" width="1" height="1" tilewidth="16" tileheight="16">
     <tileset firstgid="1" tilewidth="16" tileheight="16" tilecount="4" columns="4">
      <image source="cave.png" width="64" height="16"/></tileset>
     <objectgroup id="1" name="things" offsetx="3.5" offsety="-7">
      <object id="1" gid="2" x="20" y="30" width="16" height="16"/>
      <object id="2" gid="2" x="60" y="30" width="32" height="8" rotation="90"/>
      <object id="3" gid="2147483650" x="90" y="30" width="48" height="16" rotation="33"/>
      <object id="4" gid="3" x="130" y="-30.25" width="16" height="40" rotation="-120"/>
      <object id="5" x="5" y="60" width="10" height="4" rotation="20"/>
     </objectgroup></map>"#;
    let picture = include_bytes!("../../../files/assets/cave.png");
    let files = |path: &Path| Ok(if path.ends_with("cave.png") { picture.to_vec() } else { text.into() });
    let level = Import::default().read_level("cave.tmx", files).unwrap();
    let solids = Solids::default().source(Source::Pixels).rule(|subject| {
        let detector = subject.object.is_some_and(|object| object.id % 2 == 0);
        Some(Filter { layers: 6, detector, ..Filter::default() })
    });
    let mut world = HitWorld::default();
    level.add_to(&mut world, &solids).unwrap();
    assert_eq!(world.len(), 5);

    let (mut app, _) = app();
    let level = app.world_mut().resource_mut::<Assets<HitLevel>>().add(HitLevel(Arc::new(level)));
    app.world_mut().spawn(LevelCollider::new(level).solids(solids));
    app.update();
    let space = app.world().resource::<HitSpace>().world();
    assert_eq!(space.len(), 5);
    for (ours, id) in space.ids().zip(world.ids()) {
        let (ours, theirs) = (space.body(ours).unwrap(), world.body(id).unwrap());
        assert_eq!(
            (ours.at, ours.layers, ours.mask, ours.detector, ours.group),
            (theirs.at, theirs.layers, theirs.mask, theirs.detector, theirs.group)
        );
        assert_eq!(space.shape(ours.shape), world.shape(theirs.shape));
        let (ours, theirs) = ([ours.linear.x, ours.linear.y], [theirs.linear.x, theirs.linear.y]);
        for (ours, theirs) in ours.as_flattened().iter().zip(theirs.as_flattened()) {
            assert!((ours - theirs).abs() < 1e-6, "{ours:?} {theirs:?}");
        }
    }
}

/// Only the spikes are solid here, and hit the hero, who does not hit them.
#[test]
fn a_level_of_detectors_hits_what_does_not_hit_it() {
    let (mut app, _, level) = loaded(&cave());
    let hero = (Collider::circle(1.0), Layers::new(1, 2), at(6.0, -6.0));
    let hero = app.world_mut().spawn(hero).id();
    let spikes = app.world_mut().spawn(at(0.0, 0.0)).id();
    for detector in [true, false] {
        let solids = Solids::default().rule(move |subject| {
            let filter = Filter { layers: 4, mask: 1, detector, ..Filter::default() };
            (subject.class == "spikes").then_some(filter)
        });
        app.world_mut().entity_mut(spikes).insert(LevelCollider::new(level.clone()).solids(solids));
        app.update();
        let part = parts(&mut app)[0];
        assert_eq!(app.world().resource::<HitSpace>().sees(part, hero), detector);
        let starts = take::<HitStart>(&mut app);
        assert_eq!(starts.len(), usize::from(detector));
        let cells = move |tiles: HitTiles<'_, '_>| {
            let found = tiles.hit(part, hero).unwrap();
            found.iter().map(|tile| tile.cell).collect::<Vec<_>>()
        };
        if detector {
            assert_eq!(app.world_mut().run_system_once(cells).unwrap(), [[1, 1]]);
        }
    }
}

#[test]
fn a_hit_names_the_tiles_in_the_order_in_which_they_are_met() {
    #[derive(Resource, Default)]
    struct Met(Vec<([i32; 2], String, Option<i64>)>);

    for (place, merge) in [(Vec2::ZERO, Merge::Masks), (Vec2::new(40.0, -300.0), Merge::Polygons)] {
        let (mut app, _, level) = loaded(&cave());
        let collider = LevelCollider::new(level).solids(Solids::default().merge(merge));
        let cave = app.world_mut().spawn((collider, at(place.x, place.y))).id();
        let start = place + Vec2::new(-5.0, -5.5);
        let shot = app.world_mut().spawn((Collider::rectangle(1.0, 1.0), at(start.x, start.y))).id();
        app.init_resource::<Met>();
        app.world_mut().entity_mut(shot).observe(
            |hit: On<'_, '_, HitStart>, tiles: HitTiles<'_, '_>, mut met: ResMut<'_, Met>| {
                let found = tiles.hit(hit.entity, hit.other).unwrap();
                assert_eq!(found, tiles.hit(hit.other, hit.entity).unwrap());
                assert_eq!(tiles.layer(hit.other).unwrap().name, "ground");
                met.0.extend(found.into_iter().map(|tile| {
                    let info = tiles.info(&tile).unwrap();
                    (tile.cell, info.class.clone(), info.properties.int("damage"))
                }));
            },
        );
        app.update();
        assert_eq!(app.world().resource::<Met>().0, []);
        // Along the second row: through the spikes, then into the block. The level moves towards the shot.
        let end = start + Vec2::new(12.0, 0.0);
        move_to(&mut app, shot, end);
        move_to(&mut app, cave, place - Vec2::X);
        app.update();
        let spikes = ([1, 1], "spikes".into(), Some(3));
        let expected = [spikes, ([2, 1], "rock".into(), None)];
        // Of polygons there are two, and each is hit by one of these tiles.
        let mut met = std::mem::take(&mut app.world_mut().resource_mut::<Met>().0);
        if merge == Merge::Polygons {
            met.sort();
        }
        assert_eq!(met, expected, "{merge:?}");
    }
}

#[test]
fn a_hit_that_only_touches_names_its_tiles_if_touching_counts() {
    for (touch, count) in [(Touch::Included, 1), (Touch::Excluded, 0)] {
        let (mut app, folder) = app_of(HitmaskPlugin::default().touch(touch));
        let level = load(&mut app, &folder, &cave());
        app.world_mut().spawn(LevelCollider::new(level));
        // It rests on the block at the left.
        let probe = app.world_mut().spawn((Collider::rectangle(2.0, 2.0), at(2.0, 1.0))).id();
        app.update();
        let starts = take::<HitStart>(&mut app);
        assert_eq!(starts.len(), count);
        let other = starts.iter().map(|start| if start.entity == probe { start.other } else { start.entity });
        for part in other.collect::<Vec<_>>() {
            let cells = move |tiles: HitTiles<'_, '_>| {
                tiles.hit(probe, part).unwrap().into_iter().map(|tile| tile.cell).collect::<Vec<_>>()
            };
            assert_eq!(app.world_mut().run_system_once(cells).unwrap(), [[0, 0]]);
        }
    }
}

#[test]
fn tiles_are_found_at_points_and_objects_by_their_parts() {
    let objects = r#"<objectgroup id="2" name="doors">
        <object id="7" name="exit" x="20" y="4" width="4" height="8"/></objectgroup></map>"#;
    let (mut app, _, level) = loaded(&cave().replace("</map>", objects));
    let collider = LevelCollider::new(level).solids(Solids::default().rule(|_| Some(Filter::default())));
    let place = Transform::from_xyz(100.0, 50.0, 0.0).with_scale(Vec3::splat(2.0));
    let cave = app.world_mut().spawn((collider, place)).id();
    app.update();
    let ask = move |tiles: HitTiles<'_, '_>, parts: Query<'_, '_, Entity, With<LevelPart>>| {
        for (y, row) in PICTURE.iter().enumerate() {
            for (x, pixel) in row.bytes().enumerate() {
                let at = place.transform_point(Vec3::new(x as f32 + 0.5, -(y as f32) - 0.5, 0.0)).truncate();
                let cell = [x as i32 / 4, y as i32 / 4];
                let expected = (pixel == b'#').then_some((0, cell));
                assert_eq!(tiles.at(cave, at).map(|tile| (tile.layer, tile.cell)), expected, "{x} {y}");
            }
        }
        let named: Vec<_> = parts.iter().filter_map(|part| tiles.object(part)).map(|door| &*door.name).collect();
        assert_eq!(named, ["exit"]);
        assert_eq!((tiles.at(cave, Vec2::NAN), tiles.at(Entity::PLACEHOLDER, Vec2::ZERO)), (None, None));
        assert_eq!(tiles.hit(cave, Entity::PLACEHOLDER).unwrap(), []);
    };
    app.world_mut().run_system_once(ask).unwrap();
}

#[test]
fn an_edited_file_makes_the_bodies_anew() {
    let (mut app, folder, level) = loaded(&cave());
    app.world_mut().spawn(LevelCollider::new(level));
    let probe = app.world_mut().spawn((Collider::rectangle(1.0, 1.0), at(2.0, -2.0))).id();
    app.update();
    assert_eq!(take::<HitStart>(&mut app).len(), 1);
    folder.write("maps/cave.tmx", map(r#"<tileset firstgid="1" source="set.tsx"/>"#, ["0,0,0", "1,0,0"]));
    until(&mut app, "the map is read again", |app| {
        take::<HitEnd>(app).iter().any(|end| [end.entity, end.other].contains(&probe))
    });
    let low: Vec<String> = (0..8).map(|y| if y < 4 { "." } else { "#" }.repeat(4) + "........").collect();
    move_to(&mut app, probe, Vec2::new(500.0, 0.0));
    app.update();
    assert_eq!(picture(&mut app, Transform::default()), low);
    // A file that the map names.
    folder.write(
        "maps/set.tsx",
        TILES.replace(r#"x="0" y="0" width="4" height="4""#, r#"x="0" y="3" width="4" height="1""#),
    );
    until(&mut app, "the tileset is read again", |app| picture(app, Transform::default()) != low);
    let flat: Vec<String> = (0..8).map(|y| if y < 7 { "." } else { "#" }.repeat(4) + "........").collect();
    assert_eq!((picture(&mut app, Transform::default()), bodies(&app)), (flat, 2));
    assert_eq!(problems(&mut app), []);
}

#[test]
fn bodies_follow_the_component_and_go_with_it() {
    let (mut app, _, level) = loaded(&cave());
    let cave = app.world_mut().spawn((LevelCollider::new(level.clone()), at(3.0, 4.0))).id();
    let other = app.world_mut().spawn((Collider::circle(1.0), ChildOf(cave))).id();
    app.update();
    assert_eq!((bodies(&app), parts(&mut app).len()), (2, 1));
    let of_spikes = Solids::default().rule(|tile| (tile.class == "spikes").then(Filter::default));
    app.world_mut().get_mut::<LevelCollider>(cave).unwrap().solids = of_spikes.merge(Merge::None);
    app.update();
    let place = Transform::from_xyz(3.0, 4.0, 0.0);
    app.world_mut().despawn(other);
    app.update();
    let spikes: Vec<String> = (0..8).map(|y| if y < 4 { "." } else { "#" }.repeat(2)).collect();
    let spikes: Vec<String> = spikes.iter().map(|row| format!(".....{row}.....")).collect();
    assert_eq!(picture(&mut app, place), spikes);
    // The second one replaces the first, which leaves nothing behind.
    app.world_mut().entity_mut(cave).insert(LevelCollider::new(level));
    app.update();
    assert_eq!(
        (picture(&mut app, place), bodies(&app), parts(&mut app).len()),
        (PICTURE.map(String::from).to_vec(), 1, 1)
    );
    app.world_mut().entity_mut(cave).remove::<LevelCollider>();
    app.update();
    assert_eq!((bodies(&app), parts(&mut app).len()), (0, 0));
    assert_eq!(app.world().resource::<HitSpace>().counts().shapes, 0);
}

/// The bodies are about to be spawned when the entity goes, or its component, in the same flush of commands.
#[test]
fn no_body_outlives_its_level() {
    #[derive(Component)]
    struct Doomed(bool);

    let sweep = |doomed: Query<'_, '_, (Entity, &Doomed)>, mut commands: Commands<'_, '_>| {
        for (entity, Doomed(whole)) in &doomed {
            if *whole {
                commands.entity(entity).despawn();
            } else {
                commands.entity(entity).remove::<(LevelCollider, Doomed)>();
            }
        }
    };
    let mut app = App::new();
    // Before the plugins, so that its commands come before theirs.
    app.add_systems(FixedPostUpdate, sweep.before(HitmaskSystems::Propagate));
    let folder = add_levels(&mut app, HitmaskPlugin::default());
    let level = load(&mut app, &folder, &cave());
    for whole in [true, false] {
        app.world_mut().spawn((LevelCollider::new(level.clone()), Doomed(whole)));
        app.update();
        assert_eq!((bodies(&app), parts(&mut app).len()), (0, 0), "whole: {whole}");
    }
    app.world_mut().spawn(LevelCollider::new(level));
    app.update();
    assert_eq!(bodies(&app), 1);
}

/// Sets a tile of the only layer, and returns the one that was there.
fn set(app: &mut App, level: Entity, cell: [i32; 2], tile: Option<Tile>) -> Option<Tile> {
    let set = move |mut tiles: HitTilesMut<'_, '_>| {
        let old = tiles.set(level, 0, cell, tile).unwrap();
        assert_eq!(tiles.read().level(level).unwrap().layers[0].cells().unwrap().get(cell), tile);
        old
    };
    app.world_mut().run_system_once(set).unwrap()
}

#[test]
fn the_bodies_follow_the_tiles_that_are_set() {
    for merge in [Merge::Masks, Merge::Polygons, Merge::None] {
        let (mut app, folder, level) = loaded(&cave());
        let collider = LevelCollider::new(level).solids(Solids::default().merge(merge));
        let cave = app.world_mut().spawn((collider.clone(), at(2.0, 3.0))).id();
        app.update();
        let place = Transform::from_xyz(2.0, 3.0, 0.0);
        let mut expected = PICTURE.map(String::from);
        let rock = Some(Tile::new(0, 0));
        // Within the mask, then beyond it, then all is gone, then something comes back.
        let edits = [([1, 1], None), ([2, 0], rock), ([0, 0], None), ([1, 0], None), ([2, 0], None), ([2, 1], None)];
        for (cell, tile) in edits.into_iter().chain([([0, 1], rock)]) {
            set(&mut app, cave, cell, tile);
            app.update();
            let [left, top] = cell.map(|v| 4 * v as usize);
            for row in &mut expected[top..top + 4] {
                row.replace_range(left..left + 4, if tile.is_some() { "####" } else { "...." });
            }
            assert_eq!(picture(&mut app, place), expected, "{merge:?}: {cell:?}");
        }
        // Several in one step, one of them twice. Another entity with the same level has the tiles of the file.
        let other = app.world_mut().spawn((collider, at(900.0, 0.0))).id();
        assert_eq!(set(&mut app, cave, [0, 1], None), rock);
        assert_eq!(set(&mut app, cave, [0, 1], rock), None);
        assert_eq!(set(&mut app, cave, [2, 1], rock), None);
        app.update();
        expected[4..].iter_mut().for_each(|row| *row = "####....####".to_owned());
        assert_eq!(picture(&mut app, place), expected, "{merge:?}");
        assert_eq!(picture(&mut app, Transform::from_xyz(900.0, 0.0, 0.0)), PICTURE, "{merge:?}");
        app.world_mut().despawn(other);
        // The file is read again.
        folder.write("maps/cave.tmx", self::cave() + " ");
        until(&mut app, "the map is read again", |app| picture(app, place) == PICTURE);
        app.world_mut().despawn(cave);
        app.update();
        let counts = app.world().resource::<HitSpace>().counts();
        assert_eq!((counts.bodies, counts.shapes), (0, 0), "{merge:?}");
    }
}

#[test]
fn a_tile_that_is_dug_away_ends_its_hit_and_no_other() {
    let (mut app, _, level) = loaded(&cave());
    let cave = app.world_mut().spawn(LevelCollider::new(level)).id();
    let [digger, stays] = [at(6.0, -6.0), at(10.0, -6.0)];
    let digger = app.world_mut().spawn((Collider::circle(0.5), digger)).id();
    let stays = app.world_mut().spawn((Collider::circle(0.5), stays)).id();
    app.world_mut().entity_mut(digger).observe(
        |hit: On<'_, '_, HitStart>, mut tiles: HitTilesMut<'_, '_>| -> Result<(), BevyError> {
            for tile in tiles.read().hit(hit.entity, hit.other)? {
                tiles.set(tile.level, tile.layer, tile.cell, None)?;
            }
            Ok(())
        },
    );
    app.update();
    let part = parts(&mut app)[0];
    assert_eq!(take::<HitStart>(&mut app).len(), 2);
    app.update();
    let ends: Vec<_> = take::<HitEnd>(&mut app).iter().map(|end| [end.entity, end.other]).collect();
    assert_eq!((ends.len(), ends[0].contains(&digger)), (1, true));
    assert_eq!(parts(&mut app), [part], "the body is still the same");
    assert!(app.world().resource::<HitSpace>().pairs().all(|pair| pair.contains(&stays)));
    let at = move |tiles: HitTiles<'_, '_>| tiles.at(cave, Vec2::new(6.0, -6.0));
    assert_eq!(app.world_mut().run_system_once(at).unwrap(), None);
}

#[test]
fn an_edit_that_cannot_be_made_names_layer_cell_and_tile() {
    let (mut app, _, level) = loaded(&cave());
    let cave = app.world_mut().spawn(LevelCollider::new(level)).id();
    let errors = move |mut tiles: HitTilesMut<'_, '_>| {
        let tile = |id| Some(Tile::new(0, id));
        [(cave, 0, tile(7)), (cave, 4, None), (Entity::PLACEHOLDER, 0, None)]
            .map(|(level, layer, tile)| tiles.set(level, layer, [1, 0], tile).unwrap_err().to_string())
    };
    // The bodies are not made yet.
    let [early, ..] = app.world_mut().run_system_once(errors).unwrap();
    assert_eq!(early, format!("entity {cave} has no level whose bodies are made"));
    app.update();
    let [tile, layer, level] = app.world_mut().run_system_once(errors).unwrap();
    assert_eq!(tile, "layer \"ground\": tile 7 of tileset 0 in cell 1, 0: the tileset has no such tile");
    assert_eq!(layer, "layer 4: no tile in cell 1, 0: it is not a tile layer");
    assert_eq!(level, format!("entity {} has no level whose bodies are made", Entity::PLACEHOLDER));
    app.update();
    assert_eq!(picture(&mut app, Transform::default()), PICTURE);
}

/// If they were decoded as they come, the first would fail.
#[test]
fn no_image_is_decoded_before_all_are_there() {
    let (mut app, folder) = app();
    let set = |gid: u32, image: &str| {
        format!(
            r#"<tileset firstgid="{gid}" tilewidth="4" tileheight="4" tilecount="1" columns="1">
            <image source="{image}" width="4" height="4"/></tileset>"#
        )
    };
    folder.put("maps/cave.tmx", map(&(set(1, "a.png") + &set(2, "b.png")), ["1,2,0", "0,1,1"]));
    folder.put("maps/a.png", "not an image");
    let level: Handle<HitLevel> = app.world().resource::<AssetServer>().load("maps/cave.tmx");
    let state = |app: &App| app.world().resource::<AssetServer>().load_state(&level);
    let error = |app: &mut App| match state(app) {
        LoadState::Failed(error) => Some(error.to_string()),
        _ => None,
    };
    let mut message = String::new();
    until(&mut app, "an error", |app| error(app).map(|error| message = error).is_some());
    assert!(message.contains("b.png"), "{message}");
    folder.put("maps/b.png", "nor this");
    app.world().resource::<AssetServer>().reload("maps/cave.tmx");
    until(&mut app, "another error", |app| error(app).is_some_and(|error| error.contains("a.png")));
}

#[test]
fn changes_of_a_disabled_level_apply_once_it_is_enabled() {
    let (mut app, folder, level) = loaded(&cave());
    let cave = app.world_mut().spawn(LevelCollider::new(level.clone())).id();
    app.update();
    app.world_mut().entity_mut(cave).insert_recursive::<Children>(Disabled);
    app.update();
    // The file changes.
    let version = |app: &App| Arc::as_ptr(&app.world().resource::<Assets<HitLevel>>().get(&level).unwrap().0);
    let before = version(&app);
    folder.write("maps/cave.tmx", map(r#"<tileset firstgid="1" source="set.tsx"/>"#, ["0,0,0", "1,0,0"]));
    until(&mut app, "the map is read again", |app| version(app) != before);
    for _ in 0..3 {
        app.update();
    }
    assert_eq!(bodies(&app), 0);
    app.world_mut().entity_mut(cave).remove_recursive::<Children, Disabled>();
    app.update();
    let low: Vec<String> = (0..8).map(|y| if y < 4 { "." } else { "#" }.repeat(4) + "........").collect();
    assert_eq!((picture(&mut app, Transform::default()), parts(&mut app).len()), (low, 1));
    // The component changes.
    app.world_mut().entity_mut(cave).insert_recursive::<Children>(Disabled);
    app.world_mut().get_mut::<LevelCollider>(cave).unwrap().solids = Solids::default().rule(|_| None);
    for _ in 0..3 {
        app.update();
    }
    app.world_mut().entity_mut(cave).remove::<Disabled>();
    app.update();
    assert_eq!((bodies(&app), parts(&mut app).len()), (0, 0));
    let mut disabled = app.world_mut().query_filtered::<Entity, (With<LevelPart>, Allow<Disabled>)>();
    assert_eq!(disabled.iter(app.world()).count(), 0);
}

#[test]
fn a_part_that_was_despawned_stays_away_until_its_tile_is_set() {
    for (merge, count) in [(Merge::None, 4), (Merge::Polygons, 2), (Merge::Masks, 1)] {
        let (mut app, _, level) = loaded(&cave());
        let collider = LevelCollider::new(level).solids(Solids::default().merge(merge));
        let cave = app.world_mut().spawn((collider, at(100.0, 30.0))).id();
        // It hits the tile in the top-left corner.
        let ball = app.world_mut().spawn((Collider::circle(0.5), at(102.0, 28.0))).id();
        app.update();
        assert_eq!(bodies(&app), count + 1);
        let hit = take::<HitStart>(&mut app).into_iter().find(|hit| hit.entity == ball || hit.other == ball).unwrap();
        let coin = if hit.entity == ball { hit.other } else { hit.entity };
        let place = *app.world().get::<Transform>(coin).unwrap();
        let cells = move |tiles: HitTiles<'_, '_>| tiles.hit(coin, ball).unwrap().len();
        assert_eq!(app.world_mut().run_system_once(cells).unwrap(), 1);
        app.world_mut().despawn(ball);
        app.world_mut().despawn(coin);
        app.update();
        assert_eq!(bodies(&app), count - 1, "{merge:?}");
        set(&mut app, cave, [9, 9], Some(Tile::new(0, 0)));
        app.update();
        let single = usize::from(merge != Merge::Masks);
        assert_eq!(bodies(&app), count - 1 + single, "{merge:?}");
        if merge == Merge::None {
            set(&mut app, cave, [0, 0], Some(Tile::new(0, 1)));
            app.update();
            let mut places = parts(&mut app).into_iter().map(|part| *app.world().get::<Transform>(part).unwrap());
            assert!(places.any(|own| own == place), "the tile is back, where it was");
        }
    }
}

#[test]
fn a_mask_grows_without_an_end_of_its_hits() {
    let (mut app, _, level) = loaded(&map(r#"<tileset firstgid="1" source="set.tsx"/>"#, ["0,1,0", "0,0,0"]));
    let cave = app.world_mut().spawn((LevelCollider::new(level), at(7.0, 5.0))).id();
    // In the middle of cells [1, 0] and [0, 0].
    let ball = |x: f32| (Collider::circle(0.5), at(x, 4.0));
    app.world_mut().spawn(ball(13.0));
    app.world_mut().spawn(ball(9.0));
    app.update();
    // Left of the first tile begins another mask.
    set(&mut app, cave, [0, 0], Some(Tile::new(0, 0)));
    app.update();
    let starts = take::<HitStart>(&mut app);
    assert_eq!((starts.len(), take::<HitEnd>(&mut app).len()), (2, 0));
    // Questions about tiles move nothing.
    let ask = move |tiles: HitTiles<'_, '_>| -> usize {
        starts.iter().map(|hit| tiles.hit(hit.entity, hit.other).unwrap().len()).sum()
    };
    assert_eq!(app.world_mut().run_system_once(ask).unwrap(), 2);
    // Parts may be moved within their level.
    let before = parts(&mut app);
    for &part in &before {
        app.world_mut().get_mut::<Transform>(part).unwrap().translation.y += 1.0;
    }
    app.update();
    // To the right, and down to the left, where the second mask then begins.
    for cell in [[2, 0], [-2, 1]] {
        // On the way of the second mask, if it moved to where it begins.
        let beside = app.world_mut().spawn((Collider::circle(0.2), at(5.0, 4.0))).id();
        set(&mut app, cave, cell, Some(Tile::new(0, 0)));
        app.update();
        assert_eq!((take::<HitStart>(&mut app).len(), take::<HitEnd>(&mut app).len()), (0, 0), "{cell:?}");
        app.world_mut().despawn(beside);
    }
    assert_eq!(parts(&mut app), before);
    let row = |y: i32| (-2..3).map(|x| f64::from(x * 4 + 9)).map(move |x| [x, f64::from(y)]);
    let space = app.world().resource::<HitSpace>();
    let is_solid = |point: [f64; 2]| !space.world().bodies_at(point).unwrap().is_empty();
    // y points down in the library's world.
    assert_eq!(row(-5).map(is_solid).collect::<Vec<_>>(), [false, false, true, true, true]);
    assert_eq!(row(-1).map(is_solid).collect::<Vec<_>>(), [true, false, false, false, false]);
}

#[test]
fn all_levels_of_a_project_of_ldtk_become_one() {
    let (mut app, folder) = app();
    let room = |name: &str, at: [i32; 2], values: &str| {
        format!(
            r#"{{"identifier": "{name}", "iid": "{name}", "uid": 1, "worldX": {}, "worldY": {}, "worldDepth": 0,
            "pxWid": 8, "pxHei": 4, "externalRelPath": null, "fieldInstances": [], "layerInstances": [
             {{"__identifier": "Ground", "__type": "IntGrid", "__cWid": 2, "__cHei": 1, "__gridSize": 4,
             "__opacity": 1, "__pxTotalOffsetX": 0, "__pxTotalOffsetY": 0, "__tilesetDefUid": null, "layerDefUid": 7,
             "visible": true, "iid": "a", "intGridCsv": {values}, "autoLayerTiles": [], "gridTiles": [],
             "entityInstances": []}}]}}"#,
            at[0], at[1]
        )
    };
    let rooms = [room("Cave", [0, 0], "[1, 0]"), room("Sky", [4, 4], "[0, 1]")].join(",");
    let project = format!(
        r#"{{"__header__": {{"app": "LDtk"}}, "jsonVersion": "1.5.3", "worldLayout": "Free", "externalLevels": false,
        "worlds": [], "levels": [{rooms}], "defs": {{"tilesets": [], "layers": [
         {{"uid": 7, "identifier": "Ground", "gridSize": 4, "intGridValues": [{{"value": 1, "identifier": "rock"}}]}}
        ]}}}}"#
    );
    folder.put("world.ldtk", project);
    let level = app.world().resource::<AssetServer>().load("world.ldtk");
    until(&mut app, "loaded", |app| app.world().resource::<AssetServer>().is_loaded(&level));
    let rock = Solids::default().rule(|tile| (tile.class == "rock").then(Filter::default));
    app.world_mut().spawn(LevelCollider::new(level).solids(rock));
    app.update();
    let row = |y: usize| if y < 4 { "####........" } else { "........####" }.to_owned();
    assert_eq!(picture(&mut app, Transform::default()), (0..8).map(row).collect::<Vec<_>>());
    assert_eq!(problems(&mut app), []);
}

#[test]
fn a_level_that_cannot_be_loaded_is_reported_once_and_heals() {
    let (mut app, folder) = app();
    folder.put("maps/cave.tmx", cave());
    let level: Handle<HitLevel> = app.world().resource::<AssetServer>().load("maps/cave.tmx");
    let cave = app.world_mut().spawn(LevelCollider::new(level.clone())).id();
    let mut found = Vec::new();
    until(&mut app, "a problem", |app| {
        found.append(&mut problems(app));
        !found.is_empty()
    });
    assert!(matches!(app.world().resource::<AssetServer>().load_state(&level), LoadState::Failed(_)));
    for _ in 0..5 {
        app.update();
        found.append(&mut problems(&mut app));
    }
    let [HitmaskProblem { entity, problem: Problem::Level { level, error } }] = &*found else { panic!("{found:?}") };
    assert_eq!((*entity, level.as_str()), (cave, "`maps/cave.tmx`"));
    assert!(error.contains("set.tsx"), "{error}");
    folder.write("maps/set.tsx", TILES);
    folder.write("maps/cave.tmx", self::cave());
    until(&mut app, "bodies", |app| bodies(app) == 1);
    assert_eq!(problems(&mut app), []);
}

#[test]
fn a_level_whose_bodies_cannot_be_made_is_reported_with_the_place_in_it() {
    let (mut app, _, level) = loaded(&cave().replace("<layer id", r#"<layer offsetx="3000000" id"#));
    let cave = app.world_mut().spawn(LevelCollider::new(level)).id();
    let mut found = Vec::new();
    for _ in 0..3 {
        app.update();
        found.append(&mut problems(&mut app));
    }
    let [HitmaskProblem { entity, problem: Problem::Level { error, .. } }] = &*found else { panic!("{found:?}") };
    assert_eq!(*entity, cave);
    assert!(error.contains("ground") && error.contains("2097151"), "{error}");
    assert_eq!(bodies(&app), 0);
}

#[test]
fn tiles_are_found_in_a_level_without_depth() {
    let (mut app, _, level) = loaded(&cave());
    let place = Transform::from_scale(Vec3::new(2.0, 2.0, 0.0));
    let cave = app.world_mut().spawn((LevelCollider::new(level), place)).id();
    let cell = move |tiles: HitTiles<'_, '_>| tiles.at(cave, Vec2::new(4.0, -4.0)).map(|tile| tile.cell);
    app.update();
    assert_eq!(app.world_mut().run_system_once(cell).unwrap(), Some([0, 0]));
    app.world_mut().get_mut::<Transform>(cave).unwrap().scale = Vec3::ZERO;
    app.update();
    assert_eq!(app.world_mut().run_system_once(cell).unwrap(), None);
}

#[test]
fn a_hit_names_its_tile_after_an_edit_by_which_the_mask_begins_elsewhere() {
    let turn = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
    for place in [at(0.0, 0.0), at(90.0, -7.0).with_rotation(turn).with_scale(Vec3::new(2.0, 3.0, 1.0))] {
        let (mut app, _, level) = loaded(&map(r#"<tileset firstgid="1" source="set.tsx"/>"#, ["1,1,0", "0,0,0"]));
        let cave = app.world_mut().spawn((LevelCollider::new(level), place)).id();
        let middle = place.transform_point(Vec3::new(6.0, -2.0, 0.0));
        let ball = app.world_mut().spawn((Collider::circle(0.5), at(middle.x, middle.y))).id();
        app.update();
        let part = parts(&mut app)[0];
        let cells = move |tiles: HitTiles<'_, '_>| {
            tiles.hit(part, ball).unwrap().into_iter().map(|tile| tile.cell).collect::<Vec<_>>()
        };
        assert_eq!(app.world_mut().run_system_once(cells).unwrap(), [[1, 0]]);
        // The mask then begins at the second tile, and its entity follows in the next step.
        set(&mut app, cave, [0, 0], None);
        set(&mut app, cave, [2, 0], Some(Tile::new(0, 0)));
        assert_eq!(app.world_mut().run_system_once(cells).unwrap(), [[1, 0]]);
        app.update();
        assert_eq!(app.world_mut().run_system_once(cells).unwrap(), [[1, 0]]);
    }
}

#[test]
fn a_level_may_go_while_its_children_follow_a_mask_that_begins_elsewhere() {
    let (mut app, _, level) = loaded(&map(r#"<tileset firstgid="1" source="set.tsx"/>"#, ["1,1,0", "0,0,0"]));
    let cave = app.world_mut().spawn(LevelCollider::new(level)).id();
    app.update();
    set(&mut app, cave, [0, 0], None);
    set(&mut app, cave, [2, 0], Some(Tile::new(0, 0)));
    let go = move |_: On<'_, '_, Insert<Collider>>, mut commands: Commands<'_, '_>| commands.entity(cave).try_despawn();
    app.add_observer(go);
    app.update();
    assert_eq!((bodies(&app), parts(&mut app).len()), (0, 0));
}

#[test]
fn tiles_that_are_set_back_after_a_rollback_are_hit_as_before() {
    let (mut app, _, level) = loaded(&cave());
    let cave = app.world_mut().spawn(LevelCollider::new(level)).id();
    app.world_mut().spawn((Collider::circle(0.5), at(6.0, -6.0)));
    app.update();
    let pairs = |app: &App| app.world().resource::<HitSpace>().pairs().collect::<Vec<_>>();
    let before = pairs(&app);
    assert_eq!(before.len(), 1);
    let mut snapshot = HitSnapshot::default();
    snapshot.save(app.world_mut()).unwrap();
    let old = set(&mut app, cave, [1, 1], None);
    app.update();
    assert_eq!(pairs(&app), Vec::<[Entity; 2]>::new());
    snapshot.restore(app.world_mut()).unwrap();
    set(&mut app, cave, [1, 1], old);
    take::<HitEnd>(&mut app);
    app.update();
    assert_eq!((pairs(&app), take::<HitEnd>(&mut app)), (before, vec![]));
    assert_eq!(picture(&mut app, Transform::default()), PICTURE);
}
