//! Any bytes as a PNG, and the same bytes with correct checksums of its chunks, so that the code behind the check is
//! reached: decoding gives an error or a mask of the image's size, and decoding a region gives that part of it.

use hitmask::Mask;
use hitmask::mask::Grid;

/// Corrects the checksum of each chunk (PNG, 5.3), up to the first invalid chunk length.
fn mend(png: &mut [u8]) {
    let mut at = 8;
    while let Some(&[a, b, c, d]) = png.get(at..at + 4).and_then(|length| length.first_chunk()) {
        let end = at.saturating_add(8).saturating_add(u32::from_be_bytes([a, b, c, d]) as usize);
        let Some(chunk) = png.get(at + 4..end) else { return };
        let step = |crc: u32, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
        let crc = !chunk.iter().fold(u32::MAX, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), step));
        let Some(place) = png.get_mut(end..end + 4) else { return };
        place.copy_from_slice(&crc.to_be_bytes());
        at = end + 4;
    }
}

fn read(png: &[u8]) {
    let Ok(mask) = Mask::decode(png, 128, None) else { return };
    let [width, height] = mask.size();
    let region = [width / 3, height / 3, width.div_ceil(2), height.div_ceil(2)];
    let part = Mask::decode(png, 128, Some(region)).expect("a part of an image that was read");
    assert_eq!(part.size(), [region[2], region[3]]);
    for y in 0..region[3] {
        for x in 0..region[2] {
            assert_eq!(part.get(x, y), mask.get(region[0] + x, region[1] + y));
        }
    }
    let frames = Mask::decode_frames(png, 128, Grid::new([width.div_ceil(2), height])).unwrap_or_default();
    assert!(frames.iter().all(|frame| frame.size() == [width.div_ceil(2), height]));
}

/// Checks one input.
pub fn check(bytes: &[u8]) {
    let mut png = bytes.to_vec();
    read(&png);
    mend(&mut png);
    read(&png);
}
