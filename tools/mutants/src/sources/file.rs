//! The library's Rust files, and the mutants of each.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use syn::Item;

use super::cfg::is_elsewhere;
use super::place::{Place, places};
use crate::mutant::Mutant;
use crate::root;

/// The rooms whose functions have answers. The GPU engine's shaders have mutants of their own, and kernels of `simd`
/// run on some processors alone.
const ROOMS: [&str; 10] = ["bits", "cpu", "ground", "host", "index", "mask", "polygon", "queries.rs", "scene", "world"];

/// A file with its places.
pub(crate) struct Source {
    /// The path from the root, such as `src/world/body.rs`.
    pub(crate) file: String,
    pub(crate) text: String,
    pub(crate) places: Vec<Place>,
}

impl Source {
    /// Reads all files of the rooms, but not what is compiled only for tests or elsewhere.
    pub(crate) fn all() -> anyhow::Result<Vec<Self>> {
        let mut paths = Vec::new();
        follow(&root().join("src/lib.rs"), &root().join("src"), &mut paths)?;
        paths.sort();
        let is_room = |file: &str| {
            let room = file.strip_prefix("src/").and_then(|rest| rest.split('/').next()).unwrap_or_default();
            ROOMS.contains(&room)
        };
        let mut files = Vec::new();
        for path in paths {
            let file = path.strip_prefix(root())?.to_string_lossy().into_owned();
            if is_room(&file) {
                let text = std::fs::read_to_string(&path).with_context(|| file.clone())?;
                let places = places(&text).with_context(|| file.clone())?;
                files.push(Self { file, text, places });
            }
        }
        Ok(files)
    }

    /// Returns the mutants of all places, place by place.
    pub(crate) fn mutants(&self) -> impl Iterator<Item = Mutant> {
        let changes = self.places.iter().flat_map(|place| &place.changes);
        changes.map(|change| Mutant::new(&self.file, &self.text, change.at, &change.from, change.to.clone()))
    }
}

/// Adds the file of a module and those of the modules in it, whose folder is `folder`.
fn follow(path: &Path, folder: &Path, paths: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    let name = || path.display().to_string();
    let text = std::fs::read_to_string(path).with_context(name)?;
    let file = syn::parse_file(&text).with_context(name)?;
    paths.push(path.to_owned());
    for item in file.items {
        let Item::Mod(module) = item else { continue };
        if module.content.is_some() || is_elsewhere(&module.attrs) {
            continue;
        }
        let within = folder.join(module.ident.to_string());
        let files = [within.with_extension("rs"), within.join("mod.rs")];
        match files.iter().find(|file| file.exists()) {
            Some(file) => follow(file, &within, paths)?,
            None => bail!("{}: the module `{}` has no file", name(), module.ident),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_only_for_tests_has_no_mutants() {
        let files = Source::all().unwrap();
        let has = |name: &str| files.iter().any(|source| source.file == name);
        assert!(has("src/world/body.rs") && has("src/cpu/broad/mod.rs"));
        assert!(!has("src/host/contact/tests.rs") && !has("src/gpu/mod.rs"));
        assert!(files.iter().map(|source| source.mutants().count()).sum::<usize>() > 5_000);
    }
}
