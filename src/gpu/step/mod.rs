//! A step: one submission and one wait if everything fits, otherwise as many as needed.
//!
//! This module drives the device. It plays what [`record`](super::record) has recorded, reads the counts that the
//! shaders return, and decides from them what is left to do.

mod play;
mod rest;
mod room;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex};

use rayon::prelude::*;

use crate::ground::clock::Instant;
use crate::ground::error::{Error, Result};
use crate::ground::threads;
use crate::hits::{Ask, Detail, Hits, Stamp};
use crate::profile::Profile;
use crate::world::World;

use super::binding::Binding;
use super::detail::RawDetail;
use super::frame::{Frame, Readback, collect};
use super::header::Header;
use super::kinds::Kinds;
use super::learnt::{Begun, Rounds, Unasked, less_fuel};
use super::lock::lock;
use super::params::Params;
use super::record::Recording;
use super::record::land::Posing;
use super::record::order::{EndRounds, FEW_BODIES};
use super::record::plan::{self, Rows};
use super::request::{Counts, Request};
use super::results::Results;
use super::shared::Shared;
use super::whole::Whole;
use play::Part;

/// The initial room for candidates, per body.
const CANDIDATES_EACH: u32 = 4;

/// A step with a frame of its own, which returns to the pool when the step is dropped.
#[derive(Debug)]
pub(super) struct Step {
    shared: Arc<Shared>,
    frame: Frame,
    status: Arc<Mutex<Status>>,
    profile: Profile,
    ask: Ask,
    /// The parts that the step must complete.
    asked: Whole,
    /// Whether the answer stays on the GPU, and only counts come back.
    resident: bool,
    /// The bodies that the answer names.
    stamp: Stamp,
    counts: Counts,
    /// The parts that were complete after the first submission, once known.
    in_frame: Option<Whole>,
    /// The parameters common to all dispatches.
    common: Params,
    /// The kinds of pairs that can occur.
    kinds: Kinds,
    /// The dispatches before bodies land. The host's streams are read only once.
    posing: Posing,
    /// Whether the driver has cut loops short in the current try.
    cut: bool,
    /// The memory of an answer that nobody needs any more.
    spare: Hits,
    /// The run whose counts are being read back.
    begun: Option<Begun>,
}

/// The state of a step in flight that its ticket can see.
#[derive(Debug)]
pub(super) struct Status {
    /// True if the caller lends an encoder for the first submission, and that is not recorded yet.
    pub(super) lends: bool,
    /// The caller's encoder, while it is lent.
    pub(super) encoder: Option<wgpu::CommandEncoder>,
    /// The number of times that the step has given work to the device.
    pub(super) sent: u32,
    /// The step's last own submission; `None` while only the caller's encoder holds the step.
    pub(super) submission: Option<wgpu::SubmissionIndex>,
    /// The buffers that hold the results.
    pub(super) results: Results<'static>,
}

/// The result of a run of rows.
struct Run {
    header: Header,
    /// True if the pairs are in ascending order.
    is_ordered: bool,
    flags: Vec<u32>,
    pairs: Vec<[u32; 2]>,
    details: Vec<Detail>,
}

impl Step {
    /// Creates a step of a world, which is uploaded here and not needed again. The answer takes the memory of `spare`.
    pub(super) fn new(shared: &Arc<Shared>, world: &World, request: &Request<'_>, spare: Hits) -> Result<Self> {
        let windows = request.check(world, &shared.gpu.device.limits())?;
        let (ask, asked) = (request.ask, Whole::asked(request.ask, request.contacts));
        let frame = shared.lend(world)?;
        let results = Results::new(&frame.buffers, 0, asked);
        let mut step = Self {
            shared: Arc::clone(shared),
            frame,
            status: Arc::new(Mutex::new(Status { lends: false, encoder: None, sent: 0, submission: None, results })),
            profile: Profile::default(),
            ask,
            asked,
            resident: request.resident,
            stamp: Stamp { resident: request.resident, ..Stamp::of(world.past()) },
            counts: Counts::default(),
            in_frame: None,
            common: Params::default(),
            kinds: Kinds::default(),
            posing: Posing { changed: 0, reads: true, allots: true },
            cut: false,
            spare,
            begun: None,
        };
        let start = Instant::now();
        step.upload(world, request, windows)?;
        step.profile.lap("upload", start);
        Ok(step)
    }

    /// Returns the state that the ticket sees.
    pub(super) fn status(&self) -> &Arc<Mutex<Status>> {
        &self.status
    }

    /// Returns what the step has cost so far.
    pub(super) fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Returns what the step has counted so far.
    pub(super) fn counts(&self) -> Counts {
        self.counts
    }

    /// Computes the answer. Returns the step too, because its frame holds the results that stay on the GPU. Pending
    /// while it waits for the device.
    pub(super) async fn answer(mut self: Box<Self>) -> (Box<Self>, Result<Hits>) {
        let hits = self.hits().await;
        let stamp = self.stamp;
        (self, hits.map(|hits| Hits { stamp, ..hits }))
    }

    /// Runs the step, and runs it again with less fuel if the driver has cut loops short.
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
                // Another world may manage with full fuel.
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

