//! The file of a picture: whole, or as it was.

use std::fs;
use std::path::Path;

/// A picture's format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Png,
    Svg,
}

impl Format {
    /// The format that a file's name asks for.
    pub(super) fn of(path: &Path) -> anyhow::Result<Self> {
        let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
        match extension.as_deref() {
            Some("png") => Ok(Self::Png),
            Some("svg") => Ok(Self::Svg),
            Some(other) => {
                anyhow::bail!("{}: `.{other}` is no picture's ending; it must be .png or .svg", path.display())
            }
            None => anyhow::bail!("{}: the name must end in .png or .svg", path.display()),
        }
    }
}

/// Writes a file beside `path`, then gives it that name, so that nothing half-written ever has it.
pub(super) fn whole(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    let part = path.with_file_name(name);
    fs::write(&part, bytes).and_then(|()| fs::rename(&part, path)).map_err(|error| {
        // It may not be there at all.
        let _ = fs::remove_file(&part);
        anyhow::anyhow!("{}: {error}", path.display())
    })
}
