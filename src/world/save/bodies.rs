//! The bodies of a saved world: a column for each part of a body. A column is left out if all its values are the
//! default.

use std::collections::HashMap;
use std::ops::Range;

use bytemuck::Pod;

use super::World;
use super::file::{DETECTORS, Header, Reader, put_u32s, put_u64s, wrong};
use crate::ground::aabb::Aabb;
use crate::ground::error::{Error, Result};
use crate::ground::lattice::{MAX_COORDINATE, MAX_MOTION, Point};
use crate::ground::linear::Linear;
use crate::ground::memory::Room;
use crate::world::bodies::BODIES;
use crate::world::body::{Body, ShapeId};
use crate::world::filter::Filter;
use crate::world::handles::NONE;
use crate::world::packed::{self, DETECTOR, Kind, OFF, SPRITE};
use crate::world::pose::check_inside;
use crate::world::pose::land::bound_of;

/// The number of filters whose numbers are found without a search.
const CACHED: usize = 256;
/// The number of bodies that are compared at once.
const TOGETHER: usize = 64;
/// If more than one in this many bodies moved, all are noted as changed.
const CHANGED: usize = 4;

/// Forms of a linear part `[[a, b], [c, d]]`, by the number that stands for it.
const IDENTITY: u8 = 0;
/// Only `a` and `b`: `[[a, b], [-b, a]]`, a rotation and a scale.
const TURNED: u8 = 1;
/// Only `a` and `b`: `[[a, b], [b, -a]]`, as `TURNED` with a flip.
const FLIPPED: u8 = 2;
/// Only `a` and `d`: `[[a, 0], [0, d]]`.
const SCALED: u8 = 3;
/// All four numbers.
const ANY: u8 = 4;

impl World {
    /// Returns the number of bytes that the bodies take at most.
    pub(super) fn bodies_bytes(&self) -> usize {
        32 + 86 * self.indices()
    }

    /// Returns true if some body is a detector.
    pub(super) fn has_detectors(&self) -> bool {
        self.packed.detecting && self.has_flag(DETECTOR)
    }

    /// Returns true if some body has a flag.
    fn has_flag(&self, flag: u32) -> bool {
        self.packed.poses.iter().any(|pose| pose.flags & flag != 0)
    }

    /// Appends the bodies.
    pub(super) fn save_bodies(&self, to: &mut Vec<u8>) {
        let packed = &self.packed;
        put_u64s(to, &[self.body_handles.past()]);
        put_u64s(to, self.body_handles.serials());
        put_u32s(to, &packed.positions);
        let moving = packed.moving && packed.motions.iter().any(|motion| *motion != Point::ZERO);
        column(to, moving, |to| put_u32s(to, &packed.motions));
        column(to, self.tags.iter().any(|tag| *tag != 0), |to| put_u64s(to, &self.tags));
        column(to, self.has_flag(OFF), |to| self.save_flag(OFF, to));
        // No version before this one has the column.
        if self.has_detectors() {
            column(to, true, |to| self.save_flag(DETECTOR, to));
        }
        put_numbers(to, self.shapes.len(), packed.poses.iter().map(|pose| pose.shape));
        self.save_filters(to);
        self.save_linears(to);
    }

    /// Appends a bit for each body, set if it has a flag.
    fn save_flag(&self, flag: u32, to: &mut Vec<u8>) {
        let bit = |byte, (k, pose): (usize, &packed::Pose)| byte | u8::from(pose.flags & flag != 0) << k;
        to.extend(self.packed.poses.chunks(8).map(|poses| poses.iter().enumerate().fold(0, bit)));
    }

    /// Appends the different filters, and the number of each body's.
    fn save_filters(&self, to: &mut Vec<u8>) {
        let (mut table, mut known) = (Vec::new(), HashMap::new());
        let mut numbers = Vec::with_capacity(self.indices());
        // The number of a filter that was met lately; most are found here.
        let mut cache = [u32::MAX; CACHED];
        for filter in &self.packed.filters {
            let key = filter.layers ^ filter.mask.rotate_left(11) ^ filter.group.wrapping_mul(0x9e37_79b9);
            let cached = &mut cache[(key ^ key >> 16) as usize % CACHED];
            if table.get(*cached as usize) != Some(filter) {
                *cached = *known.entry(*filter).or_insert_with(|| {
                    table.push(*filter);
                    table.len() as u32 - 1
                });
            }
            numbers.push(*cached);
        }
        put_u32s(to, &[table.len() as u32]);
        put_u32s(to, &table);
        put_numbers(to, table.len(), numbers.into_iter());
    }

