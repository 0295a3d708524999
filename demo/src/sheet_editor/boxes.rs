//! Boxes under the pointer: which part is held, and what a drag makes of it.

use egui::{CursorIcon, Pos2};
use hitmask_files::NamedBox;

use crate::document::Pane;

/// The distance in points at which a side is held.
const REACH: f32 = 5.0;
/// The size of a handle in points.
pub(crate) const HANDLE: f32 = 6.0;

/// The part of a box that the pointer holds: for each axis -1 for the left or upper side, 1 for the other, 0 for none.
/// The whole box is `[0, 0]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Grip(pub(crate) [i8; 2]);

impl Grip {
    /// Returns the part of a box at a point of the window.
    pub(crate) fn at(bounds: [i32; 4], pane: &Pane, pos: Pos2) -> Option<Self> {
        let area = pane.area(bounds.map(f64::from));
        if !area.expand(REACH).contains(pos) {
            return None;
        }
        let side = |v: f32, from: f32, to: f32| {
            // The inside of a small box still moves it.
            let reach = REACH.min((to - from) / 4.0);
            i8::from(v > to - reach) - i8::from(v < from + reach)
        };
        Some(Self([side(pos.x, area.left(), area.right()), side(pos.y, area.top(), area.bottom())]))
    }

    pub(crate) fn cursor(self) -> CursorIcon {
        match self.0 {
            [0, 0] => CursorIcon::Move,
            [_, 0] => CursorIcon::ResizeHorizontal,
            [0, _] => CursorIcon::ResizeVertical,
            [x, y] if x == y => CursorIcon::ResizeNwSe,
            _ => CursorIcon::ResizeNeSw,
        }
    }

    /// Returns a box after a drag by some pixels. A side that is dragged beyond the other changes places with it.
    pub(crate) fn dragged(self, named: &NamedBox, by: [i32; 2]) -> NamedBox {
        let Self(sides) = self;
        if sides == [0; 2] {
            return moved(named, by);
        }
        let [x, y, width, height] = named.bounds;
        let mut ends = [[x, x.saturating_add(width)], [y, y.saturating_add(height)]];
        for axis in 0..2 {
            match sides[axis] {
                -1 => ends[axis][0] = ends[axis][0].saturating_add(by[axis]),
                1 => ends[axis][1] = ends[axis][1].saturating_add(by[axis]),
                _ => {}
            }
            ends[axis].sort_unstable();
            ends[axis][1] = ends[axis][1].max(ends[axis][0].saturating_add(1));
        }
        let [[left, right], [top, bottom]] = ends;
        let mut named = named.clone();
        named.bounds = [left, top, right.saturating_sub(left), bottom.saturating_sub(top)];
        named
    }
}

/// Returns a box that is moved, with its pivot and its centre.
pub(crate) fn moved(named: &NamedBox, [dx, dy]: [i32; 2]) -> NamedBox {
    let rectangle = |[x, y, width, height]: [i32; 4]| [x.saturating_add(dx), y.saturating_add(dy), width, height];
    let mut moved = named.clone();
    moved.bounds = rectangle(named.bounds);
    moved.centre = named.centre.map(rectangle);
    moved.pivot = named.pivot.map(|[x, y]| [x.saturating_add(dx), y.saturating_add(dy)]);
    moved
}

/// Returns the bounds that have both of two pixels in their corners.
pub(crate) fn spanning(a: [i32; 2], b: [i32; 2]) -> [i32; 4] {
    let [x, y] = [0, 1].map(|axis| a[axis].min(b[axis]));
    let [width, height] = [0, 1].map(|axis| a[axis].abs_diff(b[axis]) as i32 + 1);
    [x, y, width, height]
}
