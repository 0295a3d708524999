//! `hitmask list-gpus`.

use clap::Args;

use crate::Format;

pub(crate) const EXAMPLES: &str = "\
Examples:
  hitmask list-gpus
  hitmask list-gpus --format json
  hitmask check scene.json --gpu NAME      use the first whose name contains NAME, ignoring case
  WGPU_ADAPTER_NAME=NAME hitmask check scene.json";

#[derive(Args)]
pub(crate) struct Options {
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[cfg(not(feature = "gpu"))]
pub(crate) fn run(options: &Options) -> anyhow::Result<String> {
    let _ = options.format;
    Err(crate::engines::without_gpu().into())
}

#[cfg(feature = "gpu")]
#[allow(clippy::unnecessary_wraps, reason = "without the feature `gpu` it fails")]
pub(crate) fn run(options: &Options) -> anyhow::Result<String> {
    let gpus = hitmask::gpu::list();
    if options.format == Format::Json {
        let gpus = gpus.iter().map(|gpu| {
            serde_json::json!({
                "name": gpu.name,
                "kind": gpu.kind,
                "backend": gpu.backend,
                "driver": gpu.driver,
                "software": gpu.software,
                "pci_address": gpu.pci_address,
            })
        });
        return Ok(format!("{}\n", gpus.collect::<serde_json::Value>()));
    }
    if gpus.is_empty() {
        return Ok("No GPU can compute here, and no software driver is installed; the CPU engine is used.\n".into());
    }
    let heads = ["NAME", "KIND", "INTERFACE", "DRIVER"].map(str::to_owned);
    let rows = gpus.into_iter().map(|gpu| [gpu.name, gpu.kind.to_owned(), gpu.backend, gpu.driver]);
    Ok(crate::text::table(&std::iter::once(heads).chain(rows).collect::<Vec<_>>()))
}
