//! The tools: one JSON contract per file, and the table of them all.
//!
//! Only this layer knows JSON, and only it has defaults and limits. A tool reads its arguments,
//! makes a native request of them, and shapes the reply; whatever it cannot express is missing in
//! the engine, not here.

mod apart;
mod args;
mod delivery;
mod documents;
mod elsewhere;
mod file_mask;
mod files_args;
mod find;
mod find_and_grep;
mod find_files_by_name;
mod forms;
mod freed;
mod grep;
mod js_values;
mod json;
mod json_type;
mod list_documents;
mod listed;
mod long_lines;
mod look;
mod occurrences;
mod read;
mod read_document;
mod reply;
mod schema;
mod scope_arg;
mod scope_describe_program;
mod scope_list_catalog;
mod scope_resolve_program;
mod scope_search_files;
#[cfg(feature = "symbols")]
mod scope_search_symbols;
mod scope_search_text;
mod scope_told;
mod scope_validate_pattern;
mod scope_wire;
mod search;
mod search_documents;
mod search_in_files;
mod search_result;
mod stream;
mod text;
mod told;
mod values;
mod wire;

pub use reply::error_json;
pub use search_result::SearchResult;
pub use stream::{find_each, found_file_json, search_each};

use crate::error::{Error, ErrorKind, Result};
use crate::pattern::{PatternOptions, Syntax};
use crate::syntax::{Grammars, SearchContext};
use crate::{CancelToken, Workspace, WorkspaceOptions};
use forms::OtherNames;
use json_type::JsonType;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// A reply is never larger than this, contracts.md section 0.
pub(crate) const REPLY_BYTES_MAX: usize = 16 * 1024 * 1024;

/// No caller writes longer arguments by hand; a host that does sets `args_bytes_max`.
pub(crate) const ARGS_BYTES_MAX: usize = 4 * 1024 * 1024;

/// One tool: a contract with its name, its description for agents, its schemas and its engine.
#[derive(Debug)]
#[non_exhaustive]
pub struct Tool {
    /// The name callers use.
    pub name: &'static str,
    /// What the tool does, for an agent that has never seen it.
    pub description: &'static str,
    forms: forms::Rules,
    is_strict: bool,
    shows_args: bool,
    replies_text: bool,
    text_defaults: TextDefaults,
    args_type: OnceLock<JsonType>,
    input_schema: fn() -> Value,
    output_schema: fn() -> Value,
    run: Run,
}

/// Returns the arguments that a reply as text has unless the call gives them.
type TextDefaults = fn(&Value) -> Map<String, Value>;

/// Calls a tool with the type of its arguments and these, or with what is wrong with them.
type Run = fn(&Workspace, &JsonType, &CancelToken, Result<Value>) -> Result<Vec<u8>>;

/// What a tool's file implements.
trait Contract {
    const NAME: &'static str;
    const DESCRIPTION: &'static str;
    type Args: for<'a> Deserialize<'a> + JsonSchema + Send + 'static;
    type Reply: Serialize + JsonSchema + Send + 'static;

    /// How long a call may take that has these arguments.
    fn timeout(args: &Self::Args) -> Duration;

    fn run(workspace: &Workspace, args: Self::Args, call: &Call<'_>) -> Result<Self::Reply>;

    /// Gives an error in the shape of the contract, where that has one for it.
    fn failed(error: Error, _call: &Call<'_>) -> Result<Self::Reply> {
        Err(error)
    }

    /// Arguments that the contract clamps or replaces where they are not as advertised; the tool
    /// itself judges them.
    const LENIENT: &'static [&'static str] = &[];

    /// Names that callers expect for another parameter than they may mean, and what to tell them.
    const EXPECTED: &'static [(&'static str, &'static str)] = &[];

    /// Parameters with the other names that callers have for them and that can mean nothing else.
    const OTHER_NAMES: &'static [OtherNames] = &[];

    /// Whether only the names and shapes of the contract are taken, because its document says so.
    const STRICT: bool = false;

    /// Whether the reply is a text already, in its field `text`.
    const REPLIES_TEXT: bool = false;

