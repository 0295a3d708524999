//! Entries in columns, so that a sweep can read many at once.

/// A range of the sorted entries.
pub(in crate::cpu) struct Columns<'a> {
    pub(in crate::cpu) u0: &'a mut [i32],
    pub(in crate::cpu) u1: &'a mut [i32],
    pub(in crate::cpu) v0: &'a mut [i32],
    pub(in crate::cpu) v1: &'a mut [i32],
    pub(in crate::cpu) bodies: &'a mut [u32],
}

impl Columns<'_> {
    pub(in crate::cpu) fn split_at(self, len: usize) -> (Self, Self) {
        let (u0, u1, v0, v1) = (
            self.u0.split_at_mut(len),
            self.u1.split_at_mut(len),
            self.v0.split_at_mut(len),
            self.v1.split_at_mut(len),
        );
        let bodies = self.bodies.split_at_mut(len);
        (
            Self { u0: u0.0, u1: u1.0, v0: v0.0, v1: v1.0, bodies: bodies.0 },
            Self { u0: u0.1, u1: u1.1, v0: v0.1, v1: v1.1, bodies: bodies.1 },
        )
    }

    /// Sorts the entries by where they begin, with an insertion sort that gives up after about as many moves as there
    /// are entries. Returns whether they are sorted; if not, their order is unspecified.
    #[inline(always)]
    pub(in crate::cpu) fn mend(&mut self) -> bool {
        let mut left = self.u0.len();
        for k in 1..self.u0.len() {
            let mut at = k;
            while at > 0 && self.u0[at - 1] > self.u0[at] {
                for column in [&mut *self.u0, self.u1, self.v0, self.v1] {
                    column.swap(at - 1, at);
                }
                self.bodies.swap(at - 1, at);
                at -= 1;
            }
            if k - at > left {
                return false;
            }
            left -= k - at;
        }
        true
    }
}
