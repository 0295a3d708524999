//! The options of one step.

use crate::ground::error::{Error, Result};
use crate::hits::Ask;
use crate::world::World;

use super::binding::Binding;
use super::stream::{Stream, Streams, Window};
use super::whole::Whole;

/// The default number of pairs that a workgroup of the caller's shader takes.
const WORKGROUP: u32 = 64;
/// The default number of vertices of an instance.
const VERTICES: u32 = 6;

/// A step's request: an [`Ask`] with options, for [`Engine::submit`](super::Engine::submit). Start from
/// [`Request::new`]; each method changes one option.
///
/// ```
/// use std::time::Duration;
///
/// use hitmask::{Ask, Body, Shape, World, gpu, wgpu};
/// # let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
/// # let wanted = wgpu::RequestAdapterOptions::default();
/// # let adapter = pollster::block_on(instance.request_adapter(&wanted)).expect("a GPU");
/// # let request = adapter.request_device(&wgpu::DeviceDescriptor::default());
/// # let (device, queue) = pollster::block_on(request).expect("it opens"); // the game's own
///
/// let mut engine = gpu::Engine::from_device(device.clone(), queue.clone())?;
/// let mut world = World::default();
/// let ball = world.add_shape(Shape::circle(3.0)?)?;
/// for _ in 0..3 {
///     world.add(&Body::new(ball, [0.0, 0.0]))?;
/// }
/// // Written by the host here; in a game, by a shader that moves its bodies.
/// let positions = device.create_buffer(&wgpu::BufferDescriptor {
///     label: None,
///     size: 3 * 8,
///     usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
///     mapped_at_creation: false,
/// });
/// let units: [f32; 6] = [0.0, 0.0, 2.5, 0.0, f32::NAN, 0.0];
/// queue.write_buffer(&positions, 0, &units.map(f32::to_ne_bytes).concat());
///
/// let request = gpu::Request::new(Ask::Pairs).positions(gpu::Stream::new(&positions));
/// let mut ticket = engine.submit(&world, request)?;
/// let hits = ticket.wait(Duration::MAX)?.unwrap();
/// assert_eq!(hits.pairs, [[0, 1]], "the last is nowhere: it is skipped, and hits nothing");
/// assert_eq!(ticket.counts().unwrap().skipped, 1);
/// # Ok::<(), hitmask::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Request<'a> {
    pub(super) ask: Ask,
    pub(super) streams: Streams<'a>,
    pub(super) resident: bool,
    pub(super) contacts: bool,
    pub(super) workgroup: u32,
    pub(super) vertices: u32,
}

impl<'a> Request<'a> {
    /// Creates a request for the world as it stands, with the answer in memory, as [`Engine::run`](super::Engine::run).
    pub fn new(ask: Ask) -> Self {
        Self {
            ask,
            streams: Streams::default(),
            resident: false,
            contacts: false,
            workgroup: WORKGROUP,
            vertices: VERTICES,
        }
    }

    /// Takes positions from a buffer on the GPU, two numbers for each index of the world: x and y, in units. Everything
    /// else about the bodies comes from the world, which does not change.
    ///
    /// The engine reads streams in this step's first submission, so submit any pass that writes them first, or encode
    /// it earlier in the same encoder ([`Engine::encode`](super::Engine::encode)). Numbers are snapped exactly as the
    /// world snaps them, to the bit. A buffer that is too small or lacks the usage `STORAGE` is an [`Error::Value`], a
    /// destroyed one an [`Error::Gpu`]. The engine keeps the buffers alive until a later step is given others.
    ///
    /// The limits are those of a world: a position within ±(2^29 - 1) lattice steps, also where the motion ends, a
    /// motion within ±2^24, and everything that the body covers within the world. The GPU checks them. A body beyond
    /// them, or with a NaN, hits nothing in this step and is counted in [`Counts::skipped`]. Values of empty bodies and
    /// of free indices are not checked; nor is anything in a world with fewer than two indices.
    ///
    /// Queries, impacts and everything else on the host use the world, not the streams. To update the world, read the
    /// streams back and set the bodies, for example with [`World::set_positions`]: the world then equals what the step
    /// used.
    pub fn positions(self, positions: Stream<'a>) -> Self {
        Self { streams: Streams { positions: Some(positions), ..self.streams }, ..self }
    }

    /// Takes motions from a buffer, two numbers for each index, in units: see [`Request::positions`].
    pub fn motions(self, motions: Stream<'a>) -> Self {
        Self { streams: Streams { motions: Some(motions), ..self.streams }, ..self }
    }

    /// Takes linear parts from a buffer, four numbers for each index: the rows of [`Linear`](crate::Linear), `x` then
    /// `y`. A body whose linear part the world would reject (an entry beyond 127, a shear of a shape with a radius) is
    /// skipped, as in [`Request::positions`].
    ///
    /// Building poses from these takes the GPU about a thousand operations for a turned sprite, and a few for each
    /// vertex of a convex body. A step with this stream, with [`Request::shapes`] or with [`Request::enabled`] takes
    /// 160 bytes a body instead of 80, and has room for 800,000 bodies on a GPU with default limits.
    pub fn linears(self, linears: Stream<'a>) -> Self {
        Self { streams: Streams { linears: Some(linears), ..self.streams }, ..self }
    }

