//! A step: one submission and one wait where all fits, else as many as it takes.
//!
//! This is what drives the device. It has shaders do what [`record`](super::record) writes down, reads what they have
//! counted, and from that decides what is left to do.

mod play;
mod rest;
mod room;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex};
use std::time::Instant;

use rayon::prelude::*;

use crate::ground::error::{Error, Result};
use crate::ground::threads;
use crate::hits::{Ask, Detail, Hits};
use crate::profile::Profile;
use crate::world::World;

use super::binding::Binding;
use super::detail::RawDetail;
use super::frame::{Frame, Readback};
use super::header::Header;
use super::kinds::Kinds;
use super::learnt::{Begun, Rounds, Unasked, less_fuel};
use super::lock::lock;
use super::params::Params;
use super::record::Recording;
use super::record::order::FEW_BODIES;
use super::record::plan::{self, Posing, Rows};
use super::request::{Counts, Request};
use super::results::Results;
use super::shared::Shared;
use super::whole::Whole;
use play::Part;

/// The room for candidates to begin with, for each body.
const CANDIDATES_EACH: u32 = 4;

/// A step, with a frame of its own, which goes back to the pool when the step is dropped.
#[derive(Debug)]
pub(super) struct Step {
    shared: Arc<Shared>,
    frame: Frame,
    status: Arc<Mutex<Status>>,
    profile: Profile,
    ask: Ask,
    /// Whether the answer stays on the GPU, and only counts come back.
    resident: bool,
    counts: Counts,
    /// The parts that were whole behind its first submission, once known.
    in_frame: Option<Whole>,
    /// What all dispatches are told.
    common: Params,
    /// What its pairs may be.
    kinds: Kinds,
    /// What comes before bodies land: the host's streams are read once.
    posing: Posing,
    /// Whether the driver has cut loops short since the last try began.
    cut: bool,
    /// The run whose counts are on their way.
    begun: Option<Begun>,
}

/// What the ticket of a step sees of it while it is in flight.
#[derive(Debug)]
pub(super) struct Status {
    /// The encoder of the caller's into which the first submission is recorded, while it is.
    pub(super) encoder: Option<wgpu::CommandEncoder>,
    /// The last submission of its own; none while only the caller's encoder has the step.
    pub(super) submission: Option<wgpu::SubmissionIndex>,
    /// Where the results are.
    pub(super) results: Results<'static>,
}

/// What came of a run of rows.
struct Run {
    header: Header,
    /// True if its pairs are in ascending order.
    is_ordered: bool,
    flags: Vec<u32>,
    pairs: Vec<[u32; 2]>,
    details: Vec<RawDetail>,
}

impl Step {
    /// A step of a world, which is uploaded here and not needed again.
    pub(super) fn new(shared: &Arc<Shared>, world: &World, request: &Request<'_>) -> Result<Self> {
        let windows = request.check(world, &shared.gpu.device.limits())?;
        let ask = request.ask;
        let frame = shared.lend()?;
        let results = Results::new(&frame.buffers, 0, ask);
        let mut step = Self {
            shared: Arc::clone(shared),
            frame,
            status: Arc::new(Mutex::new(Status { encoder: None, submission: None, results })),
            profile: Profile::default(),
            ask,
            resident: request.resident,
            counts: Counts::default(),
            in_frame: None,
            common: Params::default(),
            kinds: Kinds::default(),
            posing: Posing { changed: 0, reads: true, allots: true },
            cut: false,
            begun: None,
        };
        let start = Instant::now();
        step.upload(world, request, windows)?;
        step.profile.lap("upload", start);
        Ok(step)
    }

    /// What its ticket sees of it.
    pub(super) fn status(&self) -> &Arc<Mutex<Status>> {
        &self.status
    }

    /// What it has cost so far.
    pub(super) fn profile(&self) -> &Profile {
        &self.profile
    }

    /// What it has counted so far.
    pub(super) fn counts(&self) -> Counts {
        self.counts
    }

    /// The answer; with the step, whose frame holds what it leaves on the GPU. Pending whenever it waits for the
    /// device.
    pub(super) async fn answer(mut self: Box<Self>) -> (Box<Self>, Result<Hits>) {
        let hits = self.hits().await;
        (self, hits)
    }

    /// Tries, and where the driver cuts loops short tries again with less fuel.
    async fn hits(&mut self) -> Result<Hits> {
        if self.common.bodies < 2 {
            return Ok(self.none());
        }
        self.common.fuel = self.shared.learnt().fuel;
        loop {
            self.cut = false;
            let hits = self.try_rows().await?;
            if !self.cut {
                return Ok(hits);
            }
            let Some(less) = less_fuel(self.common.fuel) else {
                // Another world may do with all of it.
                let full = self.shared.full_fuel();
                self.shared.learn(|learnt| learnt.fuel = full);
                let problem = "the driver ends loops early (lavapipe does after 65,535 iterations), and a shape has \
                               too many vertices for that; use the CPU engine";
                return Err(Error::Gpu { problem: problem.into() });
            };
            self.common.fuel = less;
            self.shared.learn(|learnt| learnt.fuel = less);
        }
    }

