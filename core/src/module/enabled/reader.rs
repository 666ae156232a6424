//! Reads manifests and directories within limits, and collects problems.
//!
//! A denied path is treated as absent, an unreadable one is a problem, and symlinks are not followed.

use super::xml::{self, Document};
use crate::budget::{Budget, Stopped};
use crate::excerpt::floor_char_boundary;
use crate::pool;
use crate::workspace::fs::{FsError, Kind};
use crate::workspace::{Entry, RelPath, Unread, Workspace};
use std::fmt::Display;

/// The maximum size of a manifest. A larger one is a problem and is not read.
pub(super) const MANIFEST_BYTES_MAX: u64 = 1 << 20;
/// The same for TOML, which is slowest to parse: the largest `Cargo.toml` files have 100 KiB.
const TOML_BYTES_MAX: u64 = 256 << 10;
/// The size of files that are parsed within a few milliseconds.
const QUICK_BYTES: usize = 16 << 10;
/// The maximum number of directories listed, wherever the manifests point.
pub(super) const LISTED_MAX: usize = 20_000;
/// The maximum number of entries read of one directory.
const ENTRIES_MAX: usize = 20_000;
/// The maximum size of all manifests together, to bound the host's memory.
const BYTES_MAX: u64 = 16 << 20;
/// The maximum number of dependencies of all modules together.
pub(super) const DEPENDENCIES_MAX: usize = 200_000;
/// The maximum length of a module name.
const NAME_BYTES_MAX: usize = 500;
/// The maximum number of problems kept; the rest is counted.
const PROBLEMS_MAX: usize = 100;
/// The maximum length of a problem, which may quote a file.
const PROBLEM_BYTES_MAX: usize = 500;

/// Reads the manifests of a workspace within a budget, and counts the bytes.
pub(super) struct ManifestReader<'a> {
    pub budget: &'a Budget,
    pub workspace: &'a Workspace,
    problems: Vec<String>,
    n_problems: usize,
    n_listed: usize,
    bytes_left: u64,
    dependencies_left: usize,
}

