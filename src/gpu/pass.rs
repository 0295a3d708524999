//! The entry points of the shaders.

use super::modules::{
    ALL_PAIRS, BROAD, DETAILS, KEYS, LAND, MASKS, Module, ORDER, PAINT, PLAN, SCAN, SIEVE, SORT, TILES, UPDATE, VERDICT,
};

/// The invocations of most workgroups.
pub(super) const GROUP: u32 = 64;
/// The invocations of workgroups that share much.
pub(super) const LARGE_GROUP: u32 = 256;

/// Makes [`Pass`] of a row for each entry point: its module, its name in WGSL, the invocations of a workgroup.
macro_rules! passes {
    ($($pass:ident: $module:ident, $entry:literal, $group:expr;)*) => {
        /// An entry point of a shader, of which there is one pipeline.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(super) enum Pass {
            $(#[doc = concat!("`", $entry, "`.")] $pass,)*
        }

        impl Pass {
            /// All of them, in the order of their declaration.
            pub(super) const ALL: &[Self] = &[$(Self::$pass),*];

            /// Its module.
            pub(super) fn module(self) -> &'static Module {
                match self {
                    $(Self::$pass => &$module,)*
                }
            }

            /// Its name in WGSL, which no other has.
            pub(super) fn entry(self) -> &'static str {
                match self {
                    $(Self::$pass => $entry,)*
                }
            }

            /// The invocations of a workgroup.
            pub(super) fn group(self) -> u32 {
                match self {
                    $(Self::$pass => $group,)*
                }
            }
        }
    };
}

passes! {
    Update: UPDATE, "update", GROUP;
    Land: LAND, "land", GROUP;
    Measure: KEYS, "measure", LARGE_GROUP;
    PlanKeys: KEYS, "plan_keys", 1;
    MakeKeys: KEYS, "make_keys", LARGE_GROUP;
    CountDigits: SORT, "count_digits", LARGE_GROUP;
    ScatterDigits: SORT, "scatter_digits", LARGE_GROUP;
    ScanBlocks: SCAN, "scan_blocks", LARGE_GROUP;
    ScanSums: SCAN, "scan_sums", LARGE_GROUP;
    AddSums: SCAN, "add_sums", LARGE_GROUP;
    BoundTiles: TILES, "bound_tiles", GROUP;
    BoundBlocks: TILES, "bound_blocks", GROUP;
    Sweep: BROAD, "sweep", GROUP;
    SweepAll: ALL_PAIRS, "sweep_all", GROUP;
    PlanCandidates: PLAN, "plan_candidates", 1;
    PickSprites: PAINT, "pick_sprites", GROUP;
    PlanPaintings: PLAN, "plan_paintings", 1;
    Paint: PAINT, "paint", GROUP;
    Sieve: SIEVE, "sieve", GROUP;
    PlanVerdicts: PLAN, "plan_verdicts", 1;
    JudgeSmall: MASKS, "judge_small", GROUP;
    JudgeLarge: MASKS, "judge_large", GROUP;
    Judge: VERDICT, "judge", GROUP;
    CountHits: ORDER, "count_hits", GROUP;
    ScatterHits: ORDER, "scatter_hits", GROUP;
    SortRows: ORDER, "sort_rows", GROUP;
    PlanLongRows: PLAN, "plan_long_rows", 1;
    SortLongRows: ORDER, "sort_long_rows", LARGE_GROUP;
    PlanPairs: PLAN, "plan_pairs", 1;
    DetailPairs: DETAILS, "detail_pairs", GROUP;
    Conclude: PLAN, "conclude", 1;
}

impl Pass {
    /// Whether a dispatch of it may take long, so that few of them go in a submission.
    pub(super) fn is_long(self) -> bool {
        matches!(self, Self::Sweep | Self::SweepAll | Self::Paint | Self::JudgeLarge | Self::Judge | Self::DetailPairs)
    }
}
