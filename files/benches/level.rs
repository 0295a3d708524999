//! The time to load a level and to edit it: `cargo bench -p hitmask-files`. Prints medians.

use std::fmt::Write as _;
use std::hint::black_box;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use hitmask::{Mask, World};
use hitmask_files::level::Tile;
use hitmask_files::terrain::{Merge, Solids, Source};
use hitmask_files::{Import, Level};

/// The columns and rows of the level: 10,000 tiles.
const SIDE: u32 = 100;

/// The times of which the median is printed.
const RUNS: usize = 15;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("a level with large areas of full tiles");
    measure(64)?;
    println!("a level in which one tile in four is no full one");
    measure(16)
}

/// Measures a level in which 4 of `parts` tiles are no full ones.
fn measure(parts: u32) -> Result<(), Box<dyn std::error::Error>> {
    let (text, image) = (map(parts)?, image()?);
    let read = |path: &Path| -> io::Result<Vec<u8>> {
        Ok(if path.extension().is_some_and(|extension| extension == "png") { &image } else { &text }.clone())
    };
    let open = || Import::default().read_level("a.tmx", read);
    let level = open()?;
    assert_eq!(level.layers[0].cells().map(hitmask_files::level::Cells::len), Some((SIDE * SIDE) as usize));
    report("read", || open().map(drop))?;
    for (source, merge, name) in [
        (Source::Pixels, Merge::Masks, "pixels, one mask"),
        (Source::Shapes, Merge::Masks, "shapes, one mask"),
        (Source::Shapes, Merge::Polygons, "shapes, merged polygons"),
        (Source::Pixels, Merge::Polygons, "outlines of pixels, merged"),
        (Source::Shapes, Merge::None, "shapes, a body each"),
    ] {
        let solids = Solids::default().source(source).merge(merge);
        report(&format!("bodies: {name}"), || level.add_to(&mut World::default(), &solids).map(drop))?;
    }
    for (solids, name) in [
        (Solids::default().source(Source::Pixels), "one mask"),
        (Solids::default().merge(Merge::Polygons), "merged polygons"),
        (Solids::default().merge(Merge::Polygons).sector(16), "merged polygons, sectors of 16 cells"),
    ] {
        edit(&mut level.clone(), &solids, name)?;
    }
    Ok(())
}

/// Measures edits of single tiles.
fn edit(level: &mut Level, solids: &Solids, name: &str) -> Result<(), hitmask_files::Error> {
    let mut world = World::default();
    let mut terrain = level.add_to(&mut world, solids)?;
    let mut k = 0;
    report(&format!("edit a tile: {name}"), || {
        let cell = [k * 37 % SIDE as i32, k * 53 % SIDE as i32];
        k += 1;
        let tile = if k % 2 == 0 { Some(Tile::new(0, 1)) } else { None };
        terrain.set_tile(level, &mut world, 0, cell, tile).map(drop)
    })
}

fn report<E>(name: &str, mut run: impl FnMut() -> Result<(), E>) -> Result<(), E> {
    let mut times = Vec::new();
    for _ in 0..RUNS {
        let start = Instant::now();
        black_box(run()?);
        times.push(start.elapsed());
    }
    times.sort_unstable();
    let median: Duration = times[RUNS / 2];
    println!("  {name:<50} {:>9.3} ms", median.as_secs_f64() * 1e3);
    Ok(())
}

/// A map of 10,000 tiles: full ones, slopes, ellipses and tiles without a shape.
fn map(parts: u32) -> Result<Vec<u8>, std::fmt::Error> {
    let mut text = format!(
        "<map orientation=\"orthogonal\" width=\"{SIDE}\" height=\"{SIDE}\" tilewidth=\"16\" tileheight=\"16\">\
         <tileset firstgid=\"1\" tilewidth=\"16\" tileheight=\"16\" tilecount=\"4\" columns=\"4\">\
         <image source=\"a.png\" width=\"64\" height=\"16\"/>\
         <tile id=\"0\"><objectgroup><object width=\"16\" height=\"16\"/></objectgroup></tile>\
         <tile id=\"1\"><objectgroup><object><polygon points=\"0,16 16,0 16,16\"/></object></objectgroup></tile>\
         <tile id=\"2\"><objectgroup><object width=\"16\" height=\"12\"><ellipse/></object></objectgroup></tile>\
         </tileset><layer name=\"a\" width=\"{SIDE}\" height=\"{SIDE}\"><data encoding=\"csv\">"
    );
    for k in 0..SIDE * SIDE {
        let random = k.wrapping_mul(2_654_435_761) >> 16;
        // Most tiles of a level are full; flips are those of slopes.
        let tile = match random % parts {
            0 => 2 | (random >> 8 & 7) << 29,
            1 => 3,
            2 | 3 => 4, // a tile without a shape
            _ => 1,
        };
        write!(text, "{}{tile}", if k == 0 { "" } else { "," })?;
    }
    text += "</data></layer></map>";
    Ok(text.into_bytes())
}

/// Pictures of the four tiles.
fn image() -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let mask = Mask::from_fn(64, 16, |x, y| match x / 16 {
        0 => true,
        1 => x % 16 + y >= 15,
        2 => (x % 16).abs_diff(8).pow(2) + y.abs_diff(6).pow(2) < 36,
        _ => false,
    })?;
    let mut bytes = io::Cursor::new(Vec::new());
    mask.to_image([255; 4], [0; 4]).write_to(&mut bytes, image::ImageFormat::Png)?;
    Ok(bytes.into_inner())
}
