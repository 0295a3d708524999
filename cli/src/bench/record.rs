//! The record of a benchmark as JSON: `--format json` writes it, and `--compare` reads it.
//!
//! A record has all that is needed to judge a time: the machine, the engine as it was opened, the input with its seed,
//! the answer, and every sample. Times are whole nanoseconds, rates are per second, checksums are strings of
//! hexadecimal digits, and a key without a value is left out or `null`.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::check::{Answer, Part};
use super::conditions::Conditions;
use super::instructions::Instructions;
use super::machine;
use super::spread::Spread;

/// The version of this schema. It rises when a key is removed or changes its meaning, not when one is added.
pub(super) const SCHEMA: u32 = 2;

/// The maximum size of a record to read, in bytes: thousands of cases.
const MOST: u64 = 1 << 26;

/// The record of a benchmark.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Record {
    /// [`SCHEMA`].
    pub(super) schema: u32,
    /// The version of hitmask.
    pub(super) hitmask: String,
    /// Whether the program was built without optimisation, so that its times mean little.
    pub(super) debug: bool,
    /// The commit given by `--commit`, or of the checkout in which it ran, followed by `-dirty` if files have changed
    /// since.
    pub(super) commit: Option<String>,
    /// The time at which it began, as RFC 3339, in UTC.
    pub(super) date: String,
    /// The machine on which it ran.
    pub(super) machine: Machine,
    /// The conditions under which it ran.
    #[serde(default)]
    pub(super) conditions: Conditions,
    /// The engines, each as it was opened.
    pub(super) engines: Vec<EngineRecord>,
    /// The roofs of the GPU, if `--roofs` is set.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) roofs: Vec<Roof>,
    /// The suite, if this is the record of one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) suite: Option<SuiteRecord>,
    /// The measured cases, in order.
    pub(super) cases: Vec<Case>,
}

/// A run of a suite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct SuiteRecord {
    /// Its name, which fixes its parts: "hitmask-1".
    pub(super) name: String,
    /// All parts on each engine, in order.
    pub(super) parts: Vec<PartRecord>,
    /// The score of each engine.
    pub(super) scores: Vec<Score>,
}

/// A part of a suite on an engine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct PartRecord {
    /// The name of the part: "boxes-10k".
    pub(super) part: String,
    /// The engine, by [`EngineRecord::backend`].
    pub(super) backend: String,
    /// The frames per second, as a multiple of those of the stated machine's CPU engine; absent if it was not measured.
    pub(super) ratio: Option<f64>,
    /// Why it was not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) problem: Option<String>,
}

/// The score of an engine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Score {
    /// The engine, by [`EngineRecord::backend`].
    pub(super) backend: String,
    /// 100 times the geometric mean of the ratios of all parts; absent if some part was not measured.
    pub(super) points: Option<f64>,
    /// The number of parts that were measured.
    pub(super) ran: usize,
    /// The number of parts.
    pub(super) of: usize,
}

/// A limit of a GPU.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Roof {
    /// Its name: "memory", "dependent dispatch".
    pub(super) name: String,
    /// How much, or how long.
    pub(super) value: f64,
    /// The unit of the value: "GB/s".
    pub(super) unit: String,
}

impl Roof {
    #[cfg(feature = "gpu")]
    pub(super) fn new(name: &str, value: f64, unit: &str) -> Self {
        Self { name: name.into(), value, unit: unit.into() }
    }
}

/// The machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Machine {
    /// The processor's name, if the system reports it.
    pub(super) cpu: Option<String>,
    /// The number of threads that it can run at once.
    pub(super) cores: Option<usize>,
    /// The system: "linux".
    pub(super) os: String,
    /// The instruction set: "`x86_64`".
    pub(super) arch: String,
}

/// An engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct EngineRecord {
    /// "cpu", "gpu", "reference" or "auto".
    pub(super) backend: String,
    /// The number of its threads; absent for a GPU.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) threads: Option<usize>,
    /// The vector instructions of the CPU engine: "plain", "avx2", "avx512", "neon".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) simd: Option<String>,
    /// The code path of the GPU engine, if `--gpu-path` names another than the best.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) path: Option<String>,
    /// The GPU.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) adapter: Option<Adapter>,
}

/// A GPU or a software driver.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Adapter {
    /// Its name, as the driver gives it.
    pub(super) name: String,
    /// "discrete", "integrated", "virtual", "software" or "other".
    pub(super) kind: String,
    /// The interface: "vulkan", "metal", "dx12", "gl".
    pub(super) interface: String,
    /// The driver and its version.
    pub(super) driver: String,
    /// Whether it computes in software; if so, its times say nothing about a GPU.
    pub(super) software: bool,
    /// The limits with which it was opened.
    pub(super) limits: Limits,
}

