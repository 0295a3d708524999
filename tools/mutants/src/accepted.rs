//! The list of mutants that no test need notice, with reasons: `accepted.csv`.

use anyhow::{Context, bail};
use serde::Deserialize;

use crate::mutant::Mutant;

const LIST: &str = include_str!("../accepted.csv");

/// An entry: mutants of a file by the text of their line, so that it holds while lines move.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Accepted {
    pub(crate) file: String,
    /// The line without the blanks around it, and the column in that, from 1.
    pub(crate) code: String,
    pub(crate) column: usize,
    pub(crate) from: String,
    pub(crate) to: String,
    reason: String,
}

impl Accepted {
    /// Reads the list. An error names an entry without a reason, or one that names no mutant.
    pub(crate) fn all(mutants: &[Mutant]) -> anyhow::Result<Vec<Self>> {
        Self::of(LIST, mutants)
    }

    fn of(list: &str, mutants: &[Mutant]) -> anyhow::Result<Vec<Self>> {
        let entries = csv::Reader::from_reader(list.as_bytes()).into_deserialize();
        let entries = entries.collect::<Result<Vec<Self>, _>>().context("accepted.csv")?;
        for entry in &entries {
            if entry.reason.trim().is_empty() {
                bail!("accepted.csv: {entry:?} has no reason");
            }
            if !mutants.iter().any(|mutant| entry.names(mutant)) {
                bail!("accepted.csv: {entry:?} names no mutant; has its line changed?");
            }
        }
        Ok(entries)
    }

    /// Returns whether it names a mutant.
    pub(crate) fn names(&self, mutant: &Mutant) -> bool {
        self.file == mutant.file
            && self.code == mutant.code
            && self.column == mutant.code_column
            && self.from == mutant.from
            && self.to == mutant.to
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shaders::File;
    use crate::sources::Source;

    #[test]
    fn each_entry_names_a_mutant_and_has_a_reason() {
        let shaders = File::all().unwrap();
        let sources = Source::all().unwrap();
        let mutants: Vec<Mutant> =
            shaders.iter().flat_map(File::mutants).chain(sources.iter().flat_map(Source::mutants)).collect();
        Accepted::all(&mutants).unwrap();
    }

    #[test]
    fn an_entry_that_names_none_or_has_no_reason_is_an_error() {
        let text = "fn f() {\n    a = b + c;\n}\n";
        let mutants = [Mutant::new("shared/some.wgsl", text, 19, "+", "-".into())];
        let list = |entry: &str| {
            let list = format!("file,code,column,from,to,reason\n{entry}\n");
            Accepted::of(&list, &mutants).map(|entries| entries.len()).map_err(|error| error.to_string())
        };
        assert_eq!(list("shared/some.wgsl,a = b + c;,7,+,-,costs time alone"), Ok(1));
        assert!(list("shared/some.wgsl,a = b + c;,7,+,-, ").unwrap_err().contains("has no reason"));
        assert!(list("shared/some.wgsl,a = b + d;,7,+,-,because").unwrap_err().contains("names no mutant"));
        assert!(list("shared/some.wgsl,a = b + c;,7,+").is_err());
    }
}
