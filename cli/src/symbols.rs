//! The verb `symbols`.

use crate::failure::{Failure, Result};
use crate::finish::strings;
use crate::place::Place;
use crate::print::{DIM, NAME, NUMBER, Out, escaped, report};
use crate::verbs::{Run, list, text};
use searchscope::tools::{Outcome, search_each};
use searchscope::{Call, Workspace};
use serde_json::{Value, json};
use std::collections::{BTreeSet, HashMap, HashSet};

/// The words for a kind of definition, with the tool's word for it.
const KINDS: &[(&str, &[&str])] = &[
    ("CLASS", &["class", "struct", "enum", "union", "trait", "interface", "type"]),
    ("METHOD", &["method", "function", "func", "fn", "constructor"]),
    ("FIELD", &["field", "variable", "var", "constant", "const", "property", "member"]),
    ("SYMBOL", &["symbol", "module", "mod", "namespace", "macro"]),
    ("UNKNOWN", &["unknown"]),
];

/// The space between two columns, and the maximum widths of places and of names.
const GAP: usize = 2;
const COLUMN_MAX: usize = 60;
const NAME_MAX: usize = 40;
/// The maximum length of a line that is shown beside a definition, in characters.
const SIGNATURE_MAX: usize = 100;
/// The time for reading some of these lines, and their number; without them the rows are shorter.
const SIGNATURES_MILLIS: u64 = 5_000;
const SIGNATURES_AT_ONCE: usize = 50;
/// The minimum similarity of a kind that is proposed, and of a name.
const SIMILAR: f64 = 0.84;
const NAME_SIMILAR: f64 = 0.92;
/// The number of names that are proposed, and of definitions that are compared for that.
const PROPOSED_MAX: usize = 3;
const COMPARED_MAX: usize = 500;
/// Shorter names, in characters, resemble too many.
const NAME_MIN: usize = 4;

impl Run<'_> {
    pub(crate) fn symbols(mut self) -> Result<Outcome> {
        if let Some(Value::Array(kinds)) = self.args.get_mut("kinds") {
            for kind in kinds {
                *kind = kind_of(kind.as_str().unwrap_or_default())?.into();
            }
        }
        let place = self.place(&[])?;
        if let Some(form) = self.reply_form()? {
            return self.print_reply(&place, "scope_search_symbols", form);
        }
        let workspace = self.open(&place)?;
        let (found, outcome) = self.call(&workspace, "scope_search_symbols")?;
        let mut out = self.out();
        let items = list(&found["items"]);
        match out.form.is_pretty {
            true => self.columns(&workspace, &place, items, &mut out)?,
            false => rows(&place, items, &mut out)?,
        }
        if out.form.is_pretty || items.is_empty() {
            strings(&found["diagnostics"]).for_each(report);
        }
        let has_more = found["probablyHasMoreMatchingEntries"] == true;
        let more = match (has_more, items.is_empty()) {
            (false, _) => "",
            (true, true) => "; not complete: not everything could be searched",
            (true, false) => "; there are more, or may be: raise --limit or narrow --scope",
        };
        self.ended(&mut out, items.len(), ("definition", "definitions"), more)?;
        if items.is_empty() {
            let near = self.near_names(&workspace);
            if !near.is_empty() {
                report(&format!("did you mean {}?", near.join(", ")));
            }
        }
        Ok(outcome)
    }

    /// Prints definitions in columns, each with the line that defines it.
    fn columns(
        &self,
        workspace: &Workspace,
        place: &Place,
        items: &[Value],
        out: &mut Out,
    ) -> Result<()> {
        let signatures = self.signatures(workspace, items);
        let width = |item: &Value| {
            let shown = place.shown(text(item, "filePath"));
            width_of(&String::from_utf8_lossy(&shown)) + 1 + item["line"].to_string().len()
        };
        let place_width = items.iter().map(width).max().unwrap_or(0).min(COLUMN_MAX);
        let kind_width = items.iter().map(|item| kind_word(item).len()).max().unwrap_or(0);
        let name = |item: &Value| String::from_utf8_lossy(text(item, "qualifiedName")).into_owned();
        let name_width = items.iter().map(|item| width_of(&name(item))).max().unwrap_or(0);
        let name_width = name_width.min(NAME_MAX);
        let padding = |have: usize, want: usize| " ".repeat(want.saturating_sub(have) + GAP);
        for item in items {
            let path = text(item, "filePath");
            print_place(place, item, out);
            out.plain("", &padding(width(item), place_width));
            let kind = kind_word(item);
            out.plain(DIM, &kind);
            out.plain("", &padding(kind.len(), kind_width));
            out.text(NAME, text(item, "qualifiedName"));
            let key = (path.to_vec(), item["line"].as_u64().unwrap_or(0));
            if let Some(signature) = signatures.get(&key) {
                out.plain("", &padding(width_of(&name(item)), name_width));
                out.text(DIM, signature.as_bytes());
            }
            out.end()?;
        }
        Ok(())
    }

    /// Returns the lines that define the items, by path and line number, without their bodies. A line that cannot
    /// be read is missing.
    fn signatures(
        &self,
        workspace: &Workspace,
        items: &[Value],
    ) -> HashMap<(Vec<u8>, u64), String> {
        let line_of = |item: &Value| item["line"].as_u64().unwrap_or(0);
        let wanted: HashSet<(&[u8], u64)> =
            items.iter().map(|item| (text(item, "filePath"), line_of(item))).collect();
        let mut signatures = HashMap::new();
        // The tool takes a limited number of patterns and paths.
        for items in items.chunks(SIGNATURES_AT_ONCE) {
            let distinct = |name: &str| -> BTreeSet<&str> {
                items.iter().filter_map(|item| item[name].as_str()).collect()
            };
            let args = json!({
                "patterns": distinct("name"), "literal": true, "paths": distinct("filePath"),
                "deadline_ms": SIGNATURES_MILLIS,
            });
            let args = args.to_string();
            // The rows are the answer; these lines only illustrate it.
            let _ = search_each(workspace, args.as_bytes(), &Call::new(), &mut |result| {
                let Some(line) = result.line else { return true };
                if wanted.contains(&(result.path.as_bytes(), line.number)) {
                    let signature = signature_of(&String::from_utf8_lossy(&line.text));
                    signatures.insert((result.path.as_bytes().to_vec(), line.number), signature);
                }
                true
            });
        }
        signatures
    }

    /// Returns the defined names that resemble the one that was not found, nearest first.
    ///
    /// A misspelt name has one half that is right, so both halves are searched for and the definitions with
    /// either are compared with the whole.
    fn near_names(&mut self, workspace: &Workspace) -> Vec<String> {
        let query = self.args.get("query").and_then(Value::as_str).unwrap_or_default();
        let wanted = query.rsplit(['.', ':']).next().unwrap_or_default().to_lowercase();
        let chars: Vec<char> = wanted.chars().collect();
        if chars.len() < NAME_MIN {
            return Vec::new();
        }
        let (first, last) = chars.split_at(chars.len() / 2);
        self.args.insert("maxResultCount".to_owned(), json!(COMPARED_MAX));
        let mut near: Vec<(f64, String)> = Vec::new();
        for half in [first, last] {
            self.args.insert("query".to_owned(), half.iter().collect::<String>().into());
            // A proposal that fails is not the error of the search.
            let Ok((found, _)) = self.call(workspace, "scope_search_symbols") else { continue };
            for name in list(&found["items"]).iter().filter_map(|item| item["name"].as_str()) {
                let similarity = strsim::jaro_winkler(&name.to_lowercase(), &wanted);
                let is_new = near.iter().all(|(_, known)| known != name);
                if similarity >= NAME_SIMILAR && is_new {
                    near.push((similarity, name.to_owned()));
                }
            }
        }
        near.sort_by(|(a, name), (b, other)| b.total_cmp(a).then_with(|| name.cmp(other)));
        near.into_iter().take(PROPOSED_MAX).map(|(_, name)| name).collect()
    }
}

