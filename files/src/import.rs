//! The import of files: options, detection of the kind, and one function for each kind.

use std::io;
use std::path::{Path, PathBuf};

use hitmask::mask::{DEFAULT_THRESHOLD, Grid};
use serde::de::IgnoredAny;

use crate::budget::Budget;
use crate::error::{Error, Problem, Result, malformed, quoted};
use crate::folder::Inside;
use crate::kind::Kind;
use crate::level::{Files, Level};
use crate::pool::Pool;
use crate::retouch::Retouch;
use crate::sheet::Sheet;
use crate::{aseprite, atlas, disk, folder, grid, json, picture};

/// The default [`Import::limit`]: 2^28 pixels, which take 1 GiB.
pub const DEFAULT_LIMIT: u64 = 1 << 28;

/// The file and the image in errors about bytes in memory.
const NO_FILE: &str = "the file";
const NO_IMAGE: &str = "the image";

/// The options with which a file becomes a [`Sheet`] or a [`Level`].
///
/// ```
/// use hitmask_files::Import;
///
/// // Every texel that is not fully transparent is solid, and only these layers are drawn.
/// let import = Import::default().threshold(1).layers(["body", "arm"]);
/// let hero = import.open("assets/hero.aseprite")?;
/// assert!(hero.frames.iter().all(|frame| frame.mask.count() > 0));
/// # Ok::<(), hitmask_files::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Import {
    threshold: u8,
    layers: Option<Vec<String>>,
    limit: u64,
    folder: Option<PathBuf>,
    images: bool,
}

/// A sheet or a level: see [`Import::open_art`].
#[derive(Clone, Debug, PartialEq)]
pub enum Art {
    /// A sheet.
    Sheet(Sheet),
    /// A level.
    Level(Level),
}

impl Default for Import {
    fn default() -> Self {
        Self { threshold: DEFAULT_THRESHOLD, layers: None, limit: DEFAULT_LIMIT, folder: None, images: true }
    }
}

impl Import {
    /// Sets the alpha threshold of the masks: a texel is solid if its alpha is at least `threshold`, from 1 to 255. The
    /// default is [`DEFAULT_THRESHOLD`].
    #[must_use]
    pub fn threshold(self, threshold: u8) -> Self {
        Self { threshold, ..self }
    }

    /// Chooses the layers of an Aseprite file by name, instead of those that are visible in it.
    ///
    /// A layer is drawn if it has one of the names, even if it is hidden. Of a group that has one of the names, the
    /// layers are drawn that would be visible if the group were. Files without layers refuse this.
    #[must_use]
    pub fn layers<S: Into<String>>(self, names: impl IntoIterator<Item = S>) -> Self {
        Self { layers: Some(names.into_iter().map(Into::into).collect()), ..self }
    }

    /// Limits the pixels of a file: of all its frames together, and of each image that they are made of. The default is
    /// [`DEFAULT_LIMIT`]. Layers may have 64 times as many in all frames, since they overlap.
    ///
    /// The images of a level may have as many pixels together, and the masks of a layer of tiles 16 times as many. The
    /// stamps of a layer, one for each tile in a cell, may have twice as many words of masks or points of polygons.
    ///
    /// A file that claims more is refused with [`Problem::TooLarge`] before memory is allocated for it. So is a file
    /// of more than 256 MiB, 65,536 frames, or 1,048,576 boxes in all frames, and a level with files of more than 256
    /// MiB, 16,777,216 cells or 1,048,576 objects.
    #[must_use]
    pub fn limit(self, pixels: u64) -> Self {
        Self { limit: pixels, ..self }
    }

    /// Sets the folder that the files of a level or a sheet must lie in, at any depth. The default is the folder of the
    /// level or the sheet itself; set the folder of the project if levels name tilesets beside their own folder, as in
    /// "../tilesets/cave.tsx".
    #[must_use]
    pub fn folder(self, folder: impl Into<PathBuf>) -> Self {
        Self { folder: Some(folder.into()), ..self }
    }

