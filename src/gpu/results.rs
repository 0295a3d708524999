//! The results of a step on the GPU.

use std::marker::PhantomData;

use super::binding::Binding;
use super::frame::Buffers;
use super::header::Header;
use super::whole::Whole;

/// The answer of a step in GPU buffers, for passes of the host program: from
/// [`Ticket::results`](super::Ticket::results).
///
/// Submit the passes that read it to the same queue, after [`Engine::submit`](super::Engine::submit) has returned and
/// while the ticket lives: once the ticket is dropped, the next step may reuse the buffers. So results borrow the
/// ticket. All bindings begin at multiples of 256 bytes, and can be bound as `var<storage, read>` in any stage that can
/// read storage buffers:
///
/// ```wgsl
/// struct Counts {
///     pairs: u32,      // number of pairs
///     complete: u32,   // 1 if everything that was requested is on the GPU, else 0
///     skipped: u32,    // bodies whose poses on the GPU were beyond the limits
///     whole: u32,      // parts that are complete on the GPU: bits of `hitmask::gpu::Whole`
/// }
/// struct Detail {              // details of a pair: `hitmask::gpu::RawDetail`
///     time: vec2<u32>,         // the tick, and the ticks of a step; 0 and 0 if neither body moves
///     area: vec2<u32>,         // low and high word
///     bounds: vec4<i32>,       // x, y, width, height
///     first: vec2<i32>,        // x, y
///     sprite: u32,             // 1 for a pair with a sprite; if 0, ignore area, bounds, first and the sums
///     unfinished: u32,         // 0 if details are complete
///     sum_x: vec2<u32>,        // low and high word
///     sum_y: vec2<u32>,        // low and high word
/// }
/// struct Contact {             // the way out of a pair, if requested: `hitmask::gpu::RawContact`
///     normal: vec2<f32>,       // the unit direction in which the first body leaves the second, y down
///     depth: f32,              // in units
///     state: u32,              // 1 if it was found, 2 if it is left to the host; only with 1 do the others count
///     push: vec2<i32>,         // in lattice steps, 1/256 unit
///     unused: vec2<u32>,
/// }
/// @group(0) @binding(0) var<storage, read> counts: Counts;
/// @group(0) @binding(1) var<storage, read> flags: array<u32>;         // bit i % 32 of word i / 32
/// @group(0) @binding(2) var<storage, read> pairs: array<vec2<u32>>;   // `counts.pairs` pairs, in ascending order
/// @group(0) @binding(3) var<storage, read> details: array<Detail>;    // one for each pair
/// @group(0) @binding(4) var<storage, read> contacts: array<Contact>;  // one for each pair
///
/// // False while flags are incomplete: see below.
/// fn hits(body: u32) -> bool {
///     return (counts.whole & 1u) == 1u && (flags[body / 32u] >> (body % 32u) & 1u) == 1u;
/// }
/// ```
///
/// Each part of the answer has its own bit in [`whole`](super::Whole): use a part only if its bit is set. The flags can
/// be complete when the order or the details are not. After the first submission a part can be missing if the step
/// needs more than recent ones did: more room, more dispatches for large turned sprites that move or for sprites that
/// overlap deeply, or the sorting of more than 512 pairs of one body. The engine sizes each step by the counts of
/// earlier ones, including those whose ticket was dropped; while the amount of work stays the same, all parts are
/// complete once the counts of two steps have arrived. For a frame without complete flags, draw from your own copy of
/// the last complete ones.
///
/// [`Ticket::try_take`](super::Ticket::try_take) and [`Ticket::wait`](super::Ticket::wait) continue an incomplete step.
/// Once they have returned the answer, call `results` again: the buffers then hold the whole answer, except for two
/// parts that only the host gets: the pairs of a step that takes several runs because its candidates do not all fit at
/// once, and the details of a step with more pairs than their buffer has room for (at most 2^20). In both cases the
/// ways out are missing, and only [`World::contact`](crate::World::contact) finds them. A single frame is also
/// incomplete if an invocation has more work than 257 dispatches allow.
///
/// The buffers also have the usage `COPY_SRC`, the pairs `VERTEX`, and the counts `INDIRECT`. [`Results::dispatch`] and
/// [`Results::draw`] hold the arguments with which the GPU dispatches a shader over all pairs, or draws an instance for
/// each pair, without a readback.
///
/// Results cannot outlive their ticket, nor be kept while you query it for its answer, which may replace the buffers:
///
/// ```compile_fail,E0505
/// # fn example(mut engine: hitmask::gpu::Engine, world: &hitmask::World) -> hitmask::Result<()> {
/// let ticket = engine.submit(world, hitmask::Ask::Pairs)?;
/// let results = ticket.results();
/// drop(ticket); // cannot move out of `ticket` because it is borrowed
/// let flags = results.flags();
/// # Ok(()) }
/// ```
///
/// ```
/// use hitmask::{Ask, Body, Shape, World, gpu};
///
/// let mut world = World::default();
/// let ball = world.add_shape(Shape::circle(3.0)?)?;
/// for x in 0..40 {
///     world.add(&Body::new(ball, [f64::from(x), 0.0]))?;
/// }
/// let ticket = gpu::Engine::new()?.submit(&world, Ask::Details)?;
/// let results = ticket.results();
/// assert_eq!(results.bodies(), 40);
/// assert_eq!(results.counts().size.unwrap().get(), 16);
/// assert_eq!(results.flags().size.unwrap().get(), 8, "a bit a body, in whole words");
/// assert!(results.pairs().is_some() && results.details().is_some());
/// # Ok::<(), hitmask::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Results<'ticket> {
    header: wgpu::Buffer,
    pairs: Option<wgpu::Buffer>,
    details: Option<wgpu::Buffer>,
    contacts: Option<wgpu::Buffer>,
    bodies: u32,
    ticket: PhantomData<&'ticket ()>,
}