    /// Arguments of a call whose reply is text, unless it gives them.
    const TEXT_DEFAULTS: TextDefaults = |_| Map::new();

    /// Whether error replies show the arguments as they came, so that all of them have to be read.
    const SHOWS_ARGS: bool = false;

    /// How large a reply may become.
    const REPLY_BYTES_MAX: usize = REPLY_BYTES_MAX;
}

/// How long a sink may take: what it makes of one file can be much.
#[derive(Clone)]
struct Time {
    until: Option<Instant>,
    cancel: CancelToken,
}

impl Time {
    /// The time of a call that has `timeout` from its start.
    fn of(call: &Call<'_>, timeout: Duration) -> Time {
        Time { until: call.started.checked_add(timeout), cancel: call.cancel.clone() }
    }

    fn is_over(&self) -> bool {
        self.cancel.is_cancelled() || self.until.is_some_and(|until| Instant::now() >= until)
    }
}

/// One call of a tool.
struct Call<'a> {
    /// The arguments as they came: a JSON object.
    args: &'a Value,
    cancel: &'a CancelToken,
    started: Instant,
}

impl Call<'_> {
    /// Whether the caller gave this argument.
    fn is_given(&self, name: &str) -> bool {
        self.args.get(name).is_some()
    }
}

/// A build without parsers has no tool for definitions.
const N_TOOLS: usize = if cfg!(feature = "symbols") { 18 } else { 17 };

/// Every tool, in the order they are listed.
pub static TOOLS: [Tool; N_TOOLS] = [
    Tool::of::<search::Search>(),
    Tool::of::<find::Find>(),
    Tool::of::<search_in_files::SearchInFiles>(),
    Tool::of::<find_files_by_name::FindFilesByName>(),
    Tool::of::<find_and_grep::FindAndGrep>(),
    Tool::of::<grep::Grep>(),
    Tool::of::<search_documents::SearchDocuments>(),
    Tool::of::<list_documents::ListDocuments>(),
    Tool::of::<read_document::ReadDocument>(),
    Tool::of::<scope_list_catalog::ScopeListCatalog>(),
    Tool::of::<scope_validate_pattern::ScopeValidatePattern>(),
    Tool::of::<scope_resolve_program::ScopeResolveProgram>(),
    Tool::of::<scope_describe_program::ScopeDescribeProgram>(),
    Tool::of::<scope_search_files::ScopeSearchFiles>(),
    Tool::of::<scope_search_text::ScopeSearchText>(),
    #[cfg(feature = "symbols")]
    Tool::of::<scope_search_symbols::ScopeSearchSymbols>(),
    Tool::of::<look::Look>(),
    Tool::of::<read::Read>(),
];

impl Tool {
    const fn of<C: Contract>() -> Tool {
        Tool {
            name: C::NAME,
            description: C::DESCRIPTION,
            forms: forms::Rules {
                names: C::OTHER_NAMES,
                advice: C::EXPECTED,
                as_given: C::LENIENT,
            },
            is_strict: C::STRICT,
            shows_args: C::SHOWS_ARGS,
            replies_text: C::REPLIES_TEXT,
            text_defaults: C::TEXT_DEFAULTS,
            args_type: OnceLock::new(),
            input_schema: schema::of_input::<C::Args>,
            output_schema: schema::of_output::<C::Reply>,
            run: |workspace, args_type, cancel, args| {
                let (args, refused) = match args {
                    Ok(args) => (args, Ok(())),
                    Err(refusal) => (Value::Object(Map::new()), Err(refusal)),
                };
                args::refuse_other_than_object(&args)?;
                let call = Call { args: &args, cancel, started: Instant::now() };
                let decoded = refused
                    .and_then(|()| args::check(args_type, &args, C::LENIENT))
                    .and_then(|()| args::decode(&args));
                let bytes_max = reply::bytes_max(workspace, C::REPLY_BYTES_MAX);
                let encode = |reply: C::Reply| reply::encode(&reply, bytes_max);
                let reply = decoded.and_then(|args| {
                    let timeout = C::timeout(&args);
                    apart::call(workspace, &call, timeout, |workspace, call| {
                        C::run(workspace, args, call)
                    })
                });
                let bytes = reply.and_then(encode);
                bytes.or_else(|error| encode(C::failed(error, &call)?))
            },
        }
    }

