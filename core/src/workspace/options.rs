//! The options of a workspace, and opening one with them.

use super::docs_root::open_option;
use super::secrets::SECRETS;
use super::{DocsRoot, Inner, Opened, Workspace};
use crate::encoding::Encodings;
use crate::error::{Error, ErrorKind, Result};
use crate::wildcard::{IgnoreLines, LetterCase};
use crate::workspace::fs::{self, FsError};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// The maximum of the option `threads`.
const THREADS_MAX: usize = 64;
/// The range of the option `reply_bytes_max`.
const REPLY_BYTES: RangeInclusive<usize> = 64 << 10..=64 << 20;
/// The range of the option `args_bytes_max`.
const ARGS_BYTES: RangeInclusive<usize> = 1 << 10..=64 << 20;
/// The range of the option `memory_bytes_max`.
const MEMORY_BYTES: RangeInclusive<usize> = 1 << 20..=64 << 30;

/// Options of a [`Workspace`]; the defaults are right for most hosts.
///
/// ```
/// use searchscope::{IndexMode, WorkspaceOptions};
/// # fn main() -> searchscope::Result<()> {
/// # let dir = tempfile::tempdir().unwrap();
/// # let root = dir.path();
/// let options = WorkspaceOptions::default().deny("*.pem").deny("secrets/").index(IndexMode::Auto);
/// let workspace = options.open(root)?;
/// assert_eq!(workspace.options().deny, ["*.pem", "secrets/"]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
#[expect(
    clippy::exhaustive_structs,
    reason = "callers write the fields that differ from a default"
)]
pub struct WorkspaceOptions {
    /// The maximum number of threads of one call, the calling one included, 1 to 64. Default: the number of
    /// cores, at most 8. It never changes a result.
    pub threads: Option<usize>,
    /// Gitignore lines, matched from the root. Matching entries are never searched, listed or named in a
    /// result, not even through symlinks; the rules of a denied ignore file still apply. A line that can
    /// match nothing is refused. Default: empty.
    pub deny: Vec<String>,
    /// Whether files that hold credentials are denied too, by the lines of [`SECRETS`]. The lines of `deny`
    /// come after them, so a line with `!` allows a name again. A walk counts the entries excluded for this
    /// reason in [`Skipped::denied`](crate::Skipped::denied), without their names. Default: no.
    pub deny_secrets: bool,
    /// Whether `.gitignore` files count only inside a git repository, as in ripgrep. Default: no.
    pub require_git: bool,
    /// The directory into which tools may write result files; it must exist. It may be inside or outside the
    /// root, and a relative path starts at the root's real path. Default: absent, and nothing is ever
    /// written.
    pub output_dir: Option<PathBuf>,
    /// The maximum size of a tool's reply in bytes, 64 KiB to 64 MiB; a larger one is refused as
    /// `result_too_large`, and `search` and `find` end the page earlier. Default: the limit of each tool.
    pub reply_bytes_max: Option<usize>,
    /// The maximum size of a call's arguments in bytes, 1 KiB to 64 MiB; longer ones are refused as
    /// `invalid_param` before they are parsed. Default: 4 MiB.
    pub args_bytes_max: Option<usize>,
    /// The directory with the Markdown documents; it may be inside or outside the root, and a relative path
    /// starts at the root's real path. No link leads out of it. Default: the root.
    pub docs_root: Option<PathBuf>,
    /// Gitignore lines, matched from the documents' root without regard to case; a matching file is not a
    /// document. Default: empty.
    pub excludes: Vec<String>,
    /// The endings of the names of documents, such as `.rst`, at most 16. Their text is used as it is,
    /// whatever its format. Default: `.md`.
    pub doc_suffixes: Vec<String>,
    /// The labels of the encodings that texts without a byte order mark may have, such as `utf-8`, `shift_jis`
    /// or `windows-1252`, at most 16. A file has the first in which it contains no errors, else it is read as
    /// UTF-8. Searches, documents and `read` decode such files; the index does not cover their contents.
    /// Default: none, and every text is UTF-8.
    pub encodings: Vec<String>,
    /// The minimum number of hyphens in the lines around the front matter of a document, 3 or 4. Default: 3.
    pub front_matter_hyphens_min: Option<usize>,
    /// Whether changed files may be read from git directories outside the root: that of a worktree, or of a
    /// repository of which the root is only a part. Default: no.
    pub git_dir_outside_root: bool,
    /// Whether the workspace indexes its tree, so that repeated searches need not read it again. It never
    /// changes a result. Default: off.
    pub index: IndexMode,
    /// The maximum memory of the index in bytes, 1 MiB to 64 GiB. Beyond it the contents of the largest
    /// directories are not indexed. Default: 256 MiB.
    pub memory_bytes_max: Option<usize>,
}

