//! `hitmask inspect`: what a sheet or a level has, as text, as JSON and as a picture.

mod json;
mod level;
mod sheet;

use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use hitmask::World;
use hitmask::internals::printable;
use hitmask::mask::{DEFAULT_THRESHOLD, Grid};
use hitmask_files::terrain::{Merge, Source};
use hitmask_files::{Art, Import};
use serde::Serialize;

use crate::{Format, Output, render, save};

pub(crate) const EXAMPLES: &str = "\
Examples:
  hitmask inspect hero.aseprite                                 list frames, tags and boxes
  hitmask inspect hero.aseprite -o hero.png --zoom 8            draw the masks of all frames, and their boxes
  hitmask inspect walk.png --grid 32x48                         an image with frames in a grid
  hitmask inspect cave.tmx --solid pixels --merge masks -o cave.png
  hitmask inspect world.ldtk --folder ..                        a level that names files beside its own folder
  hitmask inspect hero.aseprite --format json | jq '.tags[].name'

Reads the files of Aseprite, TexturePacker's JSON, Tiled's maps and LDtk's projects. In the picture of a sheet, frames \
follow each other in rows. In the picture of a level are the bodies that its visible layers of tiles become.

Exit status: 0 listed, 2 an error, which leaves OUT as it was.";

#[derive(Args)]
pub(crate) struct Options {
    /// The sheet or level
    file: PathBuf,
    /// Draw it to a file that ends in .png or .svg
    #[arg(short, long)]
    out: Option<PathBuf>,
    /// Picture pixels per pixel (default: the largest up to 16 at which the picture fits into 1000x800)
    #[arg(long, value_name = "N", requires = "out", value_parser = clap::value_parser!(u32).range(1..=256))]
    zoom: Option<u32>,
    /// Alpha from which a pixel is solid
    #[arg(long, value_name = "ALPHA", default_value_t = DEFAULT_THRESHOLD)]
    #[arg(value_parser = clap::value_parser!(u8).range(1..))]
    threshold: u8,
    /// Size of a frame, for an image with frames in a grid
    #[arg(long, value_name = "WIDTHxHEIGHT", value_parser = size)]
    grid: Option<[u32; 2]>,
    /// Ignore the pixels beyond the last whole frame of the grid
    #[arg(long, requires = "grid")]
    allow_remainder: bool,
    /// Folder that the files of a sheet or a level must lie in (default: its own folder)
    #[arg(long)]
    folder: Option<PathBuf>,
    /// Part of a level's tiles that is solid (default: shapes)
    #[arg(long, value_enum)]
    solid: Option<Solid>,
    /// Bodies that a level's tiles become (default: polygons)
    #[arg(long, value_enum)]
    merge: Option<Merged>,
    /// Output format; JSON also has the tile of each cell and the values of properties
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// The part of a tile that is solid.
#[derive(Clone, Copy, ValueEnum)]
enum Solid {
    /// Collision shapes
    Shapes,
    /// Pixels by their alpha
    Pixels,
    /// The whole tile
    Boxes,
}

/// The bodies that tiles become.
#[derive(Clone, Copy, ValueEnum)]
enum Merged {
    /// Masks of up to 8192 x 8192 pixels
    Masks,
    /// A polygon for each island of tiles
    Polygons,
    /// A body for each shape of each tile
    None,
}

impl From<Solid> for Source {
    fn from(solid: Solid) -> Self {
        match solid {
            Solid::Shapes => Self::Shapes,
            Solid::Pixels => Self::Pixels,
            Solid::Boxes => Self::Boxes,
        }
    }
}

impl From<Merged> for Merge {
    fn from(merged: Merged) -> Self {
        match merged {
            Merged::Masks => Self::Masks,
            Merged::Polygons => Self::Polygons,
            Merged::None => Self::None,
        }
    }
}

/// Reads a size: `32x48`.
fn size(text: &str) -> Result<[u32; 2], String> {
    let (width, height) = text.split_once('x').ok_or("it must be a width and a height, as in 32x48")?;
    let side = |side: &str| side.parse().ok().filter(|side| *side > 0).ok_or(format!("`{side}` is no size"));
    Ok([side(width)?, side(height)?])
}

pub(crate) fn run(options: &Options) -> anyhow::Result<Output> {
    let mut import = Import::default().threshold(options.threshold);
    if let Some(folder) = &options.folder {
        import = import.folder(folder);
    }
    let (art, files) = match options.grid {
        Some(size) => {
            let grid = Grid::new(size);
            let grid = if options.allow_remainder { grid.allow_remainder() } else { grid };
            let opened = import.open_grid(&options.file, grid);
            (Art::Sheet(opened?), vec![options.file.clone()])
        }
        None => import.open_art_with_files(&options.file)?,
    };
    let mut world = World::default();
    let output = match art {
        Art::Sheet(sheet) => {
            for (name, is_set) in [("--solid", options.solid.is_some()), ("--merge", options.merge.is_some())] {
                anyhow::ensure!(!is_set, "{name} is for levels; this is a sheet");
            }
            if options.out.is_some() {
                sheet::add(&sheet, &mut world)?;
            }
            match options.format {
                Format::Text => sheet::text(&sheet).into(),
                Format::Json => Output::written(move |out| line(&json::sheet::json(&sheet), out)),
            }
        }
        Art::Level(level) => {
            let (solid, merged) = (options.solid.unwrap_or(Solid::Shapes), options.merge.unwrap_or(Merged::Polygons));
            let solids = level::solids(solid.into(), merged.into());
            let added = level.add_to(&mut world, &solids);
            if let (Err(error), Some(_)) = (&added, &options.out) {
                return Err(error.clone().into());
            }
            let bodies = level::Bodies::new(&world, added.err().as_ref());
            match options.format {
                Format::Text => level::text(&level, &bodies).into(),
                Format::Json => Output::written(move |out| line(&json::level::json(&level, &bodies), out)),
            }
        }
    };
    if let Some(out) = &options.out {
        save::check_apart(out, files)?;
        render::world(&world, &options.file, out, options.zoom)?;
    }
    Ok(output)
}

/// Writes a value as a line of JSON.
fn line(value: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    out.write_all(b"\n")
}

/// Returns a name from a file in quotes, with invisible characters escaped.
fn quoted(name: &str) -> String {
    format!("\"{}\"", printable(name))
}

/// Returns a number of things.
fn count(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}