    /// Returns the tool of that name.
    fn named(name: &str) -> Result<&'static Tool> {
        TOOLS.iter().find(|tool| tool.name == name).ok_or_else(|| {
            let names: Vec<&str> = TOOLS.iter().map(|tool| tool.name).collect();
            Error::invalid_param("tool", args::unknown("tool", name, &names))
        })
    }

    /// Returns the error for the parameter `name` if the tool has none of that name and need not read
    /// its value.
    fn unknown_parameter(&self, name: &str) -> Option<Error> {
        let is_known = || forms::parameter_of(self.args_type(), self.forms.names, name).is_some();
        if self.shows_args || is_known() {
            return None;
        }
        let expected = self.forms.advice.iter().find(|(expected, _)| *expected == name);
        match expected {
            Some((_, advice)) => {
                let message = format!("unknown parameter '{name}': {advice}");
                Some(Error::invalid_param(name, message))
            }
            None => args::unknown_parameter(self.args_type(), name),
        }
    }

    /// Reads the arguments of a call and brings them into the form of the contract.
    ///
    /// The inner error is one that a contract answers in its own shape.
    fn read_args(&self, args: &[u8], bytes_max: usize) -> Result<Result<Value>> {
        let args = json::parse(args, &|name| self.unknown_parameter(name), bytes_max)?;
        if self.is_strict {
            return Ok(args);
        }
        Ok(args.and_then(|args| forms::in_contract_form(self.args_type(), &self.forms, args)))
    }

    /// Returns the JSON schema that arguments are checked against.
    pub fn input_schema(&self) -> Value {
        (self.input_schema)()
    }

    /// Returns the type that arguments must have.
    fn args_type(&self) -> &JsonType {
        self.args_type.get_or_init(|| JsonType::of(&self.input_schema()))
    }

    /// Returns the JSON schema of the arguments as a list of tools for agents shows it: the same
    /// parameters in fewer bytes, and `scope` as a text.
    pub fn list_schema(&self) -> Value {
        listed::of(&self.input_schema())
    }

    /// Returns the JSON schema of the reply.
    pub fn output_schema(&self) -> Value {
        (self.output_schema)()
    }
}

impl Workspace {
    /// Calls the tool `name` with one JSON object and gives its JSON reply.
    ///
    /// The same arguments give the same bytes in every language.
    ///
    /// ```
    /// use searchscope::{CancelToken, Workspace};
    /// # fn main() -> searchscope::Result<()> {
    /// # let dir = tempfile::tempdir().unwrap();
    /// # std::fs::write(dir.path().join("a.rs"), "fn main() {}\n").unwrap();
    /// let workspace = Workspace::open(dir.path(), &Default::default())?;
    /// let reply = workspace.call("search_in_files", br#"{"query": "fn main"}"#, &CancelToken::new())?;
    /// assert!(reply.starts_with(br#"{"matches":[{"file_path":"a.rs","line_number":1,"#));
    /// let error = workspace.call("search_in_files", b"{}", &CancelToken::new()).unwrap_err();
    /// assert_eq!(error.message(), "missing required parameter 'query'");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As the tool's contract says; `invalid_param` for an unknown tool and for arguments that are
    /// not what its schema asks for; `cancelled`.
    pub fn call(&self, name: &str, args: &[u8], cancel: &CancelToken) -> Result<Vec<u8>> {
        self.call_with(Tool::named(name)?, args, &|_| Map::new(), cancel)
    }

