//! The shader modules as they are sent to the driver: all shared files that a stage needs, followed by its own file.
//!
//! A file names the shared files whose declarations it uses (`// needs: bodies, types`), and what another file of its
//! module must declare (`// expects: params, pair`), because that differs from module to module. WGSL allows
//! declarations in any order.

#[cfg(target_family = "wasm")]
use super::bare;
use super::binding::Binding;
use super::binding::Binding::{
    Atlas, Bodies, Bounds, Boxes, Candidates, Changed, Contacts, Details, DigitCounts, Elements, Enabled, Filters,
    Header, Landed, Linears, Motions, Pairs, Picked, Positions, Progress, Rows, ShapeNumbers, Shapes, Sums, Swept,
    Tiles, Verdicts,
};

/// A file that modules share: its name, and its text.
type File = (&'static str, &'static str);

/// Reads a file of `shaders/`.
macro_rules! read {
    ($folder:literal, $name:expr) => {{
        const WHOLE: &str = include_str!(concat!("../../shaders/", $folder, "/", $name, ".wgsl"));
        #[cfg(target_family = "wasm")]
        const TEXT: &str = {
            const BARE: [u8; bare::length(WHOLE)] = bare::bytes(WHOLE);
            bare::text(&BARE)
        };
        #[cfg(not(target_family = "wasm"))]
        const TEXT: &str = WHOLE;
        TEXT
    }};
}

/// Reads files of `shaders/shared/`.
macro_rules! shared {
    ($($name:ident)*) => {
        [$((stringify!($name), read!("shared", stringify!($name)))),*]
    };
}

/// All files of `shaders/shared/`.
pub(super) static SHARED: [File; 68] = shared!(
    asked at_end ballot bodies boundary by_bounds candidates comparison contact convex course covered detail differences
    digits double exit first_contact flags fuel gather hit judge land_along leave_convex leave_mixed leave_pixels
    leave_sprites linear listed lists mixed near neighbours pair_convex pair_mixed pair_sprites parts pieces pixels
    predicate prefix_sum progress push rows sample seams seeking seen shorter slabs sprite_pair sprites square stream
    tables ticks tile types union unjudged vector verdict view whole wide wide_native words
);

/// The beginning of a line that names the shared files whose declarations a file uses.
pub(super) const NEEDS: &str = "// needs: ";

/// Returns the names in the lines that begin with `head`, such as [`NEEDS`].
pub(super) fn named<'a>(text: &'a str, head: &'a str) -> impl Iterator<Item = &'a str> {
    text.lines().filter_map(move |line| line.strip_prefix(head)).flat_map(|names| names.split(", "))
}

/// Adds the shared files that a text needs, directly or not, each once and after those that it needs itself.
fn add_needs(text: &str, wide: Wide, found: &mut Vec<&'static File>) {
    for need in named(text, NEEDS) {
        let need = if need == WIDE { wide.file() } else { need };
        let file = SHARED.iter().find(|(name, _)| *name == need);
        if let Some(file) = file.filter(|file| !found.contains(file)) {
            let at = found.len();
            found.push(file);
            add_needs(file.1, wide, found);
            found[at..].rotate_left(1);
        }
    }
}

/// Returns the shared files that some texts need, directly or not, each once.
pub(super) fn needs_of(texts: &[&str], wide: Wide) -> Vec<&'static File> {
    let mut found = Vec::new();
    for text in texts {
        add_needs(text, wide, &mut found);
    }
    found
}

/// Returns the source of a module: the shared files that some texts need, followed by these texts.
pub(super) fn source_of(texts: &[&str], wide: Wide) -> String {
    let shared = needs_of(texts, wide).into_iter().map(|(_, text)| *text);
    let all = shared.chain(texts.iter().copied());
    #[cfg(all(debug_assertions, any(test, feature = "internals")))]
    let all = all.map(|text| super::replaced::current(text, named_text));
    all.collect::<Vec<_>>().join("\n")
}

