//! Times that a model derives from both records. They are not measured: they show the relative size of the parts of a
//! step, and are accurate to within 50 % at best.
//!
//! ```text
//! GPU  = launches x a launch + sum over passes of the longer of  waves x busy cycles / (SIMDs x clock)
//!                                                           and  bytes / bandwidth
//! link = bytes up and down / speed of the link
//! ```
//!
//! The cycles are Mesa's estimate for RDNA2, in which a loop runs 8 times, and an inner one 4 times. Other makers' GPUs
//! count as that many of AMD's SIMDs as have the same number of lanes. The bytes of an item are those that its pass
//! reads and writes according to the shader's source; random accesses count as whole sectors of 32 bytes. Caches, waits
//! within a dispatch, and the CPU are left out. For passes that judge pairs or compute details, except those on words
//! of masks, the estimate is far too high, as it counts every way of deciding a pair, each with its loops.

use std::collections::BTreeSet;
use std::fmt::Write;

use anyhow::Context;

use crate::pipelines::Pipelines;
use crate::steps::{Step, Steps};

/// A GPU.
struct Machine {
    name: &'static str,
    /// The time to launch a dispatch that waits for the previous one, in seconds.
    launch: f64,
    /// The number of SIMDs, of 32 lanes each.
    simds: f64,
    /// The clock in Hz.
    clock: f64,
    /// The bandwidth of its memory in bytes per second.
    bandwidth: f64,
    /// The bandwidth of its link to the host in bytes per second.
    link: f64,
}

const MACHINES: [Machine; 2] = [
    Machine { name: "H100", launch: 2.5e-6, simds: 264.0, clock: 1.755e9, bandwidth: 2.85e12, link: 35e9 },
    Machine { name: "laptop", launch: 6e-6, simds: 24.0, clock: 2e9, bandwidth: 80e9, link: 40e9 },
];

/// The passes with work for each element of a list: the pass, the list, invocations per element, bytes per element, and
/// how often the pass has work in a step. All other passes take little more than their launch.
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

/// Returns the table of times that the model derives from both records.
pub(crate) fn table(pipelines: &Pipelines, steps: &Steps) -> anyhow::Result<String> {
    let mut table = "Derived, in ms; nothing was timed.\n\n| step |".to_owned();
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
    /// Returns the seconds of all passes, and the longest pass.
    fn passes(&self, pipelines: &Pipelines, step: &Step) -> anyhow::Result<(f64, &'static str)> {
        let (mut all, mut most) = (0.0, (0.0, ""));
        for (pass, list, invocations, bytes, times) in PASSES {
            let Some(&dispatches) = step.passes.get(pass) else { continue };
            let length = if list == "bodies" { Some(&step.bodies) } else { step.lists.get(list) };
            let length = *length.with_context(|| format!("the list `{list}` of the pass `{pass}` is missing"))? as f64;
            let compiled = pipelines.on_hardware(pass).with_context(|| format!("the pass `{pass}` is not compiled"))?;
            let waves = (length * invocations / 32.0).ceil();
            let busy = waves * compiled.busy_cycles as f64 / (self.simds * self.clock);
            // Several dispatches of a pass share the work, except in the sort.
            let seconds = busy.max(length * bytes / self.bandwidth) * times.min(dispatches as f64);
            all += seconds;
            if seconds > most.0 {
                most = (seconds, pass);
            }
        }
        Ok((all, most.1))
    }
}
