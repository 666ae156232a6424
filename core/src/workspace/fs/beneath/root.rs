//! The root's handle, and opening paths from it.

use super::real_name::real_name;
use super::sys::{Handle, Looked, WAY};
use super::{COMMON, DIR, Dir, File, kind, meta, open_name, refuse_pseudo};
use crate::wildcard::{IgnoreLines, Verdict};
use crate::workspace::fs::overlay::LinkTarget;
use crate::workspace::fs::{FsError, Kind, Meta};
use crate::workspace::rel_path::RelPath;
use rustix::fs::{FileType, OFlags, Stat};
use rustix::io::Errno;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Longer paths than this are opened in several steps: the kernel's own limit is 4,096 bytes.
const PATH_BYTES_MAX: usize = 4_000;
/// The kernel's own limit of symlinks in one path.
const LINKS_MAX: usize = 40;
/// A rename elsewhere makes `openat2` fail with EAGAIN; after this many attempts the component walk is used.
const AGAIN_MAX: usize = 4;

/// The handle of the root directory.
#[derive(Debug)]
pub(crate) struct Root {
    dir: Dir,
    real_path: PathBuf,
    /// Denied entries, which no link may lead to. A path without links is its caller's to judge.
    deny: Option<Arc<IgnoreLines>>,
    /// Set when the kernel has no `openat2`; a refusal by a seccomp filter does not set it.
    component_walk: AtomicBool,
}

/// What to do with the entry at the end of a path.
#[derive(Clone, Copy)]
enum Goal {
    Look,
    Open(OFlags),
}

/// The entry at the end of a path.
pub(super) enum Target {
    Looked(Looked),
    Open(Handle),
}

/// The result of opening or looking up a path.
struct Opened {
    found: Target,
    /// The path without links, if it differs and the component walk has determined it.
    real: Option<RelPath>,
}

/// The way to a directory, while it is walked name by name.
#[derive(Default)]
struct Route {
    /// The current directory; `None` is the root.
    here: Option<Handle>,
    /// Its path without links. Like `passed` it stays empty when no link is followed.
    path: Vec<u8>,
    /// For every directory that was passed, the end of its path and its identity.
    passed: Vec<(usize, (u64, u64))>,
}

