//! A step in flight, from its submission to its answer.

use std::future::poll_fn;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use crate::ground::clock::Instant;
use crate::ground::error::{Error, Result};
use crate::hits::Hits;
use crate::profile::Profile;
use crate::world::World;

use super::doubt::Doubts;
use super::later::Later;
use super::lock::lock;
use super::request::{Counts, Request};
use super::results::Results;
use super::shared::Shared;
use super::step::{Status, Step};

/// The rest of a step, which advances when it is polled.
type Flight = Later<(Box<Step>, Result<Hits>)>;

/// The state of a submitted step.
enum State {
    Flying(Flight),
    /// The answer has arrived; the step is kept for its results on the GPU.
    Landed(Box<Step>, Option<Hits>),
    /// There was an error, which is not reported yet.
    Failing(Error),
    /// There was an error.
    Failed,
}

/// A submitted step: see [`Engine::submit`](super::Engine::submit).
///
/// Its results are on the GPU for everything submitted to the same queue afterwards: see [`Ticket::results`]. For the
/// answer in memory, call [`Ticket::try_take`] once a frame, or [`Ticket::wait`]. Most steps are done with their first
/// submission. A step that needed more room, or has more candidates or pairs than fit at once, continues with further
/// submissions at each such call; it does not need the world for that.
///
/// Dropping a ticket frees its place in flight, even before the answer has arrived. A step advances only when its
/// ticket is queried: if it lacked room or dispatches, its results stay incomplete until then, and later steps get
/// more. A ticket can move to another thread and outlive its engine.
///
/// An answer names bodies by the indices that they had when the step was submitted. If you remove or add bodies before
/// the answer arrives, keep their handles ([`World::ids`]) or a clone of the world until then.
#[must_use = "without its ticket, only the results on the GPU can be used"]
pub struct Ticket {
    shared: Arc<Shared>,
    status: Arc<Mutex<Status>>,
    state: State,
    /// The acts of the step on the device of which a browser may still report an error.
    doubts: Doubts,
}

