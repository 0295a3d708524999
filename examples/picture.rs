//! Draws a scene with its hits: `cargo run --example picture SCENE OUT.png [--zoom N]`.
//!
//! Bodies that hit are warm, the others cool, pixels that both bodies of a pair have are bright. Every pixel is one that the
//! engines see: a sprite's are those that it paints, of other bodies those whose centres they hold. A body that moves is
//! drawn where it starts, with a shadow where its first hit is, or where it ends.

use std::collections::HashSet;
use std::error::Error;
use std::path::Path;

use hitmask::packed::{Body, SPRITE};
use hitmask::predicate::{self, Core};
use hitmask::scene::{Form, Image};
use hitmask::{Ask, Engine, Hits, Point, Scene, Touch, World};
use image::{Rgb, RgbImage, RgbaImage, imageops};

type Colour = [u8; 3];

const WARM: [Colour; 4] = [[255, 122, 89], [255, 164, 62], [240, 92, 118], [246, 196, 84]];
const COOL: [Colour; 4] = [[92, 138, 214], [74, 168, 190], [124, 128, 206], [98, 160, 154]];
const SHARED: Colour = [255, 255, 226];
/// The chequered ground, and the side of its squares in pixels.
const GROUND: [Colour; 2] = [[19, 21, 33], [23, 26, 40]];
const SQUARE: i32 = 16;
/// Pixels around all bodies.
const MARGIN: i32 = 6;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (scene, out, zoom) = match arguments.as_slice() {
        [scene, out] => (scene, out, 3),
        [scene, out, "--zoom", zoom] => (scene, out, zoom.parse()?),
        _ => return Err("usage: picture SCENE OUT.png [--zoom N]".into()),
    };
    let picture = draw(scene.as_ref())?;
    let (width, height) = (picture.width() * zoom, picture.height() * zoom);
    imageops::resize(&picture, width, height, imageops::FilterType::Nearest).save(out)?;
    Ok(())
}

fn draw(file: &Path) -> Result<RgbImage, Box<dyn Error>> {
    let scene = Scene::open(file)?;
    let world = scene.world()?;
    let hits = Engine::cpu()?.run(&world, Ask::Details)?;
    let bodies: Vec<Drawn> = (0..world.len()).map(|index| Drawn::new(&world, index)).collect();
    let images = images(&scene, file.parent().unwrap_or(Path::new("")))?;
    let ghosts: Vec<Option<[i32; 2]>> = (0..world.len()).map(|index| ghost(&world, &hits, index)).collect();

    let around = || {
        bodies.iter().zip(&ghosts).flat_map(|(body, ghost)| body.at([0, 0]).chain(body.at(ghost.unwrap_or_default())))
    };
    let edge = |axis: usize| {
        let along = || around().map(|pixel| pixel[axis]);
        Some((along().min()? - MARGIN, along().max()? + MARGIN + 1))
    };
    let (Some((left, right)), Some((top, bottom))) = (edge(0), edge(1)) else {
        return Err("nothing in this scene has a pixel".into());
    };
    let mut picture = RgbImage::from_fn((right - left) as u32, (bottom - top) as u32, |x, y| {
        let square = (x as i32 + left).div_euclid(SQUARE) + (y as i32 + top).div_euclid(SQUARE);
        Rgb(GROUND[square.rem_euclid(2) as usize])
    });
    let mut put = |[x, y]: [i32; 2], colour: Colour, share: u32| {
        let Rgb(below) = picture.get_pixel_mut((x - left) as u32, (y - top) as u32);
        for (below, channel) in below.iter_mut().zip(colour) {
            *below = ((u32::from(channel) * share + u32::from(*below) * (255 - share)) / 255) as u8;
        }
    };

    let colour = |index: usize| if hits.flag(index) { WARM[index % 4] } else { COOL[index % 4] };
    for (index, (body, ghost)) in bodies.iter().zip(&ghosts).enumerate() {
        ghost.iter().flat_map(|&offset| body.at(offset)).for_each(|pixel| put(pixel, colour(index), 80));
    }
    for (index, body) in bodies.iter().enumerate() {
        let image = &images[world.packed().bodies[index].shape as usize];
        let all: HashSet<[i32; 2]> = body.at([0, 0]).collect();
        for (&[x, y], &texel) in body.pixels.iter().zip(&body.texels) {
            let inside = [[x - 1, y], [x + 1, y], [x, y - 1], [x, y + 1]].iter().all(|beside| all.contains(beside));
            match image {
                // Dark texels show as well.
                Some(image) => put([x, y], shaded(colour(index), 90 + luma(image, texel) * 2 / 3), 255),
                None => put([x, y], colour(index), if inside { 150 } else { 255 }),
            }
        }
    }
    for pair in &hits.pairs {
        let [a, b] = pair.map(|index| &bodies[index as usize]);
        let of_a: HashSet<[i32; 2]> = a.at([0, 0]).collect();
        b.at([0, 0]).filter(|pixel| of_a.contains(pixel)).for_each(|pixel| put(pixel, SHARED, 255));
    }
    Ok(picture)
}

