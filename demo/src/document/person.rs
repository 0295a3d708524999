//! A person at the window, for tests: who sees texts, clicks, drags and types. There is no device.

use std::path::Path;

use egui::{Event, Key, Modifiers, PointerButton, Pos2, Shape};

use super::{Document, Leave};
use crate::panel;

/// The size of the window.
const SIZE: [u32; 2] = [1280, 800];

/// A person with a document.
pub(crate) struct Person {
    context: egui::Context,
    pub(crate) document: Document,
    /// The end that the person has asked for and got.
    pub(crate) left: Option<Leave>,
    time: f64,
    /// The texts in the window, with the middles of their places.
    texts: Vec<(String, Pos2)>,
}

impl Person {
    /// Opens a document.
    pub(crate) fn opens(path: &Path) -> Self {
        Self::with(Document::open(path, None).expect("it can be read").expect("it is a sheet or a level"))
    }

    pub(crate) fn with(document: Document) -> Self {
        let mut person = Self { context: panel::context(), document, left: None, time: 0.0, texts: Vec::new() };
        person.waits(0.0);
        person
    }

    /// Shows a frame of the window after some events.
    fn frame(&mut self, events: Vec<Event>) {
        let input = egui::RawInput { time: Some(self.time), events, focused: true, ..panel::input(SIZE, 1.0) };
        let (mut output, left) = self.document.frame(&self.context, input);
        self.left = self.left.or(left);
        self.texts.clear();
        for clipped in &output.shapes {
            collect(&clipped.shape, &mut self.texts);
        }
        // Nothing is drawn.
        output.textures_delta.clear();
    }

    /// Lets time pass. What is new in a frame has its place in the next.
    pub(crate) fn waits(&mut self, seconds: f64) {
        self.time += seconds;
        self.frame(Vec::new());
        self.frame(Vec::new());
    }

    /// Returns whether a text is in the window, on its own or within another one.
    pub(crate) fn sees(&self, text: &str) -> bool {
        self.texts.iter().any(|(seen, _)| seen.contains(text))
    }

    /// Returns the text that is next to another one of the panel, at its right.
    pub(crate) fn reads(&self, name: &str) -> String {
        let beside = |at: Pos2| {
            let row = self.texts.iter().filter(|(_, other)| (other.y - at.y).abs() < 6.0 && other.x > at.x + 1.0);
            row.min_by(|a, b| a.1.x.total_cmp(&b.1.x)).map(|(text, _)| text.clone())
        };
        let text = self.in_panel(name).find_map(beside);
        text.unwrap_or_else(|| panic!("nothing is beside {name}: {:?}", self.texts))
    }

    /// Returns the places of a text in the panel.
    fn in_panel(&self, text: &str) -> impl Iterator<Item = Pos2> {
        let left = SIZE[0] as f32 - panel::WIDTH;
        self.texts.iter().filter(move |(seen, at)| seen.trim() == text && at.x > left).map(|(_, at)| *at)
    }

    /// Clicks on a text of the panel.
    pub(crate) fn clicks_in_panel(&mut self, text: &str) {
        let at = self.in_panel(text).next();
        self.clicks_at(at.unwrap_or_else(|| panic!("no {text:?} in {:?}", self.texts)));
    }

    /// Returns where a text is.
    pub(crate) fn where_is(&self, text: &str) -> Pos2 {
        self.place(text).1
    }

    fn place(&self, text: &str) -> (String, Pos2) {
        let found = self.texts.iter().rfind(|(seen, _)| seen.trim() == text);
        found.cloned().unwrap_or_else(|| panic!("no {text:?} in {:?}", self.texts))
    }

    /// Clicks on a text.
    pub(crate) fn clicks(&mut self, text: &str) {
        let (_, at) = self.place(text);
        self.clicks_at(at);
    }

    pub(crate) fn clicks_at(&mut self, at: Pos2) {
        self.drags(at, at);
    }

    pub(crate) fn points_at(&mut self, at: Pos2) {
        self.frame(vec![Event::PointerMoved(at)]);
        self.waits(0.02);
    }

    /// Drags with the left button, by way of the middle.
    pub(crate) fn drags(&mut self, from: Pos2, to: Pos2) {
        self.holds(from, to);
        self.releases(to);
    }

    /// Drags, and keeps the left button down.
    pub(crate) fn holds(&mut self, from: Pos2, to: Pos2) {
        for events in [
            vec![Event::PointerMoved(from)],
            vec![left_button(from, true)],
            vec![Event::PointerMoved(from.lerp(to, 0.5))],
            vec![Event::PointerMoved(to)],
        ] {
            self.time += 0.02;
            self.frame(events);
        }
    }

    /// Goes on with a drag, and releases the left button.
    pub(crate) fn releases(&mut self, at: Pos2) {
        for events in [vec![Event::PointerMoved(at), left_button(at, false)], Vec::new()] {
            self.time += 0.02;
            self.frame(events);
        }
    }

    /// Drags, types a text and presses keys so fast, or in such a slow window, that all is in one frame.
    pub(crate) fn dashes(&mut self, from: Pos2, to: Pos2, text: &str, keys: &[Key]) {
        self.points_at(from);
        let mut events = vec![left_button(from, true), Event::PointerMoved(to), left_button(to, false)];
        events.extend(text.chars().flat_map(letter));
        events.extend(keys.iter().flat_map(|&key| [true, false].map(|down| pressing(key, down, Modifiers::NONE))));
        self.frame(events);
        self.waits(0.1);
    }

    /// Presses and releases a key.
    pub(crate) fn presses(&mut self, key: Key, modifiers: Modifiers) {
        for pressed in [true, false] {
            self.time += 0.02;
            let held = if pressed { modifiers } else { Modifiers::NONE };
            self.frame(vec![Event::ModifiersChanged(held), pressing(key, pressed, held)]);
        }
    }

    pub(crate) fn key(&mut self, key: Key) {
        self.presses(key, Modifiers::NONE);
    }

    pub(crate) fn command(&mut self, key: Key) {
        self.presses(key, Modifiers::COMMAND);
    }

    /// Types a text: each letter is a key too.
    pub(crate) fn types(&mut self, text: &str) {
        for char in text.chars() {
            self.time += 0.02;
            self.frame(letter(char));
        }
    }
}

fn pressing(key: Key, pressed: bool, modifiers: Modifiers) -> Event {
    Event::Key { key, physical_key: None, pressed, repeat: false, modifiers }
}

/// Returns the events of a letter that is typed: its key goes down, if it has one, and the text comes.
fn letter(letter: char) -> Vec<Event> {
    let key = Key::from_name(&letter.to_uppercase().to_string());
    let press = key.map(|key| pressing(key, true, Modifiers::NONE));
    press.into_iter().chain([Event::Text(letter.into())]).collect()
}

fn left_button(pos: Pos2, pressed: bool) -> Event {
    Event::PointerButton { pos, button: PointerButton::Primary, pressed, modifiers: Modifiers::NONE }
}

fn collect(shape: &Shape, texts: &mut Vec<(String, Pos2)>) {
    match shape {
        Shape::Vec(shapes) => shapes.iter().for_each(|shape| collect(shape, texts)),
        Shape::Text(text) => texts.push((text.galley.text().to_owned(), text.visual_bounding_rect().center())),
        _ => {}
    }
}