/// The limits of a GPU that constrain a step, by wgpu's names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(clippy::struct_field_names, reason = "they are wgpu's")]
pub(super) struct Limits {
    /// Bytes.
    pub(super) max_buffer_size: u64,
    /// Bytes.
    pub(super) max_storage_buffer_binding_size: u64,
    pub(super) max_storage_buffers_per_shader_stage: u32,
    /// Bytes.
    pub(super) max_compute_workgroup_storage_size: u32,
    pub(super) max_compute_invocations_per_workgroup: u32,
    pub(super) max_compute_workgroups_per_dimension: u32,
}

/// The times of frames for a world and an engine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Case {
    /// The part of a suite that this is: "boxes-10k".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) part: Option<String>,
    /// The workload's name, or the scene's file.
    pub(super) workload: String,
    /// The workload's number.
    pub(super) number: Option<u64>,
    /// The seed of its random numbers.
    pub(super) seed: Option<u64>,
    /// The requested size.
    pub(super) n: u32,
    /// The actual number of bodies.
    pub(super) bodies: usize,
    /// The thousandths of the bodies that move from frame to frame.
    pub(super) moved_permille: u32,
    /// Whether they move within the step as well.
    #[serde(default)]
    pub(super) moving: bool,
    /// The engine, by [`EngineRecord::backend`].
    pub(super) backend: String,
    /// The broad phase: "auto", "all-pairs", "sorted".
    pub(super) broad: String,
    /// "flags", "pairs", "details".
    pub(super) ask: String,
    /// The answer to each different step that ran: the initial world (step 0), then moved (1 and 2, in turn). All
    /// engines agreed on them.
    pub(super) answers: Vec<StepAnswer>,
    /// The number of frames before the timed ones.
    pub(super) warm_up: u32,
    /// The requested number of timed frames; fewer run if the budget is spent.
    pub(super) runs_asked: u32,
    /// The time of each timed frame by the host's clock, from positions in the caller's memory to the answer there.
    pub(super) samples_ns: Vec<u64>,
    /// The summary of the samples.
    pub(super) time: Spread,
    /// The 95 % confidence interval `[low, high]` of the median frame; `null` for fewer than 6 samples.
    #[serde(default)]
    pub(super) interval_ns: Option<[u64; 2]>,
    /// The energy of a frame, in joules: what all processors took in a timed frame, whatever ran on them; for a GPU,
    /// what the card took in further frames one after the other. Absent for frames on the CPU of less than 100 ms in
    /// all, and if it cannot be read here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) joules: Option<f64>,
    /// The instructions of a frame of the CPU engine, if `--instructions` is set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) instructions: Option<Instructions>,
    /// The summary of the steps within the frames, without placing the bodies in the world.
    pub(super) step: Spread,
    /// The stages: by the host's clock in the timed frames, by the GPU's in up to five further ones, because timestamps
    /// make frames slower. A stage that a step did not need counts as 0 in that step.
    pub(super) stages: Vec<Stage>,
    /// The longest dispatch on a GPU in those further frames, if `--dispatches` is set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) longest: Option<Dispatch>,
    /// The pairs that the broad phase left to the narrow phase in the last step.
    pub(super) candidates: u64,
    /// The memory that the engine held, in bytes, beyond the world's own and the answer's.
    pub(super) bytes: u64,
    /// `bytes` per body.
    pub(super) bytes_per_body: f64,
    /// Frames per second, by the median.
    pub(super) frames_per_second: f64,
    /// Pairs that the last step found, per second by the median; `null` for flags.
    pub(super) pairs_per_second: Option<f64>,
    /// Pairs of bodies that are decided, however few are tested: n (n - 1) / 2, per second by the median.
    pub(super) tests_per_second: f64,
}

/// The answer to a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct StepAnswer {
    /// The number of the step.
    pub(super) step: u32,
    /// The answer.
    #[serde(flatten)]
    pub(super) answer: Answer,
}

/// A dispatch of a GPU.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Dispatch {
    /// Its shader's entry point.
    pub(super) entry: String,
    /// Its time.
    pub(super) ns: u64,
}

/// A stage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Stage {
    /// Its name.
    pub(super) name: String,
    /// The clock that measured it: "host" or "gpu". Stages of the GPU run while the host waits in its own stages.
    pub(super) clock: String,
    /// Its times.
    #[serde(flatten)]
    pub(super) time: Spread,
}

impl Record {
    /// Begins a record of this program, machine and moment, without cases. `commit` is that of `--commit`.
    pub(super) fn begin(commit: Option<String>) -> Self {
        Self {
            schema: SCHEMA,
            hitmask: env!("CARGO_PKG_VERSION").into(),
            debug: cfg!(debug_assertions),
            commit: commit.or_else(machine::commit),
            date: machine::date(),
            machine: machine::machine(),
            conditions: Conditions::before(),
            engines: Vec::new(),
            roofs: Vec::new(),
            suite: None,
            cases: Vec::new(),
        }
    }

