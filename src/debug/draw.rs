//! The choice of what to draw, and its drawing.

use super::border::{Pixels, border};
use super::curve::{Curve, outline};
use super::lines::Lines;
use super::palette::{Color, Palette};
use super::pen::Pen;
use crate::ground::aabb::Aabb;
use crate::ground::error::Result;
use crate::ground::lattice::Point;
use crate::ground::touch::Touch;
use crate::ground::vec2::Vec2;
use crate::hits::{Detail, Hits};
use crate::host::runs::Rows;
use crate::world::World;
use crate::world::body::BodyId;
use crate::world::packed::{Body, EMPTY, Kind, SPRITE};
use crate::world::pose::land::bound;

/// The choice of what to draw, and how.
///
/// ```
/// use hitmask::debug::{Draw, Lines};
/// use hitmask::{Body, Mask, Shape, World};
///
/// let (mut world, mut lines) = (World::default(), Lines::new());
/// let arrow = world.add_shape(Shape::sprite(Mask::from_rows(&[".#", "##"])?))?;
/// world.add(&Body::new(arrow, [0, 0]))?;
/// world.add(&Body::new(arrow, [500, 0]))?; // out of view
/// let draw = Draw { bounds: true, view: Some([[0, 0].into(), [320, 180].into()]), ..Draw::default() };
/// draw.world(&world, &mut lines)?;
/// assert_eq!(lines.as_slice().len(), 6 + 4); // the border of an L, and a box
/// # Ok::<(), hitmask::Error>(())
/// ```
#[expect(clippy::struct_excessive_bools, reason = "each is a choice by itself")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Draw {
    /// Whether to draw the outlines of convex bodies and polygons (default: true).
    pub outlines: bool,
    /// Whether to draw the borders of sprites, around the pixels that they paint (default: true).
    pub borders: bool,
    /// Whether to draw the convex pieces of polygons that have several.
    pub pieces: bool,
    /// Whether to draw the bounding boxes at the start of the step.
    pub bounds: bool,
    /// Whether to draw the bounding boxes over the whole step.
    pub swept_bounds: bool,
    /// Whether to draw a line from the position of a moving body to its position at the end of the step (default:
    /// true).
    pub motions: bool,
    /// Whether to draw moving bodies once more at the ends of their motions.
    pub ends: bool,
    /// Whether to draw the borders of the pixels that pairs share, as at the ticks of their hits. Needs details.
    pub overlaps: bool,
    /// Whether to draw the contacts of pairs, as at the ticks of their hits: a cross in the middle of the pixels that
    /// both share, or else of what their bounding boxes share; from there a line along the normal, and one to the
    /// shortest way out for the first body of the pair. Needs details. Contacts more than `normal` units out of view
    /// are left out. [`World::contact`] says what the others cost.
    pub contacts: bool,
    /// The length of the lines along normals, in units (default: 8).
    pub normal: f64,
    /// The maximum distance of lines from the arcs that they stand for, in units (default: 1/4).
    pub tolerance: f64,
    /// The smallest and the largest corner of the part of the world that is seen, in units; lines whose bounding boxes
    /// do not meet it are left out. Default: `None`, the whole world. For bodies out of view, only their bounds are
    /// read.
    pub view: Option<[Vec2; 2]>,
    /// The point of the world that becomes (0, 0) in the lines. Coordinates in `f32` are exact to a lattice step within
    /// 65,536 units of it; far from there, set it to the camera's position.
    pub origin: Vec2,
    /// The colours.
    pub palette: Palette,
}

impl Default for Draw {
    fn default() -> Self {
        Self {
            outlines: true,
            borders: true,
            pieces: false,
            bounds: false,
            swept_bounds: false,
            motions: true,
            ends: false,
            overlaps: false,
            contacts: false,
            normal: 8.0,
            tolerance: 0.25,
            view: None,
            origin: Vec2::default(),
            palette: Palette::default(),
        }
    }
}

impl Draw {
    /// Appends the bodies of a world, as in a step without hits. Returns [`Error::Capacity`](crate::Error::Capacity),
    /// and appends nothing, if the lines do not fit in memory.
    ///
    /// ```
    /// use hitmask::debug::{Draw, Lines};
    /// use hitmask::{Body, Shape, World};
    ///
    /// let (mut world, mut lines) = (World::default(), Lines::new());
    /// let tile = world.add_shape(Shape::rect(8.0, 4.0)?)?;
    /// world.add(&Body::new(tile, [1, 0]))?;
    /// Draw::default().world(&world, &mut lines)?;
    /// let top = lines.as_slice()[0];
    /// assert_eq!((top.from, top.to, top.color), ([1.0, 0.0], [9.0, 0.0], Draw::default().palette.rest));
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn world(&self, world: &World, lines: &mut Lines) -> Result<()> {
        self.append(world, &Hits::default(), lines)
    }