    /// Sets whether to read the images of a level's tiles. Without them, tiles have no masks, but their shapes.
    #[must_use]
    pub fn images(self, read: bool) -> Self {
        Self { images: read, ..self }
    }

    /// Opens a sheet or a level. The content decides which it is: see [`Import::open`] and [`Import::open_level`].
    pub fn open_art(&self, path: impl AsRef<Path>) -> Result<Art> {
        self.open_art_with_files(path).map(|(art, _)| art)
    }

    /// Opens a sheet or a level as [`Import::open_art`] does, and returns it with the files that were read: the file
    /// itself, and those that it names.
    ///
    /// ```
    /// use hitmask_files::Import;
    ///
    /// let (_, files) = Import::default().open_art_with_files("assets/cave.tmx")?;
    /// assert_eq!(files, ["assets/cave.png", "assets/cave.tmx"].map(std::path::PathBuf::from));
    /// # Ok::<(), hitmask_files::Error>(())
    /// ```
    pub fn open_art_with_files(&self, path: impl AsRef<Path>) -> Result<(Art, Vec<PathBuf>)> {
        let path = path.as_ref();
        let bytes = disk::read(path)?;
        let is_level = match Kind::of(&bytes) {
            Some(kind) => kind == Kind::Level,
            None if atlas::is_json(&bytes) => {
                json::parse::<IgnoredAny>(&bytes).map_err(|error| error.of(path))?;
                let problem = "this JSON is neither a sheet, which has `frames` or `textures`, nor a map of Tiled, \
                    which has `tilewidth`, nor a project of LDtk, which has `jsonVersion`";
                return Err(malformed(problem).of(path));
            }
            None => return Err(malformed("neither an Aseprite file, nor JSON, nor XML in UTF-8").of(path)),
        };
        Ok(if is_level {
            let (level, files) = self.level_at(path)?;
            (Art::Level(level), files)
        } else {
            let (sheet, files) = self.sheet_at(path)?;
            (Art::Sheet(sheet), files)
        })
    }

    /// Opens a level: a map of Tiled (`.tmx`, `.tmj`) or a project of LDtk (`.ldtk`). The content decides which it is.
    ///
    /// Tilesets, templates, external levels and images are read from the files that the level names, which must lie in
    /// [`Import::folder`], or it is refused as [`Problem::Outside`].
    pub fn open_level(&self, path: impl AsRef<Path>) -> Result<Level> {
        self.level_at(path.as_ref()).map(|(level, _)| level)
    }

    fn level_at(&self, path: &Path) -> Result<(Level, Vec<PathBuf>)> {
        let read = || {
            let (folder, file) = match &self.folder {
                None => {
                    let name = path.file_name().unwrap_or_default().to_string_lossy();
                    (path.parent().unwrap_or(Path::new("")), Inside::new(&name)?)
                }
                Some(folder) => (&**folder, Inside::of(path, folder)?),
            };
            let mut files = Files::on_disk(folder.to_owned(), self.budget(), self.images);
            Ok((self.level(&file, &mut files)?, files.into_paths()))
        };
        read().map_err(|error: Error| error.of(path))
    }

    /// Reads a level as [`Import::open_level`] does, with its files from memory or an archive. `read` returns the
    /// content of a file for its path, such as "maps/cave.tmx", which never begins with `/` nor has `.` or `..` in it.
    ///
    /// ```
    /// use hitmask_files::Import;
    ///
    /// let map = r#"<map orientation="orthogonal" width="1" height="1" tilewidth="16" tileheight="16">
    ///   <tileset firstgid="1" tilewidth="16" tileheight="16"><image source="a.png" width="16" height="16"/></tileset>
    ///   <layer name="ground" width="1" height="1"><data encoding="csv">1</data></layer>
    /// </map>"#;
    /// let level = Import::default().images(false).read_level("a.tmx", |_| Ok(map.into()))?;
    /// assert_eq!(level.layers[0].cells().unwrap().len(), 1);
    /// # Ok::<(), hitmask_files::Error>(())
    /// ```
    pub fn read_level(&self, path: &str, mut read: impl FnMut(&Path) -> io::Result<Vec<u8>>) -> Result<Level> {
        let mut files = Files::in_memory(&mut read, self.budget(), self.images);
        let level = Inside::new(path).and_then(|file| self.level(&file, &mut files));
        level.map_err(|error| error.of(Path::new(path)))
    }