impl Root {
    /// Opens the root itself, through symlinks: the host names it and is trusted.
    pub(crate) fn open(path: &Path) -> Result<Root, FsError> {
        let handle = Handle::open_path(path, DIR)?;
        #[expect(
            clippy::disallowed_methods,
            reason = "the root's own name, for absolute arguments"
        )]
        let real_path = std::fs::canonicalize(path).map_err(FsError::Io)?;
        let dir = Dir::of(handle)?;
        Ok(Root { dir, real_path, deny: None, component_walk: AtomicBool::new(false) })
    }

    /// Makes links that lead to or through entries that `deny` ignores lead nowhere.
    pub(crate) fn set_deny(&mut self, deny: Option<Arc<IgnoreLines>>) {
        self.deny = deny;
    }

    /// Returns the lines of the `deny` option.
    pub(crate) fn deny(&self) -> Option<&IgnoreLines> {
        self.deny.as_deref()
    }

    /// Returns the root's path without symlinks.
    pub(crate) fn real_path(&self) -> &Path {
        &self.real_path
    }

    /// Opens a directory; symlinks are followed only with `follow`, and only inside the root.
    pub(crate) fn open_dir(&self, path: &RelPath, follow: bool) -> Result<Dir, FsError> {
        let opened = self.find(path, Goal::Open(DIR), follow)?.ok_or(FsError::NotFound)?;
        let mut dir = Dir::of(opened.found.into_handle())?;
        dir.real = opened.real;
        refuse_pseudo(&dir.handle, dir.device, self.dir.device)?;
        Ok(dir)
    }

    /// Opens a regular file; symlinks are followed only with `follow`, and only inside the root.
    pub(crate) fn open_file(&self, path: &RelPath, follow: bool) -> Result<File, FsError> {
        // Looked up first: opening a FIFO or a device for reading can already have side effects.
        let found = self.look(path, follow)?.ok_or(FsError::NotFound)?;
        if found.kind != Kind::File {
            return Err(FsError::WrongKind);
        }
        let opened = self.find(path, Goal::Open(COMMON), follow)?.ok_or(FsError::NotFound)?;
        File::of(opened.found.into_handle(), self.dir.device)
    }

    /// Opens, without following symlinks, a file that a listing has just reported as regular.
    pub(crate) fn open_listed_file(&self, path: &RelPath) -> Result<File, FsError> {
        // The listing has already judged it by its listed name.
        let opened = self.find_in_steps(path, Goal::Open(COMMON), false)?;
        File::of(opened.ok_or(FsError::NotFound)?.found.into_handle(), self.dir.device)
    }

    /// Returns the path without symlinks to which `path` leads; with `as_listed` in the names that
    /// directories list.
    pub(crate) fn without_links(
        &self,
        path: &RelPath,
        as_listed: bool,
    ) -> Result<RelPath, FsError> {
        let opened = self.walk(path, Goal::Look, true, as_listed)?.ok_or(FsError::NotFound)?;
        Ok(opened.real.unwrap_or_else(|| path.clone()))
    }

    /// Returns the target of the symlink at `path`, which is reached without other links.
    pub(crate) fn link_target(&self, path: &RelPath) -> Result<LinkTarget, FsError> {
        let dir = self.open_dir(&path.parent().unwrap_or_default(), false)?;
        let target = read_link(&dir.handle, path.file_name())?.ok_or(FsError::NotFound)?;
        let names = self.inside(&target)?.into_iter().map(<[u8]>::to_vec).collect();
        Ok(LinkTarget { is_absolute: target.starts_with(b"/"), names })
    }

    /// Returns the metadata of `path`; `None` if symlinks lead to a denied entry. They are followed only with
    /// `follow`, and only inside the root.
    pub(crate) fn look(&self, path: &RelPath, follow: bool) -> Result<Option<Meta>, FsError> {
        let Some(opened) = self.find(path, Goal::Look, follow)? else {
            return Ok(None);
        };
        let found = meta(&opened.found.stat()?);
        if let Some(handle) = opened.found.handle() {
            refuse_pseudo(handle, found.id.0, self.dir.device)?;
        } else if found.id.0 != self.dir.device {
            // Without a handle of the entry, that of its directory shows the file system.
            let real = opened.real.as_ref().unwrap_or(path);
            self.open_dir(&real.parent().unwrap_or_default(), false)?;
        }
        Ok(Some(found))
    }

    /// Opens or looks up `path`; `None` if it leads to a denied entry.
    fn find(&self, path: &RelPath, goal: Goal, follow: bool) -> Result<Option<Opened>, FsError> {
        // The kernel does not report which way it went, nor the names that the directories list.
        if self.deny.is_some() && !path.is_root() {
            return self.walk_components(path, goal, follow);
        }
        self.find_in_steps(path, goal, follow)
    }

    /// Opens or looks up `path` in as few system calls as its length allows, without judging it.
    fn find_in_steps(
        &self,
        path: &RelPath,
        goal: Goal,
        follow: bool,
    ) -> Result<Option<Opened>, FsError> {
        if path.is_root() {
            let found = goal.reach_dir(&self.dir.handle)?;
            return Ok(Some(Opened { found, real: None }));
        }
        // In a path that is opened in steps, a `..` in a link could lead back beyond the step.
        let is_unsteady = follow && path.as_bytes().len() > PATH_BYTES_MAX;
        if is_unsteady || self.component_walk.load(Relaxed) {
            return self.walk_components(path, goal, follow);
        }
        let mut here: Option<Handle> = None;
        let mut rest = path.as_bytes();
        while !rest.is_empty() {
            let (step, after) = first_step(rest);
            let dir = here.as_ref().unwrap_or(&self.dir.handle);
            if after.is_empty() {
                let found = match goal {
                    Goal::Look => self.step(|| dir.look_beneath(step, follow))?.map(Target::Looked),
                    Goal::Open(flags) => {
                        self.step(|| dir.open_beneath(step, flags, follow))?.map(Target::Open)
                    }
                };
                return match found {
                    Some(found) => Ok(Some(Opened { found, real: None })),
                    None => self.walk_components(path, goal, follow),
                };
            }
            let Some(handle) = self.step(|| dir.open_beneath(step, WAY, follow))? else {
                return self.walk_components(path, goal, follow);
            };
            here = Some(handle);
            rest = after;
        }
        unreachable!("a path that is not the root has a last name")
    }

    /// Runs a call of `openat2`; `None` if the component walk must decide.
    fn step<T>(
        &self,
        mut call: impl FnMut() -> rustix::io::Result<T>,
    ) -> Result<Option<T>, FsError> {
        for _ in 0..AGAIN_MAX {
            match call() {
                Ok(opened) => return Ok(Some(opened)),
                Err(Errno::AGAIN | Errno::INTR) => {}
                Err(Errno::NOSYS) => {
                    self.component_walk.store(true, Relaxed);
                    break;
                }
                // Refused by a filter, unknown flags, or a link with an absolute target, which may still be
                // inside the root: the component walk decides.
                Err(Errno::PERM | Errno::TOOBIG | Errno::INVAL | Errno::XDEV) => break,
                Err(errno) => return Err(errno.into()),
            }
        }
        Ok(None)
    }

    /// Opens name by name from the root without following; reads links and expands them here.
    ///
    /// Each name is opened relative to the handle of the directory before it, so an entry that another
    /// process exchanges meanwhile cannot lead outside. Expanding links here makes each of their names
    /// subject to `deny`.
    fn walk_components(
        &self,
        path: &RelPath,
        goal: Goal,
        follow: bool,
    ) -> Result<Option<Opened>, FsError> {
        self.walk(path, goal, follow, self.deny.is_some())
    }

    /// Like [`Root::walk_components`]; with `as_listed` the path without links has the names of listings.
    fn walk(
        &self,
        path: &RelPath,
        goal: Goal,
        follow: bool,
        as_listed: bool,
    ) -> Result<Option<Opened>, FsError> {
        let mut todo: Vec<Vec<u8>> = path.components().rev().map(<[u8]>::to_vec).collect();
        let mut way = Route::default();
        let is_judged = as_listed || self.deny.is_some();
        let mut links = 0;
        while let Some(name) = todo.pop() {
            if name == b".." {
                way.go_back()?;
                continue;
            }
            let here = way.here.as_ref().unwrap_or(&self.dir.handle);
            let is_last = todo.is_empty();
            let opened = if is_last { goal } else { Goal::Open(WAY) }.reach(here, &name);
            let is_link = match &opened {
                Err(FsError::Symlink | FsError::WrongKind) => read_link(here, &name)?,
                _ => None,
            };
            let name = if is_judged { real_name(here, name, &opened)? } else { name };
            if self.denies_entry(&mut way, &name, &opened, is_link.is_some())? {
                return Ok(None);
            }
            match (opened, is_link) {
                (Ok(found), _) if is_last => {
                    let real = (follow || is_judged).then(|| way.rel_path().join(&name));
                    return Ok(Some(Opened { found, real: real.filter(|real| real != path) }));
                }
                (Ok(found), _) => way.go_on(found.into_handle(), &name, follow || is_judged)?,
                (Err(_), Some(target)) => {
                    links += 1;
                    if !follow || links > LINKS_MAX {
                        return Err(FsError::Symlink);
                    }
                    if target.starts_with(b"/") {
                        way = Route::default();
                    }
                    let names = self.inside(&target)?;
                    todo.extend(names.iter().rev().map(|name| name.to_vec()));
                }
                (Err(FsError::Symlink), None) => return Err(FsError::WrongKind),
                (Err(error), None) => return Err(error),
            }
        }
        // The links led back to a directory that was passed, or to the root.
        let here = way.here.as_ref().unwrap_or(&self.dir.handle);
        Ok(Some(Opened { found: goal.reach_dir(here)?, real: Some(way.rel_path()) }))
    }

    /// Returns whether the entry `name` at the end of the way is denied. The directories above it were judged
    /// when they were passed.
    fn denies_entry(
        &self,
        way: &mut Route,
        name: &[u8],
        opened: &Result<Target, FsError>,
        is_link: bool,
    ) -> Result<bool, FsError> {
        let Some(deny) = &self.deny else {
            return Ok(false);
        };
        let as_what: &[bool] = match opened {
            Ok(found) if meta(&found.stat()?).kind == Kind::Dir => &[true],
            Ok(_) => &[false],
            Err(_) if is_link => &[false],
            // A caller must not learn whether an entry exists that is denied as either kind.
            Err(_) => &[false, true],
        };
        let end = way.push(name);
        let denies = |&is_dir: &bool| deny.verdict(&way.path, is_dir) == Verdict::Ignore;
        let denied = as_what.iter().any(denies);
        way.path.truncate(end);
        Ok(denied)
    }

    /// Returns the names of a link's target; those of an absolute one start at the root.
    fn inside<'a>(&self, target: &'a [u8]) -> Result<Vec<&'a [u8]>, FsError> {
        let names = |path: &'a [u8]| {
            let names = path.split(|&byte| byte == b'/');
            names.filter(|name| !matches!(*name, b"" | b".")).collect::<Vec<_>>()
        };
        let target_names = names(target);
        if !target.starts_with(b"/") {
            return Ok(target_names);
        }
        let mut inside = target_names.into_iter();
        for component in self.real_path.components() {
            if let std::path::Component::Normal(name) = component
                && inside.next() != Some(name.as_encoded_bytes())
            {
                return Err(FsError::Outside);
            }
        }
        Ok(inside.collect())
    }
}

