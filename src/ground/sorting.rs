//! Sorting of lists that are short or sorted seldom.
//!
//! The standard library's sorts are fast and large: each type and order takes 2 to 10 kB of code. On WebAssembly, where
//! code is downloaded, these functions sort indices instead, with one sort for all types and orders.

use std::cmp::Ordering;

/// True if code is downloaded.
const SMALL: bool = cfg!(target_family = "wasm");

/// Sorts a list. Equal elements keep their order.
pub(crate) fn sort<T: Ord>(all: &mut [T]) {
    sort_by(all, T::cmp);
}

/// Sorts a list by a key. Elements with equal keys keep their order.
pub(crate) fn sort_by_key<T, K: Ord>(all: &mut [T], key: impl Fn(&T) -> K) {
    sort_by(all, |a, b| key(a).cmp(&key(b)));
}

/// Sorts a list by an order. Elements that it calls equal keep their order.
pub(crate) fn sort_by<T>(all: &mut [T], order: impl Fn(&T, &T) -> Ordering) {
    if SMALL {
        by_index(all, order);
    } else {
        all.sort_by(order);
    }
}

fn by_index<T>(all: &mut [T], order: impl Fn(&T, &T) -> Ordering) {
    let mut from = sorted(all.len(), &|a, b| order(&all[a], &all[b]));
    for first in 0..all.len() {
        // Each cycle of elements that take each other's places is walked from its first.
        let mut to = first;
        while from[to] != first {
            all.swap(to, from[to]);
            to = std::mem::replace(&mut from[to], to);
        }
        from[to] = to;
    }
}

/// Returns the indices below `len` in order. Not generic, so that there is one.
fn sorted(len: usize, order: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut indices: Vec<usize> = (0..len).collect();
    indices.sort_by(|&a, &b| order(a, b));
    indices
}

#[cfg(test)]
mod tests {
    use super::*;
    use hitmask_workbench::workloads::SplitMix64;

    #[test]
    fn both_ways_sort_alike_and_keep_what_is_equal_in_order() {
        let mut random = SplitMix64(1);
        for len in (0..50).chain([100, 1000]) {
            for most in [1, 3, 1000] {
                let given: Vec<(u32, usize)> = (0..len).map(|k| (random.below(most), k)).collect();
                let [mut expected, mut by_indices, mut keyed] = [given.clone(), given.clone(), given];
                expected.sort_by_key(|&given| given);
                by_index(&mut by_indices, |a, b| a.0.cmp(&b.0));
                sort_by_key(&mut keyed, |a| a.0);
                assert!(by_indices == expected && keyed == expected, "{len} below {most}");
            }
        }
    }
}
