//! Any bytes as a level: a map of Tiled or a project of `LDtk`, and after a zero any other text that it names; images
//! are given. Each gives an error, or a level that becomes bodies in each way, and loses them again; each hit of two
//! merged bodies and a box has a tile, also after an edit.

use std::io::Cursor;
use std::path::Path;
use std::sync::LazyLock;

use hitmask::query::Queries;
use hitmask::{Body, Mask, Shape, World};
use hitmask_files::Filter;
use hitmask_files::Import;
use hitmask_files::level::{Content, Level};
use hitmask_files::terrain::{Merge, Solids, Source};

/// Few pixels, so that an input takes little time.
const LIMIT: u64 = 1 << 14;

/// The image of every tileset.
static IMAGE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mask = Mask::from_fn(64, 64, |x, y| (x * 7 + y * 3) % 5 < 3).expect("it is small");
    let mut bytes = Cursor::new(Vec::new());
    mask.to_image([255; 4], [0; 4]).write_to(&mut bytes, image::ImageFormat::Png).expect("memory takes it");
    bytes.into_inner()
});

fn build(mut level: Level) {
    for (source, merge) in [
        (Source::Shapes, Merge::Polygons),
        (Source::Shapes, Merge::Masks),
        (Source::Pixels, Merge::None),
        (Source::Pixels, Merge::Masks),
        (Source::Boxes, Merge::Polygons),
    ] {
        let mut world = World::default();
        let solids = Solids::default().source(source).merge(merge).rule(|_| Some(Filter::default()));
        let Ok(mut terrain) = level.add_to(&mut world, &solids) else {
            assert!(world.is_empty() && world.shapes().next().is_none());
            continue;
        };
        let shape = world.add_shape(Shape::rect(8.0, 8.0).expect("a box")).expect("room");
        let mut hits = Vec::new();
        for layer in 0..level.layers.len() {
            let Content::Tiles(cells) = &level.layers[layer].content else { continue };
            let Some((cell, tile)) = cells.iter().next() else { continue };
            for tile in [None, Some(tile)] {
                terrain.set_tile(&mut level, &mut world, layer, cell, tile).expect("it was there");
            }
            let [x, y] = [0, 1].map(|k| {
                let size = level.layers[layer].cells().expect("it has tiles").size[k];
                level.layers[layer].offset[k] + f64::from(cell[k]) * f64::from(size)
            });
            let probe = Body::new(shape, [x, y]).moving([3, 5]);
            if Queries::new().on(&world).all(&probe, &mut hits).is_ok() {
                for hit in &hits {
                    let found = terrain.tiles_hit_by(&level, &world, hit.body, &probe).expect("the world takes it");
                    assert_eq!(found.is_empty(), terrain.object(&level, hit.body).is_some());
                }
            }
        }
        terrain.remove_from(&mut world).expect("they are there");
        assert!(world.is_empty() && world.shapes().count() == 1);
    }
}

/// Checks one input.
pub fn check(bytes: &[u8]) {
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    let (text, other) = bytes.split_at(end);
    let other = other.get(1..).unwrap_or_default();
    let read = |path: &Path| {
        let is_image = path.extension().is_some_and(|extension| extension == "png");
        Ok(if path == Path::new("a") {
            text
        } else if is_image {
            &IMAGE
        } else {
            other
        }
        .to_vec())
    };
    if let Ok(level) = Import::default().limit(LIMIT).read_level("a", read) {
        build(level);
    }
}
