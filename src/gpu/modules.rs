//! The shader modules as they are sent to the driver: files put together, since WGSL takes declarations in any order.

use super::binding::Binding;
use super::binding::Binding::{
    Atlas, Bodies, Bounds, Boxes, Candidates, Changed, Details, DigitCounts, Dispatches, Elements, Filters, Header,
    Landed, Marked, Pairs, Picked, Progress, Rows, Shapes, Sums, Swept, Tiles, Values, Verdicts,
};

/// A shader module. It binds [`Binding::Params`] as its uniform, and besides just what it reads and what it writes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Module {
    /// Its name: that of the file in `shaders/stages/` that is its own.
    pub(crate) name: &'static str,
    /// The texts of its files.
    files: &'static [&'static str],
    /// The buffers that it declares as `storage, read`.
    pub(super) reads: &'static [Binding],
    /// The buffers that it declares as `storage, read_write`.
    pub(super) writes: &'static [Binding],
}

impl Module {
    /// All of its text.
    pub(crate) fn source(&self) -> String {
        self.files.join("\n")
    }
}

/// The text of a file that several modules have.
macro_rules! shared {
    ($name:literal) => {
        include_str!(concat!("../../shaders/shared/", $name, ".wgsl"))
    };
}

/// A module of a stage's own file and some that are shared.
macro_rules! stage {
    ($name:literal, [$($file:expr),*], reads: [$($read:expr),*], writes: [$($write:expr),*]) => {
        Module {
            name: $name,
            files: &[$($file,)* include_str!(concat!("../../shaders/stages/", $name, ".wgsl"))],
            reads: &[$($read),*],
            writes: &[$($write),*],
        }
    };
}

pub(super) const TYPES: &str = shared!("types");
pub(super) const WIDE: &str = shared!("wide");
pub(super) const PREDICATE: &str = shared!("predicate");
pub(super) const TICKS: &str = shared!("ticks");
pub(super) const SAMPLE: &str = shared!("sample");
pub(super) const WORDS: &str = shared!("words");
pub(super) const VIEW: &str = shared!("view");
pub(super) const SEEN: &str = shared!("seen");
pub(super) const CONVEX: &str = shared!("convex");
pub(super) const COURSE: &str = shared!("course");
pub(super) const LOOK: &str = shared!("look");
pub(super) const SPRITES: &str = shared!("sprites");
pub(super) const MIXED: &str = shared!("mixed");
pub(super) const PAIR: &str = shared!("pair");
pub(super) const GATHER: &str = shared!("gather");
const BALLOT: &str = shared!("ballot");
const CANDIDATES: &str = shared!("candidates");
const FLAGS: &str = shared!("flags");

/// Puts bodies that have changed where they belong.
pub(super) const UPDATE: Module = stage!("update", [TYPES], reads: [Changed], writes: [Bodies]);
/// Lands the vertices and bounds of bodies.
pub(super) const LAND: Module =
    stage!("land", [TYPES, WIDE], reads: [Bodies, Shapes, Atlas], writes: [Landed, Bounds, Header]);
/// Makes the keys by which bodies are sorted.
pub(super) const KEYS: Module = stage!("keys", [TYPES], reads: [Bodies, Bounds], writes: [Header, Elements]);
/// Does a pass of a radix sort.
pub(super) const SORT: Module = stage!("sort", [TYPES], reads: [], writes: [Header, Elements, DigitCounts]);
/// Puts bounds and layers in the order of bodies, and bounds tiles and blocks.
pub(super) const TILES: Module =
    stage!("tiles", [TYPES], reads: [Bodies, Bounds, Elements], writes: [Tiles, Boxes, Filters]);
/// Finds the candidates of sorted bodies.
pub(super) const BROAD: Module = stage!(
    "broad",
    [TYPES, BALLOT, CANDIDATES],
    reads: [Tiles, Elements, Boxes, Filters],
    writes: [Candidates, Header, Marked, Swept]
);
/// Finds the candidates of bodies that are not sorted.
pub(super) const ALL_PAIRS: Module = stage!(
    "all_pairs",
    [TYPES, BALLOT, CANDIDATES],
    reads: [Tiles, Boxes, Filters],
    writes: [Candidates, Header, Marked]
);
/// Paints turned sprites.
pub(super) const PAINT: Module = stage!(
    "paint",
    [TYPES, WIDE, SAMPLE],
    reads: [Bodies, Shapes, Atlas],
    writes: [Landed, Header, Marked, Picked]
);
/// Does a prefix sum.
pub(super) const SCAN: Module = stage!("scan", [TYPES], reads: [], writes: [Values, Sums]);
/// Plans later dispatches.
pub(super) const PLAN: Module = stage!("plan", [TYPES], reads: [], writes: [Sums, Header, Dispatches]);
/// Parts the candidates by what decides them.
pub(super) const SIEVE: Module =
    stage!("sieve", [TYPES, TICKS, FLAGS], reads: [Bodies, Candidates], writes: [Verdicts, Header]);
/// Judges two sprites at rest to each other.
pub(super) const MASKS: Module = stage!(
    "masks",
    [TYPES, WORDS, FLAGS],
    reads: [Bodies, Shapes, Atlas, Landed, Candidates],
    writes: [Verdicts, Header]
);
/// Judges all other candidates.
pub(super) const VERDICT: Module = stage!(
    "verdict",
    [TYPES, WIDE, TICKS, PREDICATE, SAMPLE, WORDS, VIEW, SEEN, CONVEX, COURSE, SPRITES, MIXED, GATHER, LOOK, PAIR, FLAGS],
    reads: [Bodies, Shapes, Atlas, Landed, Candidates],
    writes: [Verdicts, Progress, Header]
);
/// Puts pairs in order.
pub(super) const ORDER: Module =
    stage!("order", [TYPES], reads: [Candidates, Verdicts], writes: [Rows, Pairs, Header, Picked]);
/// Gathers what pairs carry.
pub(super) const DETAILS: Module = stage!(
    "details",
    [TYPES, WIDE, TICKS, PREDICATE, SAMPLE, WORDS, VIEW, SEEN, CONVEX, COURSE, SPRITES, MIXED, GATHER, LOOK, PAIR],
    reads: [Bodies, Shapes, Atlas, Landed, Pairs],
    writes: [Details, Progress, Header]
);

/// All modules, in the order in which a step comes to them.
#[cfg(any(test, feature = "internals"))]
pub(crate) const ALL: [Module; 15] =
    [UPDATE, LAND, KEYS, SORT, TILES, BROAD, ALL_PAIRS, PAINT, SCAN, PLAN, SIEVE, MASKS, VERDICT, ORDER, DETAILS];
