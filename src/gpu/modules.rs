//! The shader modules as they are sent to the driver: files put together, since WGSL takes declarations in any order.

/// A shader module.
#[derive(Clone, Copy, Debug)]
pub struct Module {
    /// Its name: that of the file that is its own.
    pub name: &'static str,
    /// The texts of its files.
    files: &'static [&'static str],
}

impl Module {
    /// All of its text.
    #[must_use]
    pub fn source(&self) -> String {
        self.files.join("\n")
    }
}

const TYPES: &str = include_str!("../../shaders/types.wgsl");
const WIDE: &str = include_str!("../../shaders/wide.wgsl");
const PREDICATE: &str = include_str!("../../shaders/predicate.wgsl");
const PATH: &str = include_str!("../../shaders/path.wgsl");
const SAMPLE: &str = include_str!("../../shaders/sample.wgsl");
const WORDS: &str = include_str!("../../shaders/words.wgsl");
const BALLOT: &str = include_str!("../../shaders/ballot.wgsl");
const CANDIDATES: &str = include_str!("../../shaders/candidates.wgsl");
const FLAGS: &str = include_str!("../../shaders/flags.wgsl");
const NARROW: &str = include_str!("../../shaders/narrow.wgsl");

/// Bodies that have changed.
pub const UPDATE: Module = Module { name: "update", files: &[TYPES, include_str!("../../shaders/update.wgsl")] };
/// Cores and bounds.
pub const LAND: Module = Module { name: "land", files: &[TYPES, WIDE, include_str!("../../shaders/land.wgsl")] };
/// Turned sprites.
pub const PAINT: Module =
    Module { name: "paint", files: &[TYPES, WIDE, SAMPLE, include_str!("../../shaders/paint.wgsl")] };
/// The keys by which bodies are sorted.
pub const KEYS: Module = Module { name: "keys", files: &[TYPES, include_str!("../../shaders/keys.wgsl")] };
/// A pass of a radix sort.
pub const SORT: Module = Module { name: "sort", files: &[TYPES, include_str!("../../shaders/sort.wgsl")] };
/// Bodies in their order, and the bounds of tiles of them.
pub const TILES: Module = Module { name: "tiles", files: &[TYPES, include_str!("../../shaders/tiles.wgsl")] };
/// Candidate pairs of sorted bodies.
pub const BROAD: Module =
    Module { name: "broad", files: &[TYPES, BALLOT, CANDIDATES, include_str!("../../shaders/broad.wgsl")] };
/// Candidate pairs of bodies that are not sorted.
pub const ALL_PAIRS: Module =
    Module { name: "all_pairs", files: &[TYPES, BALLOT, CANDIDATES, include_str!("../../shaders/all_pairs.wgsl")] };
/// Prefix sums.
pub const SCAN: Module = Module { name: "scan", files: &[TYPES, include_str!("../../shaders/scan.wgsl")] };
/// Candidates by what it takes to judge them.
pub const SIEVE: Module = Module { name: "sieve", files: &[TYPES, FLAGS, include_str!("../../shaders/sieve.wgsl")] };
/// Whether candidates hit that are two sprites at rest.
pub const MASKS: Module =
    Module { name: "masks", files: &[TYPES, WORDS, FLAGS, include_str!("../../shaders/masks.wgsl")] };
/// Whether other candidates hit.
pub const VERDICT: Module = Module {
    name: "verdict",
    files: &[TYPES, WIDE, PREDICATE, PATH, SAMPLE, WORDS, NARROW, FLAGS, include_str!("../../shaders/verdict.wgsl")],
};
/// How many workgroups later dispatches have.
pub const PLAN: Module = Module { name: "plan", files: &[TYPES, include_str!("../../shaders/plan.wgsl")] };
/// Ordered pairs.
pub const ORDER: Module = Module { name: "order", files: &[TYPES, include_str!("../../shaders/order.wgsl")] };
/// What pairs carry.
pub const DETAILS: Module = Module {
    name: "details",
    files: &[TYPES, WIDE, PREDICATE, PATH, SAMPLE, WORDS, NARROW, include_str!("../../shaders/details.wgsl")],
};

/// All modules.
pub const ALL: [Module; 15] =
    [UPDATE, LAND, KEYS, SORT, TILES, BROAD, ALL_PAIRS, PAINT, SCAN, PLAN, SIEVE, MASKS, VERDICT, ORDER, DETAILS];

/// The functions of the twins, for tests that call them one by one on the GPU.
#[doc(hidden)]
pub const TWINS: [&str; 4] = [TYPES, WIDE, PREDICATE, PATH];
