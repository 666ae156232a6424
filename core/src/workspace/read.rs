//! Reading whole files and directories, within bounds.
#![cfg_attr(
    not(any(feature = "modules", test)),
    expect(dead_code, reason = "some functions serve only the readers of modules")
)]

use super::fs::{Dir, File, FsError, Kind, read_retrying};
use super::{RawEntries, RelPath, Workspace};
use crate::budget::{Budget, Stopped};
use crate::room;
use crate::sort::sort;
use crate::wildcard::Verdict;

/// The maximum size of a single read, so that the budget is polled in between.
const READ_BYTES_MAX: usize = 256 * 1024;
/// A buffer that a large file has grown beyond this is not kept.
const KEPT_BYTES_MAX: usize = 1024 * 1024;

/// The reason why a file or directory was not read.
#[derive(Debug)]
pub(crate) enum Unread {
    Stopped,
    /// The file has more bytes than this maximum.
    TooLarge(u64),
    Failed(FsError),
}

impl Unread {
    /// Returns the reason in a few words; `None` if it was stopped.
    pub(crate) fn reason(&self) -> Option<String> {
        match self {
            Unread::Stopped => None,
            Unread::TooLarge(max) if *max < 1 << 20 => {
                Some(format!("larger than {} KiB", max >> 10))
            }
            Unread::TooLarge(max) => Some(format!("larger than {} MiB", max >> 20)),
            Unread::Failed(error) => Some(error.reason()),
        }
    }
}

impl From<Stopped> for Unread {
    fn from(_: Stopped) -> Unread {
        Unread::Stopped
    }
}

impl From<FsError> for Unread {
    fn from(error: FsError) -> Unread {
        Unread::Failed(error)
    }
}

/// The entries of a directory.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Entries {
    /// In the order of their names.
    pub list: Vec<Entry>,
    /// Whether there are more, with names after those in the list.
    pub is_cut: bool,
}

/// One name in a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub name: Vec<u8>,
    /// Its own kind, without following a symlink.
    pub kind: Kind,
}

impl Workspace {
    /// Reads the regular file at `path`, reached without symlinks; `None` if it does not exist or is denied.
    pub(crate) fn read_file(
        &self,
        path: &RelPath,
        bytes_max: u64,
        budget: &Budget,
    ) -> Result<Option<Vec<u8>>, Unread> {
        budget.poll()?;
        if self.refuse_denied(path).is_err() {
            return Ok(None);
        }
        let file = match self.fs().open_file(path, false) {
            Err(FsError::NotFound) => return Ok(None),
            file => file?,
        };
        let mut bytes = Vec::new();
        let len = read(file, bytes_max, &mut bytes, budget)?.len();
        bytes.truncate(len);
        Ok(Some(bytes))
    }

    /// Lists the directory `path`, reached without symlinks, without denied entries; `None` if it does not
    /// exist or is denied. Returns only the first `n_max` entries by name; while it runs, its memory grows with the
    /// names of the whole directory.
    pub(crate) fn entries(
        &self,
        path: &RelPath,
        n_max: usize,
        budget: &Budget,
    ) -> Result<Option<Entries>, Unread> {
        self.entries_where(path, n_max, budget, &|_, _| true)
    }

    /// Like [`Workspace::entries`], for entries that `is_wanted` by name and kind.
    pub(crate) fn entries_where(
        &self,
        path: &RelPath,
        n_max: usize,
        budget: &Budget,
        is_wanted: &dyn Fn(&[u8], Kind) -> bool,
    ) -> Result<Option<Entries>, Unread> {
        budget.poll()?;
        if self.refuse_denied(path).is_err() {
            return Ok(None);
        }
        match self.fs().open_dir(path, false) {
            Err(FsError::NotFound) => Ok(None),
            dir => Ok(Some(self.list(&dir?, path, n_max, budget, is_wanted)?)),
        }
    }

    fn list(
        &self,
        dir: &Dir,
        path: &RelPath,
        n_max: usize,
        budget: &Budget,
        is_wanted: &dyn Fn(&[u8], Kind) -> bool,
    ) -> Result<Entries, Unread> {
        let mut raw = RawEntries::default();
        raw.read(dir, budget)?;
        let mut kept: Vec<(&[u8], Kind)> = Vec::new();
        for (name, kind) in raw.iter() {
            budget.poll()?;
            let kind = match kind.map_or_else(|| dir.stat(name).map(|meta| meta.kind), Ok) {
                Ok(kind) => kind,
                // An entry that vanished meanwhile is absent.
                Err(FsError::NotFound) => continue,
                Err(error) => return Err(error.into()),
            };
            if is_wanted(name, kind) && !self.denies_entry(dir, path, name, kind) {
                room::push(&mut kept, (name, kind)).map_err(|error| FsError::Io(error.into()))?;
            }
        }
        sort(&mut kept, budget, &|a, b| a.0.cmp(b.0))?;
        let is_cut = kept.len() > n_max;
        kept.truncate(n_max);
        let list = kept.into_iter().map(|(name, kind)| Entry { name: name.to_vec(), kind });
        Ok(Entries { list: list.collect(), is_cut })
    }

    /// Like [`Workspace::refuse_denied`], for an entry of `dir` at `path`, which is not denied itself.
    fn denies_entry(&self, dir: &Dir, path: &RelPath, name: &[u8], kind: Kind) -> bool {
        self.deny().is_some_and(|deny| {
            let is_denied = |dir: &RelPath| {
                let verdict = deny.verdict(dir.join(name).as_bytes(), kind == Kind::Dir);
                verdict == Verdict::Ignore
            };
            is_denied(path) || dir.real_path().is_some_and(is_denied)
        })
    }
}

