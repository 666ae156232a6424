//! The argument `scope`: a text or an object, and its translation to a program.

pub(crate) mod names;
pub(crate) mod wire;

use crate::arguments::scope::names::{LIBRARIES, PATTERN_WORDS, WORDS};
use crate::arguments::scope::wire::{ContextDto, ScopeObject, context_of};
use schemars::JsonSchema;
use searchscope::toolkit::{ErrorExt, is_standard_id};
use searchscope::{
    AtomKind, AtomTarget, Call, Error, ModuleFlavor, ResolvedScope, Result, ScopeAtom,
    ScopeContext, ScopeProgram, Workspace,
};
use serde::Deserialize;

/// A set of files.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "Scope")]
#[serde(untagged)]
pub(crate) enum ScopeArg {
    /// "production", "tests", "libraries", "module:NAME", "directory:src", a scopeRefId of
    /// scope_list_catalog ("module:NAME:MODULE_WITH_DEPENDENCIES"), the id of a standard scope
    /// ("Project Files"), a pattern of the scope language ("file:src//*"), or an object as JSON.
    Text(String),
    /// A program (atoms, tokens and its options), or a descriptor of scope_resolve_program.
    Object(Box<ScopeObject>),
}

/// A scope and options to resolve it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ScopeArgs {
    /// Files: production, tests, libraries, module:NAME, a pattern (file:src//*), a scopeRefId of
    /// scope_list_catalog, or a descriptor of scope_resolve_program.
    scope: ScopeArg,
    #[serde(flatten)]
    beside: Beside,
}

/// The same for tools whose scope is optional.
#[cfg(feature = "parsers")]
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OptionalScopeArgs {
    /// Files: production, tests, libraries, module:NAME, a pattern (file:src//*), a scopeRefId of
    /// scope_list_catalog, or a descriptor of scope_resolve_program. Default: the project without
    /// ignored files and libraries.
    #[serde(default)]
    scope: Option<ScopeArg>,
    #[serde(flatten)]
    beside: Beside,
}

/// Options of a scope.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase")]
struct Beside {
    /// Also scopes that depend on the user's view, such as Current File.
    allow_ui_interactive_scopes: bool,
    /// Files in the user's view, as paths: currentFile, openFiles, recentFiles, selectedFiles.
    context: Option<ContextDto>,
}

/// The id of the single atom of a text.
const ATOM_ID: &str = "scope";
/// The scope of a call without one.
#[cfg(feature = "parsers")]
const PROJECT: &str = "Project Files";
const MODULE: &str = "module:";
/// Prefixes of ref ids in the catalog, and the kind of the atom.
const REF_IDS: &[(&str, AtomKind)] = &[
    ("standard:", AtomKind::Standard),
    ("module:", AtomKind::Module),
    ("named:", AtomKind::NamedScope),
    ("provider:", AtomKind::ProviderScope),
    ("git:changed", AtomKind::GitChanged),
];
const DIRECTORY: &str = "directory:";
/// Prefixes of ref ids that contain only a hash.
const HASHES: &[&str] = &["files:", "pattern:"];
/// Other beginnings of a pattern.
const PATTERN_SIGNS: &[char] = &['$', '!', '(', '['];

/// The scope of a call, ready to be resolved.
#[derive(Debug)]
pub(crate) struct RequestedScope {
    pub(crate) program: ScopeProgram,
    pub(crate) context: ScopeContext,
    names: Names,
}

/// Translation of the engine's parameter names to those of the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Names {
    /// Whether the scope is a text, so that every error in it concerns `scope`.
    is_text: bool,
    /// Whether the context is part of the object.
    context_inside: bool,
}

impl ScopeArg {
    /// Returns the scope with default options.
    pub(crate) fn alone(self) -> ScopeArgs {
        ScopeArgs { scope: self, beside: Beside::default() }
    }
}

#[cfg(feature = "parsers")]
impl OptionalScopeArgs {
    /// Returns the scope, or the project if there is none.
    pub(crate) fn or_project(self) -> ScopeArgs {
        let scope = self.scope.unwrap_or_else(|| ScopeArg::Text(PROJECT.to_owned()));
        ScopeArgs { scope, beside: self.beside }
    }
}

