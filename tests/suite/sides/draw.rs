//! The random numbers of a case.

use hitmask_workbench::workloads::SplitMix64;

pub(super) struct Draw(pub(super) SplitMix64);

impl Draw {
    pub(super) fn below(&mut self, n: u32) -> u32 {
        self.0.below(n)
    }

    /// Returns true once in `n` times.
    pub(super) fn once_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }

    pub(super) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u32) as usize]
    }

    /// Returns a multiple of 1/256 from `from` to `to`.
    pub(super) fn real(&mut self, from: f64, to: f64) -> f64 {
        from + f64::from(self.below(((to - from) * 256.0) as u32 + 1)) / 256.0
    }

    /// Returns a multiple of 1, 1/16 or 1/256 from `from` to `to`.
    pub(super) fn round(&mut self, from: f64, to: f64) -> f64 {
        let grid = self.pick(&[1.0, 1.0, 16.0, 256.0]);
        (self.real(from, to) * grid).round() / grid
    }

    /// Returns a random sign.
    pub(super) fn sign(&mut self) -> f64 {
        self.pick(&[-1.0, 1.0])
    }
}