    /// Takes shapes from a buffer, a `u32` for each index: the [`ShapeId::index`](crate::ShapeId::index) of a shape of
    /// the world, for example of an animation frame. A body whose number names no shape is skipped,
    /// as in [`Request::positions`].
    pub fn shapes(self, shapes: Stream<'a>) -> Self {
        Self { streams: Streams { shapes: Some(shapes), ..self.streams }, ..self }
    }

    /// Takes enabled flags from a buffer, a `u32` for each index: 0 disables the body. They replace
    /// [`Body::enabled`](crate::Body::enabled) in this step.
    pub fn enabled(self, enabled: Stream<'a>) -> Self {
        Self { streams: Streams { enabled: Some(enabled), ..self.streams }, ..self }
    }

    /// Leaves the answer on the GPU, for programs that use it there: see [`Results`](super::Results). Only counts are
    /// read back, and the [`Hits`](crate::Hits) of the ticket are empty: [`Events`](crate::response::Events) and others
    /// that need pairs refuse them. The counts show where room was lacking:
    /// querying the ticket repeats the step with more room, and if the ticket is dropped, later steps have more.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use hitmask::{Ask, Body, Hits, Shape, World, gpu};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(3.0)?)?;
    /// for x in [0.0, 20.0, 25.0] {
    ///     world.add(&Body::new(ball, [x, 0.0]))?;
    /// }
    /// let mut ticket = gpu::Engine::new()?.submit(&world, gpu::Request::new(Ask::Pairs).resident())?;
    /// assert_eq!(ticket.wait(Duration::MAX)?, Some(Hits::default()));
    /// let counts = ticket.counts().unwrap();
    /// assert_eq!((counts.pairs, counts.complete), (1, true));
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn resident(self) -> Self {
        Self { resident: true, ..self }
    }

    /// Finds the way out of each pair on the GPU too, for programs that push bodies apart there:
    /// [`Results::contacts`](super::Results::contacts). A step that asks for less than [`Ask::Details`] fails with an
    /// [`Error::Value`].
    ///
    /// The push is that of [`World::contact`], to the bit. Only pairs of very large bodies, of many pieces close
    /// together, or in very narrow slots are left to the host: see
    /// [`RawContact::LEFT_TO_HOST`](super::RawContact::LEFT_TO_HOST). Two concave polygons take the GPU far longer than
    /// the host: an invocation compares each edge of one with each of the other.
    ///
    /// The first step that asks for contacts compiles the shaders for them, which may take seconds, even after
    /// [`Engine::compile`](super::Engine::compile).
    ///
    /// ```
    /// use hitmask::{Ask, gpu::Request};
    ///
    /// let request = Request::new(Ask::Details).contacts().resident();
    /// ```
    pub fn contacts(self) -> Self {
        Self { contacts: true, ..self }
    }

    /// Sets how many pairs a workgroup of the caller's shader takes, for the arguments of
    /// [`Results::dispatch`](super::Results::dispatch). Default: 64. A step with 0 fails with an [`Error::Value`].
    ///
    /// ```
    /// use hitmask::{Ask, gpu::Request};
    ///
    /// let request = Request::new(Ask::Pairs).resident().workgroup(256);
    /// ```
    pub fn workgroup(self, workgroup: u32) -> Self {
        Self { workgroup, ..self }
    }

    /// Sets the number of vertices of an instance, for the arguments of [`Results::draw`](super::Results::draw).
    /// Default: 6, two triangles.
    ///
    /// ```
    /// use hitmask::{Ask, gpu::Request};
    ///
    /// let lines = Request::new(Ask::Pairs).resident().vertices(2);
    /// ```
    pub fn vertices(self, vertices: u32) -> Self {
        Self { vertices, ..self }
    }

    /// Checks the request, and returns the windows of its streams.
    pub(super) fn check(&self, world: &World, limits: &wgpu::Limits) -> Result<Vec<(Binding, Option<Window>)>> {
        if self.workgroup == 0 {
            return Err(Error::value("workgroup", 0, "be at least 1"));
        }
        if self.contacts && self.ask < Ask::Details {
            return Err(Error::value("ask", format!("{:?}", self.ask), "be `Details` for a request with contacts"));
        }
        self.streams.windows(world.indices(), limits)
    }
}

impl Default for Request<'_> {
    fn default() -> Self {
        Self::new(Ask::default())
    }
}

impl From<Ask> for Request<'_> {
    fn from(ask: Ask) -> Self {
        Self::new(ask)
    }
}

/// Counts of a finished step: from [`Ticket::counts`](super::Ticket::counts).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// The number of pairs; 0 if pairs were not requested.
    pub pairs: u64,
    /// Whether everything that was requested is on the GPU once the answer has arrived: see
    /// [`Results`](super::Results).
    pub complete: bool,
    /// The parts that are complete on the GPU once the answer has arrived.
    pub whole: Whole,
    /// The parts that were complete after the first submission, which passes of the same frame see.
    pub in_frame: Whole,
    /// The number of bodies whose poses on the GPU were beyond the limits: see [`Request::positions`].
    pub skipped: u32,
}