impl Goal {
    /// Opens or looks up the entry `name` of `dir`; it must not be a symlink.
    fn reach(self, dir: &Handle, name: &[u8]) -> Result<Target, FsError> {
        match self {
            Goal::Open(flags) => open_name(dir, name, flags).map(Target::Open),
            Goal::Look => {
                let looked = dir.look(name)?;
                if kind(FileType::from_raw_mode(looked.stat.st_mode)) == Kind::Symlink {
                    return Err(FsError::Symlink);
                }
                Ok(Target::Looked(looked))
            }
        }
    }

    /// Opens or looks up `dir` itself.
    fn reach_dir(self, dir: &Handle) -> Result<Target, FsError> {
        Ok(match self {
            Goal::Open(flags) => Target::Open(dir.open(b".", flags)?),
            Goal::Look => Target::Looked(Looked::of(dir.open(b".", WAY)?)?),
        })
    }
}

impl Target {
    /// Returns the handle of an entry that was opened.
    fn into_handle(self) -> Handle {
        match self {
            Target::Open(handle) => handle,
            Target::Looked(_) => unreachable!("an entry is opened where its handle is used"),
        }
    }

    pub(super) fn stat(&self) -> rustix::io::Result<Stat> {
        match self {
            Target::Open(handle) => handle.stat(),
            Target::Looked(looked) => Ok(looked.stat),
        }
    }

