//! Records how the candidates that hit are put in order.

use super::{Groups, Recording, Stage, sort};
use crate::gpu::binding::Binding;
use crate::gpu::kinds::Kinds;
use crate::gpu::params::Params;
use crate::gpu::pass::Pass;
use crate::hits::Ask;

/// The bodies of which one workgroup puts all pairs in order, if these are not too many.
pub(in crate::gpu) const FEW_BODIES: u32 = 4096;
/// The most candidates of which one workgroup puts those in order that hit.
pub(in crate::gpu) const FEW_CANDIDATES: u32 = 1 << 14;
/// The most pairs of a row that a workgroup sorts; where there are more, all pairs are sorted once more.
#[cfg(any(test, feature = "internals"))]
pub(in crate::gpu) const LONG_ROW: u32 = 512;
/// The rows of a block, which a workgroup scans.
pub(in crate::gpu) const SCAN_BLOCK: u32 = 1024;

/// The elements of [`Binding::Sums`] for so many bodies.
pub(in crate::gpu) fn sums(bodies: u64) -> u64 {
    bodies.div_ceil(SCAN_BLOCK.into())
}

/// Puts the pairs in order, by one workgroup where they are `few`; then gathers what they carry, if that is asked for
/// and there is room for it, by so many `rounds` beyond the first. Last of all tells, on the GPU, what is whole there.
pub(in crate::gpu) fn order(to: &mut Recording, ask: Ask, few: bool, kinds: Kinds, rounds: u32, params: Params) {
    if ask > Ask::Flags {
        to.stage(Stage::Order);
        if few {
            to.dispatch(Pass::OrderFew, Groups::Of(1), params);
        } else {
            order_many(to, params);
        }
    }
    // The one workgroup that puts few in order tells what is whole, unless something comes behind.
    if !few || ask != Ask::Pairs || params.sorts_pairs == 1 {
        end(to, ask, kinds, rounds, params);
    }
}

/// Ends a run of rows, once these are sorted: sorts all pairs, if that is wanted, gathers details, if they are asked
/// for, and has the GPU write what is whole.
pub(in crate::gpu) fn end(to: &mut Recording, ask: Ask, kinds: Kinds, rounds: u32, params: Params) {
    if params.sorts_pairs == 1 {
        to.stage(Stage::Order);
        sort::pairs(to, params);
    }
    if ask == Ask::Details {
        to.stage(Stage::Details);
        for round in 0..=rounds {
            for pass in kinds.details() {
                to.dispatch_over(pass, params.detail_room, Params { if_whole: 1, round, ..params });
            }
        }
    }
    to.dispatch(Pass::Conclude, Groups::Of(1), params);
}

fn order_many(to: &mut Recording, params: Params) {
    to.clear(Binding::Rows, 0);
    to.dispatch_over(Pass::CountHits, params.candidate_room, params);
    to.dispatch(Pass::ScanRows, Groups::Of(params.bodies.div_ceil(SCAN_BLOCK)), params);
    to.dispatch(Pass::ScanSums, Groups::Of(1), params);
    to.dispatch_over(Pass::ScatterHits, params.candidate_room, params);
    to.dispatch_each(Pass::SortRows, params.bodies, params);
}

/// Gathers what `count` pairs from `first_pair` on carry, in a round.
pub(in crate::gpu) fn detail(
    to: &mut Recording,
    kinds: Kinds,
    first_pair: u32,
    count: u32,
    round: u32,
    params: Params,
) {
    let params = Params { first_pair, detail_room: count, round, ..params };
    to.stage(Stage::Details);
    for pass in kinds.details() {
        to.dispatch_over(pass, count, params);
    }
    to.dispatch(Pass::Conclude, Groups::Of(1), params);
}