    /// Returns the paths of the images of a level's tiles, sorted and each once, so that a program that fetches files
    /// in the background can have all of them before [`Import::read_level`] decodes the first. `read` is as there; it
    /// is called for files of text only.
    ///
    /// Returns an error if the text of the level cannot be read, or if it does not give the size of an image of one
    /// tile.
    ///
    /// ```
    /// use std::path::PathBuf;
    ///
    /// use hitmask_files::Import;
    ///
    /// let map = r#"<map orientation="orthogonal" width="1" height="1" tilewidth="16" tileheight="16">
    ///   <tileset firstgid="1" tilewidth="16" tileheight="16"><image source="../art/a.png"/></tileset>
    /// </map>"#;
    /// let images = Import::default().level_images("maps/a.tmx", |_| Ok(map.into()))?;
    /// assert_eq!(images, [PathBuf::from("art/a.png")]);
    /// # Ok::<(), hitmask_files::Error>(())
    /// ```
    pub fn level_images(&self, path: &str, mut read: impl FnMut(&Path) -> io::Result<Vec<u8>>) -> Result<Vec<PathBuf>> {
        let mut files = Files::in_memory(&mut read, self.budget(), false);
        let level = Inside::new(path).and_then(|file| self.level(&file, &mut files));
        level.map(|_| files.into_named()).map_err(|error| error.of(Path::new(path)))
    }

    /// Opens an Aseprite file, the JSON of a packed sheet, or a [`Retouch`] with the sheet that it names. The content
    /// decides which it is.
    ///
    /// An image alone does not say where its frames are, and is refused: see [`Import::open_grid`].
    pub fn open(&self, path: impl AsRef<Path>) -> Result<Sheet> {
        self.sheet_at(path.as_ref()).map(|(sheet, _)| sheet)
    }

    pub(crate) fn sheet_at(&self, path: &Path) -> Result<(Sheet, Vec<PathBuf>)> {
        let bytes = disk::read(path)?;
        let sheet = match Kind::of(&bytes) {
            Some(Kind::Aseprite) => self.aseprite(&bytes).map(|sheet| (sheet, vec![path.to_owned()])),
            Some(Kind::Retouch) => self.retouch_at(path, &bytes).and_then(|(mut sheet, retouch, files)| {
                retouch.apply(&mut sheet)?;
                Ok((sheet, files))
            }),
            _ if atlas::is_json(&bytes) => self.packed_at(path, &bytes),
            Some(Kind::Image) => Err(malformed("an image does not say where its frames are; it needs a grid")),
            _ => Err(malformed("neither an Aseprite file nor JSON")),
        };
        sheet.map_err(|error| error.of(path))
    }

    /// Opens an Aseprite file: `.aseprite` or `.ase`.
    ///
    /// Each frame is drawn as Aseprite shows it: the layers that are visible in the file or chosen by
    /// [`Import::layers`], with their blend modes and opacities, in the order of their z-indices. Layers of a hidden
    /// group are hidden; reference layers are never drawn. The images have the colours that the screen shows, in
    /// indexed and greyscale files too. Pixels of another ratio than 1:1 are not stretched.
    pub fn open_aseprite(&self, path: impl AsRef<Path>) -> Result<Sheet> {
        let path = path.as_ref();
        self.aseprite(&disk::read(path)?).map_err(|error| error.of(path))
    }

