//! Images with frames in a grid.

use hitmask::Mask;
use hitmask::mask::Grid;
use hitmask_files::{Import, Problem};

fn image() -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let rows = ["##.#.#", "#....#", "......", "#...##"];
    Mask::from_rows(&rows)
        .unwrap()
        .to_image([9, 8, 7, 255], [0; 4])
        .write_to(&mut bytes, image::ImageFormat::Png)
        .unwrap();
    bytes.into_inner()
}

#[test]
fn a_grid_cuts_an_image_into_frames() {
    let sheet = Import::default().read_grid(&image(), Grid::new([2, 1]).spacing(1)).unwrap();
    assert_eq!((sheet.size, sheet.tags.len()), ([2, 1], 0));
    let rows: Vec<_> = sheet.frames.iter().map(|frame| frame.mask.to_string()).collect();
    assert_eq!(rows, ["##", "#.", "..", ".."]);
    assert_eq!(sheet.frames[1].image.get_pixel(0, 0).0, [9, 8, 7, 255]);
    assert_eq!(sheet.frames[0].duration.as_millis(), 100);
}

#[test]
fn a_grid_that_does_not_divide_the_image_is_refused() {
    let error = Import::default().read_grid(&image(), Grid::new([4, 4])).unwrap_err();
    assert!(matches!(error.problem, Problem::Mask(_)));
    assert!(error.to_string().starts_with("the image: `frames.size` is [4, 4]; it must fill the sheet"), "{error}");
    assert!(Import::default().read_grid(&image(), Grid::new([4, 4]).allow_remainder()).is_ok());
    let error = Import::default().limit(23).read_grid(&image(), Grid::new([2, 2])).unwrap_err().to_string();
    assert_eq!(error, "the image: 24 pixels in one image; the limit is 23");
    let error = Import::default().layers(["a"]).read_grid(&image(), Grid::new([2, 2])).unwrap_err();
    assert!(matches!(error.problem, Problem::Unsupported(_)));
}

#[test]
fn a_palette_of_broken_colours_is_refused() {
    // The chunks of a PNG of one pixel with a palette of 4 bytes, which makes the decoder panic. No checksum is needed.
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    for (kind, data) in
        [(b"IHDR", &[0, 0, 0, 1, 0, 0, 0, 1, 8, 3, 0, 0, 0][..]), (b"PLTE", &[1, 2, 3, 4]), (b"IDAT", &[])]
    {
        png.extend((data.len() as u32).to_be_bytes());
        png.extend(kind);
        png.extend(data);
        png.extend([0; 4]);
    }
    let error = Import::default().read_grid(&png, Grid::new([1, 1])).unwrap_err().to_string();
    assert_eq!(error, "the image: the palette has 4 bytes; it must have 3 for each of 1 to 256 colours");
}

#[test]
fn an_image_of_each_format_is_read_if_its_feature_is_enabled() {
    // A picture of these rows; the GIF has a second frame.
    let rows = ["#.##.", "..#.#", "####."];
    let formats = [
        ("BMP", cfg!(feature = "bmp"), &include_bytes!("../../../assets/formats/ship.bmp")[..]),
        ("GIF", cfg!(feature = "gif"), include_bytes!("../../../assets/formats/ship.gif")),
        ("QOI", cfg!(feature = "qoi"), include_bytes!("../../../assets/formats/ship.qoi")),
        ("TGA", cfg!(feature = "tga"), include_bytes!("../../../assets/formats/ship-rle.tga")),
        ("WebP", cfg!(feature = "webp"), include_bytes!("../../../assets/formats/ship.webp")),
    ];
    for (name, is_enabled, file) in formats {
        match Import::default().read_grid(file, Grid::new([5, 3])) {
            Ok(sheet) => {
                assert_eq!((sheet.frames.len(), sheet.frames[0].mask.to_rows()), (1, rows.map(str::to_owned).to_vec()));
                assert_eq!(sheet.frames[0].image.get_pixel(0, 0).0, [200, 100, 50, 255], "{name}");
            }
            Err(error) => {
                let feature = name.to_lowercase();
                let expected = format!("the image: a {name} image, for which hitmask needs its feature `{feature}`");
                assert_eq!((error.to_string(), is_enabled), (expected, false));
            }
        }
    }
}
