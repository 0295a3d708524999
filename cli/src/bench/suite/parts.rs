//! The parts of the suite `hitmask-1`.

/// A part: a world that moves from frame to frame, and the answer to request.
pub(super) struct Part {
    /// Its name: "boxes-10k".
    pub(super) name: &'static str,
    /// The arguments of `hitmask bench` that measure it, without the engine.
    pub(super) arguments: &'static [&'static str],
    /// The median frame of the CPU engine on the stated machine, in nanoseconds; there each part has ratio 1.
    pub(super) base_ns: u64,
}

/// How each part is measured.
pub(super) const MEASURED: [&str; 4] = ["--runs", "15", "--budget", "3"];

/// All parts, in order. The base times were measured on two cores of an AMD EPYC (Zen 5, AVX-512) on 2026-11-25. They
/// are the medians of `bench/results/cpu.json`, `cpu-steady.json` and `cpu-moving.json` at commit 88542d8.
pub(super) const PARTS: [Part; 13] = [
    part("boxes-10k", &["boxes", "--sizes", "10k"], 177_296),
    part("boxes-1M", &["boxes", "--sizes", "1M"], 16_563_318),
    part("circles-100k", &["circles", "--sizes", "100k"], 1_955_365),
    part("sprites-100k", &["sprites", "--sizes", "100k"], 2_121_755),
    part("turned-10k", &["turned", "--sizes", "10k"], 1_187_322),
    part("turned-100k", &["turned", "--sizes", "100k"], 13_564_818),
    part("bullets-100k", &["bullets", "--sizes", "100k"], 840_662),
    part("clustered-100k", &["clustered", "--sizes", "100k"], 1_953_713),
    part("giants-100k", &["giants", "--sizes", "100k"], 2_206_361),
    part("boxes-100k-steady", &["boxes", "--sizes", "100k", "--steady", "10"], 233_611),
    part("turned-100k-steady", &["turned", "--sizes", "100k", "--steady", "10"], 696_396),
    part("bullets-100k-moving", &["bullets", "--sizes", "100k", "--moving"], 2_161_193),
    part("turned-10k-moving", &["turned", "--sizes", "10k", "--moving"], 3_201_905),
];

const fn part(name: &'static str, arguments: &'static [&'static str], base_ns: u64) -> Part {
    Part { name, arguments, base_ns }
}
