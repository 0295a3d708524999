//! The shader modules as they are sent to the driver: concatenated files, because WGSL allows declarations in any
//! order.

use super::binding::Binding;
use super::binding::Binding::{
    Atlas, Bodies, Bounds, Boxes, Candidates, Changed, Details, DigitCounts, Elements, Enabled, Filters, Header,
    Landed, Linears, Motions, Pairs, Picked, Positions, Progress, Rows, ShapeNumbers, Shapes, Sums, Swept, Tiles,
    Verdicts,
};

/// Includes the text of a file that several modules share.
macro_rules! shared {
    ($name:literal) => {
        include_str!(concat!("../../shaders/shared/", $name, ".wgsl"))
    };
}

/// A shader module. It binds [`Binding::Params`] as its uniform, and the buffers that it reads and writes, no others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Module {
    /// The name, which is also that of its file in `shaders/stages/`.
    pub(crate) name: &'static str,
    /// The texts of its files.
    files: &'static [&'static str],
    /// The buffers declared as `storage, read`.
    pub(super) reads: &'static [Binding],
    /// The buffers declared as `storage, read_write`.
    pub(super) writes: &'static [Binding],
}

impl Module {
    /// Returns its whole source.
    pub(crate) fn source(&self, wide: Wide) -> String {
        let file = |&file| if file == WIDE { wide.file() } else { file };
        self.files.iter().map(file).collect::<Vec<_>>().join("\n")
    }

    /// Returns whether it uses integers wider than 32 bits.
    #[cfg(any(test, feature = "internals"))]
    pub(crate) fn has_wide(&self) -> bool {
        self.files.contains(&WIDE)
    }
}

/// The implementation of integers wider than 32 bits in shaders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wide {
    /// Integers made of 32-bit words, for all devices.
    Words,
    /// The device's native 64-bit integers: wgpu's feature `SHADER_INT64`.
    Native,
}

impl Wide {
    #[cfg(test)]
    pub(super) const ALL: [Self; 2] = [Self::Words, Self::Native];

    /// Returns the text of its file.
    pub(super) fn file(self) -> &'static str {
        match self {
            Self::Words => WIDE,
            Self::Native => shared!("wide_native"),
        }
    }
}

/// Builds a module from the stage's own file and shared ones.
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
/// A placeholder, which [`Module::source`] replaces by the file of the device's [`Wide`].
const WIDE: &str = shared!("wide");
pub(super) const FUEL: &str = shared!("fuel");
pub(super) const PREDICATE: &str = shared!("predicate");
pub(super) const TICKS: &str = shared!("ticks");
pub(super) const SAMPLE: &str = shared!("sample");
pub(super) const WORDS: &str = shared!("words");
pub(super) const VIEW: &str = shared!("view");
pub(super) const PIECES: &str = shared!("pieces");
pub(super) const PIXELS: &str = shared!("pixels");
pub(super) const COVERED: &str = shared!("covered");
pub(super) const SEEN: &str = shared!("seen");
const CONVEX: &str = shared!("convex");
pub(super) const COURSE: &str = shared!("course");
pub(super) const LOOK: &str = shared!("look");
const SPRITES: &str = shared!("sprites");
pub(super) const MIXED: &str = shared!("mixed");
pub(super) const PROGRESS: &str = shared!("progress");
pub(super) const SPRITE_PAIR: &str = shared!("sprite_pair");
const PAIR_CONVEX: &str = shared!("pair_convex");
const PAIR_SPRITES: &str = shared!("pair_sprites");
pub(super) const PAIR_MIXED: &str = shared!("pair_mixed");
pub(super) const GATHER: &str = shared!("gather");
const HIT: &str = shared!("hit");
pub(super) const BODIES: &str = shared!("bodies");
const ASKED: &str = shared!("asked");
const VERDICT: &str = shared!("verdict");
const BALLOT: &str = shared!("ballot");
pub(super) const BY_BOUNDS: &str = shared!("by_bounds");
const CANDIDATES: &str = shared!("candidates");
const DIGITS: &str = shared!("digits");
const DETAIL: &str = shared!("detail");
pub(super) const FLAGS: &str = shared!("flags");
const JUDGE: &str = shared!("judge");
const LISTS: &str = shared!("lists");
const LISTED: &str = shared!("listed");
const PREFIX_SUM: &str = shared!("prefix_sum");
const ROWS: &str = shared!("rows");
pub(super) const DOUBLE: &str = shared!("double");
pub(super) const LINEAR: &str = shared!("linear");
pub(super) const LAND_ALONG: &str = shared!("land_along");
pub(super) const STREAM: &str = shared!("stream");
pub(super) const SLABS: &str = shared!("slabs");
const TABLES: &str = shared!("tables");
pub(super) const TILE: &str = shared!("tile");
const UNJUDGED: &str = shared!("unjudged");
const WHOLE: &str = shared!("whole");

