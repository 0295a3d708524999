//! Pictures as SVG: a unit of the world is a unit of the inner `svg` element.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use hitmask::debug::{Curve, Step};

use super::drawing::{self, Drawing, GRID, SQUARE, Surface};
use super::figure::Run;
use super::font::{FAMILIES, SIZE};
use super::ink::{Colour, Ink};
use super::legend::{self, Legend, Mark};
use super::view::View;
use crate::text::escaped;

/// Encodes a drawing as an SVG file.
pub(super) fn picture(drawing: &Drawing) -> String {
    let view = drawing.view;
    let [width, height] = view.size();
    let sheet = drawing.legend.as_ref().map_or([width, height], |legend| [legend.size[0], height + legend.size[1]]);
    let mut svg = Svg { text: String::new(), view };
    let [all, below] = sheet;
    svg.push(format_args!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{all}\" height=\"{below}\" viewBox=\"0 0 {all} {below}\">"
    ));
    svg.push(format_args!("<title>{}</title>", escaped(&drawing.title)));
    let region = view.region;
    let left = (all - width) / 2;
    if drawing.legend.is_some() {
        svg.push(format_args!("<rect width=\"{all}\" height=\"{below}\" fill=\"{}\"/>", hex(legend::GROUND)));
    }
    svg.push(format_args!(
        "<svg x=\"{left}\" width=\"{width}\" height=\"{height}\" viewBox=\"{} {} {} {}\">",
        region.left, region.top, region.width, region.height
    ));
    drawing.draw(&mut svg);
    svg.push(format_args!("</svg>"));
    if let Some(legend) = &drawing.legend {
        svg.legend(legend, height);
    }
    svg.text + "</svg>\n"
}

/// An SVG file being written.
struct Svg {
    text: String,
    view: View,
}

impl Svg {
    fn push(&mut self, element: std::fmt::Arguments<'_>) {
        let _ = writeln!(self.text, "{element}");
    }

    fn legend(&mut self, legend: &Legend, top: u32) {
        self.push(format_args!(
            "<g class=\"legend\" transform=\"translate(0 {top})\" font-family=\"{FAMILIES}\" font-size=\"{SIZE}\">"
        ));
        for mark in &legend.marks {
            match mark {
                Mark::Rect { at: [x, y], size: [width, height], ink } => self.push(format_args!(
                    "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{}/>",
                    number(*x),
                    number(*y),
                    number(*width),
                    number(*height),
                    inked("fill", *ink)
                )),
                // `textLength` fits a viewer's own font into the width that was measured.
                Mark::Text { at: [x, y], width, text, colour } => {
                    let ([x, y], colour) = ([*x, *y].map(number), hex(*colour));
                    let text = escaped(text);
                    self.push(format_args!("<text x=\"{x}\" y=\"{y}\" textLength=\"{width:.1}\" lengthAdjust=\"spacingAndGlyphs\" fill=\"{colour}\">{text}</text>"));
                }
            }
        }
        self.push(format_args!("</g>"));
    }
}

impl Surface for Svg {
    fn ground(&mut self) {
        let region = self.view.region;
        let [even, odd] = drawing::GROUND.map(hex);
        let twice = 2 * SQUARE;
        self.push(format_args!(
            "<pattern id=\"ground\" width=\"{twice}\" height=\"{twice}\" patternUnits=\"userSpaceOnUse\">\
             <path fill=\"{even}\" d=\"M0 0h{twice}v{twice}h-{twice}z\"/>\
             <path fill=\"{odd}\" d=\"M{SQUARE} 0h{SQUARE}v{SQUARE}h-{SQUARE}zM0 {SQUARE}h{SQUARE}v{SQUARE}h-{SQUARE}z\"/></pattern>"
        ));
        self.push(format_args!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"url(#ground)\"/>",
            region.left, region.top, region.width, region.height
        ));
    }

    fn begin(&mut self, layer: &'static str, label: Option<&str>) {
        self.push(format_args!("<g class=\"{layer}\">"));
        if let Some(label) = label {
            self.push(format_args!("<title>{}</title>", escaped(label)));
        }
    }

    fn end(&mut self) {
        self.push(format_args!("</g>"));
    }

    /// Draws a path for each colour, with a rectangle for each run.
    fn pixels(&mut self, runs: &[Run], alpha: u8) {
        let mut paths: BTreeMap<Colour, String> = BTreeMap::new();
        for Run { at: [x, y], length, colour } in runs {
            let _ = write!(paths.entry(*colour).or_default(), "M{x} {y}h{length}v1h-{length}z");
        }
        for (colour, path) in paths {
            let ink = inked("fill", Ink { colour, alpha });
            self.push(format_args!("<path shape-rendering=\"crispEdges\"{ink} d=\"{path}\"/>"));
        }
    }

    fn fill(&mut self, lines: &[Curve], ink: Ink) {
        self.push(format_args!("<path{} d=\"{}\"/>", inked("fill", ink), path(lines)));
    }

    fn stroke(&mut self, lines: &[Curve], ink: Ink, width: f64) {
        self.push(format_args!(
            "<path fill=\"none\"{} stroke-width=\"{}\" stroke-linecap=\"round\" stroke-linejoin=\"round\" d=\"{}\"/>",
            inked("stroke", ink),
            number(width),
            path(lines)
        ));
    }

    fn grid(&mut self) {
        let region = self.view.region;
        let mut path = String::new();
        for x in region.columns() {
            let _ = write!(path, "M{x} {}v{}", region.top, region.height);
        }
        for y in region.rows() {
            let _ = write!(path, "M{} {y}h{}", region.left, region.width);
        }
        let width = number(self.view.pixels(1.0));
        self.push(format_args!(
            "<path class=\"grid\"{} stroke-width=\"{width}\" d=\"{path}\"/>",
            inked("stroke", GRID)
        ));
    }
}

/// Returns lines as path data.
fn path(lines: &[Curve]) -> String {
    let mut path = String::new();
    let point = |[x, y]: [f64; 2]| format!("{} {}", number(x), number(y));
    for line in lines {
        let _ = write!(path, "M{}", point(line.start));
        let mut at = line.start;
        for step in &line.steps {
            let to = point(step.to());
            let _ = match *step {
                Step::Line(_) => write!(path, "L{to}"),
                Step::Arc { centre, to: end } => {
                    let radius = number((end[0] - centre[0]).hypot(end[1] - centre[1]));
                    let large = u8::from(step.turn(at) > std::f64::consts::PI + 1e-6);
                    write!(path, "A{radius} {radius} 0 {large} 1 {to}")
                }
            };
            at = step.to();
        }
        if line.closed {
            path.push('Z');
        }
    }
    path
}

/// Rounds a number to 8 decimals, which hold every lattice step exactly.
fn number(v: f64) -> f64 {
    // Adding 0 turns -0 into 0.
    (v * 1e8).round() / 1e8 + 0.0
}

fn hex([r, g, b]: Colour) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// Returns a colour as the attribute `fill` or `stroke`, with its opacity.
fn inked(what: &str, Ink { colour, alpha }: Ink) -> String {
    let opacity = match alpha {
        255 => String::new(),
        alpha => format!(" {what}-opacity=\"{:.3}\"", f64::from(alpha) / 255.0),
    };
    format!(" {what}=\"{}\"{opacity}", hex(colour))
}
