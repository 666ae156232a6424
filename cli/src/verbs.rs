//! The verbs: each calls one tool and prints its results.

use crate::command::{operand_paths, operand_text, texts, tool_args, workspace_options};
use crate::failure::{Failure, Result, glob_hint, text_at};
use crate::finish::{FILES, LINES, Noun, counted, finish, strings};
use crate::place::{Place, place, place_here};
use crate::print::{DIM, Form, MATCH, NAME, NUMBER, Out, printed_json, report};
use crate::rows::Rows;
use crate::table::{DOCS, FIND, OUTLINE, SCOPE, SEARCH, SYMBOLS, Verb};
use crate::types::name_pattern;
use clap::ArgMatches;
use searchscope::tools::{
    Outcome, ReplyForm, ToolReply, call_tool, find_each, open_workspace, search_each,
};
use searchscope::{Call, FoundFile, Workspace};
use serde_json::{Map, Value, json};
use std::ffi::{OsStr, OsString};

/// A run of a verb.
#[derive(Debug)]
struct Run<'a> {
    verb: &'static Verb,
    matches: &'a ArgMatches,
    args: Map<String, Value>,
}

/// The maximum length of a line that a tool returns whole to a pipe. On a terminal the tool's default
/// applies, which is a part around the match.
const LINE_BYTES_MAX: u64 = 8 << 20;

pub(crate) fn run(verb: &'static Verb, matches: &ArgMatches) -> Result<Outcome> {
    let run = Run { verb, matches, args: tool_args(verb, matches)? };
    match verb.name {
        name if name == SEARCH.name => run.search(),
        name if name == FIND.name => run.find(),
        name if name == SYMBOLS.name => run.symbols(),
        name if name == DOCS.name => run.docs(),
        name if name == SCOPE.name => run.scope(),
        name if name == OUTLINE.name => run.outline(),
        _ => Err(Failure::defect("a verb of the table does nothing")),
    }
}

