//! The inputs of a benchmark: a standard workload of some size, or a scene file.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use hitmask::scene::Scene;
use hitmask_workbench::workloads::{Crowd, Workload};

use super::size::{Size, short};
use super::{machine, units};

/// The minimum memory per body of a workload, in bytes, including the engine's and the answer's (measured).
const BYTES_EACH: u64 = 300;

/// A workload or a scene.
pub(super) enum Input {
    /// A standard workload, at any size.
    Workload(Workload),
    /// A scene file, at its own size, and the other files that it was read from.
    Scene(PathBuf, Box<Scene>, Vec<PathBuf>),
}

impl Input {
    /// Opens the workload with this name, or the scene file at this path.
    pub(super) fn open(argument: &OsStr) -> anyhow::Result<Self> {
        let path = Path::new(argument);
        match argument.to_str().and_then(|text| text.parse().ok()) {
            Some(workload) => Ok(Self::Workload(workload)),
            None if path.exists() => {
                let (scene, files) = hitmask_files::scene::open(path)?;
                Ok(Self::Scene(path.into(), Box::new(scene), files))
            }
            None => {
                let names = Workload::ALL.map(Workload::name).join(", ");
                anyhow::bail!("`{}` is neither a scene file nor a workload; the workloads are {names}", path.display())
            }
        }
    }

    /// Returns the argument of which [`Input::open`] makes the same.
    pub(super) fn argument(&self) -> OsString {
        match self {
            Self::Workload(workload) => workload.name().into(),
            Self::Scene(path, ..) => path.into(),
        }
    }

    /// Returns the workload's name, or the file's path as it was given.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Workload(workload) => workload.name().into(),
            Self::Scene(path, ..) => path.display().to_string(),
        }
    }

    /// Returns the files that it was read from.
    pub(super) fn files(&self) -> Vec<PathBuf> {
        match self {
            Self::Workload(_) => Vec::new(),
            Self::Scene(_, scene, files) => scene.files().chain(files.iter().cloned()).collect(),
        }
    }

    /// Returns the sizes at which to measure it, out of the requested ones. Returns an error if one is too large.
    pub(super) fn sizes(&self, asked: &[Size]) -> anyhow::Result<Vec<u32>> {
        let workload = match self {
            Self::Workload(workload) => workload,
            Self::Scene(_, scene, _) => return Ok(vec![scene.bodies.len() as u32]),
        };
        if let Some(Size(size)) = asked.iter().find(|size| size.0 > workload.most()) {
            let [size, most] = [*size, workload.most()].map(|size| short(size.into()));
            anyhow::bail!("--sizes {size} is too large for the workload {workload}, which has at most {most} bodies");
        }
        // A system that overcommits memory would kill this program midway, without a message.
        if let (Some(free), Some(Size(most))) = (machine::free_memory(), asked.iter().max_by_key(|size| size.0)) {
            let [needed, free] = [u64::from(*most) * BYTES_EACH, free].map(|bytes| bytes as f64);
            if needed > free {
                let [needed, free] = [needed, free].map(units::number);
                let most = short((*most).into());
                anyhow::bail!(
                    "--sizes {most} of the workload {workload} needs about {needed}B of memory, but {free}B is free"
                );
            }
        }
        Ok(asked.iter().map(|size| size.0).collect())
    }

    /// Builds the world of `n` bodies, which also move within the step if `moving`.
    pub(super) fn crowd(&self, n: u32, moving: bool) -> hitmask::Result<Crowd> {
        let crowd = match self {
            Self::Workload(workload) => workload.crowd(n),
            Self::Scene(_, scene, _) => scene.world().map(Crowd::of),
        }?;
        Ok(if moving { crowd.moving() } else { crowd })
    }

    /// Returns the workload, if this is one.
    pub(super) fn workload(&self) -> Option<Workload> {
        match self {
            Self::Workload(workload) => Some(*workload),
            Self::Scene(..) => None,
        }
    }
}
