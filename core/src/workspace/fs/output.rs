//! Writing result files: the only code that writes, into a directory that the host names.
//!
//! A file is written under a temporary name and then renamed over its target, so that readers see the old
//! file or the new one and never a part. Symlinks are not followed: one with the target's name is replaced. A
//! failed write leaves the target unchanged and no temporary file.

use super::{FsError, Kind, ListBuffer, NewFile, OutputHandle};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{SystemTime, UNIX_EPOCH};

/// The maximum number of temporary names to try; if all exist, a process creates them on purpose.
const ATTEMPTS_MAX: usize = 64;

/// Beginning and end of the names of temporary files.
const PREFIX: &str = ".searchscope-";
const SUFFIX: &str = ".tmp";
/// A file of this age is locked by its writer, if the file system has locks.
const LOCKED_AFTER_NS: i128 = 1_000_000_000;
/// No write takes an hour: the writer of an older temporary file is gone.
const STALE_AFTER_NS: i128 = 3_600 * 1_000_000_000;

/// Makes the names of temporary files differ within one process.
static COUNTER: AtomicU64 = AtomicU64::new(0);

/// An open directory in which files may be written.
#[derive(Debug)]
pub(crate) struct OutputDir {
    handle: OutputHandle,
    real_path: PathBuf,
}

/// A file under its temporary name, removed again unless it is renamed.
struct Temporary<'a> {
    handle: &'a OutputHandle,
    name: String,
    is_renamed: bool,
}

impl OutputDir {
    /// Opens the directory, through symlinks: the host names it and is trusted.
    pub(crate) fn open(path: &Path) -> Result<OutputDir, FsError> {
        let (handle, real_path) = OutputHandle::open(path)?;
        Ok(OutputDir { handle, real_path })
    }

    /// Returns the path without symlinks, as it was when the directory was opened.
    pub(crate) fn real_path(&self) -> &Path {
        &self.real_path
    }

    /// Makes `bytes` the content of the file `name`, which is a plain name. The bytes are on disk before the
    /// rename. The write ends without a change once `goes_on` returns false.
    ///
    /// # Errors
    ///
    /// Those of the system, and one if `name` is a directory.
    pub(crate) fn write(
        &self,
        name: &str,
        bytes: &[u8],
        goes_on: &dyn Fn() -> bool,
    ) -> io::Result<()> {
        self.put(name, goes_on, &mut |file| {
            file.write_all(bytes)?;
            file.sync_all()
        })
    }

    /// Replaces the file `name` by a file with the content that `fill` writes.
    fn put(
        &self,
        name: &str,
        goes_on: &dyn Fn() -> bool,
        fill: &mut dyn FnMut(&mut NewFile) -> io::Result<()>,
    ) -> io::Result<()> {
        let ended = || Err(ErrorKind::Interrupted.into());
        if !goes_on() {
            return ended();
        }
        self.remove_stale();
        let (mut file, mut temporary) = self.create_temporary()?;
        fill(&mut file)?;
        // Windows renames no open file; elsewhere an open one is known to have a writer.
        let open = match cfg!(windows) {
            true => {
                drop(file);
                None
            }
            false => Some(file),
        };
        if !goes_on() {
            return ended();
        }
        self.handle.rename(&temporary.name, name)?;
        drop(open);
        temporary.is_renamed = true;
        Ok(())
    }

    /// Removes temporary files of processes that were killed while writing: those that no process holds open,
    /// or where that cannot be known, those of an hour. A failed removal is repeated at the next write.
    fn remove_stale(&self) {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let now = i128::try_from(now.as_nanos()).unwrap_or(i128::MAX);
        let is_older = |ns: i128, age: i128| now.saturating_sub(ns) > age;
        let mut stale = Vec::new();
        // The name has the time of creation, which saves looking at recent files.
        let is_made_before =
            |name: &str| made_ns(name).is_some_and(|ns| is_older(ns, LOCKED_AFTER_NS));
        let Ok(dir) = self.handle.dir() else { return };
        let _ = dir.list(&mut ListBuffer::default(), &mut |name, _| {
            if let Ok(name) = std::str::from_utf8(name)
                && is_made_before(name)
                && let Ok(meta) = dir.stat(name.as_bytes())
                && meta.kind == Kind::File
                && (self.handle.is_abandoned(name)
                    || is_older(meta.mtime_ns, STALE_AFTER_NS)
                        && made_ns(name).is_some_and(|ns| is_older(ns, STALE_AFTER_NS)))
            {
                stale.push(name.to_owned());
            }
            true
        });
        for name in stale {
            let _ = self.handle.remove(&name);
        }
    }

