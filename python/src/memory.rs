//! Memory for lists whose length is the product of what callers choose.

/// Makes an empty list with room for `len` elements. Returns `Error::Capacity` if they do not fit in memory.
pub(crate) fn list<T>(what: &str, len: usize) -> hitmask::Result<Vec<T>> {
    let mut list = Vec::new();
    list.try_reserve_exact(len).map_err(|_| hitmask::Error::Capacity {
        what: what.to_owned(),
        needed: len.saturating_mul(size_of::<T>()) as u64,
        limit: "the memory that can be allocated",
        available: 0,
        advice: "use fewer or smaller worlds",
    })?;
    Ok(list)
}
