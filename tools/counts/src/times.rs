//! Times that a model derives from both records. No clock was read: they tell how large the parts of a step are beside
//! each other, and are good to half as much again at best.
//!
//! ```text
//! GPU  = launches x a launch + sum over passes of the longer of  waves x busy cycles / (SIMDs x clock)
//!                                                           and  bytes / bandwidth
//! link = bytes up and down / speed of the link
//! ```
//!
//! The cycles are Mesa's estimate for RDNA2, of loops that run 8 times, and 4 times within another; other makers' GPUs
//! are taken for as many of AMD's SIMDs as have their lanes. The bytes of an item are what its pass reads and writes by
//! the shader's text, those at random as whole sectors of 32. Caches, waits within a dispatch, and the CPU are left
//! out. For what judges pairs, or gathers what they carry, beyond words of masks, the estimate is far too high, since
//! it counts every way of deciding a pair, each with its loops.

use std::collections::BTreeSet;
use std::fmt::Write;

use anyhow::Context;

use crate::pipelines::Pipelines;
use crate::steps::{Step, Steps};

/// A GPU.
struct Machine {
    name: &'static str,
    /// Seconds of a dispatch that waits for the one before.
    launch: f64,
    /// Of 32 lanes each.
    simds: f64,
    clock: f64,
    /// Bytes a second, of its memory and of its link to the host.
    bandwidth: f64,
    link: f64,
}

const MACHINES: [Machine; 2] = [
    Machine { name: "H100", launch: 2.5e-6, simds: 264.0, clock: 1.755e9, bandwidth: 2.85e12, link: 35e9 },
    Machine { name: "laptop", launch: 6e-6, simds: 24.0, clock: 2e9, bandwidth: 80e9, link: 40e9 },
];

/// The passes with work for each of a list: the list, the invocations for one of it, its bytes, and how often the pass
/// does work in a step. All others take little more than their launch.
const PASSES: [(&str, &str, f64, f64, f64); 23] = [
    ("land", "bodies", 1.0, 152.0, 1.0),
    ("land_tiles", "bodies", 1.0, 184.0, 1.0),
    ("measure", "bodies", 0.25, 16.0, 1.0),
    ("make_keys", "bodies", 0.125, 56.0, 1.0),
    ("count_digits", "bodies", 0.125, 8.0, 3.0),
    ("scatter_digits", "bodies", 0.125, 40.0, 3.0),
    ("bound_tiles", "bodies", 1.0, 104.0, 1.0),
    ("sweep", "bodies", 1.0, 160.0, 1.0),
    ("pick_sprites", "bodies", 1.0, 84.0, 1.0),
    ("paint", "paintings", 64.0, 768.0, 1.0),
    ("sieve", "candidates", 1.0, 220.0, 1.0),
    ("judge_masks", "small_masks", 1.0, 464.0, 1.0),
    ("judge_masks", "large_masks", 64.0, 4096.0, 1.0),
    ("judge_sampled", "sampled", 64.0, 1488.0, 1.0),
    ("judge_convex", "convex", 1.0, 328.0, 1.0),
    ("judge_sprites", "sprites", 1.0, 328.0, 1.0),
    ("judge_mixed", "mixed", 1.0, 328.0, 1.0),
    ("count_hits", "candidates", 1.0, 44.0, 1.0),
    ("scatter_hits", "candidates", 1.0, 76.0, 1.0),
    ("sort_rows", "bodies", 1.0, 20.0, 1.0),
    ("detail_convex", "pairs", 1.0, 424.0, 1.0),
    ("detail_sprites", "pairs", 1.0, 424.0, 1.0),
    ("detail_mixed", "pairs", 1.0, 424.0, 1.0),
];

/// A table of what the model makes of both records.
pub(crate) fn table(pipelines: &Pipelines, steps: &Steps) -> anyhow::Result<String> {
    let mut table = "Derived, in ms; no clock was read.\n\n| step |".to_owned();
    for machine in &MACHINES {
        let name = machine.name;
        let _ = write!(table, " {name}: launches | passes | link | longest pass |");
    }
    let _ = writeln!(table, "\n|---|{}", "---:|---:|---:|---|".repeat(MACHINES.len()));
    for (name, step) in &steps.cases {
        let _ = write!(table, "| {name} |");
        for machine in &MACHINES {
            let (passes, longest) = machine.passes(pipelines, step).with_context(|| format!("the step `{name}`"))?;
            let launches = (step.chain - step.parted() + step.clears) as f64 * machine.launch;
            let link = (step.bytes_up + step.bytes_down) as f64 / machine.link;
            let [launches, passes, link] = [launches, passes, link].map(|seconds| 1e3 * seconds);
            let _ = write!(table, " {launches:.2} | {passes:.2} | {link:.2} | {longest} |");
        }
        table.push('\n');
    }
    let dispatched: BTreeSet<&str> =
        steps.cases.values().flat_map(|step| step.passes.keys().map(String::as_str)).collect();
    let others: Vec<&str> = dispatched.into_iter().filter(|name| PASSES.iter().all(|pass| pass.0 != *name)).collect();
    let _ = writeln!(table, "\nTaken for launches alone: {}.", others.join(", "));
    Ok(table)
}

impl Machine {
    /// The seconds of all passes, and which takes most of them.
    fn passes(&self, pipelines: &Pipelines, step: &Step) -> anyhow::Result<(f64, &'static str)> {
        let (mut all, mut most) = (0.0, (0.0, ""));
        for (pass, list, invocations, bytes, times) in PASSES {
            let Some(&dispatches) = step.passes.get(pass) else { continue };
            let length = if list == "bodies" { Some(&step.bodies) } else { step.lists.get(list) };
            let length = *length.with_context(|| format!("the list `{list}` of the pass `{pass}` is gone"))? as f64;
            let compiled = pipelines.on_hardware(pass).with_context(|| format!("the pass `{pass}` is not compiled"))?;
            let waves = (length * invocations / 32.0).ceil();
            let busy = waves * compiled.busy_cycles as f64 / (self.simds * self.clock);
            // More dispatches share the work, but for those of the sort.
            let seconds = busy.max(length * bytes / self.bandwidth) * times.min(dispatches as f64);
            all += seconds;
            if seconds > most.0 {
                most = (seconds, pass);
            }
        }
        Ok((all, most.1))
    }
}
