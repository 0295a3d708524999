//! Blending of pixels, to the bit as Aseprite does by default (its "new blend" method).
//!
//! Channels have 8 bits, and alpha is not premultiplied. The colour that a mode makes counts as much as the backdrop is
//! opaque:
//!
//! ```text
//! normal = front over back
//! mixed  = mode(back, front) over back, with the alpha of front
//! result = merge(merge(normal, mixed, back.alpha), mixed, back.alpha * front.alpha)
//! ```

use super::file::unsupported;
use crate::error::Result;

type Rgba = [u8; 4];

/// The blend modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Normal,
    Multiply,
    Screen,
    Overlay,
    Darken,
    Lighten,
    ColourDodge,
    ColourBurn,
    HardLight,
    SoftLight,
    Difference,
    Exclusion,
    Hue,
    Saturation,
    Colour,
    Luminosity,
    Addition,
    Subtract,
    Divide,
}

impl Mode {
    /// Returns the mode of a number in the file.
    pub(super) fn read(number: u16) -> Result<Self> {
        Ok(match number {
            0 => Self::Normal,
            1 => Self::Multiply,
            2 => Self::Screen,
            3 => Self::Overlay,
            4 => Self::Darken,
            5 => Self::Lighten,
            6 => Self::ColourDodge,
            7 => Self::ColourBurn,
            8 => Self::HardLight,
            9 => Self::SoftLight,
            10 => Self::Difference,
            11 => Self::Exclusion,
            12 => Self::Hue,
            13 => Self::Saturation,
            14 => Self::Colour,
            15 => Self::Luminosity,
            16 => Self::Addition,
            17 => Self::Subtract,
            18 => Self::Divide,
            _ => return Err(unsupported(format!("blend mode {number}"))),
        })
    }

    /// Blends a pixel over another, with an opacity.
    pub(super) fn blend(self, back: Rgba, front: Rgba, opacity: u8) -> Rgba {
        if front == [0; 4] {
            return back;
        }
        let over = normal(back, front, opacity);
        if self == Self::Normal || back[3] == 0 {
            return over;
        }
        let [r, g, b] = self.mix([back[0], back[1], back[2]], [front[0], front[1], front[2]]);
        let mixed = normal(back, [r, g, b, front[3]], opacity);
        let alpha = scaled(back[3].into(), scaled(front[3].into(), opacity.into())) as u8;
        merge(merge(over, mixed, back[3]), mixed, alpha)
    }

    /// Returns the colour that the mode makes of two opaque ones.
    fn mix(self, back: [u8; 3], front: [u8; 3]) -> [u8; 3] {
        let each = |mix: fn(i32, i32) -> i32| [0, 1, 2].map(|k| mix(back[k].into(), front[k].into()) as u8);
        let [b, f] = [back, front].map(|colour| colour.map(|v| f64::from(v) / 255.0));
        match self {
            Self::Normal => front,
            Self::Multiply => each(scaled),
            Self::Screen => each(screen),
            Self::Overlay => each(|b, f| hard_light(f, b)),
            Self::Darken => each(i32::min),
            Self::Lighten => each(i32::max),
            Self::ColourDodge => each(colour_dodge),
            Self::ColourBurn => each(colour_burn),
            Self::HardLight => each(hard_light),
            Self::SoftLight => each(soft_light),
            Self::Difference => each(|b, f| (b - f).abs()),
            Self::Exclusion => each(|b, f| b + f - 2 * scaled(b, f)),
            Self::Hue => bytes(with_luminosity(with_saturation(f, saturation(b)), luminosity(b))),
            Self::Saturation => bytes(with_luminosity(with_saturation(b, saturation(f)), luminosity(b))),
            Self::Colour => bytes(with_luminosity(f, luminosity(b))),
            Self::Luminosity => bytes(with_luminosity(b, luminosity(f))),
            Self::Addition => each(|b, f| (b + f).min(255)),
            Self::Subtract => each(|b, f| (b - f).max(0)),
            Self::Divide => each(divide),
        }
    }
}

/// Returns `a * b / 255`, rounded; `a` may be negative.
fn scaled(a: i32, b: i32) -> i32 {
    let t = a * b + 128;
    ((t >> 8) + t) >> 8
}

/// Returns `255 * a / b`, rounded.
fn ratio(a: i32, b: i32) -> i32 {
    (a * 255 + b / 2) / b
}

