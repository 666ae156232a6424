//! Case files: their format, and the comparison of an outcome with the expectation of a case.
//!
//! A file names a tool and contains workspaces; a workspace contains a tree, options and cases; a case is one
//! call and one expected answer. Unknown keys are refused, so a misspelt one cannot weaken a case.

use crate::face::{Call, Outcome};
use crate::hits::{ExpectedFailure, difference_in_hits};
use crate::mask::{holds, mask};
use crate::notation::{expand, expand_text};
use crate::tree::Entry;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::path::Path;

/// One case file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseFile {
    /// The tool of every case that does not name its own.
    pub tool: String,
    /// The trees, each with its cases.
    pub workspace: Vec<WorkspaceCases>,
}

/// A tree, the options of the workspace over it, and the calls made on it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorkspaceCases {
    /// Title of the tree.
    pub name: String,
    /// Options of the workspace, as JSON.
    #[serde(default)]
    pub options: Map<String, Value>,
    /// Whether the cases need a user to whom the system can deny access: not root.
    #[serde(default)]
    pub unprivileged: bool,
    /// The entries of the tree.
    pub tree: Vec<Entry>,
    /// The calls.
    pub case: Vec<Case>,
}

/// One call and the expected outcome: one of `reply`, `has`, `matches`, `files`, `hits`, `failure`,
/// `error` and `any`; `hits` and `has` also together.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Name of the case: the behaviour that it shows.
    pub name: String,
    /// The tool, if it is not that of the file.
    pub tool: Option<String>,
    /// The arguments.
    pub args: Option<Value>,
    /// The arguments as the exact text to send.
    pub args_json: Option<String>,
    /// The reply as JSON text, compared without white space but with the order of keys. Times are 0 and
    /// cursors `<cursor>` ([mask](crate::mask)).
    pub reply: Option<String>,
    /// A part of the reply as JSON text: of objects the named fields, of arrays all items.
    pub has: Option<String>,
    /// Top-level fields that the reply must not have.
    #[serde(default)]
    pub lacks: Vec<String>,
    /// The reply of `search_in_files`, one `path:line:text` per match.
    pub matches: Option<Vec<String>>,
    /// In addition to `matches`: its `files_searched`.
    pub searched: Option<u64>,
    /// In addition to `matches`: its `warnings` as JSON text, if there are any.
    pub warnings: Option<String>,
    /// The reply of `find_files_by_name`.
    pub files: Option<Vec<String>>,
    /// All results of `find_and_grep`, one `path:line:column:content` each.
    pub hits: Option<Vec<String>>,
    /// The failed reply of `find_and_grep`.
    pub failure: Option<ExpectedFailure>,
    /// The error.
    pub error: Option<ExpectedError>,
    /// Reason why the case only requires that the call returns.
    pub any: Option<String>,
    /// Whether the case needs a file system on which letter case matters: not that of Windows.
    #[serde(default)]
    pub case_sensitive: bool,
}

/// Expectations of an error; absent fields are not compared.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExpectedError {
    /// The text code.
    pub code: String,
    /// The whole message.
    pub message: Option<String>,
    /// The start of the message.
    pub starts: Option<String>,
    /// Parts of the message.
    #[serde(default)]
    pub contains: Vec<String>,
    /// The parameter at fault.
    pub param: Option<String>,
    /// Start and end of the mistake in the text of the parameter, in bytes.
    pub span: Option<[u64; 2]>,
}

/// Reads every case file of a directory, ordered by name.
///
/// # Panics
/// If a file is not a case file, with its name and the reason.
pub fn load(directory: &Path) -> Vec<(String, CaseFile)> {
    let entries = std::fs::read_dir(directory).expect("the directory of the cases exists");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("it is readable").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    paths.sort();
    let load_one = |path: std::path::PathBuf| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("a case file is readable");
        let file = toml::from_str(&text).unwrap_or_else(|error| panic!("{name}.toml: {error}"));
        (name, file)
    };
    paths.into_iter().map(load_one).collect()
}

impl Case {
    /// Returns the call of this case.
    pub fn call(&self, tool: &str, root: &Path) -> Call {
        let args = match (&self.args, &self.args_json) {
            (Some(args), None) => args.to_string(),
            (None, Some(text)) => text.clone(),
            _ => panic!("{}: exactly one of args and args_json", self.name),
        };
        Call { tool: self.tool.as_deref().unwrap_or(tool).to_owned(), args: expand(&args, root) }
    }

