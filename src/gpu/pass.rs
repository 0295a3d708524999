//! The entry points of the shaders.

use super::modules::{
    ALL_PAIRS, BROAD, CONCLUDE, CONTACT_CONVEX, CONTACT_MIXED, CONTACT_SPRITES, DETAIL_CONVEX, DETAIL_MIXED,
    DETAIL_SPRITES, JUDGE_CONVEX, JUDGE_MIXED, JUDGE_SPRITES, KEYS, LAND, MASKS, Module, ORDER, ORDER_FEW, PAINT,
    PLACE, POSE, SAMPLED, SCAN, SIEVE, SORT, TILES, UPDATE,
};

/// The number of invocations of most workgroups.
pub(super) const GROUP: u32 = 64;
/// The number of invocations of workgroups that share much data.
pub(super) const LARGE_GROUP: u32 = 256;

/// Defines [`Pass`] from a row for each entry point: its module, its name in WGSL, the invocations of a workgroup.
macro_rules! passes {
    ($($pass:ident: $module:ident, $entry:literal, $group:expr;)*) => {
        /// An entry point of a shader, with one pipeline.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(super) enum Pass {
            $(#[doc = concat!("`", $entry, "`.")] $pass,)*
        }

        impl Pass {
            /// All passes, in the order of their declaration.
            pub(super) const ALL: &[Self] = &[$(Self::$pass),*];

            /// Returns its module.
            pub(super) fn module(self) -> &'static Module {
                match self {
                    $(Self::$pass => &$module,)*
                }
            }

            /// Returns its unique name in WGSL.
            pub(super) fn entry(self) -> &'static str {
                match self {
                    $(Self::$pass => $entry,)*
                }
            }

            /// Returns the number of invocations of a workgroup.
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
    Pose: POSE, "pose", GROUP;
    Allot: POSE, "allot", GROUP;
    Place: PLACE, "place", GROUP;
    Land: LAND, "land", GROUP;
    LandTiles: LAND, "land_tiles", GROUP;
    Measure: KEYS, "measure", LARGE_GROUP;
    MakeKeys: KEYS, "make_keys", LARGE_GROUP;
    CountDigits: SORT, "count_digits", LARGE_GROUP;
    ScanDigits: SORT, "scan_digits", GROUP;
    ScatterDigits: SORT, "scatter_digits", LARGE_GROUP;
    BoundTiles: TILES, "bound_tiles", GROUP;
    BoundBlocks: TILES, "bound_blocks", GROUP;
    Sweep: BROAD, "sweep", GROUP;
    SweepAll: ALL_PAIRS, "sweep_all", GROUP;
    PickSprites: PAINT, "pick_sprites", GROUP;
    Paint: PAINT, "paint", GROUP;
    Sieve: SIEVE, "sieve", GROUP;
    JudgeMasks: MASKS, "judge_masks", GROUP;
    JudgeSampled: SAMPLED, "judge_sampled", GROUP;
    JudgeConvex: JUDGE_CONVEX, "judge_convex", GROUP;
    JudgeSprites: JUDGE_SPRITES, "judge_sprites", GROUP;
    JudgeMixed: JUDGE_MIXED, "judge_mixed", GROUP;
    CountHits: ORDER, "count_hits", GROUP;
    ScanRows: SCAN, "scan_rows", LARGE_GROUP;
    ScanSums: SCAN, "scan_sums", LARGE_GROUP;
    ScatterHits: ORDER, "scatter_hits", GROUP;
    SortRows: ORDER, "sort_rows", LARGE_GROUP;
    OrderFew: ORDER_FEW, "order_few", LARGE_GROUP;
    DetailConvex: DETAIL_CONVEX, "detail_convex", GROUP;
    DetailSprites: DETAIL_SPRITES, "detail_sprites", GROUP;
    DetailMixed: DETAIL_MIXED, "detail_mixed", GROUP;
    ContactConvex: CONTACT_CONVEX, "contact_convex", GROUP;
    ContactSprites: CONTACT_SPRITES, "contact_sprites", GROUP;
    ContactMixed: CONTACT_MIXED, "contact_mixed", GROUP;
    Conclude: CONCLUDE, "conclude", 1;
}

impl Pass {
    /// Returns whether one of its dispatches may take long, so that a submission should have few of them.
    pub(super) fn is_long(self) -> bool {
        matches!(
            self,
            Self::Sweep
                | Self::SweepAll
                | Self::Paint
                | Self::JudgeMasks
                | Self::JudgeSampled
                | Self::JudgeConvex
                | Self::JudgeSprites
                | Self::JudgeMixed
                | Self::DetailConvex
                | Self::DetailSprites
                | Self::DetailMixed
                | Self::ContactConvex
                | Self::ContactSprites
                | Self::ContactMixed
        )
    }
}
