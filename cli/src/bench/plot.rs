//! Results as a picture: time over number of bodies, both on logarithmic scales, with a panel for each workload and a
//! line for each engine.
//!
//! ```text
//! title, machine
//!    workload
//!    ^ time         / cpu sorted      a label at the end of each line
//!    |          ../
//!    |     ../ ______ gpu sorted
//!    +--------------> bodies          the same scales in all panels
//! ```

mod axis;
mod labels;
mod svg;

use hitmask::internals::printable;

use super::record::{Case, Record};
use super::size::short;
use super::text::workloads;
use super::units::time;
use axis::Axis;
use svg::{Anchor, Svg};

/// Colours that colour-blind readers can tell apart (Okabe and Ito, *Color Universal Design*, 2008), without the
/// yellow, which is hard to see on white.
const COLOURS: [&str; 7] = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"];
/// The colours of text, of secondary text, of decades, and of the lines between decades.
const INK: &str = "#222222";
const GREY: &str = "#666666";
const GRID: &str = "#D4D4D4";
const FAINT: &str = "#EFEFEF";
/// Font sizes, in pixels.
const LARGE: f64 = 17.0;
const MEDIUM: f64 = 13.0;
const SMALL: f64 = 12.0;
/// The size of a panel's frame, in pixels, if there is one panel, and if there are more.
const FRAME: [[f64; 2]; 2] = [[520.0, 360.0], [330.0, 250.0]];
/// The space beside a frame: to the left (numbers and axis title), above (the workload), below (numbers and title).
const LEFT: f64 = 76.0;
const ABOVE: f64 = 34.0;
const BELOW: f64 = 56.0;
/// The margin of the picture.
const MARGIN: f64 = 18.0;
/// The time of a frame at 60 Hz, in nanoseconds.
const SIXTY_HZ: f64 = 1e9 / 60.0;

/// A line, with its label and its index among all lines, which determines its colour and mark.
struct Series<'a> {
    label: &'a str,
    index: usize,
    /// Its cases by number of bodies.
    cases: Vec<&'a Case>,
}

/// Draws a record as SVG.
pub(super) fn record(record: &Record) -> String {
    let labels = labels::labels(&record.cases);
    let panels: Vec<&[Case]> = workloads(&record.cases).collect();
    let columns = panels.len().clamp(1, 2);
    let frame = FRAME[columns - 1];
    let names: Vec<&String> = labels.iter().collect();
    let right = 34.0 + names.iter().map(|label| svg::width(label, SMALL)).fold(0.0, f64::max);
    let panel = [LEFT + frame[0] + right, ABOVE + frame[1] + BELOW];
    let width = 2.0 * MARGIN + columns as f64 * panel[0];
    let mut notes = vec![record.version_line(), record.machine_line()];
    notes.extend(record.engines.iter().map(super::record::EngineRecord::line));
    notes.push("Marks are medians; bars reach from the least to the greatest time.".into());
    let notes: Vec<String> = notes.iter().flat_map(|note| svg::wrapped(note, SMALL, width - 2.0 * MARGIN)).collect();
    let top = MARGIN + 30.0 + 16.0 * notes.len() as f64 + 10.0;
    let height = top + panels.len().div_ceil(columns) as f64 * panel[1] + MARGIN;

    let mut svg = Svg::new(width, height);
    svg.text([MARGIN, MARGIN + LARGE], &heading(&record.cases), LARGE, INK, Anchor::Start);
    for (line, note) in notes.iter().enumerate() {
        svg.text([MARGIN, MARGIN + 40.0 + 16.0 * line as f64], note, SMALL, GREY, Anchor::Start);
    }
    let x = Axis::over(record.cases.iter().map(|case| case.bodies as f64), frame[0]);
    let spread = record.cases.iter().flat_map(|case| [case.time.min_ns as f64, case.time.max_ns as f64]);
    let y = Axis::over(spread, frame[1]);
    for (index, cases) in panels.iter().enumerate() {
        let at =
            [MARGIN + LEFT + (index % columns) as f64 * panel[0], top + ABOVE + (index / columns) as f64 * panel[1]];
        Panel { at, frame, x: &x, y: &y }.draw(&mut svg, cases, &series(cases, &labels));
    }
    svg.finish()
}

