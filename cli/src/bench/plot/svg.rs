//! The few elements of SVG that a picture takes.

use std::fmt::Write as _;

use crate::text::escaped;

/// Where text stands from its place.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A picture as it grows.
pub(super) struct Svg {
    text: String,
}

impl Svg {
    /// A white sheet, in pixels.
    pub(super) fn new(width: f64, height: f64) -> Self {
        let (width, height) = (width.ceil(), height.ceil());
        let text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
             font-family=\"sans-serif\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"#FFFFFF\"/>\n"
        );
        Self { text }
    }

    /// A straight line; `dashes` as in `stroke-dasharray`, empty for none.
    pub(super) fn line(&mut self, [[x1, y1], [x2, y2]]: [[f64; 2]; 2], colour: &str, width: f64, dashes: &str) {
        let dashes = dash(dashes);
        self.push(format_args!(
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{colour}\" stroke-width=\"{width}\"{dashes}/>"
        ));
    }

    /// A line through points.
    pub(super) fn polyline(&mut self, points: &[[f64; 2]], colour: &str, dashes: &str) {
        let points: Vec<String> = points.iter().map(|[x, y]| format!("{x:.1},{y:.1}")).collect();
        let (points, dashes) = (points.join(" "), dash(dashes));
        self.push(format_args!(
            "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"{dashes}/>"
        ));
    }

    /// One of five marks: a disc, a square, a triangle up, a diamond, a triangle down.
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

    /// A line of text on its baseline.
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

    /// Text with white around its letters, from its left end.
    pub(super) fn haloed(&mut self, [x, y]: [f64; 2], text: &str, size: f64, colour: &str) {
        let text = escaped(text);
        self.push(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" fill=\"{colour}\" stroke=\"#FFFFFF\" stroke-width=\"3\" \
             paint-order=\"stroke\">{text}</text>"
        ));
    }

    /// Text that runs upward, its middle here.
    pub(super) fn turned(&mut self, [x, y]: [f64; 2], text: &str, size: f64, colour: &str) {
        let text = escaped(text);
        self.push(format_args!(
            "<text transform=\"translate({x:.1} {y:.1}) rotate(-90)\" font-size=\"{size}\" fill=\"{colour}\" \
             text-anchor=\"middle\">{text}</text>"
        ));
    }

    /// The file.
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

/// About how wide a text is, in whatever font a viewer has: no letter of it is known.
pub(super) fn width(text: &str, size: f64) -> f64 {
    0.6 * size * text.chars().count() as f64
}

/// A text in lines of at most this width, broken at spaces.
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
