//! A sheet as JSON.

use hitmask_files::{Direction, Frame, NamedBox, Sheet, Tag};
use serde::Serialize;

use super::is_empty;

#[derive(Serialize)]
struct SheetJson<'a> {
    kind: &'static str,
    size: [u32; 2],
    frames: Vec<FrameJson<'a>>,
    tags: Vec<TagJson<'a>>,
}

#[derive(Serialize)]
struct FrameJson<'a> {
    #[serde(skip_serializing_if = "is_empty")]
    name: &'a str,
    duration_ms: u64,
    solid_pixels: u64,
    /// The solid pixels lie in `[x, y, width, height]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<[u32; 4]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pivot: Option<[f64; 2]>,
    boxes: Vec<BoxJson<'a>>,
}

#[derive(Serialize)]
struct BoxJson<'a> {
    name: &'a str,
    bounds: [i32; 4],
    #[serde(skip_serializing_if = "Option::is_none")]
    pivot: Option<[i32; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    centre: Option<[i32; 4]>,
    #[serde(skip_serializing_if = "is_empty")]
    data: &'a str,
}

#[derive(Serialize)]
struct TagJson<'a> {
    name: &'a str,
    /// The first frame and the last.
    frames: [usize; 2],
    direction: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    repeat: Option<u32>,
    #[serde(skip_serializing_if = "is_empty")]
    data: &'a str,
}

/// Returns a sheet as JSON.
pub(in super::super) fn json(sheet: &Sheet) -> impl Serialize {
    SheetJson {
        kind: "sheet",
        size: sheet.size,
        frames: sheet.frames.iter().map(frame).collect(),
        tags: sheet.tags.iter().map(tag).collect(),
    }
}

fn frame(frame: &Frame) -> FrameJson<'_> {
    FrameJson {
        name: &frame.name,
        duration_ms: frame.duration.as_millis() as u64,
        solid_pixels: frame.mask.count(),
        bounds: frame.mask.bounds(),
        pivot: frame.pivot,
        boxes: frame.boxes.iter().map(named_box).collect(),
    }
}

fn named_box(NamedBox { name, bounds, pivot, centre, data, .. }: &NamedBox) -> BoxJson<'_> {
    BoxJson { name, bounds: *bounds, pivot: *pivot, centre: *centre, data }
}

fn tag(tag: &Tag) -> TagJson<'_> {
    let direction = match tag.direction {
        Direction::Forward => "forward",
        Direction::Reverse => "reverse",
        Direction::PingPong => "pingpong",
        Direction::PingPongReverse => "pingpong_reverse",
    };
    TagJson {
        name: &tag.name,
        frames: [tag.frames.start, tag.frames.end - 1],
        direction,
        repeat: tag.repeat.map(std::num::NonZero::get),
        data: &tag.data,
    }
}
