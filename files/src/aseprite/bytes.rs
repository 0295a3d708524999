//! Little-endian numbers, read from the front of a slice.

use std::borrow::Cow;

use crate::error::{Result, malformed};

/// Bytes that are still to be read.
#[derive(Clone, Copy)]
pub(super) struct Bytes<'a>(pub(super) &'a [u8]);

impl<'a> Bytes<'a> {
    /// Reads `count` bytes.
    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        let Some((front, rest)) = self.0.split_at_checked(count) else {
            return Err(malformed(format!("it ends early: {} bytes are left where {count} must be", self.0.len())));
        };
        self.0 = rest;
        Ok(front)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    pub(super) fn byte(&mut self) -> Result<u8> {
        Ok(u8::from_le_bytes(self.array()?))
    }

    pub(super) fn word(&mut self) -> Result<u16> {
        Ok(u16::from_le_bytes(self.array()?))
    }

    pub(super) fn short(&mut self) -> Result<i16> {
        Ok(i16::from_le_bytes(self.array()?))
    }

    pub(super) fn dword(&mut self) -> Result<u32> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    pub(super) fn long(&mut self) -> Result<i32> {
        Ok(i32::from_le_bytes(self.array()?))
    }

    pub(super) fn colour(&mut self) -> Result<[u8; 4]> {
        self.array()
    }

    /// Reads a width and a height of 16 bits each.
    pub(super) fn size(&mut self) -> Result<[u32; 2]> {
        Ok([self.word()?.into(), self.word()?.into()])
    }

    /// Reads a text. Bytes that are not UTF-8, which only other programs write, are replaced.
    pub(super) fn text(&mut self) -> Result<Cow<'a, str>> {
        let length = self.word()?;
        Ok(String::from_utf8_lossy(self.take(length.into())?))
    }

    /// Skips reserved bytes.
    pub(super) fn skip(&mut self, count: usize) -> Result<()> {
        self.take(count).map(drop)
    }
}
