//! The numbers of tiles in a layer: plain, or bytes in base64 that may be compressed.

use std::io::Read;

use flate2::bufread::{GzDecoder, ZlibDecoder};
use ruzstd::decoding::StreamingDecoder;

use super::model::Data;
use crate::error::{Error, Problem, Result, malformed, quoted};

/// Returns the numbers of `count` tiles. No more bytes are decompressed than these take.
pub(super) fn numbers(data: Data, encoding: Option<&str>, compression: Option<&str>, count: u64) -> Result<Vec<u32>> {
    let numbers = match data {
        Data::Numbers(numbers) => numbers,
        Data::Text(text) => {
            if encoding != Some("base64") {
                let problem = format!("the encoding {}", quoted(encoding.unwrap_or_default()));
                return Err(Problem::Unsupported(problem).into());
            }
            let bytes = decompressed(base64(&text)?, compression.unwrap_or_default(), 4 * count)?;
            let (numbers, rest) = bytes.as_chunks();
            if !rest.is_empty() {
                return Err(malformed(format!("{} bytes of tiles, not four each", bytes.len())));
            }
            numbers.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect()
        }
    };
    if numbers.len() as u64 != count {
        return Err(malformed(format!("{} tiles, where {count} must be", numbers.len())));
    }
    Ok(numbers)
}

fn decompressed(bytes: Vec<u8>, compression: &str, length: u64) -> Result<Vec<u8>> {
    match compression {
        "" => Ok(bytes),
        "zlib" => at_most(ZlibDecoder::new(&bytes[..]), length),
        "gzip" => at_most(GzDecoder::new(&bytes[..]), length),
        "zstd" => at_most(StreamingDecoder::new(&bytes[..]).map_err(damaged)?, length),
        other => Err(Problem::Unsupported(format!("the compression {}", quoted(other))).into()),
    }
}

fn damaged(error: impl std::fmt::Display) -> Error {
    malformed(format!("the compressed tiles are damaged: {error}"))
}

/// Reads to the end, but no more than the tiles and a byte.
fn at_most(from: impl Read, length: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = from.take(length.saturating_add(1)).read_to_end(&mut bytes);
    read.map_err(damaged)?;
    if bytes.len() as u64 > length {
        return Err(malformed(format!("the compressed tiles have more than the {length} bytes that they must have")));
    }
    Ok(bytes)
}

/// Decodes base64. Blanks are skipped.
fn base64(text: &str) -> Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let [mut bits, mut count, mut ended] = [0_u32, 0, 0];
    for byte in text.bytes().filter(|byte| !byte.is_ascii_whitespace()) {
        let six = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            b'=' if ended < 2 => {
                ended += 1;
                continue;
            }
            _ => return Err(malformed("the text is not base64")),
        };
        if ended > 0 {
            return Err(malformed("the text is not base64: it goes on after its end"));
        }
        bits = bits << 6 | u32::from(six);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    if count >= 6 { Err(malformed("the text is not base64: it ends early")) } else { Ok(bytes) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_decompressed_than_the_tiles_take() {
        assert!(at_most(std::io::repeat(0), 16).is_err()); // it never ends
        assert_eq!(at_most(&[1, 2][..], 2).unwrap(), [1, 2]);
    }

    #[test]
    fn base64_is_that_of_rfc_4648() {
        for (text, bytes) in [
            ("", ""),
            ("Zg==", "f"),
            ("Zm8=", "fo"),
            ("Zm9v", "foo"),
            ("Zm9vYg==", "foob"),
            ("Zm9v\n YmE=", "fooba"),
            ("Zm9vYmFy", "foobar"),
            ("Zg", "f"), // without its end
        ] {
            assert_eq!(base64(text).unwrap(), bytes.as_bytes(), "{text}");
        }
        assert_eq!(base64("+/+/").unwrap(), [0xfb, 0xff, 0xbf]);
        for text in ["Z", "Zg==Zg==", "Zg===", "Z-", "Zm9vY"] {
            assert!(base64(text).is_err(), "{text}");
        }
    }
}