/// Writes changed bodies to their places.
pub(super) const UPDATE: Module = stage!("update", [TYPES], reads: [Changed], writes: [Bodies]);
/// Gives bodies the shapes, linear parts and enabled flags of streams on the GPU.
pub(super) const POSE: Module = stage!(
    "pose",
    [TYPES, BODIES, WIDE, DOUBLE, LINEAR, STREAM, LAND_ALONG],
    reads: [Shapes, Atlas, Linears, ShapeNumbers, Enabled],
    writes: [Bodies, Header]
);
/// Gives bodies the positions and motions of streams on the GPU.
pub(super) const PLACE: Module =
    stage!("place", [TYPES, BODIES, STREAM], reads: [Positions, Motions], writes: [Bodies, Header]);
/// Lands the vertices and bounds of bodies.
pub(super) const LAND: Module = stage!(
    "land",
    [TYPES, BODIES, WIDE, LAND_ALONG, FLAGS, TILE],
    reads: [Bodies, Shapes, Atlas],
    writes: [Landed, Bounds, Header, Tiles, Filters]
);
/// Computes the keys by which bodies are sorted.
pub(super) const KEYS: Module =
    stage!("keys", [TYPES, DIGITS], reads: [Bodies, Bounds], writes: [Header, Elements, DigitCounts]);
/// Runs a pass of a radix sort.
pub(super) const SORT: Module =
    stage!("sort", [TYPES, DIGITS, PREFIX_SUM], reads: [], writes: [Elements, DigitCounts, Header]);
/// Arranges bounds and layers in the order of sorted bodies, and computes the bounds of tiles and blocks.
pub(super) const TILES: Module = stage!(
    "tiles",
    [TYPES, BODIES, TILE],
    reads: [Bodies, Bounds, Elements],
    writes: [Rows, Tiles, Boxes, Filters, Swept]
);
/// Finds the candidates of sorted bodies.
pub(super) const BROAD: Module = stage!(
    "broad",
    [TYPES, WIDE, BALLOT, CANDIDATES, FLAGS, BY_BOUNDS, SLABS, TABLES],
    reads: [Tiles, Elements, Boxes, Filters],
    writes: [Candidates, Header, Swept]
);
/// Finds the candidates of unsorted bodies.
pub(super) const ALL_PAIRS: Module = stage!(
    "all_pairs",
    [TYPES, WIDE, BALLOT, CANDIDATES, FLAGS, BY_BOUNDS, SLABS, TABLES],
    reads: [Bounds, Tiles, Filters],
    writes: [Candidates, Header]
);
/// Paints turned sprites.
pub(super) const PAINT: Module = stage!(
    "paint",
    [TYPES, BODIES, WIDE, SAMPLE, FLAGS, LISTED],
    reads: [Bodies, Shapes, Atlas],
    writes: [Landed, Header, Picked]
);
/// Splits the candidates into lists by how they are judged.
pub(super) const SIEVE: Module = stage!(
    "sieve",
    [TYPES, BODIES, TICKS, FLAGS, LISTED, LISTS, VERDICT],
    reads: [Bodies, Candidates],
    writes: [Verdicts, Header]
);
/// Judges two sprites at rest relative to each other.
pub(super) const MASKS: Module = stage!(
    "masks",
    [TYPES, BODIES, WORDS, BALLOT, FLAGS, LISTS, ASKED, UNJUDGED, VERDICT],
    reads: [Bodies, Shapes, Atlas, Landed, Candidates],
    writes: [Verdicts, Header]
);
/// Judges two turned sprites at rest by their texels.
pub(super) const SAMPLED: Module = stage!(
    "sampled",
    [TYPES, BODIES, WIDE, SAMPLE, FLAGS, LISTS, ASKED, UNJUDGED, VERDICT],
    reads: [Bodies, Shapes, Atlas, Candidates],
    writes: [Verdicts, Header]
);
/// Judges two convex bodies.
pub(super) const JUDGE_CONVEX: Module = stage!(
    "judge_convex",
    [TYPES, BODIES, WIDE, TICKS, FUEL, PREDICATE, VIEW, PIECES, PROGRESS, CONVEX, PAIR_CONVEX, LISTS, JUDGE, UNJUDGED, FLAGS],
    reads: [Bodies, Shapes, Atlas, Landed, Candidates],
    writes: [Verdicts, Progress, Header]
);
/// Judges two sprites that words alone do not decide.
pub(super) const JUDGE_SPRITES: Module = stage!(
    "judge_sprites",
    [
        TYPES, BODIES, WIDE, TICKS, FUEL, SAMPLE, WORDS, VIEW, PIXELS, SEEN, COURSE, MIXED, SPRITES, LOOK, GATHER,
        PROGRESS, SPRITE_PAIR, PAIR_SPRITES, LISTS, JUDGE, UNJUDGED, FLAGS
    ],
    reads: [Bodies, Shapes, Atlas, Landed, Candidates],
    writes: [Verdicts, Progress, Header]
);
/// Judges a sprite and a convex body.
pub(super) const JUDGE_MIXED: Module = stage!(
    "judge_mixed",
    [
        TYPES, BODIES, WIDE, TICKS, FUEL, PREDICATE, SAMPLE, WORDS, VIEW, PIECES, PIXELS, COVERED, SEEN, COURSE, MIXED,
        LOOK, GATHER, PROGRESS, SPRITE_PAIR, PAIR_MIXED, LISTS, JUDGE, UNJUDGED, FLAGS
    ],
    reads: [Bodies, Shapes, Atlas, Landed, Candidates],
    writes: [Verdicts, Progress, Header]
);
/// Orders the pairs.
pub(super) const ORDER: Module =
    stage!("order", [TYPES, LISTED, HIT, ROWS], reads: [Candidates, Sums, Verdicts], writes: [Rows, Pairs, Header]);
