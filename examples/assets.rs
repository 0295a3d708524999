//! Draws the sprites in `assets/`, with integers only, so that every machine draws the same pictures: `cargo run
//! --example assets [FOLDER]`.

use std::path::Path;

use image::{Rgba, RgbaImage};

/// Samples along a pixel's side. Points below are in samples unless they are whole pixels.
const SAMPLES: i32 = 16;

const CLEAR: Rgba<u8> = Rgba([0; 4]);

/// Draws each sprite. Returns the names of their files, and the pictures.
pub(crate) fn pictures() -> [(&'static str, RgbaImage); 7] {
    [
        ("ship.png", mirrored(&SHIP)),
        ("enemy.png", mirrored(&ENEMY)),
        ("bullets.png", bullets()),
        ("rotor.png", rotor()),
        ("asteroid.png", asteroid()),
        ("font.png", font()),
        ("terrain.png", terrain()),
    ]
}

fn main() -> image::ImageResult<()> {
    let folder = std::env::args_os().nth(1).unwrap_or("assets".into());
    for (name, picture) in pictures() {
        picture.save(Path::new(&folder).join(name))?;
    }
    Ok(())
}

/// The left half of the fighter.
#[rustfmt::skip]
const SHIP: [&str; 32] = [
    "...............k",
    "..............kl",
    "..............kw",
    ".............kml",
    ".............kmw",
    ".............kml",
    "............kdmw",
    "............kdmk",
    "............kmkb",
    "...........kdmkc",
    "....k......kdmkc",
    "....r......kdmkb",
    "....k.....kddmkb",
    "...kmk....kdmmkb",
    "...kmk...kddmmmk",
    "...kmk..kkdmmmml",
    "..kdmk.kRkdmmmlw",
    "..kdmkkRrkdmmmlw",
    "..kdmkRrrkdmmmlw",
    "..kdmkrrkddmmmlw",
    ".kddmkrkddmmmmml",
    ".kddmkkdddmmmmmm",
    ".kddmkdddmmmkkmm",
    ".kddmkddmmkkddkm",
    ".kdrmkdmkkkdddkm",
    ".kdrmkkk..kdkdkk",
    ".kkdkk....kkkkkd",
    "..kkk......kook.",
    "..kok......koyk.",
    "...y.......oyo..",
    "...o........y...",
    "............o...",
];

/// The left half of the beetle.
#[rustfmt::skip]
const ENEMY: [&str; 24] = [
    ".....kk.....",
    "....kgGk....",
    "....kgkk....",
    ".....kgk....",
    ".....kggkkkk",
    "....kkgggGGG",
    "..kkggggGGGL",
    ".kgggggGGGLL",
    ".kggggGGGGLL",
    "kgggkkkkGGGL",
    "kggkyyyykGGG",
    "kgkyywwykGGG",
    "kgkyywkykgGG",
    "kgkkyyykkggG",
    "kgggkkkkggkg",
    "kdgggggggkgg",
    "kddggggggggg",
    ".kdddgggkkkk",
    "..kkddkkwkwk",
    "...kgkkkkkkk",
    "..kgk.kdgk..",
    "..kgk..kgk..",
    ".kgk...kgk..",
    ".kk.....kk..",
];

fn palette(letter: char) -> Rgba<u8> {
    let [r, g, b] = match letter {
        'k' => [24, 22, 40],
        'd' => [62, 74, 104],
        'm' => [112, 130, 160],
        'l' => [176, 192, 212],
        'w' => [240, 246, 252],
        'b' => [38, 110, 190],
        'c' => [124, 212, 240],
        'r' => [206, 52, 62],
        'R' => [246, 108, 92],
        'o' => [250, 140, 46],
        'y' => [254, 220, 104],
        'g' => [52, 128, 84],
        'G' => [94, 180, 96],
        'L' => [170, 224, 122],
        _ => return CLEAR,
    };
    Rgba([r, g, b, 255])
}

/// Returns a picture from the rows of its left half.
fn mirrored(rows: &[&str]) -> RgbaImage {
    let half = rows[0].len() as u32;
    RgbaImage::from_fn(2 * half, rows.len() as u32, |x, y| {
        let x = if x < half { x } else { 2 * half - 1 - x };
        palette(char::from(rows[y as usize].as_bytes()[x as usize]))
    })
}

/// Returns a sheet of bullets: orb, ring, star and crescent of 16 x 16, then a comet of 16 x 8 over a pellet and a
/// spark of 8 x 8.
///
/// Their alpha fades over several pixels, so the threshold makes them thicker or thinner.
fn bullets() -> RgbaImage {
    type Depth = fn(i32, i32) -> i32;
    /// Left, top, width, height, the depth below the surface at a point relative to the centre, and the colours from
    /// the outside in.
    type Bullet = (u32, u32, u32, u32, Depth, [[u8; 3]; 4]);
    const FIRE: [[u8; 3]; 4] = [[150, 30, 60], [236, 88, 50], [254, 188, 80], [255, 250, 220]];
    const ICE: [[u8; 3]; 4] = [[40, 50, 150], [60, 120, 230], [120, 210, 250], [240, 254, 255]];
    const VENOM: [[u8; 3]; 4] = [[70, 30, 120], [160, 60, 190], [240, 130, 220], [255, 236, 250]];
    const SHEET: [Bullet; 7] = [
        (0, 0, 16, 16, |x, y| 92 - length(x, y), FIRE),
        (16, 0, 16, 16, |x, y| 30 - (length(x, y) - 78).abs(), ICE),
        (32, 0, 16, 16, |x, y| 62 - i32::midpoint(length(x, y), 2 * x.abs().min(y.abs())), VENOM),
        (48, 0, 16, 16, |x, y| (100 - length(x, y)).min(length(x - 52, y) - 78), ICE),
        (64, 0, 16, 8, |x, y| (44 - length((x - 70).max(0), y)).min(44 + (x - 70) / 4 - y.abs()), FIRE),
        (64, 8, 8, 8, |x, y| 42 - length(x, y), VENOM),
        (72, 8, 8, 8, |x, y| 34 - i32::midpoint(x.abs(), y.abs()) - x.abs().min(y.abs()), ICE),
    ];
    let mut sheet = RgbaImage::new(80, 16);
    for (left, top, width, height, depth, colours) in SHEET {
        for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
            let from_centre = |v: u32, size: u32| (2 * v as i32 + 1 - size as i32) * SAMPLES / 2;
            let depth = depth(from_centre(x, width), from_centre(y, height));
            let alpha = (128 + depth * 5).clamp(0, 255);
            let [r, g, b] = colours[(depth / 14 + 1).clamp(0, 3) as usize];
            if alpha > 0 {
                sheet.put_pixel(left + x, top + y, Rgba([r, g, b, alpha as u8]));
            }
        }
    }
    sheet
}

