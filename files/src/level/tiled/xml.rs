//! Tiled's XML: maps (`.tmx`), tilesets (`.tsx`) and templates (`.tx`).

use std::str::FromStr;

use roxmltree::{Document, Node, ParsingOptions};

use super::model::{Chunk, Data, Image, Layer, Map, Object, Offset, Point, Shapes, Template, Text, TileInfo, Tileset};
use crate::budget;
use crate::error::{Error, Problem, Result, malformed, quoted};
use crate::level::properties::{Properties, Value};

/// The deepest nesting of groups and of lists and classes in properties.
const DEEPEST: u32 = 64;

/// The largest number of attributes of an element. The parser compares each with all others.
const MAX_ATTRIBUTES: u64 = 256;

/// The largest number of elements, texts and comments.
const MAX_NODES: u32 = 1 << 24;

/// Parses a map.
pub(super) fn map(text: &str) -> Result<Map> {
    let document = parse(text)?;
    let map = root(&document, "map")?;
    let mut layers = Vec::new();
    for element in map.elements() {
        layers.extend(layer(element, DEEPEST)?);
    }
    Ok(Map {
        orientation: map.text("orientation"),
        infinite: map.flag("infinite")?.unwrap_or(false),
        width: map.or_zero("width")?,
        height: map.or_zero("height")?,
        tilewidth: map.or_zero("tilewidth")?,
        tileheight: map.or_zero("tileheight")?,
        class: map.text("class"),
        properties: map.properties(DEEPEST)?,
        tilesets: map.named("tileset").map(tileset_of).collect::<Result<_>>()?,
        layers,
    })
}

/// Parses a tileset.
pub(super) fn tileset(text: &str) -> Result<Tileset> {
    let document = parse(text)?;
    tileset_of(root(&document, "tileset")?)
}

/// Parses a template.
pub(super) fn template(text: &str) -> Result<Template> {
    let document = parse(text)?;
    let root = root(&document, "template")?;
    let tileset = root.named("tileset").next().map(tileset_of).transpose()?;
    let object = root.named("object").next().ok_or_else(|| malformed("the template has no object"))?;
    Ok(Template { tileset, object: object_of(object)? })
}

fn parse(text: &str) -> Result<Document<'_>> {
    check(text)?;
    // Old maps name a document type, which is not loaded.
    let options = ParsingOptions { allow_dtd: true, nodes_limit: MAX_NODES, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).map_err(|error| {
        let place = error.pos();
        let message = error.to_string();
        // The message may quote the file, and mostly ends with the place.
        let message = message.strip_suffix(&format!(" at {}:{}", place.row, place.col)).unwrap_or(&message);
        Problem::Xml { message: crate::json::shortened(message), line: place.row, column: place.col }.into()
    })
}

/// Refuses texts that the parser would take long for, or much memory: with entities of their own, or with many
/// attributes of one element.
fn check(text: &str) -> Result<()> {
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        rest = &rest[start..];
        // Markup in which `<` and `>` have no meaning.
        let verbatim = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")];
        if let Some((begin, end)) = verbatim.into_iter().find(|(begin, _)| rest.starts_with(begin)) {
            let inner = &rest[begin.len()..];
            let Some(length) = inner.find(end) else { return Ok(()) };
            rest = &inner[length + end.len()..];
        } else {
            rest = &rest[tag(rest)?..];
        }
    }
    Ok(())
}

/// Checks a tag or a document type, and returns its length.
fn tag(text: &str) -> Result<usize> {
    let is_type = text.starts_with("<!");
    let (mut quote, mut attributes) = (None, 0);
    for (place, byte) in text.bytes().enumerate() {
        match (quote, byte) {
            (Some(open), _) if open != byte => {}
            (Some(_), _) => quote = None,
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'>') => return Ok(place + 1),
            (None, b'[') if is_type => {
                let problem = "a document type with an internal subset, which may define entities";
                return Err(Problem::Unsupported(problem.into()).into());
            }
            (None, b'=') => {
                attributes += 1;
                budget::at_most("attributes of an element", MAX_ATTRIBUTES, attributes)?;
            }
            (None, _) => {}
        }
    }
    Ok(text.len())
}

fn root<'a>(document: &'a Document<'a>, name: &str) -> Result<Element<'a>> {
    let root = document.root_element();
    if !root.has_tag_name(name) {
        let found = quoted(root.tag_name().name());
        return Err(malformed(format!("the element is {found}, where \"{name}\" must be")));
    }
    Ok(Element(root))
}

