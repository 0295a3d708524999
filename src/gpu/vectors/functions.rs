//! Functions of the shaders, one at a time.

use rayon::prelude::*;

use crate::gpu::modules::Wide;
use crate::gpu::twins::{ATLAS, families};

/// The words of an answer.
const ANSWER: usize = 4;

/// A function of the shaders, some inputs, and the host's answers to them.
#[derive(Clone, Debug)]
pub struct Function {
    /// The function's name in WGSL.
    pub name: &'static str,
    /// A module whose entry point `ask`, with 64 invocations a workgroup, calls the function. Binding 3 holds
    /// [`atlas`], 4 the inputs; the answers, four words each, go to binding 20.
    pub module: String,
    /// Whether the module declares the inputs as `read_write`.
    pub writes_inputs: bool,
    /// The number of words of an input.
    pub words: usize,
    /// The inputs, one after the other.
    pub inputs: Vec<u32>,
    /// The right answers, four words each.
    pub answers: Vec<u32>,
}

/// Returns the words that functions read as masks.
#[must_use]
pub fn atlas() -> &'static [u32] {
    ATLAS.halves()
}

/// Returns all functions that the engines share, callees before their callers, each with `cases` inputs.
#[must_use]
pub fn functions(cases: usize) -> Vec<Function> {
    let families = families();
    let all = families.iter().flat_map(|family| family.twins.iter().map(move |twin| (family, twin)));
    let made = all.map(|(family, twin)| {
        let mut inputs = vec![0; twin.words * cases];
        let each = inputs.par_chunks_exact_mut(twin.words).enumerate();
        each.for_each(|(case, input)| twin.put(case, cases, input));
        let mut answers = vec![0; ANSWER * cases];
        let each = inputs.par_chunks_exact(twin.words).zip(answers.par_chunks_exact_mut(ANSWER));
        each.for_each(|(input, answer)| {
            let bits = twin.host(input);
            answer.iter_mut().enumerate().for_each(|(k, word)| *word = (bits >> (32 * k)) as u32);
        });
        Function {
            name: twin.name,
            module: family.source(twin, cases, Wide::Words),
            writes_inputs: family.writes_landed,
            words: twin.words,
            inputs,
            answers,
        }
    });
    made.collect()
}
