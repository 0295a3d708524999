//! The progress bar of commands that take long.

use indicatif::{ProgressBar, ProgressStyle};

/// Makes a bar of this length, in the form of an `indicatif` template.
pub(crate) fn bar(length: u64, template: &str) -> ProgressBar {
    let bar = ProgressBar::new(length);
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}
