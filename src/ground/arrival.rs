//! A value that another thread, or a browser's event loop, delivers.

use std::sync::atomic::{Ordering, fence};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

/// A value that arrives later. Clones share it.
#[derive(Debug)]
pub(crate) struct Arrival<T>(Arc<Mutex<State<T>>>);

#[derive(Debug)]
struct State<T> {
    value: Option<T>,
    /// The task that waits for it.
    waker: Option<Waker>,
}

impl<T> Arrival<T> {
    pub(crate) fn new() -> Self {
        Self(Arc::new(Mutex::new(State { value: None, waker: None })))
    }

    /// Delivers the value, and wakes the task that waits for it.
    pub(crate) fn deliver(&self, value: T) {
        let waker = {
            let mut state = self.lock();
            state.value = Some(value);
            state.waker.take()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// Passes the value to `read` once it has arrived. Until then, the task of `context` is woken when it does.
    pub(crate) fn poll<R>(&self, context: &Context<'_>, read: impl FnOnce(&mut Option<T>) -> Option<R>) -> Poll<R> {
        let mut state = self.lock();
        if let Some(read) = read(&mut state.value) {
            return Poll::Ready(read);
        }
        if !state.waker.as_ref().is_some_and(|waker| waker.will_wake(context.waker())) {
            state.waker = Some(context.waker().clone());
        }
        Poll::Pending
    }

    /// Returns a copy of the value if it has arrived.
    pub(crate) fn peek(&self) -> Option<T>
    where
        T: Clone,
    {
        self.lock().value.clone()
    }

    /// Returns whether no clone is left that could deliver the value. If it has not arrived then, it never will.
    pub(crate) fn is_last(&self) -> bool {
        let is_last = Arc::strong_count(&self.0) == 1;
        // Whoever looks for the value next sees what the last clone did before it was dropped.
        fence(Ordering::Acquire);
        is_last
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Clone for Arrival<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    /// The executor sleeps until it is woken, so this ends only if a delivery wakes it.
    #[test]
    fn a_delivery_wakes_the_task_that_waits() {
        let arrival = Arrival::new();
        let sender = arrival.clone();
        let other = thread::spawn(move || {
            thread::sleep(std::time::Duration::from_millis(20));
            sender.deliver(7);
        });
        assert!(arrival.peek().is_none() && !arrival.is_last());
        assert_eq!(pollster::block_on(std::future::poll_fn(|context| arrival.poll(context, |value| *value))), 7);
        assert_eq!(arrival.peek(), Some(7));
        other.join().unwrap();
        assert!(arrival.is_last());
    }
}
