//! The level of the documentation: its picture is drawn here, and kept in `assets/`.

use hitmask::{Mask, World};
use hitmask_files::terrain::{Merge, Source};
use hitmask_files::{Level, Solids};

/// Rock, a slope, a coin and lava.
fn picture() -> Mask {
    Mask::from_fn(64, 16, |x, y| {
        let [left, top] = [2 * (x % 16) as i32 - 15, 2 * y as i32 - 15];
        match x / 16 {
            0 => true,
            1 => x % 16 + y >= 15,
            2 => left * left + top * top <= 64,
            _ => y >= 6,
        }
    })
    .unwrap()
}

#[test]
#[ignore = "writes assets/cave.png"]
fn draw() {
    picture().to_image([120, 100, 90, 255], [0; 4]).save("assets/cave.png").unwrap();
}

#[test]
fn the_cave_is_as_drawn() {
    let level = Level::open("assets/cave.tmx").unwrap();
    for (source, merge) in [(Source::Shapes, Merge::Polygons), (Source::Pixels, Merge::Masks)] {
        let mut world = World::default();
        level.add_to(&mut world, &Solids::default().source(source).merge(merge)).unwrap();
        assert!((2..6).contains(&world.len()));
    }
    for id in 0..4 {
        let tile = level.mask(hitmask_files::level::Tile::new(0, id)).unwrap().unwrap();
        assert_eq!(tile, picture().cropped([16 * id as i32, 0, 16, 16]).unwrap());
    }
}
