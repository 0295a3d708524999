//! A frame of the window as egui runs it.

use std::mem;

use egui::{Context, Event, FullOutput, RawInput};

use super::{Document, Leave};

impl Document {
    /// Shows a frame, and returns what egui draws and the end that the user asks for.
    ///
    /// egui gives all keys of a frame to the field that has the keyboard when the frame begins. So that keys in a slow
    /// frame do what they do in quick ones, each has a pass of its own. A pass without events comes before it if the one
    /// before asks to be shown again at once: it may give the keyboard to a field.
    pub(crate) fn frame(&mut self, context: &Context, mut input: RawInput) -> (FullOutput, Option<Leave>) {
        let mut parts = key_by_key(mem::take(&mut input.events)).into_iter().peekable();
        let (mut output, mut leave) = (FullOutput::default(), None);
        while let Some(events) = parts.next() {
            for events in [events, Vec::new()] {
                let input = RawInput { events, ..input.clone() };
                let newer = context.run_ui(input, |ui| leave = leave.or(self.show(ui)));
                let again = newer.viewport_output.values().any(|viewport| viewport.repaint_delay.is_zero());
                output.append(newer);
                if leave.is_some() {
                    return (output, leave);
                }
                if !again || parts.peek().is_none() {
                    break;
                }
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