/// Returns the text of a file, given its folder and its name.
#[cfg(all(debug_assertions, any(test, feature = "internals")))]
fn named_text(folder: &str, name: &str) -> Option<&'static str> {
    match folder {
        "shared" => SHARED.iter().find(|file| file.0 == name).map(|file| file.1),
        "stages" => ALL.iter().find(|module| module.name == name).map(|module| module.text),
        _ => None,
    }
}

/// A shader module. It binds [`Binding::Params`] as its uniform, and the buffers that it reads and writes, no others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Module {
    /// The name, which is also that of its file in `shaders/stages/`.
    pub(crate) name: &'static str,
    /// The text of that file.
    pub(super) text: &'static str,
    /// The buffers declared as `storage, read`.
    pub(super) reads: &'static [Binding],
    /// The buffers declared as `storage, read_write`.
    pub(super) writes: &'static [Binding],
}

impl Module {
    /// Returns its whole source.
    pub(crate) fn source(&self, wide: Wide) -> String {
        source_of(&[self.text], wide)
    }

    /// Returns whether it uses integers wider than 32 bits.
    #[cfg(any(test, feature = "internals"))]
    pub(crate) fn has_wide(&self) -> bool {
        needs_of(&[self.text], Wide::Words).iter().any(|(name, _)| *name == WIDE)
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

    /// Returns the name of its file.
    fn file(self) -> &'static str {
        match self {
            Self::Words => WIDE,
            Self::Native => "wide_native",
        }
    }
}

/// The name by which files need integers wider than 32 bits; modules have the file of the device's [`Wide`].
const WIDE: &str = "wide";

/// Builds a module from the stage's own file.
macro_rules! stage {
    ($name:literal, reads: [$($read:expr),*], writes: [$($write:expr),*]) => {
        Module {
            name: $name,
            text: read!("stages", $name),
            reads: &[$($read),*],
            writes: &[$($write),*],
        }
    };
}

/// Writes changed bodies to their places.
pub(super) const UPDATE: Module = stage!("update", reads: [Changed], writes: [Bodies]);
/// Gives bodies the shapes, linear parts and enabled flags of streams on the GPU.
pub(super) const POSE: Module =
    stage!("pose", reads: [Shapes, Atlas, Linears, ShapeNumbers, Enabled], writes: [Bodies, Header]);
/// Gives bodies the positions and motions of streams on the GPU.
pub(super) const PLACE: Module = stage!("place", reads: [Positions, Motions], writes: [Bodies, Header]);
/// Lands the vertices and bounds of bodies.
pub(super) const LAND: Module =
    stage!("land", reads: [Bodies, Shapes, Atlas], writes: [Landed, Bounds, Header, Tiles, Filters]);
/// Computes the keys by which bodies are sorted.
pub(super) const KEYS: Module = stage!("keys", reads: [Bodies, Bounds], writes: [Header, Elements, DigitCounts]);
/// Runs a pass of a radix sort.
pub(super) const SORT: Module = stage!("sort", reads: [], writes: [Elements, DigitCounts, Header]);
/// Arranges bounds and layers in the order of sorted bodies, and computes the bounds of tiles and blocks.
pub(super) const TILES: Module =
    stage!("tiles", reads: [Bodies, Bounds, Elements], writes: [Rows, Tiles, Boxes, Filters, Swept]);
/// Finds the candidates of sorted bodies.
pub(super) const BROAD: Module =
    stage!("broad", reads: [Tiles, Elements, Boxes, Filters], writes: [Candidates, Header, Swept]);
