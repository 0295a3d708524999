//! What a step counts.

use std::mem::offset_of;

use bytemuck::{Pod, Zeroable};

/// The lists of candidates that bounds do not decide, each with a way to judge them: `shaders/shared/lists.wgsl`.
pub(super) const LISTS: [&str; 6] = ["small_masks", "convex", "large_masks", "sprites", "mixed", "sampled"];

/// What a step counts on the GPU, for later dispatches and for the host. Behind it lie two bits for each body: first
/// the flags of all, whether they hit; then, in words of their own, whether they are marked
/// (`shaders/shared/flags.wgsl`).
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(super) struct Header {
    /// The pairs that hit. Hosts read this and the next three too: see [`Results`](super::Results).
    pub(super) pairs: u32,
    /// Whether all that was asked for lies on the GPU: 0 or 1.
    pub(super) complete: u32,
    /// The bodies whose poses on the GPU were beyond the limits.
    pub(super) skipped: u32,
    /// Bits of [`Whole`](super::whole::Whole): the parts of the answer that are whole, and why others are not.
    pub(super) whole: u32,
    /// Arguments of an indirect dispatch over all pairs: workgroups in x, y and z. None while pairs are not whole.
    pub(super) dispatch: [u32; 3],
    /// Arguments of an indirect draw of an instance for each pair: vertices, instances, the first of each. No instances
    /// while pairs are not whole.
    pub(super) draw: [u32; 4],
    /// Whether the driver has cut loops short: 0 or 1.
    pub(super) cut: u32,
    /// The tiles of rows that the sorted broad phase is done with.
    pub(super) swept: u32,
    /// The candidates, those included that there is no room for: the low word.
    pub(super) candidates: u32,
    /// The high word.
    pub(super) candidates_high: u32,
    /// Of the candidates that are judged, those that bounds do not decide: the lengths of the lists of [`LISTS`].
    pub(super) lists: [u32; LISTS.len()],
    /// The candidates without a verdict yet.
    pub(super) unjudged: u32,
    /// The pairs without all of their details yet.
    pub(super) undetailed: u32,
    /// The last round in which candidates were judged; 1 where the first dispatch was enough, but some invocation has
    /// spent more than half of its fuel.
    pub(super) judge_rounds: u32,
    /// The last round in which details were gathered, likewise.
    pub(super) detail_rounds: u32,
    /// The rows of pairs that are too long for a workgroup to sort.
    pub(super) long_rows: u32,
    /// Whether the pairs are too many for one workgroup to put in order, which was to do so: 0 or 1.
    pub(super) too_many: u32,
    /// The sprites to paint.
    pub(super) paintings: u32,
    /// The passes that a sort by keys of as many bits as bodies ask for takes.
    pub(super) key_passes: u32,
    /// Where forms are the step's own, the units of two words that all bodies land in, those included that there is no
    /// room for: the low word.
    pub(super) landed: u32,
    /// The high word.
    pub(super) landed_high: u32,
    /// The least x of all centres.
    pub(super) min_x: i32,
    /// The least y.
    pub(super) min_y: i32,
    /// The greatest x.
    pub(super) max_x: i32,
    /// The greatest y.
    pub(super) max_y: i32,
    /// How many bodies have a size of so many bits.
    pub(super) sizes: [u32; 32],
    /// The flags, which hosts bind, begin at a multiple of 256 bytes.
    pub(super) unused: [u32; 61],
}

const _: () = assert!(size_of::<Header>() == 512);

impl Header {
    /// Nothing is counted yet.
    pub(super) const START: Self = Self {
        pairs: 0,
        complete: 0,
        skipped: 0,
        whole: 0,
        dispatch: [0, 1, 1],
        draw: [0; 4],
        cut: 0,
        swept: 0,
        candidates: 0,
        candidates_high: 0,
        lists: [0; LISTS.len()],
        unjudged: 0,
        undetailed: 0,
        judge_rounds: 0,
        detail_rounds: 0,
        long_rows: 0,
        too_many: 0,
        paintings: 0,
        key_passes: 0,
        landed: 0,
        landed_high: 0,
        min_x: i32::MAX,
        min_y: i32::MAX,
        max_x: i32::MIN,
        max_y: i32::MIN,
        sizes: [0; 32],
        unused: [0; 61],
    };

    /// Its bytes.
    pub(super) const BYTES: u64 = size_of::<Self>() as u64;
    /// Where the arguments of an indirect dispatch begin.
    pub(super) const DISPATCH: u64 = offset_of!(Self, dispatch) as u64;
    /// Where the arguments of an indirect draw begin.
    pub(super) const DRAW: u64 = offset_of!(Self, draw) as u64;

    /// The bytes of a bit for each of so many bodies, in whole words.
    pub(super) fn flag_bytes(bodies: u64) -> u64 {
        bodies.div_ceil(32) * 4
    }

    /// The units of two words that all bodies land in, those included that there is no room for.
    pub(super) fn all_landed(&self) -> u64 {
        u64::from(self.landed_high) << 32 | u64::from(self.landed)
    }

    /// The candidates, those included that there is no room for.
    pub(super) fn all_candidates(&self) -> u64 {
        u64::from(self.candidates_high) << 32 | u64::from(self.candidates)
    }
}

/// The bytes of the header.
#[cfg(feature = "internals")]
pub(crate) const BYTES: u64 = Header::BYTES;

/// The lengths of the lists of a step, by name, from the header's bytes.
#[cfg(feature = "internals")]
pub(crate) fn lists(bytes: &[u8]) -> Vec<(&'static str, u64)> {
    let header: Header = bytemuck::pod_read_unaligned(&bytes[..size_of::<Header>()]);
    let mut lists = vec![
        ("candidates", header.all_candidates()),
        ("paintings", header.paintings.into()),
        ("pairs", header.pairs.into()),
        ("long_rows", header.long_rows.into()),
    ];
    lists.extend(LISTS.into_iter().zip(header.lists.map(u64::from)));
    lists
}