/// Prints definitions as `path:line:kind name`.
fn rows(place: &Place, items: &[Value], out: &mut Out) -> Result<()> {
    for item in items {
        print_place(place, item, out);
        out.plain("", ":");
        out.plain(DIM, &kind_word(item));
        out.plain("", " ");
        out.text(NAME, text(item, "qualifiedName"));
        out.end()?;
    }
    Ok(())
}

/// Appends the path and the line of a definition.
fn print_place(place: &Place, item: &Value, out: &mut Out) {
    let path = text(item, "filePath");
    out.path(&place.shown(path), || place.absolute(path));
    out.plain("", ":");
    out.plain(NUMBER, &item["line"].to_string());
}

/// Returns the kind of a definition as rows show it.
fn kind_word(item: &Value) -> String {
    item["kind"].as_str().unwrap_or_default().to_lowercase()
}

/// Returns the number of columns of a text, as it is printed.
fn width_of(text: &str) -> usize {
    escaped(text, '\0').chars().count()
}

/// Returns a line of code up to the body that it opens.
fn signature_of(line: &str) -> String {
    let line = line.trim();
    let line = line.strip_suffix(['{', ':']).unwrap_or(line).trim_end();
    let mut signature: String = line.chars().take(SIGNATURE_MAX).collect();
    if signature.len() < line.len() {
        signature.push('…');
    }
    signature
}

/// Returns the words for kinds.
pub(crate) fn kinds() -> impl Iterator<Item = &'static str> {
    KINDS.iter().flat_map(|(_, words)| words.iter().copied())
}

/// Returns the tool's word for a kind of definition.
fn kind_of(given: &str) -> Result<&'static str> {
    let word = given.to_lowercase();
    let known = KINDS.iter().flat_map(|(kind, words)| words.iter().map(move |word| (*word, *kind)));
    if let Some((_, kind)) = known.clone().find(|(known, _)| *known == word) {
        return Ok(kind);
    }
    let near = known.map(|(known, _)| (strsim::jaro_winkler(known, &word), known));
    let near = near.max_by(|(a, _), (b, _)| a.total_cmp(b));
    let hint = match near.filter(|(similarity, _)| *similarity >= SIMILAR) {
        Some((_, near)) => format!("did you mean '{near}'?"),
        None => "it must be class, method, field or symbol".to_owned(),
    };
    Err(Failure::new(format!("--kind: there is no kind '{given}'; {hint}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_end_before_the_body() {
        for (line, signature) in [
            ("    pub fn run(&self) -> u8 {", "pub fn run(&self) -> u8"),
            ("def run(self):", "def run(self)"),
            ("const A: u8 = 1;", "const A: u8 = 1;"),
        ] {
            assert_eq!(signature_of(line), signature);
        }
        assert_eq!(signature_of(&"é".repeat(200)).chars().count(), SIGNATURE_MAX + 1);
    }

    #[test]
    fn kinds_have_the_words_of_languages() {
        for (given, kind) in [("function", "METHOD"), ("Struct", "CLASS"), ("const", "FIELD")] {
            assert_eq!(kind_of(given).unwrap(), kind);
        }
        let failure = kind_of("fucntion").unwrap_err();
        assert!(failure.message.ends_with("no kind 'fucntion'; did you mean 'function'?"));
        assert!(kind_of("zzz").unwrap_err().message.ends_with("class, method, field or symbol"));
    }
}
