//! The objects of a level: outlines, points, texts and tiles.

use egui::{Color32, FontId, Mesh, Pos2, Shape, Stroke};
use hitmask::Linear;
use hitmask::geometry::Vec2;
use hitmask_files::Level;
use hitmask_files::level::{Form, Layer, Object, Tile};

use super::pictures::Pictures;
use crate::document::{Pane, hue};

/// The points of a pixel from which names are written.
const NAMES_FROM: f32 = 1.0;

/// Draws the objects of a layer.
pub(super) fn draw(pane: &Pane, level: &Level, layer: &Layer, pictures: &mut Pictures) {
    for object in layer.objects().iter().filter(|object| object.visible) {
        let colour = hue(if object.class.is_empty() { &object.name } else { &object.class });
        let at = pane.pos([object.at[0] + layer.offset[0], object.at[1] + layer.offset[1]]);
        let reach = object.size[0].max(object.size[1]) as f32 * pane.zoom() + 4000.0;
        if !pane.rect.expand(reach).contains(at) {
            continue;
        }
        match &object.form {
            Form::Tile(tile) => tile_object(pane, level, layer, object, *tile, pictures),
            Form::Point | Form::Text(_) => {
                pane.painter.circle_stroke(at, 4.0, Stroke::new(1.5, colour));
            }
            Form::Polyline(points) => {
                let turn = Linear::from_degrees(object.rotation);
                let place = |point: &[f64; 2]| {
                    let [x, y]: [f64; 2] = (turn * Vec2::from(*point) + object.at).into();
                    pane.pos([x + layer.offset[0], y + layer.offset[1]])
                };
                pane.painter.line(points.iter().map(place).collect(), Stroke::new(1.5, colour));
            }
            _ => {
                for outline in object.outlines(1.0) {
                    let place = |[x, y]: [f64; 2]| pane.pos([x + layer.offset[0], y + layer.offset[1]]);
                    let points = outline.into_iter().map(place).collect();
                    pane.painter.add(Shape::closed_line(points, Stroke::new(1.5, colour)));
                }
            }
        }
        let text = match &object.form {
            Form::Text(text) => text,
            _ if object.class.is_empty() => &object.name,
            _ => &object.class,
        };
        if pane.zoom() >= NAMES_FROM && !text.is_empty() {
            let text = hitmask::internals::printable(&text.chars().take(40).collect::<String>());
            let at = at + egui::Vec2::new(6.0, -14.0);
            let galley = pane.painter.layout_no_wrap(text, FontId::proportional(11.0), colour);
            let back = egui::Rect::from_min_size(at, galley.size()).expand2(egui::Vec2::new(3.0, 1.0));
            pane.painter.rect_filled(back, 2.0, Color32::from_black_alpha(150));
            pane.painter.galley(at, galley, colour);
        }
    }
}

/// Draws an object that is a tile: its picture, scaled and turned.
fn tile_object(pane: &Pane, level: &Level, layer: &Layer, object: &Object, tile: Tile, pictures: &mut Pictures) {
    let Some(tileset) = level.tilesets.get(usize::from(tile.tileset)) else { return };
    let Some(texture) = pictures.texture(pane.painter.ctx(), level, tile) else { return };
    let [left, top] = tileset.start(object.size);
    let [width, height] = object.size;
    let turn = Linear::from_degrees(object.rotation);
    let mut mesh = Mesh::with_texture(texture.id());
    for [u, v] in [[0.0_f32, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]] {
        let local = Vec2 { x: left + f64::from(u) * width, y: top + f64::from(v) * height };
        let [x, y]: [f64; 2] = (turn * local + object.at).into();
        let pos = pane.pos([x + layer.offset[0], y + layer.offset[1]]);
        mesh.vertices.push(egui::epaint::Vertex { pos, uv: Pos2::new(u, v), color: Color32::WHITE });
    }
    mesh.indices = vec![0, 1, 2, 0, 2, 3];
    pane.painter.add(Shape::mesh(mesh));
}

/// Returns the uppermost object of a layer at a point of the layer.
pub(super) fn at(layer: &Layer, point: [f64; 2]) -> Option<&Object> {
    let local = [0, 1].map(|axis| point[axis] - layer.offset[axis]);
    let is_in = |object: &&Object| {
        let [x, y] = [0, 1].map(|axis| local[axis] - object.at[axis]);
        match object.form {
            Form::Point | Form::Text(_) => x.hypot(y) <= 4.0,
            _ => object.outlines(3.0).iter().any(|outline| encloses(outline, local)),
        }
    };
    layer.objects().iter().rev().filter(|object| object.visible).find(is_in)
}

/// Returns whether a polygon has a point inside: a ray to the right crosses its edges an odd number of times.
fn encloses(outline: &[[f64; 2]], [x, y]: [f64; 2]) -> bool {
    let edges = outline.iter().zip(outline.iter().cycle().skip(1));
    let crossed =
        edges.filter(|([ax, ay], [bx, by])| (*ay > y) != (*by > y) && x < ax + (y - ay) / (by - ay) * (bx - ax));
    crossed.count() % 2 == 1
}
