//! The cost of a step of each workload: runs it on lavapipe and counts every command.
//!
//! The commands are those that wgpu gives to the driver, not those that the engine gives to wgpu: before an indirect
//! dispatch, wgpu has one of its own that validates the number of workgroups.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use anyhow::{Context, ensure};
use hitmask::wgpu::{self, naga};
use hitmask::{Ask, gpu};
use hitmask_workbench::workloads::Workload;
use serde::{Deserialize, Serialize};

use crate::device::Driver;
use crate::seen::{Commands, seen};

/// The workloads whose steps are counted, with the number of bodies and the requested level of detail.
const CASES: [(Workload, u32, Ask); 13] = [
    (Workload::Boxes, 1_000, Ask::Flags),
    (Workload::Boxes, 1_000, Ask::Pairs),
    (Workload::Boxes, 10_000, Ask::Pairs),
    (Workload::Boxes, 100_000, Ask::Flags),
    (Workload::Boxes, 100_000, Ask::Pairs),
    (Workload::Boxes, 1_000_000, Ask::Pairs),
    (Workload::Circles, 100_000, Ask::Pairs),
    (Workload::Sprites, 1_000, Ask::Pairs),
    (Workload::Sprites, 100_000, Ask::Pairs),
    (Workload::Turned, 1_000, Ask::Pairs),
    (Workload::Turned, 1_000, Ask::Details),
    (Workload::Turned, 100_000, Ask::Pairs),
    (Workload::Bullets, 50_200, Ask::Pairs),
];
/// Number of bodies of the workload that is placed on the GPU, and whose answer stays there.
const PLACED: u32 = 100_000;
/// Number of steps before the one that is counted, in which memory is allocated.
const WARM_UP: u32 = 2;

/// The counts of steps, by workload, number of bodies, and requested level of detail.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Steps {
    pub(crate) cases: BTreeMap<String, Step>,
}

/// The counts of a step in which all bodies have moved.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Step {
    pub(crate) bodies: u64,
    /// Number of dispatches, the engine's and wgpu's own, which run one after the other.
    pub(crate) chain: u64,
    /// Number of the engine's dispatches.
    pub(crate) dispatches: u64,
    /// Number of indirect dispatches.
    pub(crate) indirect: u64,
    pub(crate) clears: u64,
    pub(crate) barriers: u64,
    pub(crate) submits: u64,
    /// Number of copies of all kinds.
    pub(crate) copies: u64,
    /// Bytes copied from the host.
    pub(crate) bytes_up: u64,
    /// Bytes copied to the host.
    pub(crate) bytes_down: u64,
    /// Number of the engine's dispatches, by entry point.
    pub(crate) passes: BTreeMap<String, u64>,
    /// The lengths of lists.
    pub(crate) lists: BTreeMap<String, u64>,
}

impl Step {
    /// Returns the number of dispatches that a hardware GPU would not have: in software, long passes are split so that
    /// no dispatch takes long. (On hardware a million sorted bodies are swept in two.)
    pub(crate) fn parted(&self) -> u64 {
        ["sweep", "sweep_all", "paint"].iter().filter_map(|pass| self.passes.get(*pass)).map(|count| count - 1).sum()
    }
}

/// Runs all workloads and returns the counts.
pub(crate) fn count() -> anyhow::Result<Steps> {
    let (device, queue) = Driver::Lavapipe.find()?.device()?;
    let mut engine = engine(&device, &queue)?;
    let own = entry_points()?;
    let mut cases = BTreeMap::new();
    for (workload, bodies, ask) in CASES {
        let name = format!("{workload} {bodies} {}", format!("{ask:?}").to_lowercase());
        let mut crowd = workload.crowd(bodies)?;
        for step in 0..WARM_UP {
            crowd.step(step, 1000)?;
            engine.run(crowd.world(), ask)?;
        }
        crowd.step(WARM_UP, 1000)?;
        seen().commands = Commands::default();
        let mut ticket = engine.submit(crowd.world(), ask)?;
        let hits = ticket.wait(Duration::MAX)?.context("a step did not finish")?;
        let commands = std::mem::take(&mut seen().commands);
        let lists = lists(&device, &queue, ticket.results().counts().buffer)?;
        ensure!(ask == Ask::Flags || lists["pairs"] == hits.pairs.len() as u64, "{name}: {lists:?}");
        cases.insert(name, Step::of(&commands, &own, bodies, lists));
    }
    let name = format!("{} {PLACED} pairs, from and for the GPU", Workload::Boxes);
    let (commands, lists) = count_placed(&device, &queue)?;
    cases.insert(name, Step::of(&commands, &own, PLACED, lists));
    Ok(Steps { cases })
}

