//! Records how the candidates that hit are put in order.

use super::{Groups, Recording, Stage, sort};
use crate::gpu::binding::Binding;
use crate::gpu::kinds::Kinds;
use crate::gpu::params::Params;
use crate::gpu::pass::Pass;
use crate::gpu::whole::Whole;
use crate::hits::Ask;

/// The most bodies whose pairs one workgroup orders by itself, if the candidates are few enough too.
pub(in crate::gpu) const FEW_BODIES: u32 = 4096;
/// The most candidates among which one workgroup orders the hits by itself.
pub(in crate::gpu) const FEW_CANDIDATES: u32 = 1 << 14;
/// The most pairs of a row that a workgroup sorts. If a row has more, all pairs are sorted again.
#[cfg(any(test, feature = "internals"))]
pub(in crate::gpu) const LONG_ROW: u32 = 512;
/// The rows of a block, which one workgroup scans.
pub(in crate::gpu) const SCAN_BLOCK: u32 = 1024;

/// Returns the number of [`Binding::Sums`] elements for this many bodies.
pub(in crate::gpu) fn sums(bodies: u64) -> u64 {
    bodies.div_ceil(SCAN_BLOCK.into())
}

/// The rounds after the first in which details are gathered, and in which ways out are found.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::gpu) struct EndRounds {
    pub(in crate::gpu) details: u32,
    pub(in crate::gpu) contacts: u32,
}

/// Orders the pairs, in one workgroup if they are `few`. Then gathers their details and finds their ways out if
/// requested and there is room. Finally has the GPU write which parts of the answer are complete.
pub(in crate::gpu) fn order(to: &mut Recording, ask: Ask, few: bool, kinds: Kinds, rounds: EndRounds, params: Params) {
    if ask > Ask::Flags {
        to.stage(Stage::Order);
        if few {
            to.dispatch(Pass::OrderFew, Groups::Of(1), params);
        } else {
            order_many(to, params);
        }
    }
    // The workgroup that orders few pairs also writes what is complete, unless something follows.
    if !few || ask != Ask::Pairs || params.sorts_pairs == 1 {
        end(to, ask, kinds, rounds, params);
    }
}

/// Ends a run of rows once they are sorted: sorts all pairs if `params` says so, gathers details and finds ways out if
/// requested, and has the GPU write what is complete.
pub(in crate::gpu) fn end(to: &mut Recording, ask: Ask, kinds: Kinds, rounds: EndRounds, params: Params) {
    if params.sorts_pairs == 1 {
        to.stage(Stage::Order);
        sort::pairs(to, params);
    }
    if ask == Ask::Details {
        to.stage(Stage::Details);
        for round in 0..=rounds.details {
            for pass in kinds.details() {
                to.dispatch_over(pass, params.detail_room, Params { if_whole: 1, round, ..params });
            }
        }
    }
    if Whole::of_bits(params.asked).contains(Whole::CONTACTS) {
        to.stage(Stage::Contacts);
        for round in 0..=rounds.contacts {
            find_contacts(to, kinds, round, params);
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

/// Finds the ways out of all pairs, in one round.
fn find_contacts(to: &mut Recording, kinds: Kinds, round: u32, params: Params) {
    for pass in kinds.contacts() {
        to.dispatch_over(pass, params.detail_room, Params { round, ..params });
    }
}

/// Finds the ways out of all pairs, in one round, and has the GPU write what is complete.
pub(in crate::gpu) fn contact(to: &mut Recording, kinds: Kinds, round: u32, params: Params) {
    to.stage(Stage::Contacts);
    find_contacts(to, kinds, round, params);
    to.dispatch(Pass::Conclude, Groups::Of(1), params);
}

/// Gathers the details of `count` pairs from `first_pair` on, in one round.
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
