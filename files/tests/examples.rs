//! The example runs to its end and prints the text committed in `tests/examples/`. After an intended change of
//! behaviour, `HITMASK_BLESS=1` rewrites it.

#[path = "../examples/level.rs"]
#[allow(dead_code, reason = "its main function is the example's")]
mod level;

use std::path::Path;

#[test]
fn level_prints_its_text() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/examples/level.txt");
    let text = format!("{}\n", level::play().unwrap());
    if std::env::var_os("HITMASK_BLESS").is_some_and(|value| value == "1") {
        std::fs::write(&path, &text).unwrap();
    }
    // Git may have checked it out with Windows line ends.
    let kept = std::fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
    assert_eq!(text, kept);
}
