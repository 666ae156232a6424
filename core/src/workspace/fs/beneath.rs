//! Linux: `openat2` beneath the root's handle, `openat` for one name below a directory's handle.

use super::{FsError, Kind, Meta};
use crate::workspace::rel_path::{RelPath, is_plain_name};
use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{AtFlags, FileType, Mode, OFlags, RawDir, ResolveFlags};
use rustix::io::Errno;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The kernel lists directories in pieces of this size.
const LIST_BYTES: usize = 64 * 1024;
/// Longer paths than this are opened in several steps: the kernel's own limit is 4,096 bytes.
const PATH_BYTES_MAX: usize = 4_000;
/// As many symlinks as the kernel itself follows in one path.
const LINKS_MAX: usize = 40;
/// A rename elsewhere makes `openat2` say EAGAIN; after this many times the slow way answers.
const AGAIN_MAX: usize = 4;

const COMMON: OFlags = OFlags::CLOEXEC.union(OFlags::NOCTTY).union(OFlags::NONBLOCK);
const DIR: OFlags = COMMON.union(OFlags::DIRECTORY);

/// File systems that are windows into the kernel: endless, blocking or harmful to read.
const PSEUDO: &[u64] = &[
    0x9fa0,      // proc
    0x6265_6572, // sysfs
    0x6462_6720, // debugfs
    0x7472_6163, // tracefs
    0x0027_e0eb, // cgroup
    0x6367_7270, // cgroup2
    0x1cd1,      // devpts
    0x7363_6673, // securityfs
    0xcafe_4a11, // bpf
    0x6165_676c, // pstore
];

/// The handle of the root directory.
#[derive(Debug)]
pub(crate) struct Root {
    dir: Dir,
    real_path: PathBuf,
    /// Remembered when the kernel has no `openat2`; a refusal by a filter is asked for again.
    component_walk: AtomicBool,
}

/// An open directory.
#[derive(Debug)]
pub(crate) struct Dir {
    fd: OwnedFd,
    device: u64,
    inode: u64,
}

/// An open regular file.
#[derive(Debug)]
pub(crate) struct File {
    fd: OwnedFd,
    meta: Meta,
}

/// The memory one thread lists directories with.
#[derive(Debug)]
pub(crate) struct ListBuffer(Vec<u8>);

impl Default for ListBuffer {
    fn default() -> Self {
        ListBuffer(Vec::with_capacity(LIST_BYTES))
    }
}