    /// Appends the form of each linear part, and then the numbers of those that are not the identity.
    fn save_linears(&self, to: &mut Vec<u8>) {
        let posed = self.linears.iter().any(|linear| *linear != Linear::IDENTITY);
        column(to, posed, |to| {
            to.extend(self.linears.iter().map(form_of));
            for linear in &self.linears {
                let Linear { x: [a, b], y: [c, d] } = *linear;
                match form_of(linear) {
                    IDENTITY => {}
                    TURNED | FLIPPED => put_u64s(to, &[a, b].map(f64::to_bits)),
                    SCALED => put_u64s(to, &[a, d].map(f64::to_bits)),
                    _ => put_u64s(to, &[a, b, c, d].map(f64::to_bits)),
                }
            }
        });
    }

    /// Replaces the bodies by those of a file. On an error nothing changes.
    pub(super) fn load_bodies(&mut self, header: &Header, mut reader: Reader<'_>) -> Result<()> {
        let count = header.count as usize;
        let past = reader.u64()?;
        let columns = Columns::read(&mut reader, header.version, count, self.shapes.len())?;
        reader.end()?;
        let edits = self.edits(&columns)?;
        self.make_indices_room(count)?;
        let serials = self.body_handles.serials();
        let has_others = serials.len() != count || !has(columns.serials, serials, 0..count, u64::clone);
        if has_others {
            self.remove_others(&columns, count);
        }
        self.apply(&edits, &columns);
        if has_others {
            let serials = columns.serials.iter().map(|&serial| u64::from_le_bytes(serial));
            self.body_handles.replace(serials);
        }
        self.body_handles.set_past(past);
        Ok(())
    }

    /// Finds what differs from the bodies of a file, and checks it.
    fn edits(&self, columns: &Columns<'_>) -> Result<Edits> {
        let (mut edits, mut linears) = (Edits::default(), columns.linears());
        let count = columns.serials.len();
        for first in (0..count).step_by(TOGETHER) {
            self.find_edits(columns, first..count.min(first + TOGETHER), &mut linears, &mut edits)?;
        }
        Ok(edits)
    }

    /// As [`World::edits`], for a block of bodies: if they differ in more than position and motion, body by body.
    fn find_edits(
        &self,
        columns: &Columns<'_>,
        some: Range<usize>,
        linears: &mut Linears<'_>,
        edits: &mut Edits,
    ) -> Result<()> {
        let mut after = linears.clone();
        if self.has_forms(columns, some.clone(), &mut after)? {
            *linears = after;
            return self.find_moved(columns, some, edits);
        }
        if some.len() == 1 {
            return self.find_formed(columns, some.start, linears.next()?, edits);
        }
        some.into_iter().try_for_each(|index| self.find_edits(columns, index..index + 1, linears, edits))
    }

    /// Returns true if the bodies of a block differ at most in position and motion.
    fn has_forms(&self, columns: &Columns<'_>, some: Range<usize>, linears: &mut Linears<'_>) -> Result<bool> {
        if some.end > self.indices() {
            return Ok(false);
        }
        let (poses, filters) = (&self.packed.poses[some.clone()], &self.packed.filters[some.clone()]);
        let switches = |(pose, index): (&packed::Pose, usize)| {
            [OFF, DETECTOR].map(|flag| pose.flags & flag != 0) == [columns.is_off(index), columns.is_detector(index)]
        };
        let (shapes, numbers) = (columns.shapes.block(&some), columns.filter_numbers.block(&some));
        let mut are_same = has(columns.serials, self.body_handles.serials(), some.clone(), u64::clone)
            && has(columns.tags, &self.tags, some.clone(), u64::clone)
            && poses.iter().zip(shapes).all(|(pose, shape)| pose.shape == shape)
            && poses.iter().zip(some.clone()).all(switches)
            && filters.iter().zip(numbers).all(|(filter, number)| columns.filters.get(number as usize) == Some(filter));
        if columns.forms.is_empty() {
            return Ok(are_same && self.linears[some].iter().all(|linear| *linear == Linear::IDENTITY));
        }
        if are_same {
            for linear in &self.linears[some] {
                are_same &= linears.next()? == *linear;
            }
        }
        Ok(are_same)
    }

