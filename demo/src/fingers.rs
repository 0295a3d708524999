//! Fingers on the screen: one drags, two move and zoom the view.

use winit::event::{Touch, TouchPhase};

/// An action of fingers, in window pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Gesture {
    /// A first finger touches the screen here.
    Press([f64; 2]),
    /// The only finger moves here.
    Move([f64; 2]),
    /// A second finger touches the screen.
    Pair,
    /// Two fingers move the view, and zoom it about a point. `ratio` is their distance, divided by that at the start.
    Pinch { by: [f64; 2], about: [f64; 2], ratio: f64 },
    /// The last finger, or one of two, leaves the screen.
    Release,
}

/// The fingers that are down.
#[derive(Default)]
pub(crate) struct Fingers {
    /// Their numbers and positions, the first two only.
    down: Vec<(u64, [f64; 2])>,
    /// The distance of two fingers when the second came down.
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
                Some(if self.pinched { Gesture::Pair } else { Gesture::Press(at) })
            }
            (TouchPhase::Moved, Some(place)) => {
                let before = self.middle();
                self.down[place].1 = at;
                if self.down.len() < 2 {
                    return (!self.pinched).then_some(Gesture::Move(at));
                }
                let about = self.middle();
                let by = [before[0] - about[0], before[1] - about[1]];
                Some(Gesture::Pinch { by, about, ratio: self.span() / self.span })
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

#[cfg(test)]
mod tests {
    use winit::event::DeviceId;

    use super::*;
    use crate::camera::{Camera, Zoom};

    /// The gestures of events: the phase, the finger, and where it is.
    fn gestures(events: &[(TouchPhase, u64, [f64; 2])]) -> Vec<Gesture> {
        let mut fingers = Fingers::default();
        let touch = |&(phase, id, [x, y]): &(TouchPhase, u64, [f64; 2])| {
            let touch = Touch { device_id: DeviceId::dummy(), phase, location: (x, y).into(), force: None, id };
            fingers.take(&touch, false)
        };
        events.iter().filter_map(touch).collect()
    }

    #[test]
    fn two_fingers_move_the_view_as_far_as_they_move() {
        use TouchPhase::{Moved, Started};
        for steps in [1, 3, 8] {
            for step in [1.0, -1.0, 0.25, -3.0, 7.5] {
                let mut events = vec![(Started, 0, [100.0, 100.0]), (Started, 1, [300.0, 100.0])];
                for n in 1..=steps {
                    let by = f64::from(n) * step;
                    events.extend([(Moved, 0, [100.0 - by, 100.0 + by]), (Moved, 1, [300.0 - by, 100.0 + by])]);
                }
                let mut camera = Camera::new(Zoom::of(1.0).unwrap(), [0, 0]);
                for gesture in gestures(&events) {
                    if let Gesture::Pinch { by, .. } = gesture {
                        camera.pan(by);
                    }
                }
                let [x, y] = camera.point([0.0, 0.0]);
                let moved = f64::from(steps) * step;
                assert!((x - moved).abs() <= 0.5 && (y + moved).abs() <= 0.5, "{steps} of {step}: {x} {y}");
            }
        }
    }

    #[test]
    fn the_ratio_is_that_of_the_start() {
        use TouchPhase::{Ended, Moved, Started};
        let found = gestures(&[
            (Started, 0, [100.0, 0.0]),
            (Started, 1, [140.0, 0.0]),
            (Moved, 1, [150.0, 0.0]),
            (Moved, 1, [180.0, 0.0]),
            (Moved, 1, [120.0, 0.0]),
            (Ended, 0, [100.0, 0.0]),
            (Moved, 1, [200.0, 0.0]),
            (Started, 2, [300.0, 0.0]),
            (Moved, 2, [210.0, 0.0]),
            // A third is ignored.
            (Started, 3, [0.0, 0.0]),
        ]);
        let pinch = |by: f64, x: f64, ratio: f64| Gesture::Pinch { by: [by, 0.0], about: [x, 0.0], ratio };
        let expected = [
            Gesture::Press([100.0, 0.0]),
            Gesture::Pair,
            pinch(-5.0, 125.0, 1.25),
            pinch(-15.0, 140.0, 2.0),
            pinch(30.0, 110.0, 0.5),
            Gesture::Release,
            Gesture::Pair,
            pinch(45.0, 205.0, 0.1),
        ];
        assert_eq!(found, expected);
    }
}