    fn create_temporary(&self) -> io::Result<(NewFile, Temporary<'_>)> {
        let mut attempts = 0;
        loop {
            let name = temporary_name();
            match self.handle.create_new(&name) {
                Ok(file) => {
                    return Ok((file, Temporary { handle: &self.handle, name, is_renamed: false }));
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => attempts += 1,
                Err(error) => return Err(error),
            }
            if attempts == ATTEMPTS_MAX {
                return Err(ErrorKind::AlreadyExists.into());
            }
        }
    }
}

impl Drop for Temporary<'_> {
    fn drop(&mut self) {
        if !self.is_renamed {
            // The caller gets the original error.
            let _ = self.handle.remove(&self.name);
        }
    }
}

/// Returns a hidden name that no other thread or process has, and no earlier process with the same id.
fn temporary_name() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let (process, count) = (std::process::id(), COUNTER.fetch_add(1, Relaxed));
    format!("{PREFIX}{process}-{count}-{:x}{SUFFIX}", since.as_nanos())
}

/// Returns the time at which [`temporary_name`] created `name`, in nanoseconds since 1970; `None` for any
/// other name.
fn made_ns(name: &str) -> Option<i128> {
    let middle = name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX)?;
    let mut parts = middle.split('-');
    let (process, count, time) = (parts.next()?, parts.next()?, parts.next()?);
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if parts.next().is_some() || !is_number(process) || !is_number(count) {
        return None;
    }
    i128::from_str_radix(time, 16).ok()
}