    /// Finds the bodies that differ in position or motion, among some that differ in nothing else.
    fn find_moved(&self, columns: &Columns<'_>, some: Range<usize>, edits: &mut Edits) -> Result<()> {
        let [positions, motions] = [&self.packed.positions, &self.packed.motions];
        let (places, moves) = (columns.positions, columns.motions);
        let word = |point: &Point| point.word();
        if has(places, positions, some.clone(), word) && has(moves, motions, some.clone(), word) {
            return Ok(());
        }
        Room::default().reserve(&mut edits.moved, some.len(), BODIES)?;
        for index in some {
            let [position, motion] = [point(places, index), point(moves, index)];
            let is_free = self.body_handles.serial(index as u32).is_none();
            if is_free || (positions[index] == position && motions[index] == motion) {
                continue;
            }
            let refused = |error: Error| wrong(format!("body {index}: {error}"));
            check_limits(position, motion).map_err(refused)?;
            let body = packed::Body { position, motion, ..self.packed.body(index) };
            check_inside(&body).map_err(refused)?;
            edits.moved.push(index as u32);
        }
        Ok(())
    }

    /// Finds the edit that makes the body at an index that of a file.
    fn find_formed(&self, columns: &Columns<'_>, index: usize, linear: Linear, edits: &mut Edits) -> Result<()> {
        let refused = |error: Error| wrong(format!("body {index}: {error}"));
        let serial = u64::from_le_bytes(columns.serials[index]);
        if serial == NONE {
            return Ok(());
        }
        let shape = columns.shapes.get(index);
        let Some(shape_serial) = self.shape_handles.serial(shape) else {
            return Err(wrong(format!("body {index}: there is no shape {shape}")));
        };
        let filter = *columns.filter(index).ok_or_else(|| wrong(format!("body {index} has no filter")))?;
        let (is_off, tag) = (columns.is_off(index), word(columns.tags, index));
        let body = Body {
            shape: ShapeId { index: shape, serial: shape_serial },
            at: point(columns.positions, index).units().into(),
            linear,
            motion: point(columns.motions, index).units().into(),
            layers: filter.layers,
            mask: filter.mask,
            detector: columns.is_detector(index),
            group: filter.group,
            enabled: !is_off,
            tag,
        };
        let posed = self.pose_apart(&body).map_err(refused)?;
        Room::default().reserve(&mut edits.formed, 1, BODIES)?;
        edits.formed.push(Formed { index: index as u32, serial, posed, linear, tag });
        Ok(())
    }

    /// Removes the bodies that a file does not have, and makes as many indices as it has.
    fn remove_others(&mut self, columns: &Columns<'_>, count: usize) {
        let is_gone =
            |index: usize| columns.serials.get(index).is_none_or(|serial| u64::from_le_bytes(*serial) == NONE);
        for index in (0..self.indices()).filter(|&index| is_gone(index)) {
            if self.body_handles.serial(index as u32).is_some() {
                self.leave(index);
                self.make_absent(index);
                self.changed_bodies.note(index as u32, self.packed.len());
            }
        }
        if count < self.indices() {
            self.truncate(count);
        }
        self.push_absent_until(count);
    }

    /// Makes the edits that have been checked.
    fn apply(&mut self, edits: &Edits, columns: &Columns<'_>) {
        for &Formed { index, serial, ref posed, linear, tag } in &edits.formed {
            let index = index as usize;
            if self.body_handles.serial(index as u32).is_some() {
                self.leave(index);
            }
            self.uses[posed.shape as usize] += 1;
            (self.linears[index], self.tags[index]) = (linear, tag);
            self.put_posed(index, posed);
            self.count_form_with(index, serial);
        }
        let many = edits.moved.len() * CHANGED > columns.serials.len();
        if many {
            self.changed_bodies.note_all();
        }
        for &index in &edits.moved {
            self.move_to(
                index as usize,
                point(columns.positions, index as usize),
                point(columns.motions, index as usize),
            );
            if !many {
                self.changed_bodies.note(index, self.packed.len());
            }
        }
    }

    /// Takes the body at an index out of the counts of its shape and of forms.
    fn leave(&mut self, index: usize) {
        self.uses[self.packed.poses[index].shape as usize] -= 1;
        self.discount_form(index);
    }

    /// Moves a body to where it has been checked to lie in the world.
    fn move_to(&mut self, index: usize, position: Point, motion: Point) {
        let turns = (self.packed.motions[index] == Point::ZERO) != (motion == Point::ZERO);
        (self.packed.positions[index], self.packed.motions[index]) = (position, motion);
        if turns {
            self.refresh(index);
        } else if self.packed.kinds[index] != Kind::Absent {
            let sprite = self.packed.poses[index].flags & SPRITE != 0;
            self.packed.bounds[index] = bound_of(position, motion, &self.packed.extents[index], sprite);
        }
    }
}

/// The edits that lead from a world to a saved one.
#[derive(Default)]
struct Edits {
    /// New bodies, and those that differ in more than position and motion.
    formed: Vec<Formed>,
    /// The indices of the bodies that differ in nothing but position and motion.
    moved: Vec<u32>,
}