impl Root {
    /// Opens the root itself, through symlinks: the host names it and is trusted.
    pub(crate) fn open(path: &Path) -> Result<Root, FsError> {
        let fd = retry(|| rustix::fs::open(path, DIR | OFlags::RDONLY, Mode::empty()))?;
        #[expect(
            clippy::disallowed_methods,
            reason = "the root's own name, for absolute arguments"
        )]
        let real_path = std::fs::canonicalize(path).map_err(FsError::Io)?;
        let dir = Dir::from_fd(fd)?;
        Ok(Root { dir, real_path, component_walk: AtomicBool::new(false) })
    }

    /// The root without symlinks.
    pub(crate) fn real_path(&self) -> &Path {
        &self.real_path
    }

    /// Opens a directory; symlinks count only when `follow`, and only inside the root.
    pub(crate) fn open_dir(&self, path: &RelPath, follow: bool) -> Result<Dir, FsError> {
        let dir = Dir::from_fd(self.open_beneath(path, DIR, follow)?)?;
        dir.refuse_pseudo(self.dir.device)?;
        Ok(dir)
    }

    /// Opens a regular file; symlinks count only when `follow`, and only inside the root.
    pub(crate) fn open_file(&self, path: &RelPath, follow: bool) -> Result<File, FsError> {
        // A path handle first: opening a FIFO or a device for reading can already do something.
        let handle = self.open_beneath(path, OFlags::PATH | OFlags::CLOEXEC, follow)?;
        let meta = meta(&retry(|| rustix::fs::fstat(&handle))?);
        if meta.kind != Kind::File {
            return Err(FsError::WrongKind);
        }
        File::from_fd(self.open_beneath(path, COMMON, follow)?)
    }

    /// What `path` is, through symlinks inside the root when `follow`.
    pub(crate) fn stat(&self, path: &RelPath, follow: bool) -> Result<Meta, FsError> {
        match self.open_beneath(path, OFlags::PATH | OFlags::CLOEXEC, follow) {
            Ok(handle) => Ok(meta(&retry(|| rustix::fs::fstat(&handle))?)),
            Err(FsError::Symlink) if !follow => {
                let dir = self.open_dir(&path.parent().unwrap_or_default(), follow)?;
                dir.stat(path.file_name())
            }
            Err(error) => Err(error),
        }
    }

    fn open_beneath(
        &self,
        path: &RelPath,
        flags: OFlags,
        follow: bool,
    ) -> Result<OwnedFd, FsError> {
        if path.is_root() {
            return Ok(retry(|| rustix::fs::openat(&self.dir.fd, c".", flags, Mode::empty()))?);
        }
        if self.component_walk.load(Relaxed) || path.as_bytes().len() > PATH_BYTES_MAX {
            return self.walk_components(path, flags, follow);
        }
        let mut resolve = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
        if !follow {
            resolve |= ResolveFlags::NO_SYMLINKS;
        }
        for _ in 0..AGAIN_MAX {
            let name = path.as_bytes();
            match rustix::fs::openat2(&self.dir.fd, name, flags, Mode::empty(), resolve) {
                Ok(fd) => return Ok(fd),
                Err(Errno::AGAIN | Errno::INTR) => {}
                Err(Errno::NOSYS) => {
                    self.component_walk.store(true, Relaxed);
                    break;
                }
                // Refused by a filter, unknown flags, or a link with an absolute target, which may
                // still lie inside: the walk over components tells.
                Err(Errno::PERM | Errno::TOOBIG | Errno::INVAL | Errno::XDEV) => break,
                Err(errno) => return Err(errno.into()),
            }
        }
        self.walk_components(path, flags, follow)
    }

    /// Opens name by name from the root, each without following; links are read and expanded here.
    ///
    /// Every directory on the way stays open, so `..` in a link's target goes back to the very
    /// directory that was passed, whatever has been renamed since.
    fn walk_components(
        &self,
        path: &RelPath,
        flags: OFlags,
        follow: bool,
    ) -> Result<OwnedFd, FsError> {
        let mut todo: Vec<Vec<u8>> = path.components().rev().map(<[u8]>::to_vec).collect();
        let mut passed: Vec<OwnedFd> = Vec::new();
        let mut links = 0;
        while let Some(name) = todo.pop() {
            if name == b".." {
                passed.pop().ok_or(FsError::Outside)?;
                continue;
            }
            let here = passed.last().unwrap_or(&self.dir.fd);
            let flags = if todo.is_empty() { flags } else { DIR | OFlags::PATH };
            let opened = open_name(here, &name, flags);
            match opened {
                Ok(fd) if todo.is_empty() => return Ok(fd),
                Ok(fd) => passed.push(fd),
                Err(FsError::Symlink | FsError::WrongKind) => {
                    let Some(target) = read_link(here, &name)? else {
                        return Err(FsError::WrongKind);
                    };
                    links += 1;
                    if !follow || links > LINKS_MAX {
                        return Err(FsError::Symlink);
                    }
                    if target.starts_with(b"/") {
                        passed.clear();
                    }
                    let names = self.inside(&target)?;
                    todo.extend(names.iter().rev().map(|name| name.to_vec()));
                }
                Err(error) => return Err(error),
            }
        }
        // The links led back to a directory that was passed, or to the root.
        let here = passed.last().unwrap_or(&self.dir.fd);
        Ok(retry(|| rustix::fs::openat(here, c".", flags, Mode::empty()))?)
    }

    /// The names of a link's target; those of an absolute one start at the root.
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

impl Dir {
    fn from_fd(fd: OwnedFd) -> Result<Dir, FsError> {
        let meta = meta(&retry(|| rustix::fs::fstat(&fd))?);
        if meta.kind != Kind::Dir {
            return Err(FsError::WrongKind);
        }
        Ok(Dir { fd, device: meta.id.0, inode: meta.id.1 })
    }

    /// Device and inode of the directory.
    pub(crate) fn id(&self) -> (u64, u64) {
        (self.device, self.inode)
    }

    /// Gives each entry's name and kind to `each`, in the system's order, until it returns false.
    ///
    /// The kind is `None` where the file system does not tell; [`Dir::stat`] does then.
    pub(crate) fn list(
        &self,
        buffer: &mut ListBuffer,
        each: &mut dyn FnMut(&[u8], Option<Kind>) -> bool,
    ) -> Result<(), FsError> {
        let mut entries = RawDir::new(&self.fd, buffer.0.spare_capacity_mut());
        while let Some(entry) = entries.next() {
            let entry = match entry {
                Err(Errno::INTR) => continue,
                entry => entry?,
            };
            let name = entry.file_name().to_bytes();
            if matches!(name, b"." | b"..") {
                continue;
            }
            let kind = match entry.file_type() {
                FileType::Unknown => None,
                file_type => Some(kind(file_type)),
            };
            if !each(name, kind) {
                break;
            }
        }
        Ok(())
    }

