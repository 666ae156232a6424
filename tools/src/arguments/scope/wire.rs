//! The JSON of scopes: atoms, tokens, programs and descriptors, with the names of the contract.

use crate::arguments::defaults;
use schemars::JsonSchema;
use searchscope::toolkit::ErrorExt;
use searchscope::{
    AtomKind, AtomTarget, Error, FailureMode, ModuleFlavor, Result, ScopeAtom, ScopeContext,
    ScopeOp, ScopeProgram, ScopeShape, ScopeToken,
};
use serde::{Deserialize, Serialize};

/// Maximum number of file URLs in a program: docs/contracts/general.md#limits.
const FILE_URLS_MAX: usize = 10_000;
/// The version of descriptors that is written; the other one is read as well.
pub(crate) const VERSION: u64 = 1;
const VERSION_ALSO_READ: u64 = 2;

// The values have no docs: the descriptions of the fields explain them, once, where an agent reads
// them.
macro_rules! wire_enum {
    ($(#[$attribute:meta])+ $name:ident = $engine:ident {
        $($(#[$mark:ident])? $variant:ident,)+
    }) => {
        $(#[$attribute])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
        #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
        #[schemars(inline)]
        pub(crate) enum $name {
            $($(#[$mark])? $variant,)+
        }

        impl From<$name> for $engine {
            fn from(value: $name) -> $engine {
                match value { $($name::$variant => $engine::$variant,)+ }
            }
        }

        impl From<$engine> for $name {
            fn from(value: $engine) -> $name {
                match value { $($engine::$variant => $name::$variant,)+ }
            }
        }
    };
}

wire_enum! {
    /// Kind of an atom.
    KindDto = AtomKind {
        Standard,
        Module,
        NamedScope,
        Pattern,
        Directory,
        Files,
        ProviderScope,
        GitChanged,
    }
}

wire_enum! {
    /// Handling of unresolved atoms.
    #[derive(Default)]
    FailureModeDto = FailureMode {
        Fail,
        #[default]
        EmptyScope,
        Skip,
    }
}

wire_enum! {
    /// Extent of a module scope.
    FlavorDto = ModuleFlavor {
        Module,
        ModuleWithDependencies,
        ModuleWithLibraries,
        ModuleWithDependenciesAndLibraries,
    }
}

wire_enum! {
    /// A token operation.
    OpDto = ScopeOp {
        PushAtom,
        And,
        Or,
        Not,
    }
}

wire_enum! {
    /// Shape of a scope.
    ShapeDto = ScopeShape {
        Global,
        Local,
        Mixed,
    }
}

/// One atom of a program.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[schemars(rename = "ScopeAtom")]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct AtomDto {
    /// Its name in tokens.
    #[schemars(length(min = 1))]
    atom_id: String,
    /// Decides which other fields count: STANDARD, MODULE, NAMED_SCOPE, PATTERN, DIRECTORY, FILES,
    /// PROVIDER_SCOPE or GIT_CHANGED.
    kind: KindDto,
    /// The ref id of a scope in the catalog; replaces the fields of the kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    scope_ref_id: Option<String>,
    /// If STANDARD: the id, such as "Project Files".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    standard_scope_id: Option<String>,
    /// If MODULE: the name of the module.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    module_name: Option<String>,
    /// If MODULE: MODULE, MODULE_WITH_DEPENDENCIES, MODULE_WITH_LIBRARIES or
    /// MODULE_WITH_DEPENDENCIES_AND_LIBRARIES. Default: MODULE.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    module_flavor: Option<FlavorDto>,
    /// If NAMED_SCOPE: the name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    named_scope_name: Option<String>,
    /// If NAMED_SCOPE: its holder. Default: any that has the name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    named_scope_holder_id: Option<String>,
    /// If PATTERN: the text, such as "file:src//*&&!file:*.min.js".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pattern_text: Option<String>,
    /// If DIRECTORY: a file:// URL or a path relative to the root.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    directory_url: Option<String>,
    /// If DIRECTORY: whether to include subdirectories.
    #[serde(default = "defaults::yes", skip_serializing_if = "is_true")]
    directory_with_subdirectories: bool,
    /// If FILES: file:// URLs or paths relative to the root.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 10_000))]
    file_urls: Vec<String>,
    /// If PROVIDER_SCOPE: the ref id in the catalog.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    provider_scope_id: Option<String>,
    /// If GIT_CHANGED: a revision. Default: HEAD.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    since: Option<String>,
    /// With strict false, handling if it does not resolve: FAIL, EMPTY_SCOPE or SKIP.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    on_resolve_failure: Option<FailureModeDto>,
}

/// One token of a program.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[schemars(rename = "ScopeToken")]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct TokenDto {
    /// PUSH_ATOM, AND, OR or NOT.
    op: OpDto,
    /// If PUSH_ATOM: the atom.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    atom_id: Option<String>,
}

/// State of the user's editor.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[schemars(rename = "ScopeContext")]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct ContextDto {
    /// The file the user views.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    current_file: Option<String>,
    /// The files that are open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    open_files: Option<Vec<String>>,
    /// Recently opened files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    recent_files: Option<Vec<String>>,
    /// The selected files and directories.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    selected_files: Option<Vec<String>>,
}

/// A scope as an expression.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ProgramDto {
    /// Atoms to push, at most 1,024.
    #[schemars(length(max = 1_024))]
    pub(crate) atoms: Vec<AtomDto>,
    /// The expression in reverse Polish notation, at most 4,096: PUSH_ATOM pushes the atom atomId,
    /// AND and OR pop two and push one, NOT pops one and pushes one. One remains.
    #[schemars(length(max = 4_096))]
    pub(crate) tokens: Vec<TokenDto>,
    /// Whether an atom that does not resolve fails the program.
    #[serde(default = "defaults::yes", skip_serializing_if = "is_true")]
    strict: bool,
    /// Also scopes that depend on the user's view, such as Current File.
    #[serde(default, skip_serializing_if = "is_default")]
    allow_ui_interactive_scopes: bool,
    /// With strict false, handling of an atom that does not resolve: FAIL (fails the program),
    /// EMPTY_SCOPE (contains nothing) or SKIP (is left out).
    #[serde(default, skip_serializing_if = "is_default")]
    non_strict_default_failure_mode: FailureModeDto,
    /// Files in the user's view, as paths: currentFile, openFiles, recentFiles, selectedFiles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) context: Option<ContextDto>,
}

/// A program, or a descriptor from scope_resolve_program.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ScopeProgram", extend("additionalProperties" = false))]
pub(crate) struct ScopeObject {
    #[serde(flatten)]
    program: ProgramDto,
    /// In a descriptor: 1 or 2.
    #[serde(default)]
    version: Option<u64>,
    /// In a descriptor; ignored.
    #[serde(default, rename = "displayName")]
    _display_name: Option<String>,
    /// In a descriptor: GLOBAL, LOCAL or MIXED; ignored.
    #[serde(default, rename = "scopeShape")]
    _scope_shape: Option<ShapeDto>,
    /// In a descriptor; ignored.
    #[serde(default, rename = "diagnostics")]
    _diagnostics: Option<Vec<String>>,
}

/// A resolved scope; any tool with a scope accepts it.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ScopeDescriptor")]
#[serde(rename_all = "camelCase")]
pub(crate) struct Descriptor {
    /// Always 1.
    pub(crate) version: u64,
    /// The program. Options with default values are left out.
    #[serde(flatten)]
    pub(crate) program: ProgramDto,
    /// The displayed name.
    pub(crate) display_name: String,
    /// GLOBAL, LOCAL or MIXED.
    pub(crate) scope_shape: ShapeDto,
    /// Atoms that did not resolve, files that could not be read, and the like.
    pub(crate) diagnostics: Vec<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde requires")]
fn is_true(value: &bool) -> bool {
    *value
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl From<AtomDto> for ScopeAtom {
    fn from(atom: AtomDto) -> ScopeAtom {
        let target = match atom.kind {
            KindDto::Standard => AtomTarget::Standard { id: atom.standard_scope_id },
            KindDto::Module => AtomTarget::Module {
                name: atom.module_name,
                flavor: atom.module_flavor.map(ModuleFlavor::from),
            },
            KindDto::NamedScope => AtomTarget::NamedScope {
                name: atom.named_scope_name,
                holder_id: atom.named_scope_holder_id,
            },
            KindDto::Pattern => AtomTarget::Pattern { text: atom.pattern_text },
            KindDto::Directory => AtomTarget::Directory {
                url: atom.directory_url,
                with_subdirectories: atom.directory_with_subdirectories,
            },
            KindDto::Files => AtomTarget::Files { urls: atom.file_urls },
            KindDto::ProviderScope => AtomTarget::ProviderScope { id: atom.provider_scope_id },
            KindDto::GitChanged => AtomTarget::GitChanged { since: atom.since },
        };
        ScopeAtom {
            atom_id: atom.atom_id,
            target,
            scope_ref_id: atom.scope_ref_id,
            on_resolve_failure: atom.on_resolve_failure.map(FailureMode::from),
        }
    }
}

impl From<ContextDto> for ScopeContext {
    fn from(context: ContextDto) -> ScopeContext {
        ScopeContext {
            current_file: context.current_file,
            open_files: context.open_files,
            recent_files: context.recent_files,
            selected_files: context.selected_files,
        }
    }
}

impl ContextDto {
    fn n_urls(&self) -> usize {
        [&self.open_files, &self.recent_files, &self.selected_files]
            .into_iter()
            .flatten()
            .map(Vec::len)
            .sum()
    }
}

/// Returns the context for the engine.
///
/// # Errors
///
/// `invalid_param` when it names too many files.
pub(crate) fn context_of(context: Option<ContextDto>) -> Result<ScopeContext> {
    let Some(context) = context else {
        return Ok(ScopeContext::default());
    };
    check_n_urls("context", context.n_urls())?;
    Ok(context.into())
}

impl ProgramDto {
    /// Returns the same program with a ref id in each atom.
    pub(crate) fn with_ref_ids(mut self, ref_ids: impl Iterator<Item = String>) -> ProgramDto {
        for (atom, ref_id) in self.atoms.iter_mut().zip(ref_ids) {
            // An atom that did not resolve may have no ref id.
            atom.scope_ref_id = Some(ref_id).filter(|ref_id| !ref_id.is_empty());
        }
        self
    }

    /// Returns the program for the engine.
    ///
    /// # Errors
    ///
    /// `invalid_param` when it names too many files.
    pub(crate) fn program(self) -> Result<ScopeProgram> {
        check_n_urls("atoms", self.atoms.iter().map(|atom| atom.file_urls.len()).sum())?;
        let token = |token: TokenDto| ScopeToken { op: token.op.into(), atom_id: token.atom_id };
        Ok(ScopeProgram {
            atoms: self.atoms.into_iter().map(ScopeAtom::from).collect(),
            tokens: self.tokens.into_iter().map(token).collect(),
            strict: self.strict,
            allow_ui_interactive_scopes: self.allow_ui_interactive_scopes,
            non_strict_default_failure_mode: self.non_strict_default_failure_mode.into(),
        })
    }
}

impl ScopeObject {
    /// Returns the program if its version is supported.
    pub(crate) fn into_program(self) -> Result<ProgramDto> {
        match self.version {
            None | Some(VERSION | VERSION_ALSO_READ) => Ok(self.program),
            Some(version) => {
                let predicate = format!("must be {VERSION} or {VERSION_ALSO_READ}, got {version}");
                Err(Error::invalid_param("version", predicate))
            }
        }
    }
}

fn check_n_urls(param: &str, n: usize) -> Result<()> {
    if n <= FILE_URLS_MAX {
        return Ok(());
    }
    let predicate = format!("may name at most {FILE_URLS_MAX} files in total, got {n}");
    Err(Error::invalid_param(param, predicate))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn object(value: Value) -> Result<ProgramDto> {
        serde_json::from_value::<ScopeObject>(value).expect("an object").into_program()
    }

    #[test]
    fn codes_are_those_of_the_engine() {
        let text = |value: Value| value.as_str().map(str::to_owned).expect("a text");
        for kind in AtomKind::ALL {
            assert_eq!(text(json!(KindDto::from(*kind))), kind.code());
        }
        for mode in FailureMode::ALL {
            assert_eq!(text(json!(FailureModeDto::from(*mode))), mode.code());
        }
        for flavor in ModuleFlavor::ALL {
            assert_eq!(text(json!(FlavorDto::from(*flavor))), flavor.code());
        }
        for op in ScopeOp::ALL {
            assert_eq!(text(json!(OpDto::from(*op))), op.code());
        }
        for shape in ScopeShape::ALL {
            assert_eq!(text(json!(ShapeDto::from(*shape))), shape.code());
        }
    }

    #[test]
    fn a_program_comes_back_as_it_was_with_defaults_left_out() {
        let program = json!({
            "atoms": [
                {"atomId": "a", "kind": "DIRECTORY", "directoryUrl": "src",
                 "directoryWithSubdirectories": false},
                {"atomId": "b", "kind": "FILES", "fileUrls": ["x"], "onResolveFailure": "SKIP"},
            ],
            "tokens": [{"op": "PUSH_ATOM", "atomId": "a"}, {"op": "NOT"}],
            "strict": false,
            "nonStrictDefaultFailureMode": "FAIL",
            "context": {"openFiles": []},
        });
        let read = object(program.clone()).expect("a program");
        assert_eq!(serde_json::to_value(&read).expect("JSON"), program);
        let plain = json!({"atoms": [], "tokens": []});
        let read = object(plain.clone()).expect("a program");
        assert_eq!(serde_json::to_value(&read).expect("JSON"), plain);
        let program = read.program().expect("small");
        assert!(program.strict && !program.allow_ui_interactive_scopes);
        assert_eq!(program.non_strict_default_failure_mode, FailureMode::EmptyScope);
    }

    #[test]
    fn accepted_versions() {
        let of_version = |version: u64| {
            object(json!({"version": version, "atoms": [], "tokens": [], "displayName": "x",
                          "scopeShape": "LOCAL", "diagnostics": ["y"]}))
        };
        assert!(of_version(1).is_ok() && of_version(2).is_ok());
        let error = of_version(3).expect_err("another version");
        assert_eq!(error.message(), "'version' must be 1 or 2, got 3");
    }

    #[test]
    fn file_urls_are_counted_over_all_atoms() {
        let of_counts = |counts: [usize; 2]| {
            let atoms = counts.map(
                |n| json!({"atomId": n.to_string(), "kind": "FILES", "fileUrls": vec!["a"; n]}),
            );
            object(json!({"atoms": atoms, "tokens": []})).expect("read").program()
        };
        assert!(of_counts([5_000, 5_000]).is_ok());
        let error = of_counts([5_001, 5_000]).expect_err("too many");
        assert_eq!((error.code(), error.param()), ("invalid_param", Some("atoms")));
        assert!(error.message().contains("10000") && error.message().contains("10001"));
    }
}