fn tileset_of(element: Element<'_>) -> Result<Tileset> {
    let offset = element.named("tileoffset").next();
    let offset = offset.map(|offset| Ok::<_, Error>(Offset { x: offset.or_zero("x")?, y: offset.or_zero("y")? }));
    Ok(Tileset {
        firstgid: element.or_zero("firstgid")?,
        source: element.own("source"),
        name: element.text("name"),
        class: element.text("class"),
        tilewidth: element.or_zero("tilewidth")?,
        tileheight: element.or_zero("tileheight")?,
        margin: element.or_zero("margin")?,
        spacing: element.or_zero("spacing")?,
        tilecount: element.number("tilecount")?,
        columns: element.number("columns")?,
        image: element.image()?,
        tileoffset: offset.transpose()?.unwrap_or_default(),
        objectalignment: element.own("objectalignment"),
        tilerendersize: element.own("tilerendersize"),
        fillmode: element.own("fillmode"),
        properties: element.properties(DEEPEST)?,
        tiles: element.named("tile").map(tile).collect::<Result<_>>()?,
    })
}

fn tile(element: Element<'_>) -> Result<TileInfo> {
    let groups = element.named("objectgroup").flat_map(|group| group.named("object"));
    Ok(TileInfo {
        id: element.or_zero("id")?,
        class: element.class(),
        image: element.image()?,
        x: element.number("x")?,
        y: element.number("y")?,
        width: element.number("width")?,
        height: element.number("height")?,
        properties: element.properties(DEEPEST)?,
        objectgroup: Shapes { objects: groups.map(object_of).collect::<Result<_>>()? },
    })
}

/// Reads a layer or a group; `None` for elements of other kinds.
fn layer(element: Element<'_>, depth: u32) -> Result<Option<Layer>> {
    let kind = match element.0.tag_name().name() {
        "layer" => "tilelayer",
        kind @ ("objectgroup" | "imagelayer" | "group") => kind,
        _ => return Ok(None),
    };
    let Some(depth) = depth.checked_sub(1) else {
        return Err(element.wrong(format!("groups are nested more than {DEEPEST} deep")));
    };
    let mut read = Layer {
        kind: kind.to_owned(),
        name: element.text("name"),
        class: element.text("class"),
        visible: element.flag("visible")?.unwrap_or(true),
        opacity: element.number("opacity")?.unwrap_or(1.0),
        offsetx: element.or_zero("offsetx")?,
        offsety: element.or_zero("offsety")?,
        properties: element.properties(DEEPEST)?,
        width: element.or_zero("width")?,
        height: element.or_zero("height")?,
        ..Layer::default()
    };
    match kind {
        "tilelayer" => {
            if let Some(data) = element.named("data").next() {
                read.encoding = data.own("encoding");
                read.compression = data.own("compression");
                read.chunks = data.named("chunk").map(|chunk| chunk_of(chunk, &data)).collect::<Result<_>>()?;
                read.data = if read.chunks.is_empty() { Some(data_of(data, &data)?) } else { None };
            }
        }
        "objectgroup" => read.objects = element.named("object").map(object_of).collect::<Result<_>>()?,
        "group" => {
            for element in element.elements() {
                read.layers.extend(layer(element, depth)?);
            }
        }
        _ => {}
    }
    Ok(Some(read))
}

fn chunk_of(element: Element<'_>, data: &Element<'_>) -> Result<Chunk> {
    Ok(Chunk {
        x: element.or_zero("x")?,
        y: element.or_zero("y")?,
        width: element.or_zero("width")?,
        height: element.or_zero("height")?,
        data: data_of(element, data)?,
    })
}

/// Reads the tiles of a layer or a chunk: elements, numbers with commas, or base64.
fn data_of(element: Element<'_>, data: &Element<'_>) -> Result<Data> {
    match data.attribute("encoding") {
        None => {
            let numbers = element.named("tile").map(|tile| tile.or_zero("gid"));
            Ok(Data::Numbers(numbers.collect::<Result<_>>()?))
        }
        Some("csv") => {
            let text = element.content();
            let number = |text: &str| {
                let text = text.trim();
                text.parse().map_err(|_| element.wrong(format!("{} is no number of a tile", quoted(text))))
            };
            let numbers = text.trim().trim_end_matches(',').split(',').map(number);
            Ok(Data::Numbers(if text.trim().is_empty() { Vec::new() } else { numbers.collect::<Result<_>>()? }))
        }
        Some(_) => Ok(Data::Text(element.content())),
    }
}

