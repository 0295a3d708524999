//! Tests of the viewer as a person uses it: what is under the pointer is told, and tiles change with their bodies.

use std::fs;
use std::path::{Path, PathBuf};

use egui::{Key, Pos2};
use hitmask_files::terrain::Source;

use super::LevelViewer;
use super::ground::Ground;
use crate::document::person::Person;
use crate::document::{Document, Leave};

fn cave() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../files/assets/cave.tmx")
}

fn viewer(person: &Person) -> &LevelViewer {
    match &person.document {
        Document::Level(level) => level,
        Document::Sheet(_) => panic!("a sheet"),
    }
}

/// Returns where the middle of a cell of 16 x 16 pixels is in the window.
fn cell(person: &Person, [x, y]: [i32; 2]) -> Pos2 {
    let middle = [x, y].map(|v| 16.0 * (f64::from(v) + 0.5));
    viewer(person).canvas.shown.as_ref().expect("it is shown").pos(middle)
}

/// Returns the areas of the bodies, each as often as there are bodies, from their outlines.
fn areas(ground: &Ground) -> Vec<i64> {
    let area = |ring: &Vec<[f64; 2]>| {
        let ends = ring.iter().zip(ring.iter().cycle().skip(1));
        ends.map(|([ax, ay], [bx, by])| ax * by - ay * bx).sum::<f64>() / 2.0
    };
    let mut areas: Vec<i64> =
        ground.outlines().map(|outline| (256.0 * outline.rings.iter().map(area).sum::<f64>()).round() as i64).collect();
    areas.sort_unstable();
    areas
}

#[test]
fn the_tile_under_the_pointer_is_told_with_its_properties() {
    let mut person = Person::opens(&cave());
    let level = hitmask_files::Level::open(cave()).unwrap();
    let things = level.layer("things").unwrap().cells().unwrap();
    let (at, tile) = things.iter().next().unwrap();
    let pos = cell(&person, at);
    person.points_at(pos);
    assert_eq!(person.reads("cell"), format!("{}, {}", at[0], at[1]));
    assert_eq!(person.reads("tile"), format!("{} of cave", tile.id));
    assert_eq!(person.reads("layer"), "things");
    let info = level.tile(tile);
    for (name, value) in info.properties.iter() {
        assert!(person.sees(name), "{name}: {value:?}");
    }
    let nowhere = cell(&person, [3, 1]);
    person.points_at(nowhere);
    assert!(!person.sees("of cave"));
    // The layer is hidden, and with it its tiles.
    person.key(Key::Num2);
    person.points_at(pos);
    assert!(!person.sees("of cave"));
}

#[test]
fn tiles_are_put_and_taken_with_their_bodies() {
    let path = cave();
    let before = fs::read(&path).unwrap();
    let mut person = Person::opens(&path);
    let ground = |person: &Person| areas(&viewer(person).ground);
    let first = ground(&person);
    assert!(!first.is_empty());
    // The floor, three cells in the air.
    let floor = cell(&person, [1, 9]);
    person.points_at(floor);
    person.key(Key::I);
    let [from, to] = [[4, 2], [6, 2]].map(|at| cell(&person, at));
    person.drags(from, to);
    let level = &viewer(&person).level;
    let fresh = areas(&Ground::new(level, Source::Shapes).unwrap());
    assert_eq!(ground(&person), fresh);
    assert_eq!(fresh.iter().sum::<i64>(), first.iter().sum::<i64>() + 3 * 256 * 256);
    // Take the one in the middle, then undo all.
    person.key(Key::E);
    let middle = cell(&person, [5, 2]);
    person.clicks_at(middle);
    assert_eq!(ground(&person).iter().sum::<i64>(), first.iter().sum::<i64>() + 2 * 256 * 256);
    // A stroke is undone at once.
    person.command(Key::Z);
    assert_eq!(ground(&person), fresh);
    person.command(Key::Z);
    assert_eq!(ground(&person), first);
    person.command(Key::Y);
    assert_eq!(ground(&person), fresh);
    // Strokes that change nothing are none.
    person.command(Key::Z);
    person.clicks_at(middle);
    person.command(Key::Y);
    assert_eq!(ground(&person), fresh);
    // An undo ends the stroke that is going on.
    person.holds(from, to);
    person.command(Key::Z);
    assert_eq!(ground(&person), fresh);
    person.releases(middle);
    assert_eq!(ground(&person), fresh);
    // The level's file stays as it is.
    assert_eq!(fs::read(&path).unwrap(), before);
    person.key(Key::Escape);
    assert_eq!(person.left, Some(Leave::Close));
}

#[test]
fn bodies_are_made_of_another_part_of_the_tiles() {
    let mut person = Person::opens(&cave());
    for (name, source) in [("pixels", Source::Pixels), ("boxes", Source::Boxes), ("shapes", Source::Shapes)] {
        person.clicks(name);
        let viewer = viewer(&person);
        assert_eq!(areas(&viewer.ground), areas(&Ground::new(&viewer.level, source).unwrap()), "{name}");
        assert_eq!(person.reads("polygons"), viewer.ground.count().to_string());
    }
}

/// A project of LDtk with a level of 2 x 1 cells, whose IntGrid has a wall in the second.
const PROJECT: &str = r#"{ "jsonVersion": "1.5.3", "worldLayout": "Free",
  "defs": { "tilesets": [], "enums": [], "entities": [], "layers": [{ "identifier": "Walls", "type": "IntGrid",
    "uid": 1, "gridSize": 16, "intGridValues": [{ "value": 1, "identifier": "wall" }] }] },
  "levels": [{ "identifier": "Entrance", "iid": "a", "uid": 2, "worldX": 0, "worldY": 0, "worldDepth": 0, "pxWid": 32,
    "pxHei": 16, "fieldInstances": [], "layerInstances": [{ "__identifier": "Walls", "__type": "IntGrid", "__cWid": 2,
      "__cHei": 1, "__gridSize": 16, "__opacity": 1, "__pxTotalOffsetX": 0, "__pxTotalOffsetY": 0, "layerDefUid": 1,
      "levelId": 2, "iid": "b", "visible": true, "intGridCsv": [0, 1], "autoLayerTiles": [], "gridTiles": [],
      "entityInstances": [] }] }] }"#;

#[test]
fn a_project_of_ldtk_is_shown_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("world.ldtk");
    fs::write(&path, PROJECT).unwrap();
    let mut person = Person::opens(&path);
    assert!(person.sees("Entrance: Walls"));
    assert_eq!(person.reads("polygons"), "1");
    let wall = cell(&person, [1, 0]);
    person.points_at(wall);
    assert_eq!((person.reads("class"), person.reads("cell")), ("wall".into(), "1, 0".into()));
}
