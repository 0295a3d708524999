//! The differences between two worlds: what two players whose checksums differ have to compare.

use std::fmt;

use super::World;
use super::body::{Body, ShapeId};
use super::member::Member;
use super::shape::{Geometry, Shape};
use crate::ground::handle::BodyId;
use crate::ground::lattice::Point;
use crate::ground::text::Numbers;
use crate::ground::touch::Touch;
use crate::ground::vec2::Vec2;
use crate::mask::Mask;

/// A difference between two worlds, as [`World::differences`] finds it. It prints as one line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Difference {
    /// The part of the world that differs.
    pub subject: Subject,
    /// The property that differs. For a body, a field of [`Body`], or `handle`. For a shape, `handle`, `kind`,
    /// `anchor`, `radius`, `parts`, `outline` or `mask`. For the world, `touch`, `shape indices`, `shape history`,
    /// `body indices` or `body history`; a history decides which handles later additions get. `body` or `shape` if only
    /// one world has it.
    pub field: &'static str,
    /// The property in the first world and in the second, as text; `None` if the world does not have the body or shape.
    pub values: [Option<String>; 2],
}

/// The part of a world that a [`Difference`] is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Subject {
    /// The world as a whole.
    World,
    /// The shape at this index.
    Shape(u32),
    /// The body at this index.
    Body(u32),
}

/// The differences found so far.
struct Found(Vec<Difference>);

impl World {
    /// Finds every difference between this world and another: of the world as a whole, then of each shape, then of each
    /// body, in order of index. The list is empty if and only if the worlds are equal.
    ///
    /// Indices and handles are compared too, because later answers depend on them. To find out why two players of a
    /// game have different checksums, save both worlds whole, load them in one program, and print the differences. The
    /// command `hitmask diff` does the same with two files.
    ///
    /// ```
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut here = World::default();
    /// let ball = here.add_shape(Shape::circle(1.0)?)?;
    /// let id = here.add(&Body::new(ball, [3, 4]))?;
    /// let mut there = here.clone();
    /// there.set(id, &Body::new(ball, [3.0, 4.5]))?;
    /// let differences: Vec<String> = here.differences(&there).iter().map(ToString::to_string).collect();
    /// assert_eq!(differences, ["body 0: `at` is [3, 4] in the first world, [3, 4.5] in the second"]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn differences(&self, other: &Self) -> Vec<Difference> {
        let (mut found, worlds) = (Found(Vec::new()), [self, other]);
        found.whole(worlds);
        for index in 0..self.shapes.len().max(other.shapes.len()) as u32 {
            found.shape(index, worlds.map(|world| world.shape_at(index)));
        }
        for index in 0..self.indices().max(other.indices()) as u32 {
            found.body(index, worlds.map(|world| world.body_at(index)));
        }
        found.0
    }

    fn shape_at(&self, index: u32) -> Option<(ShapeId, &Shape)> {
        let id = ShapeId { index, serial: self.shape_handles.serial(index)? };
        Some((id, self.shape(id)?))
    }

    fn body_at(&self, index: u32) -> Option<(BodyId, Body)> {
        let id = self.id(index)?;
        Some((id, self.body(id)?))
    }
}

impl Found {
    /// Notes a difference if two values differ.
    fn compare<T: PartialEq>(
        &mut self,
        subject: Subject,
        field: &'static str,
        values: [T; 2],
        text: impl Fn(T) -> String,
    ) {
        if values[0] != values[1] {
            self.0.push(Difference { subject, field, values: values.map(|value| Some(text(value))) });
        }
    }

    fn whole(&mut self, worlds: [&World; 2]) {
        let subject = Subject::World;
        self.compare(subject, "touch", worlds.map(|world| world.touch), |touch| {
            match touch {
                Touch::Excluded => "excluded",
                Touch::Included => "included",
            }
            .into()
        });
        self.compare(subject, "shape indices", worlds.map(|world| world.shapes.len()), plain);
        self.compare(subject, "shape history", worlds.map(|world| world.shape_handles.past()), hex);
        self.compare(subject, "body indices", worlds.map(World::indices), plain);
        self.compare(subject, "body history", worlds.map(|world| world.body_handles.past()), hex);
    }

    fn shape(&mut self, index: u32, shapes: [Option<(ShapeId, &Shape)>; 2]) {
        let subject = Subject::Shape(index);
        let [Some((a, first)), Some((b, second))] = shapes else {
            let values = shapes.map(|shape| shape.map(|(_, shape)| shape.kind().to_owned()));
            return self.only(subject, "shape", values);
        };
        let shapes = [first, second];
        self.compare(subject, "handle", [a, b].map(|id| id.serial), hex);
        self.compare(subject, "kind", shapes.map(Shape::kind), str::to_owned);
        self.compare(subject, "anchor", shapes.map(|shape| shape.anchor), point);
        match shapes.map(|shape| &shape.geometry) {
            [Geometry::Sprite(first), Geometry::Sprite(second)] => self.masks(subject, [first, second]),
            [Geometry::Convex { radius: a, .. }, Geometry::Convex { radius: b, .. }] => {
                self.compare(subject, "radius", [*a, *b], |radius| Point::new(radius, 0).units()[0].to_string());
                self.parts(subject, shapes.map(Shape::members));
                self.outlines(subject, shapes.map(Shape::rings));
            }
            _ => {}
        }
    }

