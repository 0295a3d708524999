//! The font of a legend: the widths and shapes of its letters.

use ab_glyph::{Font as _, FontRef, Glyph, PxScale, ScaleFont as _, point};

/// The font size, in pixels per em.
pub(super) const SIZE: f32 = 14.0;
/// Font families that look similar, for viewers with their own fonts.
pub(super) const FAMILIES: &str = "Ubuntu Light, Ubuntu, system-ui, sans-serif";

/// The font at its only size.
pub(super) struct Font {
    font: FontRef<'static>,
    scale: PxScale,
}

impl Font {
    pub(super) fn new() -> Self {
        let font = FontRef::try_from_slice(epaint_default_fonts::UBUNTU_LIGHT).expect("what is compiled in is a font");
        // In points: 72 points are 96 pixels.
        let scale = font.pt_to_px_scale(SIZE * 0.75).expect("the font says how large its em is");
        Self { font, scale }
    }

    /// Places the letters of a text from the left end of its baseline. Returns them and their total width.
    fn line(&self, text: &str, [x, y]: [f32; 2]) -> (Vec<Glyph>, f32) {
        let font = self.font.as_scaled(self.scale);
        let (mut glyphs, mut width): (Vec<Glyph>, f32) = (Vec::new(), 0.0);
        for letter in text.chars() {
            let id = font.glyph_id(letter);
            if let Some(last) = glyphs.last() {
                width += font.kern(last.id, id);
            }
            glyphs.push(id.with_scale_and_position(self.scale, point(x + width, y)));
            width += font.h_advance(id);
        }
        (glyphs, width)
    }

    /// Returns the width of a text, in pixels.
    pub(super) fn width(&self, text: &str) -> f64 {
        self.line(text, [0.0; 2]).1.into()
    }

    /// Calls `put` with each pixel of a text and the share of it that is covered. `at` is the left end of its baseline.
    pub(super) fn draw(&self, text: &str, at: [f64; 2], mut put: impl FnMut([i32; 2], f32)) {
        for glyph in self.line(text, at.map(|v| v as f32)).0 {
            let Some(shape) = self.font.outline_glyph(glyph) else { continue };
            let corner = shape.px_bounds().min;
            shape.draw(|x, y, share| put([corner.x as i32 + x as i32, corner.y as i32 + y as i32], share.min(1.0)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_lie_within_their_width() {
        let font = Font::new();
        let (text, mut covered) = ("215 bodies, 12 pairs", 0.0);
        let width = font.width(text);
        assert!((100.0..160.0).contains(&width), "{width}");
        font.draw(text, [10.0, 20.0], |[x, y], share| {
            covered += share;
            assert!((9..=10 + width as i32).contains(&x) && (5..=25).contains(&y), "{x}, {y}");
        });
        assert!(covered > 200.0, "{covered}");
    }
}