    /// Appends the bodies of a world, coloured by the hits of a step, and the hits themselves. Pass the world as it was
    /// in that step.
    ///
    /// Returns [`Error::Value`](crate::Error::Value) for an answer of another world or from before a body was added,
    /// and for one that has hits but no details, if overlaps or contacts are to be drawn. Returns
    /// [`Error::Capacity`](crate::Error::Capacity) if the lines do not fit in memory. An error appends nothing.
    ///
    /// ```
    /// use hitmask::debug::{Draw, Lines};
    /// use hitmask::{Ask, Body, Engine, Shape, World};
    ///
    /// let (mut world, mut lines) = (World::default(), Lines::new());
    /// let tile = world.add_shape(Shape::rect(8.0, 4.0)?)?;
    /// world.add(&Body::new(tile, [0, 0]))?;
    /// world.add(&Body::new(tile, [4, 2]))?;
    /// let hits = Engine::cpu()?.run(&world, Ask::Flags)?;
    /// Draw::default().step(&world, &hits, &mut lines)?;
    /// assert!(lines.as_slice().iter().all(|line| line.color == Draw::default().palette.hit));
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn step(&self, world: &World, hits: &Hits, lines: &mut Lines) -> Result<()> {
        world.check_hits(hits)?;
        if self.overlaps || self.contacts {
            hits.has_details()?;
        }
        self.append(world, hits, lines)
    }

    fn append(&self, world: &World, hits: &Hits, lines: &mut Lines) -> Result<()> {
        let before = lines.0.len();
        let mut pen = Pen::new(&mut lines.0, self.origin, self.view, self.tolerance);
        let drawn = self.bodies(world, hits, &mut pen).and_then(|()| self.hits(world, hits, &mut pen));
        if drawn.is_err() {
            lines.0.truncate(before);
        }
        drawn
    }

    fn bodies(&self, world: &World, hits: &Hits, pen: &mut Pen<'_>) -> Result<()> {
        let (packed, sight) = (world.packed(), pen.sight());
        for id in world.ids() {
            let index = id.index() as usize;
            // The bounds of a body that hits nothing are nowhere.
            let near = packed.bounds[index].meets(&sight, Touch::Included) || packed.kinds[index] == Kind::Absent;
            let (from, motion) = (packed.positions[index], packed.motions[index]);
            let way = Aabb { min: from, max: from }.swept(motion);
            if near {
                self.body(world, id, &packed.body(index), hits.flag(index), pen)?;
            }
            if self.motions && motion != Point::ZERO && way.meets(&sight, Touch::Included) {
                let [from, to] = [from, from + motion].map(|p| p.units().into());
                pen.line(from, to, self.palette.motion)?;
            }
        }
        Ok(())
    }

    fn body(&self, world: &World, id: BodyId, body: &Body, hit: bool, pen: &mut Pen<'_>) -> Result<()> {
        let (colors, swept) = (&self.palette, bound(body));
        if !swept.meets(&pen.sight(), Touch::Included) {
            return Ok(());
        }
        if self.swept_bounds {
            pen.rectangle(&swept, colors.swept_bounds)?;
        }
        if self.bounds {
            pen.rectangle(&body.reach(), colors.bounds)?;
        }
        let color = if body.is_absent() {
            colors.disabled
        } else if hit {
            colors.hit
        } else if body.filter.mask == 0 {
            colors.disabled
        } else if body.moves() {
            colors.moving
        } else {
            colors.rest
        };
        let ends = self.ends && body.moves();
        if body.is(SPRITE) {
            if self.borders && ends {
                painted(world, &body.at_end(), colors.end, pen)?;
            }
            return if self.borders { painted(world, body, color, pen) } else { Ok(()) };
        }
        if self.pieces {
            self.pieces(world, id, pen)?;
        }
        if self.outlines {
            let curves = Curve::outlines(world, id).unwrap_or_default();
            for curve in curves.iter().filter(|_| ends) {
                pen.curve(&curve.moved(body.motion.units()), colors.end)?;
            }
            for curve in &curves {
                pen.curve(curve, color)?;
            }
        }
        Ok(())
    }