/// Returns the product of two opacities.
pub(super) fn opacity(a: u8, b: u8) -> u8 {
    scaled(a.into(), b.into()) as u8
}

fn normal(back: Rgba, front: Rgba, opacity: u8) -> Rgba {
    let alpha = scaled(front[3].into(), opacity.into());
    if back[3] == 0 {
        return [front[0], front[1], front[2], alpha as u8];
    }
    if front[3] == 0 {
        return back;
    }
    let below = i32::from(back[3]);
    let sum = alpha + below - scaled(below, alpha);
    let channel = |k: usize| {
        let [b, f] = [back[k], front[k]].map(i32::from);
        (b + (f - b) * alpha / sum) as u8
    };
    [channel(0), channel(1), channel(2), sum as u8]
}

/// Returns a pixel between two: `front` in part, as much as `part` of 255.
fn merge(back: Rgba, front: Rgba, part: u8) -> Rgba {
    let between = |k: usize| {
        let [b, f] = [back[k], front[k]].map(i32::from);
        (b + scaled(f - b, part.into())) as u8
    };
    let alpha = between(3);
    if alpha == 0 {
        return [0; 4];
    }
    let channel = |k: usize| match (back[3], front[3]) {
        (0, _) => front[k],
        (_, 0) => back[k],
        _ => between(k),
    };
    [channel(0), channel(1), channel(2), alpha]
}

fn screen(b: i32, f: i32) -> i32 {
    b + f - scaled(b, f)
}

fn hard_light(b: i32, f: i32) -> i32 {
    if f < 128 { scaled(b, 2 * f) } else { screen(b, 2 * f - 255) }
}

fn colour_dodge(b: i32, f: i32) -> i32 {
    match (b, 255 - f) {
        (0, _) => 0,
        (b, f) if b >= f => 255,
        (b, f) => ratio(b, f),
    }
}

fn colour_burn(b: i32, f: i32) -> i32 {
    match (255 - b, f) {
        (0, _) => 255,
        (b, f) if b >= f => 0,
        (b, f) => 255 - ratio(b, f),
    }
}

fn divide(b: i32, f: i32) -> i32 {
    match (b, f) {
        (0, _) => 0,
        (b, f) if b >= f => 255,
        (b, f) => ratio(b, f),
    }
}

fn soft_light(b: i32, f: i32) -> i32 {
    let [b, f] = [b, f].map(|v| f64::from(v) / 255.0);
    let curve = if b <= 0.25 { ((16.0 * b - 12.0) * b + 4.0) * b } else { b.sqrt() };
    let mixed = if f <= 0.5 { b - (1.0 - 2.0 * f) * b * (1.0 - b) } else { b + (2.0 * f - 1.0) * (curve - b) };
    (mixed * 255.0 + 0.5) as i32
}

type Colour = [f64; 3];

fn luminosity([r, g, b]: Colour) -> f64 {
    0.3 * r + 0.59 * g + 0.11 * b
}

fn least([r, g, b]: Colour) -> f64 {
    r.min(g.min(b))
}

fn most([r, g, b]: Colour) -> f64 {
    r.max(g.max(b))
}

fn saturation(colour: Colour) -> f64 {
    most(colour) - least(colour)
}

/// Returns a colour of the same hue with this saturation.
fn with_saturation(colour: Colour, saturation: f64) -> Colour {
    let (least, range) = (least(colour), self::saturation(colour));
    if range > 0.0 { colour.map(|v| (v - least) * saturation / range) } else { [0.0; 3] }
}

/// Returns a colour of the same hue with this luminosity, made less saturated until it can be shown.
fn with_luminosity(colour: Colour, l: f64) -> Colour {
    let shift = l - luminosity(colour);
    let mut colour = colour.map(|v| v + shift);
    let (l, least, most) = (luminosity(colour), least(colour), most(colour));
    if least < 0.0 {
        colour = colour.map(|v| l + (v - l) * l / (l - least));
    }
    if most > 1.0 {
        colour = colour.map(|v| l + (v - l) * (1.0 - l) / (most - l));
    }
    colour
}

/// Returns the channels in 8 bits, rounded towards 0.
fn bytes(colour: Colour) -> [u8; 3] {
    colour.map(|v| (255.0 * v) as u8)
}
