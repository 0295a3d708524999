//! The shader files, and the modules that contain each.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use hitmask::internals::{int64_shaders, shaders};

use super::find::mutants;
use crate::mutant::Mutant;
use crate::root;

/// A file of `shaders/shared/` or `shaders/stages/`.
pub(crate) struct File {
    /// The path in `shaders/` without its ending, such as `shared/wide`.
    pub(crate) name: String,
    pub(crate) text: String,
    /// The names of the modules that contain it.
    pub(crate) modules: Vec<&'static str>,
}

impl File {
    /// Returns the path in `shaders/`.
    pub(crate) fn path(&self) -> String {
        format!("{}.wgsl", self.name)
    }

    /// Returns the mutants of the file.
    pub(crate) fn mutants(&self) -> Vec<Mutant> {
        mutants(&self.path(), &self.text)
    }

    /// Reads all files. An error names one that has changed since this program was built.
    pub(crate) fn all() -> anyhow::Result<Vec<Self>> {
        let modules: Vec<(&str, String)> = shaders().chain(int64_shaders()).collect();
        let mut files = Vec::new();
        for folder in ["shared", "stages"] {
            for path in paths(&root().join("shaders").join(folder))? {
                let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
                let stem = path.file_stem().unwrap_or_default().to_string_lossy();
                let mut within: Vec<_> =
                    modules.iter().filter(|(_, source)| source.contains(&text)).map(|(name, _)| *name).collect();
                within.dedup();
                if within.is_empty() {
                    bail!("{} has changed since this program was built", path.display());
                }
                files.push(Self { name: format!("{folder}/{stem}"), text, modules: within });
            }
        }
        Ok(files)
    }
}

/// Returns the paths of a folder's files, sorted.
fn paths(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let files = folder.read_dir().with_context(|| folder.display().to_string())?;
    let mut paths = files.map(|file| Ok(file?.path())).collect::<anyhow::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}
