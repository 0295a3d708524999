//! A sheet: its frames, boxes and tags.

use std::fmt::Write as _;

use hitmask::{Body, Shape, World};
use hitmask_files::{Direction, Frame, NamedBox, Sheet, Tag};

use super::{count, quoted};

/// The width in pixels from which on frames go on in the next row of the picture.
const ROW: i64 = 512;

/// The space between frames.
const GAP: i64 = 4;

/// Adds the frames to a world, in rows: the masks, and the boxes.
pub(super) fn add(sheet: &Sheet, world: &mut World) -> anyhow::Result<()> {
    let [width, height] = sheet.size.map(|side| i64::from(side) + GAP);
    let columns = (ROW / width).max(1);
    for (k, frame) in sheet.frames.iter().enumerate() {
        let at = [k as i64 % columns * width, k as i64 / columns * height].map(|v| v as f64);
        let shape = world.add_shape(Shape::sprite(frame.mask.clone()))?;
        world.add(&Body::new(shape, at))?;
        for NamedBox { bounds, .. } in &frame.boxes {
            let [x, y, width, height] = bounds.map(f64::from);
            let shape = world.add_shape(Shape::rect(width, height)?)?;
            world.add(&Body::new(shape, [at[0] + x, at[1] + y]))?;
        }
    }
    Ok(())
}

/// Returns the lists.
pub(super) fn text(sheet: &Sheet) -> String {
    let [width, height] = sheet.size;
    let (frames, tags) = (count(sheet.frames.len(), "frame"), count(sheet.tags.len(), "tag"));
    let mut text = format!("sheet: {frames} of {width} x {height} pixels, {tags}\n");
    for (k, frame) in sheet.frames.iter().enumerate() {
        frame_text(k, frame, &mut text);
    }
    for tag in &sheet.tags {
        tag_text(tag, &mut text);
    }
    text
}

fn frame_text(k: usize, frame: &Frame, text: &mut String) {
    let name = if frame.name.is_empty() { String::new() } else { format!(" {}", quoted(&frame.name)) };
    let solid = match frame.mask.bounds() {
        Some(bounds) => format!("{} in {bounds:?}", count(frame.mask.count() as usize, "solid pixel")),
        None => "no solid pixels".to_owned(),
    };
    let pivot = frame.pivot.map_or(String::new(), |pivot| format!(", pivot {pivot:?}"));
    let _ = writeln!(text, "frame {k}{name}: {} ms, {solid}{pivot}", frame.duration.as_millis());
    for NamedBox { name, bounds, pivot, data, .. } in &frame.boxes {
        let pivot = pivot.map_or(String::new(), |pivot| format!(", pivot {pivot:?}"));
        let data = if data.is_empty() { String::new() } else { format!(", data {}", quoted(data)) };
        let _ = writeln!(text, "  box {}: {bounds:?}{pivot}{data}", quoted(name));
    }
}

fn tag_text(tag: &Tag, text: &mut String) {
    let direction = match tag.direction {
        Direction::Forward => "forward",
        Direction::Reverse => "in reverse",
        Direction::PingPong => "ping-pong",
        Direction::PingPongReverse => "ping-pong in reverse",
    };
    let passes = tag.repeat.map_or("forever".to_owned(), |repeat| count(repeat.get() as usize, "time"));
    let [first, last] = [tag.frames.start, tag.frames.end - 1];
    let data = if tag.data.is_empty() { String::new() } else { format!(", data {}", quoted(&tag.data)) };
    let _ = writeln!(text, "tag {}: frames {first} to {last}, {direction}, {passes}{data}", quoted(&tag.name));
}
