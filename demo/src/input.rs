//! A player's input.

use winit::keyboard::{Key, NamedKey};

/// The keys of a player that are held down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a key of its own")]
pub(crate) struct Input {
    pub(crate) left: bool,
    pub(crate) right: bool,
    pub(crate) up: bool,
    pub(crate) down: bool,
    /// X: the scene's own action.
    pub(crate) act: bool,
}

impl Input {
    /// Takes a key that went down or up. Returns false if it is no key of a player.
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

    /// Returns -1 to go left, 1 to go right, and 0 otherwise.
    pub(crate) fn across(self) -> f64 {
        f64::from(i8::from(self.right) - i8::from(self.left))
    }

    /// Returns -1 to go up, 1 to go down, and 0 otherwise.
    pub(crate) fn along(self) -> f64 {
        f64::from(i8::from(self.down) - i8::from(self.up))
    }
}

/// Returns whether a key acts again and again while it is held: it moves the view, steps, or changes the number of
/// bodies.
pub(crate) fn repeats(key: &Key) -> bool {
    use NamedKey::{ArrowDown, ArrowLeft, ArrowRight, ArrowUp};
    matches!(
        key.as_ref(),
        Key::Named(ArrowLeft | ArrowRight | ArrowUp | ArrowDown) | Key::Character("." | "n" | "N" | "+" | "=" | "-")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_that_switch_or_write_do_not_repeat() {
        let character = |text: &str| Key::Character(text.into());
        assert!(["n", "N", ".", "+", "=", "-"].into_iter().all(|text| repeats(&character(text))));
        assert!(repeats(&Key::Named(NamedKey::ArrowUp)));
        assert!(!["s", "o", "r", "g", "1", "x"].into_iter().any(|text| repeats(&character(text))));
        assert!(![NamedKey::Space, NamedKey::Tab, NamedKey::F12].into_iter().any(|key| repeats(&Key::Named(key))));
    }
}
