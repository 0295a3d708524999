//! `hitmask render`: a scene and its hits as a picture.
//!
//! ```text
//! Scene, World, Hits ──> Figure (pixels, outlines, ways) ──> Drawing ──> Surface ──┬─> PNG
//!                        View (which part, how large)         Legend               └─> SVG
//! ```

mod drawing;
mod figure;
mod font;
mod ink;
mod legend;
mod png;
mod svg;
mod texture;
mod view;

use std::path::{Path, PathBuf};

use clap::{ArgAction, Args};
use hitmask::scene::Scene;
use hitmask::{Ask, Hits, World};

use crate::engines::{Choice, Work};
use crate::save;
use drawing::Drawing;
use view::{Region, View};

pub(crate) const EXAMPLES: &str = "\
Examples:
  hitmask render scene.json -o scene.png
  hitmask render scene.json -o scene.svg --zoom 4
  hitmask render scene.json -o corner.png --region 120,40,32,24 --zoom 24 --no-legend

Bodies that hit have warm colours, others cool ones. Sprites are drawn as the pixels that they paint, other bodies as \
outlines. Pixels that both bodies of a pair share are bright; they are those of `hitmask check --details`, seen from \
the body that stands still: the second of the pair, or for a sprite and another shape, the other shape. A moving body \
is drawn where it starts, with a ghost where its first hit is, or where it ends. From a zoom of 8 on, lines separate \
the pixels.

Exit status: 0 drawn, 2 an error, which leaves OUT as it was.";

#[derive(Args)]
pub(crate) struct Options {
    /// The scene file to draw
    scene: PathBuf,
    /// Output file, ending in .png or .svg
    #[arg(short, long)]
    out: PathBuf,
    /// Picture pixels per world pixel (default: the largest up to 16 at which the picture fits into 1000x800)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256))]
    zoom: Option<u32>,
    /// Part of the world to draw, in world pixels from its top-left corner (default: all that bodies reach)
    #[arg(long, value_name = "X,Y,WIDTH,HEIGHT", allow_hyphen_values = true)]
    region: Option<Region>,
    /// Draw a legend with colours, counts and the engine below the picture (the default)
    #[arg(long, overrides_with = "no_legend")]
    legend: bool,
    /// Omit the legend
    #[arg(long, action = ArgAction::SetTrue)]
    no_legend: bool,
    #[command(flatten)]
    engine: Choice,
}

/// The format of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Png,
    Svg,
}

impl Format {
    /// Chooses the format by a file's extension.
    fn of(path: &Path) -> anyhow::Result<Self> {
        let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
        match extension.as_deref() {
            Some("png") => Ok(Self::Png),
            Some("svg") => Ok(Self::Svg),
            Some(other) => {
                anyhow::bail!("{}: unknown ending `.{other}`; it must be .png or .svg", path.display())
            }
            None => anyhow::bail!("{}: the name must end in .png or .svg", path.display()),
        }
    }
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let format = Format::of(&options.out)?;
    let (scene, files) = hitmask_files::scene::open(&options.scene)?;
    save::check_apart(&options.out, scene.files().chain(files))?;
    let world = scene.world()?;
    let view = View::new(&world, options.region, options.zoom)?;
    let mut engine = options.engine.open(Work::Step)?;
    let hits = engine.run(&world, Ask::Details)?;
    let mut drawing = Drawing::new(&options.scene, &scene, &world, &hits, view)?;
    if !options.no_legend {
        drawing.explain(&world, &hits, &engine);
    }
    write(&drawing, format, &options.out)
}

/// Draws the bodies of a world that is made of files, the first of which it is named by, without hits and legend.
pub(crate) fn world(world: &World, file: &Path, out: &Path, zoom: Option<u32>) -> anyhow::Result<()> {
    let format = Format::of(out)?;
    let scene = Scene::of_world(world);
    let view = View::new(world, None, zoom)?;
    write(&Drawing::new(file, &scene, world, &Hits::default(), view)?, format, out)
}

fn write(drawing: &Drawing, format: Format, out: &Path) -> anyhow::Result<()> {
    let picture = match format {
        Format::Png => png::picture(drawing)?,
        Format::Svg => svg::picture(drawing).into_bytes(),
    };
    save::whole(out, &picture)
}
