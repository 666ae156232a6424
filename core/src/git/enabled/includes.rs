//! The files that a repository's own configuration names: included configuration, ignore rules, attributes.
//!
//! They are read inside the root and inside the directories of the repository, which may be elsewhere by the
//! workspace option `git_dir_outside_root`. Any other one, such as `~/ignore`, is reported, because git may then
//! list other files.

use super::config::{Config, ConfigMemory};
use super::failure::Failure;
use super::files::{Folder, shown};
use crate::budget::Budget;
use crate::room;
use crate::suggest::shorten;
use crate::wildcard::{IgnoreLines, LetterCase, Steps, Verdict};
use std::path::Path;

const CONFIG_BYTES_MAX: u64 = 4 << 20;
const HEAD_BYTES_MAX: u64 = 64 << 10;
/// The maximum number of files that are open one inside the other, as in git.
const DEPTH_MAX: usize = 10;
/// The maximum number of included files, because ten levels of files that include each other twice are a
/// thousand.
const FILES_MAX: usize = 1_000;

/// Reads the files that a configuration names.
pub(super) struct Includes<'a> {
    /// The directory of the repository, or of a linked worktree in it.
    pub own: &'a Folder,
    /// The directories whose files may be read.
    pub within: &'a [&'a Folder],
    pub memory: ConfigMemory,
    pub budget: &'a Budget,
    /// Sentences about files that were not read.
    pub problems: Vec<String>,
    pub n_files: usize,
}

/// A file of the configuration whose values are taken over one by one.
struct Open {
    folder: Folder,
    values: std::vec::IntoIter<(String, String)>,
}

impl Includes<'_> {
    /// Adds the values of a configuration that was read in `folder`, with those of each included file in the
    /// place of its inclusion.
    pub(super) fn add(
        &mut self,
        config: &mut Config,
        folder: &Folder,
        values: Config,
    ) -> Result<(), Failure> {
        let mut open = vec![Open { folder: folder.clone(), values: values.into_values() }];
        while let Some(file) = open.last_mut() {
            self.budget.poll()?;
            let Some((name, value)) = file.values.next() else {
                open.pop();
                continue;
            };
            let folder = file.folder.clone();
            if self.is_inclusion(&name, &folder)? {
                open.extend(self.included(&folder, &name, &value)?);
                // The first one includes the others.
                if open.len() > DEPTH_MAX + 1 {
                    let why =
                        format!("its configuration includes files more than {DEPTH_MAX} deep");
                    return Err(Failure::refused(why));
                }
            }
            config.push(name, value)?;
        }
        Ok(())
    }

    /// Returns whether a value includes a file now: `include.path`, or `includeIf.CONDITION.path` whose
    /// condition holds.
    fn is_inclusion(&mut self, name: &str, folder: &Folder) -> Result<bool, Failure> {
        if name == "include.path" {
            return Ok(true);
        }
        let condition = name.strip_prefix("includeif.").and_then(|rest| rest.strip_suffix(".path"));
        let Some(condition) = condition else { return Ok(false) };
        let (kind, pattern) = condition.split_once(':').unwrap_or((condition, ""));
        match kind {
            "gitdir" | "gitdir/i" if is_elsewhere(pattern) => {
                self.problems.push(format!(
                    "the condition '{}' names the home directory, which is not read: git may list other files",
                    shorten(condition)
                ));
                Ok(false)
            }
            "gitdir" => Ok(self.is_git_dir(pattern, folder, LetterCase::Distinct)),
            "gitdir/i" => Ok(self.is_git_dir(pattern, folder, LetterCase::Same)),
            "onbranch" => self.is_on_branch(pattern),
            "hasconfig" => {
                self.problems.push(format!(
                    "the condition '{}' of the repository's configuration is not evaluated: git may list \
                     other files",
                    shorten(condition)
                ));
                Ok(false)
            }
            // Git skips conditions that it does not know.
            _ => Ok(false),
        }
    }

    /// Returns whether the directory of the repository matches a pattern of the file in `folder`.
    fn is_git_dir(&self, pattern: &str, folder: &Folder, case: LetterCase) -> bool {
        let own = with_slashes(&self.own.absolute());
        if let Some(rest) = pattern.strip_prefix("./") {
            let here = format!("{}/", with_slashes(&folder.absolute()));
            let below = own.strip_prefix(&here);
            return below.is_some_and(|below| self.matches(rest, below, case));
        }
        if Path::new(pattern).has_root() {
            let pattern = pattern.trim_start_matches('/');
            return self.matches(pattern, own.trim_start_matches('/'), case);
        }
        self.matches(&format!("**/{pattern}"), own.trim_start_matches('/'), case)
    }

    /// Returns whether the branch that is checked out matches a pattern.
    fn is_on_branch(&self, pattern: &str) -> Result<bool, Failure> {
        let head = self.own.read(b"HEAD", HEAD_BYTES_MAX, self.budget)?.unwrap_or_default();
        let head = String::from_utf8_lossy(&head);
        let target = head.strip_prefix("ref:").map(str::trim).unwrap_or_default();
        let branch = target.strip_prefix("refs/heads/");
        Ok(branch.is_some_and(|branch| self.matches(pattern, branch, LetterCase::Distinct)))
    }

    /// Matches a path from its beginning as git does in conditions: as an ignore line, but a slash at the end
    /// means everything below.
    fn matches(&self, pattern: &str, path: &str, case: LetterCase) -> bool {
        let everything = if pattern.ends_with('/') { "**" } else { "" };
        let line = format!("/{pattern}{everything}");
        let (Some(lines), _) = IgnoreLines::from_lines([line.as_str()], case) else { return false };
        let mut go_on = || self.budget.poll_clock().is_ok();
        let mut steps = Steps::polled(&mut go_on);
        lines.verdict_while(path.as_bytes(), false, &mut steps) == Verdict::Ignore
    }

    /// Opens an included file; `None` if it does not exist or is out of reach.
    fn included(
        &mut self,
        folder: &Folder,
        name: &str,
        value: &str,
    ) -> Result<Option<Open>, Failure> {
        let name = if name == "include.path" { name } else { "includeIf.*.path" };
        let named = Named { name, value, effect: "its settings may change which files git lists" };
        let Some((folder, file)) = self.place(folder, &named)? else { return Ok(None) };
        self.n_files += 1;
        if self.n_files > FILES_MAX {
            let why = format!("its configuration includes more than {FILES_MAX} files");
            return Err(Failure::refused(why));
        }
        let read = folder.read(&file, CONFIG_BYTES_MAX, self.budget);
        let Some(bytes) = self.unless_refused(read, &named)? else { return Ok(None) };
        let values = config_of(&bytes, &file, &mut self.memory, self.budget)?;
        Ok(Some(Open { folder, values: values.into_values() }))
    }

    /// Reads a file that the configuration names, relative to the top of the worktree; empty if it was not read.
    pub(super) fn file(
        &mut self,
        top: &Folder,
        named: &Named<'_>,
        bytes_max: u64,
    ) -> Result<Vec<u8>, Failure> {
        let Some((folder, file)) = self.place(top, named)? else { return Ok(Vec::new()) };
        let read = folder.read_unlinked(&file, bytes_max, self.budget);
        let Some(text) = self.unless_refused(read, named)? else {
            // Also where its target is missing or elsewhere.
            if folder.has_link(&file) {
                self.problems.push(named.problem("is a symlink and is not read"));
            }
            return Ok(Vec::new());
        };
        Ok(text)
    }

    /// Returns the directory and the name of a file that a value names; `None`, and a problem, if it is
    /// elsewhere.
    fn place(
        &mut self,
        from: &Folder,
        named: &Named<'_>,
    ) -> Result<Option<(Folder, Vec<u8>)>, Failure> {
        let (dir, file) = named.value.rsplit_once('/').unwrap_or((".", named.value));
        let dir = if dir.is_empty() { "/" } else { dir };
        let mut within = self.within.iter();
        let folder = match is_elsewhere(named.value) {
            true => None,
            false => within.find_map(|known| known.leading_to(from, dir)),
        };
        let Some(folder) = folder else {
            self.problems.push(named.problem("is outside the root and is not read"));
            return Ok(None);
        };
        Ok(Some((folder, room::copy(file.as_bytes())?)))
    }

    /// Reports a file that was refused, such as one at the end of a link out of the root, instead of failing.
    fn unless_refused(
        &mut self,
        read: Result<Option<Vec<u8>>, Failure>,
        named: &Named<'_>,
    ) -> Result<Option<Vec<u8>>, Failure> {
        match read {
            Err(Failure::Refused(refusal)) => {
                self.problems.push(named.problem(&format!("is not read ({refusal})")));
                Ok(None)
            }
            read => read,
        }
    }
}

