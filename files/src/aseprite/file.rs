//! The chunks of a file, in their order.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::bytes::Bytes;
use super::cel::Cel;
use super::layer::Layer;
use super::palette::{self, Palette};
use super::pixels::Depth;
use super::tileset::Tileset;
use crate::budget::Budget;
use crate::error::{Error, Problem, Result, malformed};
use crate::slices::{Key, Slice};
use crate::tag::{Direction, Tag};

const MAGIC: u16 = 0xa5e0;
const FRAME_MAGIC: u16 = 0xf1fa;
const FRAME_HEADER: usize = 16;
const CHUNK_HEADER: usize = 6;

/// Returns whether a file begins as Aseprite's do.
pub(crate) fn is_aseprite(bytes: &[u8]) -> bool {
    bytes.get(4..6) == Some(&MAGIC.to_le_bytes())
}

/// The content of a file. Pixels are still packed.
pub(super) struct File<'a> {
    pub(super) size: [u32; 2],
    pub(super) depth: Depth,
    /// True if a group is drawn on its own, then blended with the layers below it.
    pub(super) composes_groups: bool,
    pub(super) layers: Vec<Layer>,
    pub(super) tilesets: BTreeMap<u32, Tileset<'a>>,
    pub(super) frames: Vec<FrameCels<'a>>,
    pub(super) tags: Vec<Tag>,
    pub(super) slices: Vec<Slice>,
}

/// The cels of a frame.
pub(super) struct FrameCels<'a> {
    /// In ms, at least 1.
    pub(super) duration: u16,
    pub(super) palette: Arc<Palette>,
    /// By the index of the layer.
    pub(super) cels: BTreeMap<usize, Cel<'a>>,
}

/// The header of a file.
pub(super) struct Header {
    frames: u16,
    size: [u32; 2],
    depth: Depth,
    /// The duration in ms of frames that have none of their own.
    speed: u16,
    colours: usize,
    pub(super) has_opacities: bool,
    pub(super) composes_groups: bool,
}

impl Header {
    fn read(bytes: &mut Bytes<'_>) -> Result<Self> {
        let mut header = Bytes(bytes.take(128).map_err(|error| error.at("header"))?);
        header.skip(4)?; // the file's length, which is wrong in some files
        if header.word()? != MAGIC {
            return Err(malformed("not an Aseprite file: the header has another magic number"));
        }
        let frames = header.word()?;
        let size = header.size()?;
        let bits = header.word()?;
        let flags = header.dword()?;
        let speed = header.word()?;
        header.skip(8)?;
        let transparent = header.byte()?;
        header.skip(3)?;
        let colours = match header.word()? {
            0 => 256,
            colours => colours.into(),
        };
        let depth = match bits {
            32 => Depth::Rgba,
            16 => Depth::Grey,
            8 => Depth::Indexed { transparent },
            _ => return Err(malformed(format!("{bits} bits a pixel; there must be 8, 16 or 32")).at("header")),
        };
        if size.contains(&0) || frames == 0 {
            let [width, height] = size;
            let problem = format!("{frames} frames of {width} x {height} pixels; there must be at least 1 of 1 x 1");
            return Err(malformed(problem).at("header"));
        }
        let [has_opacities, composes_groups] = [flags & 1 != 0, flags & 2 != 0];
        Ok(Self { frames, size, depth, speed, colours, has_opacities, composes_groups })
    }
}

impl<'a> File<'a> {
    /// Reads all chunks, and checks the size of what they claim.
    pub(super) fn parse(bytes: &'a [u8], budget: Budget) -> Result<Self> {
        let mut bytes = Bytes(bytes);
        let header = Header::read(&mut bytes)?;
        budget.frames((0..header.frames).map(|_| header.size))?;
        let mut reader = Reader {
            file: File {
                size: header.size,
                depth: header.depth,
                composes_groups: header.composes_groups,
                layers: Vec::new(),
                tilesets: BTreeMap::new(),
                frames: Vec::new(),
                tags: Vec::new(),
                slices: Vec::new(),
            },
            palette: Arc::new(Palette::new(header.colours)),
            has_new_palette: false,
            described: Described::Other,
            header,
            budget,
        };
        for k in 0..reader.header.frames {
            reader.frame(&mut bytes).map_err(|error| error.at(format!("frame {k}")))?;
        }
        Ok(reader.file)
    }
}

/// The file so far, and what the next chunk depends on.
struct Reader<'a> {
    header: Header,
    budget: Budget,
    file: File<'a>,
    palette: Arc<Palette>,
    /// True once a palette chunk of the new kind was read: chunks of the old kinds repeat it.
    has_new_palette: bool,
    described: Described,
}

/// The thing that the next chunk of user data describes.
enum Described {
    /// A tag; the next chunk describes the next tag.
    Tag(usize),
    /// The last slice.
    Slice,
    /// A thing whose user data is not kept.
    Other,
}

impl<'a> Reader<'a> {
    fn frame(&mut self, bytes: &mut Bytes<'a>) -> Result<()> {
        let length = bytes.dword()? as usize;
        let length = length.checked_sub(4).filter(|&rest| rest >= FRAME_HEADER - 4);
        let length = length.ok_or_else(|| malformed("its length is less than that of its header"))?;
        let mut frame = Bytes(bytes.take(length)?);
        if frame.word()? != FRAME_MAGIC {
            return Err(malformed("its header has another magic number"));
        }
        let old_count = frame.word()?;
        let duration = frame.word()?;
        frame.skip(2)?;
        let count = match frame.dword()? {
            0 => old_count.into(),
            count => count,
        };
        let duration = if duration == 0 { self.header.speed } else { duration }.max(1);
        self.file.frames.push(FrameCels { duration, palette: self.palette.clone(), cels: BTreeMap::new() });
        for k in 0..count {
            self.chunk(&mut frame).map_err(|error| error.at(format!("chunk {k}")))?;
        }
        Ok(())
    }

