//! A file with all its mutants in one text, each behind a switch, so that one build serves all (Untch, Offutt and
//! Harrold, "Mutation analysis using mutant schemata", 1993).

use std::fmt::Write as _;
use std::ops::Range;

use super::place::{Form, Place};

/// A call of the switch, for the mutant of a number.
const SWITCH: &str = "crate::mutant_switch::is_on";

/// A file with mutants.
pub(crate) struct Schema {
    pub(crate) text: String,
    /// The bytes of the text that each mutant has for itself, and its number.
    own: Vec<(Range<usize>, usize)>,
    /// The bytes of each place, and the numbers of its mutants.
    places: Vec<(Range<usize>, Vec<usize>)>,
}

impl Schema {
    /// Writes the schema of a file. `places` has the places, an outer one before those within it, with the number of
    /// each change, or `None` for one that is left out.
    pub(crate) fn new(text: &str, places: &[(Place, Vec<Option<usize>>)]) -> Self {
        let mut schema = Self { text: String::new(), own: Vec::new(), places: Vec::new() };
        schema.write(text, 0..text.len(), places);
        schema
    }

    /// Writes the bytes of a text, which contain all of `places`.
    fn write(&mut self, text: &str, bytes: Range<usize>, mut places: &[(Place, Vec<Option<usize>>)]) {
        let mut written = bytes.start;
        while let [(place, numbers), rest @ ..] = places {
            let within = rest.iter().take_while(|(inner, _)| inner.bytes.start < place.bytes.end).count();
            self.text.push_str(&text[written..place.bytes.start]);
            self.place(text, place, numbers, &rest[..within]);
            written = place.bytes.end;
            places = &rest[within..];
        }
        self.text.push_str(&text[written..bytes.end]);
    }

    fn place(&mut self, text: &str, place: &Place, numbers: &[Option<usize>], within: &[(Place, Vec<Option<usize>>)]) {
        let start = self.text.len();
        let changes: Vec<_> =
            place.changes.iter().zip(numbers).filter_map(|(change, &number)| Some((change, number?))).collect();
        if changes.is_empty() {
            return self.write(text, place.bytes.clone(), within);
        }
        if place.form == Form::Value {
            self.text.push('(');
        }
        for (change, number) in &changes {
            let not = if place.form == Form::Statement { "!" } else { "" };
            let _ = write!(self.text, "if {not}{SWITCH}({number}) {{ ");
            let own = self.text.len();
            self.text.push_str(&change.text);
            self.own.push((own..self.text.len(), *number));
            self.text.push_str(match place.form {
                Form::Value => " } else ",
                Form::Statement => "",
                Form::Entry => " }",
            });
        }
        if place.form == Form::Value {
            self.text.push_str("{ ");
        }
        self.write(text, place.bytes.clone(), within);
        self.text.push_str(match place.form {
            Form::Value => " })",
            Form::Statement => " }",
            Form::Entry => "",
        });
        let numbers = changes.iter().map(|(_, number)| *number).collect();
        self.places.push((start..self.text.len(), numbers));
    }

    /// Returns the mutants that an error in some bytes of the text is blamed on: the one whose own text that is, or
    /// else all of the innermost place there.
    pub(crate) fn blamed(&self, bytes: &Range<usize>) -> Vec<usize> {
        let innermost = |(own, _): &&(Range<usize>, _)| own.len();
        if let Some((_, number)) = self.own.iter().filter(|(own, _)| holds(own, bytes)).min_by_key(innermost) {
            return vec![*number];
        }
        let place = self.places.iter().filter(|(place, _)| holds(place, bytes)).min_by_key(|(place, _)| place.len());
        place.map(|(_, numbers)| numbers.clone()).unwrap_or_default()
    }

    /// Returns the mutants of all places within some bytes of the text, inner places first.
    pub(crate) fn within(&self, bytes: &Range<usize>) -> Vec<usize> {
        let places = self.places.iter().filter(|(place, _)| holds(bytes, place));
        places.flat_map(|(_, numbers)| numbers.iter().copied()).collect()
    }
}

fn holds(outer: &Range<usize>, inner: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

#[cfg(test)]
mod tests {
    use super::super::place::places;
    use super::*;

    /// Writes the schema of a file, with all mutants but some.
    fn schema(text: &str, without: &[usize]) -> Schema {
        let mut number = 0;
        let mut next = || {
            number += 1;
            Some(number - 1).filter(|number| !without.contains(number))
        };
        let places: Vec<_> = places(text)
            .unwrap()
            .into_iter()
            .map(|place| {
                let numbers = place.changes.iter().map(|_| next()).collect();
                (place, numbers)
            })
            .collect();
        Schema::new(text, &places)
    }

    #[test]
    fn each_mutant_stands_behind_its_switch() {
        let text = "fn f(a: u32) -> bool {\n    g();\n    a as u32 <= 4 + 1\n}\n";
        let expected = "fn f(a: u32) -> bool {if S(0) { return false; }if S(1) { return true; }\n    \
            if !S(2) { g(); }\n    \
            (if S(3) { (a as u32) < (4 + 1) } else { a as u32 <= \
            (if S(4) { (4) - (1) } else { (if S(5) { 5 } else { 4 }) + (if S(6) { 2 } else { 1 }) }) })\n}\n";
        assert_eq!(schema(text, &[]).text.replace(SWITCH, "S"), expected);
        let few = "fn f(a: u32) -> bool {\n    g();\n    a as u32 <= (if S(4) { (4) - (1) } else { 4 + 1 })\n}\n";
        assert_eq!(schema(text, &[0, 1, 2, 3, 5, 6]).text.replace(SWITCH, "S"), few);
    }

    #[test]
    fn an_error_is_blamed_on_the_mutant_where_it_is() {
        let schema = schema("fn f(a: u32) {\n    let b = a + 1;\n}\n", &[]);
        let at = |part: &str| {
            let start = schema.text.find(part).unwrap();
            start..start + part.len()
        };
        assert_eq!(schema.blamed(&at("(a) - (1)")), [1]);
        assert_eq!(schema.blamed(&at("{ 2 }")), [2]);
        // In the text that is left, all of the place may be wrong.
        assert_eq!(schema.blamed(&at("a + ")), [1]);
        assert!(schema.blamed(&at("let b")).is_empty());
        assert_eq!(schema.within(&(0..schema.text.len())), [0, 2, 1]);
    }
}
