//! Names of commits: branches, tags, `HEAD`, and the suffixes of revisions.
//!
//! A loose ref overrides a packed one: git packs a ref by copying it and deletes the loose file later, and an
//! update writes a loose file again.

use super::failure::{BadRevision, Failure, Malformed};
use super::files::Folder;
use super::id::{Id, ObjectFormat};
use super::object::Kind;
use super::objects::Objects;
use crate::budget::Budget;
use crate::room;
use crate::workspace::fs::Kind as FileKind;
use std::collections::HashSet;

const REF_BYTES_MAX: u64 = 64 << 10;
const PACKED_BYTES_MAX: u64 = 64 << 20;
/// The maximum length of a chain of symbolic refs.
const SYMBOLIC_MAX: usize = 5;
/// The maximum number of names that are compared with an unknown one.
const NAMES_MAX: usize = 10_000;
/// The places of short names, in git's order.
const PLACES: [(&str, &str); 6] = [
    ("", ""),
    ("refs/", ""),
    ("refs/tags/", ""),
    ("refs/heads/", ""),
    ("refs/remotes/", ""),
    ("refs/remotes/", "/HEAD"),
];
/// The places of names that users know.
const LISTED: [&str; 3] = ["refs/heads/", "refs/tags/", "refs/remotes/"];
/// Refs that belong to a single worktree.
const OF_WORKTREE: [&str; 3] = ["refs/bisect/", "refs/worktree/", "refs/rewritten/"];

/// The refs of a repository.
pub(super) struct Refs {
    /// The directory of this worktree, with its `HEAD`.
    own: Folder,
    common: Folder,
    format: ObjectFormat,
    packed: Vec<u8>,
}

impl Refs {
    pub(super) fn open(
        own: Folder,
        common: Folder,
        format: ObjectFormat,
        budget: &Budget,
    ) -> Result<Refs, Failure> {
        let packed = common.read(b"packed-refs", PACKED_BYTES_MAX, budget)?.unwrap_or_default();
        Ok(Refs { own, common, format, packed })
    }

    /// Returns the commit that is checked out; `None` before the first one.
    pub(super) fn head(&self, budget: &Budget) -> Result<Option<Id>, Failure> {
        if self.own.kind(b"HEAD")? != Some(FileKind::File) {
            return Err(Malformed("it has no HEAD").into());
        }
        self.read("HEAD", budget)
    }

    /// Returns whether the repository has replacement objects, which the engine does not support.
    pub(super) fn has_replacements(&self, budget: &Budget) -> Result<bool, Failure> {
        let loose = self.common.folder(b"refs/replace").list(budget)?;
        let is_packed = memchr::memmem::find(&self.packed, b" refs/replace/").is_some();
        Ok(!loose.is_empty() || is_packed)
    }

    /// Returns the id to which the ref with this full name resolves.
    fn read(&self, name: &str, budget: &Budget) -> Result<Option<Id>, Failure> {
        let mut name = name.to_owned();
        for _ in 0..SYMBOLIC_MAX {
            // Worktrees share branches and tags, but each has its own `HEAD` and its own state of a
            // bisection.
            let is_own = !name.starts_with("refs/")
                || OF_WORKTREE.iter().any(|place| name.starts_with(place));
            let folder = if is_own { &self.own } else { &self.common };
            let Some(text) = folder.read(name.as_bytes(), REF_BYTES_MAX, budget)? else {
                return self.read_packed(&name, budget);
            };
            let text = text.trim_ascii();
            let Some(target) = text.strip_prefix(b"ref:") else {
                let hex = text.split(u8::is_ascii_whitespace).next().unwrap_or_default();
                let id = Id::from_hex(hex, self.format);
                return match id {
                    // A ref is created before it is written, but git keeps a valid HEAD at all times.
                    None if name == "HEAD" => Err(Malformed("its HEAD is damaged").into()),
                    id => Ok(id),
                };
            };
            name = String::from_utf8_lossy(target.trim_ascii()).into_owned();
            if !is_ref_name(&name) {
                return Err(Malformed("a symbolic ref does not name a ref").into());
            }
        }
        Err(Malformed("a chain of symbolic refs is too long").into())
    }

    fn read_packed(&self, name: &str, budget: &Budget) -> Result<Option<Id>, Failure> {
        let mut found = None;
        self.each_packed(budget, &mut |packed, id| {
            if packed == name.as_bytes() {
                found = Id::from_hex(id, self.format);
            }
            found.is_none()
        })?;
        Ok(found)
    }

    fn each_packed(
        &self,
        budget: &Budget,
        each: &mut dyn FnMut(&[u8], &[u8]) -> bool,
    ) -> Result<(), Failure> {
        for line in self.packed.split(|&byte| byte == b'\n') {
            budget.poll()?;
            if matches!(line.first(), None | Some(b'#' | b'^')) {
                continue;
            }
            let space = memchr::memchr(b' ', line).ok_or(Malformed("malformed packed refs"))?;
            if !each(&line[space + 1..], &line[..space]) {
                break;
            }
        }
        Ok(())
    }

