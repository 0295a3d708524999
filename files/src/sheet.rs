//! Sheets: frames with their images, masks and boxes, and tags that name ranges of frames.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use hitmask::Mask;
use image::RgbaImage;

use crate::error::Result;
use crate::import::Import;
use crate::tag::Tag;

/// The duration in ms of a frame for which the file gives none, as in a new Aseprite file.
pub(crate) const DEFAULT_DURATION: u32 = 100;

/// The frames of a file in their order, and the tags that name ranges of them.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Sheet {
    /// The size in pixels of a frame before trimming, `[width, height]`. If frames differ, the largest width and the
    /// largest height.
    pub size: [u32; 2],
    /// The frames.
    pub frames: Vec<Frame>,
    /// The tags.
    pub tags: Vec<Tag>,
}

/// A frame of a [`Sheet`]. Its coordinates are pixels of the untrimmed frame, from its top-left corner, +x to the right
/// and +y down.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Frame {
    /// The name in a packed sheet, such as "walk/0001.png"; empty if the file does not name its frames.
    pub name: String,
    /// The time for which the frame shows, at least 1 ms; 100 ms if the file does not say.
    pub duration: Duration,
    /// The image, untrimmed and unrotated. Frames with equal images share one.
    pub image: Arc<RgbaImage>,
    /// The texels whose alpha is at least [`Import::threshold`]. Frames with equal images share one mask.
    pub mask: Arc<Mask>,
    /// The pivot of a packed frame, or the pivot of the first box that has one.
    pub pivot: Option<[f64; 2]>,
    /// The boxes that show in this frame: Aseprite's slices, in the order of the file.
    pub boxes: Vec<NamedBox>,
}

/// A named rectangle in a frame, such as a hurt box: one of Aseprite's slices.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NamedBox {
    /// The name. Several boxes may have the same one.
    pub name: Arc<str>,
    /// The rectangle `[x, y, width, height]`, which may reach outside the frame.
    pub bounds: [i32; 4],
    /// The pivot. In the file it is relative to the box; here it is a pixel of the frame, as all else.
    pub pivot: Option<[i32; 2]>,
    /// The centre of a 9-slice, `[x, y, width, height]`, also in pixels of the frame.
    pub centre: Option<[i32; 4]>,
    /// The text of the user data; empty if there is none.
    pub data: Arc<str>,
}

impl NamedBox {
    /// Makes a box without a pivot, a centre and data.
    #[must_use]
    pub fn new(name: impl Into<Arc<str>>, bounds: [i32; 4]) -> Self {
        Self { name: name.into(), bounds, pivot: None, centre: None, data: "".into() }
    }
}

impl Sheet {
    /// Opens a sheet with the default [`Import`]. The kind of the file is detected from its content, not from its name:
    /// see [`Import::open`].
    ///
    /// ```
    /// use hitmask_files::Sheet;
    ///
    /// let hero = Sheet::open("assets/hero.aseprite")?;
    /// assert_eq!((hero.size, hero.frames.len()), ([12, 16], 6));
    /// # Ok::<(), hitmask_files::Error>(())
    /// ```
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Import::default().open(path)
    }

    /// Returns the first tag of a name.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&Tag> {
        self.tags.iter().find(|tag| tag.name == name)
    }

    /// Returns the first frame of a name.
    #[must_use]
    pub fn frame(&self, name: &str) -> Option<&Frame> {
        self.frames.iter().find(|frame| frame.name == name)
    }

    /// Makes a sheet of frames.
    pub(crate) fn new(frames: Vec<Frame>, tags: Vec<Tag>) -> Self {
        let largest = |k: fn(&RgbaImage) -> u32| frames.iter().map(|frame| k(&frame.image)).max().unwrap_or_default();
        Self { size: [largest(RgbaImage::width), largest(RgbaImage::height)], frames, tags }
    }
}

impl Frame {
    /// Returns the boxes of a name.
    ///
    /// ```
    /// use hitmask_files::Sheet;
    ///
    /// let hero = Sheet::open("assets/hero.aseprite")?;
    /// let hurt = hero.frames[0].boxes("hurt").next().expect("the artist has drawn one");
    /// assert_eq!((hurt.bounds, &*hurt.data), ([3, 1, 6, 14], "damage=2"));
    /// # Ok::<(), hitmask_files::Error>(())
    /// ```
    pub fn boxes(&self, name: &str) -> impl Iterator<Item = &NamedBox> {
        self.boxes.iter().filter(move |named| &*named.name == name)
    }
}