/// The indexing mode of a workspace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum IndexMode {
    /// It reads the tree again for each call. The default.
    #[default]
    Off,
    /// It builds an index on a separate thread after its second search of contents, or immediately after
    /// [`Workspace::warm`].
    Auto,
}

impl IndexMode {
    /// Returns the stable name of the mode, as used in JSON options.
    pub const fn code(self) -> &'static str {
        match self {
            IndexMode::Off => "off",
            IndexMode::Auto => "auto",
        }
    }
}

impl WorkspaceOptions {
    /// Sets [`threads`](#structfield.threads).
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = Some(threads);
        self
    }

    /// Adds a line to [`deny`](#structfield.deny).
    pub fn deny(mut self, line: impl Into<String>) -> Self {
        self.deny.push(line.into());
        self
    }

    /// Sets [`deny_secrets`](#structfield.deny_secrets).
    pub fn deny_secrets(mut self, on: bool) -> Self {
        self.deny_secrets = on;
        self
    }

    /// Sets [`require_git`](#structfield.require_git).
    pub fn require_git(mut self, on: bool) -> Self {
        self.require_git = on;
        self
    }

    /// Sets [`output_dir`](#structfield.output_dir).
    pub fn output_dir(mut self, dir: impl Into<PathBuf>) -> Self {
        self.output_dir = Some(dir.into());
        self
    }

    /// Sets [`reply_bytes_max`](#structfield.reply_bytes_max).
    pub fn reply_bytes_max(mut self, bytes: usize) -> Self {
        self.reply_bytes_max = Some(bytes);
        self
    }

    /// Sets [`args_bytes_max`](#structfield.args_bytes_max).
    pub fn args_bytes_max(mut self, bytes: usize) -> Self {
        self.args_bytes_max = Some(bytes);
        self
    }

    /// Sets [`docs_root`](#structfield.docs_root).
    pub fn docs_root(mut self, dir: impl Into<PathBuf>) -> Self {
        self.docs_root = Some(dir.into());
        self
    }

    /// Adds a line to [`excludes`](#structfield.excludes).
    pub fn exclude(mut self, line: impl Into<String>) -> Self {
        self.excludes.push(line.into());
        self
    }

    /// Adds a suffix to [`doc_suffixes`](#structfield.doc_suffixes).
    pub fn doc_suffix(mut self, suffix: impl Into<String>) -> Self {
        self.doc_suffixes.push(suffix.into());
        self
    }

    /// Adds a label to [`encodings`](#structfield.encodings).
    pub fn encoding(mut self, label: impl Into<String>) -> Self {
        self.encodings.push(label.into());
        self
    }

    /// Sets [`front_matter_hyphens_min`](#structfield.front_matter_hyphens_min).
    pub fn front_matter_hyphens_min(mut self, hyphens: usize) -> Self {
        self.front_matter_hyphens_min = Some(hyphens);
        self
    }

    /// Sets [`git_dir_outside_root`](#structfield.git_dir_outside_root).
    pub fn git_dir_outside_root(mut self, on: bool) -> Self {
        self.git_dir_outside_root = on;
        self
    }

    /// Sets [`index`](#structfield.index).
    pub fn index(mut self, mode: IndexMode) -> Self {
        self.index = mode;
        self
    }

    /// Sets [`memory_bytes_max`](#structfield.memory_bytes_max).
    pub fn memory_bytes_max(mut self, bytes: usize) -> Self {
        self.memory_bytes_max = Some(bytes);
        self
    }

    /// Opens the directory `root`, through symlinks if it is one. The workspace keeps the handle: a root that
    /// is renamed later stays the root. The same applies to the output directory.
    ///
    /// # Errors
    ///
    /// `not_found` when the directory does not exist, `invalid_param` when it is not a directory or an option
    /// is out of range or does not name a directory, `io` when the system refuses one of them.
    pub fn open(&self, root: impl AsRef<Path>) -> Result<Workspace> {
        let path = root.as_ref();
        let shown = path.to_string_lossy();
        if path.as_os_str().is_empty() {
            return Err(Error::invalid_param("root", "must not be empty"));
        }
        if let Some(threads) = self.threads
            && !(1..=THREADS_MAX).contains(&threads)
        {
            let predicate = format!("must be 1 to {THREADS_MAX}, got {threads}");
            return Err(Error::invalid_param("threads", predicate));
        }
        for (name, bytes, allowed) in [
            ("reply_bytes_max", self.reply_bytes_max, REPLY_BYTES),
            ("args_bytes_max", self.args_bytes_max, ARGS_BYTES),
            ("front_matter_hyphens_min", self.front_matter_hyphens_min, 3..=4),
            ("memory_bytes_max", self.memory_bytes_max, MEMORY_BYTES),
        ] {
            if let Some(bytes) = bytes.filter(|bytes| !allowed.contains(bytes)) {
                let (min, max) = (allowed.start(), allowed.end());
                let predicate = format!("must be {min} to {max}, got {bytes}");
                return Err(Error::invalid_param(name, predicate));
            }
        }
        let secrets = self.deny_secrets.then(compile_secrets).transpose()?.flatten();
        let deny = compile_deny(self)?;
        let encodings = Encodings::from_labels("encodings", &self.encodings)?;
        let root = fs::Root::open(path).map_err(|error| match error {
            FsError::NotFound | FsError::NameTooLong => {
                Error::new(ErrorKind::NotFound, format!("root '{shown}' does not exist"))
            }
            FsError::WrongKind => {
                Error::new(ErrorKind::InvalidParam, format!("root '{shown}' is not a directory"))
                    .with_param("root")
            }
            error => Error::new(ErrorKind::Io, format!("root '{shown}': {}", error.reason())),
        });
        let given = path.has_root().then(|| path.to_path_buf());
        let root = root.map_err(|error| error.with_path(shown))?;
        let output_dir = self.output_dir.as_deref();
        let open = |dir| open_option("output_dir", root.real_path(), dir, fs::OutputDir::open);
        let output_dir = output_dir.map(open).transpose()?;
        let root = Arc::new(root.with_deny(deny.clone()));
        let excludes = compile_lines("excludes", &self.excludes, LetterCase::Same)?;
        let (docs_root, suffixes) = (self.docs_root.as_deref(), &self.doc_suffixes);
        let docs = DocsRoot::open(&root, docs_root, excludes, suffixes, deny.as_ref())?;
        let dirs = [root.real_path(), docs.fs().real_path()];
        let dirs = dirs.into_iter().chain(output_dir.as_ref().map(fs::OutputDir::real_path));
        let mounts = fs::MountWatch::new(dirs.map(Path::to_path_buf).collect());
        let opened = Arc::new(Opened {
            given,
            options: self.clone(),
            deny,
            secrets,
            encodings,
            output_dir,
            mounts,
            grammars: OnceLock::new(),
            index: OnceLock::new(),
        });
        Ok(Workspace(Arc::new(Inner { root, docs, base: None, opened })))
    }
}