    /// Opens the JSON that Aseprite or TexturePacker writes beside an image, as a hash or as an array.
    ///
    /// Frames are untrimmed and turned upright. Aseprite's tags and slices are read if the file has them. Polygons
    /// (TexturePacker's `vertices`) and sheets of several images are refused as [`Problem::Unsupported`]. The image
    /// must lie in [`Import::folder`], or it is refused as [`Problem::Outside`].
    pub fn open_packed(&self, path: impl AsRef<Path>) -> Result<Sheet> {
        let path = path.as_ref();
        let json = disk::read(path)?;
        self.packed_at(path, &json).map(|(sheet, _)| sheet).map_err(|error| error.of(path))
    }

    /// Opens a [`Retouch`] and the artist's sheet that it names, to which the changes are not yet made:
    /// [`Retouch::apply`] does so, and [`Import::open`] does both.
    ///
    /// The threshold is that of the retouch, not [`Import::threshold`]. The artist's file must lie in
    /// [`Import::folder`], or it is refused as [`Problem::Outside`].
    pub fn open_retouch(&self, path: impl AsRef<Path>) -> Result<(Sheet, Retouch)> {
        let path = path.as_ref();
        let read = |json: Vec<u8>| self.retouch_at(path, &json);
        let opened = disk::read(path).and_then(read).map_err(|error| error.of(path));
        opened.map(|(sheet, retouch, _)| (sheet, retouch))
    }

    /// Opens an image as the only frame of a sheet.
    pub fn open_image(&self, path: impl AsRef<Path>) -> Result<Sheet> {
        let path = path.as_ref();
        self.frames(&disk::read(path)?, None).map_err(|error| error.of(path))
    }

    /// Reads the bytes of an image as the only frame of a sheet, as [`Import::open_image`] does from a file on disk.
    pub fn read_image(&self, image: &[u8]) -> Result<Sheet> {
        self.frames(image, None).map_err(|error| error.of(Path::new(NO_IMAGE)))
    }

    /// Opens an image with frames in a grid. Returns [`Problem::Mask`] if the grid does not divide the image: see
    /// [`Grid::allow_remainder`].
    ///
    /// ```
    /// use hitmask::mask::Grid;
    /// use hitmask_files::Import;
    ///
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("walk.png");
    /// # hitmask::Mask::new(34, 16).unwrap().to_image([255; 4], [0; 4]).save(&path).unwrap();
    /// let walk = Import::default().open_grid(&path, Grid::new([16, 16]).spacing(2))?; // 34 x 16 pixels
    /// assert_eq!(walk.frames.len(), 2);
    /// # Ok::<(), hitmask_files::Error>(())
    /// ```
    pub fn open_grid(&self, path: impl AsRef<Path>, grid: Grid) -> Result<Sheet> {
        let path = path.as_ref();
        self.frames(&disk::read(path)?, Some(grid)).map_err(|error| error.of(path))
    }

    /// Reads the bytes of an Aseprite file, such as one embedded in the program, as [`Import::open_aseprite`] does from
    /// a file on disk. Errors say "the file" in place of a path.
    ///
    /// ```
    /// use hitmask_files::Import;
    ///
    /// let hero = Import::default().read_aseprite(include_bytes!("../assets/hero.aseprite"))?;
    /// assert_eq!(hero.frames.len(), 6);
    /// # Ok::<(), hitmask_files::Error>(())
    /// ```
    pub fn read_aseprite(&self, file: &[u8]) -> Result<Sheet> {
        self.aseprite(file).map_err(|error| error.of(Path::new(NO_FILE)))
    }

