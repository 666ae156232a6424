//! The table of the tools, and the trait that each of them implements.

use super::call::{ToolCall, ToolReply};
use super::forms::{self, OtherNames};
use super::json_type::JsonType;
use super::limits::REPLY_BYTES_MAX;
use super::outcome::Outcome;
use super::schema::Parts;
use super::{args, json, listed, reply, schema};
use schemars::JsonSchema;
use searchscope::{Call, Error, Result, Workspace};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::sync::OnceLock;
use std::time::Duration;

macro_rules! tools {
    ($($(#[$condition:meta])* $module:ident::$tool:ident,)+) => {
        // A static array, not a slice literal: tools cache their parsed schemas.
        static TABLE: [Tool; [$($(#[$condition])* super::$module::$tool::NAME),+].len()] =
            [$($(#[$condition])* Tool::of::<super::$module::$tool>()),+];

        /// Every tool, in the order they are listed.
        pub static TOOLS: &[Tool] = &TABLE;
    };
}

tools! {
    search::Search,
    find::Find,
    search_in_files::SearchInFiles,
    find_files_by_name::FindFilesByName,
    find_and_grep::FindAndGrep,
    grep::Grep,
    search_documents::SearchDocuments,
    list_documents::ListDocuments,
    read_document::ReadDocument,
    scope_list_catalog::ScopeListCatalog,
    scope_validate_pattern::ScopeValidatePattern,
    scope_resolve_program::ScopeResolveProgram,
    scope_describe_program::ScopeDescribeProgram,
    scope_search_files::ScopeSearchFiles,
    scope_search_text::ScopeSearchText,
    #[cfg(feature = "parsers")]
    scope_search_symbols::ScopeSearchSymbols,
    look::LookTool,
    read::Read,
}

/// One tool: a contract with its name, its description for agents, its schemas and its engine.
#[derive(Debug)]
#[non_exhaustive]
pub struct Tool {
    /// The name, as callers write it.
    pub name: &'static str,
    /// An explanation of the tool for an agent that has never seen it.
    pub description: &'static str,
    forms: forms::Rules,
    is_strict: bool,
    shows_args: bool,
    pub(super) replies_text: bool,
    pub(super) text_defaults: TextDefaults,
    args_type: OnceLock<JsonType>,
    pub(super) input_schema: fn(Parts) -> Value,
    output_schema: fn() -> Value,
    pub(super) run: Run,
}

/// Returns the defaults of a call whose reply is text, given its arguments.
pub(super) type TextDefaults = fn(&Value) -> Map<String, Value>;

/// Calls a tool with the type of its arguments, and the arguments or the error of reading them.
pub(super) type Run = fn(&Workspace, &JsonType, &Call, Result<Value>) -> Result<ToolReply>;

/// A tool's contract, which its file implements.
pub(super) trait Contract {
    const NAME: &'static str;
    const DESCRIPTION: &'static str;
    type Args: for<'a> Deserialize<'a> + JsonSchema + Send + 'static;
    type Reply: Serialize + JsonSchema + Send + 'static;

    /// Returns how long a call with these arguments may take.
    fn timeout(args: &Self::Args) -> Duration;

    fn run(workspace: &Workspace, args: Self::Args, call: &ToolCall<'_>) -> Result<Self::Reply>;

    /// Returns the outcome of a call with this reply.
    fn outcome(reply: &Self::Reply) -> Outcome;

    /// Converts an error to a reply where the contract has a shape for it.
    fn failed(error: Error, _call: &ToolCall<'_>) -> Result<Self::Reply> {
        Err(error)
    }

    /// Arguments that the contract clamps or replaces when they are invalid; the tool checks them
    /// itself.
    const LENIENT: &'static [&'static str] = &[];

    /// Names that callers may expect for another parameter, each with advice.
    const EXPECTED: &'static [(&'static str, &'static str)] = &[];

    /// Parameters with the other names that callers use for them and that can mean nothing else.
    const OTHER_NAMES: &'static [OtherNames] = &[];
    /// Whole numbers that may be written as text.
    const NUMBERS_AS_TEXT: &'static [&'static str] = &[];

    /// Whether only the exact names and shapes of the contract are accepted, as its document
    /// demands.
    const STRICT: bool = false;

    /// Whether the reply has its text in the field `text`.
    const REPLIES_TEXT: bool = false;

    /// Defaults of a call whose reply is text.
    const TEXT_DEFAULTS: TextDefaults = |_| Map::new();

    /// Whether error replies repeat the arguments, so that all of them must be read.
    const SHOWS_ARGS: bool = false;

    /// Maximum size of a reply.
    const REPLY_BYTES_MAX: usize = REPLY_BYTES_MAX;
}

impl Tool {
    const fn of<C: Contract>() -> Tool {
        Tool {
            name: C::NAME,
            description: C::DESCRIPTION,
            forms: forms::Rules {
                names: C::OTHER_NAMES,
                advice: C::EXPECTED,
                numbers: C::NUMBERS_AS_TEXT,
                as_given: C::LENIENT,
            },
            is_strict: C::STRICT,
            shows_args: C::SHOWS_ARGS,
            replies_text: C::REPLIES_TEXT,
            text_defaults: C::TEXT_DEFAULTS,
            args_type: OnceLock::new(),
            input_schema: schema::of_input::<C::Args>,
            output_schema: schema::of_output::<C::Reply>,
            run: |workspace, args_type, call, args| {
                let (args, refused) = match args {
                    Ok(args) => (args, Ok(())),
                    Err(refusal) => (Value::Object(Map::new()), Err(refusal)),
                };
                args::refuse_other_than_object(&args)?;
                let call =
                    ToolCall { args: &args, is_read: refused.is_ok(), call: call.begun_now() };
                // A strict contract may repeat the arguments as they came.
                let given = C::STRICT.then(|| args::without_nulls(args_type, args.clone()));
                let given = given.as_ref().unwrap_or(&args);
                let decoded = refused
                    .and_then(|()| args::check(args_type, given, C::LENIENT))
                    .and_then(|()| args::decode(given));
                let bytes_max = reply::bytes_max(workspace, C::REPLY_BYTES_MAX);
                let encode = |reply: C::Reply| {
                    let bytes = reply::encode(&reply, bytes_max)?;
                    Ok(ToolReply { bytes, outcome: C::outcome(&reply) })
                };
                let reply = decoded.and_then(|args| run_in_time::<C>(workspace, args, &call));
                let reply = reply.and_then(encode);
                reply.or_else(|error| encode(C::failed(error, &call)?))
            },
        }
    }

    /// Returns the tool named `name`.
    pub(super) fn named(name: &str) -> Result<&'static Tool> {
        TOOLS.iter().find(|tool| tool.name == name).ok_or_else(|| {
            let names: Vec<&str> = TOOLS.iter().map(|tool| tool.name).collect();
            Error::invalid_param("tool", args::unknown("tool", name, &names))
        })
    }

    /// Returns the error for the parameter `name` if the tool lacks it. Then its value need not be
    /// read.
    fn unknown_parameter(&self, name: &str) -> Option<Error> {
        let is_known =
            || forms::parameter_of(self.args_type(), self.forms.names, name, false).is_some();
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

    /// Reads the arguments of a call and converts them to the form of the contract.
    ///
    /// A contract may answer the inner error in its own shape.
    pub(super) fn read_args(&self, args: &[u8], bytes_max: usize) -> Result<Result<Value>> {
        let args = json::parse(args, &|name| self.unknown_parameter(name), bytes_max)?;
        if self.is_strict {
            return Ok(args);
        }
        let args = args.map(|args| args::without_nulls(self.args_type(), args));
        Ok(args.and_then(|args| forms::in_contract_form(self.args_type(), &self.forms, args)))
    }

    /// Returns the JSON schema that arguments are checked against.
    pub fn input_schema(&self) -> Value {
        (self.input_schema)(Parts::Named)
    }

    /// Returns the type of the arguments.
    pub(super) fn args_type(&self) -> &JsonType {
        self.args_type.get_or_init(|| JsonType::of(&(self.input_schema)(Parts::Inline)))
    }

    /// Returns the JSON schema of the arguments for lists that agents read: the same parameters in
    /// fewer bytes, and `scope` as a text.
    pub fn list_schema(&self) -> Value {
        listed::of(&(self.input_schema)(Parts::Inline))
    }

    /// Returns the JSON schema of the reply.
    pub fn output_schema(&self) -> Value {
        (self.output_schema)()
    }
}

/// Runs a tool until the deadline of its arguments. Where a file system may never respond, the tool
/// runs on another thread, so that the caller is free at the deadline.
fn run_in_time<C: Contract>(
    workspace: &Workspace,
    args: C::Args,
    call: &ToolCall<'_>,
) -> Result<C::Reply> {
    let timed = call.timed(C::timeout(&args));
    if !workspace.may_not_answer() {
        return C::run(workspace, args, &ToolCall { args: call.args, is_read: true, call: timed });
    }
    let (own, args_as_given) = (workspace.clone(), call.args.clone());
    workspace.run_apart(&timed, move |call| {
        C::run(&own, args, &ToolCall { args: &args_as_given, is_read: true, call: call.clone() })
    })
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