fn length(x: i32, y: i32) -> i32 {
    (x * x + y * y).isqrt()
}

/// Returns a rotor of four blades, symmetric under quarter turns.
fn rotor() -> RgbaImage {
    const BLADE: [[i32; 2]; 9] =
        [[-44, -40], [-84, -120], [-96, -220], [-72, -330], [-4, -374], [56, -362], [34, -280], [26, -190], [48, -40]];
    const STEEL: [[u8; 3]; 4] = [[168, 184, 200], [108, 124, 148], [82, 94, 120], [132, 148, 170]];
    let mut picture = drawn(48, 48, |x, y| {
        let (x, y) = (x - 24 * SAMPLES, y - 24 * SAMPLES);
        let quarters = [[x, y], [y, -x], [-x, -y], [-y, x]];
        let reach = length(x, y);
        if reach < 84 {
            return Some(match reach {
                0..26 => [60, 66, 88],
                26..46 => [236, 200, 92],
                _ if x + y < 0 => [150, 162, 184],
                _ => [96, 106, 132],
            });
        }
        let blade = quarters.iter().position(|&p| within(&BLADE, p))?;
        let across = quarters[blade][0];
        Some(match reach {
            300..350 => [214, 62, 62],
            _ if across < -44 => STEEL[blade].map(|c| c.saturating_add(34)),
            _ => STEEL[blade],
        })
    });
    outline(&mut picture, [28, 28, 46]);
    picture
}

