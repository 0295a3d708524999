//! What a step is asked for.

use crate::ground::error::{Error, Result};
use crate::hits::Ask;
use crate::world::World;

use super::whole::Whole;

/// The bytes of a placement: four words.
const PLACEMENT: u64 = 16;

/// What a step is asked for, beyond an [`Ask`]: see [`Engine::submit`](super::Engine::submit). Begins as
/// [`Request::new`]; each method changes one thing.
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
/// let placements = device.create_buffer(&wgpu::BufferDescriptor {
///     label: None,
///     size: 3 * 16,
///     usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
///     mapped_at_creation: false,
/// });
/// let units = [[0, 0], [100, 0], [4_000_000, 0]];
/// let words: Vec<i32> = units.iter().flat_map(|[x, y]| [256 * x, 256 * y, 0, 0]).collect();
/// queue.write_buffer(&placements, 0, &words.iter().flat_map(|word| word.to_ne_bytes()).collect::<Vec<u8>>());
///
/// let request = gpu::Request::new(Ask::Pairs).placed(&placements);
/// let mut ticket = engine.submit(&world, request)?;
/// let hits = ticket.wait(Duration::MAX)?.unwrap();
/// assert_eq!(hits.pairs, [[0, 2]], "the last would leave the world, and stays where that has it");
/// assert_eq!(ticket.counts().unwrap().skipped, 1);
/// # Ok::<(), hitmask::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[must_use]
pub struct Request<'a> {
    pub(super) ask: Ask,
    pub(super) placements: Option<&'a wgpu::Buffer>,
    pub(super) resident: bool,
}

impl<'a> Request<'a> {
    /// What [`Engine::run`](super::Engine::run) answers: of a world as it stands, in memory.
    pub fn new(ask: Ask) -> Self {
        Self { ask, ..Self::default() }
    }

    /// Takes positions and motions from a buffer, and not from the world; all else of bodies is the world's, which does
    /// not change. The buffer must be of the engine's device: at another's wgpu panics, or does not notice and reads
    /// some other buffer.
    ///
    /// For each index there are four words: x and y of the position, x and y of the motion, in lattice steps of 1/256
    /// unit. It is read by this step's first submission, so a pass that writes it belongs in one before that. The
    /// buffer must have the usage `STORAGE`, 16 bytes for each of [`World::indices`], and no more than the device lets
    /// a shader bind: else the step is refused, with an [`Error::Value`]; where it is destroyed, with an
    /// [`Error::Gpu`].
    ///
    /// The limits are those of a world: a position within ±(2^29 - 1), also where the motion ends, a motion within
    /// ±2^24, and all that the body reaches in the world. They are checked on the GPU. A body whose placement is beyond
    /// them is skipped: it stays where the world has it, and is counted in [`Counts::skipped`]. What is empty, and what
    /// a free index has, is not looked at; nor is anything in a world without two indices. The engine holds on to the
    /// buffer until a later step is given another.
    ///
    /// ```no_run
    /// # fn example(engine: &mut hitmask::gpu::Engine, world: &hitmask::World, buffer: &hitmask::wgpu::Buffer) ->
    /// # hitmask::Result<()> {
    /// use hitmask::{Ask, gpu};
    ///
    /// let ticket = engine.submit(world, gpu::Request::new(Ask::Flags).placed(buffer).resident())?;
    /// # Ok(()) }
    /// ```
    pub fn placed(self, placements: &'a wgpu::Buffer) -> Self {
        Self { placements: Some(placements), ..self }
    }

    /// Leaves the answer on the GPU, for those who draw with it there: see [`Results`](super::Results). Only counts
    /// come back, and the [`Hits`](crate::Hits) of the ticket are empty. They tell where there was too little room: a
    /// ticket that is asked then does its step again with more, and where it is dropped, later steps have more.
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
    /// let mut ticket = gpu::Engine::new(None)?.submit(&world, gpu::Request::new(Ask::Pairs).resident())?;
    /// assert_eq!(ticket.wait(Duration::MAX)?, Some(Hits::default()));
    /// let counts = ticket.counts().unwrap();
    /// assert_eq!((counts.pairs, counts.complete), (1, true));
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn resident(self) -> Self {
        Self { resident: true, ..self }
    }

    /// Sees that the placements are those of a world, in a buffer that shaders of a device can bind.
    pub(super) fn check(&self, world: &World, device: &wgpu::Device) -> Result<()> {
        let Some(buffer) = self.placements else { return Ok(()) };
        let refuse = |limit| Err(Error::value("placements", format!("a buffer of {} bytes", buffer.size()), limit));
        let (indices, most) = (world.indices(), device.limits().max_storage_buffer_binding_size);
        let needed = PLACEMENT * indices as u64;
        if buffer.size() < needed {
            return refuse(format!("have 16 for each of {indices} indices, {needed}"));
        }
        if buffer.size() > most {
            return refuse(format!("have at most max_storage_buffer_binding_size, {most}"));
        }
        if !buffer.usage().contains(wgpu::BufferUsages::STORAGE) {
            return Err(Error::value("placements", "a buffer without the usage `STORAGE`", "have it"));
        }
        Ok(())
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
    /// The pairs; 0 where they were not asked for.
    pub pairs: u64,
    /// True if everything that was asked for is on the GPU when the answer has arrived: see
    /// [`Results`](super::Results).
    pub complete: bool,
    /// The parts that are on the GPU then.
    pub whole: Whole,
    /// The parts that were on the GPU after the first submission: what passes of the same frame have seen.
    pub in_frame: Whole,
    /// The bodies whose placements on the GPU were beyond the limits: see [`Request::placed`].
    pub skipped: u32,
}
