//! The files that a repository's own configuration names: included configuration, ignore rules, attributes.
//!
//! They are read where they are in the reach of the engine. One that is not, such as `~/ignore`, is reported,
//! because git may then list other files.

use super::config::Config;
use super::failure::Failure;
use super::files::{Folder, Reach, shown};
use crate::budget::Budget;
use crate::room;
use crate::suggest::shorten;
use crate::wildcard::{IgnoreLines, LetterCase, Steps, Verdict};
use crate::workspace::fs::Kind;

const CONFIG_BYTES_MAX: u64 = 4 << 20;
const HEAD_BYTES_MAX: u64 = 64 << 10;
/// The maximum number of files that are open one inside the other, as in git.
const DEPTH_MAX: usize = 10;
/// The maximum number of included files. Without it ten levels of files that include each other twice would
/// be a thousand, and of those that do so ten times more than can be read.
const FILES_MAX: usize = 1_000;

/// Reads the files that a configuration names.
pub(super) struct Includes<'a> {
    /// The directory of the repository, or of a linked worktree in it.
    pub own: &'a Folder,
    pub reach: &'a Reach,
    pub budget: &'a Budget,
    /// Sentences about files that were not read.
    pub problems: Vec<String>,
    n_files: usize,
}

/// A file of the configuration whose values are taken over one by one.
struct Open {
    folder: Folder,
    values: std::vec::IntoIter<(String, String)>,
}

impl<'a> Includes<'a> {
    pub(super) fn new(own: &'a Folder, reach: &'a Reach, budget: &'a Budget) -> Includes<'a> {
        Includes { own, reach, budget, problems: Vec::new(), n_files: 0 }
    }

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
                if open.len() == DEPTH_MAX {
                    let why =
                        format!("its configuration includes files more than {DEPTH_MAX} deep");
                    return Err(Failure::refused(why));
                }
                open.extend(self.included(&folder, &name, &value)?);
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
    fn is_git_dir(&mut self, pattern: &str, folder: &Folder, case: LetterCase) -> bool {
        let own = self.own.absolute().to_string_lossy().into_owned();
        if is_elsewhere(pattern) {
            self.problems.push(format!(
                "the condition 'gitdir:{}' names the home directory, which is not read: git may list other \
                 files",
                shorten(pattern)
            ));
            return false;
        }
        if let Some(rest) = pattern.strip_prefix("./") {
            let here = format!("{}/", folder.absolute().to_string_lossy());
            let below = own.strip_prefix(&here);
            return below.is_some_and(|below| self.matches(rest, below, case));
        }
        let own = own.trim_start_matches('/');
        match pattern.strip_prefix('/') {
            Some(absolute) => self.matches(absolute, own, case),
            None => self.matches(&format!("**/{pattern}"), own, case),
        }
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
        let what = if name == "include.path" { name } else { "includeIf.*.path" };
        let effect = "its settings may change which files git lists";
        let Some((folder, file)) = self.place(folder, what, value, effect)? else {
            return Ok(None);
        };
        self.n_files += 1;
        if self.n_files > FILES_MAX {
            let why = format!("its configuration includes more than {FILES_MAX} files");
            return Err(Failure::refused(why));
        }
        let Some(values) = read_config(&folder, &file, self.budget)? else { return Ok(None) };
        Ok(Some(Open { folder, values: values.into_values() }))
    }

    /// Reads a file that the value `name` names, relative to the top of the worktree; empty if there is none.
    pub(super) fn file(
        &mut self,
        top: &Folder,
        name: &str,
        value: Option<&str>,
        bytes_max: u64,
        effect: &str,
    ) -> Result<Vec<u8>, Failure> {
        let Some(value) = value.filter(|value| !value.is_empty()) else { return Ok(Vec::new()) };
        let Some((folder, file)) = self.place(top, name, value, effect)? else {
            return Ok(Vec::new());
        };
        let text = folder.read_unlinked(&file, bytes_max, self.budget)?;
        if text.is_none() && folder.kind(&file)? == Some(Kind::File) {
            self.problems.push(format!(
                "'{name} = {}' of the repository's configuration is a symlink and is not read: {effect}",
                shorten(value)
            ));
        }
        Ok(text.unwrap_or_default())
    }

    /// Returns the directory and the name of a file that a value names; `None`, and a problem, if it is out
    /// of reach.
    fn place(
        &mut self,
        from: &Folder,
        name: &str,
        value: &str,
        effect: &str,
    ) -> Result<Option<(Folder, Vec<u8>)>, Failure> {
        let (dir, file) = value.rsplit_once('/').unwrap_or((".", value));
        let dir = if dir.is_empty() { "/" } else { dir };
        let folder = match is_elsewhere(value) {
            true => Err(Failure::outside_root()),
            false => self.reach.folder(from, dir.as_bytes()),
        };
        match folder {
            Ok(folder) => Ok(Some((folder, room::copy(file.as_bytes())?))),
            Err(Failure::Refused(_)) => {
                self.problems.push(format!(
                    "'{name} = {}' of the repository's configuration is outside the root and is not read: \
                     {effect}",
                    shorten(value)
                ));
                Ok(None)
            }
            Err(failure) => Err(failure),
        }
    }
}

/// Returns whether a path depends on the home directory of a user or on the installation of git.
fn is_elsewhere(path: &str) -> bool {
    path.starts_with(['~', '%'])
}

/// Reads a file of the configuration without its inclusions; `None` if it does not exist.
pub(super) fn read_config(
    folder: &Folder,
    name: &[u8],
    budget: &Budget,
) -> Result<Option<Config>, Failure> {
    let Some(bytes) = folder.read(name, CONFIG_BYTES_MAX, budget)? else { return Ok(None) };
    let mut config = Config::default();
    config.add(&bytes, budget).map_err(|failure| failure.of(&shown(name)))?;
    Ok(Some(config))
}