/// Creates an engine with the shaders for hardware, though with shorter dispatches.
fn engine(device: &wgpu::Device, queue: &wgpu::Queue) -> hitmask::Result<gpu::Engine> {
    gpu::Engine::on(device.clone(), queue.clone(), &hitmask::internals::as_hardware(gpu::Options::default()))
}

/// Runs a step whose placements lie on the GPU, and whose answer stays there.
fn count_placed(device: &wgpu::Device, queue: &wgpu::Queue) -> anyhow::Result<(Commands, BTreeMap<String, u64>)> {
    // A fresh engine, which has learnt nothing from other workloads.
    let mut engine = engine(device, queue)?;
    let crowd = Workload::Boxes.crowd(PLACED)?;
    let placements = device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: 16 * u64::from(PLACED),
        usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let units = |v: f64| (v * f64::from(hitmask::geometry::SUBPIXELS)) as i32;
    let words = crowd.homes().iter().flat_map(|body| [units(body.at.x), units(body.at.y), 0, 0]);
    queue.write_buffer(&placements, 0, &words.flat_map(i32::to_ne_bytes).collect::<Vec<u8>>());
    let stream = gpu::Stream::new(&placements).lattice().stride(16);
    let request = gpu::Request::new(Ask::Pairs).positions(stream).motions(stream.offset(8)).resident();
    for _ in 0..WARM_UP {
        engine.submit(crowd.world(), request)?.wait(Duration::MAX)?;
    }
    seen().commands = Commands::default();
    let mut ticket = engine.submit(crowd.world(), request)?;
    ticket.wait(Duration::MAX)?;
    let commands = std::mem::take(&mut seen().commands);
    let counts = ticket.counts().context("a step did not finish")?;
    ensure!(counts.complete && counts.skipped == 0, "{counts:?}");
    Ok((commands, lists(device, queue, ticket.results().counts().buffer)?))
}

/// Returns the names of the engine's entry points.
fn entry_points() -> anyhow::Result<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    for (name, source) in hitmask::internals::shaders() {
        let module = naga::front::wgsl::parse_str(&source).with_context(|| format!("the module `{name}`"))?;
        names.extend(module.entry_points.into_iter().map(|entry| entry.name));
    }
    Ok(names)
}

/// Returns the lengths of the last step's lists, from the buffer that holds its counts.
fn lists(device: &wgpu::Device, queue: &wgpu::Queue, counts: &wgpu::Buffer) -> anyhow::Result<BTreeMap<String, u64>> {
    let read = device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: hitmask::internals::HEADER_BYTES,
        usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    encoder.copy_buffer_to_buffer(counts, 0, &read, 0, read.size());
    queue.submit([encoder.finish()]);
    read.map_async(wgpu::MapMode::Read, .., Result::unwrap);
    device.poll(wgpu::PollType::wait_indefinitely())?;
    let bytes = read.get_mapped_range(..)?.to_vec();
    Ok(hitmask::internals::lists(&bytes).into_iter().map(|(name, length)| (name.to_owned(), length)).collect())
}

impl Step {
    fn of(commands: &Commands, own: &BTreeSet<String>, bodies: u32, lists: BTreeMap<String, u64>) -> Self {
        let Commands { dispatches, indirect, clears, barriers, submits, up, down, across } = commands;
        let mut passes = dispatches.clone();
        passes.retain(|entry, _| own.contains(entry));
        Self {
            bodies: bodies.into(),
            chain: dispatches.values().sum(),
            dispatches: passes.values().sum(),
            indirect: *indirect,
            clears: *clears,
            barriers: *barriers,
            submits: *submits,
            copies: up.count + down.count + across.count,
            bytes_up: up.bytes,
            bytes_down: down.bytes,
            passes,
            lists,
        }
    }
}
