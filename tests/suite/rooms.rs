//! Checks the layering of `src/`: each room (module folder) imports only the rooms that it may, and no files import
//! each other in a cycle, except a parent and its child.
//!
//! The imports are read from the paths in the code (`use`, types, expressions); re-exports are followed to the
//! definition. Tests within the library are left out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use syn::visit::{self, Visit};

/// Each room, by the first part of its modules' paths, and the rooms that it may import.
const ROOMS: [(&str, &[&str]); 18] = [
    ("ground", &[]),
    ("simd", &[]),
    ("bits", &["ground", "simd"]),
    ("hits", &["ground"]),
    ("profile", &["ground"]),
    ("broad", &[]),
    ("mask", &["ground", "simd", "bits"]),
    ("polygon", &["ground"]),
    ("world", &["ground", "simd", "bits", "mask", "polygon"]),
    ("queries", &["ground", "hits", "world"]),
    ("reference", &["ground", "hits", "mask", "world", "queries"]),
    ("cpu", &["ground", "simd", "bits", "hits", "profile", "broad", "world"]),
    ("gpu", &["ground", "hits", "profile", "broad", "world", "cpu", "host"]),
    ("auto", &["ground", "hits", "profile", "world", "cpu", "gpu"]),
    ("host", &["ground", "simd", "bits", "hits", "mask", "world", "queries", "cpu"]),
    ("index", &["ground", "simd", "bits", "hits", "world", "queries", "reference", "cpu", "host"]),
    ("debug", &["ground", "hits", "world", "host"]),
    ("scene", &["ground", "hits", "mask", "world", "host", "queries"]),
];
/// Files that may import all rooms.
const FRONT: [&str; 3] = ["", "engine", "internals"];

type Module = Vec<String>;

/// The references of one file.
#[derive(Default)]
struct File {
    /// The paths in the file, made absolute.
    paths: BTreeSet<Module>,
    /// The names that it re-exports, and their targets.
    passed: BTreeMap<String, Module>,
}

struct Reader<'a> {
    module: &'a [String],
    file: File,
}

fn is_test(attrs: &[syn::Attribute]) -> bool {
    attrs.iter().any(|attr| {
        let syn::Meta::List(list) = &attr.meta else { return false };
        attr.path().is_ident("cfg") && list.tokens.to_string().contains("test")
    })
}

impl Reader<'_> {
    /// Returns a path of this module as an absolute path, if it lies in the crate.
    fn absolute(&self, path: &[String]) -> Option<Module> {
        let ups = path.iter().take_while(|part| *part == "super").count();
        match path.first()?.as_str() {
            "crate" => Some(path[1..].to_vec()),
            "self" => Some([self.module, &path[1..]].concat()),
            "super" => Some([&self.module[..self.module.len().checked_sub(ups)?], &path[ups..]].concat()),
            // It may be a child module.
            _ => Some([self.module, path].concat()),
        }
    }

    fn tree(&mut self, tree: &syn::UseTree, before: &[String], passes: bool) {
        let mut leaf = |name: &str, known_as: String| {
            let path = if name == "self" { before.to_vec() } else { [before, &[name.to_owned()]].concat() };
            let Some(path) = self.absolute(&path) else { return };
            if passes {
                self.file.passed.insert(known_as, path.clone());
            }
            self.file.paths.insert(path);
        };
        match tree {
            syn::UseTree::Path(path) => {
                let before = [before, &[path.ident.to_string()]].concat();
                self.tree(&path.tree, &before, passes);
            }
            syn::UseTree::Name(name) => leaf(&name.ident.to_string(), name.ident.to_string()),
            syn::UseTree::Rename(name) => leaf(&name.ident.to_string(), name.rename.to_string()),
            syn::UseTree::Glob(_) => leaf("self", String::new()),
            syn::UseTree::Group(group) => group.items.iter().for_each(|tree| self.tree(tree, before, passes)),
        }
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        if !is_test(&item.attrs) {
            self.tree(&item.tree, &[], !matches!(item.vis, syn::Visibility::Inherited));
        }
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !is_test(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let parts: Module = path.segments.iter().map(|part| part.ident.to_string()).collect();
        if parts.len() > 1
            && let Some(path) = self.absolute(&parts)
        {
            self.file.paths.insert(path);
        }
        visit::visit_path(self, path);
    }
}