impl Ticket {
    /// Submits a step, or records its first submission into the caller's encoder. The answer takes the memory of
    /// `spare`.
    pub(super) fn submit(
        shared: &Arc<Shared>,
        world: &World,
        request: &Request<'_>,
        encoder: Option<&mut wgpu::CommandEncoder>,
        spare: Hits,
    ) -> Result<Self> {
        shared.gpu.poll(wgpu::PollType::Poll)?;
        shared.learn_from_unasked();
        let submitted = shared.scoped(|| {
            let step = Box::new(Step::new(shared, world, request, spare)?);
            let status = Arc::clone(step.status());
            lock(&status).lends = encoder.is_some();
            let mut flight: Flight = Box::pin(step.answer());
            // Runs up to the first submission, or until only the caller's encoder is missing.
            let state = match flight.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                Poll::Pending => State::Flying(flight),
                Poll::Ready((step, hits)) => State::Landed(step, Some(hits?)),
            };
            Ok(Self { shared: Arc::clone(shared), status, state, doubts: Doubts::default() })
        });
        let doubts = shared.gpu.take_doubts();
        let mut ticket = Self { doubts, ..submitted? };
        if lock(&ticket.status).submission.is_none() {
            // A submission would fail on a lost device.
            shared.gpu.check()?;
        }
        if let Some(encoder) = encoder {
            ticket.record(encoder)?;
        }
        Ok(ticket)
    }

    /// Records the first submission into the caller's encoder, once everything for it is there.
    fn record(&mut self, encoder: &mut wgpu::CommandEncoder) -> Result<()> {
        let Self { shared, status, state, doubts } = self;
        let State::Flying(flight) = state else { return Ok(()) };
        let lent = Lent::new(shared, status, encoder);
        let recorded = shared.scoped(|| Ok(flight.as_mut().poll(&mut Context::from_waker(Waker::noop()))));
        drop(lent);
        doubts.extend(shared.gpu.take_doubts());
        if let Poll::Ready((step, hits)) = recorded? {
            *state = State::Landed(step, Some(hits?));
        }
        Ok(())
    }

    /// Returns the answer if it has arrived; never waits. It costs a copy of the answer and, if the step continues, a
    /// submission.
    ///
    /// Each answer is returned once: calling again is an error. An error ends the step.
    ///
    /// ```
    /// use hitmask::{Ask, World, gpu};
    ///
    /// let mut engine = gpu::Engine::new()?;
    /// let mut ticket = engine.submit(&World::default(), Ask::Pairs)?;
    /// let hits = loop {
    ///     // A game does its own work here.
    ///     if let Some(hits) = ticket.try_take()? {
    ///         break hits;
    ///     }
    /// };
    /// assert!(hits.pairs.is_empty());
    /// assert!(ticket.try_take().is_err(), "it was given");
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn try_take(&mut self) -> Result<Option<Hits>> {
        self.shared.gpu.poll(wgpu::PollType::Poll)?;
        // No waker is needed: whoever wants the answer asks again.
        self.advance(&mut Context::from_waker(Waker::noop()))
    }

    /// Returns the answer once it has arrived, as [`Ticket::try_take`] does. For a step of
    /// [`Engine::encode`](super::Engine::encode), it also waits until the encoder is submitted, or dropped, which is an
    /// [`Error::Gpu`].
    ///
    /// In a browser, the event loop completes this. Natively nothing does but a poll of the device, so this asks again
    /// whenever its task runs, and keeps a core busy: prefer [`Ticket::wait`] on a thread, or `try_take` once a frame.
    ///
    /// ```
    /// use hitmask::{Ask, World, gpu};
    ///
    /// # pollster::block_on(async {
    /// let mut engine = gpu::Engine::open(&gpu::Options::default()).await?;
    /// let mut ticket = engine.submit(&World::default(), Ask::Pairs)?;
    /// assert!(ticket.answer().await?.pairs.is_empty());
    /// # Ok::<(), hitmask::Error>(())
    /// # })?;
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub async fn answer(&mut self) -> Result<Hits> {
        poll_fn(|context| {
            self.shared.gpu.poll(wgpu::PollType::Poll)?;
            if let Some(hits) = self.advance(context)? {
                return Poll::Ready(Ok(hits));
            }
            if !cfg!(target_family = "wasm") {
                std::thread::yield_now();
                context.waker().wake_by_ref();
            }
            Poll::Pending
        })
        .await
    }

    /// Waits for the answer and returns it, or `None` after `timeout`; later calls continue with the same step.
    ///
    /// In a browser it cannot wait: without an answer it returns `None` if `timeout` is zero, else an
    /// [`Error::Blocking`]. Use [`Ticket::answer`] there.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use hitmask::{Ask, World, gpu};
    ///
    /// let mut ticket = gpu::Engine::new()?.submit(&World::default(), Ask::Pairs)?;
    /// let hits = ticket.wait(Duration::MAX)?.expect("there is no timeout");
    /// assert!(hits.pairs.is_empty());
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn wait(&mut self, timeout: Duration) -> Result<Option<Hits>> {
        let end = Instant::now().checked_add(timeout);
        loop {
            if let Some(hits) = self.try_take()? {
                return Ok(Some(hits));
            }
            if !timeout.is_zero() {
                Error::unless_native("gpu::Ticket::wait", "gpu::Ticket::answer")?;
            }
            let start = Instant::now();
            let left = end.map(|end| end.saturating_duration_since(Instant::now()));
            if left.is_some_and(|left| left.is_zero()) {
                return Ok(None);
            }
            let submission_index = lock(&self.status).submission.clone();
            let was_encoded = submission_index.is_none();
            self.shared.gpu.poll(wgpu::PollType::Wait { submission_index, timeout: left })?;
            let all_is_done = left.is_none_or(|left| start.elapsed() < left);
            if was_encoded && all_is_done {
                if let Some(hits) = self.try_take()? {
                    return Ok(Some(hits));
                }
                if lock(&self.status).submission.is_none() {
                    let problem = "the encoder that this step was recorded into has not been submitted to the engine's \
                                   queue: submit it before waiting for the ticket";
                    return Err(Error::Gpu { problem: problem.into() });
                }
            }
        }
    }

    /// Returns bindings of the step's results on the GPU, for work submitted after it. If the step continued with
    /// further submissions, call it again once the answer has arrived.
    ///
    /// ```
    /// use hitmask::{Ask, World, gpu};
    ///
    /// let ticket = gpu::Engine::new()?.submit(&World::default(), Ask::Pairs)?;
    /// let results = ticket.results();
    /// assert!(results.pairs().is_some() && results.details().is_none(), "what was asked for");
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn results(&self) -> Results<'_> {
        lock(&self.status).results.clone()
    }

    /// Returns the profile of the step once its answer has arrived. Its stage *wait* lasts from the submission to the
    /// call that found the step done.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use hitmask::{Ask, World, gpu};
    ///
    /// let mut ticket = gpu::Engine::new()?.submit(&World::default(), Ask::Pairs)?;
    /// ticket.wait(Duration::MAX)?;
    /// assert_eq!(ticket.profile().expect("it is done").stages[0].name, "upload");
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn profile(&self) -> Option<&Profile> {
        match &self.state {
            State::Landed(step, _) => Some(step.profile()),
            State::Flying(_) | State::Failing(_) | State::Failed => None,
        }
    }

    /// Returns the counts of the step once its answer has arrived.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use hitmask::{Ask, World, gpu};
    ///
    /// let mut ticket = gpu::Engine::new()?.submit(&World::default(), Ask::Pairs)?;
    /// ticket.wait(Duration::MAX)?;
    /// let counts = ticket.counts().expect("it is done");
    /// assert_eq!((counts.pairs, counts.complete, counts.skipped), (0, true, 0));
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn counts(&self) -> Option<Counts> {
        match &self.state {
            State::Landed(step, _) => Some(step.counts()),
            State::Flying(_) | State::Failing(_) | State::Failed => None,
        }
    }

    /// Polls the step, and takes its answer if that has arrived and is beyond doubt.
    fn advance(&mut self, context: &mut Context<'_>) -> Result<Option<Hits>> {
        if let State::Flying(flight) = &mut self.state {
            let sent = lock(&self.status).sent;
            let arrived = self.shared.scoped(|| Ok(flight.as_mut().poll(context)));
            let doubts = self.shared.gpu.take_doubts();
            // A poll that only waits does nothing that can fail. Its doubts would wake the task for another such poll.
            if !matches!(arrived, Ok(Poll::Pending)) || lock(&self.status).sent != sent {
                self.doubts.extend(doubts);
            }
            match arrived {
                Ok(Poll::Pending) => {}
                Ok(Poll::Ready((step, Ok(hits)))) => self.state = State::Landed(step, Some(hits)),
                Ok(Poll::Ready((_, Err(error)))) | Err(error) => self.state = State::Failing(error),
            }
        }
        match self.shared.gpu.poll_doubts(&mut self.doubts, context) {
            Poll::Pending => return Ok(None),
            Poll::Ready(Ok(())) => {}
            Poll::Ready(Err(error)) => {
                self.shared.discard();
                self.state = State::Failing(error);
            }
        }
        let error = match &mut self.state {
            State::Flying(_) => return Ok(None),
            State::Landed(_, hits) if hits.is_some() => return Ok(hits.take()),
            State::Failing(error) => {
                let error = error.clone();
                self.state = State::Failed;
                error
            }
            State::Landed(..) | State::Failed => {
                let problem = "the answer of this ticket was already taken, or its step failed".into();
                Error::Gpu { problem }
            }
        };
        Err(self.shared.gpu.cause(error))
    }
}

/// The caller's encoder, lent to a step until this is dropped.
struct Lent<'a> {
    status: &'a Mutex<Status>,
    encoder: &'a mut wgpu::CommandEncoder,
}

impl<'a> Lent<'a> {
    fn new(shared: &Shared, status: &'a Mutex<Status>, encoder: &'a mut wgpu::CommandEncoder) -> Self {
        let none = shared.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        lock(status).encoder = Some(std::mem::replace(encoder, none));
        Self { status, encoder }
    }
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        if let Some(encoder) = lock(self.status).encoder.take() {
            *self.encoder = encoder;
        }
    }
}

impl std::fmt::Debug for Ticket {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let state = match self.state {
            State::Flying(_) => "in flight",
            State::Landed(_, Some(_)) => "landed",
            State::Landed(_, None) => "taken",
            State::Failing(_) | State::Failed => "failed",
        };
        f.debug_struct("Ticket").field("state", &state).finish_non_exhaustive()
    }
}