    /// Returns the commit that a revision names: a ref, a tag, `HEAD` or an id, which may be abbreviated,
    /// with any number of `~N` and `^N` after it. The parents of `shallow` commits were not fetched.
    pub(super) fn commit(
        &self,
        revision: &str,
        objects: &Objects,
        shallow: &HashSet<Id>,
        budget: &Budget,
    ) -> Result<Id, Failure> {
        let (name, steps) = match revision.find(['~', '^']) {
            Some(at) => revision.split_at(at),
            None => (revision, ""),
        };
        let Some(id) = self.named(name, objects, budget)? else {
            return Err(Failure::Revision(BadRevision::Missing(self.names(budget)?)));
        };
        let (mut id, kind) = objects.peel(id, budget)?;
        if kind != Kind::Commit {
            return Err(Failure::unusable("is not a commit"));
        }
        for step in steps_of(steps).ok_or_else(|| unreadable(steps))? {
            for _ in 0..step.repeat {
                budget.poll()?;
                if step.parent != 0 && shallow.contains(&id) {
                    return Err(Failure::unusable(format!(
                        "goes back beyond the commit {id}, where this shallow clone ends: 'git fetch \
                         --deepen=N' fetches older ones"
                    )));
                }
                let parents = objects.commit(id, budget)?.parents;
                let parent = step.parent.checked_sub(1).map(|at| parents.get(at).copied());
                match parent {
                    None => {}
                    Some(Some(parent)) => id = parent,
                    Some(None) => {
                        let why =
                            format!("goes back beyond the commit {id}, which has no such parent");
                        return Err(Failure::unusable(why));
                    }
                }
            }
        }
        Ok(id)
    }

    fn named(&self, name: &str, objects: &Objects, budget: &Budget) -> Result<Option<Id>, Failure> {
        let name = if name == "@" { "HEAD" } else { name };
        if let Some(id) = Id::from_hex(name.as_bytes(), self.format) {
            return Ok(objects.find(id, budget)?.map(|_| id));
        }
        if !is_ref_name(name) {
            return Err(unreadable(name));
        }
        for (before, after) in PLACES {
            // Outside of `refs` only names such as HEAD and ORIG_HEAD are refs.
            let is_bare = before.is_empty() && !name.starts_with("refs/");
            let is_pseudo = name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
            if is_bare && !is_pseudo {
                continue;
            }
            if let Some(id) = self.read(&format!("{before}{name}{after}"), budget)? {
                return Ok(Some(id));
            }
        }
        // Last, as in git: a branch may be named `beef`, and its name must not mean the commit whose id
        // begins so.
        let is_hex = name.len() >= 4 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
        if is_hex { self.abbreviated(name, objects, budget) } else { Ok(None) }
    }

    fn abbreviated(
        &self,
        hex: &str,
        objects: &Objects,
        budget: &Budget,
    ) -> Result<Option<Id>, Failure> {
        let hex = hex.to_ascii_lowercase();
        let mut ids: Vec<Id> = Vec::new();
        objects.with_prefix(&hex, budget, &mut |id| {
            if !ids.contains(&id) {
                ids.push(id);
            }
            ids.len() < 100
        })?;
        let mut commits = Vec::new();
        for id in ids {
            // Only commits, and tags of commits, are candidates.
            if objects.peel(id, budget)?.1 == Kind::Commit {
                commits.push(id);
            }
        }
        match commits.as_slice() {
            [] => Ok(None),
            [only] => Ok(Some(*only)),
            _ => Err(Failure::unusable("is an ambiguous abbreviation")),
        }
    }

    /// Lists the short names of branches and tags, and of branches of remotes.
    fn names(&self, budget: &Budget) -> Result<Vec<String>, Failure> {
        let mut names = vec!["HEAD".to_owned()];
        let short = |name: &str| {
            LISTED.iter().find_map(|place| name.strip_prefix(place).map(str::to_owned))
        };
        self.each_packed(budget, &mut |name, _| {
            names.extend(short(&String::from_utf8_lossy(name)));
            names.len() < NAMES_MAX
        })?;
        let mut todo: Vec<String> = LISTED.iter().map(|place| (*place).to_owned()).collect();
        while let Some(dir) = todo.pop() {
            for (name, kind) in self.common.folder(dir.as_bytes()).list(budget)? {
                let name = format!("{dir}{}", String::from_utf8_lossy(&name));
                match kind {
                    FileKind::Dir if todo.len() < NAMES_MAX => {
                        room::push(&mut todo, format!("{name}/"))?
                    }
                    FileKind::File if names.len() < NAMES_MAX => names.extend(short(&name)),
                    _ => {}
                }
            }
        }
        names.sort_unstable();
        names.dedup();
        Ok(names)
    }
}

/// One step back from a commit.
struct Step {
    /// The number of the parent; 0 is the commit itself.
    parent: usize,
    repeat: usize,
}

/// Parses `~2^2` and the like.
fn steps_of(text: &str) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    let mut rest = text;
    while let Some(sign) = rest.chars().next() {
        rest = &rest[1..];
        let n_digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (digits, after) = rest.split_at(n_digits);
        let number = if digits.is_empty() { 1 } else { digits.parse().ok()? };
        steps.push(match sign {
            '~' => Step { parent: 1, repeat: number },
            '^' => Step { parent: number, repeat: 1 },
            _ => return None,
        });
        rest = after;
    }
    Some(steps)
}

fn unreadable(text: &str) -> Failure {
    Failure::unusable(format!(
        "cannot be parsed at '{}': use a branch, a tag, HEAD or a commit id, with ~N or ^N after it",
        crate::suggest::shorten(text)
    ))
}

/// Returns whether a text can be the name of a ref, so that it cannot lead to another file.
fn is_ref_name(name: &str) -> bool {
    let is_odd = |c: char| c.is_ascii_control() || " ~^:?*[\\".contains(c);
    !name.is_empty()
        && !name.contains(is_odd)
        && !name.contains("..")
        && !name.contains("@{")
        && !name.starts_with('-')
        && name
            .split('/')
            .all(|part| !part.is_empty() && !part.starts_with('.') && !part.ends_with(".lock"))
}
