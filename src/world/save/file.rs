//! The frame of every saved file: a header with a digest, numbers with the lowest byte first.

use bytemuck::Pod;

use crate::ground::digest;
use crate::ground::error::{Error, Result};
use crate::ground::touch::Touch;

/// The first bytes of every file.
const MAGIC: [u8; 8] = *b"hitmask\x1a";
/// The latest version of the format; a reader knows all versions up to it. A file is written in the first that has all
/// of its content.
const VERSION: u32 = DETECTORS;
/// The first version of the format.
pub(crate) const FIRST: u32 = 1;
/// The version that added detectors.
pub(crate) const DETECTORS: u32 = 2;
/// The number of bytes of a header.
pub(crate) const HEADER: usize = 48;
/// The end of the part of the header that comes before the digest.
const BEFORE: usize = 24;

/// The kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Content {
    World = 1,
    State = 2,
    Events = 3,
    /// A moment of a replay. Its first part is a world.
    Moment = 4,
}

impl Content {
    /// Returns the name of the kind, for errors.
    fn name(self) -> &'static str {
        match self {
            Self::World => "a whole world",
            Self::State => "a state without shapes",
            Self::Events => "events",
            Self::Moment => "a moment of a replay",
        }
    }
}

/// The header of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Header {
    pub(crate) version: u32,
    pub(crate) content: Content,
    /// The digest of the shapes that the bodies need; 0 if the file has no bodies.
    pub(crate) shapes: u64,
    /// The number of elements: of body indices in a world or a state, of pairs in events.
    pub(crate) count: u32,
    pub(crate) touch: Touch,
}

/// Reads a file from start to end.
#[derive(Debug)]
pub(crate) struct Reader<'a> {
    file: &'a [u8],
    at: usize,
}

/// Returns true if a file begins as one that was saved.
pub(crate) fn is_saved(file: &[u8]) -> bool {
    file.starts_with(&MAGIC)
}

/// Returns an error of a file.
#[cold]
pub(crate) fn wrong(problem: impl Into<String>) -> Error {
    Error::Saved { problem: problem.into() }
}

/// Begins a file in an empty buffer.
pub(crate) fn begin(to: &mut Vec<u8>, Header { version, content, shapes, count, touch }: Header) {
    to.extend(MAGIC);
    put_u32s(to, &[version, content as u32]);
    to.extend([0; 16]); // the length and the digest, by `end`
    put_u64s(to, &[shapes]);
    put_u32s(to, &[count, u32::from(touch == Touch::Included)]);
}

/// Ends a file: fills in its length and its digest.
pub(crate) fn end(file: &mut [u8]) {
    let length = file.len() as u64;
    file[16..BEFORE].copy_from_slice(&length.to_le_bytes());
    let digest = digest_of(file);
    file[BEFORE..BEFORE + 8].copy_from_slice(&digest.to_le_bytes());
}

/// Returns the digest of all bytes of a file but those that hold it.
fn digest_of(file: &[u8]) -> u64 {
    digest::of_words([digest::of_bytes(&file[..BEFORE]), digest::of_bytes(&file[BEFORE + 8..])])
}

/// Appends 32-bit numbers.
pub(crate) fn put_u32s<T: Pod>(to: &mut Vec<u8>, column: &[T]) {
    let numbers: &[u32] = bytemuck::cast_slice(column);
    if cfg!(target_endian = "little") {
        to.extend_from_slice(bytemuck::cast_slice(numbers));
    } else {
        to.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    }
}

/// Appends 64-bit numbers.
pub(crate) fn put_u64s(to: &mut Vec<u8>, numbers: &[u64]) {
    if cfg!(target_endian = "little") {
        to.extend_from_slice(bytemuck::cast_slice(numbers));
    } else {
        to.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    }
}

