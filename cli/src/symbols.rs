//! The verb `symbols`.

use crate::failure::{Failure, Result};
use crate::finish::strings;
use crate::place::Place;
use crate::print::{DIM, NAME, NUMBER, Out, escaped, report};
use crate::verbs::{Run, list, text};
use searchscope::{SymbolKind, Workspace};
use searchscope_tools::Outcome;
use serde_json::{Value, json};

/// The space between two columns, and the maximum widths of places and of names.
const GAP: usize = 2;
const COLUMN_MAX: usize = 60;
const NAME_MAX: usize = 40;
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
        self.args.insert("signatures".to_owned(), true.into());
        let place = self.place(&[])?;
        if let Some(form) = self.reply_form()? {
            return self.print_reply(&place, "scope_search_symbols", form);
        }
        let workspace = self.open(&place)?;
        let (found, outcome) = self.call(&workspace, "scope_search_symbols")?;
        let mut out = self.out();
        let items = list(&found["items"]);
        match out.form.is_pretty {
            true => columns(&place, items, &mut out)?,
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

/// Prints definitions in columns, each with its signature.
fn columns(place: &Place, items: &[Value], out: &mut Out) -> Result<()> {
    let place_of = |item: &Value| {
        let shown = place.shown(text(item, "filePath"));
        width_of(&String::from_utf8_lossy(&shown)) + 1 + item["line"].to_string().len()
    };
    let shown = |item: &Value, name: &str| String::from_utf8_lossy(text(item, name)).into_owned();
    let widest = |width: &dyn Fn(&Value) -> usize| items.iter().map(width).max().unwrap_or(0);
    let place_width = widest(&place_of).min(COLUMN_MAX);
    let keyword_width = widest(&|item| shown(item, "keyword").len());
    let name_width = widest(&|item| width_of(&shown(item, "qualifiedName"))).min(NAME_MAX);
    let padding = |have: usize, want: usize| " ".repeat(want.saturating_sub(have) + GAP);
    for item in items {
        print_place(place, item, out);
        out.plain("", &padding(place_of(item), place_width));
        let keyword = shown(item, "keyword");
        out.plain(DIM, &keyword);
        out.plain("", &padding(keyword.len(), keyword_width));
        out.text(NAME, text(item, "qualifiedName"));
        out.plain("", &padding(width_of(&shown(item, "qualifiedName")), name_width));
        out.text(DIM, text(item, "signature"));
        out.end()?;
    }
    Ok(())
}

/// Prints definitions as `path:line:keyword name`.
fn rows(place: &Place, items: &[Value], out: &mut Out) -> Result<()> {
    for item in items {
        print_place(place, item, out);
        out.plain("", ":");
        out.text(DIM, text(item, "keyword"));
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

/// Returns the number of columns of a text, as it is printed.
fn width_of(text: &str) -> usize {
    escaped(text, '\0').chars().count()
}

/// Returns the words for kinds: those of languages, and of the tool for groups.
pub(crate) fn kinds() -> impl Iterator<Item = &'static str> {
    let words = SymbolKind::ALL.iter().flat_map(|kind| kind.words()).copied();
    words.filter(|word| !word.contains(' ')).chain(["symbol"])
}

/// Returns the tool's word for a kind of definition, which has one word for each group of kinds.
fn kind_of(given: &str) -> Result<&'static str> {
    let word = given.to_lowercase();
    let named = SymbolKind::from_word(&word).map(|kind| kind.group().code());
    let mut codes = SymbolKind::ALL.iter().map(|kind| kind.group().code());
    let group = named.or_else(|| codes.find(|code| code.eq_ignore_ascii_case(&word)));
    if let Some(group) = group {
        return Ok(group);
    }
    let near = kinds().map(|known| (strsim::jaro_winkler(known, &word), known));
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
    fn kinds_have_the_words_of_languages() {
        for (given, kind) in
            [("function", "METHOD"), ("Struct", "CLASS"), ("const", "FIELD"), ("symbol", "SYMBOL")]
        {
            assert_eq!(kind_of(given).unwrap(), kind);
        }
        let failure = kind_of("fucntion").unwrap_err();
        assert!(failure.message.ends_with("no kind 'fucntion'; did you mean 'function'?"));
        assert!(kind_of("zzz").unwrap_err().message.ends_with("class, method, field or symbol"));
    }
}
