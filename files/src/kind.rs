//! The kinds of files, detected by content.

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::{aseprite, json};

/// The kind of an artist's file. The content decides, not the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// Aseprite's own file.
    Aseprite,
    /// The JSON that Aseprite or TexturePacker writes beside an image.
    Packed,
    /// A [`Retouch`](crate::Retouch): changes to one of the other sheets.
    Retouch,
    /// An image alone.
    Image,
    /// A level: a map of Tiled, or a project of LDtk.
    Level,
}

/// The keys that tell JSON files apart.
#[derive(Deserialize)]
struct Keys {
    #[serde(rename = "hitmask-sheet")]
    retouch: Option<IgnoredAny>,
    frames: Option<IgnoredAny>,
    /// A sheet as TexturePacker writes it for Phaser.
    textures: Option<IgnoredAny>,
    /// A map of Tiled.
    #[serde(rename = "tilewidth")]
    tiled: Option<IgnoredAny>,
    /// A project of LDtk.
    #[serde(rename = "jsonVersion")]
    project: Option<IgnoredAny>,
    /// A level of LDtk in a file of its own, which is refused by name.
    #[serde(rename = "layerInstances")]
    room: Option<IgnoredAny>,
}

impl Kind {
    /// Returns the kind of a file with this content; `None` for any other file, such as a scene.
    ///
    /// ```
    /// use hitmask_files::Kind;
    ///
    /// assert_eq!(Kind::of(include_bytes!("../assets/hero.aseprite")), Some(Kind::Aseprite));
    /// assert_eq!(Kind::of(include_bytes!("../assets/cave.tmx")), Some(Kind::Level));
    /// assert_eq!(Kind::of(include_bytes!("../assets/cave.png")), Some(Kind::Image));
    /// assert_eq!(Kind::of(br#"{ "bodies": [] }"#), None);
    /// ```
    #[must_use]
    pub fn of(content: &[u8]) -> Option<Self> {
        // The length of an Aseprite file comes first, and may have any bytes.
        if aseprite::is_aseprite(content) {
            return Some(Self::Aseprite);
        }
        let text = json::unmarked(content).trim_ascii_start();
        match text.first() {
            Some(b'<') => Some(Self::Level),
            Some(b'{') => match json::parse(text).ok()? {
                Keys { retouch: Some(_), .. } => Some(Self::Retouch),
                Keys { frames: Some(_), .. } | Keys { textures: Some(_), .. } => Some(Self::Packed),
                Keys { tiled: Some(_), .. } | Keys { project: Some(_), .. } | Keys { room: Some(_), .. } => {
                    Some(Self::Level)
                }
                _ => None,
            },
            _ => image::guess_format(content).is_ok().then_some(Self::Image),
        }
    }
}
