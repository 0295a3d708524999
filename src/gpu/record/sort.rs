//! Records a radix sort: of bodies along a curve, and of pairs where one body is in very many.
//!
//! An element is two words, of which the sort looks at one, digit by digit from the lowest. Each pass takes the
//! elements from one half of [`Binding::Elements`] to the other.

use super::{Groups, Recording, scan};
use crate::gpu::binding::Binding;
use crate::gpu::params::Params;
use crate::gpu::pass::Pass;

/// The bits of a digit.
pub(in crate::gpu) const DIGIT_BITS: u32 = 8;
/// The elements of a block, whose digits a workgroup counts.
pub(in crate::gpu) const SORT_BLOCK: u32 = 2048;
/// The bodies that a workgroup measures.
pub(in crate::gpu) const MEASURED: u32 = 1024;

/// The elements of [`Binding::Elements`] that a sort of so many needs: two halves.
pub(in crate::gpu) fn halves(elements: u32) -> u64 {
    2 * u64::from(elements)
}

/// The elements of [`Binding::DigitCounts`] that a sort of so many elements needs: a count for each digit and block.
pub(in crate::gpu) fn digit_counts(elements: u32) -> u64 {
    u64::from(elements.div_ceil(SORT_BLOCK)) << DIGIT_BITS
}

/// Measures the bodies, makes their keys, and sorts them by these. The passes that keys turn out not to need end at
/// once.
pub(super) fn bodies(to: &mut Recording, params: Params) {
    to.dispatch(Pass::Measure, Groups::Of(params.bodies.div_ceil(MEASURED)), params);
    to.dispatch(Pass::PlanKeys, Groups::Of(1), params);
    to.dispatch_each(Pass::MakeKeys, params.bodies, params);
    by_word(to, Params { elements: params.bodies, word: 0, ..params }, u32::MAX, 0);
}

/// Sorts `count` pairs, in [`Binding::Pairs`], of bodies below `params.bodies`.
pub(in crate::gpu) fn pairs(to: &mut Recording, count: u32, params: Params) {
    let bytes = Binding::Pairs.bytes(count.into());
    to.copy(Binding::Pairs, Binding::Elements, bytes);
    let params = Params { elements: count, ..params };
    // The sort keeps the order of equals: by the second word first. Both words take as many passes, an even number in
    // all, so that the last ends where the first began.
    let half = by_word(to, Params { word: 1, ..params }, params.bodies, 0);
    by_word(to, Params { word: 0, ..params }, params.bodies, half);
    to.copy(Binding::Elements, Binding::Pairs, bytes);
}

/// Sorts `params.elements` elements by their word `params.word`, which is below `end` in all of them. They lie in half
/// `half`, 0 or 1; gives the half in which they are then.
pub(in crate::gpu) fn by_word(to: &mut Recording, params: Params, end: u32, mut half: u32) -> u32 {
    let bits = u32::BITS - end.saturating_sub(1).leading_zeros();
    for shift in (0..bits).step_by(DIGIT_BITS as usize) {
        let [source, sink] = [half, 1 - half].map(|half| half * params.elements);
        pass(to, Params { shift, source, sink, ..params });
        half = 1 - half;
    }
    half
}

/// A pass over one digit: counts it block by block, scans the counts, and takes each element to its place.
fn pass(to: &mut Recording, params: Params) {
    let blocks = params.elements.div_ceil(SORT_BLOCK);
    to.dispatch(Pass::CountDigits, Groups::Of(blocks), params);
    scan::record(to, Binding::DigitCounts, blocks << DIGIT_BITS, params);
    to.dispatch(Pass::ScatterDigits, Groups::Of(blocks), params);
}
