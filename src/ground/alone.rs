//! The stand-in for `threads` in programs of one thread, such as WebAssembly without atomics: the caller does all work.
//! Such a program then contains no code for several threads.

/// Threads that only run work shared with them. There are none, so nobody can call their methods.
#[derive(Debug)]
pub(crate) enum Threads {}

/// Returns the number of threads that share edits: the caller's.
pub(crate) fn shared() -> usize {
    1
}

/// Runs `work` on each of some tasks.
pub(crate) fn share<T>(_: usize, tasks: impl Iterator<Item = T>, work: impl Fn(T)) {
    tasks.for_each(work);
}

/// Runs `work` on each of some tasks.
pub(crate) fn share_with<T>(_: Option<&Threads>, _: usize, tasks: impl Iterator<Item = T>, work: impl Fn(T)) {
    tasks.for_each(work);
}

/// Runs `work`.
pub(crate) fn within<T>(work: impl FnOnce() -> T) -> T {
    work()
}

impl Threads {
    /// Starts none.
    pub(crate) fn start(_: usize, _: fn()) -> Option<Self> {
        None
    }

    /// Takes the place of the function that starts a thread.
    pub(crate) fn spawn() {}

    pub(crate) fn count(&self) -> usize {
        match *self {}
    }

    pub(crate) fn for_round(&self) -> Option<&Self> {
        match *self {}
    }

    pub(crate) fn awake(&self) {
        match *self {}
    }
}
