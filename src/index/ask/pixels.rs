//! The painted pixels of a sprite along a ray, in the order in which the ray reaches them.

use super::span::{Line, Span};
use crate::cpu::narrow::view::View;
use crate::ground::aabb::Aabb;
use crate::ground::lattice::Point;
use crate::ground::predicate::{Core, apart};
use crate::ground::ticks::{TICKS, come};
use crate::ground::touch::Touch;
use crate::world::pose::texel::WORD;

/// The next thing that [`each`] visits.
pub(super) enum Next {
    Pixel,
    Row,
    Nothing,
}

/// Returns the first tick at which a ray with a radius hits the square of any painted pixel.
pub(super) fn tick(view: &View<'_>, line: &Line, radius: i32, touch: Touch) -> Option<u32> {
    let mut span = Span::NEVER;
    each(view, line, radius, |pixel, row| {
        let one = line.box_span(&square(pixel), radius);
        // Later pixels of a row are hit later, and no pixel of a later row is hit before the ray reaches that row.
        let next = match one.from > span.sure {
            _ if row > span.sure => Next::Nothing,
            true => Next::Row,
            false => Next::Pixel,
        };
        span = span.or(one);
        next
    });
    span.first_tick(|k| {
        let line = Line::new(line.from, come(line.way, k));
        let (from, mut met) = ([line.from], false);
        each(view, &line, radius, |pixel, _| {
            met = apart(Core::Hull(&from), Core::Square(square(pixel)), line.way, radius, touch).is_none();
            if met { Next::Nothing } else { Next::Pixel }
        });
        met
    })
}

pub(super) fn square(Point { x, y }: Point) -> Aabb {
    Aabb { min: Point::new(x << 8, y << 8), max: Point::new((x + 1) << 8, (y + 1) << 8) }
}

/// Calls `visit` with at least every painted pixel that is less than a lattice step farther from the ray than its
/// radius, row by row along the ray, and with the tick at which the ray reaches the row.
pub(super) fn each(view: &View<'_>, line: &Line, radius: i32, mut visit: impl FnMut(Point, f64) -> Next) {
    let Line { from, way, .. } = *line;
    let (to, wide) = (from + way, i64::from(radius) + 2);
    let pixel = |v: i64| (v >> 8) as i32;
    let within = |a: i32, b: i32, min: i32, max: i32| {
        let [low, high] = [a.min(b), a.max(b)].map(i64::from);
        [min.max(pixel(low - wide)), max.min(pixel(high + wide) + 1)]
    };
    let Aabb { min, max } = view.pixels;
    let [top, bottom] = within(from.y, to.y, min.y, max.y);
    let [left, right] = within(from.x, to.x, min.x, max.x);
    for row in 0..(bottom - top).max(0) {
        let y = if way.y < 0 { bottom - 1 - row } else { top + row };
        let (tick, [first, last]) = columns(line, y, wide);
        let [left, right] = [left.max(pixel(first - wide)), right.min(pixel(last + wide) + 1)];
        let [left, right] = if left < right { view.columns(y, [left, right]) } else { [left, left] };
        let words = if left < right { (right - left + WORD - 1) / WORD } else { 0 };
        'row: for word in 0..words {
            let x = left + WORD * if way.x < 0 { words - 1 - word } else { word };
            let mut bits = view.painted_word(x, y) & (u64::MAX >> (WORD - (right - x).min(WORD)));
            while bits != 0 {
                let lane = if way.x < 0 { bits.ilog2() } else { bits.trailing_zeros() };
                bits &= !(1 << lane);
                match visit(Point::new(x + lane as i32, y), tick) {
                    Next::Pixel => {}
                    Next::Row => break 'row,
                    Next::Nothing => return,
                }
            }
        }
    }
}

/// Returns the tick at which a line comes within `wide` of pixel row `y`, and the range of x that it covers there, in
/// lattice steps, rounded outward.
fn columns(&Line { from, way, .. }: &Line, y: i32, wide: i64) -> (f64, [i64; 2]) {
    let part = |v: i64| ((v - i64::from(from.y)) as f64 / f64::from(way.y)).clamp(0.0, 1.0);
    let (a, b) = (part((i64::from(y) << 8) - wide), part((i64::from(y + 1) << 8) + wide));
    // A horizontal line is in its row from start to end.
    let (enter, leave) = if way.y == 0 { (0.0, 1.0) } else { (a.min(b), a.max(b)) };
    let [x, to] = [enter, leave].map(|part| f64::from(from.x) + f64::from(way.x) * part);
    (enter * f64::from(TICKS), [x.min(to).floor() as i64, x.max(to).ceil() as i64])
}