impl Run<'_> {
    fn root(&self) -> Option<&OsStr> {
        self.matches.get_one::<OsString>("root").map(OsString::as_os_str)
    }

    /// Returns the form in which the reply of the tool is printed; `None` if the verb prints rows.
    fn reply_form(&self) -> Result<Option<ReplyForm>> {
        match (self.matches.get_flag("json"), self.matches.get_flag("compact")) {
            (true, true) => Err(Failure::new("--json and --compact are two forms; choose one")),
            (true, false) => Ok(Some(ReplyForm::Json)),
            (false, true) => Ok(Some(ReplyForm::Text)),
            (false, false) => Ok(None),
        }
    }

    fn out(&self) -> Out {
        Out::new(Form::of(self.matches))
    }

    /// Returns the place of the given paths.
    fn place(&self, paths: &[&OsStr]) -> Result<Place> {
        place(self.root(), paths)
    }

    fn open(&self, place: &Place) -> Result<Workspace> {
        let options = Value::Object(workspace_options(self.verb, self.matches)?);
        let opened = open_workspace(&place.root, options.to_string().as_bytes());
        opened.map_err(|error| self.failure(error))
    }

    fn failure(&self, error: searchscope::Error) -> Failure {
        let args = Value::Object(self.args.clone());
        Failure::of(error, self.verb, |param| text_at(&args, param).map(str::to_owned))
    }

    fn json_args(&self) -> Vec<u8> {
        serde_json::to_vec(&self.args).unwrap_or_default()
    }

    /// Calls a tool and returns its reply, with the outcome.
    fn call(&self, workspace: &Workspace, tool: &str) -> Result<(Value, Outcome)> {
        parsed(&self.call_in(workspace, tool, ReplyForm::Json)?)
    }

    /// Calls a tool and returns its reply in a form.
    fn call_in(&self, workspace: &Workspace, tool: &str, form: ReplyForm) -> Result<ToolReply> {
        let reply = call_tool(workspace, tool, &self.json_args(), form, &Call::new());
        reply.map_err(|error| self.failure(error))
    }

    /// Calls a tool and prints its reply as it is.
    fn print_reply(&self, place: &Place, tool: &str, form: ReplyForm) -> Result<Outcome> {
        let reply = self.call_in(&self.open(place)?, tool, form)?;
        let mut out = self.out();
        match form {
            ReplyForm::Text => out.end_with(&reply.bytes)?,
            ReplyForm::Json => {
                out.end_with(&printed_json(&reply.bytes, out.form.is_terminal))?;
                out.end()?;
            }
        }
        out.flush()?;
        Ok(reply.outcome)
    }

    fn search(mut self) -> Result<Outcome> {
        let mut patterns: Vec<String> = texts(self.matches, "regexp").map(str::to_owned).collect();
        let mut paths = operand_paths(self.matches, "PATH")?;
        if patterns.is_empty() {
            let pattern = operand_text(self.matches, "PATTERN")?;
            patterns.push(pattern.ok_or_else(|| missing("PATTERN", self.verb))?.to_owned());
        } else {
            paths.splice(0..0, operand_paths(self.matches, "PATTERN")?);
        }
        let place = self.place(&paths)?;
        self.args.insert("patterns".to_owned(), patterns.into());
        self.args.insert("paths".to_owned(), place.paths.clone().into());
        let types: Vec<&str> = texts(self.matches, "type").collect();
        if !types.is_empty() {
            self.args.insert("name_pattern".to_owned(), name_pattern(&types)?.into());
            self.args.insert("glob".to_owned(), true.into());
        }
        if let Some(form) = self.reply_form()? {
            return self.print_reply(&place, "search", form);
        }
        let mut out = self.out();
        if !out.form.is_pretty {
            self.args.insert("line_bytes_max".to_owned(), LINE_BYTES_MAX.into());
        }
        let is_of_lines = self.args.get("mode").is_none();
        let has_context = ["context_before", "context_after"]
            .iter()
            .any(|name| self.args.get(*name).and_then(Value::as_u64).is_some_and(|n| n > 0));
        let workspace = self.open(&place)?;
        let mut rows = Rows::new(&mut out, &place, has_context);
        let mut written = Ok(());
        let summary = search_each(&workspace, &self.json_args(), &Call::new(), &mut |result| {
            written = rows.result(result);
            written.is_ok()
        });
        written?;
        let (summary, outcome) = parsed(&summary.map_err(|error| self.failure(error))?)?;
        rows.finish()?;
        let n_files = rows.n_files;
        let noun = if is_of_lines { LINES } else { FILES };
        finish(&mut out, &place, &summary, noun, n_files)?;
        Ok(outcome)
    }

    fn find(mut self) -> Result<Outcome> {
        let pattern = operand_text(self.matches, "PATTERN")?;
        let place = self.place(&operand_paths(self.matches, "PATH")?)?;
        self.args.insert("paths".to_owned(), place.paths.clone().into());
        // The empty pattern matches every name.
        if self.args.get("name_pattern").is_some_and(|pattern| pattern == "") {
            self.args.remove("name_pattern");
        }
        let outcome = self.found_files(&place)?;
        let pattern = pattern.filter(|pattern| is_like_glob(pattern));
        if let Some(pattern) =
            pattern.filter(|_| outcome != Outcome::Found && !self.matches.get_flag("glob"))
        {
            report(&glob_hint(pattern));
        }
        Ok(outcome)
    }

    /// Prints the files that match the arguments.
    fn found_files(&self, place: &Place) -> Result<Outcome> {
        if let Some(form) = self.reply_form()? {
            return self.print_reply(place, "find", form);
        }
        let print0 = self.matches.try_get_one::<bool>("print0");
        let end: &[u8] = if print0.ok().flatten() == Some(&true) { b"\0" } else { b"\n" };
        let mut out = self.out();
        let workspace = self.open(place)?;
        let mut written = Ok(());
        let summary = find_each(&workspace, &self.json_args(), &Call::new(), &mut |file| {
            written = found_file(&mut out, place, file, end);
            written.is_ok()
        });
        written?;
        let (summary, outcome) = parsed(&summary.map_err(|error| self.failure(error))?)?;
        finish(&mut out, place, &summary, FILES, 0)?;
        Ok(outcome)
    }

    fn scope(mut self) -> Result<Outcome> {
        if self.args.get("scope").is_none() {
            return self.catalog();
        }
        // The files of a scope are the same from any directory of the project.
        let place = self.place(&[])?;
        self.args.insert("paths".to_owned(), json!(["."]));
        self.found_files(&place)
    }

    /// Prints the available scopes.
    fn catalog(mut self) -> Result<Outcome> {
        let place = self.place(&[])?;
        let limit = self.args.remove("files_max");
        self.args = Map::from_iter(limit.map(|limit| ("limit".to_owned(), limit)));
        // A shell has no open or selected files.
        self.args.insert("includeInteractiveScopes".to_owned(), false.into());
        if let Some(form) = self.reply_form()? {
            return self.print_reply(&place, "scope_list_catalog", form);
        }
        let (catalog, outcome) = self.call(&self.open(&place)?, "scope_list_catalog")?;
        let mut out = self.out();
        let items = list(&catalog["items"]);
        for item in items {
            out.text(NAME, text(item, "displayName"));
            out.plain("", "\t");
            out.text(DIM, text(item, "scopeRefId"));
            out.end()?;
        }
        let total = catalog["totalItems"].as_u64().unwrap_or(0);
        let more = if total > items.len() as u64 {
            format!("; there are {total}: raise --limit")
        } else {
            strings(&catalog["diagnostics"]).for_each(report);
            String::new()
        };
        self.ended(&mut out, items.len(), ("scope", "scopes"), &more)?;
        Ok(outcome)
    }

    fn symbols(mut self) -> Result<Outcome> {
        if let Some(Value::Array(kinds)) = self.args.get_mut("kinds") {
            for kind in kinds {
                *kind = kind.as_str().unwrap_or_default().to_uppercase().into();
            }
        }
        let place = self.place(&[])?;
        if let Some(form) = self.reply_form()? {
            return self.print_reply(&place, "scope_search_symbols", form);
        }
        let (found, outcome) = self.call(&self.open(&place)?, "scope_search_symbols")?;
        let mut out = self.out();
        let items = list(&found["items"]);
        for item in items {
            let path = text(item, "filePath");
            out.path(&place.shown(path), || place.absolute(path));
            out.plain("", ":");
            out.plain(NUMBER, &item["line"].to_string());
            out.plain("", ":");
            out.plain(DIM, &item["kind"].as_str().unwrap_or_default().to_lowercase());
            out.plain("", " ");
            out.text(NAME, text(item, "qualifiedName"));
            out.end()?;
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
        Ok(outcome)
    }

    fn docs(mut self) -> Result<Outcome> {
        let place = match &*operand_paths(self.matches, "DIR")? {
            [] => place_here(self.root())?,
            dir => self.place(dir)?,
        };
        let path = place.paths.first().filter(|path| *path != ".").map_or("", String::as_str);
        self.args.insert("path".to_owned(), format!("/{path}").into());
        if let Some(form) = self.reply_form()? {
            return self.print_reply(&place, "search_documents", form);
        }
        let (found, outcome) = self.call(&self.open(&place)?, "search_documents")?;
        let mut out = self.out();
        let mut n_matches = 0;
        let query = found["query"].as_str().unwrap_or_default();
        for document in list(&found["results"]) {
            let path = document["path"].as_str().unwrap_or_default().trim_start_matches('/');
            for one in list(&document["matches"]) {
                n_matches += 1;
                out.path(&place.shown(path.as_bytes()), || place.absolute(path.as_bytes()));
                out.plain("", ":");
                out.plain(NUMBER, &one["file_line"].to_string());
                out.plain("", ":");
                excerpt(&mut out, one["excerpt"].as_str().unwrap_or_default().trim(), query);
                out.end()?;
            }
        }
        let warnings = list(&found["warnings"]);
        for warning in warnings {
            let of = |name: &str| warning[name].as_str().unwrap_or_default().to_owned();
            report(&format!("{}: {}", of("path"), of("reason")));
        }
        let more = match (found["timed_out"] == true, found["truncated"] == true) {
            (true, _) => "; not complete: stopped by the time limit",
            (false, true) => "; not complete: stopped at the limit of the tool",
            (false, false) if n_matches == 0 && !warnings.is_empty() => {
                "; not complete: not everything could be read"
            }
            (false, false) => "",
        };
        self.ended(&mut out, n_matches, ("match", "matches"), more)?;
        Ok(outcome)
    }

    fn outline(mut self) -> Result<Outcome> {
        let place = self.place(&operand_paths(self.matches, "FILE")?)?;
        self.args.insert("what".to_owned(), place.paths.clone().into());
        self.args.insert("outline".to_owned(), true.into());
        if self.reply_form()? == Some(ReplyForm::Json) {
            return self.print_reply(&place, "read", ReplyForm::Json);
        }
        let outline = self.call_in(&self.open(&place)?, "read", ReplyForm::Text)?;
        let mut out = self.out();
        for line in String::from_utf8_lossy(&outline.bytes).lines() {
            let color = match line.as_bytes().first() {
                Some(b'#' | b'[') => DIM,
                Some(b' ' | b'>' | b'-') | None => "",
                Some(_) => NAME,
            };
            out.text(color, line.as_bytes());
            out.end()?;
        }
        out.flush()?;
        Ok(outline.outcome)
    }

    /// Ends the output of a verb whose tool has one reply.
    fn ended(&self, out: &mut Out, n: usize, noun: Noun, more: &str) -> Result<()> {
        out.flush()?;
        if out.form.is_pretty {
            let count = if n == 0 { "nothing found".to_owned() } else { counted(n as u64, noun) };
            out.plain(DIM, &format!("{count}{more}"));
            out.end()?;
            out.flush()?;
        } else if !more.is_empty() {
            report(more.trim_start_matches("; "));
        }
        Ok(())
    }
}