    /// Calls `tool` with `args` and the defaults of those that they lack.
    fn call_with(
        &self,
        tool: &Tool,
        args: &[u8],
        defaults: &dyn Fn(&Value) -> Map<String, Value>,
        cancel: &CancelToken,
    ) -> Result<Vec<u8>> {
        let bytes_max = args_bytes_max(self);
        freed::returning_memory(args.len().min(bytes_max), || {
            let mut args = tool.read_args(args, bytes_max)?;
            if let Ok(args) = &mut args {
                let defaults = defaults(args);
                if let Value::Object(args) = args {
                    for (name, value) in defaults {
                        args.entry(name).or_insert(value);
                    }
                }
            }
            (tool.run)(self, tool.args_type(), cancel, args)
        })
    }

    /// Calls the tool `name` as [`Workspace::call`] does and returns its reply as plain text, for agents
    /// and people: each path once, its rows beneath it as ` line: text`, then remarks, and one last line
    /// in brackets with totals, completeness and the cursor.
    ///
    /// Every line is of one kind, by its first bytes: `>`, ` ` or `-` before a number begins a row (a
    /// definition, a match, context), `# ` a remark, `[` the last line, and anything else a path. No
    /// file can imitate another kind: control characters are escaped, and a path that would look like
    /// another kind is quoted. A reply that is an error in the shape of its contract begins with
    /// `# error:`. Indentation that all rows of a file share is left out, as are times. A page of
    /// `search` has at most 100 rows and some 20 KiB unless the arguments say otherwise, and its last
    /// line has the totals of all pages.
    ///
    /// ```
    /// use searchscope::{CancelToken, Workspace};
    /// # fn main() -> searchscope::Result<()> {
    /// # let dir = tempfile::tempdir().unwrap();
    /// # std::fs::write(dir.path().join("a.rs"), "fn main() {}\n").unwrap();
    /// let workspace = Workspace::open(dir.path(), &Default::default())?;
    /// let args = br#"{"query": "fn main"}"#;
    /// let text = workspace.call_text("search_in_files", args, &CancelToken::new())?;
    /// let last = "[complete: true; total_matches: 1; files_searched: 1; timed_out: false]";
    /// assert_eq!(text, format!("a.rs\n 1: fn main() {{}}\n{last}\n"));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`Workspace::call`]; `result_too_large` also for a text that is larger than its JSON and
    /// than a reply may be.
    pub fn call_text(&self, name: &str, args: &[u8], cancel: &CancelToken) -> Result<String> {
        let tool = Tool::named(name)?;
        let reply = self.call_with(tool, args, &tool.text_defaults, cancel)?;
        let text = if tool.replies_text { text::of_text(&reply) } else { text::of_json(&reply) };
        let bytes_max = reply::bytes_max(self, REPLY_BYTES_MAX).max(reply.len());
        if text.len() > bytes_max { Err(reply::larger_than(bytes_max)) } else { Ok(text) }
    }
}

/// How many bytes the arguments of a call may have.
fn args_bytes_max(workspace: &Workspace) -> usize {
    workspace.options().args_bytes_max.unwrap_or(ARGS_BYTES_MAX)
}

/// Opens a workspace with its options as a JSON object; empty bytes mean none.
///
/// The object may hold `threads`, `deny`, `require_git`, `output_dir`, `reply_bytes_max`,
/// `args_bytes_max`, `docs_root`, `excludes`, `doc_suffixes` and `front_matter_hyphens_min`, as [`WorkspaceOptions`].
///
/// # Errors
///
/// Those of [`Workspace::open`], and `invalid_param` for options that are not what they should be.
pub fn open_workspace(root: &Path, options: &[u8]) -> Result<Workspace> {
    /// The options of a workspace, as hosts send them.
    #[derive(Default, Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields, default)]
    struct Options {
        #[schemars(range(min = 1, max = 64))]
        threads: Option<usize>,
        deny: Vec<String>,
        require_git: bool,
        output_dir: Option<PathBuf>,
        #[schemars(range(min = 65_536, max = 67_108_864))]
        reply_bytes_max: Option<usize>,
        #[schemars(range(min = 1_024, max = 67_108_864))]
        args_bytes_max: Option<usize>,
        docs_root: Option<PathBuf>,
        excludes: Vec<String>,
        doc_suffixes: Vec<String>,
        #[schemars(range(min = 3, max = 4))]
        front_matter_hyphens_min: Option<usize>,
    }
    let expected = JsonType::of(&schema::of_input::<Options>());
    let mut options = match options {
        b"" => Value::Null,
        options => {
            let unknown = |name: &str| args::unknown_parameter(&expected, name);
            json::parse(options, &unknown, ARGS_BYTES_MAX)??
        }
    };
    if options.is_null() {
        options = Value::Object(Map::new());
    }
    args::check(&expected, &options, &[])?;
    let options: Options = args::decode(&options)?;
    let options = WorkspaceOptions {
        threads: options.threads,
        deny: options.deny,
        require_git: options.require_git,
        output_dir: options.output_dir,
        reply_bytes_max: options.reply_bytes_max,
        args_bytes_max: options.args_bytes_max,
        docs_root: options.docs_root,
        excludes: options.excludes,
        doc_suffixes: options.doc_suffixes,
        front_matter_hyphens_min: options.front_matter_hyphens_min,
    };
    Workspace::open(root, &options)
}

