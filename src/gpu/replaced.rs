//! A shader file whose text is read from the disk, so that `tools/mutants` can have the tests judge a changed shader.
//! Only builds with debug assertions have this.

use std::path::Path;
use std::sync::OnceLock;

/// The environment variable that holds the path of the text. Its last two parts name the file that it replaces, such as
/// `/tmp/shared/wide.wgsl`.
const VARIABLE: &str = "HITMASK_SHADER";

/// The text of a file, and the text that replaces it.
static REPLACED: OnceLock<Option<[String; 2]>> = OnceLock::new();

/// Returns the library's text of a file, given its folder and its name.
type Own = fn(&str, &str) -> Option<&'static str>;

fn replaced(own: Own) -> Option<[String; 2]> {
    let path = std::env::var(VARIABLE).ok()?;
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{VARIABLE}: {path}: {error}"));
    let own = named(own, Path::new(&path)).unwrap_or_else(|| panic!("{VARIABLE}: {path} has the name of no shader"));
    Some([own.to_owned(), text])
}

fn named(own: Own, path: &Path) -> Option<&'static str> {
    own(path.parent()?.file_name()?.to_str()?, path.file_stem()?.to_str()?)
}

/// Returns the text that replaces a file's text, or that text itself.
pub(super) fn current(text: &str, own: Own) -> &str {
    match REPLACED.get_or_init(|| replaced(own)) {
        Some([own, replaced]) if own == text => replaced,
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_named_by_the_end_of_its_path() {
        let own: Own = |folder, name| (folder == "shared" && name == "wide").then_some("text");
        let text = |path| named(own, Path::new(path));
        assert_eq!(text("/tmp/shared/wide.wgsl"), Some("text"));
        for none in ["wide.wgsl", "stages/wide.wgsl", "shared/", ""] {
            assert_eq!(text(none), None, "{none}");
        }
    }
}
