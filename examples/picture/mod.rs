//! Pictures of worlds, pixel for pixel as queries see them.

use hitmask::query::{PointQuery, Queries};
use hitmask::{BodyId, Result, World};
use image::{Rgb, RgbImage};

/// Draws the `[width, height]` pixels of a world from its origin. If several bodies contain a pixel's centre, the one
/// with the lowest index is drawn.
///
/// `colour` returns the colour of a body at a pixel, or of the background for `None`.
pub(crate) fn draw(
    world: &World,
    [width, height]: [u32; 2],
    colour: impl Fn(Option<BodyId>, [i32; 2]) -> Rgb<u8>,
) -> Result<RgbImage> {
    let pixels: Vec<[u32; 2]> = (0..height).flat_map(|y| (0..width).map(move |x| [x, y])).collect();
    let centres: Vec<PointQuery> =
        pixels.iter().map(|pixel| PointQuery::new(pixel.map(|v| f64::from(v) + 0.5))).collect();
    let (mut queries, mut seen) = (Queries::new(), Vec::new());
    queries.on(world).first_of(&centres, &mut seen)?;
    let mut picture = RgbImage::new(width, height);
    for ((pixel, &at), body) in picture.pixels_mut().zip(&pixels).zip(seen) {
        *pixel = colour(body, at.map(|v| v as i32));
    }
    Ok(picture)
}
