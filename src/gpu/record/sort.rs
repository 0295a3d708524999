//! Records a radix sort: of bodies along a curve, and of all pairs if one body is in very many.
//!
//! An element is two words. The sort looks at one of them, digit by digit from the lowest. Each pass moves the elements
//! from one half of [`Binding::Elements`] to the other.

use super::{Groups, Recording};
use crate::gpu::binding::Binding;
use crate::gpu::params::Params;
use crate::gpu::pass::Pass;

/// The bits of a digit.
pub(in crate::gpu) const DIGIT_BITS: u32 = 8;
/// The elements of a block, whose digits one workgroup counts.
pub(in crate::gpu) const SORT_BLOCK: u32 = 2048;
/// The bodies that one workgroup measures.
pub(in crate::gpu) const MEASURED: u32 = 1024;

/// Returns the number of [`Binding::Elements`] elements for a sort of this many: two halves.
pub(in crate::gpu) fn halves(elements: u32) -> u64 {
    2 * u64::from(elements)
}

/// Returns the number of [`Binding::DigitCounts`] elements for a sort of this many elements: for each digit, one count
/// for each block and one for all.
pub(in crate::gpu) fn digit_counts(elements: u32) -> u64 {
    (u64::from(elements.div_ceil(SORT_BLOCK)) + 1) << DIGIT_BITS
}

/// Measures the bodies, makes their keys, and sorts them by key. They end up in the first half.
pub(super) fn bodies(to: &mut Recording, params: Params) {
    let passes = params.key_bits / DIGIT_BITS;
    to.dispatch(Pass::Measure, Groups::Of(params.bodies.div_ceil(MEASURED)), params);
    let mut half = passes % 2;
    for k in 0..passes {
        // The pass that makes the keys also counts their first digits.
        let count = if k == 0 { Pass::MakeKeys } else { Pass::CountDigits };
        half = pass(to, count, half, Params { elements: params.bodies, word: 0, shift: k * DIGIT_BITS, ..params });
    }
}

/// Sorts all pairs in [`Binding::Pairs`], for use when some row is too long for a workgroup. This overwrites the order
/// of the bodies, which is stored in the buffer used for sorting.
pub(in crate::gpu) fn pairs(to: &mut Recording, params: Params) {
    let room = params.candidate_room;
    let bytes = Binding::Pairs.bytes(room.into());
    to.copy(Binding::Pairs, Binding::Elements, bytes);
    let params = Params { elements: room, all_pairs: 1, ..params };
    // The sort is stable, so the second word comes first. Both words take the same number of passes, an even number in
    // all, so the last pass ends in the half where the first began.
    let half = by_word(to, Params { word: 1, ..params }, params.bodies, 0);
    by_word(to, Params { word: 0, ..params }, params.bodies, half);
    to.copy(Binding::Elements, Binding::Pairs, bytes);
}

/// Sorts `params.elements` elements by their word `params.word`, which is below `end` in all of them. They lie in half
/// `half`, 0 or 1. Returns the half in which they end up.
pub(in crate::gpu) fn by_word(to: &mut Recording, params: Params, end: u32, mut half: u32) -> u32 {
    let bits = u32::BITS - end.saturating_sub(1).leading_zeros();
    for shift in (0..bits).step_by(DIGIT_BITS as usize) {
        half = pass(to, Pass::CountDigits, half, Params { shift, ..params });
    }
    half
}

/// Records a pass over one digit, from one half of the elements to the other, and returns the latter. The pass `count`
/// counts the digits block by block, the counts are scanned, and each element moves to its place.
fn pass(to: &mut Recording, count: Pass, half: u32, params: Params) -> u32 {
    let [source, sink] = [half, 1 - half].map(|half| half * params.elements);
    let params = Params { source, sink, ..params };
    let blocks = params.elements.div_ceil(SORT_BLOCK);
    to.dispatch(count, Groups::Of(blocks), params);
    to.dispatch(Pass::ScanDigits, Groups::Of(1 << DIGIT_BITS), params);
    to.dispatch(Pass::ScatterDigits, Groups::Of(blocks), params);
    1 - half
}