/// Whether a regex for a name is rather a glob: a `*` after a letter, a digit or a sign of names.
fn is_like_glob(pattern: &str) -> bool {
    pattern.match_indices('*').any(|(at, _)| {
        let before = pattern[..at].chars().next_back();
        before.is_some_and(|char| char.is_alphanumeric() || "_-".contains(char))
    })
}

/// Prints a file of `find`.
fn found_file(out: &mut Out, place: &Place, file: &FoundFile, end: &[u8]) -> Result<()> {
    if let Some(details) = file.details {
        let seconds = details.modified_ns.div_euclid(1_000_000_000);
        out.plain(
            DIM,
            &format!("{} {:>10} {} ", details.file_type.code(), details.size, utc(seconds)),
        );
    }
    let path = file.path.as_bytes();
    out.path(&place.shown(path), || place.absolute(path));
    out.end_with(end)?;
    out.deliver()
}

/// Formats seconds since 1970 as a UTC date and time.
fn utc(seconds: i128) -> String {
    let days = i64::try_from(seconds.div_euclid(86_400)).unwrap_or(0);
    let of_day = seconds.rem_euclid(86_400);
    // Days since 0000-03-01 in eras of 400 years (Hinnant, "chrono-compatible low-level date algorithms").
    let (era, day) = ((days + 719_468).div_euclid(146_097), (days + 719_468).rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let date = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + i64::from(month <= 2);
    let (hour, minute) = (of_day / 3_600, of_day / 60 % 60);
    format!("{year:04}-{month:02}-{date:02} {hour:02}:{minute:02}")
}

/// Appends an excerpt of a document, in which "**" surrounds the query. The document itself may contain such
/// signs.
fn excerpt(out: &mut Out, excerpt: &str, query: &str) {
    let is_query =
        |text: &str| text.get(..query.len()).is_some_and(|start| start.eq_ignore_ascii_case(query));
    let found = excerpt.match_indices("**").find_map(|(at, sign)| {
        let rest = &excerpt[at + sign.len()..];
        let after = rest.get(query.len()..).filter(|_| is_query(rest))?.strip_prefix(sign)?;
        Some((&excerpt[..at], &rest[..query.len()], after))
    });
    let (before, found, after) = found.unwrap_or((excerpt, "", ""));
    out.text("", before.as_bytes());
    if !found.is_empty() {
        out.text(MATCH, found.as_bytes());
    }
    out.text("", after.as_bytes());
}

fn parsed(reply: &ToolReply) -> Result<(Value, Outcome)> {
    let json = serde_json::from_slice(&reply.bytes);
    Ok((json.map_err(|_| Failure::defect("a reply is not JSON"))?, reply.outcome))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text<'a>(item: &'a Value, name: &str) -> &'a [u8] {
    item[name].as_str().unwrap_or_default().as_bytes()
}

fn missing(operand: &str, verb: &Verb) -> Failure {
    Failure::new(format!("{operand} is missing; \"searchscope {} --help\" shows how", verb.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_dates_of_utc() {
        assert_eq!(utc(0), "1970-01-01 00:00");
        assert_eq!(utc(951_782_399), "2000-02-28 23:59");
        assert_eq!(utc(951_782_400), "2000-02-29 00:00");
        assert_eq!(utc(1_764_055_742), "2025-11-25 07:29");
        assert_eq!(utc(-1), "1969-12-31 23:59");
    }
}