/// Returns a craggy rock with craters, lit from the upper left.
fn asteroid() -> RgbaImage {
    #[rustfmt::skip]
    const CRAGS: [[i32; 2]; 24] = [
        [27, 4], [37, 1], [46, 6], [54, 10], [57, 18], [61, 25], [62, 34], [57, 41], [50, 43], [53, 50], [48, 57], [41, 57],
        [35, 62], [26, 61], [18, 59], [14, 51], [8, 49], [6, 41], [2, 36], [9, 30], [3, 21], [9, 15], [13, 9], [20, 7],
    ];
    /// Centre and radius.
    const CRATERS: [[i32; 3]; 6] = [[24, 24, 10], [43, 19, 5], [42, 41, 9], [20, 44, 5], [33, 33, 3], [52, 31, 3]];
    const SHADES: [[u8; 3]; 6] =
        [[42, 36, 50], [66, 56, 68], [94, 80, 86], [126, 108, 106], [162, 142, 130], [204, 186, 164]];
    let crags = CRAGS.map(|p| p.map(|v| v * SAMPLES));
    let height = |x: i32, y: i32| {
        let dome = 5 * (40 * 40 - (x - 31) * (x - 31) - (y - 31) * (y - 31)).max(0).isqrt() / 2;
        let craters = CRATERS.iter().map(|&[cx, cy, r]| {
            let d = length(x - cx, y - cy);
            // A bowl, and a rim of two pixels around it.
            if d < r { (d - r) * 14 / r } else { (r + 3 - d).max(0) * 2 }
        });
        dome + craters.sum::<i32>() + noise(x, y, 6, 1) / 18 + noise(x, y, 3, 2) / 40
    };
    let mut picture = drawn(64, 64, |x, y| {
        if !within(&crags, [x, y]) {
            return None;
        }
        let (x, y) = (x / SAMPLES, y / SAMPLES);
        let slope = height(x + 1, y + 1) - height(x - 1, y - 1);
        // Two shades are dithered in a chequer.
        let light = 60 + slope * 7 + if (x + y) % 2 == 0 { 5 } else { 0 };
        Some(SHADES[(light / 20).clamp(0, 5) as usize])
    });
    outline(&mut picture, [30, 26, 38]);
    picture
}

/// Returns hills with overhangs, a mushroom-shaped rock, and caves.
fn terrain() -> RgbaImage {
    #[rustfmt::skip]
    const OUTLINE: [[i32; 2]; 47] = [
        [0, 50], [12, 48], [26, 43], [40, 40], [52, 29], [66, 24], [82, 25], [94, 31], [92, 38], [78, 41], [69, 47],
        [66, 56], [73, 63], [88, 66], [102, 67], [112, 72], [124, 73], [133, 68], [137, 56], [133, 46], [122, 42],
        [112, 40], [106, 34], [110, 27], [122, 22], [138, 17], [152, 18], [168, 22], [180, 28], [184, 35], [176, 41],
        [164, 43], [156, 49], [153, 59], [158, 68], [170, 74], [188, 76], [202, 72], [209, 60], [206, 50], [214, 42],
        [230, 40], [242, 33], [257, 31], [257, 97], [-1, 97], [-1, 50],
    ];
    #[rustfmt::skip]
    const CAVES: [&[[i32; 2]]; 2] = [
        &[[18, 66], [28, 60], [42, 62], [50, 70], [48, 80], [36, 84], [24, 82], [16, 75]],
        &[[224, 60], [234, 55], [243, 60], [246, 70], [236, 77], [226, 72]],
    ];
    let solid = |x: i32, y: i32| {
        // Distorted by noise, so that no edge is straight.
        let p = [x + noise(x, y, 7 * SAMPLES, 3) / 6 - 21, y + noise(x, y, 9 * SAMPLES, 4) / 5 - 25];
        let inside = |ring: &[[i32; 2]]| within(&ring.iter().map(|p| p.map(|v| v * SAMPLES)).collect::<Vec<_>>(), p);
        inside(&OUTLINE) && !CAVES.iter().any(|cave| inside(cave))
    };
    let mut picture = drawn(256, 96, |x, y| solid(x, y).then_some([0; 3]));
    let empty = |picture: &RgbaImage, x: i32, y: i32| {
        (0..256).contains(&x) && (0..96).contains(&y) && picture.get_pixel(x as u32, y as u32).0[3] == 0
    };
    let shape = picture.clone();
    for (x, y, pixel) in picture.enumerate_pixels_mut().filter(|(_, _, pixel)| pixel.0[3] > 0) {
        let (x, y) = (x as i32, y as i32);
        let below_sky = (1..12).find(|&d| empty(&shape, x, y - d)).unwrap_or(12);
        let near_air = (1..7).find(|&d| {
            (-d..=d).any(|e| empty(&shape, x + e, y + d) || empty(&shape, x + d, y + e) || empty(&shape, x - d, y + e))
        });
        let blades = 3 + noise(x, 0, 2, 5) / 80;
        let grain = noise(x, y, 5, 6) + noise(x, y, 2, 7) / 2;
        let [r, g, b] = match (below_sky, near_air) {
            (1, _) => [176, 220, 96],
            (2, _) => [112, 184, 74],
            (d, _) if d <= blades => [66, 138, 70],
            (d, _) if d == blades + 1 => [58, 44, 52],
            (_, Some(1)) => [62, 44, 50],
            (_, Some(2..=3)) => [140, 98, 72],
            _ if grain > 268 => [150, 110, 82],
            _ if grain < 96 => [78, 56, 58],
            (_, Some(_)) => [116, 80, 66],
            _ => [98, 68, 62],
        };
        pixel.0[..3].copy_from_slice(&[r, g, b]);
    }
    picture
}

