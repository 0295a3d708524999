//! The arguments of the program, and of the page.

use std::path::{Path, PathBuf};

use clap::Parser;
use hitmask::Touch;
use hitmask::cpu::Broad;

use crate::camera::{Camera, Zoom};
use crate::controls::{Backend, Choice, Controls, REFERENCE_BODIES, Source};
use crate::document::Document;
use crate::platform;
use crate::scenes::Kind;
use crate::shot;

/// Explore exact, pixel-perfect 2D collision: see scenes as the engines do, with hits tinted, and drag bodies
#[derive(Clone, Parser)]
#[command(version, after_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(crate) struct Options {
    /// Scene to show: bullet-hell, asteroids, pinball, letters, tunnelling, cave, laser, or a scene file, which is
    /// reloaded when it changes; or a sheet to edit (Aseprite, packed JSON, PNG), or a level (Tiled, LDtk)
    #[arg(value_name = "SCENE", default_value = "bullet-hell")]
    pub(crate) source: String,
    /// Alternative to the positional SCENE
    #[arg(long, value_name = "SCENE", conflicts_with = "source")]
    pub(crate) scene: Option<String>,
    /// Number of bodies; a scene file has its own
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub(crate) bodies: Option<u32>,
    /// Engine to use (default: gpu if the device can compute, else cpu)
    #[arg(long)]
    pub(crate) backend: Option<Backend>,
    /// Highlight the pixels that two bodies share
    #[arg(long)]
    pub(crate) lit: bool,
    /// Draw the bounding boxes of bodies
    #[arg(long)]
    pub(crate) bounds: bool,
    /// Draw the pairs whose bounding boxes overlap
    #[arg(long)]
    pub(crate) candidates: bool,
    /// Hide the panel
    #[arg(long)]
    pub(crate) no_panel: bool,
    /// Size of a frame, for an image with frames in a grid
    #[arg(long, value_name = "WxH", value_parser = grid)]
    pub(crate) grid: Option<[u32; 2]>,
    /// Start paused
    #[arg(long)]
    pub(crate) paused: bool,
    /// Size of the window or picture, in pixels
    #[arg(long, value_name = "WxH", default_value = "1280x800", value_parser = size)]
    pub(crate) size: [u32; 2],
    /// World pixel in the top-left corner, and zoom: 1, 2, 3 ..., or 0.5, 0.25 ...
    #[arg(long, value_name = "X,Y,ZOOM", value_parser = view, allow_hyphen_values = true)]
    pub(crate) view: Option<Camera>,
    /// Exit after N frames; each but the first is one step, unless --paused
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) frames: Option<u64>,
    /// Render without a window; needs --frames and --screenshot
    #[arg(long, requires = "frames", requires = "screenshot")]
    pub(crate) headless: bool,
    /// Write the last frame as a PNG or, with --headless, all frames as an animated GIF
    #[arg(long, value_name = "OUT.png|.gif", requires = "frames", value_parser = picture)]
    pub(crate) screenshot: Option<PathBuf>,
    /// Write only every Kth frame of a GIF
    #[arg(long, value_name = "K", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(crate) every: u32,
    /// Write the step shown by the last frame as a scene file
    #[arg(long, value_name = "OUT.json", requires = "frames")]
    pub(crate) save_scene: Option<PathBuf>,
    /// Record the session as a replay file for `hitmask replay`, one line per step
    #[arg(long, value_name = "OUT.jsonl")]
    pub(crate) record: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  hitmask-demo                                             a window
  hitmask-demo scene.json                                  a scene file, read again when it changes
  hitmask-demo pinball --headless --frames 60 --screenshot pinball.png
  hitmask-demo asteroids --headless --frames 180 --screenshot asteroids.gif --size 480x300 --no-panel --lit
  hitmask-demo cave --record cave.jsonl                    play it, then `hitmask replay cave.jsonl`
  hitmask-demo hero.aseprite                               edit masks and boxes, saved in hero.aseprite.hitmask.json
  hitmask-demo walk.png --grid 32x48                       an image with frames in a grid
  hitmask-demo cave.tmx                                    look at a level, its bodies and its tiles

Keys are listed in the panel. Exit status: 0 closed, 1 the device reported an error, 2 it could not run.";

fn picture(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match shot::Kind::of(&path) {
        Some(_) => Ok(path),
        None => Err("a picture's name must end in .png or .gif".into()),
    }
}

