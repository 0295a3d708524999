//! The asset, and the loader that reads a level with the files that it names.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bevy_asset::io::Reader;
use bevy_asset::{Asset, AssetLoader, AssetPath, LoadContext, ReadAssetBytesError};
use bevy_platform::collections::HashMap;
use bevy_reflect::TypePath;
use hitmask_files::{Import, Level};
use thiserror::Error;

/// A level of Tiled or a project of LDtk. The bodies of a [`LevelCollider`](crate::LevelCollider) are made anew when
/// it, or a file that it names, is loaded again.
///
/// The files that it names must lie in the folder of assets. To read a level with other options, such as another alpha
/// threshold, read it with [`Import`] and add it to `Assets` yourself.
#[derive(Asset, TypePath, Clone, Debug)]
pub struct HitLevel(pub Arc<Level>);

#[derive(Debug, Error)]
pub(super) enum LevelError {
    #[error("the file cannot be read: {0}")]
    Read(#[from] io::Error),
    #[error("it names a file that cannot be read: {0}")]
    Named(#[from] Box<ReadAssetBytesError>),
    #[error("{0}")]
    Level(#[from] hitmask_files::Error),
}

/// The files that have been fetched.
struct Files(HashMap<PathBuf, Vec<u8>>);

impl Files {
    /// Reads from the files that are there. Returns the path of one that is not, if `read` asks for it.
    fn try_read<T>(&self, read: impl FnOnce(&mut dyn FnMut(&Path) -> io::Result<Vec<u8>>) -> T) -> Result<T, PathBuf> {
        let mut missing = None;
        let result = read(&mut |path| {
            self.0.get(path).cloned().ok_or_else(|| {
                missing = Some(path.to_owned());
                io::Error::from(io::ErrorKind::NotFound)
            })
        });
        missing.map_or(Ok(result), Err)
    }

    /// Fetches a file from the source of the level.
    async fn fetch(&mut self, path: PathBuf, context: &mut LoadContext<'_>) -> Result<(), LevelError> {
        let source = context.path().source().clone_owned();
        let asset = AssetPath::from_path_buf(path.clone()).with_source(source);
        let bytes = context.read_asset_bytes(asset).await.map_err(Box::new)?;
        self.0.insert(path, bytes);
        Ok(())
    }
}

#[derive(TypePath)]
pub(super) struct LevelLoader;

impl AssetLoader for LevelLoader {
    type Asset = HitLevel;
    type Settings = ();
    type Error = LevelError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        (): &(),
        context: &mut LoadContext<'_>,
    ) -> Result<HitLevel, LevelError> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        let name = context.path().path().to_string_lossy().replace('\\', "/");
        let mut files = Files(HashMap::from([(PathBuf::from(&name), bytes)]));
        // Reading assets is asynchronous, and reading levels is not. So a level is read until it names a file that is
        // not there yet, then once more with that file. Images are fetched first, as each of these rounds would decode
        // those that are there.
        let images = loop {
            match files.try_read(|read| Import::default().level_images(&name, read)) {
                // The error comes again when the level is read.
                Ok(images) => break images.unwrap_or_default(),
                Err(missing) => files.fetch(missing, context).await?,
            }
        };
        for image in images {
            files.fetch(image, context).await?;
        }
        loop {
            match files.try_read(|read| Import::default().read_level(&name, read)) {
                Ok(level) => return Ok(HitLevel(Arc::new(level?))),
                Err(missing) => files.fetch(missing, context).await?,
            }
        }
    }

    fn extensions(&self) -> &[&str] {
        &["tmx", "tmj", "ldtk"]
    }
}