    /// The answer of a world without two bodies, here and on the GPU.
    fn none(&mut self) -> Hits {
        let whole = Whole::asked(self.ask);
        self.counts = Counts { complete: true, whole, in_frame: whole, ..self.counts };
        let draw = [self.common.vertices, 0, 0, 0];
        let header = Header { complete: 1, whole: whole.bits(), draw, ..Header::START };
        let (queue, buffer) = (&self.shared.gpu.queue, self.frame.buffers.get(Binding::Header));
        queue.write_buffer(buffer, 0, bytemuck::bytes_of(&header));
        queue.write_buffer(buffer, Header::BYTES, &[0; 4]);
        self.show_results();
        if self.resident { Hits::default() } else { Hits::none(self.common.bodies as usize) }
    }

    /// All rows, in as many runs as it takes; the answer means nothing where the driver has cut loops short.
    async fn try_rows(&mut self) -> Result<Hits> {
        let learnt = self.shared.learnt();
        let (bodies, most) = (self.common.bodies, self.shared.most_candidates);
        let (most_landed, spare) = (self.most_landed(), self.resident);
        let mut rounds = learnt.rounds.min(plan::all_rounds(self.common));
        let mut room = learnt.candidates.max(bodies.saturating_mul(CANDIDATES_EACH)).min(most);
        let mut hits = Hits::default();
        self.counts.pairs = 0;
        let (mut posed, mut ordered, mut long) = (false, true, learnt.long_rows > 0);
        let (mut first_row, mut end_row) = (0, bodies);
        while first_row < bodies {
            let detail_room = self.detail_room(room);
            let alone = first_row == 0 && end_row == bodies;
            long &= alone && self.sorts_pairs(room);
            let params = Params {
                first_row,
                end_row,
                candidate_room: room,
                detail_room,
                sorts_pairs: long.into(),
                ..self.common
            };
            let begun = Begun { params, rounds, poses: !posed, most, most_landed, spare };
            let run = self.run_rows(begun).await?;
            let header = run.header;
            if !posed {
                self.counts.skipped = header.skipped;
            }
            // Where pairs are sorted, the order of the bodies is lost.
            posed = !long;
            self.cut |= header.cut != 0;
            if self.cut {
                return Ok(hits);
            }
            self.shared.learn(|learnt| learnt.learn(&begun, &header));
            if let Some(more) = begun.more_landed(&header) {
                self.make_landing_room(more, header.all_landed())?;
                posed = false;
                continue;
            }
            if let Some(more) = begun.more_rounds(&header) {
                rounds = more;
                continue;
            }
            let candidates = header.all_candidates();
            if let Some(more) = begun.more_room(&header) {
                room = more;
                continue;
            }
            if candidates > u64::from(room) {
                if end_row - first_row == 1 {
                    return Err(Error::Capacity {
                        what: format!("the candidate pairs of body {} alone", self.body_at(params).await?),
                        needed: Binding::Candidates.bytes(candidates),
                        limit: "the memory allowed for them",
                        available: Binding::Candidates.bytes(most.into()),
                        advice: "allow more, or use the CPU engine",
                    });
                }
                end_row = first_row + (end_row - first_row) / 2;
                continue;
            }
            self.profile.candidates += header.lists.iter().map(|&length| u64::from(length)).sum::<u64>();
            let run = self.finish_run(params, run).await?;
            if self.cut {
                return Ok(hits);
            }
            // The host puts in order what the GPU has not: pairs of several runs of ranks, and rows too long for it.
            ordered &= run.is_ordered && (alone || self.common.sorted == 0);
            self.counts.pairs += u64::from(run.header.pairs);
            hits.flags = run.flags;
            hits.pairs.extend(run.pairs);
            hits.details.extend(run.details.into_iter().map(Detail::from));
            (first_row, end_row) = (end_row, bodies.min(end_row.saturating_add(2 * (end_row - first_row))));
        }
        if !ordered {
            let start = Instant::now();
            sort_hits(&mut hits);
            self.profile.lap("order", start);
        }
        Ok(hits)
    }

