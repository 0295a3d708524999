//! A frame of the window as egui runs it.

use std::mem;

use egui::{Context, Event, FullOutput, RawInput};

use super::{Document, Leave};

impl Document {
    /// Shows a frame, and returns what egui draws and the end that the user asks for.
    ///
    /// egui gives all keys of a frame to the field that has the keyboard when the frame begins. So that keys in a slow
    /// frame do what they do in quick ones, each has a pass of its own. Between two is a pass without events, in which
    /// a new field may take the keyboard.
    pub(crate) fn frame(&mut self, context: &Context, mut input: RawInput) -> (FullOutput, Option<Leave>) {
        let parts = key_by_key(mem::take(&mut input.events));
        let passes = parts.into_iter().flat_map(|part| [Vec::new(), part]).skip(1);
        let (mut output, mut leave) = (FullOutput::default(), None);
        for events in passes {
            let input = RawInput { events, ..input.clone() };
            output.append(context.run_ui(input, |ui| leave = leave.or(self.show(ui))));
            if leave.is_some() {
                break;
            }
        }
        (output, leave)
    }
}

/// Cuts the events of a frame before each key that goes down.
fn key_by_key(events: Vec<Event>) -> Vec<Vec<Event>> {
    let mut parts = vec![Vec::new()];
    for event in events {
        let is_press = matches!(event, Event::Key { pressed: true, .. });
        match parts.last_mut() {
            Some(part) if !is_press || part.is_empty() => part.push(event),
            _ => parts.push(vec![event]),
        }
    }
    parts
}
