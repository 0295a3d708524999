//! Tests that shader files name exactly the shared files that they use (`// needs:`), and what others of their module
//! must declare (`// expects:`); and that a name has one meaning.

use std::collections::{BTreeMap, BTreeSet};

use super::modules::{self, Module, NEEDS, SHARED, Wide, named, needs_of};

/// The beginning of a line that names what another file of each module must declare.
const EXPECTS: &str = "// expects: ";

/// A file of `shaders/shared/` or `shaders/stages/`.
struct File {
    name: &'static str,
    text: &'static str,
    declared: BTreeMap<String, Declaration>,
}

/// A declaration outside of functions.
struct Declaration {
    /// Its tokens, without comments.
    tokens: Vec<String>,
    /// The names that it uses, other than its own variables, parameters and members.
    uses: BTreeSet<String>,
}

/// Splits WGSL into words and single other characters, without comments and spaces.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens = vec![String::new()];
    for line in text.lines() {
        for c in line.split("//").next().unwrap().chars().chain(['\n']) {
            let is_word = |c: char| c.is_alphanumeric() || c == '_';
            if !is_word(c) || !tokens.last().unwrap().chars().all(is_word) {
                tokens.push(String::new());
            }
            if !c.is_whitespace() {
                tokens.last_mut().unwrap().push(c);
            }
        }
    }
    tokens.retain(|token| !token.is_empty());
    tokens
}

/// Splits tokens into declarations, each of which ends with a semicolon or a brace.
fn declarations(tokens: Vec<String>) -> Vec<Vec<String>> {
    let (mut all, mut depth) = (vec![Vec::new()], 0);
    for token in tokens {
        depth += i32::from(token == "{") - i32::from(token == "}");
        let ends = depth == 0 && (token == "}" || token == ";");
        all.last_mut().unwrap().push(token);
        if ends {
            all.push(Vec::new());
        }
    }
    assert_eq!(all.pop(), Some(Vec::new()), "the last declaration ends");
    all
}

impl Declaration {
    /// Returns the name of a declaration, and what it uses.
    fn of(tokens: Vec<String>) -> (String, Self) {
        let keywords = ["fn", "struct", "alias", "const", "override", "var"];
        let is_keyword = |token: &String| keywords.contains(&token.as_str());
        let keyword = tokens.iter().position(is_keyword).expect("a declaration");
        let is_qualified = tokens[keyword + 1] == "<";
        let name = if is_qualified { tokens.iter().position(|token| token == ">").unwrap() } else { keyword } + 1;
        let at = |k: usize| tokens.get(k).map_or("", String::as_str);
        let before = |k: usize| if k == 0 { "" } else { at(k - 1) };
        let own = |k: usize| at(k + 1) == ":" || ["let", "var", "const"].contains(&before(k)) || k == name;
        let own: BTreeSet<_> = (0..tokens.len()).filter(|k| own(*k)).map(at).collect();
        // Only functions and types are followed by a parenthesis, and no variable hides one where it is called.
        let is_used = |k: &usize| ![".", "@"].contains(&before(*k)) && (at(k + 1) == "(" || !own.contains(at(*k)));
        let uses = (0..tokens.len()).filter(is_used).filter(|k| *k != name).map(|k| at(k).to_owned()).collect();
        (tokens[name].clone(), Self { tokens, uses })
    }

    fn is_binding(&self) -> bool {
        self.tokens.windows(2).any(|two| two == ["@", "binding"])
    }
}

impl File {
    fn new((name, text): (&'static str, &'static str)) -> Self {
        Self { name, text, declared: declarations(tokens(text)).into_iter().map(Declaration::of).collect() }
    }

    fn needs(&self) -> Vec<&str> {
        named(self.text, NEEDS).collect()
    }

    fn expects(&self) -> Vec<&str> {
        named(self.text, EXPECTS).collect()
    }

    /// Returns whether one of its declarations uses a name.
    fn uses(&self, name: &str) -> bool {
        self.declared.values().any(|declaration| declaration.uses.contains(name))
    }
}

/// Returns the files by name: the shared ones, and those of stages.
fn files() -> (BTreeMap<&'static str, File>, BTreeMap<&'static str, File>) {
    let shared = SHARED.iter().map(|(name, text)| (*name, File::new((name, text))));
    let stages = modules::ALL.iter().map(|module| (module.name, File::new((module.name, module.text))));
    (shared.collect(), stages.collect())
}

/// Returns the files of a module.
fn of_module(module: &Module, wide: Wide) -> Vec<File> {
    let shared = needs_of(&[module.text], wide).into_iter().copied();
    shared.chain([(module.name, module.text)]).map(File::new).collect()
}

