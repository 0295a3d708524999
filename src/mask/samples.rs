//! Masks for tests, and oracles that look at one texel at a time.

use proptest::prelude::*;

use super::Mask;
use hitmask_workbench::workloads::SplitMix64;

/// Widths on either side of word boundaries.
pub(super) const WIDTHS: [u32; 7] = [1, 63, 64, 65, 127, 128, 200];

/// A filling for a part of a mask.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fill {
    Empty,
    Full,
    Noise(u32),
}

pub(super) fn fills() -> impl Strategy<Value = Fill> {
    prop_oneof![2 => Just(Fill::Empty), 2 => Just(Fill::Full), 1 => (1_u32..1000).prop_map(Fill::Noise)]
}

/// Fills a part of a mask, texel by texel.
pub(super) fn fill(mask: &mut Mask, [left, top, width, height]: [u32; 4], fill: Fill, random: &mut SplitMix64) {
    for y in top.min(mask.height())..(top + height).min(mask.height()) {
        for x in left.min(mask.width())..(left + width).min(mask.width()) {
            let solid = match fill {
                Fill::Empty => false,
                Fill::Full => true,
                Fill::Noise(permille) => random.below(1000) < permille,
            };
            mask.set(x, y, solid).unwrap();
        }
    }
}

/// Makes a full mask.
pub(super) fn full(width: u32, height: u32) -> Mask {
    Mask::from_fn(width, height, |_, _| true).unwrap()
}

/// Makes the largest mask, full.
pub(super) fn largest() -> Mask {
    let mut mask = Mask::new(8192, 8192).unwrap();
    mask.fill();
    mask
}

/// Generates masks of random texels, from nearly empty to nearly full.
pub(super) fn masks() -> impl Strategy<Value = Mask> {
    (1_u32..=200, 1_u32..=12, 1_u8..=255).prop_flat_map(|(width, height, threshold)| {
        prop::collection::vec(any::<u8>(), (width * height) as usize)
            .prop_map(move |alpha| Mask::from_alpha(&alpha, width, height, threshold).unwrap())
    })
}

/// Generates masks large enough to have blocks, with empty, full and random parts.
pub(super) fn large_masks() -> impl Strategy<Value = Mask> {
    let part = ([0_u32..2600, 0..120, 1..2600, 1..120], fills());
    (961_u32..2600, 64_u32..120, fills(), prop::collection::vec(part, 0..8), any::<u64>()).prop_map(
        |(width, height, ground, parts, seed)| {
            let (mut mask, mut random) = (Mask::new(width, height).unwrap(), SplitMix64(seed));
            fill(&mut mask, [0, 0, width, height], ground, &mut random);
            for (part, with) in parts {
                fill(&mut mask, part, with, &mut random);
            }
            mask.validate();
            mask
        },
    )
}

/// Generates masks of any kind, mostly small.
pub(super) fn any_masks() -> impl Strategy<Value = Mask> {
    prop_oneof![9 => masks(), 1 => large_masks()]
}

/// Generates offsets or positions, mostly near, some extreme.
pub(super) fn offsets() -> impl Strategy<Value = [i32; 2]> {
    let side = |near: i32| prop_oneof![8 => -near..near, 1 => any::<i32>(), 1 => Just(i32::MIN), 1 => Just(i32::MAX)];
    (side(210), side(14)).prop_map(|(x, y)| [x, y])
}

/// Generates rectangles, mostly near, some extreme.
pub(super) fn rectangles() -> impl Strategy<Value = [i32; 4]> {
    (offsets(), offsets()).prop_map(|([x, y], [w, h])| [x, y, w, h])
}

/// Returns whether a rectangle contains a texel.
pub(super) fn holds([left, top, width, height]: [i32; 4], x: u32, y: u32) -> bool {
    let within = |v: u32, start: i32, length: i32| (0..i64::from(length)).contains(&(i64::from(v) - i64::from(start)));
    within(x, left, width) && within(y, top, height)
}

/// Returns whether the texel under `(x, y)` is solid, for a mask at an offset.
pub(super) fn under(mask: &Mask, [dx, dy]: [i32; 2], x: u32, y: u32) -> bool {
    let under = |v: u32, d: i32| u32::try_from(i64::from(v) - i64::from(d)).unwrap_or(u32::MAX);
    mask.get(under(x, dx), under(y, dy))
}

/// Returns the bounding box of all texels that differ between two masks of one size.
pub(super) fn difference(a: &Mask, b: &Mask) -> Option<[u32; 4]> {
    Mask::from_fn(a.width(), a.height(), |x, y| a.get(x, y) != b.get(x, y)).unwrap().bounds()
}

/// Makes a PNG file of these chunks, adding the length and the CRC of each.
pub(super) fn png_of(chunks: &[(&[u8; 4], Vec<u8>)]) -> Vec<u8> {
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    for (kind, data) in chunks {
        let body = [*kind, data.as_slice()].concat();
        png.extend((data.len() as u32).to_be_bytes());
        png.extend(&body);
        png.extend(crc32(&body).to_be_bytes());
    }
    png
}

fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
    !bytes.iter().fold(u32::MAX, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), step))
}

/// Returns the data of the `IHDR` chunk, without interlacing; colour types are numbered as in the PNG specification.
pub(super) fn header(width: u32, height: u32, depth: u8, colour: u8) -> Vec<u8> {
    [&width.to_be_bytes()[..], &height.to_be_bytes(), &[depth, colour, 0, 0, 0]].concat()
}

/// Packs at most 65,535 bytes as one stored deflate block in a zlib stream.
pub(super) fn zlib(raw: &[u8]) -> Vec<u8> {
    let length = raw.len() as u16;
    let [a, b] = raw.iter().fold([1_u32, 0], |[a, b], &byte| {
        let a = (a + u32::from(byte)) % 65521;
        [a, (a + b) % 65521]
    });
    [&[0x78, 1, 1][..], &length.to_le_bytes(), &(!length).to_le_bytes(), raw, &(b << 16 | a).to_be_bytes()].concat()
}