    /// Describes the difference between `outcome` and the expectation of this case; `None` if they agree.
    pub fn difference(&self, outcome: &Outcome, root: &Path) -> Option<String> {
        if self.any.is_some() {
            return None;
        }
        if self.has.is_some() || self.hits.is_some() || self.failure.is_some() {
            return match outcome {
                Outcome::Reply(bytes) => self.difference_in_parts(bytes, root),
                failure => Some(format!("expected a reply\n     got {failure}")),
            };
        }
        match (self.expected_reply(root), &self.error, outcome) {
            (Some(expected), None, Outcome::Reply(bytes)) => {
                let got = parse_json(bytes).map_or_else(|why| why, |value| mask(value).to_string());
                let expected = expected.to_string();
                (got != expected).then(|| format!("expected {expected}\n     got {got}"))
            }
            (None, Some(expected), Outcome::Failure { code, error }) => {
                expected.difference(code, error, root)
            }
            (Some(expected), None, failure) => {
                Some(format!("expected {expected}\n     got {failure}"))
            }
            (None, Some(expected), reply) => {
                Some(format!("expected {expected:?}\n     got {reply}"))
            }
            _ => panic!(
                "{}: exactly one of reply, has, matches, files, hits, failure, error, any",
                self.name
            ),
        }
    }

    fn difference_in_parts(&self, bytes: &[u8], root: &Path) -> Option<String> {
        let got = match parse_json(bytes) {
            Ok(got) => mask(got),
            Err(why) => return Some(why),
        };
        let hits = self.hits.as_ref().and_then(|hits| difference_in_hits(hits, &got, root));
        let failure = self.failure.as_ref().and_then(|failure| failure.difference(&got, root));
        hits.or(failure).or_else(|| {
            let part = self.has.as_ref()?;
            self.difference_in_part(part, &got, root)
        })
    }

    fn difference_in_part(&self, part: &str, got: &Value, root: &Path) -> Option<String> {
        let part =
            parse_json(&expand(part, root)).unwrap_or_else(|why| panic!("{}: {why}", self.name));
        let surplus = self.lacks.iter().find(|field| got.get(field.as_str()).is_some());
        (!holds(got, &part) || surplus.is_some()).then(|| {
            let lacks = &self.lacks;
            format!("expected in it {part}\n    and without {lacks:?}\n     got {got}")
        })
    }

    /// Returns the reply that this case expects, if it expects one.
    pub fn expected_reply(&self, root: &Path) -> Option<Value> {
        if let Some(part) = &self.has {
            let got = parse_json(&expand(part, root));
            return Some(got.unwrap_or_else(|why| panic!("{}: {why}", self.name)));
        }
        match (&self.reply, &self.matches, &self.files) {
            (None, None, None) => None,
            (Some(reply), None, None) => {
                let text = expand(reply, root);
                Some(parse_json(&text).unwrap_or_else(|why| panic!("{}: {why}", self.name)))
            }
            (None, Some(matches), None) => {
                let searched = self.searched.expect("matches go with searched");
                let matches: Vec<Value> = matches.iter().map(|text| match_of(text, root)).collect();
                let total = matches.len();
                let mut reply = json!({
                    "matches": matches,
                    "total_matches": total,
                    "files_searched": searched,
                    "timed_out": false,
                });
                if let Some(warnings) = &self.warnings {
                    let warnings = parse_json(&expand(warnings, root));
                    reply["warnings"] =
                        warnings.unwrap_or_else(|why| panic!("{}: {why}", self.name));
                }
                Some(reply)
            }
            (None, None, Some(files)) => {
                let files: Vec<String> = files.iter().map(|path| expand_text(path, root)).collect();
                Some(json!({ "files": files, "total_found": files.len() }))
            }
            _ => panic!("{}: more than one expected reply", self.name),
        }
    }
}

impl ExpectedError {
    fn difference(&self, code: &str, error: &[u8], root: &Path) -> Option<String> {
        let got = match parse_json(error) {
            Ok(got) => got,
            Err(why) => return Some(why),
        };
        let message = got["message"].as_str().unwrap_or_default();
        let text = |text: &Option<String>| text.as_ref().map(|text| expand_text(text, root));
        let wrong = [
            code != self.code || got["code"] != self.code.as_str(),
            text(&self.message).is_some_and(|expected| message != expected),
            text(&self.starts).is_some_and(|expected| !message.starts_with(&expected)),
            self.contains.iter().any(|part| !message.contains(&expand_text(part, root))),
            self.param.as_ref().is_some_and(|param| got["param"] != param.as_str()),
            self.span
                .is_some_and(|[start, end]| got["span"] != json!({"start": start, "end": end})),
            message.is_empty(),
        ];
        wrong.contains(&true).then(|| format!("expected {self:?}\n     got {code} {got}"))
    }
}

fn match_of(text: &str, root: &Path) -> Value {
    let text = expand_text(text, root);
    let mut parts = text.splitn(3, ':');
    let mut part = || parts.next().unwrap_or_else(|| panic!("{text:?} is not path:line:text"));
    let (path, line, content) = (part(), part(), part());
    let line: u64 = line.parse().unwrap_or_else(|_| panic!("{text:?} is not path:line:text"));
    json!({ "file_path": path, "line_number": line, "line_content": content })
}

fn parse_json(bytes: &[u8]) -> Result<Value, String> {
    serde_json::from_slice(bytes)
        .map_err(|error| format!("not JSON ({error}): {}", String::from_utf8_lossy(bytes)))
}
