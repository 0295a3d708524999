//! Any bytes as a sheet: an Aseprite file, or JSON and after a zero its image; and the JSON as changes to that image.
//! Each gives an error, or a sheet within the limit whose masks have the size of their images and whose tags can be
//! played.

use std::time::Duration;

use hitmask::mask::Grid;
use hitmask_files::{Import, Result, Retouch, Sheet};

/// Few pixels, so that an input takes little time.
const LIMIT: u64 = 1 << 14;

fn play(sheet: Result<Sheet>) {
    let Ok(sheet) = sheet else { return };
    assert!(!sheet.frames.is_empty());
    let pixels: usize = sheet.frames.iter().map(|frame| frame.image.pixels().len()).sum();
    assert!(pixels as u64 <= LIMIT);
    for frame in &sheet.frames {
        assert_eq!(frame.mask.size(), <[u32; 2]>::from(frame.image.dimensions()));
    }
    for tag in &sheet.tags {
        for elapsed in [Duration::ZERO, Duration::from_millis(777), Duration::MAX] {
            let shown = sheet.frame_at(tag, elapsed).expect("a tag has frames");
            assert!(tag.frames.contains(&shown));
        }
    }
}

/// Checks one input.
pub fn check(bytes: &[u8]) {
    let import = Import::default().limit(LIMIT);
    play(import.read_aseprite(bytes));
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    let (json, image) = bytes.split_at(end);
    let image = image.get(1..).unwrap_or_default();
    play(import.read_packed(json, image));
    play(import.read_grid(image, Grid::new([2, 2]).allow_remainder()));
    if let Ok(retouch) = Retouch::parse(json) {
        let again = retouch.to_json().and_then(|text| Retouch::parse(text.as_bytes())).expect("it was read once");
        // Entries that change nothing are not written.
        assert!(again.frames.iter().all(|(frame, change)| retouch.frames.get(frame) == Some(change)));
        if let Ok(mut sheet) = import.read_grid(image, Grid::new([2, 2]).allow_remainder()) {
            play(retouch.apply(&mut sheet).map(|()| sheet));
        }
    }
}
