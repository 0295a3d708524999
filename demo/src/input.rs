//! What a player wants.

use winit::keyboard::{Key, NamedKey};

/// The keys of a player that are held down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a key of its own")]
pub(crate) struct Input {
    pub(crate) left: bool,
    pub(crate) right: bool,
    pub(crate) up: bool,
    pub(crate) down: bool,
    /// X: what the scene has for it.
    pub(crate) act: bool,
}

impl Input {
    /// Takes a key that went down or up; false where it is none of a player's.
    pub(crate) fn take(&mut self, key: &Key, down: bool) -> bool {
        let held = match key.as_ref() {
            Key::Named(NamedKey::ArrowLeft) => &mut self.left,
            Key::Named(NamedKey::ArrowRight) => &mut self.right,
            Key::Named(NamedKey::ArrowUp) => &mut self.up,
            Key::Named(NamedKey::ArrowDown) => &mut self.down,
            Key::Character("x" | "X") => &mut self.act,
            _ => return false,
        };
        *held = down;
        true
    }

    /// -1 where it goes left, 1 where it goes right.
    pub(crate) fn across(self) -> f64 {
        f64::from(i8::from(self.right) - i8::from(self.left))
    }

    /// -1 where it goes up, 1 where it goes down.
    pub(crate) fn along(self) -> f64 {
        f64::from(i8::from(self.down) - i8::from(self.up))
    }
}