impl ScopeArgs {
    /// Translates the arguments to a request. A context beside the scope takes precedence over one
    /// in it.
    pub(crate) fn request(self, workspace: &Workspace, call: &Call) -> Result<RequestedScope> {
        let ScopeArgs { scope, beside } = self;
        let Beside { allow_ui_interactive_scopes, context } = beside;
        let context_inside = context.is_none();
        let is_text = matches!(&scope, ScopeArg::Text(_));
        let names = Names { is_text, context_inside };
        let (mut program, context) = match scope {
            ScopeArg::Text(text) => {
                let context = context_of(context)?;
                let atom = match atom_of(&text)? {
                    Some(atom) => atom,
                    None => return Err(names::unknown(workspace, &text, &context, call)?),
                };
                (ScopeProgram::of(atom), context)
            }
            ScopeArg::Object(object) => {
                let mut program =
                    object.into_program().map_err(|error| names.contract_error(error))?;
                let context = context.or_else(|| program.context.take());
                let context = context_of(context).map_err(|error| names.contract_error(error))?;
                (program.program().map_err(|error| names.contract_error(error))?, context)
            }
        };
        program.allow_ui_interactive_scopes |= allow_ui_interactive_scopes;
        Ok(RequestedScope { program, context, names })
    }
}

impl RequestedScope {
    /// Resolves the scope within the time of the call; errors name the parameters of the call.
    pub(crate) fn resolve(&self, workspace: &Workspace, call: &Call) -> Result<ResolvedScope> {
        let (program, context) = (&self.program, &self.context);
        let resolved = workspace.resolve_scope(program, context, call);
        resolved.map_err(|error| self.names.contract_error(error))
    }

    /// Describes the scope, even if atoms do not resolve.
    pub(crate) fn describe(&self, workspace: &Workspace, call: &Call) -> Result<ResolvedScope> {
        let described = workspace.describe_scope(&self.program, &self.context, call);
        described.map_err(|error| self.names.contract_error(error))
    }
}

impl Names {
    /// Renames the parameter of an engine error to that of the call.
    fn contract_error(self, error: Error) -> Error {
        let Some(param) = error.param().map(str::to_owned) else {
            return error;
        };
        let name = match param.split(['.', '[']).next() {
            Some("context") if !self.context_inside => return error,
            Some("context") if self.is_text => return error,
            _ if self.is_text => "scope".to_owned(),
            _ => format!("scope.{param}"),
        };
        error.with_param_named(name)
    }
}

/// Parses a text to its atom; returns `None` for a text in none of the forms.
pub(crate) fn atom_of(text: &str) -> Result<Option<ScopeAtom>> {
    let text = WORDS.iter().find(|(word, _)| *word == text).map_or(text, |(_, id)| id);
    let text = if text == LIBRARIES.0 { LIBRARIES.1 } else { text };
    if let Some(name) = text.strip_prefix(MODULE).filter(|name| is_module_alone(name)) {
        let target = AtomTarget::Module { name: Some(name.to_owned()), flavor: None };
        return Ok(Some(ScopeAtom::new(ATOM_ID, target)));
    }
    if let Some((_, kind)) = REF_IDS.iter().find(|(prefix, _)| text.starts_with(prefix)) {
        return Ok(Some(ScopeAtom::of_ref(ATOM_ID, *kind, text)));
    }
    if let Some(directory) = text.strip_prefix(DIRECTORY).filter(|directory| !directory.is_empty())
    {
        return Ok(Some(ScopeAtom::of_directory(ATOM_ID, directory)));
    }
    if let Some(prefix) = HASHES.iter().find(|prefix| text.starts_with(**prefix)) {
        let predicate = format!(
            "cannot be a ref id that begins with '{prefix}': it contains only a hash; give \
             an object with the atom itself, with its fileUrls or patternText"
        );
        return Err(Error::invalid_param("scope", predicate));
    }
    if is_standard_id(text) {
        let target = AtomTarget::Standard { id: Some(text.to_owned()) };
        return Ok(Some(ScopeAtom::new(ATOM_ID, target)));
    }
    if is_like_a_pattern(text) {
        return Ok(Some(ScopeAtom::of_pattern(ATOM_ID, text)));
    }
    Ok(None)
}

/// Returns whether the text after `module:` is a name without a flavor.
pub(crate) fn is_module_alone(name: &str) -> bool {
    let has_flavor = |flavor: &ModuleFlavor| {
        name.strip_suffix(flavor.code()).is_some_and(|name| name.ends_with(':'))
    };
    !name.is_empty() && !ModuleFlavor::ALL.iter().any(has_flavor)
}

