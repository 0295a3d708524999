//! Vectors that grow by little.

/// Makes a column so long, with some room behind it: the standard library would take twice as much for a few elements more than a step before.
pub(super) fn resize<T: Copy>(column: &mut Vec<T>, len: usize, value: T) {
    if column.capacity() < len {
        column.reserve_exact(len + len / 8 - column.len());
    }
    column.resize(len, value);
}