/// An error about a path, in the words that the seeds' tools share.
fn path_error(error: Error, path: &str) -> Error {
    let outside = format!("PATH_SECURITY_ERROR: Path '{path}' is outside project root");
    match error.kind() {
        ErrorKind::NotFound => error.with_message(format!("PATH_NOT_FOUND: {path}")),
        // The workspace's own refusals say that they are its own.
        ErrorKind::AccessDenied if error.message().contains("outside the root") => {
            error.with_message(outside)
        }
        ErrorKind::AccessDenied => error,
        _ => return error,
    }
    .with_param("path")
    .with_path(path)
}

/// contracts.md section 0: the text of a regex, unless the host asks for more.
const REGEX_BYTES_MAX: usize = 4 * 1024;
/// Where a contract gives whole lines: one this long is not, and it is also the longest that is held
/// in memory.
const LINE_BYTES_MAX: usize = 8 * 1024 * 1024;

/// Refuses a regex whose text is longer than tools take.
fn check_regex(param: &str, pattern: &PatternOptions) -> Result<()> {
    let len: usize = pattern.patterns.iter().map(String::len).sum();
    if pattern.syntax == Syntax::Literal || len <= REGEX_BYTES_MAX {
        return Ok(());
    }
    let message = format!("it has {len} bytes, {REGEX_BYTES_MAX} are allowed");
    Err(Error::new(ErrorKind::PatternSyntax, message).with_param(param))
}

/// The grammars that a search with this `context` needs; `param` is what asks for them.
fn grammars_for(
    workspace: &Workspace,
    context: SearchContext,
    param: &str,
) -> Result<Option<Grammars>> {
    if context == SearchContext::Any {
        return Ok(None);
    }
    workspace.grammars().map(Some).map_err(|error| error.with_param(param))
}

/// An error about a parameter that has another name in the tool than in the engine.
fn renamed(error: Error, from: &str, to: &str) -> Error {
    let message = error.message().replacen(&format!("'{from}'"), &format!("'{to}'"), 1);
    error.with_message(message).with_param(to)
}

/// Returns the tool table as a JSON array of `{name, description, inputSchema, listSchema,
/// outputSchema}`; `listSchema` is the short `inputSchema` for lists that agents read.
pub fn tools_json() -> Vec<u8> {
    // The table never changes, and its schemas are long.
    static JSON: OnceLock<Vec<u8>> = OnceLock::new();
    let make = || {
        let tools = TOOLS.iter().map(|tool| {
            serde_json::json!({
                "name": tool.name,
                "description": tool.description,
                "inputSchema": tool.input_schema(),
                "listSchema": tool.list_schema(),
                "outputSchema": tool.output_schema(),
            })
        });
        Value::from_iter(tools).to_string().into_bytes()
    };
    JSON.get_or_init(make).clone()
}

#[cfg(all(test, target_os = "linux", not(searchscope_portable)))]
mod fault_tests;
#[cfg(test)]
mod scope_tests;
#[cfg(test)]
mod stream_tests;
#[cfg(test)]
mod tests;