    /// Returns the case that was measured like one of another record.
    pub(super) fn same(&self, case: &Case) -> Option<&Case> {
        self.cases.iter().find(|other| other.key() == case.key())
    }

    /// Reads a record.
    pub(super) fn open(path: &Path) -> anyhow::Result<Self> {
        /// The part to read first, since the rest depends on it.
        #[derive(Deserialize)]
        struct Head {
            schema: u32,
        }
        let error = |problem: String| anyhow::anyhow!("{}: {problem}", path.display());
        let metadata = std::fs::metadata(path).map_err(|e| error(e.to_string()))?;
        if !metadata.is_file() {
            return Err(error("a record must be a regular file".into()));
        }
        if metadata.len() > MOST {
            return Err(error(format!("{} bytes; a record may have at most {MOST}", metadata.len())));
        }
        let mut text = String::new();
        let file = File::open(path).map_err(|e| error(e.to_string()))?;
        file.take(MOST).read_to_string(&mut text).map_err(|e| error(e.to_string()))?;
        let no_record = |e: serde_json::Error| error(format!("not a record of `hitmask bench --format json`: {e}"));
        let Head { schema } = serde_json::from_str(&text).map_err(no_record)?;
        if schema != SCHEMA {
            return Err(error(format!("the record has schema {schema}, but this program reads schema {SCHEMA}")));
        }
        serde_json::from_str(&text).map_err(no_record)
    }

    /// Returns the text that [`Record::open`] reads.
    pub(super) fn json(&self) -> serde_json::Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}

impl Case {
    /// Returns the result of step 0, the initial world: pairs, or bodies that hit if only flags were requested.
    pub(super) fn found(&self) -> Option<&Part> {
        let answer = &self.answers.first()?.answer;
        Some(answer.pairs.as_ref().unwrap_or(&answer.flags))
    }

    /// Returns the key by which cases of two records are compared.
    fn key(&self) -> (&str, u32, &str, &str, &str, u32, bool) {
        (&self.workload, self.n, &self.backend, &self.broad, &self.ask, self.moved_permille, self.moving)
    }
}

impl EngineRecord {
    /// Describes the engine: "cpu: 2 threads, avx512" or "gpu: NAME (vulkan, discrete; driver NAME)".
    pub(super) fn line(&self) -> String {
        let Self { backend, threads, simd, path, adapter } = self;
        let threads = threads.map(|threads| crate::text::count(threads as u64, "thread", "threads"));
        let adapter = adapter.as_ref().map(|Adapter { name, kind, interface, driver, .. }| {
            let driver = if driver.is_empty() { String::new() } else { format!("; driver {driver}") };
            format!("{name} ({interface}, {kind}{driver})")
        });
        let parts: Vec<String> = [threads, simd.clone(), adapter, path.clone()].into_iter().flatten().collect();
        format!("{backend}: {}", parts.join(", "))
    }
}

impl Record {
    /// Describes the version: "hitmask 0.1.0 at 0123456789ab, 2026-01-01T00:00:00Z".
    pub(super) fn version_line(&self) -> String {
        let commit = self.commit.as_ref().map_or(String::new(), |commit| format!(" at {}", short_commit(commit)));
        let debug = if self.debug { ", built without optimisation" } else { "" };
        format!("hitmask {}{commit}{debug}, {}", self.hitmask, self.date)
    }

