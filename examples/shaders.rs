//! Writes every shader module, as it is sent to the driver, as a file of its own: `shaders DIR` makes `DIR/NAME.wgsl`.

use std::path::PathBuf;

use hitmask::gpu::modules;

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args_os().skip(1);
    let (Some(folder), None) = (arguments.next().map(PathBuf::from), arguments.next()) else {
        eprintln!("usage: shaders DIR");
        std::process::exit(2);
    };
    std::fs::create_dir_all(&folder)?;
    for module in modules::ALL {
        std::fs::write(folder.join(module.name).with_extension("wgsl"), module.source())?;
    }
    Ok(())
}
