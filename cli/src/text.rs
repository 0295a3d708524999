//! Answers as text for people: aligned, with units, and complete at any length.

use std::fmt::Write as _;
use std::io::{self, Write};

use hitmask::internals::printable;

use crate::answer::{Answer, Carried};

/// The maximum width of a column of names, in characters.
const WIDEST: usize = 60;

/// The counts and the width that must be known before the first pair is printed.
#[derive(Default)]
pub(crate) struct Summary {
    pairs: u64,
    /// For each body, whether it is in a pair.
    hit: Vec<bool>,
    /// The width of the column of pairs' first bodies.
    width: usize,
}

impl Summary {
    pub(crate) fn new(answer: &Answer) -> hitmask::Result<Self> {
        let mut summary = Self { hit: vec![false; answer.world.len()], ..Self::default() };
        let mut row = None;
        answer.each(
            false,
            |error| error,
            |pairs, _| {
                for &[a, b] in pairs {
                    summary.pairs += 1;
                    summary.hit[a as usize] = true;
                    summary.hit[b as usize] = true;
                    if row.replace(a) != Some(a) {
                        let width = answer.scene.label(a as usize).chars().count();
                        summary.width = summary.width.max(width).min(WIDEST);
                    }
                }
                Ok(())
            },
        )?;
        Ok(summary)
    }
}

/// Writes the counts, then each pair, with its details if requested.
pub(crate) fn answer(answer: &Answer, summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
    let Answer { scene, world, engine: [engine, device], .. } = answer;
    let hit = summary.hit.iter().filter(|&&hit| hit).count();
    let (bodies, pairs) = (count(world.len(), "body", "bodies"), count(summary.pairs, "pair", "pairs"));
    writeln!(out, "{bodies}, {pairs}, {hit} of the bodies in a pair; engine {engine} ({device})")?;
    if summary.pairs == 0 {
        return Ok(());
    }
    writeln!(out)?;
    let (label, width) = (|body: u32| scene.label(body as usize), summary.width);
    answer.each(answer.details, io::Error::other, |pairs, carried| {
        let mut carried = carried.iter();
        // Pairs with the same lower index.
        for row in pairs.chunk_by(|[a, _], [b, _]| a == b) {
            let a = label(row[0][0]);
            for &pair in row {
                writeln!(out, "{a:width$}  hits  {}", label(pair[1]))?;
                if let Some(detail) = carried.next() {
                    out.write_all(details(&answer.carry(pair, detail)).as_bytes())?;
                }
            }
        }
        Ok(())
    })
}

fn details(carried: &Carried) -> String {
    let mut text = String::new();
    let mut line = |key: &str, value: String| {
        let _ = writeln!(text, "    {key:<8}{value}");
    };
    if let Some([tick, ticks]) = carried.time {
        line("time", format!("tick {tick} of {ticks}"));
    }
    if let Some(area) = carried.area {
        let touch = if area == 0 { " (they only touch)" } else { "" };
        line("area", count(area, "pixel", "pixels") + touch);
    }
    if let Some([x, y, w, h]) = carried.bounds {
        line("bounds", format!("{w} x {h} pixels from ({x}, {y})"));
    }
    if let Some([x, y]) = carried.first {
        line("first", format!("pixel ({x}, {y})"));
    }
    if let Some([x, y]) = carried.sums {
        line("sums", format!("x {x}, y {y}"));
    }
    let ([x, y], depth) = (carried.normal, carried.depth);
    let units = if depth == 1.0 { "unit" } else { "units" };
    line("way out", format!("{depth} {units} along ({x}, {y})"));
    let [x, y] = carried.push;
    line("push", format!("({x}, {y}) units"));
    text
}

pub(crate) fn count(n: impl TryInto<u64> + std::fmt::Display, one: &str, many: &str) -> String {
    let text = n.to_string();
    let noun = if n.try_into().is_ok_and(|n: u64| n == 1) { one } else { many };
    format!("{text} {noun}")
}

/// Formats rows as a table, with columns as wide as their cells but at most [`WIDEST`].
pub(crate) fn table<const N: usize>(rows: &[[String; N]]) -> String {
    let mut widths = [0; N];
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().min(WIDEST).max(*width);
        }
    }
    let mut text = String::new();
    for row in rows {
        let cells: Vec<String> = row.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        let _ = writeln!(text, "{}", cells.join("  ").trim_end());
    }
    text
}

/// Makes each line of a text printable.
pub(crate) fn printable_lines(text: &str) -> String {
    text.split_inclusive('\n')
        .map(|line| line.strip_suffix('\n').map_or_else(|| printable(line), |line| printable(line) + "\n"))
        .collect()
}

/// Escapes text for XML, and replaces characters that XML cannot hold.
pub(crate) fn escaped(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut text, c| {
        match c {
            '&' => text.push_str("&amp;"),
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            '"' => text.push_str("&quot;"),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => text.push('\u{fffd}'),
            c => text.push(c),
        }
        text
    })
}
