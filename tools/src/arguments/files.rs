//! The arguments of `search` and `find` that choose files.

use crate::arguments::changed::{ChangedArg, ChangedSet};
use crate::arguments::choices::{TypeArg, attributes};
use crate::arguments::defaults;
use crate::arguments::scope::ScopeArg;
use jiff::Timestamp;
use schemars::JsonSchema;
use searchscope::toolkit::{ErrorExt, both, suggest::suggestion};
use searchscope::{
    Call, ChangedFiles, Error, ErrorKind, FileOptions, NameOptions, ResolvedScope, Result,
    UnicodeForm, Workspace,
};
use serde::Deserialize;
use std::sync::Arc;

#[derive(Clone, Deserialize, JsonSchema)]
pub(crate) struct FilesArgs {
    /// Directories and files to search, relative to the root, even if hidden or ignored.
    #[serde(default = "defaults::start_paths")]
    #[schemars(length(min = 1))]
    pub(crate) paths: Vec<String>,
    /// Globs as in rg --glob: without "/" they match names at any depth, with "/" paths below one
    /// of paths; leading "!" excludes; the last match decides.
    #[serde(default)]
    pub(crate) globs: Vec<String>,
    /// Only files whose name contains a match of this regular expression, or with glob true is this
    /// glob. Smart case.
    #[serde(default)]
    #[schemars(length(min = 1))]
    pub(crate) name_pattern: Option<String>,
    /// Whether name_pattern is a glob such as "test_*.py".
    #[serde(default)]
    pub(crate) glob: bool,
    /// Whether name_pattern is compared with absolute paths.
    #[serde(default)]
    pub(crate) full_path_match: bool,
    /// Only files with one of these extensions, such as "py" or ".tar.gz".
    #[serde(default)]
    pub(crate) extensions: Vec<String>,
    /// Bounds on the file size: "+10k" at least, "-1m" at most, "5b" exactly; all must hold. Units:
    /// b, k, m, g, t, or powers of 1024: ki, mi, gi, ti.
    #[serde(default)]
    pub(crate) size: Vec<String>,
    /// Only files modified within this duration ("2h", "1w") or since this date
    /// ("2024-05-01", RFC 3339; UTC without an offset).
    #[serde(default)]
    pub(crate) changed_within: Option<String>,
    /// Only files modified longer ago than this, or before this date.
    #[serde(default)]
    pub(crate) changed_before: Option<String>,
    /// Maximum depth of directories below each path; 1 is only its own entries.
    #[serde(default)]
    #[schemars(range(min = 1))]
    pub(crate) depth: Option<u64>,
    /// true: only files that differ from git's HEAD. {"since": "main"}: from another revision.
    #[serde(default)]
    pub(crate) changed: Option<ChangedArg>,
    /// Kinds of entries: f files, d directories, l symlinks, x executable files, e empty files and
    /// directories. Default: f, the only kind that is searched.
    #[serde(default)]
    pub(crate) types: Vec<TypeArg>,
    /// Also names that start with a dot.
    #[serde(default)]
    pub(crate) hidden: bool,
    /// Also files excluded by .gitignore, .ignore.
    #[serde(default)]
    pub(crate) no_ignore: bool,
    /// Also git worktrees inside the root.
    #[serde(default)]
    pub(crate) worktrees: bool,
    /// Whether to follow symlinks inside the root.
    #[serde(default)]
    pub(crate) follow: bool,
    /// "nfc": compares names and text in Unicode's NFC.
    #[serde(default)]
    pub(crate) normalize: Option<NormalizeArg>,
    /// Only files of this scope: production, tests, libraries, module:NAME, a pattern
    /// (file:src//*), a scopeRefId of scope_list_catalog, or a descriptor of scope_resolve_program.
    /// Not with hidden or no_ignore.
    #[serde(default)]
    pub(crate) scope: Option<ScopeArg>,
}

/// The form in which names and text are compared.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[schemars(inline)]
#[serde(rename_all = "lowercase")]
pub(crate) enum NormalizeArg {
    /// Normalization Form C.
    Nfc,
}

/// The sets of files that narrow a request.
#[derive(Debug, Default)]
pub(crate) struct Narrowing {
    pub(crate) scope: Option<ResolvedScope>,
    pub(crate) changed: Option<ChangedFiles>,
}