struct Formed {
    index: u32,
    serial: u64,
    posed: packed::Body,
    linear: Linear,
    tag: u64,
}

/// The columns of a file.
struct Columns<'a> {
    serials: &'a [[u8; 8]],
    positions: &'a [[u8; 8]],
    /// Empty if nothing moves.
    motions: &'a [[u8; 8]],
    /// Empty if all are 0.
    tags: &'a [[u8; 8]],
    /// A bit for each body, set if it is switched off; empty if all are on.
    off: &'a [[u8; 1]],
    /// A bit for each body, set if it is a detector; empty if none is.
    detectors: &'a [[u8; 1]],
    shapes: Numbers<'a>,
    filters: Vec<Filter>,
    filter_numbers: Numbers<'a>,
    /// The form of each linear part; empty if all are the identity.
    forms: &'a [[u8; 1]],
    /// The numbers of the linear parts.
    linears: &'a [[u8; 8]],
}

/// A column of numbers, each of as few bytes as all need.
enum Numbers<'a> {
    Zeros,
    Bytes(&'a [[u8; 1]]),
    Shorts(&'a [[u8; 2]]),
    Words(&'a [[u8; 4]]),
}

/// The linear parts of a file, in order.
#[derive(Clone)]
struct Linears<'a> {
    forms: std::slice::Iter<'a, [u8; 1]>,
    numbers: std::slice::Iter<'a, [u8; 8]>,
}

impl<'a> Columns<'a> {
    fn read(reader: &mut Reader<'a>, version: u32, count: usize, shapes: usize) -> Result<Self> {
        let count = count as u64;
        let (serials, positions) = (reader.take(count)?, reader.take(count)?);
        let (motions, tags) = (optional(reader, count)?, optional(reader, count)?);
        let off = optional(reader, count.div_ceil(8))?;
        let detectors = if version < DETECTORS { &[][..] } else { optional(reader, count.div_ceil(8))? };
        let shapes = Numbers::read(reader, count, shapes)?;
        let kinds = reader.u32()?;
        let filters: Vec<Filter> = reader.take(kinds.into())?.iter().map(filter).collect();
        let filter_numbers = Numbers::read(reader, count, filters.len())?;
        let forms: &[[u8; 1]] = optional(reader, count)?;
        let words = |form: &[u8; 1]| match form[0] {
            IDENTITY => 0,
            TURNED | FLIPPED | SCALED => 2,
            _ => 4,
        };
        let linears = reader.take(forms.iter().map(words).sum())?;
        Ok(Self { serials, positions, motions, tags, off, detectors, shapes, filters, filter_numbers, forms, linears })
    }

    fn is_off(&self, index: usize) -> bool {
        has_bit(self.off, index)
    }

    fn is_detector(&self, index: usize) -> bool {
        has_bit(self.detectors, index)
    }

    fn filter(&self, index: usize) -> Option<&Filter> {
        self.filters.get(self.filter_numbers.get(index) as usize)
    }

    fn linears(&self) -> Linears<'a> {
        Linears { forms: self.forms.iter(), numbers: self.linears.iter() }
    }
}

impl<'a> Numbers<'a> {
    /// Reads a column of numbers below `most`.
    fn read(reader: &mut Reader<'a>, count: u64, most: usize) -> Result<Self> {
        Ok(match most {
            ..2 => Self::Zeros,
            2..=0x100 => Self::Bytes(reader.take(count)?),
            0x101..=0x1_0000 => Self::Shorts(reader.take(count)?),
            _ => Self::Words(reader.take(count)?),
        })
    }

    /// Returns the numbers of a block of at most [`TOGETHER`] bodies.
    fn block(&self, some: &Range<usize>) -> [u32; TOGETHER] {
        let mut block = [0; TOGETHER];
        let some = some.clone();
        match self {
            Self::Zeros => {}
            Self::Bytes(bytes) => block.iter_mut().zip(&bytes[some]).for_each(|(to, byte)| *to = byte[0].into()),
            Self::Shorts(shorts) => {
                block.iter_mut().zip(&shorts[some]).for_each(|(to, short)| *to = u16::from_le_bytes(*short).into());
            }
            Self::Words(words) => {
                block.iter_mut().zip(&words[some]).for_each(|(to, word)| *to = u32::from_le_bytes(*word));
            }
        }
        block
    }

    fn get(&self, index: usize) -> u32 {
        match self {
            Self::Zeros => 0,
            Self::Bytes(bytes) => bytes[index][0].into(),
            Self::Shorts(shorts) => u16::from_le_bytes(shorts[index]).into(),
            Self::Words(words) => u32::from_le_bytes(words[index]),
        }
    }
}

