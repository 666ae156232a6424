//! The verbs: each calls one tool and prints its results.

use crate::command::{is_given, operand_paths, tool_args, workspace_options};
use crate::failure::{Failure, Result};
use crate::finish::{Noun, counted};
use crate::input::is_unread_pipe;
use crate::place::{Place, place, place_here};
use crate::print::{DIM, Form, MATCH, NAME, NUMBER, Out, printed_json, report};
use crate::progress::Progress;
use crate::table::{DOCS, FIND, LOOK, OUTLINE, SCOPE, SEARCH, SYMBOLS, Verb};
use clap::ArgMatches;
use searchscope::{Call, Workspace};
use searchscope_tools::{Outcome, ReplyForm, ToolReply, call_tool, open_workspace};
use serde_json::{Map, Value, json};
use std::ffi::{OsStr, OsString};

/// A run of a verb.
#[derive(Debug)]
pub(crate) struct Run<'a> {
    pub(crate) verb: &'static Verb,
    pub(crate) matches: &'a ArgMatches,
    pub(crate) args: Map<String, Value>,
}

/// Runs a verb, and reports a pipe that it has not read.
pub(crate) fn run(verb: &'static Verb, matches: &ArgMatches) -> Result<Outcome> {
    let outcome = run_verb(verb, matches)?;
    if !has_place(verb, matches) && is_unread_pipe() {
        report(
            "the text on standard input was not read; searchscope reads files below a directory, and grep \
             PATTERN a pipe",
        );
    }
    Ok(outcome)
}

/// Returns whether the arguments name a place, so that standard input cannot be meant.
fn has_place(verb: &Verb, matches: &ArgMatches) -> bool {
    let is_place = |name: &str| {
        // With -e all operands are paths.
        let is_pattern = name == "PATTERN" && verb.name == SEARCH.name;
        ["PATH", "DIR", "FILE"].contains(&name) || is_pattern && is_given(matches, &["regexp"])
    };
    let places = verb.operands.iter().map(|operand| operand.name).filter(|name| is_place(name));
    places.chain(["root"]).any(|name| is_given(matches, &[name]))
}

fn run_verb(verb: &'static Verb, matches: &ArgMatches) -> Result<Outcome> {
    let run = Run { verb, matches, args: tool_args(verb, matches)? };
    match verb.name {
        name if name == SEARCH.name => run.search(),
        name if name == FIND.name => run.find(),
        name if name == SYMBOLS.name => run.symbols(),
        name if name == DOCS.name => run.docs(),
        name if name == SCOPE.name => run.scope(),
        name if name == OUTLINE.name => run.outline(),
        name if name == LOOK.name => run.look(),
        _ => Err(Failure::defect("a verb of the table does nothing")),
    }
}

impl Run<'_> {
    pub(crate) fn root(&self) -> Option<&OsStr> {
        self.matches.get_one::<OsString>("root").map(OsString::as_os_str)
    }

    /// Returns the form in which the reply of the tool is printed; `None` if the verb prints rows.
    pub(crate) fn reply_form(&self) -> Result<Option<ReplyForm>> {
        match (self.matches.get_flag("json"), self.matches.get_flag("compact")) {
            (true, true) => Err(Failure::new("--json and --compact are two forms; choose one")),
            (true, false) => Ok(Some(ReplyForm::Json)),
            (false, true) => Ok(Some(ReplyForm::Text)),
            (false, false) => Ok(None),
        }
    }

    pub(crate) fn out(&self) -> Out {
        Out::new(Form::of(self.matches))
    }

    /// Returns the place of the given paths.
    pub(crate) fn place(&self, paths: &[&OsStr]) -> Result<Place> {
        place(self.root(), paths)
    }

    pub(crate) fn open(&self, place: &Place) -> Result<Workspace> {
        let mut options = workspace_options(self.verb, self.matches)?;
        // As in ripgrep and fd, 0 is the default.
        if options.get("threads").is_some_and(|threads| threads == 0) {
            options.remove("threads");
        }
        let options = Value::Object(options).to_string();
        let opened = open_workspace(&place.root, options.as_bytes());
        opened.map_err(|error| self.failure(error))
    }

    pub(crate) fn failure(&self, error: searchscope::Error) -> Failure {
        Failure::of(error, self.verb, self.matches, &Value::Object(self.args.clone()))
    }

    pub(crate) fn json_args(&self) -> Vec<u8> {
        serde_json::to_vec(&self.args).unwrap_or_default()
    }

    /// Calls a tool and returns its reply, with the outcome.
    pub(crate) fn call(&self, workspace: &Workspace, tool: &str) -> Result<(Value, Outcome)> {
        parsed(&self.call_in(workspace, tool, ReplyForm::Json)?)
    }

    /// Calls a tool and returns its reply in a form.
    pub(crate) fn call_in(
        &self,
        workspace: &Workspace,
        tool: &str,
        form: ReplyForm,
    ) -> Result<ToolReply> {
        let call = Call::new();
        let progress = Progress::show(self.verb.name, call.cancel_token());
        let reply = call_tool(workspace, tool, &self.json_args(), form, &call);
        drop(progress);
        reply.map_err(|error| self.failure(error))
    }

    /// Calls a tool and prints its reply as it is.
    pub(crate) fn print_reply(
        &self,
        place: &Place,
        tool: &str,
        form: ReplyForm,
    ) -> Result<Outcome> {
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

    fn scope(mut self) -> Result<Outcome> {
        if self.args.get("scope").is_none() {
            return self.catalog();
        }
        // The files of a scope are the same from any directory of the project.
        let place = self.place(&[])?;
        self.args.insert("paths".to_owned(), json!(["."]));
        self.found_files(&place, b"\n", false)
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
        self.print_text(&place, "read")
    }

    fn look(self) -> Result<Outcome> {
        if !self.args.contains_key("q") && !self.args.contains_key("like") {
            return Err(missing("QUESTION", self.verb));
        }
        let place = place_here(self.root())?;
        self.print_text(&place, "look")
    }

    /// Calls a tool whose reply is a text and prints it, or its JSON.
    fn print_text(&self, place: &Place, tool: &str) -> Result<Outcome> {
        if self.reply_form()? == Some(ReplyForm::Json) {
            return self.print_reply(place, tool, ReplyForm::Json);
        }
        let reply = self.call_in(&self.open(place)?, tool, ReplyForm::Text)?;
        let mut out = self.out();
        for line in String::from_utf8_lossy(&reply.bytes).lines() {
            let color = match line.as_bytes().first() {
                Some(b'#' | b'[') => DIM,
                Some(b' ' | b'>' | b'-') | None => "",
                Some(_) => NAME,
            };
            out.text(color, line.as_bytes());
            out.end()?;
        }
        out.flush()?;
        Ok(reply.outcome)
    }

    /// Ends the output of a verb whose tool has one reply.
    pub(crate) fn ended(&self, out: &mut Out, n: usize, noun: Noun, more: &str) -> Result<()> {
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

pub(crate) fn parsed(reply: &ToolReply) -> Result<(Value, Outcome)> {
    let json = serde_json::from_slice(&reply.bytes);
    Ok((json.map_err(|_| Failure::defect("a reply is not JSON"))?, reply.outcome))
}

pub(crate) fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

pub(crate) fn text<'a>(item: &'a Value, name: &str) -> &'a [u8] {
    item[name].as_str().unwrap_or_default().as_bytes()
}

pub(crate) fn missing(operand: &str, verb: &Verb) -> Failure {
    Failure::new(format!("{operand} is missing; \"searchscope {} --help\" shows how", verb.name))
}
