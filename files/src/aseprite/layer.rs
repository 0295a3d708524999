//! Layers: the tree of groups, and what is drawn of it.

use super::blend::Mode;
use super::bytes::Bytes;
use super::file::{Header, unsupported};
use crate::error::{Result, malformed, quoted};

/// The deepest nesting of groups.
const MAX_DEPTH: u32 = 64;

/// A layer of a file. Its parent, if it has one, comes before it.
pub(super) struct Layer {
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) mode: Mode,
    pub(super) opacity: u8,
    pub(super) is_background: bool,
    is_visible: bool,
    is_reference: bool,
    /// The index of the group that it is in.
    pub(super) parent: Option<usize>,
    /// The level in the file: that of a layer in a group is higher than the group's.
    level: u16,
    /// The number of groups that it is in.
    pub(super) depth: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Image,
    Group,
    /// Tiles of the set with this number.
    Tilemap(u32),
}

impl Layer {
    /// Reads a layer that follows the layers `before`.
    pub(super) fn read(mut chunk: Bytes<'_>, header: &Header, before: &[Self]) -> Result<Self> {
        let flags = chunk.word()?;
        let kind = chunk.word()?;
        let level = chunk.word()?;
        chunk.skip(4)?;
        let mode = chunk.word()?;
        let opacity = chunk.byte()?;
        chunk.skip(3)?;
        let name = chunk.text()?.into_owned();
        let place = || place(&name);
        let kind = match kind {
            0 => Kind::Image,
            1 => Kind::Group,
            2 => Kind::Tilemap(chunk.dword().map_err(|error| error.at(place()))?),
            _ => return Err(unsupported(format!("layers of kind {kind}")).at(place())),
        };
        let parent = parent(level, before);
        if parent.is_some_and(|parent| before[parent].kind != Kind::Group) {
            return Err(malformed("it lies in a layer that is not a group").at(place()));
        }
        let depth = parent.map_or(0, |parent| before[parent].depth + 1);
        if depth > MAX_DEPTH {
            return Err(unsupported(format!("it lies in more than {MAX_DEPTH} groups, the limit")).at(place()));
        }
        let is_background = flags & 8 != 0;
        let is_blended = !is_background && (kind != Kind::Group || header.composes_groups);
        let is_background = is_background && kind != Kind::Group;
        Ok(Self {
            mode: if is_blended { Mode::read(mode).map_err(|error| error.at(place()))? } else { Mode::Normal },
            opacity: if is_blended && header.has_opacities { opacity } else { 255 },
            name,
            kind,
            is_background,
            is_visible: flags & 1 != 0,
            is_reference: flags & 64 != 0,
            parent,
            level,
            depth,
        })
    }

    pub(super) fn place(&self) -> String {
        place(&self.name)
    }
}

fn place(name: &str) -> String {
    format!("layer {}", quoted(name))
}

/// Returns the group that a layer with this level is in: the last layer before it that has a lower level.
fn parent(level: u16, before: &[Layer]) -> Option<usize> {
    let mut last = before.len().checked_sub(1);
    while let Some(k) = last {
        if before[k].level < level {
            return Some(k);
        }
        last = before[k].parent;
    }
    None
}

/// Returns for each layer whether it is drawn: those that are visible in the file, or those with these names.
pub(super) fn drawn(layers: &[Layer], names: Option<&[String]>) -> Result<Vec<bool>> {
    for name in names.unwrap_or_default() {
        if layers.iter().all(|layer| layer.name != *name) {
            let all: Vec<_> = layers.iter().take(20).map(|layer| quoted(&layer.name)).collect();
            let problem = format!("there is no layer {}; the first are: {}", quoted(name), all.join(", "));
            return Err(malformed(problem));
        }
    }
    let mut drawn: Vec<bool> = Vec::with_capacity(layers.len());
    for layer in layers {
        let is_named = names.is_some_and(|names| names.contains(&layer.name));
        let is_within = layer.parent.map_or(names.is_none(), |parent| drawn[parent]);
        drawn.push(is_named || is_within && layer.is_visible);
    }
    for (k, layer) in layers.iter().enumerate().rev() {
        drawn[k] &= !layer.is_reference;
        // A layer can be chosen in a group that is not.
        if let Some(parent) = layer.parent.filter(|_| drawn[k]) {
            drawn[parent] = true;
        }
    }
    Ok(drawn)
}
