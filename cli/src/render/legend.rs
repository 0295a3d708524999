//! The legend below a picture: the counts, the engine, and the meaning of the colours.

use hitmask::internals::printable;
use hitmask::{Engine, Hits, Touch, World};

use super::font::{Font, SIZE};
use super::ink::{COOL, Colour, Ink, SHARED, WARM};
use super::view::View;
use crate::text::count;

/// The background of a legend.
pub(super) const GROUND: Colour = [12, 13, 21];
const TEXT: Colour = [222, 226, 240];
const DIM: Colour = [150, 156, 182];
/// The minimum width of a legend, in pixels, as are all lengths here.
const LEAST: f64 = 360.0;
/// The space to the left and to the right of all lines.
const PADDING: f64 = 14.0;
/// The distance from the upper edge to the middle of the first line, and from that of the last line to the lower edge.
const EDGE: f64 = 20.0;
/// The distance between two items of a line.
const GAP: f64 = 28.0;
/// The distance from the middle of a line to that of the next.
const LINE: f64 = 24.0;
/// The width and height of a colour sample.
const SAMPLE: [f64; 2] = [7.0, 12.0];
/// The minimum length of the scale bar.
const SCALE: f64 = 48.0;

/// A part of a legend, in pixels from its top left corner.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Mark {
    Rect {
        at: [f64; 2],
        size: [f64; 2],
        ink: Ink,
    },
    /// Text; `at` is the left end of its baseline.
    Text {
        at: [f64; 2],
        width: f64,
        text: String,
        colour: Colour,
    },
}

/// The legend of a picture.
#[derive(Debug)]
pub(super) struct Legend {
    /// The width and height; at least as wide as the picture.
    pub(super) size: [u32; 2],
    pub(super) marks: Vec<Mark>,
}

/// An item of a line. Its marks are relative to the middle of its left side.
struct Item {
    marks: Vec<Mark>,
    width: f64,
}

impl Legend {
    pub(super) fn new(title: &str, world: &World, hits: &Hits, engine: &Engine, view: &View, moves: bool) -> Self {
        let width = f64::from(view.size()[0]).max(LEAST);
        let most = width - 2.0 * PADDING;
        let font = Font::new();
        let text = |text: &str, colour| Item::text(&font, text, colour, most);
        let touch = match world.touch() {
            Touch::Excluded => "touch excluded",
            Touch::Included => "touch included",
        };
        let engine = match engine.name() {
            "gpu" => format!("engine gpu: {}", engine.device()),
            name => format!("engine {name}"),
        };
        let mut counted = vec![
            text(title, TEXT),
            text(
                &format!("{}, {}", count(world.len(), "body", "bodies"), count(hits.pairs.len(), "pair", "pairs")),
                DIM,
            ),
        ];
        let mut meanings = vec![
            Item::samples(&WARM.map(Ink::opaque)).then(text("hits", DIM)),
            Item::samples(&COOL.map(Ink::opaque)).then(text("hits nothing", DIM)),
        ];
        if hits.details.iter().any(|detail| detail.area.is_some()) {
            let area: u64 = hits.details.iter().filter_map(|detail| detail.area).sum();
            counted.push(text(&count(area, "pixel in common", "pixels in common"), DIM));
            meanings.push(Item::samples(&[Ink::opaque(SHARED); 2]).then(text("pixels in common", DIM)));
        }
        counted.extend([text(touch, DIM), text(&engine, DIM)]);
        if moves {
            meanings.push(Item::way().then(text("moves; ghost: first hit, or end", DIM)));
        }
        let units = scale(view.zoom);
        let label = count(units, "pixel", "pixels");
        meanings.push(Item::scale(f64::from(units * view.zoom)).then(text(&label, DIM)));

        let (mut marks, mut middle) = (Vec::new(), EDGE - LINE);
        for items in [counted, meanings] {
            let mut x = f64::INFINITY;
            for item in items {
                if x + item.width > width - PADDING {
                    (x, middle) = (PADDING, middle + LINE);
                }
                marks.extend(item.marks.into_iter().map(|mark| mark.moved([x, middle])));
                x += item.width + GAP;
            }
        }
        Self { size: [width as u32, (middle + EDGE) as u32], marks }
    }
}

impl Item {
    /// Creates an item of text, truncated to the width of a line.
    fn text(font: &Font, text: &str, colour: Colour, most: f64) -> Self {
        let mut text = printable(text);
        let mut width = font.width(&text);
        while width > most {
            text.pop();
            text.pop();
            text.push('…');
            width = font.width(&text);
        }
        // Centre letters without a descender on the line.
        let at = [0.0, f64::from(SIZE) * 0.35];
        Self { marks: vec![Mark::Text { at, width, text, colour }], width: width.ceil() }
    }

    /// Creates an item of colour samples, side by side.
    fn samples(inks: &[Ink]) -> Self {
        let [width, height] = SAMPLE;
        let rect = |(i, &ink)| Mark::Rect { at: [width * i as f64, -height / 2.0], size: SAMPLE, ink };
        Self { marks: inks.iter().enumerate().map(rect).collect(), width: width * inks.len() as f64 }
    }

    /// Creates an item that shows how motion is drawn: a body, its ghost, and the line between them.
    fn way() -> Self {
        let [side, height] = [SAMPLE[1], SAMPLE[1]];
        let rect = |x: f64, size: [f64; 2], ink| Mark::Rect { at: [x, -size[1] / 2.0], size, ink };
        let body = rect(0.0, [side, height], Ink::opaque(WARM[0]));
        let ghost = rect(2.5 * side, [side, height], Ink { colour: WARM[0], alpha: 80 });
        let line = rect(side, [1.5 * side, 2.0], Ink { colour: WARM[0], alpha: 230 });
        Self { marks: vec![body, line, ghost], width: 3.5 * side }
    }

    /// Creates a scale bar, with a tick at either end.
    fn scale(length: f64) -> Self {
        let rect = |x: f64, size: [f64; 2]| Mark::Rect { at: [x, -size[1] / 2.0], size, ink: Ink::opaque(DIM) };
        let marks = vec![rect(0.0, [length, 2.0]), rect(0.0, [2.0, 10.0]), rect(length - 2.0, [2.0, 10.0])];
        Self { marks, width: length }
    }

    /// Appends a text that explains this item.
    fn then(mut self, text: Self) -> Self {
        let from = self.width + 8.0;
        self.marks.extend(text.marks.into_iter().map(|mark| mark.moved([from, 0.0])));
        Self { width: from + text.width, ..self }
    }
}

impl Mark {
    fn moved(mut self, [dx, dy]: [f64; 2]) -> Self {
        let (Self::Rect { at, .. } | Self::Text { at, .. }) = &mut self;
        *at = [at[0] + dx, at[1] + dy];
        self
    }
}

/// Returns the first of 1, 2, 5, 10, 20, ... world pixels that makes a bar of at least [`SCALE`].
fn scale(zoom: u32) -> u32 {
    let steps = (0..).flat_map(|power| [1, 2, 5].map(|step| step * 10_u32.pow(power)));
    steps.take(9).find(|&units| f64::from(units * zoom) >= SCALE).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scale_is_long_enough_and_round() {
        assert_eq!([1, 2, 3, 5, 8, 16, 47, 48, 256].map(scale), [50, 50, 20, 10, 10, 5, 2, 1, 1]);
    }
}
