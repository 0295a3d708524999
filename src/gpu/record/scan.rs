//! Records an exclusive prefix sum.

use super::Recording;
use crate::gpu::binding::Binding;
use crate::gpu::params::Params;
use crate::gpu::pass::Pass;

/// The values of a block, which a workgroup scans.
pub(in crate::gpu) const SCAN_BLOCK: u32 = 1024;

/// The elements of [`Binding::Sums`] that a scan of so many values writes: the sums of its blocks, and behind them the
/// total.
pub(in crate::gpu) fn sums(values: u64) -> u64 {
    values.div_ceil(SCAN_BLOCK.into()) + 1
}

/// Makes each of the first `count` words of `values` the sum of those before it.
pub(super) fn record(to: &mut Recording, values: Binding, count: u32, params: Params) {
    let blocks = count.div_ceil(SCAN_BLOCK);
    let params = Params { values: count, ..params };
    to.dispatch_scan(Pass::ScanBlocks, values, blocks, params);
    to.dispatch_scan(Pass::ScanSums, values, 1, params);
    to.dispatch_scan(Pass::AddSums, values, blocks, params);
}
