//! Keeps the guide short: one example per query, of at most fifteen visible lines. `cargo test --doc` runs them.

const GUIDE: &str = include_str!("../../docs/guide.md");

#[test]
fn each_question_has_one_short_example() {
    let sections: Vec<&str> = GUIDE.split("\n## ").skip(1).collect();
    assert!(sections.len() > 12, "{} queries", sections.len());
    for section in sections {
        let parts: Vec<&str> = section.split("```").collect();
        let query = section.lines().next().unwrap_or_default();
        // The first line has the name of the language.
        let lines = parts.get(1).into_iter().flat_map(|code| code.lines().skip(1));
        let shown = lines.filter(|line| !line.starts_with('#')).count();
        assert!(parts.len() <= 3 && shown <= 15, "{query}: {} examples, {shown} lines", parts.len() / 2);
    }
}