/// A body's pixels, and for a sprite the texel under each.
struct Drawn {
    pixels: Vec<[i32; 2]>,
    texels: Vec<[i32; 2]>,
}

impl Drawn {
    fn new(world: &World, index: usize) -> Self {
        let packed = world.packed();
        let body = &packed.bodies[index];
        let shape = &packed.shapes[body.shape as usize];
        let pieces = if body.is(SPRITE) { Vec::new() } else { landed(world, body) };
        let mask = world.shapes()[body.shape as usize].mask();
        let mut drawn = Self { pixels: Vec::new(), texels: Vec::new() };
        let reach = body.reach(shape);
        for y in reach.min.y >> 8..=reach.max.y >> 8 {
            for x in reach.min.x >> 8..=reach.max.x >> 8 {
                let texel = texel(body, shape.anchor, x, y);
                let has = if let Some(mask) = mask {
                    mask.get(texel[0] as u32, texel[1] as u32)
                } else {
                    let centre = [Point::new(256 * x + 128, 256 * y + 128)];
                    let meets = |piece: &Vec<Point>| {
                        let (piece, centre) = (Core::Hull(piece), Core::Hull(&centre));
                        predicate::meets(piece, centre, Point::ZERO, body.radius, Touch::Included)
                    };
                    pieces.iter().any(meets)
                };
                if has {
                    drawn.pixels.push([x, y]);
                    drawn.texels.push(texel);
                }
            }
        }
        drawn
    }

    /// Its pixels, moved.
    fn at(&self, [dx, dy]: [i32; 2]) -> impl Iterator<Item = [i32; 2]> {
        self.pixels.iter().map(move |[x, y]| [x + dx, y + dy])
    }
}

/// The pieces of a convex body where they land.
fn landed(world: &World, body: &Body) -> Vec<Vec<Point>> {
    let (packed, shape) = (world.packed(), &world.packed().shapes[body.shape as usize]);
    let words = |first: u32, count: u32| &packed.atlas()[first as usize..][..count as usize];
    let row = |[a, b]: [i32; 2], x: u32, y: u32| {
        let sum = i64::from(a) * i64::from(x as i32) + i64::from(b) * i64::from(y as i32);
        ((sum + (1 << 23)) >> 24) as i32
    };
    let mut vertices = words(shape.vertices, 2 * shape.corners)
        .chunks_exact(2)
        .map(|p| body.position + Point::new(row(body.linear.x, p[0], p[1]), row(body.linear.y, p[0], p[1])));
    words(shape.first, shape.stride).iter().map(|&count| vertices.by_ref().take(count as usize).collect()).collect()
}

/// The texel under the centre of a pixel, for a body that is a sprite.
fn texel(body: &Body, anchor: Point, x: i32, y: i32) -> [i32; 2] {
    let (at, wide) = (body.position, i64::from);
    let [fx, fy] = [at.x, at.y].map(|v| wide(256 * (v >> 8) + 128 - v));
    let [dx, dy] = [wide(x - (at.x >> 8)), wide(y - (at.y >> 8))];
    let row = |[a, b]: [i32; 2], anchor: i32| {
        let from_anchor = ((wide(a) * fx + wide(b) * fy) >> 8) + wide(a) * dx + wide(b) * dy;
        ((from_anchor + 256 * wide(anchor)) >> 16) as i32
    };
    [row(body.linear.x, anchor.x), row(body.linear.y, anchor.y)]
}

/// By how many pixels a body has moved at its first hit, or at the end of the step; nothing of one at rest.
fn ghost(world: &World, hits: &Hits, index: usize) -> Option<[i32; 2]> {
    let Point { x, y } = world.packed().bodies[index].motion;
    let pairs = hits.pairs.iter().zip(&hits.details).filter(|(pair, _)| pair.contains(&(index as u32)));
    let times = pairs.filter_map(|(_, detail)| detail.time.map(|[k, n]| f64::from(k) / f64::from(n)));
    let time = times.fold(1.0, f64::min);
    ((x, y) != (0, 0)).then(|| [x, y].map(|v| (f64::from(v) * time / 256.0).round() as i32))
}

/// For each shape that is an image's, the part of it that counts.
fn images(scene: &Scene, folder: &Path) -> Result<Vec<Option<RgbaImage>>, image::ImageError> {
    let images = scene.shapes.iter().map(|(_, shape)| match &shape.form {
        Form::Sprite { image: Image::File(file), region, .. } => {
            let image = image::open(folder.join(file))?.into_rgba8();
            let [x, y, width, height] = region.unwrap_or([0, 0, image.width(), image.height()]);
            Ok(Some(imageops::crop_imm(&image, x, y, width, height).to_image()))
        }
        _ => Ok(None),
    });
    images.collect()
}

fn luma(image: &RgbaImage, [i, j]: [i32; 2]) -> u32 {
    let [r, g, b, _] = image.get_pixel(i as u32, j as u32).0.map(u32::from);
    (2 * r + 5 * g + b) / 8
}

fn shaded(colour: Colour, light: u32) -> Colour {
    colour.map(|channel| (u32::from(channel) * light.min(255) / 255) as u8)
}