impl Header {
    /// Reads and checks the header of a file, its length and its digest.
    pub(crate) fn read(file: &[u8]) -> Result<Self> {
        let mut reader = Reader { file, at: 0 };
        if file.len() < HEADER || !is_saved(file) {
            return Err(wrong("it does not begin as a file that hitmask saved"));
        }
        reader.at = MAGIC.len();
        let version = reader.u32()?;
        if !(FIRST..=VERSION).contains(&version) {
            let problem = format!("it is of version {version}; this hitmask reads up to version {VERSION}");
            return Err(wrong(problem));
        }
        let (content, length, digest) = (reader.u32()?, reader.u64()?, reader.u64()?);
        if length != file.len() as u64 {
            return Err(wrong(format!("it has {} bytes; its header says {length}", file.len())));
        }
        if digest != digest_of(file) {
            return Err(wrong("it is damaged: its digest does not match"));
        }
        let known = [Content::World, Content::State, Content::Events, Content::Moment];
        let Some(content) = known.into_iter().find(|known| *known as u32 == content) else {
            return Err(wrong(format!("its content is of an unknown kind, {content}")));
        };
        let (shapes, count) = (reader.u64()?, reader.u32()?);
        let touch = match reader.u32()? {
            0 => Touch::Excluded,
            1 => Touch::Included,
            other => return Err(wrong(format!("its touch rule is {other}, neither 0 nor 1"))),
        };
        Ok(Self { version, content, shapes, count, touch })
    }
}

impl<'a> Reader<'a> {
    /// Reads the header of a file whose content must be of this kind; returns it with a reader of all behind it.
    pub(crate) fn open(file: &'a [u8], content: Content) -> Result<(Header, Self)> {
        let header = Header::read(file)?;
        if header.content != content {
            return Err(wrong(format!("it is {}, not {}", header.content.name(), content.name())));
        }
        Ok((header, Self::after_header(file)))
    }

    /// Returns a reader of everything behind the header.
    pub(crate) fn after_header(file: &'a [u8]) -> Self {
        Self { file, at: HEADER }
    }

    /// Returns an error at the current byte.
    #[cold]
    pub(crate) fn wrong_here(&self, problem: impl std::fmt::Display) -> Error {
        wrong(format!("byte {}: {problem}", self.at))
    }

    /// Takes the next `count` elements of `SIZE` bytes.
    pub(crate) fn take<const SIZE: usize>(&mut self, count: u64) -> Result<&'a [[u8; SIZE]]> {
        let left = &self.file[self.at..];
        if count > left.len() as u64 / SIZE as u64 {
            return Err(self.wrong_here(format!("{count} elements of {SIZE} bytes are missing")));
        }
        let taken = &left[..count as usize * SIZE];
        self.at += taken.len();
        Ok(taken.as_chunks().0)
    }

    /// Takes a byte.
    pub(crate) fn u8(&mut self) -> Result<u8> {
        self.take::<1>(1).map(|byte| byte[0][0])
    }

    /// Takes a 32-bit number.
    pub(crate) fn u32(&mut self) -> Result<u32> {
        self.take(1).map(|bytes| u32::from_le_bytes(bytes[0]))
    }

    /// Takes a 64-bit number.
    pub(crate) fn u64(&mut self) -> Result<u64> {
        self.take(1).map(|bytes| u64::from_le_bytes(bytes[0]))
    }

    /// Takes a file within this one: its length, and its bytes.
    pub(crate) fn nested(&mut self) -> Result<&'a [u8]> {
        let length = self.u64()?;
        self.take::<1>(length).map(<[[u8; 1]]>::as_flattened)
    }

    /// Returns the number of bytes that are left.
    pub(crate) fn left(&self) -> usize {
        self.file.len() - self.at
    }

    /// Checks that the file ends here.
    pub(crate) fn end(&self) -> Result<()> {
        let left = self.left();
        if left == 0 { Ok(()) } else { Err(self.wrong_here(format!("{left} bytes are too many"))) }
    }
}
