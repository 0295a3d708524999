//! Saving events as bytes. `docs/save-format.md` defines the format.

use super::{Events, TaggedPair};
use crate::ground::error::Result;
use crate::ground::memory::{Need, Room};
use crate::ground::touch::Touch;
use crate::world::body::BodyId;
use crate::world::save::file::{self, Content, HEADER, Header, Reader, put_u32s, put_u64s, wrong};

/// The bytes of a pair: two indices, two serial numbers, two tags.
const PAIR: usize = 40;
/// The bytes of the place of a pair among the hits.
const PLACE: usize = 4;
/// The number of hits that a file can number.
const MOST: usize = 1 << 31;
/// The memory of events, saved or loaded.
const SAVED: Need = Need { what: "the saved events", advice: "save into memory that was used before", beside: 0 };

impl Events {
    /// Saves the pairs of the last step as bytes that are the same on every machine, to be kept beside the saved world.
    ///
    /// After [`Events::load`] the next [`Events::update`] finds the same events, as long as the world is loaded too.
    /// The hits that [`Event::hit`](super::Event::hit) refers to are not saved. Returns
    /// [`Error::Capacity`](crate::Error::Capacity) if there is not enough memory, or for 2^31 hits and more.
    ///
    /// ```
    /// use hitmask::response::Events;
    /// use hitmask::{Ask, Body, Engine, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// world.add_all(&[Body::new(ball, [0, 0]), Body::new(ball, [1, 0])])?;
    /// let (mut engine, mut events) = (Engine::cpu()?, Events::default());
    /// let hits = engine.run(&world, Ask::Pairs)?;
    /// events.update(&world, &hits)?;
    /// let mut loaded = Events::load(&events.save()?)?;
    /// assert_eq!(loaded.began(), events.began());
    /// loaded.update(&world, &hits)?;
    /// assert_eq!(loaded.stayed().len(), 1); // the pair is not new
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn save(&self) -> Result<Vec<u8>> {
        let mut to = Vec::new();
        self.save_into(&mut to)?;
        Ok(to)
    }

    /// Saves as [`Events::save`] does, into a buffer whose content it replaces. On an error the buffer is empty.
    ///
    /// ```
    /// use hitmask::response::Events;
    ///
    /// let mut ring = vec![Vec::new(); 8];
    /// Events::default().save_into(&mut ring[0])?;
    /// assert_eq!(ring[0], Events::default().save()?);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn save_into(&self, to: &mut Vec<u8>) -> Result<()> {
        to.clear();
        let (pairs, ended) = (self.pairs.len(), self.ended.len());
        let last = [self.began.last(), self.stayed.last()].into_iter().flatten().map(|event| event.hit).max();
        if last.is_some_and(|last| last >= MOST) || ended >= MOST {
            let bytes = |count: usize| PAIR as u64 * count as u64;
            return Err(SAVED.refused(bytes(pairs.max(ended)), "the format", bytes(MOST - 1)));
        }
        Room::default().reserve(to, HEADER + 4 + PAIR * (pairs + ended) + PLACE * pairs, SAVED)?;
        let (content, count, touch) = (Content::Events, pairs as u32, Touch::default());
        file::begin(to, Header { version: file::FIRST, content, shapes: 0, count, touch });
        put_u32s(to, &[ended as u32]);
        for TaggedPair { pair: [a, b], tags } in self.pairs.iter().chain(&self.ended) {
            put_u32s(to, &[a.index, b.index]);
            put_u64s(to, &[a.serial, b.serial]);
            put_u64s(to, tags);
        }
        let mut began = self.began.iter().peekable();
        let mut stayed = self.stayed.iter();
        for TaggedPair { pair, .. } in &self.pairs {
            let (event, is_new) = match began.next_if(|event| event.pair == *pair) {
                Some(event) => (Some(event), 1),
                None => (stayed.next(), 0),
            };
            put_u32s(to, &[event.map_or(0, |event| event.hit as u32) << 1 | is_new]);
        }
        file::end(to);
        Ok(())
    }

    /// Loads events that [`Events::save`] saved.
    ///
    /// Returns [`Error::Saved`](crate::Error::Saved) if the file is truncated, damaged, of a later version, or of
    /// another kind.
    ///
    /// ```
    /// use hitmask::response::Events;
    ///
    /// let error = Events::load(b"hitmask?").unwrap_err().to_string();
    /// assert_eq!(error, "saved file: it does not begin as a file that hitmask saved");
    /// ```
    pub fn load(file: &[u8]) -> Result<Self> {
        let mut events = Self::default();
        events.load_into(file)?;
        Ok(events)
    }

    /// Loads events that [`Events::save`] saved into these, whose memory is used again. On an error nothing changes.
    ///
    /// ```
    /// use hitmask::response::Events;
    ///
    /// let (saved, mut events) = (Events::default().save()?, Events::default());
    /// events.load_into(&saved)?;
    /// assert!(events.load_into(&saved[1..]).is_err());
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn load_into(&mut self, file: &[u8]) -> Result<()> {
        let (header, mut reader) = Reader::open(file, Content::Events)?;
        let ended = reader.u32()?;
        let pairs = reader.take::<PAIR>(header.count.into())?;
        let ended = reader.take::<PAIR>(ended.into())?;
        let places = reader.take::<PLACE>(header.count.into())?;
        reader.end()?;
        check(pairs)?;
        check(ended)?;
        let places = || places.iter().map(|place| u32::from_le_bytes(*place));
        if !places().map(|place| place >> 1).is_sorted_by(|a, b| a < b) {
            return Err(wrong("the places of its pairs among the hits do not ascend"));
        }
        let (room, count) = (Room::default(), places().filter(|place| place & 1 == 1).count());
        room.grow_to(&mut self.pairs, pairs.len(), SAVED)?;
        room.grow_to(&mut self.ended, ended.len(), SAVED)?;
        room.grow_to(&mut self.began, count, SAVED)?;
        room.grow_to(&mut self.stayed, pairs.len() - count, SAVED)?;
        let Self { pairs: all, began: new, stayed, ended: old, .. } = self;
        all.clear();
        new.clear();
        stayed.clear();
        old.clear();
        all.extend(pairs.iter().map(TaggedPair::read));
        old.extend(ended.iter().map(TaggedPair::read));
        for (pair, place) in all.iter().zip(places()) {
            let events = if place & 1 == 1 { &mut *new } else { &mut *stayed };
            events.push(pair.event((place >> 1) as usize));
        }
        Ok(())
    }
}

impl TaggedPair {
    fn read(bytes: &[u8; PAIR]) -> Self {
        let word = |at: usize| u64::from_le_bytes(std::array::from_fn(|k| bytes[at + k]));
        let index = |at: usize| u32::from_le_bytes(std::array::from_fn(|k| bytes[at + k]));
        let body = |k: usize| BodyId { index: index(4 * k), serial: word(8 + 8 * k) };
        Self { pair: [body(0), body(1)], tags: [word(24), word(32)] }
    }
}

/// Checks that pairs are of two bodies each, and that they ascend.
fn check(pairs: &[[u8; PAIR]]) -> Result<()> {
    let mut last = None;
    for pair in pairs.iter().map(TaggedPair::read) {
        let [a, b] = pair.indices();
        if a >= b || pair.pair.iter().any(|body| body.serial == 0) {
            return Err(wrong(format!("bodies {a} and {b} are no pair")));
        }
        if last.replace([a, b]).is_some_and(|last| last >= [a, b]) {
            return Err(wrong(format!("the pair of bodies {a} and {b} is out of order")));
        }
    }
    Ok(())
}
