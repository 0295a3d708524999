//! The files that a level names: read within a folder, each once, and within a limit of bytes.

use std::collections::{BTreeSet, HashMap};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hitmask::mask::DEFAULT_THRESHOLD;
use image::{Rgba, RgbaImage};

use crate::budget::{self, Budget};
use crate::error::{Error, Problem, Result};
use crate::folder::{Inside, LINK, outside, real, real_folder};
use crate::pool::Pool;
use crate::{aseprite, disk, json, picture};

/// The largest number of bytes of all files together: 256 MiB.
const MAX_BYTES: u64 = 1 << 28;

/// The place of files: a folder on disk, or what a caller returns for their paths.
enum Source<'a> {
    Disk(PathBuf),
    Memory(&'a mut dyn FnMut(&Path) -> io::Result<Vec<u8>>),
}

/// The files of a level.
pub(crate) struct Files<'a> {
    source: Source<'a>,
    budget: Budget,
    reads_images: bool,
    /// The files on disk that were read so far.
    paths: BTreeSet<PathBuf>,
    /// The bytes read so far.
    bytes: u64,
    /// The pixels of images so far.
    pixels: u64,
    images: HashMap<(Inside, Option<[u8; 3]>), Arc<RgbaImage>>,
    /// The images that are named but not read, by their paths from the folder.
    named: BTreeSet<PathBuf>,
}

impl<'a> Files<'a> {
    /// Makes the files of a folder on disk.
    pub(crate) fn on_disk(folder: PathBuf, budget: Budget, reads_images: bool) -> Self {
        Self::new(Source::Disk(folder), budget, reads_images)
    }

    /// Makes the files that a caller returns.
    pub(crate) fn in_memory(
        read: &'a mut dyn FnMut(&Path) -> io::Result<Vec<u8>>,
        budget: Budget,
        reads_images: bool,
    ) -> Self {
        Self::new(Source::Memory(read), budget, reads_images)
    }

    fn new(source: Source<'a>, budget: Budget, reads_images: bool) -> Self {
        Self {
            source,
            budget,
            reads_images,
            paths: BTreeSet::new(),
            bytes: 0,
            pixels: 0,
            images: HashMap::new(),
            named: BTreeSet::new(),
        }
    }

    /// Returns the images that were named but not read, each once, sorted.
    pub(crate) fn into_named(self) -> Vec<PathBuf> {
        self.named.into_iter().collect()
    }

    /// Returns the files on disk that were read.
    pub(crate) fn into_paths(self) -> Vec<PathBuf> {
        self.paths.into_iter().collect()
    }

    /// Reads a file.
    pub(super) fn read(&mut self, path: &Inside) -> Result<Vec<u8>> {
        let bytes = match &mut self.source {
            Source::Disk(folder) => {
                let file = path.within(folder);
                if !real(&file)?.starts_with(real_folder(folder)?) {
                    return Err(outside(&path.within(Path::new("")).to_string_lossy(), LINK));
                }
                let bytes = disk::read(&file)?;
                self.paths.insert(file);
                bytes
            }
            Source::Memory(read) => {
                let path = path.within(Path::new(""));
                read(&path).map_err(|error| Error::from(Problem::Unreadable(error.to_string())).of(&path))?
            }
        };
        self.bytes += bytes.len() as u64;
        let checked = budget::at_most("bytes in all files of the level", MAX_BYTES, self.bytes);
        checked.map_err(|error| self.of(error, path))?;
        Ok(bytes)
    }

    /// Reads a text of XML or JSON.
    pub(super) fn text(&mut self, path: &Inside) -> Result<String> {
        let bytes = self.read(path)?;
        let checked = budget::at_most("bytes of text", json::MAX_TEXT, bytes.len() as u64);
        checked.map_err(|error| self.of(error, path))?;
        let text = String::from_utf8(bytes).map_err(|_| crate::error::malformed("the text is not UTF-8"));
        text.map(|text| text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text)).map_err(|e| self.of(e, path))
    }

    /// Reads an image, in which the pixels of a colour are transparent. Returns `None` if images are not read.
    pub(super) fn image(&mut self, path: &Inside, key: Option<[u8; 3]>) -> Result<Option<Arc<RgbaImage>>> {
        if !self.reads_images {
            self.named.insert(path.within(Path::new("")));
            return Ok(None);
        }
        let name = (path.clone(), key);
        if let Some(image) = self.images.get(&name) {
            return Ok(Some(image.clone()));
        }
        let bytes = self.read(path)?;
        let mut image = self.decode(&bytes).map_err(|error| self.of(error, path))?;
        self.pixels += image.pixels().len() as u64;
        self.budget.images(self.pixels).map_err(|error| self.of(error, path))?;
        if let Some(key) = key {
            for Rgba(pixel) in image.pixels_mut().filter(|pixel| pixel.0[..3] == key) {
                pixel[3] = 0;
            }
        }
        let image = Arc::new(image);
        self.images.insert(name, image.clone());
        Ok(Some(image))
    }

    /// Decodes an image: of an Aseprite file, which LDtk takes for an image, the first frame.
    fn decode(&self, bytes: &[u8]) -> Result<RgbaImage> {
        if !aseprite::is_aseprite(bytes) {
            return picture::decode(bytes, self.budget);
        }
        let sheet = aseprite::sheet(bytes, None, Pool::new(DEFAULT_THRESHOLD)?, self.budget)?;
        Ok(sheet.frames.first().map(|frame| (*frame.image).clone()).unwrap_or_default())
    }

    /// Names the file in which an error arose.
    pub(super) fn of(&self, error: Error, path: &Inside) -> Error {
        match &self.source {
            Source::Disk(folder) => error.of(&path.within(folder)),
            Source::Memory(_) => error.of(&path.within(Path::new(""))),
        }
    }
}
