//! The table of the tools, and the way from JSON to one of them.

use crate::arguments::forms;
use crate::arguments::json_type::JsonType;
use crate::arguments::schema::{self, Parts};
use crate::arguments::{self, json, listed};
use crate::replies;
use crate::replies::outcome::ToolReply;
use crate::tool::{Contract, TextDefaults, ToolCall};
use crate::{contracts, documents, own, scopes};
use searchscope::toolkit::ErrorExt;
use searchscope::{Call, Error, ErrorKind, Result, Workspace};
use serde_json::{Map, Value};
use std::sync::OnceLock;

macro_rules! tools {
    ($($(#[$condition:meta])* $tool:ty,)+) => {
        // A static array, not a slice literal: tools cache their parsed schemas.
        static TABLE: [Tool; [$($(#[$condition])* <$tool>::NAME),+].len()] =
            [$($(#[$condition])* Tool::of::<$tool>()),+];

        /// Every tool, in the order they are listed.
        pub static TOOLS: &[Tool] = &TABLE;
    };
}

tools! {
    own::search::Search,
    own::find::Find,
    contracts::search_in_files::SearchInFiles,
    contracts::find_files_by_name::FindFilesByName,
    contracts::find_and_grep::FindAndGrep,
    contracts::grep::Grep,
    documents::search::SearchDocuments,
    documents::list::ListDocuments,
    documents::read::ReadDocument,
    scopes::list_catalog::ScopeListCatalog,
    scopes::validate_pattern::ScopeValidatePattern,
    scopes::resolve_program::ScopeResolveProgram,
    scopes::describe_program::ScopeDescribeProgram,
    scopes::search_files::ScopeSearchFiles,
    scopes::search_text::ScopeSearchText,
    #[cfg(feature = "parsers")]
    scopes::search_symbols::ScopeSearchSymbols,
    own::look::LookTool,
    own::read::Read,
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
    pub(crate) replies_text: bool,
    pub(crate) text_defaults: TextDefaults,
    args_type: OnceLock<JsonType>,
    pub(crate) input_schema: fn(Parts) -> Value,
    output_schema: fn() -> Value,
    pub(crate) run: Run,
}

/// Calls a tool with the type of its arguments, and the arguments or the error of reading them.
pub(crate) type Run = fn(&Workspace, &JsonType, &Call, Result<Value>) -> Result<ToolReply>;

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
                arguments::refuse_other_than_object(&args)?;
                let call =
                    ToolCall { args: &args, is_read: refused.is_ok(), call: call.begun_now() };
                // A strict contract may repeat the arguments as they came.
                let given = C::STRICT.then(|| arguments::without_nulls(args_type, args.clone()));
                let given = given.as_ref().unwrap_or(&args);
                let decoded = refused
                    .and_then(|()| arguments::check(args_type, given, C::LENIENT))
                    .and_then(|()| arguments::decode(given));
                let bytes_max = replies::bytes_max(workspace, C::REPLY_BYTES_MAX);
                let encode = |reply: C::Reply| {
                    let bytes = replies::encode(&reply, bytes_max)?;
                    Ok(ToolReply { bytes, outcome: C::outcome(&reply) })
                };
                let reply = decoded.and_then(|args| run_in_time::<C>(workspace, args, &call));
                let reply = reply.and_then(encode);
                reply.or_else(|error| encode(C::failed(error, &call)?))
            },
        }
    }

    /// Returns the tool named `name`.
    pub(crate) fn named(name: &str) -> Result<&'static Tool> {
        TOOLS.iter().find(|tool| tool.name == name).ok_or_else(|| {
            let names: Vec<&str> = TOOLS.iter().map(|tool| tool.name).collect();
            let message = arguments::unknown("tool", name, &names);
            Error::new(ErrorKind::InvalidParam, message).with_param("tool")
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
                let (before, after) = ("unknown parameter ", format!(": {advice}"));
                Some(Error::around_param(ErrorKind::InvalidParam, name, before, after))
            }
            None => arguments::unknown_parameter(self.args_type(), name),
        }
    }

    /// Reads the arguments of a call and converts them to the form of the contract.
    ///
    /// A contract may answer the inner error in its own shape.
    pub(crate) fn read_args(&self, args: &[u8], bytes_max: usize) -> Result<Result<Value>> {
        let args = json::parse(args, &|name| self.unknown_parameter(name), bytes_max)?;
        if self.is_strict {
            return Ok(args);
        }
        let args = args.map(|args| arguments::without_nulls(self.args_type(), args));
        Ok(args.and_then(|args| forms::in_contract_form(self.args_type(), &self.forms, args)))
    }

    /// Returns the JSON schema that arguments are checked against.
    pub fn input_schema(&self) -> Value {
        (self.input_schema)(Parts::Named)
    }

    /// Returns the type of the arguments.
    pub(crate) fn args_type(&self) -> &JsonType {
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
