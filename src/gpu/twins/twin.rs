//! A function of the shaders with its twin on the host.

use super::answer::Answer;
use super::input::{EDGES, Input, Random};
use crate::gpu::modules::{Wide, source_of};

/// WGSL that reads inputs and turns answers into words.
const READ: &str = include_str!("../../../shaders/twins/read.wgsl");

/// The file of a module that only reads its inputs.
pub(in crate::gpu) const LANDED: &str = "
@group(0) @binding(4) var<storage, read> landed: array<u32>;
";

/// Makes an input at random.
type Fill = fn(&mut Random, &mut [u32]);

/// A function under test.
pub(in crate::gpu) struct Twin {
    pub(in crate::gpu) name: &'static str,
    /// The number of words of an input.
    pub(in crate::gpu) words: usize,
    /// Brings arbitrary words into the function's range.
    fit: fn(&mut [u32]),
    /// Makes an input at random; if `None`, inputs are edges and words of any magnitude.
    fill: Option<Fill>,
    wgsl: String,
    host: Box<dyn Fn(Input<'_>) -> u128 + Sync>,
}

impl Twin {
    /// Creates the twin of the function `name`, on inputs of `words` words, in WGSL and on the host.
    pub(in crate::gpu) fn new<A: Answer>(
        name: &'static str,
        words: usize,
        wgsl: &str,
        host: impl Fn(Input<'_>) -> A + Sync + 'static,
    ) -> Self {
        let wgsl = format!("{}({wgsl})", A::WGSL);
        Self { name, words, fit: |_| {}, fill: None, wgsl, host: Box::new(move |input| host(input).bits()) }
    }

    pub(in crate::gpu) fn fit(self, fit: fn(&mut [u32])) -> Self {
        Self { fit, ..self }
    }

    pub(in crate::gpu) fn fill(self, fill: Fill) -> Self {
        Self { fill: Some(fill), ..self }
    }

    /// Writes the input of one of `cases` cases: first all combinations of as many edges as fit, then random words.
    pub(in crate::gpu) fn put(&self, case: usize, cases: usize, input: &mut [u32]) {
        let mut random = Random::new(case);
        let input = &mut input[..self.words];
        if let Some(fill) = self.fill {
            return fill(&mut random, input);
        }
        let combinations = |edges: usize| edges.pow(self.words as u32);
        let fit = |&edges: &usize| self.words < 9 && 3 * combinations(edges) <= 2 * cases;
        let edges = (1..=EDGES.len()).take_while(fit).last().unwrap_or(1);
        let mut rest = case;
        for k in 0..self.words {
            input[k] = if case < combinations(edges) { EDGES[rest % edges] as u32 } else { random.word() };
            // A quarter of the words only extend the sign of the word before, like the upper half of a small wide
            // number.
            if case >= combinations(edges) && k > 0 && random.below(4) == 0 {
                input[k] = (input[k - 1] as i32 >> 31) as u32;
            }
            rest /= edges;
        }
        (self.fit)(input);
    }

    /// Returns the host's answer.
    pub(in crate::gpu) fn host(&self, input: &[u32]) -> u128 {
        (self.host)(Input(&input[..self.words]))
    }
}

/// Returns a module whose entry point `ask` runs each of `twins` on `cases` inputs, one function after the other.
/// Inputs lie `stride` words apart. `files` and the shared files that these need are added to those that all functions
/// have.
pub(in crate::gpu) fn source(twins: &[Twin], cases: usize, stride: usize, files: &[&str], wide: Wide) -> String {
    let asked = twins.iter().enumerate().map(|(k, twin)| format!("        case {k}u: {{ answer = {}; }}\n", twin.wgsl));
    let asked: String = asked.collect();
    // Read the words once, not in each function: some drivers compile slowly for each place at which a buffer is read.
    let words = (0..stride).map(|k| format!("    words[{k}] = landed[start + {k}u];\n"));
    let words: String = words.collect();
    let files = source_of(&[&[READ], files].concat(), wide);
    format!(
        "{files}
var<private> words: array<u32, {stride}>;

// Each function is called in one place: drivers copy it to each.
@compute @workgroup_size(64)
fn ask(@builtin(global_invocation_id) id: vec3<u32>) {{
    start = {stride}u * id.x;
{words}    var answer = vec4<u32>(0u);
    switch id.x / {cases}u {{
{asked}        default: {{}}
    }}
    answers[id.x] = answer;
}}
"
    )
}