    fn pieces(&self, world: &World, id: BodyId, pen: &mut Pen<'_>) -> Result<()> {
        let pieces = world.landed(id).filter(|pieces| pieces.len() > 1);
        for piece in pieces.iter().flatten() {
            if let Some(curve) = outline(&piece.vertices, piece.radius) {
                pen.curve(&curve, self.palette.piece)?;
            }
        }
        Ok(())
    }

    fn hits(&self, world: &World, hits: &Hits, pen: &mut Pen<'_>) -> Result<()> {
        if !self.overlaps && !self.contacts {
            return Ok(());
        }
        for (&pair, detail) in hits.pairs.iter().zip(&hits.details) {
            if self.overlaps {
                shared(world, pair, detail, self.palette.overlap, pen)?;
            }
            if self.contacts {
                self.contact(world, pair, detail, pen)?;
            }
        }
        Ok(())
    }

    fn contact(&self, world: &World, pair: [u32; 2], detail: &Detail, pen: &mut Pen<'_>) -> Result<()> {
        let Some(at) = place(world, pair, detail) else { return Ok(()) };
        // The way out is only computed if the mark is in view.
        if !pen.sees(at, self.normal) {
            return Ok(());
        }
        let contact = world.contact(pair, detail);
        let normal = Vec2::from(contact.normal);
        pen.cross(at, self.normal / 4.0, self.palette.contact)?;
        pen.line(at, at + normal * self.normal, self.palette.normal)?;
        pen.line(at, at + normal * contact.depth, self.palette.depth)
    }
}

/// Draws the border of the pixels that a sprite paints at its start.
fn painted(world: &World, body: &Body, color: Color, pen: &mut Pen<'_>) -> Result<()> {
    if body.is(EMPTY) {
        return Ok(());
    }
    let mut rows = Rows::sprite(world.packed(), body, Touch::Excluded);
    let all = rows.pixels();
    let seen = pen.pixels().common(&Pixels::between(all.min, all.max));
    rows.clip(seen.grown().columns);
    border(&seen, |y| rows.row(y).as_flattened().to_vec(), |from, to| pen.line(from.into(), to.into(), color))
}

/// Draws the border of the pixels that a pair shares.
fn shared(world: &World, pair: [u32; 2], detail: &Detail, color: Color, pen: &mut Pen<'_>) -> Result<()> {
    let Some([x, y, width, height]) = detail.overlap.map(|overlap| overlap.bounds) else { return Ok(()) };
    let end = Point::new(x.saturating_add(width), y.saturating_add(height));
    let seen = pen.pixels().common(&Pixels::between(Point::new(x, y), end));
    if seen.is_empty() {
        return Ok(());
    }
    let Some((mask, [left, top])) = world.overlap_mask(pair, detail) else { return Ok(()) };
    let row = |y: i32| {
        let y = y.checked_sub(top).and_then(|y| u32::try_from(y).ok()).filter(|y| *y < mask.height());
        let runs = y.into_iter().flat_map(|y| mask.runs(y));
        runs.flat_map(|run| [left + run.start as i32, left + run.end as i32]).collect()
    };
    border(&seen, row, |from, to| pen.line(from.into(), to.into(), color))
}

/// Returns the middle of what a pair shares at the tick of its hit: of pixels if there are any, or else of the bounding
/// boxes. `None` if a body is gone or covers nothing.
fn place(world: &World, pair: [u32; 2], detail: &Detail) -> Option<Vec2> {
    if let (Some(overlap), Some(area @ 1..)) = (detail.overlap, detail.area) {
        let [x, y] = overlap.sums.map(|sum| sum as f64 / area as f64);
        return Some(Vec2 { x, y } + [0.5, 0.5]);
    }
    let [a, b] = pair.map(|index| {
        let id = world.id(index)?;
        let (start, now) = (world.body(id)?.at, world.position_at(id, detail.tick())?);
        let [min, max] = world.bounds(id).map(|bounds| [bounds.min, bounds.max].map(|p| Vec2::from(p.units())))?;
        Some([min, max].map(|corner| corner + (now - start)))
    });
    let ([a_min, a_max], [b_min, b_max]) = (a?, b?);
    let middle = |a: [f64; 2], b: [f64; 2]| f64::midpoint(a[0].max(b[0]), a[1].min(b[1]));
    Some(Vec2 { x: middle([a_min.x, a_max.x], [b_min.x, b_max.x]), y: middle([a_min.y, a_max.y], [b_min.y, b_max.y]) })
}