/// The letters `HITMASK!CEFJLOUY`, 11 x 15 in cells of 12 x 16: strokes are three pixels wide, upright strokes five
/// apart.
#[rustfmt::skip]
const LETTERS: [&str; 32] = [
    "###.....###...#######...###########.###.....###.....###......#########..###.....###.....###.....",
    "###.....###...#######...###########.####...####....#####....###########.###....####.....###.....",
    "###.....###...#######...###########.#####.#####....#####....###########.###...####......###.....",
    "###.....###.....###.........###.....###########...###.###...###.....###.###..####.......###.....",
    "###.....###.....###.........###.....###########...###.###...###.........###.####........###.....",
    "###.....###.....###.........###.....###.###.###...###.###...###.........#######.........###.....",
    "###########.....###.........###.....###..#..###..###...###..##########..######..........###.....",
    "###########.....###.........###.....###.....###..###...###..###########.#####...........###.....",
    "###########.....###.........###.....###.....###..#########...##########.######..........###.....",
    "###.....###.....###.........###.....###.....###..#########..........###.#######.........###.....",
    "###.....###.....###.........###.....###.....###.###########.........###.###.####................",
    "###.....###.....###.........###.....###.....###.###.....###.###.....###.###..####...............",
    "###.....###...#######.......###.....###.....###.###.....###.###########.###...####......###.....",
    "###.....###...#######.......###.....###.....###.###.....###.###########.###....####.....###.....",
    "###.....###...#######.......###.....###.....###.###.....###..#########..###.....###.....###.....",
    "................................................................................................",
    ".##########.###########.###########.........###.###..........#########..###.....###.###.....###.",
    "###########.###########.###########.........###.###.........###########.###.....###.###.....###.",
    "###########.###########.###########.........###.###.........###########.###.....###.###.....###.",
    "###.........###.........###.................###.###.........###.....###.###.....###.####...####.",
    "###.........###.........###.................###.###.........###.....###.###.....###..###...###..",
    "###.........###.........###.................###.###.........###.....###.###.....###..#########..",
    "###.........###########.#########...........###.###.........###.....###.###.....###...#######...",
    "###.........###########.#########...........###.###.........###.....###.###.....###....#####....",
    "###.........###########.#########...........###.###.........###.....###.###.....###.....###.....",
    "###.........###.........###.................###.###.........###.....###.###.....###.....###.....",
    "###.........###.........###.........###.....###.###.........###.....###.###.....###.....###.....",
    "###.........###.........###.........###.....###.###.........###.....###.###.....###.....###.....",
    "###########.###########.###.........###########.###########.###########.###########.....###.....",
    "###########.###########.###.........###########.###########.###########.###########.....###.....",
    ".##########.###########.###..........#########..###########..#########...#########......###.....",
    "................................................................................................",
];