    /// Reads the text of a JSON file and the bytes of its image, as [`Import::open_packed`] does from files on disk.
    /// The name of the image in the JSON is ignored.
    pub fn read_packed(&self, json: &[u8], image: &[u8]) -> Result<Sheet> {
        let read = || {
            let packed = self.packed(json)?;
            packed.sheet(&self.picture(image, Path::new(NO_IMAGE))?, self.pool()?, self.budget())
        };
        read().map_err(|error| error.of(Path::new(NO_FILE)))
    }

    /// Reads the bytes of an image with frames in a grid, as [`Import::open_grid`] does from a file on disk.
    pub fn read_grid(&self, image: &[u8], grid: Grid) -> Result<Sheet> {
        self.frames(image, Some(grid)).map_err(|error| error.of(Path::new(NO_IMAGE)))
    }

    fn level(&self, file: &Inside, files: &mut Files<'_>) -> Result<Level> {
        self.pool()?;
        let level = Level::read(file, files)?;
        Ok(Level { threshold: self.threshold, budget: self.budget(), ..level })
    }

    fn aseprite(&self, file: &[u8]) -> Result<Sheet> {
        aseprite::sheet(file, self.layers.as_deref(), self.pool()?, self.budget())
    }

    fn packed_at(&self, path: &Path, json: &[u8]) -> Result<(Sheet, Vec<PathBuf>)> {
        let packed = self.packed(json)?;
        let image = folder::file_beside(path, packed.image()?, self.folder.as_deref())?;
        let sheet = packed.sheet(&self.picture(&disk::read(&image)?, &image)?, self.pool()?, self.budget())?;
        Ok((sheet, vec![path.to_owned(), image]))
    }

    fn packed(&self, json: &[u8]) -> Result<atlas::Packed> {
        self.refuse_layers()?;
        atlas::Packed::parse(json)
    }

    fn picture(&self, bytes: &[u8], name: &Path) -> Result<image::RgbaImage> {
        picture::decode(bytes, self.budget()).map_err(|error| error.of(name))
    }

    /// Cuts an image into the frames of a grid; without one, it is one frame.
    fn frames(&self, image: &[u8], grid: Option<Grid>) -> Result<Sheet> {
        self.refuse_layers()?;
        let pool = self.pool()?;
        let image = picture::decode(image, self.budget())?;
        let grid = grid.unwrap_or_else(|| Grid::new(image.dimensions().into()));
        grid::sheet(&image, grid, pool)
    }

    /// Reads a retouch and the sheet that it names.
    fn retouch_at(&self, path: &Path, json: &[u8]) -> Result<(Sheet, Retouch, Vec<PathBuf>)> {
        let retouch = Retouch::parse(json)?;
        let named = folder::file_beside(path, &retouch.sheet, self.folder.as_deref())?;
        let import = self.clone().threshold(retouch.threshold);
        let bytes = disk::read(&named)?;
        let kind = Kind::of(&bytes);
        let (sheet, mut files) = match kind {
            Some(Kind::Retouch) => {
                let problem = "it changes another file; `sheet` must name the artist's";
                return Err(Error::from(Problem::Unsupported(problem.into())).of(&named));
            }
            Some(Kind::Image) => {
                let sheet = import.frames(&bytes, retouch.grid.map(Grid::from));
                (sheet.map_err(|error| error.of(&named))?, vec![named])
            }
            _ if retouch.grid.is_some() => {
                let problem = format!("{} is no image; only an image has a grid", quoted(&retouch.sheet));
                return Err(malformed(problem).at("grid"));
            }
            _ => import.sheet_at(&named)?,
        };
        files.push(path.to_owned());
        Ok((sheet, retouch, files))
    }

    fn pool(&self) -> Result<Pool> {
        Pool::new(self.threshold)
    }

    fn budget(&self) -> Budget {
        Budget::new(self.limit)
    }

    fn refuse_layers(&self) -> Result<()> {
        match self.layers {
            Some(_) => Err(Error::from(Problem::Unsupported(
                "layers were chosen, but only Aseprite's own files have any".into(),
            ))),
            None => Ok(()),
        }
    }
}
