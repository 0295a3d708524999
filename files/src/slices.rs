//! Aseprite's slices: named boxes that change from frame to frame by keys.

use std::sync::Arc;

use crate::budget;
use crate::error::{Error, Result, malformed, quoted};
use crate::sheet::{Frame, NamedBox};

/// A slice: a name, and the rectangles that it has from certain frames on.
pub(crate) struct Slice {
    pub(crate) name: String,
    pub(crate) data: String,
    pub(crate) keys: Vec<Key>,
}

/// The rectangle of a slice from a frame on, until the frame of the next key. An empty one hides the slice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    pub(crate) frame: u32,
    /// `[x, y, width, height]`.
    pub(crate) bounds: [i64; 4],
    /// Relative to the bounds, as in the file.
    pub(crate) centre: Option<[i64; 4]>,
    /// Relative to the bounds, as in the file.
    pub(crate) pivot: Option<[i64; 2]>,
}

/// Adds the boxes of slices to frames. A frame without a pivot gets the pivot of its first box that has one.
pub(crate) fn add(mut slices: Vec<Slice>, frames: &mut [Frame]) -> Result<()> {
    for slice in &mut slices {
        slice.keys.sort_by_key(|key| key.frame);
    }
    let shown = |slice: &Slice| {
        (frames.len() as u64).saturating_sub(slice.keys.first().map_or(u64::MAX, |key| key.frame.into()))
    };
    budget::box_count(slices.iter().map(shown).fold(0, u64::saturating_add))?;
    for Slice { name, data, keys } in slices {
        let (name, data) = (Arc::<str>::from(name), Arc::<str>::from(data));
        let place = |error: Error| error.at(format!("slice {}", quoted(&name)));
        for (k, key) in keys.iter().enumerate() {
            let start = key.frame as usize;
            let end = keys.get(k + 1).map_or(frames.len(), |next| next.frame as usize).min(frames.len());
            let [_, _, width, height] = key.bounds;
            if start >= end || width == 0 || height == 0 {
                continue;
            }
            let named = key.named(&name, &data).map_err(|error| place(error.at(format!("frame {start}"))))?;
            for frame in &mut frames[start..end] {
                frame.pivot = frame.pivot.or(named.pivot.map(|pivot| pivot.map(f64::from)));
                frame.boxes.push(named.clone());
            }
        }
    }
    Ok(())
}

impl Key {
    /// Returns the box in pixels of the frame.
    fn named(&self, name: &Arc<str>, data: &Arc<str>) -> Result<NamedBox> {
        let [left, top, ..] = self.bounds;
        let narrow = |v: i64| i32::try_from(v).map_err(|_| malformed(format!("{v} is no coordinate of a pixel")));
        let rectangle = |[x, y, width, height]: [i64; 4]| {
            // The far corner is a coordinate too.
            let sides = [narrow(x)?, narrow(y)?, narrow(width)?, narrow(height)?];
            narrow(x + width).and(narrow(y + height)).and(Ok::<_, Error>(sides))
        };
        let centre = self.centre.filter(|[_, _, width, height]| *width > 0 && *height > 0);
        let centre = centre.map(|[x, y, width, height]| rectangle([left + x, top + y, width, height])).transpose()?;
        let pivot = self.pivot.map(|[x, y]| Ok::<_, Error>([narrow(left + x)?, narrow(top + y)?])).transpose()?;
        Ok(NamedBox { name: name.clone(), bounds: rectangle(self.bounds)?, pivot, centre, data: data.clone() })
    }
}
