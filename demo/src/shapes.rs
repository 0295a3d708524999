//! The shapes of a scene: their specifications as in a scene file, and the images of their sprites.

use std::path::Path;

use hitmask::mask::Mask;
use hitmask::scene::{Form, Image, ShapeSpec};
use image::{DynamicImage, RgbaImage, imageops};

use crate::platform;

/// The images from which built-in scenes cut their sprites.
#[derive(Clone, Copy)]
pub(crate) enum Sheet {
    Asteroid,
    Bullets,
    Enemy,
    Font,
    Rotor,
    Ship,
}

impl Sheet {
    fn image(self) -> DynamicImage {
        let png: &[u8] = match self {
            Self::Asteroid => include_bytes!("../../assets/asteroid.png"),
            Self::Bullets => include_bytes!("../../assets/bullets.png"),
            Self::Enemy => include_bytes!("../../assets/enemy.png"),
            Self::Font => include_bytes!("../../assets/font.png"),
            Self::Rotor => include_bytes!("../../assets/rotor.png"),
            Self::Ship => include_bytes!("../../assets/ship.png"),
        };
        image::load_from_memory(png).expect("the sheets in assets/ are PNG files")
    }
}

/// A shape with its name and, for a sprite, its image.
pub(crate) struct Look {
    pub(crate) name: String,
    pub(crate) spec: ShapeSpec,
    pub(crate) image: Option<RgbaImage>,
}

impl Look {
    /// Creates a shape that is no sprite.
    pub(crate) fn plain(name: &str, form: Form, anchor: [f64; 2]) -> Self {
        Self { name: name.into(), spec: ShapeSpec { form, anchor }, image: None }
    }

    /// Creates a sprite from a region of a sheet, anchored at its middle. Its specification holds the rows, so that a
    /// saved scene needs no other file.
    pub(crate) fn sprite(name: &str, sheet: Sheet, region: [u32; 4]) -> Self {
        let image = sheet.image();
        let mask = Mask::from_image(&image, hitmask::mask::DEFAULT_THRESHOLD, Some(region));
        let rows = mask.expect("the region lies in the sheet").to_rows();
        let [x, y, width, height] = region;
        let form = Form::Sprite { image: Image::Rows(rows), threshold: hitmask::mask::DEFAULT_THRESHOLD, region: None };
        let anchor = [width, height].map(|side| f64::from(side) / 2.0);
        let image = imageops::crop_imm(&image.into_rgba8(), x, y, width, height).to_image();
        Self { name: name.into(), spec: ShapeSpec { form, anchor }, image: Some(image) }
    }

    /// Creates a shape of a scene file in `folder`. If the image of a sprite cannot be read, it is `None`: building the
    /// world has already reported that.
    pub(crate) fn of_file(folder: &Path, name: &str, spec: &ShapeSpec) -> Self {
        let image = match &spec.form {
            Form::Sprite { image: Image::File(file), region, .. } => {
                platform::image(&folder.join(file)).map(|image| match *region {
                    Some([x, y, w, h]) => imageops::crop_imm(&image.into_rgba8(), x, y, w, h).to_image(),
                    None => image.into_rgba8(),
                })
            }
            _ => None,
        };
        Self { name: name.to_owned(), spec: spec.clone(), image }
    }
}
