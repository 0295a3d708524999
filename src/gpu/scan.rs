//! Prefix sums.

use super::params::Params;
use super::pass::Passes;
use super::record::Recording;

/// Elements that a workgroup scans.
#[doc(hidden)]
pub const BLOCK: u32 = 1024;

/// The bytes that the sums of blocks, and behind them the total, take.
pub(super) fn sum_bytes(elements: u64) -> u64 {
    (elements.div_ceil(BLOCK.into()) + 1) * 4
}

/// Makes each of the first `count` of `values` the sum of those before it.
pub(super) fn record<'a>(to: &mut Recording<'a>, passes: &'a Passes, values: u32, params: Params) {
    let blocks = params.count.div_ceil(BLOCK);
    to.dispatch_over(values, &passes.scan_blocks, blocks, params);
    to.dispatch_over(values, &passes.scan_sums, 1, params);
    to.dispatch_over(values, &passes.add_sums, blocks, params);
}