/// Returns whether a text begins like a pattern. A pattern that begins with a class name is not
/// recognized: a bare word is more often a mistake.
fn is_like_a_pattern(text: &str) -> bool {
    let begins = |word: &&str| text.strip_prefix(*word).is_some_and(|r| r.starts_with([':', '[']));
    text.starts_with(PATTERN_SIGNS) || PATTERN_WORDS.iter().any(begins)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_that_name_a_scope() {
        let kind = |text: &str| atom_of(text).expect(text).map(|atom| atom.target.kind());
        for (text, expected) in [
            ("standard:Project Files", Some(AtomKind::Standard)),
            ("Project Files", Some(AtomKind::Standard)),
            ("Current File", Some(AtomKind::Standard)),
            ("module:a:MODULE", Some(AtomKind::Module)),
            ("module:a", Some(AtomKind::Module)),
            ("module::a", Some(AtomKind::Module)),
            ("module:", Some(AtomKind::Module)),
            ("production", Some(AtomKind::Standard)),
            ("tests", Some(AtomKind::Standard)),
            ("changed", Some(AtomKind::GitChanged)),
            ("git:changed:main", Some(AtomKind::GitChanged)),
            ("libraries", Some(AtomKind::Pattern)),
            ("named:x:y", Some(AtomKind::NamedScope)),
            ("provider:x:y", Some(AtomKind::ProviderScope)),
            ("directory:a/b", Some(AtomKind::Directory)),
            ("file:src//*", Some(AtomKind::Pattern)),
            ("file[m]:*/", Some(AtomKind::Pattern)),
            ("src[m]", Some(AtomKind::Pattern)),
            ("$Mine", Some(AtomKind::Pattern)),
            ("!file:a", Some(AtomKind::Pattern)),
            ("(file:a)", Some(AtomKind::Pattern)),
            ("[m]:a", Some(AtomKind::Pattern)),
            ("project files", None),
            ("", None),
            ("*.rs", None),
            ("filex:a", None),
            ("source", None),
            ("file", None),
            ("Module:a", None),
            (" file:a", None),
        ] {
            assert_eq!(kind(text), expected, "{text:?}");
        }
        let module = |text: &str| {
            let atom = atom_of(text).expect("a text").expect("an atom");
            (atom.target, atom.scope_ref_id)
        };
        let of_name = |name: &str| AtomTarget::Module { name: Some(name.to_owned()), flavor: None };
        assert_eq!(module("module:a"), (of_name("a"), None));
        assert_eq!(module("module:MODULE"), (of_name("MODULE"), None));
        let with_flavor = "module:a:MODULE_WITH_LIBRARIES";
        let unnamed = AtomTarget::of_kind(AtomKind::Module);
        assert_eq!(module(with_flavor), (unnamed, Some(with_flavor.to_owned())));
        let directory = atom_of("directory:a/b").expect("a text").expect("an atom");
        assert_eq!(directory, ScopeAtom::of_directory(ATOM_ID, "a/b"));
        for text in ["files:0123456789ab", "pattern:0123456789ab"] {
            let error = atom_of(text).expect_err(text);
            assert!(error.message().contains("fileUrls or patternText"), "{error}");
        }
    }

    #[test]
    fn errors_are_named_as_in_the_call() {
        let error = |param: &str| Error::invalid_param(param, "is wrong");
        let object = Names { is_text: false, context_inside: true };
        let beside = Names { context_inside: false, ..object };
        let text = Names { is_text: true, context_inside: false };
        for (names, param, expected) in [
            (object, "atoms[3].moduleName", "scope.atoms[3].moduleName"),
            (object, "context.openFiles", "scope.context.openFiles"),
            (object, "tokens", "scope.tokens"),
            (beside, "context.openFiles", "context.openFiles"),
            (beside, "atoms[0]", "scope.atoms[0]"),
            (text, "atoms[0].patternText", "scope"),
            (text, "context.openFiles", "context.openFiles"),
        ] {
            let error = names.contract_error(error(param));
            assert_eq!(error.param(), Some(expected));
            assert_eq!(error.message(), format!("'{expected}' is wrong"));
        }
    }
}