impl Results<'_> {
    /// Shows the parts of a step's answer that were requested.
    pub(super) fn new(buffers: &Buffers, bodies: u32, asked: Whole) -> Self {
        let part = |binding, part| asked.contains(part).then(|| buffers.get(binding).clone());
        Self {
            header: buffers.get(Binding::Header).clone(),
            pairs: part(Binding::Pairs, Whole::PAIRS),
            details: part(Binding::Details, Whole::DETAILS),
            contacts: part(Binding::Contacts, Whole::CONTACTS),
            bodies,
            ticket: PhantomData,
        }
    }

    /// Returns the number of bodies of the step.
    #[must_use]
    pub fn bodies(&self) -> u32 {
        self.bodies
    }

    /// Returns the binding of the counts, four words: the number of pairs, 1 if the answer is complete, the number of
    /// bodies that were skipped, and the bits of [`Whole`](super::Whole). Pairs are counted only if requested.
    #[must_use]
    pub fn counts(&self) -> wgpu::BufferBinding<'_> {
        wgpu::BufferBinding { buffer: &self.header, offset: 0, size: wgpu::BufferSize::new(16) }
    }

    /// Returns the binding of the flags, a bit for each body, set if the body is in any pair: bit `i % 32` of word
    /// `i / 32`. There is at least one word.
    #[must_use]
    pub fn flags(&self) -> wgpu::BufferBinding<'_> {
        let size = wgpu::BufferSize::new(Header::flag_bytes(self.bodies.max(1).into()));
        wgpu::BufferBinding { buffer: &self.header, offset: Header::BYTES, size }
    }

    /// Returns the binding of the pairs, two words each, lower index first, in ascending order if
    /// [`Whole::ORDER`](super::Whole::ORDER) is set; `None` if pairs were not requested. The buffer is larger than the
    /// pairs need.
    #[must_use]
    pub fn pairs(&self) -> Option<wgpu::BufferBinding<'_>> {
        self.pairs.as_ref().map(wgpu::Buffer::as_entire_buffer_binding)
    }

    /// Returns the buffer and the offset of the arguments of an indirect dispatch over all pairs, for
    /// [`ComputePass::dispatch_workgroups_indirect`](wgpu::ComputePass::dispatch_workgroups_indirect): one workgroup
    /// for every [`Request::workgroup`](super::Request::workgroup) pairs. It has no workgroups while
    /// [`Whole::PAIRS`](super::Whole::PAIRS) is not set.
    ///
    /// If there are more than 65,535 workgroups, they are folded into two dimensions. So number a shader's invocations
    /// by `(group.y * groups.x + group.x) * SIZE + local`, with `workgroup_id`, `num_workgroups` and
    /// `local_invocation_index`, and skip those whose number is not below `counts.pairs`.
    #[must_use]
    pub fn dispatch(&self) -> (&wgpu::Buffer, u64) {
        (&self.header, Header::DISPATCH)
    }

    /// Returns the buffer and the offset of the arguments of an indirect draw, for
    /// [`RenderPass::draw_indirect`](wgpu::RenderPass::draw_indirect): an instance for each pair, of
    /// [`Request::vertices`](super::Request::vertices) vertices. There are no instances while
    /// [`Whole::PAIRS`](super::Whole::PAIRS) is not set.
    #[must_use]
    pub fn draw(&self) -> (&wgpu::Buffer, u64) {
        (&self.header, Header::DRAW)
    }

    /// Returns the binding of the details, a [`RawDetail`](super::RawDetail) for each pair, in the order of pairs;
    /// `None` if details were not requested. The buffer is larger than the details need.
    #[must_use]
    pub fn details(&self) -> Option<wgpu::BufferBinding<'_>> {
        self.details.as_ref().map(wgpu::Buffer::as_entire_buffer_binding)
    }

    /// Returns the binding of the ways out, a [`RawContact`](super::RawContact) for each pair, in the order of pairs;
    /// `None` without [`Request::contacts`](super::Request::contacts). The buffer is larger than they need.
    #[must_use]
    pub fn contacts(&self) -> Option<wgpu::BufferBinding<'_>> {
        self.contacts.as_ref().map(wgpu::Buffer::as_entire_buffer_binding)
    }
}