/// Returns the letters with a light edge above, a shadow below, and partly transparent corners.
fn font() -> RgbaImage {
    let solid = |x: i32, y: i32| {
        (0..96).contains(&x) && (0..32).contains(&y) && LETTERS[y as usize].as_bytes()[x as usize] == b'#'
    };
    RgbaImage::from_fn(96, 32, |x, y| {
        let (x, y) = (x as i32, y as i32);
        if !solid(x, y) {
            return CLEAR;
        }
        let corner = solid(x - 1, y) != solid(x + 1, y) && solid(x, y - 1) != solid(x, y + 1);
        let fade = 5 * (y % 16) as u8;
        let [r, g, b] = if !solid(x, y - 1) {
            [255, 246, 214]
        } else if !solid(x, y + 1) {
            [176, 84, 44]
        } else {
            [252 - fade / 4, 214 - fade, 96 - fade / 2]
        };
        Rgba([r, g, b, if corner { 150 } else { 255 }])
    })
}

/// Returns a picture of a function that gives the colour at a point, in samples. A pixel is opaque if at least half of
/// its samples have a colour.
fn drawn(width: u32, height: u32, colour: impl Fn(i32, i32) -> Option<[u8; 3]>) -> RgbaImage {
    RgbaImage::from_fn(width, height, |x, y| {
        let (left, top) = (x as i32 * SAMPLES, y as i32 * SAMPLES);
        let samples = (0..16).map(|i| (left + i % 4 * 4 + 2, top + i / 4 * 4 + 2));
        let colours: Vec<_> = samples.filter_map(|(x, y)| colour(x, y)).collect();
        // Pixels are opaque or empty, so edges stay crisp.
        if colours.len() < 8 {
            return CLEAR;
        }
        let centre = colour(left + SAMPLES / 2, top + SAMPLES / 2).unwrap_or(colours[0]);
        Rgba([centre[0], centre[1], centre[2], 255])
    })
}

/// Draws the outermost pixels in one colour.
fn outline(picture: &mut RgbaImage, [r, g, b]: [u8; 3]) {
    let shape = picture.clone();
    let empty = |x: u32, y: u32| shape.get_pixel_checked(x, y).is_none_or(|pixel| pixel.0[3] == 0);
    for (x, y, pixel) in picture.enumerate_pixels_mut() {
        let edge = empty(x.wrapping_sub(1), y) || empty(x + 1, y) || empty(x, y.wrapping_sub(1)) || empty(x, y + 1);
        if pixel.0[3] > 0 && edge {
            *pixel = Rgba([r, g, b, 255]);
        }
    }
}

/// Returns whether a polygon contains a point, by counting the edges to the point's right.
fn within(polygon: &[[i32; 2]], [x, y]: [i32; 2]) -> bool {
    let edges = polygon.iter().zip(polygon.iter().cycle().skip(1));
    let crossed = edges.filter(|&(p, q)| {
        let (low, high) = if p[1] < q[1] { (p, q) } else { (q, p) };
        let side = (high[0] - low[0]) * (y - low[1]) - (x - low[0]) * (high[1] - low[1]);
        low[1] <= y && y < high[1] && side > 0
    });
    crossed.count() % 2 == 1
}

/// Returns smooth noise, 0 to 255, that varies over `cell`.
fn noise(x: i32, y: i32, cell: i32, seed: u64) -> i32 {
    let corner = |i: i32, j: i32| {
        let key = seed << 48 | u64::from(i as u32 & 0xFFFF) << 16 | u64::from(j as u32 & 0xFFFF);
        let z = (key ^ key >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ z >> 31) >> 56) as i32
    };
    let (i, j) = (x.div_euclid(cell), y.div_euclid(cell));
    let (u, v) = (x.rem_euclid(cell), y.rem_euclid(cell));
    let top = corner(i, j) * (cell - u) + corner(i + 1, j) * u;
    let bottom = corner(i, j + 1) * (cell - u) + corner(i + 1, j + 1) * u;
    (top * (cell - v) + bottom * v) / (cell * cell)
}
