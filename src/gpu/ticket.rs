//! A step in flight, from its submission to its answer.

use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use crate::ground::error::{Error, Result};
use crate::hits::Hits;
use crate::profile::Profile;
use crate::world::World;

use super::lock::lock;
use super::request::{Counts, Request};
use super::results::Results;
use super::shared::Shared;
use super::step::{Status, Step};

/// What is left to do of a step, which it goes on with when it is polled.
type Flight = Pin<Box<dyn Future<Output = (Box<Step>, Result<Hits>)> + Send>>;

/// A step in flight, and then its answer.
enum State {
    Flying(Flight),
    /// The step is kept for what it leaves on the GPU.
    Landed(Box<Step>, Option<Hits>),
    /// There was an error.
    Failed,
}

/// A step that was sent off: see [`Engine::submit`](super::Engine::submit).
///
/// Its results are on the GPU for whatever is submitted to the same queue from then on: see [`Ticket::results`]. For an
/// answer in memory, ask [`Ticket::try_take`] once a frame, or [`Ticket::wait`]. The common step is done with its first
/// submission. One that had to make room, or has more candidates or pairs than fit at once, goes on with further
/// submissions each time it is asked; it does not need the world for that.
///
/// Dropping a ticket makes room for another step, also while it is in flight. A step that is not asked does not go on:
/// where it lacked room or dispatches, its results stay incomplete, and later steps have more. A ticket may go to
/// another thread, and outlive its engine.
///
/// An answer names bodies by the indices that they had when the step was submitted. Where bodies are removed or added
/// before it is there, keep their handles ([`World::ids`]) or a clone of the world until then.
#[must_use = "without its ticket, only the results on the GPU can be used"]
pub struct Ticket {
    shared: Arc<Shared>,
    status: Arc<Mutex<Status>>,
    state: State,
}

impl Ticket {
    pub(super) fn submit(shared: &Arc<Shared>, world: &World, request: &Request<'_>) -> Result<Self> {
        shared.gpu.poll(wgpu::PollType::Poll)?;
        shared.learn_from_unasked();
        shared.scoped(|| {
            let step = Box::new(Step::new(shared, world, request)?);
            let status = Arc::clone(step.status());
            let mut flight: Flight = Box::pin(step.answer());
            // As far as the first submission.
            let state = match poll(&mut flight) {
                Poll::Pending => State::Flying(flight),
                Poll::Ready((step, hits)) => State::Landed(step, Some(hits?)),
            };
            Ok(Self { shared: Arc::clone(shared), status, state })
        })
    }

    /// The answer, if it is there; never waits. It costs a copy of the answer, and where the step goes on, a
    /// submission.
    ///
    /// An answer is given once: asking again is an error. An error ends the step.
    ///
    /// ```
    /// use hitmask::{Ask, World, gpu};
    ///
    /// let mut engine = gpu::Engine::new(None)?;
    /// let mut ticket = engine.submit(&World::default(), Ask::Pairs)?;
    /// let hits = loop {
    ///     // Here, a game goes on with its own work.
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
        self.advance()
    }

    /// The answer, as soon as it is there, or nothing after `timeout`; later calls go on with the same step.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use hitmask::{Ask, World, gpu};
    ///
    /// let mut ticket = gpu::Engine::new(None)?.submit(&World::default(), Ask::Pairs)?;
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
            let left = end.map(|end| end.saturating_duration_since(Instant::now()));
            if left.is_some_and(|left| left.is_zero()) {
                return Ok(None);
            }
            let submission_index = lock(&self.status).submission.clone();
            self.shared.gpu.poll(wgpu::PollType::Wait { submission_index, timeout: left })?;
        }
    }

    /// Returns bindings of the step's results on the GPU, for work that is submitted after it. Where the step went on
    /// with further submissions, call it again once the answer has arrived.
    ///
    /// ```
    /// use hitmask::{Ask, World, gpu};
    ///
    /// let ticket = gpu::Engine::new(None)?.submit(&World::default(), Ask::Pairs)?;
    /// let results = ticket.results();
    /// assert!(results.pairs().is_some() && results.details().is_none(), "what was asked for");
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn results(&self) -> Results {
        lock(&self.status).results.clone()
    }

    /// What the step cost, once its answer is there. The host's *wait* lasts from the submission to the call that found
    /// it done.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use hitmask::{Ask, World, gpu};
    ///
    /// let mut ticket = gpu::Engine::new(None)?.submit(&World::default(), Ask::Pairs)?;
    /// ticket.wait(Duration::MAX)?;
    /// assert_eq!(ticket.profile().expect("it is done").stages[0].name, "upload");
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn profile(&self) -> Option<&Profile> {
        match &self.state {
            State::Landed(step, _) => Some(step.profile()),
            State::Flying(_) | State::Failed => None,
        }
    }

    /// What the step has counted, once its answer is there.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use hitmask::{Ask, World, gpu};
    ///
    /// let mut ticket = gpu::Engine::new(None)?.submit(&World::default(), Ask::Pairs)?;
    /// ticket.wait(Duration::MAX)?;
    /// let counts = ticket.counts().expect("it is done");
    /// assert_eq!((counts.pairs, counts.complete, counts.skipped), (0, true, 0));
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn counts(&self) -> Option<Counts> {
        match &self.state {
            State::Landed(step, _) => Some(step.counts()),
            State::Flying(_) | State::Failed => None,
        }
    }

    /// Goes on with what has arrived.
    fn advance(&mut self) -> Result<Option<Hits>> {
        if let State::Flying(flight) = &mut self.state {
            let arrived = self.shared.scoped(|| Ok(poll(flight)));
            let (state, answer) = match arrived {
                Ok(Poll::Pending) => return Ok(None),
                Ok(Poll::Ready((step, Ok(hits)))) => (State::Landed(step, Some(hits)), Ok(())),
                Ok(Poll::Ready((_, Err(error)))) | Err(error) => (State::Failed, Err(self.shared.gpu.cause(error))),
            };
            self.state = state;
            answer?;
        }
        match &mut self.state {
            State::Landed(_, hits) if hits.is_some() => Ok(hits.take()),
            _ => {
                let problem = "the answer of this ticket was given before, or its step has failed".into();
                Err(self.shared.gpu.cause(Error::Gpu { problem }))
            }
        }
    }
}

impl std::fmt::Debug for Ticket {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let state = match self.state {
            State::Flying(_) => "in flight",
            State::Landed(_, Some(_)) => "landed",
            State::Landed(_, None) => "taken",
            State::Failed => "failed",
        };
        f.debug_struct("Ticket").field("state", &state).finish_non_exhaustive()
    }
}

fn poll(flight: &mut Flight) -> Poll<(Box<Step>, Result<Hits>)> {
    // Nobody has to be woken: whoever wants the answer asks for it.
    flight.as_mut().poll(&mut Context::from_waker(Waker::noop()))
}