    /// All stages for some rows, in one go with one wait at its end.
    async fn run_rows(&mut self, begun: Begun) -> Result<Run> {
        let Begun { params, rounds, poses, .. } = begun;
        let learnt = self.shared.learnt();
        let [judge_rounds, detail_rounds] = [learnt.judging, learnt.detailing].map(Rounds::recorded);
        // What takes long to be found takes long to be gathered, once there is something.
        let detail_rounds = if self.ask == Ask::Details { detail_rounds.max(judge_rounds) } else { 0 };
        self.make_room(params, judge_rounds + detail_rounds > 0)?;
        // All counts begin anew. Flags are cleared with the pose, so that those of earlier runs stay.
        let header = self.frame.buffers.get(Binding::Header);
        let start = Header { skipped: self.counts.skipped, ..Header::START };
        self.shared.gpu.queue.write_buffer(header, 0, bytemuck::bytes_of(&start));
        let rows = Rows {
            pose: poses.then(|| {
                let later = Posing { reads: false, allots: false, ..self.posing };
                std::mem::replace(&mut self.posing, later)
            }),
            rounds,
            software: self.shared.info.software,
            landed: if params.posed == 1 { 2 * u64::from(params.landed_room) } else { self.frame.landed() },
            kinds: self.kinds,
            ask: self.ask,
            few: params.bodies <= FEW_BODIES && !learnt.crowded,
            judge_rounds,
            detail_rounds,
        };
        let recording = rows.record(params);
        self.begun = Some(begun);
        let run = self.play_run(&recording, params).await;
        self.begun = None;
        run
    }

    /// Plays a recording whose last stage is the order, and brings back the counts, the flags, and as many pairs as
    /// there were in the last step, with their details.
    async fn play_run(&mut self, recording: &Recording, params: Params) -> Result<Run> {
        let flag_bytes = if self.resident { 0 } else { Header::flag_bytes(params.bodies.into()) };
        let counted = Header::BYTES + flag_bytes;
        let pair_bytes = Binding::Pairs.element_size();
        let detail_bytes = if self.ask == Ask::Details { Binding::Details.element_size() } else { 0 };
        let expected = if self.ask == Ask::Flags || self.resident {
            0
        } else {
            let room = Readback::most(&self.shared.gpu.device).saturating_sub(counted) / (pair_bytes + detail_bytes);
            u64::from(self.shared.learnt().pairs.min(params.candidate_room).min(params.detail_room)).min(room)
        };
        let mut parts = vec![Part { buffer: Binding::Header, start: 0, bytes: counted }];
        if expected > 0 {
            parts.push(Part { buffer: Binding::Pairs, start: 0, bytes: expected * pair_bytes });
        }
        if expected * detail_bytes > 0 {
            parts.push(Part { buffer: Binding::Details, start: 0, bytes: expected * detail_bytes });
        }
        let run = self.play(recording, &parts, |bytes| {
            let (header, rest) = bytes.split_at(size_of::<Header>());
            let (flags, rest) = rest.split_at(flag_bytes as usize);
            let (pairs, details) = rest.split_at((expected * pair_bytes) as usize);
            let header: Header = bytemuck::pod_read_unaligned(header);
            let there = expected.min(header.pairs.into());
            Run {
                header,
                is_ordered: header.long_rows == 0 || params.sorts_pairs == 1,
                flags: bytemuck::pod_collect_to_vec(flags),
                pairs: bytemuck::pod_collect_to_vec(&pairs[..(there * pair_bytes) as usize]),
                details: bytemuck::pod_collect_to_vec(&details[..(there * detail_bytes) as usize]),
            }
        });
        let run = run.await?;
        self.note_whole(&run.header);
        Ok(run)
    }

    /// Takes note of what is whole on the GPU.
    fn note_whole(&mut self, header: &Header) {
        let whole = Whole::of_bits(header.whole);
        let in_frame = *self.in_frame.get_or_insert(whole);
        self.counts = Counts { complete: header.complete == 1, whole, in_frame, ..self.counts };
    }

    /// The body whose rank is the first row.
    async fn body_at(&mut self, params: Params) -> Result<u32> {
        if params.sorted == 0 {
            return Ok(params.first_row);
        }
        let mut elements: Vec<[u32; 2]> = Vec::new();
        self.read(Binding::Elements, params.first_row, 1, &mut elements).await?;
        Ok(elements[0][1])
    }

    /// Lets the ticket see where the results are.
    fn show_results(&self) {
        lock(&self.status).results = Results::new(&self.frame.buffers, self.common.bodies, self.ask);
    }
}

impl Drop for Step {
    fn drop(&mut self) {
        let mut frame = std::mem::take(&mut self.frame);
        if let Some(begun) = self.begun {
            self.shared.leave(Unasked::new(begun, std::mem::take(&mut frame.readback)));
            if lock(&self.status).submission.is_none() {
                // The caller's encoder has it, and may be submitted later or never.
                return self.shared.give_up(frame);
            }
        }
        self.shared.take_back(frame);
    }
}

/// Puts pairs, and with them their details, in ascending order.
fn sort_hits(hits: &mut Hits) {
    if hits.details.is_empty() {
        threads::within(|| hits.pairs.par_sort_unstable());
    } else {
        let mut found: Vec<_> = hits.pairs.drain(..).zip(hits.details.drain(..)).collect();
        threads::within(|| found.par_sort_unstable_by_key(|(pair, _)| *pair));
        (hits.pairs, hits.details) = found.into_iter().unzip();
    }
}