    /// Compares the parts of two shapes: their number, or else the first that differs.
    fn parts(&mut self, subject: Subject, parts: [&[Member]; 2]) {
        let [a, b] = parts;
        if a.len() != b.len() {
            return self.compare(subject, "parts", [a.len(), b.len()], plain);
        }
        if let Some(index) = (0..a.len()).find(|&index| a[index] != b[index]) {
            self.compare(subject, "parts", [a[index], b[index]], |Member { radius, tag, rings }| {
                let radius = Point::new(radius, 0).units()[0];
                format!("part {index} of radius {radius}, tag {tag} and {rings} rings")
            });
        }
    }

    /// Compares two masks: their sizes, or else the texels.
    fn masks(&mut self, subject: Subject, masks: [&Mask; 2]) {
        let sizes = masks.map(Mask::size);
        if sizes[0] != sizes[1] {
            return self.compare(subject, "mask", sizes, |[width, height]| format!("{width} x {height} texels"));
        }
        let mut differing = masks[0].clone();
        differing.xor(masks[1], [0, 0]);
        let Some(first) = differing.first_overlap(&differing, [0, 0]) else { return };
        let all = differing.count();
        self.compare(subject, "mask", masks.map(|mask| mask.get(first[0], first[1])), |solid| {
            let solid = if solid { "solid" } else { "clear" };
            format!("{solid} at texel {first:?} (1 of {all})")
        });
    }

    /// Compares the outlines of two shapes, and their holes.
    fn outlines(&mut self, subject: Subject, rings: [&[Vec<Point>]; 2]) {
        let points = rings.map(|rings| rings.iter().flatten().collect::<Vec<_>>());
        let first = points[0].iter().zip(&points[1]).take_while(|(a, b)| a == b).count();
        self.compare(subject, "outline", rings, |rings| {
            let (at, count) = (rings.iter().flatten().nth(first), rings.iter().flatten().count());
            let at = at.map_or_else(String::new, |at| format!(", point {first} at {}", point(*at)));
            format!("{count} points, rings: {}{at}", rings.len())
        });
    }

    fn body(&mut self, index: u32, bodies: [Option<(BodyId, Body)>; 2]) {
        let subject = Subject::Body(index);
        let [Some((a, first)), Some((b, second))] = bodies else {
            let place = |body: Body| format!("shape {}, at {}", body.shape.index, vector(body.at));
            return self.only(subject, "body", bodies.map(|body| body.map(|(_, body)| place(body))));
        };
        self.compare(subject, "handle", [a, b].map(|id| id.serial), hex);
        let bodies = [first, second];
        self.compare(subject, "shape", bodies.map(|body| body.shape.index), plain);
        self.compare(subject, "at", bodies.map(|body| body.at), vector);
        self.compare(subject, "linear", bodies.map(|body| body.linear), |linear| {
            format!("[{}, {}]", Numbers(&linear.x), Numbers(&linear.y))
        });
        self.compare(subject, "motion", bodies.map(|body| body.motion), vector);
        self.compare(subject, "layers", bodies.map(|body| body.layers), |layers| format!("{layers:#x}"));
        self.compare(subject, "mask", bodies.map(|body| body.mask), |mask| format!("{mask:#x}"));
        self.compare(subject, "group", bodies.map(|body| body.group), plain);
        self.compare(subject, "detector", bodies.map(|body| body.detector), plain);
        self.compare(subject, "enabled", bodies.map(|body| body.enabled), plain);
        self.compare(subject, "tag", bodies.map(|body| body.tag), plain);
    }

    /// Notes that only one of the worlds has a body or shape, if that is so.
    fn only(&mut self, subject: Subject, field: &'static str, values: [Option<String>; 2]) {
        if values.iter().any(Option::is_some) {
            self.0.push(Difference { subject, field, values });
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { subject, field, values } = self;
        match values {
            [Some(first), Some(second)] => {
                write!(f, "{subject}: `{field}` is {first} in the first world, {second} in the second")
            }
            [Some(value), None] => write!(f, "{subject}: only in the first world ({value})"),
            [None, Some(value)] => write!(f, "{subject}: only in the second world ({value})"),
            [None, None] => write!(f, "{subject}: in neither world"),
        }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::World => f.write_str("world"),
            Self::Shape(index) => write!(f, "shape {index}"),
            Self::Body(index) => write!(f, "body {index}"),
        }
    }
}

fn vector(vector: Vec2) -> String {
    Numbers(&<[f64; 2]>::from(vector)).to_string()
}

fn point(point: Point) -> String {
    Numbers(&point.units()).to_string()
}

fn hex(number: u64) -> String {
    format!("{number:#018x}")
}

fn plain(value: impl ToString + Copy) -> String {
    value.to_string()
}