    /// Describes the machine: "NAME, 2 cores, linux on `x86_64`".
    pub(super) fn machine_line(&self) -> String {
        let Machine { cpu, cores, os, arch } = &self.machine;
        let cores = cores.map(|cores| crate::text::count(cores as u64, "core", "cores"));
        let parts = [cpu.clone(), cores, Some(format!("{os} on {arch}"))];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    /// Returns whether some engine ran a GPU's work in software.
    pub(super) fn software(&self) -> bool {
        self.engines.iter().any(|engine| engine.adapter.as_ref().is_some_and(|adapter| adapter.software))
    }
}

/// Shortens a commit to twelve digits, and keeps `-dirty`.
fn short_commit(commit: &str) -> String {
    let (hash, dirty) = commit.strip_suffix("-dirty").map_or((commit, ""), |hash| (hash, "-dirty"));
    format!("{}{dirty}", hash.chars().take(12).collect::<String>())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Returns a case with two samples.
    pub(in super::super) fn case(workload: &str, n: u32, backend: &str, broad: &str, median_ns: u64) -> Case {
        let samples_ns = vec![median_ns, median_ns];
        let pairs = Part { count: 2039, checksum: "00000000000000ff".into() };
        let answer = Answer { flags: pairs.clone(), pairs: Some(pairs), details: None };
        let time = Spread::of(&samples_ns);
        Case {
            part: None,
            workload: workload.into(),
            number: Some(1),
            seed: Some(1_000_001_007),
            n,
            bodies: n as usize,
            moved_permille: 1000,
            moving: false,
            backend: backend.into(),
            broad: broad.into(),
            ask: "pairs".into(),
            answers: vec![StepAnswer { step: 0, answer }],
            warm_up: 2,
            runs_asked: 7,
            samples_ns,
            time,
            interval_ns: None,
            joules: None,
            instructions: None,
            step: time,
            stages: vec![Stage { name: "sort".into(), clock: "host".into(), time }],
            longest: Some(Dispatch { entry: "sweep".into(), ns: 7 }),
            candidates: 3000,
            bytes: 42,
            bytes_per_body: 0.042,
            frames_per_second: 1e3,
            pairs_per_second: Some(2e6),
            tests_per_second: 5e8,
        }
    }

    /// Returns a record of these cases, on a CPU and a software GPU.
    pub(in super::super) fn record(cases: Vec<Case>) -> Record {
        let limits = Limits {
            max_buffer_size: 1 << 28,
            max_storage_buffer_binding_size: 1 << 27,
            max_storage_buffers_per_shader_stage: 8,
            max_compute_workgroup_storage_size: 16384,
            max_compute_invocations_per_workgroup: 256,
            max_compute_workgroups_per_dimension: 65535,
        };
        let adapter = Adapter {
            name: "llvmpipe".into(),
            kind: "software".into(),
            interface: "vulkan".into(),
            driver: "llvmpipe 1.2".into(),
            software: true,
            limits,
        };
        let cpu = EngineRecord {
            backend: "cpu".into(),
            threads: Some(2),
            simd: Some("avx2".into()),
            path: None,
            adapter: None,
        };
        let gpu = EngineRecord { backend: "gpu".into(), threads: None, simd: None, path: None, adapter: Some(adapter) };
        Record {
            schema: SCHEMA,
            hitmask: "0.1.0".into(),
            debug: false,
            commit: Some("0123456789abcdef0123456789abcdef01234567-dirty".into()),
            date: "2026-01-01T00:00:00Z".into(),
            machine: Machine {
                cpu: Some("A & B <C>".into()),
                cores: Some(2),
                os: "linux".into(),
                arch: "x86_64".into(),
            },
            conditions: Conditions::default(),
            engines: vec![cpu, gpu],
            roofs: vec![Roof { name: "memory".into(), value: 8.5, unit: "GB/s".into() }],
            suite: None,
            cases,
        }
    }

    /// Returns the record of a suite, of which one part ran on the CPU, and another was too large.
    pub(in super::super) fn suite() -> Record {
        let part = |part: &str, ratio, problem: Option<&str>| PartRecord {
            part: part.into(),
            backend: "cpu".into(),
            ratio,
            problem: problem.map(str::to_owned),
        };
        let score = |backend: &str, score, ran| Score { backend: backend.into(), points: score, ran, of: 2 };
        let suite = SuiteRecord {
            name: "hitmask-1".into(),
            parts: vec![part("boxes-10k", Some(0.354_6), None), part("boxes-1M", None, Some("needs 300 MB"))],
            scores: vec![score("cpu", Some(35.46), 1), score("gpu", None, 1)],
        };
        let mut case = case("boxes", 10_000, "cpu", "auto", 500_000);
        (case.part, case.pairs_per_second) = (Some("boxes-10k".into()), Some(4.08e9));
        Record { suite: Some(suite), ..record(vec![case]) }
    }

    #[test]
    fn a_record_comes_back_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("record.json");
        let mut flags = case("boxes", 1000, "gpu", "sorted", 7);
        flags.pairs_per_second = None;
        flags.answers[0].answer.pairs = None;
        let record = record(vec![case("boxes", 1000, "cpu", "auto", 1_234_567), flags]);
        std::fs::write(&path, record.json().unwrap()).unwrap();
        assert_eq!(Record::open(&path).unwrap(), record);
        std::fs::write(&path, suite().json().unwrap()).unwrap();
        assert_eq!(Record::open(&path).unwrap(), suite());
    }

    #[test]
    fn lines_say_what_ran_where() {
        let record = record(vec![]);
        assert_eq!(record.version_line(), "hitmask 0.1.0 at 0123456789ab-dirty, 2026-01-01T00:00:00Z");
        assert_eq!(record.machine_line(), "A & B <C>, 2 cores, linux on x86_64");
        let lines: Vec<String> = record.engines.iter().map(EngineRecord::line).collect();
        assert_eq!(lines, ["cpu: 2 threads, avx2", "gpu: llvmpipe (vulkan, software; driver llvmpipe 1.2)"]);
    }
}
