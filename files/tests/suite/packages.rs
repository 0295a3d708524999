//! Files of artists' programs in the packages of other readers. Cargo has fetched them, as they are dependencies of the
//! tests; they are no part of this repository.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Returns the files of a folder of a package whose names end in `extension`, in order.
pub(crate) fn files(package: &str, folder: &str, extension: &str) -> Vec<PathBuf> {
    let folder = source(package).join(folder);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|found| found == extension));
    files.sort();
    files
}

/// Returns the folder with the source of a package, which is a dependency of the tests.
pub(crate) fn source(package: &str) -> PathBuf {
    let target = run("rustc", &["-vV"]);
    let target = target.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    // Without the packages of other platforms, which need not be on this machine.
    let options = ["metadata", "--format-version=1", "--offline", "--locked", "--filter-platform", target];
    let metadata: serde_json::Value = serde_json::from_str(&run(&env::var("CARGO").unwrap(), &options)).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let found =
        packages.iter().find(|found| found["name"] == package).unwrap_or_else(|| panic!("no package {package}"));
    Path::new(found["manifest_path"].as_str().unwrap()).parent().unwrap().to_owned()
}

fn run(program: &str, arguments: &[&str]) -> String {
    let folder = env!("CARGO_MANIFEST_DIR");
    let Output { status, stdout, stderr } = Command::new(program).args(arguments).current_dir(folder).output().unwrap();
    assert!(status.success(), "{program} {arguments:?}: {}", String::from_utf8_lossy(&stderr));
    String::from_utf8(stdout).unwrap()
}
