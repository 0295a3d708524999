//! Objects, and the templates that they are instances of.

use std::sync::Arc;

use super::model::{self, Point};
use super::{Reader, is_xml, xml};
use crate::budget;
use crate::error::{Problem, Result, malformed};
use crate::folder::Inside;
use crate::level::limits;
use crate::level::object::{Form, Object};
use crate::level::tile::Tile;

/// The largest number of bytes that instances repeat of their templates: 64 MiB.
const MAX_REPEATED: u64 = 1 << 26;

/// A template, with its tile if it has one.
pub(super) struct Template {
    object: model::Object,
    tile: Option<Tile>,
    /// The bytes of its names, texts and properties.
    bytes: u64,
}

impl Reader<'_, '_> {
    /// Reads an object of the file at a path.
    pub(super) fn object(&mut self, object: model::Object, path: &Inside) -> Result<Object> {
        let id = object.id;
        self.object_of(object, path).map_err(|error| error.at(format!("object {id}")))
    }

    fn object_of(&mut self, mut object: model::Object, path: &Inside) -> Result<Object> {
        self.objects += 1;
        budget::at_most("objects", limits::MAX_OBJECTS, self.objects)?;
        let mut tile = object.gid.map(|number| self.tile(number)).transpose()?;
        if let Some(name) = &object.template {
            let template = self.template(&path.beside(name)?)?;
            tile = tile.or(template.tile);
            self.repeated += template.bytes;
            budget::at_most("bytes of names, texts and properties from templates", MAX_REPEATED, self.repeated)?;
            self.inherit(&mut object, &template.object)?;
        }
        self.points += [&object.polygon, &object.polyline].into_iter().flatten().map(Vec::len).sum::<usize>() as u64;
        budget::at_most("points of objects", limits::MAX_POINTS, self.points)?;
        let natural = tile.map(|tile| self.level.tilesets[usize::from(tile.tileset)].size_of(tile.id));
        let natural = natural.map_or([0.0; 2], |size| size.map(f64::from));
        let size = [object.width.unwrap_or(natural[0]), object.height.unwrap_or(natural[1])];
        let [at, rotation] = [[object.x, object.y], [object.rotation.unwrap_or(0.0); 2]];
        let points = [&object.polygon, &object.polyline].into_iter().flatten().flatten();
        let numbers = at.into_iter().chain(size).chain(rotation).chain(points.flat_map(|point| [point.x, point.y]));
        limits::numbers(numbers)?;
        if size.iter().any(|side| *side < 0.0) {
            return Err(malformed(format!("its size is {} x {}", size[0], size[1])));
        }
        if let Some(tile) = tile
            && self.level.tilesets[usize::from(tile.tileset)].keeps_ratio
            && let [width, height] = tile.flips.size(natural)
            // Files have some six digits of a size.
            && (size[0] * height - size[1] * width).abs() > width.max(height) / 256.0
        {
            let problem = "a tile object with the fill mode `preserve-aspect-fit` whose width and height are not in the tile's ratio";
            return Err(Problem::Unsupported(problem.into()).into());
        }
        let form = match (tile, object.polygon, object.polyline, object.text) {
            (Some(tile), ..) => Form::Tile(tile),
            (_, Some(points), ..) => Form::Polygon(pairs(points)),
            (_, _, Some(points), _) => Form::Polyline(pairs(points)),
            (_, _, _, Some(text)) => Form::Text(text.text),
            _ if object.point => Form::Point,
            _ if object.ellipse => Form::Ellipse,
            _ if object.capsule => Form::Capsule,
            _ => Form::Rect,
        };
        Ok(Object {
            id: object.id,
            name: object.name.unwrap_or_default(),
            class: object.class.unwrap_or_default(),
            at,
            size,
            rotation: rotation[0],
            visible: object.visible.unwrap_or(true),
            form,
            properties: object.properties,
            off_grid: false,
        })
    }

    /// Gives an instance of a template all that it does not have itself.
    fn inherit(&mut self, object: &mut model::Object, template: &model::Object) -> Result<()> {
        // Each instance repeats the properties.
        self.objects += template.properties.len() as u64;
        budget::at_most("objects, and properties from templates", limits::MAX_OBJECTS, self.objects)?;
        let own = std::mem::take(object);
        *object = model::Object {
            id: own.id,
            template: None,
            name: own.name.or_else(|| template.name.clone()),
            class: own.class.or_else(|| template.class.clone()),
            x: own.x,
            y: own.y,
            width: own.width.or(template.width),
            height: own.height.or(template.height),
            rotation: own.rotation.or(template.rotation),
            visible: own.visible.or(template.visible),
            gid: own.gid,
            ellipse: own.ellipse || template.ellipse,
            capsule: own.capsule || template.capsule,
            point: own.point || template.point,
            polygon: own.polygon,
            polyline: own.polyline,
            text: own.text.or_else(|| template.text.clone()),
            properties: own.properties,
        };
        object.properties.inherit(&template.properties);
        for (line, inherited) in [(&mut object.polygon, &template.polygon), (&mut object.polyline, &template.polyline)]
        {
            if let (None, Some(points)) = (&line, inherited) {
                budget::at_most("points of objects", limits::MAX_POINTS, self.points + points.len() as u64)?;
                *line = Some(points.clone());
            }
        }
        Ok(())
    }

    fn template(&mut self, path: &Inside) -> Result<Arc<Template>> {
        if let Some(template) = self.templates.get(path) {
            return Ok(template.clone());
        }
        let template = self.within(path, |reader, text| {
            let template = if is_xml(text) { xml::template(text) } else { crate::json::parse(text.as_bytes()) };
            reader.template_of(template?, path).map(Arc::new)
        })?;
        self.templates.insert(path.clone(), template.clone());
        Ok(template)
    }

    fn template_of(&mut self, template: model::Template, path: &Inside) -> Result<Template> {
        let model::Template { tileset, object } = template;
        if object.template.is_some() {
            return Err(malformed("a template that is an instance of a template"));
        }
        let tile = match (object.gid, tileset) {
            (None, _) => None,
            (Some(_), None) => return Err(malformed("a tile without a tileset")),
            (Some(number), Some(tileset)) => {
                let source = tileset.source.as_deref().ok_or_else(|| malformed("a tileset without a file"))?;
                let index = self.external(&path.beside(source)?)?;
                // The number counts through the template's tileset alone.
                let numbers = std::mem::replace(&mut self.numbers, vec![(tileset.firstgid, index)]);
                let tile = self.tile(number);
                self.numbers = numbers;
                Some(tile?)
            }
        };
        let model::Object { name, class, text, properties, .. } = &object;
        let texts = [name.as_ref(), class.as_ref(), text.as_ref().map(|text| &text.text)];
        let bytes = texts.into_iter().flatten().map(String::len).sum::<usize>() as u64 + properties.bytes();
        Ok(Template { object, tile, bytes })
    }
}

fn pairs(points: Vec<Point>) -> Vec<[f64; 2]> {
    points.into_iter().map(|point| [point.x, point.y]).collect()
}
