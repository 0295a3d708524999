//! Records a radix sort: of bodies along a curve, and of pairs where one body is in very many.
//!
//! An element is two words, of which the sort looks at one, digit by digit from the lowest. Each pass takes the
//! elements from one half of [`Binding::Elements`] to the other.

use super::{Groups, Recording};
use crate::gpu::binding::Binding;
use crate::gpu::params::Params;
use crate::gpu::pass::Pass;

/// The bits of a digit.
pub(in crate::gpu) const DIGIT_BITS: u32 = 8;
/// The elements of a block, whose digits a workgroup counts.
pub(in crate::gpu) const SORT_BLOCK: u32 = 2048;
/// The value of [`Params::elements`] for as many elements as the GPU counts pairs, if some row of them is too long for
/// a workgroup to sort, else for none.
pub(in crate::gpu) const ALL_PAIRS: u32 = u32::MAX;
/// The bodies that a workgroup measures.
pub(in crate::gpu) const MEASURED: u32 = 1024;

/// The elements of [`Binding::Elements`] that a sort of so many needs: two halves.
pub(in crate::gpu) fn halves(elements: u32) -> u64 {
    2 * u64::from(elements)
}

/// The elements of [`Binding::DigitCounts`] that a sort of so many elements needs: for each digit a count for each
/// block, and one for all.
pub(in crate::gpu) fn digit_counts(elements: u32) -> u64 {
    (u64::from(elements.div_ceil(SORT_BLOCK)) + 1) << DIGIT_BITS
}

/// Measures the bodies, makes their keys, and sorts them by these: in the end they lie in the first half.
pub(super) fn bodies(to: &mut Recording, params: Params) {
    let passes = params.key_bits / DIGIT_BITS;
    to.dispatch(Pass::Measure, Groups::Of(params.bodies.div_ceil(MEASURED)), params);
    let mut half = passes % 2;
    for k in 0..passes {
        // Where keys are made, their first digits are counted.
        let count = if k == 0 { Pass::MakeKeys } else { Pass::CountDigits };
        let params = Params { elements: params.bodies, word: 0, shift: k * DIGIT_BITS, ..params };
        half = pass(to, count, half, params.bodies, params);
    }
}

/// Sorts all pairs, in [`Binding::Pairs`], where some row is too long for a workgroup. The order of the bodies, which
/// lay where pairs are sorted, is lost.
pub(in crate::gpu) fn pairs(to: &mut Recording, params: Params) {
    let room = params.candidate_room;
    let bytes = Binding::Pairs.bytes(room.into());
    to.copy(Binding::Pairs, Binding::Elements, bytes);
    let params = Params { elements: ALL_PAIRS, ..params };
    // The sort keeps the order of equals: by the second word first. Both words take as many passes, an even number in
    // all, so that the last ends where the first began.
    let half = by_word(to, Params { word: 1, ..params }, params.bodies, 0, room);
    by_word(to, Params { word: 0, ..params }, params.bodies, half, room);
    to.copy(Binding::Elements, Binding::Pairs, bytes);
}

/// Sorts elements by their word `params.word`, which is below `end` in all of them. They lie in half `half`, 0 or 1, of
/// twice the `room` for elements; gives the half in which they are then.
pub(in crate::gpu) fn by_word(to: &mut Recording, params: Params, end: u32, mut half: u32, room: u32) -> u32 {
    let bits = u32::BITS - end.saturating_sub(1).leading_zeros();
    for shift in (0..bits).step_by(DIGIT_BITS as usize) {
        half = pass(to, Pass::CountDigits, half, room, Params { shift, ..params });
    }
    half
}

/// A pass over one digit, from one half of the room for elements to the other, which it gives: `count` counts the
/// digits block by block; the counts are scanned; each element is taken to its place.
fn pass(to: &mut Recording, count: Pass, half: u32, room: u32, params: Params) -> u32 {
    let [source, sink] = [half, 1 - half].map(|half| half * room);
    let params = Params { source, sink, ..params };
    let blocks = room.div_ceil(SORT_BLOCK);
    to.dispatch(count, Groups::Of(blocks), params);
    to.dispatch(Pass::ScanDigits, Groups::Of(1 << DIGIT_BITS), params);
    to.dispatch(Pass::ScatterDigits, Groups::Of(blocks), params);
    1 - half
}