    fn chunk(&mut self, frame: &mut Bytes<'a>) -> Result<()> {
        let length = (frame.dword()? as usize).checked_sub(4).filter(|&rest| rest >= CHUNK_HEADER - 4);
        let length = length.ok_or_else(|| malformed("its length is less than that of its header"))?;
        let mut chunk = Bytes(frame.take(length)?);
        let kind = chunk.word()?;
        let described = match kind {
            0x0004 if !self.has_new_palette => {
                return self.palette(|palette| palette::read_old(chunk, palette, 8));
            }
            // Aseprite reads 11, where its description of the format says 0x11.
            11 | 0x0011 if !self.has_new_palette => {
                return self.palette(|palette| palette::read_old(chunk, palette, 6));
            }
            0x2019 => {
                self.has_new_palette = true;
                return self.palette(|palette| palette::read(chunk, palette));
            }
            0x2004 => {
                self.file.layers.push(Layer::read(chunk, &self.header, &self.file.layers)?);
                Described::Other
            }
            0x2005 => {
                self.cel(chunk)?;
                Described::Other
            }
            0x2018 => {
                self.file.tags = read_tags(chunk, self.header.frames.into())?;
                Described::Tag(0)
            }
            0x2022 => {
                self.file.slices.push(read_slice(chunk)?);
                Described::Slice
            }
            0x2023 => {
                let (id, tileset) = Tileset::read(chunk, self.budget)?;
                self.file.tilesets.insert(id, tileset);
                Described::Other
            }
            0x2020 => self.user_data(chunk)?,
            // All else is not needed: profiles, masks, links to other files, and chunks of versions to come.
            _ => return Ok(()),
        };
        self.described = described;
        Ok(())
    }

    fn palette(&mut self, read: impl FnOnce(&mut Palette) -> Result<()>) -> Result<()> {
        let mut palette = (*self.palette).clone();
        read(&mut palette)?;
        self.palette = Arc::new(palette);
        if let Some(frame) = self.file.frames.last_mut() {
            frame.palette = self.palette.clone();
        }
        Ok(())
    }

    fn cel(&mut self, chunk: Bytes<'a>) -> Result<()> {
        let (index, cel) = Cel::read(chunk, &self.file)?;
        let size = cel.content.size(&self.file).and_then(|size| self.budget.image(size));
        size.map_err(|error| error.at(self.file.layers[index].place()))?;
        let frame = self.file.frames.last_mut();
        if frame.is_some_and(|frame| frame.cels.insert(index, cel).is_some()) {
            return Err(malformed("it has two cels in this frame").at(self.file.layers[index].place()));
        }
        Ok(())
    }

    fn user_data(&mut self, mut chunk: Bytes<'a>) -> Result<Described> {
        let has_text = chunk.dword()? & 1 != 0;
        let text = if has_text { chunk.text()?.into_owned() } else { String::new() };
        Ok(match self.described {
            Described::Tag(k) => {
                if let Some(tag) = self.file.tags.get_mut(k) {
                    tag.data = text;
                }
                Described::Tag(k + 1)
            }
            Described::Slice => {
                if let Some(slice) = self.file.slices.last_mut() {
                    slice.data = text;
                }
                Described::Slice
            }
            Described::Other => Described::Other,
        })
    }
}

fn read_tags(mut chunk: Bytes<'_>, frames: usize) -> Result<Vec<Tag>> {
    let count = chunk.word()?;
    chunk.skip(8)?;
    let read = |_| {
        let range = [chunk.word()?, chunk.word()?].map(u32::from);
        let direction = match chunk.byte()? {
            1 => Direction::Reverse,
            2 => Direction::PingPong,
            3 => Direction::PingPongReverse,
            // Aseprite takes others so too.
            _ => Direction::Forward,
        };
        let repeat = u32::from(chunk.word()?).try_into().ok();
        chunk.skip(6 + 3 + 1)?;
        let tag = Tag::new(chunk.text()?.into_owned(), range, frames)?;
        Ok(Tag { direction, repeat, ..tag })
    };
    (0..count).map(read).collect()
}

fn read_slice(mut chunk: Bytes<'_>) -> Result<Slice> {
    let count = chunk.dword()?;
    let flags = chunk.dword()?;
    chunk.skip(4)?;
    let name = chunk.text()?.into_owned();
    let place = |error: Error| error.at(format!("slice {}", crate::error::quoted(&name)));
    let [has_centre, has_pivot] = [flags & 1 != 0, flags & 2 != 0];
    let mut read = |_| {
        let rectangle = |chunk: &mut Bytes<'_>| -> Result<[i64; 4]> {
            Ok([chunk.long()?.into(), chunk.long()?.into(), chunk.dword()?.into(), chunk.dword()?.into()])
        };
        let frame = chunk.dword()?;
        let bounds = rectangle(&mut chunk)?;
        let centre = has_centre.then(|| rectangle(&mut chunk)).transpose()?;
        let pivot = if has_pivot { Some([chunk.long()?.into(), chunk.long()?.into()]) } else { None };
        Ok(Key { frame, bounds, centre, pivot })
    };
    // Not reserved by the count, which may be wrong: each key is read before there is room for the next.
    let mut keys = Vec::new();
    for k in 0..count {
        keys.push(read(k).map_err(place)?);
    }
    Ok(Slice { name, data: String::new(), keys })
}

/// Makes the error of something that this crate does not read.
pub(super) fn unsupported(problem: impl Into<String>) -> Error {
    Problem::Unsupported(problem.into()).into()
}
