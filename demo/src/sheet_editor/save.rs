//! The file of the changes: where it is, and what it had when it was read or written last.

use std::path::{Path, PathBuf};

use anyhow::Context;
use hitmask_files::{FrameGrid, Import, Kind, Retouch, Sheet};

use crate::platform;

/// The end of the names of files with changes. It follows the whole name of the artist's file.
const END: &str = ".hitmask.json";

/// The largest number of a copy.
const MOST: u32 = 10_000;

/// The file that is saved. It is never the artist's.
pub(crate) struct SaveFile {
    path: PathBuf,
    /// Its content as it was read or written last; `None` if there was no file, or another one.
    known: Option<Vec<u8>>,
}

/// A sheet that was opened, with the changes to it and their file.
pub(crate) struct Opened {
    pub(crate) art: Sheet,
    pub(crate) retouch: Retouch,
    pub(crate) file: SaveFile,
    /// The reason why the file with changes was not used, if there is one.
    pub(crate) unused: Option<anyhow::Error>,
}

/// Opens a sheet or a file with changes to one. Changes beside the artist's file are opened with it.
pub(crate) fn open(path: &Path, grid: Option<FrameGrid>) -> anyhow::Result<Opened> {
    let import = Import::default();
    let content = platform::content(path)?;
    if Kind::of(&content) == Some(Kind::Retouch) {
        let (art, retouch) = changes(path, &import)?;
        let file = SaveFile { path: path.to_owned(), known: Some(content) };
        return Ok(Opened { art, retouch, file, unused: None });
    }
    let name = path.file_name().with_context(|| format!("{}: not the name of a file", path.display()))?;
    let name = name.to_str().with_context(|| format!("{}: the name is not UTF-8", path.display()))?;
    let target = path.with_file_name(format!("{name}{END}"));
    let mut unused = None;
    if let Ok(content) = platform::content(&target) {
        match beside(name, &content, grid).and_then(|()| changes(&target, &import)) {
            Ok((art, retouch)) => {
                let file = SaveFile { path: target, known: Some(content) };
                return Ok(Opened { art, retouch, file, unused: None });
            }
            Err(error) => unused = Some(error.context(format!("{} was not used", target.display()))),
        }
    }
    let art = platform::sheet(path, &import, grid)?;
    let mut retouch = Retouch::new(name);
    retouch.grid = grid;
    Ok(Opened { art, retouch, file: SaveFile { path: target, known: None }, unused })
}

/// Checks that a file has changes to the artist's file of a name, cut by the grid if there is one.
fn beside(name: &str, content: &[u8], grid: Option<FrameGrid>) -> anyhow::Result<()> {
    let retouch = Retouch::parse(content)?;
    anyhow::ensure!(retouch.sheet == name, "it changes {:?}", retouch.sheet);
    anyhow::ensure!(grid.is_none() || retouch.grid == grid, "its frames lie in another grid");
    Ok(())
}

/// Opens a file with changes, which must fit the artist's sheet.
fn changes(path: &Path, import: &Import) -> anyhow::Result<(Sheet, Retouch)> {
    let (art, retouch) = platform::retouch(path, import)?;
    retouch.apply(&mut art.clone()).with_context(|| path.display().to_string())?;
    Ok((art, retouch))
}

impl SaveFile {
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the changes. Returns an error if the file is not what it was when it was read or written last.
    pub(crate) fn save(&mut self, retouch: &Retouch) -> anyhow::Result<()> {
        let bytes = retouch.to_json()?.into_bytes();
        platform::replace(&self.path, self.known.as_deref(), &bytes)?;
        self.known = Some(bytes);
        Ok(())
    }

    /// Writes the changes to a new file beside this one, which is the file that is saved from then on.
    pub(crate) fn save_copy(&mut self, retouch: &Retouch) -> anyhow::Result<()> {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        let start = name.strip_suffix(END).unwrap_or(&name);
        // A copy of a copy has the next number. The number of the artist's own file is a part of its name.
        let numbered = start.rsplit_once('.').filter(|_| start != retouch.sheet);
        let numbered = numbered.and_then(|(start, number)| Some((start, number.parse::<u32>().ok()?)));
        let (start, number) = numbered.filter(|(_, number)| (2..MOST).contains(number)).unwrap_or((start, 1));
        let path = |n: u32| self.path.with_file_name(format!("{start}.{n}{END}"));
        let free = (number + 1..=MOST).map(path).find(|path| platform::content(path).is_err() && !path.exists());
        let mut copy = Self {
            path: free.with_context(|| format!("the copies have the numbers up to {MOST} already"))?,
            known: None,
        };
        copy.save(retouch)?;
        *self = copy;
        Ok(())
    }
}