impl Narrowing {
    /// Returns whether all sets are fully known.
    pub(crate) fn is_complete(&self) -> bool {
        self.scope.as_ref().is_none_or(|scope| scope.is_complete)
            && self.changed.as_ref().is_none_or(ChangedFiles::is_complete)
    }

    /// Returns the summary of the changed files for a reply.
    pub(crate) fn changed_set(&self) -> Option<ChangedSet> {
        self.changed.as_ref().map(ChangedSet::from)
    }
}

impl FilesArgs {
    /// Converts the arguments for the engine and resolves the sets of files among them, within the
    /// time of the call; durations count from now.
    pub(crate) fn narrowed(
        &self,
        workspace: &Workspace,
        call: &Call,
    ) -> Result<(FileOptions, Narrowing)> {
        let (mut options, scope) = self.with_scope(workspace, call)?;
        let changed = match &self.changed {
            Some(changed) => changed.files(workspace, call)?,
            None => None,
        };
        if let Some(changed) = changed.clone() {
            options.path_filter = Some(both(options.path_filter, Arc::new(changed)));
        }
        Ok((options, Narrowing { scope, changed }))
    }

    fn with_scope(
        &self,
        workspace: &Workspace,
        call: &Call,
    ) -> Result<(FileOptions, Option<ResolvedScope>)> {
        let options = self.options(workspace, Timestamp::now())?;
        let Some(scope) = self.scope.clone() else {
            return Ok((options, None));
        };
        for (name, value) in [("hidden", self.hidden), ("no_ignore", self.no_ignore)] {
            if value {
                let predicate = "cannot be true with 'scope', which says itself which hidden and \
                                 ignored files belong";
                return Err(Error::invalid_param(name, predicate));
            }
        }
        let scope = scope.alone().request(workspace, call)?;
        let scope = scope.resolve(workspace, call)?;
        let path_filter = Some(Arc::new(scope.scope.clone()) as _);
        Ok((FileOptions { path_filter, ..options }, Some(scope)))
    }

    /// Converts the arguments except the scope; durations count from `now`.
    pub(crate) fn options(&self, workspace: &Workspace, now: Timestamp) -> Result<FileOptions> {
        let bases = self.paths.iter().map(|path| workspace.resolve(path));
        Ok(FileOptions {
            globs: self.globs.clone(),
            glob_bases: bases.collect::<Result<_>>().map_err(in_paths)?,
            names: NameOptions {
                pattern: self.name_pattern.clone(),
                glob: self.glob,
                full_path_match: self.full_path_match,
                extensions: self.extensions.clone(),
            },
            attributes: attributes(
                &self.types,
                &self.size,
                self.changed_within.as_deref(),
                self.changed_before.as_deref(),
                now,
            )?,
            hidden: self.hidden,
            no_ignore: self.no_ignore,
            worktrees: self.worktrees,
            follow: self.follow,
            unicode_form: match self.normalize {
                Some(NormalizeArg::Nfc) => UnicodeForm::Nfc,
                None => UnicodeForm::Bytes,
            },
            depth_max: self.depth.map(|depth| usize::try_from(depth).unwrap_or(usize::MAX)),
            ..FileOptions::default()
        })
    }
}

/// Renames the parameter of an engine error to that of `search` and `find`.
pub(crate) fn contract_error(error: Error) -> Error {
    match error.param() {
        Some("exclude") => {
            let predicate = "drops lines and cannot be used with 'multiline'";
            Error::invalid_param("exclude_query", predicate)
        }
        Some("pattern") => with_glob_hint(error).with_param_named("name_pattern"),
        _ => in_paths(error),
    }
}

/// Adds to a syntax error in the regex of names how to pass a glob, which it may be meant as.
pub(crate) fn with_glob_hint(error: Error) -> Error {
    if error.kind() != ErrorKind::PatternSyntax || error.param() != Some("pattern") {
        return error;
    }
    error.with_remedy("glob", "; if it is a glob, set 'glob' to true")
}

/// Assigns an error about a path to its parameter, with suggestions.
fn in_paths(error: Error) -> Error {
    let Some(path) = error.path().map(str::to_owned) else {
        return error;
    };
    let message = format!("{}{}", error.message(), suggestion(error.near()));
    error.with_message(message).with_param("paths").with_path(path)
}