#[test]
fn every_need_is_a_file_and_none_leads_back() {
    let (shared, stages) = files();
    for file in shared.values().chain(stages.values()) {
        let needs = file.needs();
        assert!(needs.iter().all(|need| shared.contains_key(need)), "{} needs {needs:?}", file.name);
        for list in [needs, file.expects()] {
            assert_eq!(BTreeSet::from_iter(&list).len(), list.len(), "{} lists {list:?}", file.name);
        }
        let all: Vec<_> = needs_of(&[file.text], Wide::Words).iter().map(|(name, _)| *name).collect();
        assert!(!shared.contains_key(file.name) || !all.contains(&file.name), "{} needs itself: {all:?}", file.name);
    }
}

#[test]
fn every_file_needs_what_it_uses_and_nothing_else() {
    let (shared, stages) = files();
    let files = || shared.values().chain(stages.values());
    let declared: BTreeSet<_> = files().flat_map(|file| file.declared.keys()).collect();
    for file in files() {
        let (needs, expects) = (file.needs(), file.expects());
        let is_needed = |name: &str| needs.iter().any(|need| shared[need].declared.contains_key(name));
        for name in declared.iter().filter(|name| file.uses(name) && !file.declared.contains_key(name.as_str())) {
            let is_expected = expects.contains(&name.as_str());
            assert!(is_needed(name) != is_expected, "{} uses `{name}`: needed or expected, not both", file.name);
        }
        for name in expects {
            assert!(file.uses(name), "{} expects `{name}` and does not use it", file.name);
        }
        let all = needs_of(&[file.text], Wide::Words);
        let expected: BTreeSet<_> = all.iter().flat_map(|(_, text)| named(text, EXPECTS)).collect();
        for need in &needs {
            let mut names = shared[need].declared.keys();
            let is_used = names.any(|name| file.uses(name) || expected.contains(name.as_str()));
            assert!(is_used, "{} needs {need}, and neither it nor what it needs uses that", file.name);
        }
    }
}

#[test]
fn what_is_expected_is_declared_once_in_each_module() {
    for (module, wide) in modules::ALL.iter().flat_map(|module| Wide::ALL.map(|wide| (module, wide))) {
        let files = of_module(module, wide);
        for file in &files {
            let own = needs_of(&[file.text], wide);
            for name in file.expects() {
                let declaring = files.iter().filter(|other| other.declared.contains_key(name));
                let declaring: Vec<_> = declaring.map(|other| other.name).collect();
                let what = format!("`{name}`, which {} expects, in {}", file.name, module.name);
                assert_eq!(declaring.len(), 1, "{what} is declared by {declaring:?}");
                assert!(own.iter().all(|(own, _)| *own != declaring[0]), "{what} is always that of {declaring:?}");
            }
        }
    }
}

/// Files may declare one name if another expects it, if it is a buffer's, or with equal words.
#[test]
fn a_name_has_one_meaning() {
    let (shared, stages) = files();
    let files = || shared.values().chain(stages.values()).filter(|file| file.name != "wide_native");
    let expected: BTreeSet<_> = files().flat_map(File::expects).collect();
    let mut known: BTreeMap<&str, (&str, &Declaration)> = BTreeMap::new();
    for file in files() {
        for (name, declaration) in &file.declared {
            if let Some((other, same)) = known.insert(name, (file.name, declaration)) {
                let alike = declaration.tokens == same.tokens || declaration.is_binding() && same.is_binding();
                assert!(alike || expected.contains(name.as_str()), "`{name}` in {other} and in {}", file.name);
            }
        }
    }
}

#[test]
fn declarations_are_those_that_naga_finds() {
    for (module, wide) in modules::ALL.iter().flat_map(|module| Wide::ALL.map(|wide| (module, wide))) {
        let naga = naga::front::wgsl::parse_str(&module.source(wide)).unwrap();
        let structs = naga.types.iter().filter(|(_, ty)| matches!(ty.inner, naga::TypeInner::Struct { .. }));
        let structs = structs.filter_map(|(_, ty)| ty.name.clone());
        let constants = naga.constants.iter().filter_map(|(_, constant)| constant.name.clone());
        let overrides = naga.overrides.iter().filter_map(|(_, value)| value.name.clone());
        let variables = naga.global_variables.iter().filter_map(|(_, variable)| variable.name.clone());
        let functions = naga.functions.iter().filter_map(|(_, function)| function.name.clone());
        let entries = naga.entry_points.iter().map(|entry| entry.name.clone());
        let found = structs.chain(constants).chain(overrides).chain(variables).chain(functions).chain(entries);
        let declared = of_module(module, wide).into_iter().flat_map(|file| file.declared);
        // naga replaces aliases by their types.
        let declared = declared.filter(|(_, declaration)| declaration.tokens[0] != "alias").map(|(name, _)| name);
        assert_eq!(declared.collect::<BTreeSet<_>>(), found.collect(), "{}", module.name);
    }
}
