//! The counts of a step.

use std::mem::offset_of;

use bytemuck::{Pod, Zeroable};

/// The lists of candidates that bounds do not decide, one for each way to judge them: `shaders/shared/lists.wgsl`.
pub(super) const LISTS: [&str; 6] = ["small_masks", "convex", "large_masks", "sprites", "mixed", "sampled"];

/// The counts of a step on the GPU, for later dispatches and for the host. After it follow two bits for each body:
/// first the flags of all bodies, whether they hit; then, in separate words, whether they are marked
/// (`shaders/shared/flags.wgsl`).
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(super) struct Header {
    /// The number of pairs that hit. Host programs also read this and the next three: see [`Results`](super::Results).
    pub(super) pairs: u32,
    /// 1 if everything that was requested is on the GPU, else 0.
    pub(super) complete: u32,
    /// The number of bodies whose poses on the GPU were beyond the limits.
    pub(super) skipped: u32,
    /// Bits of [`Whole`](super::whole::Whole): the parts of the answer that are complete, and why others are not.
    pub(super) whole: u32,
    /// Arguments of an indirect dispatch over all pairs: workgroups in x, y and z. None while pairs are incomplete.
    pub(super) dispatch: [u32; 3],
    /// Arguments of an indirect draw of an instance for each pair: vertices, instances, the first of each. No instances
    /// while pairs are incomplete.
    pub(super) draw: [u32; 4],
    /// 1 if the driver has cut loops short, else 0.
    pub(super) cut: u32,
    /// The number of tiles of rows that the sorted broad phase has finished.
    pub(super) swept: u32,
    /// The number of candidates, including those that did not fit: low word.
    pub(super) candidates: u32,
    /// High word of `candidates`.
    pub(super) candidates_high: u32,
    /// The lengths of [`LISTS`], the lists of candidates that bounds do not decide.
    pub(super) lists: [u32; LISTS.len()],
    /// The number of candidates without a verdict yet.
    pub(super) unjudged: u32,
    /// The number of pairs that still lack details.
    pub(super) undetailed: u32,
    /// The last round in which candidates were judged; 1 if the first dispatch was enough, but some invocation used
    /// more than half of its fuel.
    pub(super) judge_rounds: u32,
    /// The last round in which details were gathered, likewise.
    pub(super) detail_rounds: u32,
    /// The number of pairs whose ways out are found or left to the host.
    pub(super) contacted: u32,
    /// The last round in which ways out were found, likewise.
    pub(super) contact_rounds: u32,
    /// The number of rows of pairs that are too long for a workgroup to sort.
    pub(super) long_rows: u32,
    /// 1 if there are too many candidates for the single workgroup that orders the pairs of few bodies, else 0.
    pub(super) too_many: u32,
    /// The number of sprites to paint.
    pub(super) paintings: u32,
    /// The number of sort passes that the bodies' keys need.
    pub(super) key_passes: u32,
    /// If the step has its own forms, the units of two words in which all bodies land, including those that did not
    /// fit: low word.
    pub(super) landed: u32,
    /// High word of `landed`.
    pub(super) landed_high: u32,
    /// The smallest x of all centres.
    pub(super) min_x: i32,
    /// The smallest y.
    pub(super) min_y: i32,
    /// The largest x.
    pub(super) max_x: i32,
    /// The largest y.
    pub(super) max_y: i32,
    /// The number of bodies by the bit length of their size.
    pub(super) sizes: [u32; 32],
    /// Padding, so that the flags, which host programs bind, begin at a multiple of 256 bytes.
    pub(super) unused: [u32; 59],
}

const _: () = assert!(size_of::<Header>() == 512);

impl Header {
    /// The header at the start of a run of rows, with nothing counted.
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
        contacted: 0,
        contact_rounds: 0,
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
        unused: [0; 59],
    };

    /// Its size in bytes.
    pub(super) const BYTES: u64 = size_of::<Self>() as u64;
    /// The offset of the arguments of an indirect dispatch.
    pub(super) const DISPATCH: u64 = offset_of!(Self, dispatch) as u64;
    /// The offset of the arguments of an indirect draw.
    pub(super) const DRAW: u64 = offset_of!(Self, draw) as u64;

    /// Returns the bytes of one bit for each of `bodies` bodies, in whole words.
    pub(super) fn flag_bytes(bodies: u64) -> u64 {
        bodies.div_ceil(32) * 4
    }

    /// Returns the units of two words in which all bodies land, including those that did not fit.
    pub(super) fn all_landed(&self) -> u64 {
        u64::from(self.landed_high) << 32 | u64::from(self.landed)
    }

    /// Returns the number of candidates, including those that did not fit.
    pub(super) fn all_candidates(&self) -> u64 {
        u64::from(self.candidates_high) << 32 | u64::from(self.candidates)
    }
}

/// The size of the header in bytes.
#[cfg(feature = "internals")]
pub(crate) const BYTES: u64 = Header::BYTES;

/// Returns the lengths of the lists of a step, by name, from the header's bytes.
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