/// A file that a value of the configuration names.
pub(super) struct Named<'a> {
    /// The name of the value.
    pub name: &'a str,
    pub value: &'a str,
    /// The consequence if the file is not read.
    pub effect: &'a str,
}

impl Named<'_> {
    /// Returns a sentence about a file that was not read.
    fn problem(&self, what: &str) -> String {
        let (name, value, effect) = (self.name, shorten(self.value), self.effect);
        format!("'{name} = {value}' of the repository's configuration {what}: {effect}")
    }
}

/// Returns whether a path depends on the home directory of a user or on the installation of git.
fn is_elsewhere(path: &str) -> bool {
    path.starts_with(['~', '%'])
}

/// Returns an absolute path as git's conditions have it, also on Windows.
fn with_slashes(path: &Path) -> String {
    let path = path.to_string_lossy();
    if !cfg!(windows) {
        return path.into_owned();
    }
    path.strip_prefix(r"\\?\").unwrap_or(&path).replace('\\', "/")
}

/// Reads a file of the configuration without its inclusions; empty if it does not exist.
pub(super) fn read_config(
    folder: &Folder,
    name: &[u8],
    memory: &mut ConfigMemory,
    budget: &Budget,
) -> Result<Config, Failure> {
    match folder.read(name, CONFIG_BYTES_MAX, budget)? {
        Some(bytes) => config_of(&bytes, name, memory, budget),
        None => Ok(Config::default()),
    }
}

fn config_of(
    bytes: &[u8],
    name: &[u8],
    memory: &mut ConfigMemory,
    budget: &Budget,
) -> Result<Config, Failure> {
    let mut config = Config::default();
    config.add(bytes, memory, budget).map_err(|failure| failure.of(&shown(name)))?;
    Ok(config)
}
