//! The cave: three galleries in rock, with walls across them, connected by shafts with planks.

use hitmask::Mask;
use image::{Rgba, RgbaImage};

use crate::random::Random;

/// The size of the cave, in texels.
pub(super) const SIZE: [u32; 2] = [472, 352];
/// The y of the middles of the galleries, and half their height.
const GALLERIES: [f64; 3] = [64.0, 168.0, 272.0];
const HALF: f64 = 30.0;
/// The maximum roughness of floors and ceilings, and the distance between two rough points, in texels.
const ROUGH: f64 = 7.0;
const STRIDE: usize = 20;
/// Walls across a gallery: the gallery, and their left and right sides.
const WALLS: [(usize, [f64; 2]); 6] = [
    (0, [176.0, 200.0]),
    (0, [300.0, 314.0]),
    (1, [40.0, 56.0]),
    (1, [236.0, 262.0]),
    (2, [150.0, 176.0]),
    (2, [330.0, 350.0]),
];
/// Shafts from the gallery of this number to the next: their left and right sides.
const SHAFTS: [[f64; 2]; 2] = [[368.0, 416.0], [84.0, 132.0]];
/// The distance from a plank to the next one below.
const PLANKS: f64 = 26.0;
/// The width of the lighter rim next to air, in texels.
const RIM: i32 = 3;

/// The rock, and its galleries.
pub(super) struct Level {
    pub(super) mask: Mask,
    pub(super) image: RgbaImage,
    /// The floor and the ceiling of each gallery, column by column.
    galleries: Vec<[Vec<f64>; 2]>,
}

impl Level {
    pub(super) fn new() -> Self {
        let mut random = Random::new(6);
        let galleries: Vec<[Vec<f64>; 2]> = GALLERIES
            .iter()
            .map(|middle| {
                let mut edge = |from: f64| rough(&mut random).map(|by| from + by).collect();
                [edge(middle + HALF - ROUGH), edge(middle - HALF)]
            })
            .collect();
        let [width, height] = SIZE;
        let air = |x: u32, y: u32| {
            let (column, x, y) = (x as usize, f64::from(x), f64::from(y));
            let within = |[from, to]: [f64; 2], v: f64| from <= v && v < to;
            let walled = |gallery: usize| WALLS.iter().any(|&(of, sides)| of == gallery && within(sides, x));
            let open = galleries
                .iter()
                .enumerate()
                .any(|(gallery, [floor, ceiling])| within([ceiling[column], floor[column]], y) && !walled(gallery));
            let shaft = SHAFTS
                .iter()
                .zip(GALLERIES.windows(2))
                .any(|(&sides, ends)| within(sides, x) && within([ends[0], ends[1]], y));
            (open || shaft) && within([8.0, f64::from(width) - 8.0], x)
        };
        let mask = Mask::from_fn(width, height, |x, y| !air(x, y)).expect("its sides are small");
        let image = image(&mask, &mut random);
        Self { mask, image, galleries }
    }

    /// Returns a position at a height above a gallery's floor.
    pub(super) fn above(&self, gallery: usize, x: u32, by: f64) -> [f64; 2] {
        [f64::from(x), self.galleries[gallery][0][x as usize] - by]
    }

    /// Returns a random position for a thing in a gallery.
    pub(super) fn place(&self, random: &mut Random) -> [f64; 2] {
        let gallery = random.below(GALLERIES.len());
        self.above(gallery, 16 + random.below(SIZE[0] as usize - 32) as u32, random.within(8.0, 26.0))
    }

    /// Returns the top-left corners of the planks, and their lengths.
    pub(super) fn planks(&self) -> Vec<([f64; 2], f64)> {
        let mut planks = Vec::new();
        for (gallery, [left, right]) in SHAFTS.into_iter().enumerate() {
            let floor = |gallery: usize, x: f64| self.galleries[gallery][0][x as usize];
            // The uppermost plank continues the floor.
            let mut y = floor(gallery, left - 1.0).min(floor(gallery, right)).round();
            while y < floor(gallery + 1, left) - PLANKS / 2.0 {
                planks.push(([left, y], right - left));
                y += PLANKS;
            }
        }
        planks
    }
}

/// Returns random offsets of an edge, column by column.
fn rough(random: &mut Random) -> impl Iterator<Item = f64> + use<> {
    let corners: Vec<f64> = (0..=SIZE[0] as usize / STRIDE + 1).map(|_| random.within(-ROUGH, ROUGH)).collect();
    (0..SIZE[0] as usize).map(move |x| {
        let share = (x % STRIDE) as f64 / STRIDE as f64;
        // Interpolate smoothly at both ends.
        let share = share * share * (3.0 - 2.0 * share);
        corners[x / STRIDE] * (1.0 - share) + corners[x / STRIDE + 1] * share
    })
}

/// Draws the rock: grained, with lighter rims.
fn image(mask: &Mask, random: &mut Random) -> RgbaImage {
    let air = |x: u32, y: u32, by: i32| {
        let near = [[-by, 0], [by, 0], [0, -by], [0, by]];
        near.iter().any(|[dx, dy]| {
            let (x, y) = (x as i32 + dx, y as i32 + dy);
            (0..SIZE[0] as i32).contains(&x) && (0..SIZE[1] as i32).contains(&y) && !mask.get(x as u32, y as u32)
        })
    };
    RgbaImage::from_fn(SIZE[0], SIZE[1], |x, y| {
        if !mask.get(x, y) {
            return Rgba([0; 4]);
        }
        let rim = (1..=RIM).find(|&by| air(x, y, by)).map_or(0, |by| 150 - 40 * by);
        let light = 18 + rim + random.below(26) as i32;
        Rgba([light as u8, light as u8, light as u8, 255])
    })
}