fn compile_secrets() -> Result<Option<Arc<IgnoreLines>>> {
    let lines = SECRETS.iter().map(|&line| (line, LetterCase::Same));
    Ok(compile_cased("deny_secrets", lines, 0)?.map(Arc::new))
}

fn compile_deny(options: &WorkspaceOptions) -> Result<Option<Arc<IgnoreLines>>> {
    let lines = &options.deny;
    let secrets = if options.deny_secrets { SECRETS } else { &[] };
    let hosts = lines.iter().map(|line| (line.as_str(), LetterCase::Distinct));
    let all = secrets.iter().map(|&line| (line, LetterCase::Same)).chain(hosts);
    let deny = compile_cased("deny", all, secrets.len())?;
    // In an ignore file a line that matches nothing is harmless; here a host relies on it.
    for (index, line) in lines.iter().enumerate() {
        let is_rule = !line.trim().is_empty() && !line.starts_with('#');
        if is_rule && IgnoreLines::from_lines([line.as_str()], LetterCase::Distinct).0.is_none() {
            let predicate = format!("cannot match any entry: {line:?}");
            return Err(Error::invalid_param("deny", predicate).with_item(format!("[{index}]")));
        }
    }
    Ok(deny.map(Arc::new))
}

/// Compiles the lines of an option; a line without effect is refused.
fn compile_lines(param: &str, lines: &[String], case: LetterCase) -> Result<Option<IgnoreLines>> {
    compile_cased(param, lines.iter().map(|line| (line.as_str(), case)), 0)
}

/// Like [`compile_lines`], with a letter case per line; the first `n_before` are not the option's own.
fn compile_cased<'a>(
    param: &str,
    lines: impl Iterator<Item = (&'a str, LetterCase)>,
    n_before: usize,
) -> Result<Option<IgnoreLines>> {
    let (compiled, problems) = IgnoreLines::from_lines_by_case(lines);
    let Some(first) = problems.first() else {
        return Ok(compiled);
    };
    let reason =
        format!("line {} {}", first.line.saturating_sub(n_before as u64), first.problem.text());
    Err(Error::at_param(ErrorKind::InvalidParam, param, reason))
}