    fn handle(&self) -> Option<&Handle> {
        match self {
            Target::Open(handle) => Some(handle),
            Target::Looked(looked) => looked.handle.as_ref(),
        }
    }
}

impl Route {
    /// Enters the directory `name`, and records it if `is_remembered`.
    fn go_on(&mut self, handle: Handle, name: &[u8], is_remembered: bool) -> Result<(), FsError> {
        // Without links no `..` leads back, and without `deny` no path is judged.
        if is_remembered {
            let id = meta(&handle.stat()?).id;
            self.push(name);
            self.passed.push((self.path.len(), id));
        }
        self.here = Some(handle);
        Ok(())
    }

    /// Returns to the very directory that was passed, whatever has been renamed since. It is identified by
    /// device and inode rather than kept open, because a deep tree would exhaust the process's handles.
    fn go_back(&mut self) -> Result<(), FsError> {
        self.passed.pop().ok_or(FsError::Outside)?;
        let here = self.here.take();
        let (end, parent) = self.passed.last().copied().unzip();
        self.path.truncate(end.unwrap_or(0));
        let (Some(here), Some(parent)) = (here, parent) else {
            return Ok(());
        };
        let handle = here.open(b"..", WAY)?;
        if meta(&handle.stat()?).id != parent {
            // Moved meanwhile, perhaps out of the root.
            return Err(FsError::NotFound);
        }
        self.here = Some(handle);
        Ok(())
    }

    /// Adds a name to the path; returns its previous length.
    fn push(&mut self, name: &[u8]) -> usize {
        let end = self.path.len();
        if end > 0 {
            self.path.push(b'/');
        }
        self.path.extend_from_slice(name);
        end
    }

    fn rel_path(&self) -> RelPath {
        let names = self.path.split(|&byte| byte == b'/');
        RelPath::from_components(names.filter(|name| !name.is_empty()))
    }
}

/// Splits `path` after as many whole names as the kernel takes at once.
fn first_step(path: &[u8]) -> (&[u8], &[u8]) {
    if path.len() <= PATH_BYTES_MAX {
        return (path, b"");
    }
    let end = memchr::memrchr(b'/', &path[..PATH_BYTES_MAX])
        .or_else(|| memchr::memchr(b'/', path))
        .unwrap_or(path.len());
    (&path[..end], path.get(end + 1..).unwrap_or_default())
}

/// Returns the target of the link `name`, or `None` if it is not a link.
fn read_link(dir: &Handle, name: &[u8]) -> Result<Option<Vec<u8>>, FsError> {
    match dir.read_link(name) {
        Ok(target) => Ok(Some(target)),
        Err(Errno::INVAL) => Ok(None),
        Err(errno) => Err(errno.into()),
    }
}

#[cfg(test)]
impl Root {
    /// Makes this root behave as on a kernel without `openat2`.
    pub(crate) fn forget_openat2(&mut self) {
        self.component_walk.store(true, Relaxed);
    }
}
