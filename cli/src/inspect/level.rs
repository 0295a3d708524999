//! A level: its rooms, tilesets, layers and bodies.

use std::fmt::Write as _;

use hitmask::World;
use hitmask_files::Error;
use hitmask_files::level::{Content, Form, Layer, Level, Object, Properties};
use hitmask_files::terrain::{Merge, Solids, Source};

use super::{count, quoted};

pub(super) fn solids(source: Source, merge: Merge) -> Solids {
    Solids::default().source(source).merge(merge)
}

/// The bodies that a level becomes.
pub(super) struct Bodies {
    pub(super) count: usize,
    /// The bodies lie within `[left, top, right, bottom]`.
    pub(super) bounds: Option<[f64; 4]>,
    /// The level becomes no bodies, for this reason.
    pub(super) error: Option<String>,
}

impl Bodies {
    pub(super) fn new(world: &World, error: Option<&Error>) -> Self {
        let bounds = world.ids().filter_map(|id| world.bounds(id)).reduce(|all, bounds| all.join(&bounds));
        let bounds = bounds.map(|bounds| {
            let [[left, top], [right, bottom]] = [bounds.min.units(), bounds.max.units()];
            [left, top, right, bottom]
        });
        Self { count: world.len(), bounds, error: error.map(Error::to_string) }
    }
}

/// Returns the lists, and the error if the level becomes no bodies.
pub(super) fn text(level: &Level, bodies: &Bodies) -> String {
    let counts = [(level.rooms.len(), "room"), (level.tilesets.len(), "tileset"), (level.layers.len(), "layer")];
    let mut text = format!("level: {}\n", counts.map(|(number, thing)| count(number, thing)).join(", "));
    for room in &level.rooms {
        let ([x, y], [width, height]) = (room.at, room.size);
        let name = if room.name.is_empty() { String::new() } else { format!(" {}", quoted(&room.name)) };
        let _ = writeln!(text, "room{name}: {width} x {height} pixels at {x}, {y}{}", properties(&room.properties));
    }
    for tileset in &level.tilesets {
        let [width, height] = tileset.tile_size;
        let shapes = tileset.tiles.values().filter(|tile| !tile.shapes.is_empty()).count();
        let shapes = count(shapes, "tile");
        let _ = writeln!(
            text,
            "tileset {}: tiles of {width} x {height} pixels, {shapes} with shapes{}",
            quoted(&tileset.name),
            properties(&tileset.properties)
        );
    }
    for layer in &level.layers {
        layer_text(layer, &mut text);
    }
    if let Some(error) = &bodies.error {
        let _ = writeln!(text, "no bodies: {error}");
        return text;
    }
    let place = bodies
        .bounds
        .map_or(String::new(), |[left, top, right, bottom]| format!(", from {left}, {top} to {right}, {bottom}"));
    let bodies = if bodies.count == 1 { "1 body".to_owned() } else { format!("{} bodies", bodies.count) };
    let _ = writeln!(text, "{bodies}{place}");
    text
}

fn layer_text(layer: &Layer, text: &mut String) {
    let class = if layer.class.is_empty() { String::new() } else { format!(" of class {}", quoted(&layer.class)) };
    let hidden = if layer.visible { "" } else { ", hidden" };
    let content = match &layer.content {
        Content::Tiles(cells) => match cells.bounds() {
            Some(bounds) => format!("{} in cells {bounds:?}", count(cells.len(), "tile")),
            None => "no tiles".to_owned(),
        },
        Content::Objects(objects) => count(objects.len(), "object"),
        _ => "an image".to_owned(),
    };
    let _ = writeln!(text, "layer {}{class}: {content}{hidden}{}", quoted(&layer.name), properties(&layer.properties));
    for object in layer.objects() {
        object_text(object, text);
    }
}

fn object_text(object: &Object, text: &mut String) {
    let form = form_name(&object.form);
    let names = [("", &object.name), (" of class", &object.class)];
    let names =
        names.map(|(word, name)| if name.is_empty() { String::new() } else { format!("{word} {}", quoted(name)) });
    let ([x, y], [width, height]) = (object.at, object.size);
    let turned = if object.rotation == 0.0 { String::new() } else { format!(", turned {} degrees", object.rotation) };
    let hidden = if object.visible { "" } else { ", hidden" };
    let _ = writeln!(
        text,
        "  {form} {}{}: {width} x {height} at {x}, {y}{turned}{hidden}{}",
        object.id,
        names.concat(),
        properties(&object.properties)
    );
}

/// Returns the word for a form.
pub(super) fn form_name(form: &Form) -> &'static str {
    match form {
        Form::Rect => "rectangle",
        Form::Ellipse => "ellipse",
        Form::Capsule => "capsule",
        Form::Point => "point",
        Form::Polygon(_) => "polygon",
        Form::Polyline(_) => "line",
        Form::Tile(_) => "tile",
        Form::Text(_) => "text",
        _ => "object",
    }
}

/// Returns the names of properties.
fn properties(properties: &Properties) -> String {
    if properties.is_empty() {
        return String::new();
    }
    let names: Vec<String> = properties.iter().map(|(name, _)| quoted(name)).collect();
    format!(", properties {}", names.join(", "))
}