/// Collects the files of a folder and its subfolders, except tests.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    const TESTS: [&str; 3] = ["tests.rs", "layout.rs", "twins"];
    for entry in folder.read_dir().unwrap() {
        let path = entry.unwrap().path();
        if TESTS.contains(&path.file_name().unwrap().to_str().unwrap()) {
            continue;
        }
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// Returns each module with a file of its own, and the modules that it imports.
fn house() -> BTreeMap<Module, BTreeSet<Module>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    files(&root, &mut found);
    let mut read = BTreeMap::new();
    for path in found {
        let below = path.strip_prefix(&root).unwrap().with_extension("");
        let mut module: Module = below.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
        if ["mod", "lib"].contains(&module.last().unwrap().as_str()) {
            module.pop();
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let mut reader = Reader { module: &module, file: File::default() };
        reader.visit_file(&syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display())));
        let file = reader.file;
        read.insert(module, file);
    }
    let knows = |module: &Module, file: &File| {
        let known = file.paths.iter().filter_map(|path| defined(&read, path, 0)).filter(|known| known != module);
        (module.clone(), known.collect())
    };
    read.iter().map(|(module, file)| knows(module, file)).collect()
}

/// Returns the module in whose file a path is defined.
fn defined(read: &BTreeMap<Module, File>, path: &[String], hops: u32) -> Option<Module> {
    let depth = (0..=path.len()).rev().find(|&depth| read.contains_key(&path[..depth]))?;
    let (module, rest) = path.split_at(depth);
    let passed = rest.first().and_then(|name| read[module].passed.get(name)).filter(|_| hops < 8);
    match passed {
        Some(passed) => defined(read, &[passed, &rest[1..]].concat(), hops + 1),
        // A path that is neither a module nor re-exported belongs to the crate only if it says so.
        None if depth == 0 => None,
        None => Some(module.to_vec()),
    }
}

fn room(module: &[String]) -> &str {
    module.first().map_or("", String::as_str)
}

#[test]
fn a_room_knows_only_those_that_it_may() {
    let mut wrong = Vec::new();
    for (module, known) in house() {
        if FRONT.contains(&room(&module)) {
            continue;
        }
        let (_, may) =
            ROOMS.iter().find(|(name, _)| *name == room(&module)).unwrap_or_else(|| panic!("{module:?} is in no room"));
        for known in known.iter().filter(|known| room(known) != room(&module) && !may.contains(&room(known))) {
            wrong.push(format!("{} -> {}", module.join("::"), known.join("::")));
        }
    }
    assert!(wrong.is_empty(), "arrows that should not be:\n{}", wrong.join("\n"));
}

#[test]
fn no_files_stand_in_a_circle() {
    let house = house();
    assert!(house.len() > 60, "{} files", house.len());
    let related = |a: &[String], b: &[String]| a.starts_with(b) || b.starts_with(a);
    let arrows =
        |module: &Module| house[module].iter().filter(|known| !related(module, known)).cloned().collect::<Vec<_>>();
    let mut circles = BTreeSet::new();
    for start in house.keys() {
        // The modules that can be reached from this file, each with the module before it.
        let mut from: BTreeMap<Module, Module> = BTreeMap::new();
        let mut open = vec![start.clone()];
        while let Some(module) = open.pop() {
            for known in arrows(&module) {
                if !from.contains_key(&known) {
                    from.insert(known.clone(), module.clone());
                    open.push(known);
                }
            }
        }
        if from.contains_key(start) {
            let mut circle = vec![start.clone()];
            while circle.len() == 1 || circle.last() != Some(start) {
                circle.push(from[circle.last().unwrap()].clone());
            }
            circle.reverse();
            circles.insert(circle.iter().map(|module| module.join("::")).collect::<Vec<_>>().join(" -> "));
        }
    }
    assert!(circles.is_empty(), "circles:\n{}", circles.into_iter().collect::<Vec<_>>().join("\n"));
}