fn object_of(element: Element<'_>) -> Result<Object> {
    let points = |name: &str| {
        let Some(line) = element.named(name).next() else { return Ok(None) };
        let text = line.text("points");
        let point = |pair: &str| {
            let (x, y) = pair.split_once(',')?;
            Some(Point { x: x.parse().ok()?, y: y.parse().ok()? })
        };
        let read = |pair| point(pair).ok_or_else(|| line.wrong(format!("{} is no point", quoted(pair))));
        text.split_ascii_whitespace().map(read).collect::<Result<Vec<_>>>().map(Some)
    };
    let has = |name: &str| element.named(name).next().is_some();
    Ok(Object {
        id: element.or_zero("id")?,
        template: element.own("template"),
        name: element.own("name"),
        class: element.own("type").or_else(|| element.own("class")),
        x: element.or_zero("x")?,
        y: element.or_zero("y")?,
        width: element.number("width")?,
        height: element.number("height")?,
        rotation: element.number("rotation")?,
        visible: element.flag("visible")?,
        gid: element.number("gid")?,
        ellipse: has("ellipse"),
        capsule: has("capsule"),
        point: has("point"),
        polygon: points("polygon")?,
        polyline: points("polyline")?,
        text: element.named("text").next().map(|text| Text { text: text.content() }),
        properties: element.properties(DEEPEST)?,
    })
}

/// An element of the document.
#[derive(Clone, Copy)]
struct Element<'a>(Node<'a, 'a>);

impl<'a> Element<'a> {
    fn elements(self) -> impl Iterator<Item = Self> {
        self.0.children().filter(Node::is_element).map(Self)
    }

    fn named(self, name: &str) -> impl Iterator<Item = Self> {
        self.elements().filter(move |element| element.0.has_tag_name(name))
    }

    fn attribute(&self, name: &str) -> Option<&'a str> {
        self.0.attribute(name)
    }

    fn own(&self, name: &str) -> Option<String> {
        self.attribute(name).map(str::to_owned)
    }

    fn text(&self, name: &str) -> String {
        self.attribute(name).unwrap_or_default().to_owned()
    }

    /// Returns the class, which some versions call the type.
    fn class(&self) -> String {
        self.attribute("type").or_else(|| self.attribute("class")).unwrap_or_default().to_owned()
    }

    /// Returns the text between the tags.
    fn content(&self) -> String {
        self.0.children().filter_map(|node| if node.is_text() { node.text() } else { None }).collect()
    }

    fn number<T: FromStr>(&self, name: &str) -> Result<Option<T>> {
        let Some(text) = self.attribute(name) else { return Ok(None) };
        let wrong = |_| self.wrong(format!("`{name}` is {}, not a number that it may be", quoted(text)));
        text.trim().parse().map(Some).map_err(wrong)
    }

    fn or_zero<T: FromStr + Default>(&self, name: &str) -> Result<T> {
        Ok(self.number(name)?.unwrap_or_default())
    }

    fn flag(&self, name: &str) -> Result<Option<bool>> {
        match self.attribute(name) {
            None => Ok(None),
            Some("0" | "false") => Ok(Some(false)),
            Some("1" | "true") => Ok(Some(true)),
            Some(text) => Err(self.wrong(format!("`{name}` is {}, not 0 or 1", quoted(text)))),
        }
    }

    fn image(&self) -> Result<Image> {
        let Some(image) = self.named("image").next() else { return Ok(Image::default()) };
        if image.attribute("source").is_none() {
            let problem = "an image within the file; Tiled writes the names of images";
            return Err(Error::from(Problem::Unsupported(problem.into())).at(image.place()));
        }
        let [width, height] = [image.number("width")?, image.number("height")?];
        Ok(Image { source: image.own("source"), width, height, key: image.own("trans") })
    }

    fn properties(&self, depth: u32) -> Result<Properties> {
        let list = self.named("properties").flat_map(|list| list.named("property"));
        list.map(|property| Ok((property.text("name"), property.value(depth)?))).collect()
    }

    /// Returns the value of a property, or of an item of a list.
    fn value(&self, depth: u32) -> Result<Value> {
        let Some(depth) = depth.checked_sub(1) else {
            return Err(self.wrong(format!("properties are nested more than {DEEPEST} deep")));
        };
        let text = || self.own("value").unwrap_or_else(|| self.content());
        Ok(match self.attribute("type") {
            Some("bool") => Value::Bool(self.flag("value")?.unwrap_or(false)),
            Some("int") => Value::Int(self.or_zero("value")?),
            Some("float") => Value::Float(self.or_zero("value")?),
            Some("object") => Value::Object(self.or_zero("value")?),
            Some("file") => Value::File(text()),
            Some("class") => Value::Class(self.properties(depth)?),
            Some("list") => Value::List(self.named("item").map(|item| item.value(depth)).collect::<Result<_>>()?),
            _ => Value::Text(text()),
        })
    }

    /// Makes the error of this element.
    fn wrong(&self, problem: impl Into<String>) -> Error {
        malformed(problem).at(self.place())
    }

    fn place(&self) -> String {
        let row = self.0.document().text_pos_at(self.0.range().start).row;
        format!("<{}> in line {row}", self.0.tag_name().name())
    }
}
