//! Results as a web page of one file, which compares records of machines and reads further ones.

use std::path::Path;

use serde::Serialize;

use super::record::Record;

const TEMPLATE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
const SCRIPT: &str = include_str!("page/page.js");

/// A record with the name that the page calls it.
#[derive(Serialize)]
struct Named<'a> {
    name: &'a str,
    record: &'a Record,
}

/// Returns the page of records, each with its name.
pub(super) fn page(records: &[(String, Record)]) -> serde_json::Result<String> {
    let named: Vec<_> = records.iter().map(|(name, record)| Named { name, record }).collect();
    // Within a script element only `</script` and `<!--` mean something, and no JSON has `<` outside strings.
    let json = serde_json::to_string(&named)?.replace('<', "\\u003c");
    let parts = [("/*STYLE*/\n", STYLE), ("/*SCRIPT*/\n", SCRIPT), ("/*RECORDS*/", &*json)];
    Ok(parts.iter().fold(TEMPLATE.to_owned(), |page, (mark, part)| page.replacen(mark, part, 1)))
}

/// Returns the name of a file without its ending.
pub(super) fn name_of(path: &Path) -> String {
    path.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::super::record::tests::{case, record};
    use super::*;

    #[test]
    fn the_page_carries_its_records_whatever_their_text() {
        let mut hostile = record(vec![case("</script><script>alert(1)</script><!--", 1000, "cpu", "auto", 7)]);
        hostile.machine.cpu = Some("/*STYLE*/ /*SCRIPT*/".into());
        let text = page(&[("a".into(), hostile.clone()), ("b".into(), record(vec![]))]).unwrap();
        assert_eq!(text.matches("</script>").count(), 2, "the page's own");
        let (_, rest) = text.split_once("type=\"application/json\">").unwrap();
        let (json, _) = rest.split_once("</script>").unwrap();
        let records: serde_json::Value = serde_json::from_str(json).unwrap();
        assert_eq!(serde_json::from_value::<Record>(records[0]["record"].clone()).unwrap(), hostile);
        assert_eq!((&records[0]["name"], &records[1]["name"]), (&"a".into(), &"b".into()));
        assert!(text.contains("const SCHEMA = 2;") && super::super::record::SCHEMA == 2, "the page reads this schema");
    }
}
