//! Columns of body values in GPU buffers of the host program.

use crate::ground::error::{Error, Result};

use super::binding::Binding;

/// The bytes of a word.
const WORD: u64 = 4;

/// A column of values in a buffer on the GPU, one for each index of a world, for a step to read: see
/// [`Request::positions`](super::Request::positions). By default it begins at the first byte and has no gaps; each
/// method changes one option.
///
/// The values may be interleaved with other data of the game: set [`Stream::offset`] and [`Stream::stride`]. For a ring
/// of several frames in one buffer, change the offset each frame.
///
/// ```
/// use hitmask::{Ask, gpu::{Request, Stream}, wgpu};
///
/// /// Instances of 32 bytes: a position and a velocity of two `f32` each, and four more words.
/// fn request(instances: &wgpu::Buffer, frame: u64, bodies: u64) -> Request<'_> {
///     let instances = Stream::new(instances).stride(32).offset(frame % 3 * bodies * 32);
///     Request::new(Ask::Flags).positions(instances).resident()
/// }
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Stream<'a> {
    buffer: &'a wgpu::Buffer,
    offset: u64,
    stride: Option<u64>,
    is_lattice: bool,
}

impl<'a> Stream<'a> {
    /// Creates a stream from a buffer of the engine's device with the usage `STORAGE`. With a buffer of another
    /// device, wgpu panics, or does not notice and reads some other buffer.
    pub fn new(buffer: &'a wgpu::Buffer) -> Self {
        Self { buffer, offset: 0, stride: None, is_lattice: false }
    }

    /// Sets the byte at which the value of index 0 begins, a multiple of 4.
    pub fn offset(self, bytes: u64) -> Self {
        Self { offset: bytes, ..self }
    }

    /// Sets the number of bytes from one value to the next, a multiple of 4. Default: the size of a value.
    pub fn stride(self, bytes: u64) -> Self {
        Self { stride: Some(bytes), ..self }
    }

    /// Reads numbers as `i32` on the lattice instead of `f32`: positions and motions in steps of 1/256 unit, entries of
    /// linear parts in steps of 1/2^24. Shape numbers and the values of [`Request::enabled`](super::Request::enabled)
    /// are always `u32`.
    pub fn lattice(self) -> Self {
        Self { is_lattice: true, ..self }
    }
}

/// The part of a buffer that a stream binds.
#[derive(Clone, Debug)]
pub(super) struct Window {
    pub(super) buffer: wgpu::Buffer,
    pub(super) offset: u64,
    pub(super) size: u64,
    /// The words of `Params` that describe the stream.
    pub(super) params: [u32; 4],
}

/// The streams of a request.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Streams<'a> {
    pub(super) positions: Option<Stream<'a>>,
    pub(super) motions: Option<Stream<'a>>,
    pub(super) linears: Option<Stream<'a>>,
    pub(super) shapes: Option<Stream<'a>>,
    pub(super) enabled: Option<Stream<'a>>,
}

/// The columns that a step keeps separately from the world's, because streams replace them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Own {
    /// None: all are the world's.
    #[default]
    Nothing,
    /// Positions and motions.
    Placements,
    /// All columns, forms too.
    Forms,
}

impl Streams<'_> {
    /// Returns the columns that the step keeps separately.
    pub(super) fn own(&self) -> Own {
        if self.linears.is_some() || self.shapes.is_some() || self.enabled.is_some() {
            Own::Forms
        } else if self.positions.is_some() || self.motions.is_some() {
            Own::Placements
        } else {
            Own::Nothing
        }
    }

    /// Returns the window of each stream, for a world of `indices` indices on a device with these limits; `None` for a
    /// stream that is not given.
    pub(super) fn windows(&self, indices: usize, limits: &wgpu::Limits) -> Result<Vec<(Binding, Option<Window>)>> {
        let all = [
            ("positions", Binding::Positions, 2, self.positions),
            ("motions", Binding::Motions, 2, self.motions),
            ("linears", Binding::Linears, 4, self.linears),
            ("shapes", Binding::ShapeNumbers, 1, self.shapes),
            ("enabled", Binding::Enabled, 1, self.enabled),
        ];
        let window = |(name, binding, words, stream): (_, _, _, Option<Stream<'_>>)| {
            Ok((binding, stream.map(|stream| stream.window(name, words, indices, limits)).transpose()?))
        };
        all.into_iter().map(window).collect()
    }
}

impl Stream<'_> {
    /// Returns the window of a stream whose values have `words` words each, or an error that names the stream.
    fn window(self, name: &str, words: u64, indices: usize, limits: &wgpu::Limits) -> Result<Window> {
        let Self { buffer, offset, stride, is_lattice } = self;
        let stride = stride.unwrap_or(WORD * words);
        if offset % WORD != 0 {
            return Err(Error::value(format!("{name}.offset"), offset, "be a multiple of 4"));
        }
        if stride % WORD != 0 || stride < WORD * words || stride > WORD * u64::from(u32::MAX) {
            let limit = format!("be a multiple of 4, from {} to {}", WORD * words, WORD * u64::from(u32::MAX));
            return Err(Error::value(format!("{name}.stride"), stride, limit));
        }
        let refuse = |limit: String| Err(Error::value(name, format!("a buffer of {} bytes", buffer.size()), limit));
        let bytes = stride.saturating_mul((indices as u64).saturating_sub(1)).saturating_add(WORD * words);
        let end = offset.saturating_add(bytes);
        if buffer.size() < end {
            return refuse(format!("have {stride} for each of {indices} indices, from byte {offset} to {end}"));
        }
        // A binding must begin at a multiple of the device's alignment.
        let first = offset / u64::from(limits.min_storage_buffer_offset_alignment)
            * u64::from(limits.min_storage_buffer_offset_alignment);
        let most = limits.max_storage_buffer_binding_size;
        if end - first > most {
            return refuse(format!("take at most max_storage_buffer_binding_size, {most}, for all indices"));
        }
        if !buffer.usage().contains(wgpu::BufferUsages::STORAGE) {
            return Err(Error::value(name, "a buffer without the usage `STORAGE`", "have it"));
        }
        let params = [((offset - first) / WORD) as u32, (stride / WORD) as u32, is_lattice.into(), 1];
        Ok(Window { buffer: buffer.clone(), offset: first, size: end - first, params })
    }
}
