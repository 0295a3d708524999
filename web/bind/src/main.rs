//! Writes the JavaScript and the TypeScript types of a WebAssembly module, as the program `wasm-bindgen` does.
//!
//! Its version is that of the lock file, which is also that of the module's `wasm-bindgen`: the two have to match.

use std::env;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> anyhow::Result<()> {
    let [_, module, folder, name] = &env::args().collect::<Vec<_>>()[..] else {
        anyhow::bail!("usage: hitmask-web-bind MODULE FOLDER NAME");
    };
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).out_name(name).web(true)?.typescript(true).remove_name_section(true);
    bindgen.omit_default_module_path(false).remove_producers_section(true).generate(folder)
}