    /// Returns the answer for fewer than two bodies, and writes it to the GPU.
    fn none(&mut self) -> Hits {
        let whole = self.asked;
        self.counts = Counts { complete: true, whole, in_frame: whole, ..self.counts };
        let draw = [self.common.vertices, 0, 0, 0];
        let header = Header { complete: 1, whole: whole.bits(), draw, ..Header::START };
        let (queue, buffer) = (&self.shared.gpu.queue, self.frame.buffers.get(Binding::Header));
        queue.write_buffer(buffer, 0, bytemuck::bytes_of(&header));
        queue.write_buffer(buffer, Header::BYTES, &[0; 4]);
        self.show_results();
        if self.resident { Hits::default() } else { Hits::none(self.common.bodies as usize) }
    }

    /// Runs all rows, in as many runs as needed. The result is meaningless if the driver has cut loops short.
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
            // Sorting all pairs overwrites the order of the bodies.
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
                        what: format!("the list of candidate pairs of body {} alone", self.body_at(params).await?),
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
            // The host orders what the GPU could not: pairs of several runs of sorted bodies, and rows too long for a
            // workgroup.
            ordered &= run.is_ordered && (alone || self.common.sorted == 0);
            self.counts.pairs += u64::from(run.header.pairs);
            hits.flags = run.flags;
            append(&mut hits.pairs, run.pairs);
            append(&mut hits.details, run.details);
            (first_row, end_row) = (end_row, bodies.min(end_row.saturating_add(2 * (end_row - first_row))));
        }
        if !ordered {
            let start = Instant::now();
            sort_hits(&mut hits);
            self.profile.lap("order", start);
        }
        Ok(hits)
    }

    /// Runs all stages for some rows, with one wait at the end.
    async fn run_rows(&mut self, begun: Begun) -> Result<Run> {
        let Begun { params, rounds, poses, .. } = begun;
        let learnt = self.shared.learnt();
        let [judge_rounds, details, contacts] =
            [learnt.judging, learnt.detailing, learnt.contacting].map(Rounds::recorded);
        // Pairs that take several rounds to judge take as many for their details.
        let details = if self.ask == Ask::Details { details.max(judge_rounds) } else { 0 };
        self.make_room(params, judge_rounds + details > 0)?;
        // All counts restart. Flags are cleared when bodies land, so those of earlier runs stay.
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
            end_rounds: EndRounds { details, contacts },
        };
        let recording = rows.record(params);
        self.begun = Some(begun);
        let run = self.play_run(&recording, params).await;
        self.begun = None;
        run
    }

    /// Plays a recording whose last stage is the order or the details. Reads back the counts, the flags, and as many
    /// pairs as the last step had, with their details.
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
        let Hits { mut flags, mut pairs, mut details, .. } = std::mem::take(&mut self.spare);
        let run = self.play(recording, &parts, move |bytes| {
            let (header, rest) = bytes.split_at(size_of::<Header>());
            let (flags_there, rest) = rest.split_at(flag_bytes as usize);
            let (pairs_there, details_there) = rest.split_at((expected * pair_bytes) as usize);
            let header: Header = bytemuck::pod_read_unaligned(header);
            let there = expected.min(header.pairs.into());
            collect(flags_there, &mut flags, |word: u32| word);
            collect(&pairs_there[..(there * pair_bytes) as usize], &mut pairs, |pair: [u32; 2]| pair);
            collect(&details_there[..(there * detail_bytes) as usize], &mut details, |raw: RawDetail| raw.into());
            let is_ordered = header.long_rows == 0 || params.sorts_pairs == 1;
            Run { header, is_ordered, flags, pairs, details }
        });
        let run = run.await?;
        self.note_whole(&run.header);
        Ok(run)
    }

    /// Records which parts of the answer are complete on the GPU.
    fn note_whole(&mut self, header: &Header) {
        let whole = Whole::of_bits(header.whole);
        let in_frame = *self.in_frame.get_or_insert(whole);
        self.counts = Counts { complete: header.complete == 1, whole, in_frame, ..self.counts };
    }

    /// Returns the body whose rank is the first row.
    async fn body_at(&mut self, params: Params) -> Result<u32> {
        if params.sorted == 0 {
            return Ok(params.first_row);
        }
        let mut elements: Vec<[u32; 2]> = Vec::new();
        self.read(Binding::Elements, params.first_row, 1, &mut elements, |element| element).await?;
        Ok(elements[0][1])
    }

    /// Shows the ticket where the results are.
    fn show_results(&self) {
        lock(&self.status).results = Results::new(&self.frame.buffers, self.common.bodies, self.asked);
    }
}

impl Drop for Step {
    fn drop(&mut self) {
        let mut frame = std::mem::take(&mut self.frame);
        if let Some(begun) = self.begun {
            let readback = std::mem::take(&mut frame.readback);
            if lock(&self.status).submission.is_none() {
                // The caller's encoder holds the step, and may be submitted later or never.
                return self.shared.leave_recorded(Unasked::new(begun, readback, Some(frame)));
            }
            self.shared.leave(Unasked::new(begun, readback, None));
        }
        self.shared.take_back(frame);
    }
}

/// Appends `more` to a list, without a copy if it is empty.
fn append<T>(list: &mut Vec<T>, mut more: Vec<T>) {
    if list.is_empty() {
        *list = more;
    } else {
        list.append(&mut more);
    }
}

/// Sorts pairs in ascending order, and their details along with them.
fn sort_hits(hits: &mut Hits) {
    if hits.details.is_empty() {
        threads::within(|| hits.pairs.par_sort_unstable());
    } else {
        let mut found: Vec<_> = hits.pairs.drain(..).zip(hits.details.drain(..)).collect();
        threads::within(|| found.par_sort_unstable_by_key(|(pair, _)| *pair));
        (hits.pairs, hits.details) = found.into_iter().unzip();
    }
}