    /// Opens the directory `name` in this one, which must not be a symlink.
    pub(crate) fn open_dir(&self, name: &[u8]) -> Result<Dir, FsError> {
        let dir = Dir::from_fd(open_name(&self.fd, name, DIR)?)?;
        dir.refuse_pseudo(self.device)?;
        Ok(dir)
    }

    /// Opens the regular file `name` in this one, which must not be a symlink.
    pub(crate) fn open_file(&self, name: &[u8]) -> Result<File, FsError> {
        File::from_fd(open_name(&self.fd, name, COMMON)?)
    }

    /// What the entry `name` is, itself and not what it links to.
    pub(crate) fn stat(&self, name: &[u8]) -> Result<Meta, FsError> {
        Ok(meta(&retry(|| rustix::fs::statat(&self.fd, name, AtFlags::SYMLINK_NOFOLLOW))?))
    }

    /// Another file system than its parent's is looked at before it is entered.
    fn refuse_pseudo(&self, parent_device: u64) -> Result<(), FsError> {
        if self.device == parent_device {
            return Ok(());
        }
        let stat = retry(|| rustix::fs::fstatfs(&self.fd))?;

        let magic = stat.f_type as u64;
        if PSEUDO.contains(&magic) { Err(FsError::Pseudo) } else { Ok(()) }
    }
}

impl File {
    fn from_fd(fd: OwnedFd) -> Result<File, FsError> {
        let meta = meta(&retry(|| rustix::fs::fstat(&fd))?);
        if meta.kind != Kind::File {
            return Err(FsError::WrongKind);
        }
        Ok(File { fd, meta })
    }

    /// What the file was when it was opened.
    pub(crate) fn meta(&self) -> &Meta {
        &self.meta
    }
}

impl io::Read for File {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        Ok(rustix::io::read(&self.fd, buffer)?)
    }
}

fn open_name(dir: &OwnedFd, name: &[u8], flags: OFlags) -> Result<OwnedFd, FsError> {
    debug_assert!(is_plain_name(name), "one name, not a path");
    let flags = flags | OFlags::NOFOLLOW;
    let fd = retry(|| rustix::fs::openat(dir.as_fd(), name, flags, Mode::empty()))?;
    // With a path handle, "do not follow" opens the link itself.
    if flags.contains(OFlags::PATH) && !flags.contains(OFlags::DIRECTORY) {
        let stat = retry(|| rustix::fs::fstat(&fd))?;
        if kind(FileType::from_raw_mode(stat.st_mode)) == Kind::Symlink {
            return Err(FsError::Symlink);
        }
    }
    Ok(fd)
}

/// The target of the link `name`, or `None` when it is no link.
fn read_link(dir: &OwnedFd, name: &[u8]) -> Result<Option<Vec<u8>>, FsError> {
    match retry(|| rustix::fs::readlinkat(dir.as_fd(), name, Vec::new())) {
        Ok(target) => Ok(Some(target.into_bytes())),
        Err(Errno::INVAL) => Ok(None),
        Err(errno) => Err(errno.into()),
    }
}

fn retry<T>(mut call: impl FnMut() -> rustix::io::Result<T>) -> rustix::io::Result<T> {
    loop {
        match call() {
            Err(Errno::INTR) => {}
            result => return result,
        }
    }
}

fn kind(file_type: FileType) -> Kind {
    match file_type {
        FileType::RegularFile => Kind::File,
        FileType::Directory => Kind::Dir,
        FileType::Symlink => Kind::Symlink,
        _ => Kind::Special,
    }
}

fn meta(stat: &rustix::fs::Stat) -> Meta {
    let seconds = i128::from(stat.st_mtime);
    Meta {
        kind: kind(FileType::from_raw_mode(stat.st_mode)),
        size: u64::try_from(stat.st_size).unwrap_or(0),
        mtime_ns: seconds * 1_000_000_000 + i128::from(stat.st_mtime_nsec),
        id: (stat.st_dev, stat.st_ino),
    }
}

impl From<Errno> for FsError {
    fn from(errno: Errno) -> FsError {
        match errno {
            // Nothing can have a name that is longer than names may be.
            Errno::NOENT | Errno::NAMETOOLONG => FsError::NotFound,
            Errno::LOOP => FsError::Symlink,
            // `O_DIRECTORY` on something else, or something else in the middle of a path. `ENXIO` is
            // a socket, or a FIFO that nobody writes to.
            Errno::NOTDIR | Errno::NXIO => FsError::WrongKind,
            Errno::XDEV => FsError::Outside,
            errno => FsError::Io(errno.into()),
        }
    }
}

#[cfg(test)]
impl Root {
    /// Makes this root behave as on a kernel without `openat2`.
    pub(crate) fn without_openat2(self) -> Root {
        self.component_walk.store(true, Relaxed);
        self
    }
}