/// Returns the title.
fn heading(cases: &[Case]) -> String {
    let what = match cases.first() {
        Some(case) if cases.iter().all(|other| other.ask == case.ask) => match &*case.ask {
            "flags" => "flags",
            "details" => "pairs and their details",
            _ => "ordered pairs",
        },
        _ => "an answer",
    };
    let of = if cases.first().is_some_and(|case| case.moving) { "a frame of moving bodies" } else { "a frame" };
    match cases.first().map_or(1000, |case| case.moved_permille) {
        1000 => format!("Time of {of}, from positions to {what}"),
        permille => format!("Time of {of}, {permille} of 1000 bodies moved, to {what}"),
    }
}

/// Returns the lines of a panel.
fn series<'a>(cases: &'a [Case], labels: &'a [String]) -> Vec<Series<'a>> {
    let of_label = |(index, label): (usize, &'a String)| {
        let mut cases: Vec<&Case> = cases.iter().filter(|case| labels::full(case) == *label).collect();
        cases.sort_by_key(|case| case.bodies);
        Series { label, index, cases }
    };
    labels.iter().enumerate().map(of_label).filter(|series| !series.cases.is_empty()).collect()
}

/// A panel, positioned by the upper left corner of its frame.
struct Panel<'a> {
    at: [f64; 2],
    frame: [f64; 2],
    x: &'a Axis,
    y: &'a Axis,
}