impl<'a> ManifestReader<'a> {
    pub(super) fn new(workspace: &'a Workspace, budget: &'a Budget) -> ManifestReader<'a> {
        ManifestReader {
            budget,
            workspace,
            problems: Vec::new(),
            n_problems: 0,
            n_listed: 0,
            bytes_left: BYTES_MAX,
            dependencies_left: DEPENDENCIES_MAX,
        }
    }

    /// Adds a problem with the file or directory at `path`.
    pub(super) fn problem(&mut self, path: &RelPath, what: impl Display) {
        self.n_problems += 1;
        if self.problems.len() < PROBLEMS_MAX {
            let mut problem = format!("{}: {what}", path.display());
            if problem.len() > PROBLEM_BYTES_MAX {
                problem.truncate(floor_char_boundary(&problem, PROBLEM_BYTES_MAX));
                problem.push('…');
            }
            self.problems.push(problem);
        }
    }

    pub(super) fn into_problems(mut self) -> Vec<String> {
        let n_more = self.n_problems - self.problems.len();
        if n_more > 0 {
            self.problems.push(format!("{n_more} more problems are not listed"));
        }
        self.problems
    }

    /// Returns the total size of the files read.
    pub(super) fn bytes_read(&self) -> u64 {
        BYTES_MAX - self.bytes_left
    }

    /// Returns the bytes of a file; `None` if it is absent or unreadable.
    pub(super) fn bytes(
        &mut self,
        path: &RelPath,
        bytes_max: u64,
    ) -> Result<Option<Vec<u8>>, Stopped> {
        let readable = bytes_max.min(self.bytes_left);
        let unread = match self.workspace.read_file(path, readable, self.budget) {
            Ok(bytes) => {
                self.bytes_left -= bytes.as_ref().map_or(0, |bytes| bytes.len() as u64);
                return Ok(bytes);
            }
            Err(Unread::TooLarge(_)) if readable < bytes_max => {
                let problem = format_args!(
                    "not read: module files may have at most {} MiB in total",
                    BYTES_MAX >> 20
                );
                self.problem(path, problem);
                return Ok(None);
            }
            Err(unread) => unread,
        };
        let reason = unread.reason().ok_or(Stopped)?;
        self.problem(path, format_args!("not read: {reason}"));
        Ok(None)
    }

    /// Returns the text of a manifest, without byte order mark.
    pub(super) fn text(&mut self, path: &RelPath) -> Result<Option<String>, Stopped> {
        self.text_within(path, MANIFEST_BYTES_MAX)
    }

    fn text_within(&mut self, path: &RelPath, bytes_max: u64) -> Result<Option<String>, Stopped> {
        let Some(mut bytes) = self.bytes(path, bytes_max)? else {
            return Ok(None);
        };
        if bytes.starts_with(b"\xEF\xBB\xBF") {
            bytes.drain(..3);
        }
        let text = String::from_utf8(bytes);
        Ok(self.parsed(
            path,
            text.map_err(|error| format!("not UTF-8 at byte {}", error.utf8_error().valid_up_to())),
        ))
    }

    /// Parses a TOML file and returns the parts selected by `keep`.
    pub(super) fn toml<T: Send + 'static>(
        &mut self,
        path: &RelPath,
        keep: fn(&toml::Table) -> T,
    ) -> Result<Option<T>, Stopped> {
        let Some(text) = self.text_within(path, TOML_BYTES_MAX)? else {
            return Ok(None);
        };
        self.budget.poll_clock()?;
        // The parser bounds the nesting of values.
        let parsed = self.parse(text, move |text| {
            let parsed = text.parse::<toml::Table>();
            let parsed = parsed.map_err(|error| format!("invalid TOML: {}", error.message()))?;
            Ok(keep(&parsed))
        })?;
        Ok(self.parsed(path, parsed))
    }

    /// Parses a JSON file and returns the parts selected by `keep`.
    pub(super) fn json<T: Send + 'static>(
        &mut self,
        path: &RelPath,
        keep: fn(&serde_json::Value) -> T,
    ) -> Result<Option<T>, Stopped> {
        let Some(text) = self.text(path)? else {
            return Ok(None);
        };
        self.budget.poll_clock()?;
        // The parser bounds the nesting of values.
        let parsed = self.parse(text, move |text| {
            let parsed =
                serde_json::from_str(text).map_err(|error| format!("invalid JSON: {error}"))?;
            Ok(keep(&parsed))
        })?;
        Ok(self.parsed(path, parsed))
    }

    pub(super) fn xml(&mut self, path: &RelPath) -> Result<Option<Document>, Stopped> {
        let Some(bytes) = self.bytes(path, xml::BYTES_MAX as u64)? else {
            return Ok(None);
        };
        self.budget.poll_clock()?;
        let parsed = self.parse(bytes, |bytes| xml::parse(bytes))?;
        Ok(self.parsed(path, parsed))
    }

    /// Parses within the budget, which the parsers themselves do not check. Large files are also freed on the
    /// parsing thread, because freeing takes long too.
    fn parse<I, T>(
        &self,
        input: I,
        parse: impl FnOnce(&I) -> Result<T, String> + Send + 'static,
    ) -> Result<Result<T, String>, Stopped>
    where
        I: AsRef<[u8]> + Send + 'static,
        T: Send + 'static,
    {
        if input.as_ref().len() <= QUICK_BYTES {
            return Ok(parse(&input));
        }
        pool::run_aside(self.budget, move || parse(&input))
    }

    /// Returns the parsed value, or adds the problem.
    fn parsed<T>(&mut self, path: &RelPath, parsed: Result<T, String>) -> Option<T> {
        parsed.map_err(|problem| self.problem(path, problem)).ok()
    }

    pub(super) fn is_dir(&mut self, path: &RelPath) -> bool {
        self.kind(path) == Some(Kind::Dir)
    }

    pub(super) fn is_file(&mut self, path: &RelPath) -> bool {
        self.kind(path) == Some(Kind::File)
    }

    fn kind(&mut self, path: &RelPath) -> Option<Kind> {
        self.workspace.refuse_denied(path).ok()?;
        match self.workspace.fs().stat(path, false) {
            Ok(meta) => Some(meta.kind),
            Err(error) => {
                if matches!(error, FsError::Io(_)) {
                    self.problem(path, format_args!("cannot be examined: {}", error.reason()));
                }
                None
            }
        }
    }

    /// Returns the names that are directories in `dir`.
    pub(super) fn dirs_named(&mut self, dir: &RelPath, names: &[&str]) -> Vec<RelPath> {
        let paths = names.iter().map(|name| dir.join(name.as_bytes()));
        paths.filter(|path| self.is_dir(path)).collect()
    }

    /// Returns the directories in `dir`, in order, without symlinks.
    pub(super) fn dirs(&mut self, dir: &RelPath) -> Result<Vec<RelPath>, Stopped> {
        let entries = self.entries_where(dir, &|_, kind| kind == Kind::Dir)?;
        Ok(entries.iter().map(|entry| dir.join(&entry.name)).collect())
    }

    /// Returns the wanted entries of `dir`; empty if it is absent or the listing limit is reached.
    pub(super) fn entries_where(
        &mut self,
        dir: &RelPath,
        is_wanted: &dyn Fn(&[u8], Kind) -> bool,
    ) -> Result<Vec<Entry>, Stopped> {
        if self.n_listed >= LISTED_MAX {
            if self.n_listed == LISTED_MAX {
                let problem =
                    format_args!("not listed: the limit of {LISTED_MAX} directories is reached");
                self.problem(dir, problem);
            }
            self.n_listed = LISTED_MAX + 1;
            return Ok(Vec::new());
        }
        self.n_listed += 1;
        match self.workspace.entries_where(dir, ENTRIES_MAX, self.budget, is_wanted) {
            Ok(entries) => {
                let entries = entries.unwrap_or_default();
                if entries.is_cut {
                    let problem = format_args!("only the first {ENTRIES_MAX} entries are used");
                    self.problem(dir, problem);
                }
                Ok(entries.list)
            }
            Err(Unread::Stopped) => Err(Stopped),
            Err(Unread::Failed(error @ FsError::Io(_))) => {
                self.problem(dir, format_args!("not listed: {}", error.reason()));
                Ok(Vec::new())
            }
            // A file has no entries.
            Err(_) => Ok(Vec::new()),
        }
    }

    /// Returns how many of `n` dependencies of a module may be kept. Reports a cut.
    pub(super) fn admit_dependencies(&mut self, file: &RelPath, n: usize) -> usize {
        let admitted = n.min(self.dependencies_left);
        self.dependencies_left -= admitted;
        if admitted < n {
            let problem = format_args!(
                "only {admitted} of {n} dependencies are used: all modules may have at most \
                 {DEPENDENCIES_MAX} in total"
            );
            self.problem(file, problem);
        }
        admitted
    }

    /// Returns the module name in a manifest; `None` if it is not a valid name.
    pub(super) fn name<'n>(&mut self, file: &RelPath, name: &'n str) -> Option<&'n str> {
        let name = name.trim();
        let is_name =
            (1..=NAME_BYTES_MAX).contains(&name.len()) && !name.contains(char::is_control);
        if !is_name {
            self.problem(file, format_args!("'{}' is not a valid name", name.escape_debug()));
        }
        Some(name).filter(|_| is_name)
    }

    /// Resolves a path in a manifest in `dir` by its text alone; `None` if it is outside the root.
    pub(super) fn resolve(&self, dir: &RelPath, path: &str) -> Option<RelPath> {
        if path.starts_with('/') {
            return self.workspace.resolve_in_tree(path);
        }
        let dir = std::str::from_utf8(dir.as_bytes()).ok()?;
        let path = if dir.is_empty() { path.to_owned() } else { format!("{dir}/{path}") };
        self.workspace.resolve_in_tree(&path)
    }

    /// Like [`ManifestReader::resolve`], but reports a path outside the root.
    pub(super) fn follow(&mut self, file: &RelPath, path: &str) -> Option<RelPath> {
        let dir = file.parent().unwrap_or_default();
        let found = self.resolve(&dir, path);
        if found.is_none() {
            let shown = path.escape_debug();
            self.problem(file, format_args!("'{shown}' is outside the root, and not followed"));
        }
        found
    }
}
