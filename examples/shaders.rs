//! Writes every shader module, as it is sent to the driver, to a file of its own: `shaders DIR` writes `DIR/NAME.wgsl`.

use std::path::PathBuf;

use hitmask::internals::shaders;

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args_os().skip(1);
    let (Some(folder), None) = (arguments.next().map(PathBuf::from), arguments.next()) else {
        eprintln!("usage: shaders DIR");
        std::process::exit(2);
    };
    std::fs::create_dir_all(&folder)?;
    for (name, source) in shaders() {
        std::fs::write(folder.join(name).with_extension("wgsl"), source)?;
    }
    Ok(())
}
