//! A shader file whose text is read from the disk, so that `tools/mutants` can have the tests judge a changed shader.
//! Only builds with debug assertions have this.

use std::path::Path;
use std::sync::LazyLock;

use super::modules::{ALL, SHARED};

/// The environment variable that holds the path of the text. Its last two parts name the file that it replaces, such as
/// `/tmp/shared/wide.wgsl`.
const VARIABLE: &str = "HITMASK_SHADER";

/// The text of a file, and the text that replaces it.
static REPLACED: LazyLock<Option<[String; 2]>> = LazyLock::new(|| {
    let path = std::env::var(VARIABLE).ok()?;
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{VARIABLE}: {path}: {error}"));
    let own = own(Path::new(&path)).unwrap_or_else(|| panic!("{VARIABLE}: {path} has the name of no shader"));
    Some([own.to_owned(), text])
});

/// Returns the text that the library has of the file with this name.
fn own(path: &Path) -> Option<&'static str> {
    let (folder, name) = (path.parent()?.file_name()?.to_str()?, path.file_stem()?.to_str()?);
    match folder {
        "shared" => SHARED.iter().find(|file| file.0 == name).map(|file| file.1),
        "stages" => ALL.iter().find(|module| module.name == name).map(|module| module.text),
        _ => None,
    }
}

/// Returns the text that replaces a file's text, or that text itself.
pub(super) fn current(text: &str) -> &str {
    match &*REPLACED {
        Some([own, replaced]) if own == text => replaced,
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_named_by_the_end_of_its_path() {
        let text = |path| own(Path::new(path));
        assert_eq!(text("/tmp/shared/wide.wgsl"), Some(include_str!("../../shaders/shared/wide.wgsl")));
        assert_eq!(text("stages/update.wgsl"), Some(include_str!("../../shaders/stages/update.wgsl")));
        for none in ["wide.wgsl", "stages/wide.wgsl", "twins/read.wgsl", "shared/", ""] {
            assert_eq!(text(none), None, "{none}");
        }
    }
}