/// Finds the candidates of unsorted bodies.
pub(super) const ALL_PAIRS: Module = stage!("all_pairs", reads: [Bounds, Tiles, Filters], writes: [Candidates, Header]);
/// Paints turned sprites.
pub(super) const PAINT: Module = stage!("paint", reads: [Bodies, Shapes, Atlas], writes: [Landed, Header, Picked]);
/// Splits the candidates into lists by how they are judged.
pub(super) const SIEVE: Module = stage!("sieve", reads: [Bodies, Candidates], writes: [Verdicts, Header]);
/// Judges two sprites at rest relative to each other.
pub(super) const MASKS: Module =
    stage!("masks", reads: [Bodies, Shapes, Atlas, Landed, Candidates], writes: [Verdicts, Header]);
/// Judges two turned sprites at rest by their texels.
pub(super) const SAMPLED: Module =
    stage!("sampled", reads: [Bodies, Shapes, Atlas, Candidates], writes: [Verdicts, Header]);
/// Judges two convex bodies.
pub(super) const JUDGE_CONVEX: Module =
    stage!("judge_convex", reads: [Bodies, Shapes, Atlas, Landed, Candidates], writes: [Verdicts, Progress, Header]);
/// Judges two sprites that words alone do not decide.
pub(super) const JUDGE_SPRITES: Module =
    stage!("judge_sprites", reads: [Bodies, Shapes, Atlas, Landed, Candidates], writes: [Verdicts, Progress, Header]);
/// Judges a sprite and a convex body.
pub(super) const JUDGE_MIXED: Module =
    stage!("judge_mixed", reads: [Bodies, Shapes, Atlas, Landed, Candidates], writes: [Verdicts, Progress, Header]);
/// Orders the pairs.
pub(super) const ORDER: Module = stage!("order", reads: [Candidates, Sums, Verdicts], writes: [Rows, Pairs, Header]);
/// Computes where the pairs of each body begin, by prefix sums.
pub(super) const SCAN: Module = stage!("scan", reads: [], writes: [Rows, Sums, Header]);
/// Orders the pairs of few bodies.
pub(super) const ORDER_FEW: Module = stage!("order_few", reads: [Candidates, Verdicts], writes: [Rows, Pairs, Header]);
/// Gathers the details of pairs of two convex bodies.
pub(super) const DETAIL_CONVEX: Module =
    stage!("detail_convex", reads: [Bodies, Shapes, Atlas, Landed, Pairs], writes: [Details, Progress, Header]);
/// Gathers the details of pairs of two sprites.
pub(super) const DETAIL_SPRITES: Module =
    stage!("detail_sprites", reads: [Bodies, Shapes, Atlas, Landed, Pairs], writes: [Details, Progress, Header]);
/// Gathers the details of pairs of a sprite and a convex body.
pub(super) const DETAIL_MIXED: Module =
    stage!("detail_mixed", reads: [Bodies, Shapes, Atlas, Landed, Pairs], writes: [Details, Progress, Header]);
/// Finds the ways out of pairs of two convex bodies.
pub(super) const CONTACT_CONVEX: Module =
    stage!("contact_convex", reads: [Bodies, Shapes, Atlas, Landed, Pairs, Details], writes: [Header, Contacts]);
/// Finds the ways out of pairs of two sprites.
pub(super) const CONTACT_SPRITES: Module =
    stage!("contact_sprites", reads: [Bodies, Shapes, Atlas, Landed, Pairs, Details], writes: [Header, Contacts]);
/// Finds the ways out of pairs of a sprite and a convex body.
pub(super) const CONTACT_MIXED: Module =
    stage!("contact_mixed", reads: [Bodies, Shapes, Atlas, Landed, Pairs, Details], writes: [Header, Contacts]);
/// Writes which parts of the answer are complete.
pub(super) const CONCLUDE: Module = stage!("conclude", reads: [], writes: [Header]);

/// All modules, in the order of a step.
#[cfg(any(test, feature = "internals"))]
pub(crate) const ALL: [Module; 26] = [
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
    CONTACT_CONVEX,
    CONTACT_SPRITES,
    CONTACT_MIXED,
    CONCLUDE,
];