/// Reads the whole file into `buffer`, reusing its memory.
pub(crate) fn read<'b>(
    file: File,
    bytes_max: u64,
    buffer: &'b mut Vec<u8>,
    budget: &Budget,
) -> Result<&'b [u8], Unread> {
    if file.meta().size > bytes_max {
        return Err(Unread::TooLarge(bytes_max));
    }
    let bytes = read_start(file, bytes_max.saturating_add(1), buffer, budget)?;
    if bytes.len() as u64 > bytes_max { Err(Unread::TooLarge(bytes_max)) } else { Ok(bytes) }
}

/// Like [`read`], but at most the first `bytes_max` bytes.
pub(crate) fn read_start<'b>(
    mut file: File,
    bytes_max: u64,
    buffer: &'b mut Vec<u8>,
    budget: &Budget,
) -> Result<&'b [u8], Unread> {
    let bytes_max = usize::try_from(bytes_max).unwrap_or(usize::MAX);
    let size = usize::try_from(file.meta().size).unwrap_or(usize::MAX);
    if buffer.len() > KEPT_BYTES_MAX {
        *buffer = Vec::new();
    }
    let mut filled = 0;
    loop {
        budget.poll_clock()?;
        // One byte more than expected, to detect the end without another read.
        let expected = size.saturating_sub(filled).saturating_add(1);
        let wanted = expected.min(READ_BYTES_MAX).min(bytes_max - filled);
        if buffer.len() < filled + wanted {
            let len = (filled + wanted).next_power_of_two();
            room::resize(buffer, len).map_err(|error| FsError::Io(error.into()))?;
        }
        let room_end = buffer.len().min(filled + READ_BYTES_MAX).min(bytes_max);
        let room = &mut buffer[filled..room_end];
        let room_len = room.len();
        let n = read_retrying(&mut file, room).map_err(FsError::Io)?;
        filled += n;
        if n == 0 || filled == bytes_max || n < room_len && filled >= size {
            return Ok(&buffer[..filled]);
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::call::Call;
    use crate::tests::tree;
    use crate::workspace::WorkspaceOptions;
    use std::os::unix::fs::symlink;
    use std::time::Duration;

    fn path(text: &str) -> RelPath {
        RelPath::of_bytes(text.as_bytes())
    }

    fn budget() -> Budget {
        Budget::of(&Call::new())
    }

    fn names(entries: &Entries) -> Vec<String> {
        let name = |entry: &Entry| String::from_utf8_lossy(&entry.name).into_owned();
        entries.list.iter().map(name).collect()
    }

    #[test]
    fn files_are_read_within_bounds() {
        let dir = tree(&[("a/file", "12345"), ("secret/file", "x"), ("big", "123456")]);
        symlink("a", dir.path().join("link")).expect("linked");
        symlink("a/file", dir.path().join("file_link")).expect("linked");
        let options = WorkspaceOptions { deny: vec!["/secret/".into()], ..Default::default() };
        let workspace = options.open(dir.path()).expect("opened");
        let read = |name: &str| workspace.read_file(&path(name), 5, &budget());
        assert_eq!(read("a/file").expect("read").as_deref(), Some(&b"12345"[..]));
        for absent in ["a/none", "none/file", "secret/file"] {
            assert!(read(absent).expect("no failure").is_none(), "{absent}");
        }
        assert!(matches!(read("big"), Err(Unread::TooLarge(_))));
        for link in ["file_link", "link/file"] {
            assert!(matches!(read(link), Err(Unread::Failed(FsError::Symlink))), "{link}");
        }
        assert!(matches!(read("a"), Err(Unread::Failed(FsError::WrongKind))));
        let stopped = Budget::of(&Call::new().with_timeout(Duration::ZERO));
        assert!(matches!(workspace.read_file(&path("big"), 9, &stopped), Err(Unread::Stopped)));
    }

    #[test]
    fn directories_are_listed_within_bounds() {
        let dir = tree(&[("d/c", ""), ("d/a/x", ""), ("d/e", ""), ("d/b.key", ""), ("f", "")]);
        symlink("c", dir.path().join("d/d")).expect("linked");
        let options = WorkspaceOptions { deny: vec!["*.key".into()], ..Default::default() };
        let workspace = options.open(dir.path()).expect("opened");
        let list = |name: &str, n_max| workspace.entries(&path(name), n_max, &budget());
        let all = list("d", 10).expect("listed").expect("there");
        assert_eq!(names(&all), ["a", "c", "d", "e"]);
        let kinds: Vec<Kind> = all.list.iter().map(|entry| entry.kind).collect();
        assert_eq!(kinds, [Kind::Dir, Kind::File, Kind::Symlink, Kind::File]);
        assert!(!all.is_cut && !list("d", 4).expect("listed").expect("there").is_cut);
        let cut = list("d", 2).expect("listed").expect("there");
        assert_eq!((names(&cut), cut.is_cut), (vec!["a".into(), "c".into()], true));
        assert!(list("d", 0).expect("listed").expect("there").is_cut);
        let dirs = |_: &[u8], kind| kind == Kind::Dir;
        let dirs = workspace.entries_where(&path("d"), 1, &budget(), &dirs).expect("listed");
        assert_eq!(dirs.map(|dirs| (names(&dirs), dirs.is_cut)), Some((vec!["a".into()], false)));
        assert!(list("none", 10).expect("no failure").is_none());
        assert!(matches!(list("f", 10), Err(Unread::Failed(FsError::WrongKind))));
        assert!(matches!(list("d/d", 10), Err(Unread::Failed(_))));
        let call = Call::new();
        let budget = Budget::of(&call);
        call.cancel_token().cancel();
        assert!(matches!(workspace.entries(&path("d"), 10, &budget), Err(Unread::Stopped)));
    }
}
