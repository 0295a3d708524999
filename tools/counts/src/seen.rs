//! The recorded calls to the driver.

use std::collections::{BTreeMap, HashMap};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use ash::vk::{Buffer, BufferUsageFlags, CommandBuffer, Pipeline};

/// The driver's statistics of a pipeline, under the driver's names.
pub(crate) type Statistics = BTreeMap<String, u64>;

/// All that was recorded so far.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// The entry point of each pipeline.
    entries: HashMap<Pipeline, String>,
    /// The statistics of the last compiled pipeline.
    pub(crate) compiled: Option<Statistics>,
    buffers: HashMap<Buffer, BufferUsageFlags>,
    bound: HashMap<CommandBuffer, Pipeline>,
    /// The commands since this was last taken.
    pub(crate) commands: Commands,
}

/// The numbers of commands.
#[derive(Clone, Debug, Default)]
pub(crate) struct Commands {
    /// Number of dispatches, by entry point.
    pub(crate) dispatches: BTreeMap<String, u64>,
    /// Number of indirect dispatches among them.
    pub(crate) indirect: u64,
    /// Number of buffers cleared to zero.
    pub(crate) clears: u64,
    pub(crate) barriers: u64,
    pub(crate) submits: u64,
    /// Copies from the host.
    pub(crate) up: Copies,
    /// Copies to the host.
    pub(crate) down: Copies,
    /// Copies between buffers of the GPU.
    pub(crate) across: Copies,
}

/// The number of buffer copies, and their bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Copies {
    pub(crate) count: u64,
    pub(crate) bytes: u64,
}

/// Returns the record, locked until it is dropped.
pub(crate) fn seen() -> MutexGuard<'static, Seen> {
    static SEEN: LazyLock<Mutex<Seen>> = LazyLock::new(Mutex::default);
    SEEN.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Seen {
    pub(crate) fn buffer(&mut self, buffer: Buffer, usage: BufferUsageFlags) {
        self.buffers.insert(buffer, usage);
    }

    pub(crate) fn pipeline(&mut self, pipeline: Pipeline, entry: String, compiled: Statistics) {
        self.compiled = Some(compiled);
        self.entries.insert(pipeline, entry);
    }

    pub(crate) fn bind(&mut self, to: CommandBuffer, pipeline: Pipeline) {
        self.bound.insert(to, pipeline);
    }

    pub(crate) fn dispatch(&mut self, to: CommandBuffer, indirect: bool) {
        let entry = self.bound.get(&to).and_then(|pipeline| self.entries.get(pipeline)).cloned().unwrap_or_default();
        *self.commands.dispatches.entry(entry).or_default() += 1;
        self.commands.indirect += u64::from(indirect);
    }

    pub(crate) fn fill(&mut self) {
        self.commands.clears += 1;
    }

    pub(crate) fn copy(&mut self, source: Buffer, sink: Buffer, bytes: u64) {
        // Without optional features, wgpu allows mappable buffers no use but copies.
        let only = |buffer, usage| self.buffers.get(&buffer) == Some(&usage);
        let copies = if only(source, BufferUsageFlags::TRANSFER_SRC) {
            &mut self.commands.up
        } else if only(sink, BufferUsageFlags::TRANSFER_DST) {
            &mut self.commands.down
        } else {
            &mut self.commands.across
        };
        copies.count += 1;
        copies.bytes += bytes;
    }

    pub(crate) fn barrier(&mut self) {
        self.commands.barriers += 1;
    }

    pub(crate) fn submit(&mut self) {
        self.commands.submits += 1;
    }
}
