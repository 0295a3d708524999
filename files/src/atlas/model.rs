//! The JSON of a packed sheet. Fields that are not here are ignored: a file may have more, such as colours of tags.

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::order::Frames;
use crate::error::{Result, malformed, quoted};
use crate::tag::Direction;

#[derive(Deserialize)]
pub(super) struct Atlas {
    #[serde(default)]
    pub(super) frames: Frames,
    #[serde(default)]
    pub(super) meta: Meta,
    /// The images, each with its frames, as TexturePacker writes them for Phaser.
    pub(super) textures: Option<Vec<Texture>>,
}

#[derive(Deserialize)]
pub(super) struct Texture {
    pub(super) image: Option<String>,
    pub(super) size: Option<Size>,
    #[serde(default)]
    pub(super) frames: Frames,
}

#[derive(Deserialize)]
pub(super) struct Entry {
    /// The name; in a hash it is the key instead.
    #[serde(default, rename = "filename")]
    pub(super) name: String,
    pub(super) frame: Area,
    #[serde(default)]
    pub(super) rotated: bool,
    #[serde(rename = "spriteSourceSize")]
    pub(super) trimmed: Option<Area>,
    #[serde(rename = "sourceSize")]
    pub(super) source: Option<Size>,
    /// In ms.
    pub(super) duration: Option<u32>,
    /// In parts of the source size.
    pub(super) pivot: Option<Pivot>,
    /// The pivot as TexturePacker writes it for PixiJS.
    pub(super) anchor: Option<Pivot>,
    /// TexturePacker's polygon.
    pub(super) vertices: Option<Vec<IgnoredAny>>,
}

#[derive(Clone, Copy, Deserialize)]
pub(super) struct Area {
    pub(super) x: u32,
    pub(super) y: u32,
    pub(super) w: u32,
    pub(super) h: u32,
}

#[derive(Clone, Copy, Deserialize)]
pub(super) struct Size {
    pub(super) w: u32,
    pub(super) h: u32,
}

#[derive(Clone, Copy, Deserialize)]
pub(super) struct Pivot {
    pub(super) x: f64,
    pub(super) y: f64,
}

#[derive(Default, Deserialize)]
pub(super) struct Meta {
    pub(super) image: Option<String>,
    pub(super) size: Option<Size>,
    #[serde(default, rename = "frameTags")]
    pub(super) frame_tags: Vec<FrameTag>,
    #[serde(default)]
    pub(super) slices: Vec<FrameSlice>,
    pub(super) related_multi_packs: Option<Vec<IgnoredAny>>,
}

#[derive(Deserialize)]
pub(super) struct FrameTag {
    pub(super) name: String,
    pub(super) from: u32,
    pub(super) to: u32,
    #[serde(default)]
    pub(super) direction: Order,
    pub(super) repeat: Option<Repeat>,
    #[serde(default)]
    pub(super) data: String,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Order {
    #[default]
    Forward,
    Reverse,
    #[serde(rename = "pingpong")]
    PingPong,
    #[serde(rename = "pingpong_reverse")]
    PingPongReverse,
}

/// The number of passes. Aseprite writes it as a text.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Repeat {
    Text(String),
    Number(u32),
}

#[derive(Deserialize)]
pub(super) struct FrameSlice {
    pub(super) name: String,
    #[serde(default)]
    pub(super) data: String,
    #[serde(default)]
    pub(super) keys: Vec<SliceKey>,
}

#[derive(Deserialize)]
pub(super) struct SliceKey {
    pub(super) frame: u32,
    pub(super) bounds: Bounds,
    pub(super) center: Option<Bounds>,
    pub(super) pivot: Option<Place>,
}

#[derive(Clone, Copy, Deserialize)]
pub(super) struct Bounds {
    x: i32,
    y: i32,
    w: u32,
    h: u32,
}

#[derive(Clone, Copy, Deserialize)]
pub(super) struct Place {
    pub(super) x: i32,
    pub(super) y: i32,
}

impl Bounds {
    pub(super) fn numbers(self) -> [i64; 4] {
        [self.x.into(), self.y.into(), self.w.into(), self.h.into()]
    }
}

impl Repeat {
    pub(super) fn count(&self) -> Result<u32> {
        match self {
            Self::Number(count) => Ok(*count),
            Self::Text(text) => {
                text.parse().map_err(|_| malformed(format!("`repeat` is {}, not a number of passes", quoted(text))))
            }
        }
    }
}

impl From<Order> for Direction {
    fn from(order: Order) -> Self {
        match order {
            Order::Forward => Self::Forward,
            Order::Reverse => Self::Reverse,
            Order::PingPong => Self::PingPong,
            Order::PingPongReverse => Self::PingPongReverse,
        }
    }
}
