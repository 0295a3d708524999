//! Threads, where they pay.

use std::ops::Range;

use rayon::prelude::*;

/// The threads of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Team {
    /// Their number. On one, all is done where the step was called.
    pub threads: usize,
}

impl Team {
    /// The tasks into which work on `len` elements goes, each of at least `least`; several for a thread, so that none waits long.
    pub(super) fn tasks(self, len: usize, least: usize) -> usize {
        if self.threads == 1 { 1 } else { (len / least).clamp(1, 8 * self.threads) }
    }

    /// What `work` makes of each element, in their order.
    pub(super) fn each<T: Sync, R: Send>(self, all: &[T], work: impl Fn(&T) -> R + Sync + Send) -> Vec<R> {
        if self.threads == 1 || all.len() < 2 {
            all.iter().map(work).collect()
        } else {
            all.par_iter().with_max_len(1).map(work).collect()
        }
    }

    /// Does `work` on each element.
    pub(super) fn each_mut<T: Send>(self, all: &mut [T], work: impl Fn(usize, &mut T) + Sync + Send) {
        if self.threads == 1 || all.len() < 2 {
            all.iter_mut().enumerate().for_each(|(k, element)| work(k, element));
        } else {
            all.par_iter_mut().with_max_len(1).enumerate().for_each(|(k, element)| work(k, element));
        }
    }
}

/// `0..len` in parts of about the same length; one, where it is empty.
pub(super) fn parts(len: usize, count: usize) -> Vec<Range<usize>> {
    let step = len.div_ceil(count.max(1)).max(1);
    (0..len.max(1)).step_by(step).map(|start| start..(start + step).min(len)).collect()
}
