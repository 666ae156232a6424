//! The arguments of `search` and `find` that choose files.

use super::renamed;
use super::scope_arg::ScopeArg;
use super::wire::{TypeArg, attributes};
use crate::error::{Error, ErrorKind, Result};
use crate::scope::ResolvedScope;
use crate::walk::{FileOptions, NameOptions};
use crate::{CancelToken, Workspace};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Deserialize;
use std::sync::Arc;
use std::time::Duration;

#[derive(Clone, Deserialize, JsonSchema)]
pub(super) struct FilesArgs {
    /// Directories and files to look at, relative to the root or absolute inside it. A path that is
    /// named here may itself be hidden or ignored.
    #[serde(default = "root")]
    #[schemars(length(min = 1))]
    pub(super) paths: Vec<String>,
    /// Globs as rg --glob: without "/" on the name at any depth, with "/" on the path below one of
    /// paths; "!" in front takes away; the last one that matches decides. They only narrow. Default:
    /// every file.
    #[serde(default)]
    pub(super) globs: Vec<String>,
    /// Only files whose name matches this regular expression (anywhere in the name), or this glob (the
    /// whole name) if glob is true. Case-insensitive unless it holds an upper-case letter.
    #[serde(default)]
    #[schemars(length(min = 1))]
    pub(super) name_pattern: Option<String>,
    /// Whether name_pattern is a glob such as "test_*.py" and not a regular expression.
    #[serde(default)]
    pub(super) glob: bool,
    /// Whether name_pattern is compared with the absolute path and not the name.
    #[serde(default)]
    pub(super) full_path_match: bool,
    /// Only files with one of these extensions, such as "py" or ".tar.gz". Default: all.
    #[serde(default)]
    pub(super) extensions: Vec<String>,
    /// Bounds on the file size, all of which must hold: "+10k" is at least, "-1m" at most, "5b"
    /// exactly. Units: b (bytes), k, m, g, t (powers of 1000), ki, mi, gi, ti (powers of 1024).
    #[serde(default)]
    pub(super) size: Vec<String>,
    /// Only files modified within this duration ("90s", "10min", "2h", "1d", "1w") or since this date
    /// ("2024-05-01", "2024-05-01 10:00:00", RFC 3339; UTC without an offset).
    #[serde(default)]
    pub(super) changed_within: Option<String>,
    /// Only files modified before this long ago, or before this date; as changed_within.
    #[serde(default)]
    pub(super) changed_before: Option<String>,
    /// How many directories deep to look below each path; 1 is only its own entries. Default: all.
    #[serde(default)]
    #[schemars(range(min = 1))]
    pub(super) depth: Option<u64>,
    /// Which kinds of entries: "f" regular files, "d" directories, "l" symlinks, "x" executable
    /// files, "e" what is empty. A search looks into regular files only. Default: regular files.
    #[serde(default)]
    pub(super) types: Vec<TypeArg>,
    /// Also files and directories whose name starts with a dot.
    #[serde(default)]
    pub(super) hidden: bool,
    /// Also what .gitignore, .ignore and .git/info/exclude leave out.
    #[serde(default)]
    pub(super) no_ignore: bool,
    /// Whether to follow symlinks, which never lead outside the root.
    #[serde(default)]
    pub(super) follow: bool,
    /// Only files of this scope: a scopeRefId of scope_list_catalog, a standard id, a pattern, a
    /// program or a descriptor. It decides about hidden and ignored files itself, also about those
    /// that paths name, so hidden and no_ignore cannot be true. Default: no scope.
    #[serde(default)]
    pub(super) scope: Option<ScopeArg>,
}

fn root() -> Vec<String> {
    vec![".".to_owned()]
}

impl FilesArgs {
    /// What the arguments say, for the engine, and the scope among them, resolved within `timeout`;
    /// durations count from now.
    pub(super) fn with_scope(
        &self,
        workspace: &Workspace,
        timeout: Duration,
        cancel: &CancelToken,
    ) -> Result<(FileOptions, Option<ResolvedScope>)> {
        let options = self.options(workspace, Timestamp::now())?;
        let Some(scope) = self.scope.clone() else {
            return Ok((options, None));
        };
        for (name, value) in [("hidden", self.hidden), ("no_ignore", self.no_ignore)] {
            if value {
                let message = format!(
                    "'{name}' cannot be true with 'scope', which says itself which hidden and \
                     ignored files belong"
                );
                return Err(Error::invalid_param(name, message));
            }
        }
        let scope = scope.alone().asked(workspace, timeout, cancel)?;
        let scope = scope.resolve(workspace, timeout, cancel)?;
        let path_filter = Some(Arc::new(scope.scope.clone()) as _);
        Ok((FileOptions { path_filter, ..options }, Some(scope)))
    }

    /// What the arguments but the scope say; durations count from `now`.
    pub(super) fn options(&self, workspace: &Workspace, now: Timestamp) -> Result<FileOptions> {
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
            follow: self.follow,
            depth_max: self.depth.map(|depth| usize::try_from(depth).unwrap_or(usize::MAX)),
            ..FileOptions::default()
        })
    }
}

/// The engine's error in the words of `search` and `find`.
pub(super) fn in_words(error: Error) -> Error {
    match error.param() {
        Some("exclude") => {
            let message = "'exclude_query' drops lines and cannot be used with 'multiline'";
            error.with_message(message).with_param("exclude_query")
        }
        Some("pattern") => renamed(name_pattern_in_words(error), "pattern", "name_pattern"),
        _ => in_paths(error),
    }
}

/// An error about the regex of names says how to ask for a glob, which it perhaps was meant to be.
pub(super) fn name_pattern_in_words(error: Error) -> Error {
    if error.kind() != ErrorKind::PatternSyntax || error.param() != Some("pattern") {
        return error;
    }
    let message = format!("{}; if it is a glob, set 'glob' to true", error.message());
    error.with_message(message)
}

/// An error about one of the paths names the parameter and, where it can, what was meant.
fn in_paths(error: Error) -> Error {
    let Some(path) = error.path().map(str::to_owned) else {
        return error;
    };
    let mut message = error.message().to_owned();
    if !error.near().is_empty() {
        message.push_str(&format!("; did you mean '{}'?", error.near().join("' or '")));
    }
    error.with_message(message).with_param("paths").with_path(path)
}