impl Panel<'_> {
    fn draw(&self, svg: &mut Svg, cases: &[Case], series: &[Series<'_>]) {
        let [left, top] = self.at;
        let [width, height] = self.frame;
        let name = cases.first().map_or_else(String::new, |case| printable(&case.workload));
        svg.text([left, top - 12.0], &name, MEDIUM + 1.0, INK, Anchor::Start);
        self.grid(svg);
        svg.text([left + width / 2.0, top + height + 42.0], "bodies", SMALL, INK, Anchor::Middle);
        svg.turned([left - 62.0, top + height / 2.0], "time of a frame", SMALL, INK);
        for series in series {
            self.line(svg, series);
        }
        self.name_sixty_hz(svg);
        self.label(svg, series);
    }

    /// Converts a number of bodies and a time to a point in the picture.
    fn place(&self, bodies: f64, ns: f64) -> [f64; 2] {
        [self.at[0] + self.x.at(bodies), self.at[1] + self.frame[1] - self.y.at(ns)]
    }

    /// Draws the decades with their numbers, fainter lines at their multiples, and a dashed one at 60 Hz.
    fn grid(&self, svg: &mut Svg) {
        let [left, top] = self.at;
        let [right, bottom] = [left + self.frame[0], top + self.frame[1]];
        let vertical = |svg: &mut Svg, x: f64, colour| svg.line([[x, top], [x, bottom]], colour, 1.0, "");
        let horizontal = |svg: &mut Svg, y: f64, colour| svg.line([[left, y], [right, y]], colour, 1.0, "");
        for value in self.x.between() {
            vertical(svg, self.place(value, 1.0)[0], FAINT);
        }
        for value in self.y.between() {
            horizontal(svg, self.place(1.0, value)[1], FAINT);
        }
        for value in self.x.decades() {
            let x = self.place(value, 1.0)[0];
            vertical(svg, x, GRID);
            svg.text([x, bottom + 18.0], &short(value as u64), SMALL, INK, Anchor::Middle);
        }
        for value in self.y.decades() {
            let y = self.place(1.0, value)[1];
            horizontal(svg, y, GRID);
            let text = time(value as u64).replace(".00", "").replace(".0", "");
            svg.text([left - 8.0, y + 4.0], &text, SMALL, INK, Anchor::End);
        }
        if self.y.holds(SIXTY_HZ) {
            let y = self.place(1.0, SIXTY_HZ)[1];
            svg.line([[left, y], [right, y]], "#999999", 1.0, "5 4");
        }
    }

    /// Labels the line at 60 Hz, above all that crosses it.
    fn name_sixty_hz(&self, svg: &mut Svg) {
        if self.y.holds(SIXTY_HZ) {
            let y = self.place(1.0, SIXTY_HZ)[1];
            svg.haloed([self.at[0] + 6.0, y - 5.0], "a frame at 60 Hz", SMALL - 1.0, GREY);
        }
    }

    /// Draws a line, a mark at each median, and a bar from the minimum to the maximum time.
    fn line(&self, svg: &mut Svg, series: &Series<'_>) {
        let colour = COLOURS[series.index % COLOURS.len()];
        // The colours repeat with dashed lines.
        let dashes = if series.index < COLOURS.len() { "" } else { "6 3" };
        let medians: Vec<[f64; 2]> =
            series.cases.iter().map(|case| self.place(case.bodies as f64, case.time.median_ns as f64)).collect();
        svg.polyline(&medians, colour, dashes);
        for (case, &at) in series.cases.iter().zip(&medians) {
            let ends = [case.time.min_ns, case.time.max_ns].map(|ns| self.place(case.bodies as f64, ns as f64));
            svg.line(ends, colour, 1.5, "");
            svg.mark(at, series.index, colour);
        }
    }

    /// Draws the label of each line to the right of the frame, as near to the line's end as other labels allow.
    fn label(&self, svg: &mut Svg, series: &[Series<'_>]) {
        let end = |series: &Series<'_>| {
            let last = series.cases.last()?;
            Some(self.place(last.bodies as f64, last.time.median_ns as f64))
        };
        let mut ends: Vec<(&Series<'_>, [f64; 2])> =
            series.iter().filter_map(|series| Some((series, end(series)?))).collect();
        ends.sort_by(|a, b| a.1[1].total_cmp(&b.1[1]));
        let wanted: Vec<f64> = ends.iter().map(|(_, at)| at[1]).collect();
        let [top, bottom] = [self.at[1], self.at[1] + self.frame[1]];
        let x = self.at[0] + self.frame[0] + 16.0;
        for ((series, at), y) in ends.iter().zip(labels::apart(&wanted, [top, bottom], SMALL + 3.0)) {
            let colour = COLOURS[series.index % COLOURS.len()];
            svg.line([[at[0] + 6.0, at[1]], [x - 4.0, y]], colour, 0.8, "2 2");
            svg.mark([x + 2.0, y], series.index, colour);
            svg.text([x + 11.0, y + 4.0], series.label, SMALL, INK, Anchor::Start);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::tests::{case, record as of};
    use super::*;

    #[test]
    fn each_workload_has_a_panel_and_each_engine_a_line() {
        let mut cases = Vec::new();
        for workload in ["boxes", "a<b>&\"c\".json"] {
            for n in [1000, 10_000] {
                cases.extend(
                    [("cpu", "auto"), ("cpu", "sorted"), ("gpu", "auto")]
                        .map(|(backend, broad)| case(workload, n, backend, broad, u64::from(n) * 17)),
                );
            }
        }
        let svg = record(&of(cases));
        assert_eq!(svg.matches("<polyline").count(), 6);
        for text in [
            ">boxes<",
            ">a&lt;b&gt;&amp;&quot;c&quot;.json<",
            ">cpu auto<",
            ">10k<",
            ">bodies<",
            ">10 µs<",
            "A &amp; B &lt;C&gt;",
        ] {
            assert!(svg.contains(text), "{text} is not in {svg}");
        }
    }

    #[test]
    fn nothing_is_drawn_of_nothing() {
        let mut empty = case("empty.json", 0, "cpu", "auto", 0);
        empty.samples_ns.clear();
        for svg in [record(&of(vec![])), record(&of(vec![empty]))] {
            assert!(svg.ends_with("</svg>\n") && !svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }
}