/// Computes where the pairs of each body begin, by prefix sums.
pub(super) const SCAN: Module = stage!("scan", [TYPES, PREFIX_SUM], reads: [], writes: [Rows, Sums, Header]);
/// Orders the pairs of few bodies.
pub(super) const ORDER_FEW: Module = stage!(
    "order_few",
    [TYPES, LISTED, WHOLE, HIT, PREFIX_SUM, ROWS],
    reads: [Candidates, Verdicts],
    writes: [Rows, Pairs, Header]
);
/// Gathers the details of pairs of two convex bodies.
pub(super) const DETAIL_CONVEX: Module = stage!(
    "detail_convex",
    [TYPES, BODIES, WIDE, TICKS, FUEL, PREDICATE, VIEW, PIECES, PROGRESS, CONVEX, PAIR_CONVEX, LISTED, WHOLE, DETAIL],
    reads: [Bodies, Shapes, Atlas, Landed, Pairs],
    writes: [Details, Progress, Header]
);
/// Gathers the details of pairs of two sprites.
pub(super) const DETAIL_SPRITES: Module = stage!(
    "detail_sprites",
    [
        TYPES, BODIES, WIDE, TICKS, FUEL, SAMPLE, WORDS, VIEW, PIXELS, SEEN, COURSE, MIXED, SPRITES, LOOK, GATHER,
        PROGRESS, SPRITE_PAIR, PAIR_SPRITES, LISTED, WHOLE, DETAIL
    ],
    reads: [Bodies, Shapes, Atlas, Landed, Pairs],
    writes: [Details, Progress, Header]
);
/// Gathers the details of pairs of a sprite and a convex body.
pub(super) const DETAIL_MIXED: Module = stage!(
    "detail_mixed",
    [
        TYPES, BODIES, WIDE, TICKS, FUEL, PREDICATE, SAMPLE, WORDS, VIEW, PIECES, PIXELS, COVERED, SEEN, COURSE, MIXED,
        LOOK, GATHER, PROGRESS, SPRITE_PAIR, PAIR_MIXED, LISTED, WHOLE, DETAIL
    ],
    reads: [Bodies, Shapes, Atlas, Landed, Pairs],
    writes: [Details, Progress, Header]
);
/// Writes which parts of the answer are complete.
pub(super) const CONCLUDE: Module = stage!("conclude", [TYPES, LISTED, WHOLE], reads: [], writes: [Header]);

/// All modules, in the order of a step.
#[cfg(any(test, feature = "internals"))]
pub(crate) const ALL: [Module; 23] = [
    UPDATE,
    POSE,
    PLACE,
    LAND,
    KEYS,
    SORT,
    TILES,
    BROAD,
    ALL_PAIRS,
    PAINT,
    SIEVE,
    MASKS,
    SAMPLED,
    JUDGE_CONVEX,
    JUDGE_SPRITES,
    JUDGE_MIXED,
    ORDER,
    SCAN,
    ORDER_FEW,
    DETAIL_CONVEX,
    DETAIL_SPRITES,
    DETAIL_MIXED,
    CONCLUDE,
];
