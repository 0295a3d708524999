//! What a step leaves on the GPU.

use super::binding::Binding;
use super::frame::Buffers;
use super::header::Header;
use crate::hits::Ask;

/// The answer of a step as it lies on the GPU, for the host's own passes: from
/// [`Ticket::results`](super::Ticket::results).
///
/// A pass that reads it belongs in a submission to the same queue after [`Engine::submit`](super::Engine::submit), and
/// before the ticket is dropped: then the next step takes over the buffers. All bindings begin at multiples of 256
/// bytes, and may be bound as `var<storage, read>` in any stage that may read storage buffers:
///
/// ```wgsl
/// struct Counts {
///     pairs: u32,      // how many there are
///     complete: u32,   // 1 where all that was asked for lies on the GPU, else 0
///     skipped: u32,    // bodies whose placements on the GPU were beyond the limits
///     whole: u32,      // which parts of it lie there: bits of `hitmask::gpu::Whole`
/// }
/// struct Detail {              // what a pair carries: `hitmask::gpu::RawDetail`
///     time: vec2<u32>,         // the tick, and the ticks of a step; 0 and 0 where neither moves
///     area: vec2<u32>,         // low and high word
///     bounds: vec4<i32>,       // x, y, width, height
///     first: vec2<i32>,        // x, y
///     sprite: u32,             // 1 for a pair with a sprite: else area, bounds, first and sums mean nothing
///     unfinished: u32,         // 0
///     sum_x: vec2<u32>,        // low and high word
///     sum_y: vec2<u32>,        // low and high word
/// }
/// @group(0) @binding(0) var<storage, read> counts: Counts;
/// @group(0) @binding(1) var<storage, read> flags: array<u32>;         // bit i % 32 of word i / 32
/// @group(0) @binding(2) var<storage, read> pairs: array<vec2<u32>>;   // `counts.pairs` of them, in ascending order
/// @group(0) @binding(3) var<storage, read> details: array<Detail>;    // one for each pair
///
/// fn hits(body: u32) -> bool {
///     return (counts.whole & 1u) == 1u && (flags[body / 32u] >> (body % 32u) & 1u) == 1u;
/// }
/// ```
///
/// Each part of the answer tells by a bit of [`whole`](super::Whole) whether it is whole, and may be used where that is
/// set: flags are, whatever is missing of pairs. A step is not whole behind its first submission where it needs what no
/// step before it has needed: more room, more dispatches for large turned sprites that move, or an order of more than
/// 512 pairs of one body. Later steps have it, also where the ticket is dropped: after two steps of a world whose work
/// stays within twice that of the step before, all is whole in the frame itself. Draw the frames until then with the
/// flags of the frame before.
///
/// A ticket that is asked for its answer goes on until that is whole; `results` are then those of the whole answer.
/// Some answers are whole on the host only, whatever was learnt: pairs of a step in several runs of rows, details of
/// more pairs than there is room for, which is 2^20 at most, and what takes more than 256 times what an invocation may
/// do in a dispatch.
///
/// The buffers are also `COPY_SRC`, and the pairs `VERTEX`: a copy of the first word of [`Results::counts`] to the
/// second of a buffer of indirect draws makes an instance for each pair, without a readback.
///
/// ```
/// use hitmask::{Ask, Body, Shape, World, gpu};
///
/// let mut world = World::default();
/// let ball = world.add_shape(Shape::circle(3.0)?)?;
/// for x in 0..40 {
///     world.add(&Body::new(ball, [f64::from(x), 0.0]))?;
/// }
/// let ticket = gpu::Engine::new(None)?.submit(&world, Ask::Details)?;
/// let results = ticket.results();
/// assert_eq!(results.bodies(), 40);
/// assert_eq!(results.counts().size.unwrap().get(), 16);
/// assert_eq!(results.flags().size.unwrap().get(), 8, "a bit a body, in whole words");
/// assert!(results.pairs().is_some() && results.details().is_some());
/// # Ok::<(), hitmask::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Results {
    header: wgpu::Buffer,
    pairs: Option<wgpu::Buffer>,
    details: Option<wgpu::Buffer>,
    bodies: u32,
}

impl Results {
    pub(super) fn new(buffers: &Buffers, bodies: u32, ask: Ask) -> Self {
        let part = |binding, from| (ask >= from).then(|| buffers.get(binding).clone());
        let (pairs, details) = (part(Binding::Pairs, Ask::Pairs), part(Binding::Details, Ask::Details));
        Self { header: buffers.get(Binding::Header).clone(), pairs, details, bodies }
    }

    /// The bodies of the step.
    #[must_use]
    pub fn bodies(&self) -> u32 {
        self.bodies
    }

    /// Four words: the number of pairs, 1 where the answer is complete, the number of bodies that were skipped, and the
    /// bits of [`Whole`](super::Whole). Pairs are counted where they were asked for.
    #[must_use]
    pub fn counts(&self) -> wgpu::BufferBinding<'_> {
        wgpu::BufferBinding { buffer: &self.header, offset: 0, size: wgpu::BufferSize::new(16) }
    }

    /// A bit for each body, whether it is in any pair: bit `i % 32` of word `i / 32`. At least a word.
    #[must_use]
    pub fn flags(&self) -> wgpu::BufferBinding<'_> {
        let size = wgpu::BufferSize::new(Header::flag_bytes(self.bodies.max(1).into()));
        wgpu::BufferBinding { buffer: &self.header, offset: Header::BYTES, size }
    }

    /// The pairs, two words each, lower index first, ascending; nothing where they were not asked for.
    /// There is more room than pairs.
    #[must_use]
    pub fn pairs(&self) -> Option<wgpu::BufferBinding<'_>> {
        self.pairs.as_ref().map(wgpu::Buffer::as_entire_buffer_binding)
    }

    /// What each pair carries, as [`RawDetail`](super::RawDetail), in the order of pairs; nothing where that was not
    /// asked for. There is more room than pairs.
    #[must_use]
    pub fn details(&self) -> Option<wgpu::BufferBinding<'_>> {
        self.details.as_ref().map(wgpu::Buffer::as_entire_buffer_binding)
    }
}
