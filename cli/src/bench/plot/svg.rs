//! The few SVG elements that a plot needs.

use std::fmt::Write as _;

use crate::text::escaped;

/// The point of a text that lies at its position.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// An SVG file being written.
pub(super) struct Svg {
    text: String,
}

impl Svg {
    /// Creates a white sheet, in pixels.
    pub(super) fn new(width: f64, height: f64) -> Self {
        let (width, height) = (width.ceil(), height.ceil());
        let text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
             font-family=\"sans-serif\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"#FFFFFF\"/>\n"
        );
        Self { text }
    }

    /// Draws a straight line; `dashes` is a `stroke-dasharray`, or empty.
    pub(super) fn line(&mut self, [[x1, y1], [x2, y2]]: [[f64; 2]; 2], colour: &str, width: f64, dashes: &str) {
        let dashes = dash(dashes);
        self.push(format_args!(
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{colour}\" stroke-width=\"{width}\"{dashes}/>"
        ));
    }

    /// Draws a line through points.
    pub(super) fn polyline(&mut self, points: &[[f64; 2]], colour: &str, dashes: &str) {
        let points: Vec<String> = points.iter().map(|[x, y]| format!("{x:.1},{y:.1}")).collect();
        let (points, dashes) = (points.join(" "), dash(dashes));
        self.push(format_args!(
            "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"{dashes}/>"
        ));
    }

    /// Draws one of five marks: a disc, a square, a triangle up, a diamond, a triangle down.
    pub(super) fn mark(&mut self, [x, y]: [f64; 2], kind: usize, colour: &str) {
        let corners: &[[f64; 2]] = match kind % 5 {
            0 => {
                return self.push(format_args!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{colour}\"/>"));
            }
            1 => &[[-3.6, -3.6], [3.6, -3.6], [3.6, 3.6], [-3.6, 3.6]],
            2 => &[[0.0, -5.0], [4.6, 3.4], [-4.6, 3.4]],
            3 => &[[0.0, -5.2], [5.2, 0.0], [0.0, 5.2], [-5.2, 0.0]],
            _ => &[[0.0, 5.0], [4.6, -3.4], [-4.6, -3.4]],
        };
        let points: Vec<String> = corners.iter().map(|[dx, dy]| format!("{:.1},{:.1}", x + dx, y + dy)).collect();
        self.push(format_args!("<polygon points=\"{}\" fill=\"{colour}\"/>", points.join(" ")));
    }

    /// Draws a line of text on its baseline.
    pub(super) fn text(&mut self, [x, y]: [f64; 2], text: &str, size: f64, colour: &str, anchor: Anchor) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let text = escaped(text);
        self.push(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" fill=\"{colour}\" text-anchor=\"{anchor}\">{text}</text>"
        ));
    }

    /// Draws text with a white outline, from its left end.
    pub(super) fn haloed(&mut self, [x, y]: [f64; 2], text: &str, size: f64, colour: &str) {
        let text = escaped(text);
        self.push(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" fill=\"{colour}\" stroke=\"#FFFFFF\" stroke-width=\"3\" \
             paint-order=\"stroke\">{text}</text>"
        ));
    }

    /// Draws text that runs upward, centred on a point.
    pub(super) fn turned(&mut self, [x, y]: [f64; 2], text: &str, size: f64, colour: &str) {
        let text = escaped(text);
        self.push(format_args!(
            "<text transform=\"translate({x:.1} {y:.1}) rotate(-90)\" font-size=\"{size}\" fill=\"{colour}\" \
             text-anchor=\"middle\">{text}</text>"
        ));
    }

    /// Returns the file.
    pub(super) fn finish(self) -> String {
        self.text + "</svg>\n"
    }

    fn push(&mut self, element: std::fmt::Arguments<'_>) {
        let _ = writeln!(self.text, "{element}");
    }
}

fn dash(dashes: &str) -> String {
    if dashes.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dashes}\"") }
}

/// Estimates the width of a text; the font is the viewer's and not known.
pub(super) fn width(text: &str, size: f64) -> f64 {
    0.6 * size * text.chars().count() as f64
}

/// Breaks a text at spaces into lines of at most this width.
pub(super) fn wrapped(text: &str, size: f64, most: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if width(line, size) + width(word, size) + 0.6 * size <= most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.into()),
        }
    }
    lines
}