impl Linears<'_> {
    fn next(&mut self) -> Result<Linear> {
        let form = self.forms.next().map_or(IDENTITY, |form| form[0]);
        let mut number = || self.numbers.next().map_or(0.0, |&word| f64::from_bits(u64::from_le_bytes(word)));
        let linear = match form {
            IDENTITY => Linear::IDENTITY,
            TURNED => {
                let [a, b] = [number(), number()];
                Linear { x: [a, b], y: [-b, a] }
            }
            FLIPPED => {
                let [a, b] = [number(), number()];
                Linear { x: [a, b], y: [b, -a] }
            }
            SCALED => Linear { x: [number(), 0.0], y: [0.0, number()] },
            ANY => Linear { x: [number(), number()], y: [number(), number()] },
            other => return Err(wrong(format!("a linear part is of an unknown form, {other}"))),
        };
        Ok(linear.without_minus_zero())
    }
}

/// Returns the form of a linear part.
fn form_of(linear: &Linear) -> u8 {
    let Linear { x: [a, b], y: [c, d] } = *linear;
    if *linear == Linear::IDENTITY {
        IDENTITY
    } else if a == d && c == -b {
        TURNED
    } else if a == -d && c == b {
        FLIPPED
    } else if b == 0.0 && c == 0.0 {
        SCALED
    } else {
        ANY
    }
}

/// Appends a byte that says whether a column follows, and the column.
fn column(to: &mut Vec<u8>, has: bool, put: impl FnOnce(&mut Vec<u8>)) {
    to.push(has.into());
    if has {
        put(to);
    }
}

/// Reads a column that a byte announces; empty without it.
fn optional<'a, const SIZE: usize>(reader: &mut Reader<'a>, count: u64) -> Result<&'a [[u8; SIZE]]> {
    match reader.u8()? {
        0 => Ok(&[]),
        1 => reader.take(count),
        other => Err(reader.wrong_here(format!("{other} does not say whether a column follows: neither 0 nor 1"))),
    }
}

/// Returns true if the bit of a body is set in a column that is empty if none is.
fn has_bit(column: &[[u8; 1]], index: usize) -> bool {
    column.get(index / 8).is_some_and(|byte| byte[0] >> (index % 8) & 1 == 1)
}

/// Appends numbers below `most`, each in as few bytes as all need.
fn put_numbers(to: &mut Vec<u8>, most: usize, numbers: impl Iterator<Item = u32>) {
    match most {
        ..2 => {}
        2..=0x100 => to.extend(numbers.map(|number| number as u8)),
        0x101..=0x1_0000 => numbers.for_each(|number| to.extend((number as u16).to_le_bytes())),
        _ => numbers.for_each(|number| to.extend(number.to_le_bytes())),
    }
}

/// Returns an element of a column that is empty if all are 0.
fn word(column: &[[u8; 8]], index: usize) -> u64 {
    column.get(index).map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// Reads a filter.
fn filter(bytes: &[u8; 12]) -> Filter {
    let [layers, mask, group] = [0, 4, 8].map(|at| u32::from_le_bytes(std::array::from_fn(|k| bytes[at + k])));
    Filter { layers, mask, group }
}

/// Returns true if a range of a column of a file, which is empty if all are 0, has these values. `word` returns the
/// word that a value is in a file.
fn has<T: Pod>(column: &[[u8; 8]], values: &[T], some: Range<usize>, word: impl Fn(&T) -> u64) -> bool {
    if column.is_empty() {
        return values[some].iter().all(|value| word(value) == 0);
    }
    let (column, values) = (&column[some.clone()], &values[some]);
    if cfg!(target_endian = "little") {
        return column.as_flattened() == bytemuck::cast_slice::<T, u8>(values);
    }
    column.iter().zip(values).all(|(bytes, value)| u64::from_le_bytes(*bytes) == word(value))
}

/// As [`word`], for points.
fn point(column: &[[u8; 8]], index: usize) -> Point {
    let bits = word(column, index);
    Point::new(bits as i32, (bits >> 32) as i32)
}

/// Checks that a position and a motion are numbers that a body can have.
fn check_limits(position: Point, motion: Point) -> Result<()> {
    let within =
        |point: Point, limit: i32| Aabb { min: Point::new(-limit, -limit), max: Point::new(limit, limit) }.holds(point);
    if within(position, MAX_COORDINATE) && within(motion, MAX_MOTION) {
        return Ok(());
    }
    Err(Error::value("at", format!("{position:?} moving {motion:?}"), "lie in the world, and move within its limit"))
}
