//! Renders frames without a window.

use std::path::{Path, PathBuf};

use anyhow::Context;
use hitmask_files::Import;
use image::RgbaImage;

use crate::camera::{Camera, MOST_ZOOM};
use crate::controls::Source;
use crate::document::Document;
use crate::engine;
use crate::frame::{Frames, Overlay, Shown};
use crate::game::Game;
use crate::graph::Graph;
use crate::host::Host;
use crate::options::Options;
use crate::panel::{self, Panel};
use crate::platform;
use crate::shot::{self, Canvas, FORMAT};

/// The time of a step, in milliseconds.
const STEP: u32 = 1000 / 60;

/// Draws the frames, writes the requested files, and returns the exit status.
pub(crate) fn run(options: &Options) -> anyhow::Result<u8> {
    let (Some(frames), Some(out)) = (options.frames, &options.screenshot) else {
        anyhow::bail!("--headless needs --frames and --screenshot");
    };
    let host = Host::headless()?;
    if let (Some(document), Source::File(path)) = (options.document()?, options.source()) {
        options.check_apart(inputs(&path).iter().map(PathBuf::as_path))?;
        return documents(options, &host, document, (frames, out));
    }
    let mut controls = options.controls(host.computes, host.is_slow(), false);
    let engine = pollster::block_on(engine::open(&host, controls.choice, |_, _| ()))?;
    let mut game = Game::new(engine, &mut controls)?;
    options.check_apart(game.stage.files())?;
    if let Some(path) = &options.record {
        game.record(path.clone())?;
    }
    let size = options.size;
    let width = if controls.panel { panel::WIDTH } else { 0.0 };
    let free = [f64::from(size[0]) - f64::from(width), f64::from(size[1])];
    let camera = options.view.unwrap_or_else(|| Camera::around(game.home(), free, [game.least_zoom(), MOST_ZOOM]));
    let mut draw = Frames::new(&host.device, FORMAT);
    let canvas = Canvas::new(&host.device, size);
    let (mut panel, mut graph) = (Panel::default(), Graph::default());
    panel.remember(&game.stage.source);
    let context = panel::context();
    let animated = matches!(shot::Kind::of(out), Some(shot::Kind::Gif));
    let mut images = Vec::new();
    for frame in 0..frames {
        if frame > 0 && !controls.paused {
            game.advance(&controls)?;
            game.settle(&controls)?;
            graph.push(&game);
        }
        let last = frame + 1 == frames;
        if !(last || animated && frame % u64::from(options.every) == 0) {
            continue;
        }
        game.settle(&controls)?;
        let picture = draw.picture(&host, &game, &camera, size, &controls);
        let overlay = controls.panel.then(|| {
            let input = panel::input(size, 1.0);
            let output = context.run_ui(input, |ui| panel.show(ui, &mut controls, &game, &picture, &graph, &host));
            panel::overlay(&context, output)
        });
        let shown = Shown { game: &game, picture: &picture, camera: &camera };
        draw.submit(&host, Some(shown), overlay, &canvas.view, size, 1.0);
        if animated || last {
            images.push(canvas.read(&host)?);
        }
    }
    game.end_record()?;
    write(images, options, out)?;
    if let Some(path) = &options.save_scene {
        platform::write(path, game.to_json()?.as_bytes())?;
    }
    status(&host)
}

/// Returns the files that a sheet or a level is read from. An image is read alone.
fn inputs(path: &Path) -> Vec<PathBuf> {
    let opened = Import::default().open_art_with_files(path);
    opened.map_or_else(|_| vec![path.to_owned()], |(_, files)| files)
}

/// Draws the frames of a sheet, which is played, or of a level. Returns the exit status.
fn documents(
    options: &Options,
    host: &Host,
    mut document: Document,
    (frames, out): (u64, &Path),
) -> anyhow::Result<u8> {
    let size = options.size;
    let (mut draw, canvas) = (Frames::new(&host.device, FORMAT), Canvas::new(&host.device, size));
    let context = panel::context();
    let animated = matches!(shot::Kind::of(out), Some(shot::Kind::Gif));
    let mut images = Vec::new();
    for frame in 0..frames {
        let time = frame as f64 * f64::from(STEP) / 1000.0;
        let mut lay_out = || {
            let input = egui::RawInput { time: Some(time), ..panel::input(size, 1.0) };
            let output = context.run_ui(input, |ui| {
                document.show(ui);
            });
            panel::overlay(&context, output)
        };
        let mut overlay = lay_out();
        if frame == 0 {
            // Sizes of panels are known from the second layout on.
            let Overlay { shapes, textures, scale } = lay_out();
            overlay.textures.append(textures);
            overlay = Overlay { shapes, scale, ..overlay };
        }
        draw.submit(host, None, Some(overlay), &canvas.view, size, 1.0);
        if frame + 1 == frames || animated && frame % u64::from(options.every) == 0 {
            images.push(canvas.read(host)?);
        }
    }
    write(images, options, out)?;
    status(host)
}

/// Writes the last image, or all as an animation.
fn write(images: Vec<RgbaImage>, options: &Options, out: &Path) -> anyhow::Result<()> {
    if let Some(shot::Kind::Gif) = shot::Kind::of(out) {
        shot::write_gif(images, STEP * options.every, out)
    } else {
        shot::write_png(images.last().context("no frame was drawn")?, out)
    }
}

fn status(host: &Host) -> anyhow::Result<u8> {
    anyhow::ensure!(host.faults.lost().is_none(), "the device was lost: {}", host.faults.lost().unwrap_or_default());
    Ok(u8::from(host.faults.any()))
}