#[cfg(all(test, unix))]
#[expect(clippy::disallowed_methods, reason = "tests read the output through std::fs")]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    const ALWAYS: &dyn Fn() -> bool = &|| true;

    fn directory() -> (tempfile::TempDir, OutputDir) {
        let dir = tempfile::tempdir().expect("a directory");
        let output = OutputDir::open(dir.path()).expect("opened");
        (dir, output)
    }

    fn names(dir: &Path) -> Vec<String> {
        let entries = fs::read_dir(dir).expect("listed");
        let name = |entry: io::Result<fs::DirEntry>| entry.expect("listed").file_name();
        let mut names: Vec<String> =
            entries.map(|entry| name(entry).to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_made_and_replaced_for_its_owner_alone() {
        let (dir, output) = directory();
        let path = dir.path().join("a.json");
        fs::write(&path, "an older and longer file").expect("written");
        let old = fs::File::open(&path).expect("opened");
        for content in ["first", "", "second"] {
            output.write("a.json", content.as_bytes(), ALWAYS).expect("written");
            assert_eq!(fs::read_to_string(&path).expect("read"), content);
        }
        // A reader with the old file open still has all of it.
        assert_eq!(io::read_to_string(old).expect("read"), "an older and longer file");
        assert_eq!(fs::metadata(&path).expect("there").permissions().mode() & 0o177, 0);
        assert_eq!(names(dir.path()), ["a.json"]);
    }

    #[test]
    fn a_link_is_replaced_and_its_target_left_alone() {
        let (dir, output) = directory();
        let victim = tempfile::NamedTempFile::new().expect("a file");
        fs::write(victim.path(), "CANARY").expect("written");
        let place = tempfile::tempdir().expect("a directory");
        for (target, name) in [
            (victim.path(), "link"),
            (place.path(), "link_to_dir"),
            (Path::new("/no such"), "dangling"),
            (Path::new("circle"), "circle"),
        ] {
            symlink(target, dir.path().join(name)).expect("linked");
            output.write(name, b"new", ALWAYS).expect(name);
            let written = fs::symlink_metadata(dir.path().join(name)).expect(name);
            assert!(written.is_file() && written.len() == 3, "{name}");
        }
        assert_eq!(fs::read_to_string(victim.path()).expect("read"), "CANARY");
        assert!(names(place.path()).is_empty());
    }

    #[test]
    fn a_failed_write_leaves_the_target_and_no_other_file() {
        let (dir, output) = directory();
        fs::create_dir_all(dir.path().join("taken/inner")).expect("made");
        fs::create_dir(dir.path().join("empty")).expect("made");
        fs::write(dir.path().join("file"), "old").expect("written");
        for name in ["taken", "empty", &"n".repeat(300)] {
            output.write(name, b"new", ALWAYS).expect_err(name);
        }
        let full = output.put("file", ALWAYS, &mut |file| {
            file.write_all(b"half")?;
            Err(ErrorKind::StorageFull.into())
        });
        assert_eq!(full.expect_err("failed").kind(), ErrorKind::StorageFull);
        let panic =
            std::panic::catch_unwind(|| output.put("file", ALWAYS, &mut |_| panic!("on purpose")));
        assert!(panic.is_err());
        assert_eq!(fs::read_to_string(dir.path().join("file")).expect("read"), "old");
        assert_eq!(names(dir.path()), ["empty", "file", "taken"]);
        assert_eq!(names(&dir.path().join("taken")), ["inner"]);
    }

    #[test]
    fn a_read_only_directory_is_an_error() {
        let (dir, output) = directory();
        fs::write(dir.path().join("file"), "old").expect("written");
        let mode = |mode| fs::set_permissions(dir.path(), fs::Permissions::from_mode(mode));
        mode(0o555).expect("changed");
        if fs::write(dir.path().join("probe"), "").is_ok() {
            // Past the capture of the test runner.
            let _ = writeln!(io::stderr(), "SKIPPED: read-only output directory: run as root");
            return;
        }
        let error = output.write("file", b"new", ALWAYS).expect_err("refused");
        mode(0o755).expect("changed");
        assert_eq!(error.kind(), ErrorKind::PermissionDenied);
        assert_eq!(fs::read_to_string(dir.path().join("file")).expect("read"), "old");
        assert_eq!(names(dir.path()), ["file"]);
    }

    #[test]
    fn a_removed_directory_receives_no_file() {
        let (dir, output) = directory();
        fs::remove_dir(dir.path()).expect("removed");
        output.write("file", b"new", ALWAYS).expect_err("gone");
        assert!(!dir.path().exists());
        for path in ["/no such directory", "/dev/null"] {
            OutputDir::open(Path::new(path)).expect_err(path);
        }
    }

    #[test]
    fn writers_at_once_leave_one_whole_file() {
        const LEN: usize = 200_000;
        let (dir, output) = directory();
        output.write("shared", &[b'0'; LEN], ALWAYS).expect("written");
        let read = || {
            let content = fs::read(dir.path().join("shared")).expect("always there");
            assert_eq!(content.len(), LEN);
            assert!(content.iter().all(|byte| *byte == content[0]), "two files in one");
        };
        std::thread::scope(|scope| {
            for byte in *b"abcd" {
                let output = &output;
                scope.spawn(move || {
                    for _ in 0..15 {
                        output.write("shared", &[byte; LEN], ALWAYS).expect("written");
                    }
                });
            }
            for _ in 0..100 {
                read();
            }
        });
        read();
        assert_eq!(names(dir.path()), ["shared"]);
    }

    #[test]
    fn a_write_that_is_not_committed_changes_nothing() {
        let (dir, output) = directory();
        output.write("file", b"old", ALWAYS).expect("written");
        for n_steps in [0, 1] {
            let asked = std::cell::Cell::new(0);
            let goes_on = || asked.replace(asked.get() + 1) < n_steps;
            let error = output.write("file", b"new", &goes_on).expect_err("ended");
            assert_eq!(error.kind(), ErrorKind::Interrupted);
            assert_eq!(fs::read(dir.path().join("file")).expect("read"), b"old");
            assert_eq!(names(dir.path()), ["file"]);
        }
    }

    #[test]
    fn remains_of_a_killed_process_are_removed_at_the_next_write() {
        let (dir, output) = directory();
        let old = SystemTime::now() - std::time::Duration::from_secs(2 * 3_600);
        let names_before = [
            (".searchscope-1-0-abc.tmp", true),
            (".searchscope-1-0-abd.tmp", false),
            (".searchscope-1-0-abe.tmp", false),
            (".searchscope-1-0-ffffffffffffffff.tmp", true),
            (".searchscope-notes.tmp", true),
            (".searchscope-1-0-xyz.tmp", true),
            ("other.tmp", true),
        ];
        for (name, is_old) in names_before {
            let file = fs::File::create(dir.path().join(name)).expect("made");
            if is_old {
                file.set_modified(old).expect("set");
            }
        }
        // One of them is still being written, perhaps in another container.
        let writer = output.handle.create_new(".searchscope-1-0-abf.tmp").expect("made");
        output.write("a.json", b"{}", ALWAYS).expect("written");
        let left = [
            ".searchscope-1-0-abf.tmp",
            ".searchscope-1-0-ffffffffffffffff.tmp",
            ".searchscope-1-0-xyz.tmp",
            ".searchscope-notes.tmp",
            "a.json",
            "other.tmp",
        ];
        assert_eq!(names(dir.path()), left);
        drop(writer);
        output.write("a.json", b"{}", ALWAYS).expect("written");
        assert_eq!(names(dir.path()), left[1..]);
    }
}
