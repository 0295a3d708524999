//! The hero of the documentation: drawn here, and kept in `assets/`.

use std::fs;
use std::path::PathBuf;

use hitmask_files::{Direction, Import, Sheet};

use crate::ase::{self, Ase, Cel, Layer};

/// A walking figure. `#` is the body, `o` the arm.
const POSES: [[&str; 16]; 5] = [
    [
        "............",
        "....####....",
        "....####....",
        "....####....",
        ".....##.....",
        "...######...",
        "..o######o..",
        "..o######o..",
        "..o.####.o..",
        "....####....",
        "....####....",
        "....#..#....",
        "....#..#....",
        "....#..#....",
        "....#..#....",
        "...##..##...",
    ],
    [
        "............",
        "....####....",
        "....####....",
        "....####....",
        ".....##.....",
        "...######...",
        "..o######...",
        ".o.######o..",
        "....####..o.",
        "....####....",
        "....####....",
        "....#..#....",
        "...#...#....",
        "...#....#...",
        "..#.....#...",
        "..##....##..",
    ],
    [
        "....####....",
        "....####....",
        "....####....",
        ".....##.....",
        "...######...",
        "...#####o...",
        "...#####o...",
        "....####o...",
        "....####....",
        "....####....",
        "....####....",
        ".....##.....",
        ".....##.....",
        ".....##.....",
        ".....##.....",
        ".....###....",
    ],
    [
        "............",
        "....####....",
        "....####....",
        "....####....",
        ".....##.....",
        "...######...",
        "...######o..",
        "..o######.o.",
        ".o..####....",
        "....####....",
        "....####....",
        "....#..#....",
        "....#...#...",
        "...#....#...",
        "...#.....#..",
        "..##.....##.",
    ],
    [
        "............",
        "............",
        "....####....",
        "....####....",
        "....####....",
        ".....##.....",
        "...######...",
        "..o######o..",
        ".o.######.o.",
        "....####....",
        "....####....",
        "...##..##...",
        "...#....#...",
        "...#....#...",
        "...#....#...",
        "...##...##..",
    ],
];

fn drawn() -> Ase {
    let mut hero = Ase::new([12, 16], 6)
        .add(0, ase::tags(&[("stand", [0, 0], 0, 0), ("walk", [1, 4], 2, 0), ("jump", [5, 5], 0, 1)]))
        .add(0, ase::user_data(None))
        .add(0, ase::user_data(Some("speed=40")))
        .add(0, ase::layer(&Layer { name: "body", ..Layer::default() }))
        .add(0, ase::layer(&Layer { name: "arm", ..Layer::default() }));
    for frame in 0..6 {
        let pose = &POSES[frame % 5];
        for (layer, letter, colour) in [(0, '#', [60, 90, 200, 255]), (1, 'o', [240, 200, 160, 255])] {
            let pixels = ase::pixels(pose, |c| if c == letter { colour } else { [0; 4] });
            let cel = Cel { layer, size: [12, 16], pixels: &pixels, ..Cel::default() };
            hero = hero.add(frame, if frame == 5 { ase::linked(&cel, 0) } else { ase::cel(&cel) });
        }
    }
    hero.add(0, ase::slice("hurt", 2, &[&[0, 3, 1, 6, 14, 3, 14], &[5, 3, 1, 6, 10, 3, 14]]))
        .add(0, ase::user_data(Some("damage=2")))
}

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("assets/hero.aseprite")
}

#[test]
#[ignore = "writes assets/hero.aseprite"]
fn draw() {
    fs::write(path(), drawn().bytes()).unwrap();
}

#[test]
fn the_hero_is_as_drawn() {
    let kept = Sheet::open(path()).unwrap();
    assert_eq!(kept, Import::default().read_aseprite(&drawn().bytes()).unwrap());
    let walk = kept.tag("walk").unwrap();
    assert_eq!((walk.direction, walk.repeat, &*walk.data), (Direction::PingPong, None, "speed=40"));
    assert_eq!(kept.frames[0].image, kept.frames[5].image);
    assert!(std::sync::Arc::ptr_eq(&kept.frames[0].mask, &kept.frames[5].mask));
    assert_eq!(kept.frames[0].pivot, Some([6.0, 15.0]));
    let solid: Vec<String> = POSES[1].map(|row| row.replace('o', "#")).into();
    assert_eq!(kept.frames[1].mask.to_rows(), solid);
}