fn size(text: &str) -> Result<[u32; 2], String> {
    let sides = text.split_once('x').and_then(|(w, h)| Some([w.parse().ok()?, h.parse().ok()?]));
    sides
        .filter(|sides| sides.iter().all(|side| (16..=8192).contains(side)))
        .ok_or_else(|| "two sides of 16 to 8192, such as 1280x800".into())
}

fn grid(text: &str) -> Result<[u32; 2], String> {
    let sides = text.split_once('x').and_then(|(w, h)| Some([w.parse().ok()?, h.parse().ok()?]));
    sides.filter(|sides| !sides.contains(&0)).ok_or_else(|| "a width and a height, such as 32x48".into())
}

fn view(text: &str) -> Result<Camera, String> {
    let parse = || {
        let mut parts = text.split(',');
        let pixel = [parts.next()?.parse().ok()?, parts.next()?.parse().ok()?];
        let zoom = Zoom::of(parts.next()?.parse().ok()?)?;
        parts.next().is_none().then(|| Camera::new(zoom, pixel))
    };
    parse().ok_or_else(|| {
        let zooms: Vec<String> = Zoom::ALL.iter().map(|zoom| zoom.factor().to_string()).collect();
        format!("two whole numbers and a zoom of {}, such as -20,30,4", zooms.join(", "))
    })
}

impl Options {
    /// Returns the source that the arguments name.
    pub(crate) fn source(&self) -> Source {
        let text = self.scene.as_ref().unwrap_or(&self.source);
        match <Kind as clap::ValueEnum>::from_str(text, true) {
            Ok(kind) => Source::Kind(kind),
            Err(_) => Source::File(text.into()),
        }
    }

    /// Opens the sheet or the level that the arguments name; `None` if they name a scene.
    pub(crate) fn document(&self) -> anyhow::Result<Option<Document>> {
        let document = match self.source() {
            Source::Kind(_) => None,
            Source::File(path) => Document::open(&path, self.grid)?,
        };
        let Some(mut document) = document else {
            anyhow::ensure!(self.grid.is_none(), "--grid cuts an image into frames; a scene is no image");
            return Ok(None);
        };
        for (name, is_set) in [("--record", self.record.is_some()), ("--save-scene", self.save_scene.is_some())] {
            anyhow::ensure!(!is_set, "{name} is for scenes; this is a sheet or a level");
        }
        document.play(self.frames.is_some() && !self.paused);
        Ok(Some(document))
    }

    /// Returns an error if a file to write is one of those that are read, or if two files to write are one.
    pub(crate) fn check_apart<'a>(&self, inputs: impl IntoIterator<Item = &'a Path>) -> anyhow::Result<()> {
        // A file that is not there yet has no links to follow.
        let real = |path: &Path| path.canonicalize().or_else(|_| std::path::absolute(path)).ok();
        let inputs: Vec<_> = inputs.into_iter().filter_map(real).collect();
        let mut outputs: Vec<(&str, PathBuf)> = Vec::new();
        for (option, path) in
            [("--record", &self.record), ("--save-scene", &self.save_scene), ("--screenshot", &self.screenshot)]
        {
            let Some((path, file)) = path.as_deref().and_then(|path| Some((path, real(path)?))) else { continue };
            let is_read = inputs.contains(&file);
            anyhow::ensure!(!is_read, "{}: this is an input; the output must be another file", path.display());
            if let Some((other, _)) = outputs.iter().find(|(_, other)| *other == file) {
                anyhow::bail!("{other} and {option} name the same file");
            }
            outputs.push((option, file));
        }
        Ok(())
    }

    /// Returns the initial controls, for a device that can compute or not, and that draws in software or not. Beneath a
    /// document waits the default scene.
    pub(crate) fn controls(&self, computes: bool, software: bool, is_document: bool) -> Controls {
        let source = if is_document { Source::Kind(Kind::BulletHell) } else { self.source() };
        let mut controls = Controls {
            source: source.clone(),
            bodies: 0,
            choice: Choice {
                backend: self.backend.unwrap_or(if computes && platform::WAITS { Backend::Gpu } else { Backend::Cpu }),
                broad: Broad::Auto,
            },
            touch: Touch::Excluded,
            swept: false,
            paused: self.paused,
            lit: self.lit,
            bounds: self.bounds,
            candidates: self.candidates,
            paths: false,
            panel: !self.no_panel,
        };
        controls.open(source, software);
        if controls.check().is_err() {
            controls.bodies = REFERENCE_BODIES;
        }
        if let Some(bodies) = self.bodies {
            controls.bodies = bodies as usize;
        }
        controls
    }
}
