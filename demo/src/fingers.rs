//! Fingers on the screen: one drags, two move and zoom the view.

use winit::event::{Touch, TouchPhase};

/// The factor by which two fingers part for a level of zoom.
const LEVEL: f64 = 1.25;

/// An action of fingers, in window pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Gesture {
    /// A first finger touches the screen here.
    Press([f64; 2]),
    /// The only finger moves here.
    Move([f64; 2]),
    /// Two fingers move the view, and zoom it by some levels about a point.
    Pinch { by: [f64; 2], about: [f64; 2], levels: i32 },
    /// The last finger, or one of two, leaves the screen.
    Release,
}

/// The fingers that are down.
#[derive(Default)]
pub(crate) struct Fingers {
    /// Their numbers and positions, the first two only.
    down: Vec<(u64, [f64; 2])>,
    /// The distance of two fingers at the last level of zoom.
    span: f64,
    /// True if there was a second finger since the first came down.
    pinched: bool,
}

impl Fingers {
    /// Takes an event of a finger. A finger that comes down on the panel is ignored.
    pub(crate) fn take(&mut self, touch: &Touch, is_on_panel: bool) -> Option<Gesture> {
        let at = [touch.location.x, touch.location.y];
        let place = self.down.iter().position(|(id, _)| *id == touch.id);
        match (touch.phase, place) {
            (TouchPhase::Started, None) if !is_on_panel && self.down.len() < 2 => {
                self.down.push((touch.id, at));
                self.span = self.span();
                self.pinched = self.down.len() == 2;
                if self.pinched { Some(Gesture::Release) } else { Some(Gesture::Press(at)) }
            }
            (TouchPhase::Moved, Some(place)) => {
                let before = self.middle();
                self.down[place].1 = at;
                if self.down.len() < 2 {
                    return (!self.pinched).then_some(Gesture::Move(at));
                }
                let about = self.middle();
                let levels = ((self.span() / self.span).ln() / LEVEL.ln()).trunc();
                self.span *= LEVEL.powf(levels);
                Some(Gesture::Pinch { by: [before[0] - about[0], before[1] - about[1]], about, levels: levels as i32 })
            }
            (TouchPhase::Ended | TouchPhase::Cancelled, Some(place)) => {
                self.down.remove(place);
                Some(Gesture::Release)
            }
            _ => None,
        }
    }

    fn middle(&self) -> [f64; 2] {
        let count = self.down.len().max(1) as f64;
        [0, 1].map(|axis| self.down.iter().map(|(_, at)| at[axis]).sum::<f64>() / count)
    }

    /// Returns the distance of two fingers, at least 1.
    fn span(&self) -> f64 {
        match self.down[..] {
            [(_, from), (_, to)] => (from[0] - to[0]).hypot(from[1] - to[1]).max(1.0),
            _ => 1.0,
        }
    }
}
