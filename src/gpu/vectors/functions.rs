//! Functions of the shaders, one by one.

use rayon::prelude::*;

use crate::gpu::modules::Wide;
use crate::gpu::twins::{ATLAS, families};

/// The words of an answer.
const ANSWER: usize = 4;

/// A function of the shaders, some inputs, and what the host answers to them.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name in WGSL.
    pub name: &'static str,
    /// A module whose entry point `ask`, of 64 invocations a workgroup, asks it. Binding 3 has [`atlas`], 4 the inputs;
    /// the answers, four words each, go to binding 20.
    pub module: String,
    /// Whether the module declares the inputs as `read_write`.
    pub writes_inputs: bool,
    /// The words of an input.
    pub words: usize,
    /// The inputs, one behind the other.
    pub inputs: Vec<u32>,
    /// The right answers, four words each.
    pub answers: Vec<u32>,
}

/// The words that functions read as masks.
#[must_use]
pub fn atlas() -> &'static [u32] {
    ATLAS.halves()
}

/// All functions that the engines share, those that others call first, each with so many cases.
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
