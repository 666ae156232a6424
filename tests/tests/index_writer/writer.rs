//! The process that writes.

use crate::channel::{receive, send};
use crate::rounds::{Kind, Round, word};
use rustix::fs::{FallocateFlags, OFlags, fallocate};
use std::cell::Cell;
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::Duration;

/// Maximum number of changes in one request.
pub(crate) const CHANGES_MAX: u64 = 16;

const PAGE: usize = 4_096;
/// Growing files are truncated after this number of turns.
const TURNS_MAX: u64 = 64;

/// The directories of the writer: the tree, and a directory beside it on the same file system.
#[derive(Debug)]
pub(crate) struct Places {
    pub(crate) root: PathBuf,
    pub(crate) beside: PathBuf,
}

/// Makes the files that are written to, and files that are not.
pub(crate) fn plant(places: &Places) -> io::Result<()> {
    for (kind, path) in Round::paths() {
        let path = places.root.join(path);
        fs::create_dir_all(path.parent().expect("it is in a directory"))?;
        match kind {
            Kind::Create | Kind::Link => {}
            Kind::ThroughAnotherName => {
                fs::write(&path, text(&word(0)))?;
                fs::hard_link(&path, places.beside.join(places.name(&path)))?;
            }
            Kind::WriteIntoTheHole | Kind::Direct => fs::write(&path, page(&word(0)))?,
            _ => fs::write(&path, text(&word(0)))?,
        }
    }
    for n in 0..100 {
        let dir = places.root.join(format!("still/{}", n % 12));
        fs::create_dir_all(&dir)?;
        fs::write(dir.join(format!("{n}.txt")), format!("nothing changes here {n}\n").repeat(40))?;
    }
    fs::create_dir_all(places.root.join("noise"))
}

/// Makes the changes of the requested rounds, given as the first and their count, until the input ends. Reports as
/// soon as the system call of the last change has returned: the number of the first, and below it a bit for each
/// change that this file system does not support.
pub(crate) fn write(places: &Places) {
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| make_noise(places, &is_over));
        while let Some(first) = receive(&mut io::stdin()) {
            let n = receive(&mut io::stdin()).expect("the count follows");
            let impossible = Cell::new(0);
            for (at, number) in (first..first + n).enumerate() {
                let round = Round::of(number);
                let report = || {
                    if number == first + n - 1 {
                        send(&mut io::stderr(), first << CHANGES_MAX | impossible.get());
                    }
                };
                match places.change(&round, &report) {
                    Ok(()) => {}
                    Err(error) if is_impossible(&error) => {
                        impossible.set(impossible.get() | 1 << at);
                        report();
                    }
                    Err(error) => panic!("{round:?}: {error}"),
                }
            }
        }
        is_over.store(true, SeqCst);
    });
}

fn is_impossible(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported)
}

/// Writes files that no query matches, so that there are always events to drain.
fn make_noise(places: &Places, is_over: &AtomicBool) {
    for n in 0_u64.. {
        if is_over.load(SeqCst) {
            return;
        }
        let path = places.root.join(format!("noise/{}.txt", n % 5));
        let done = match n % 3 {
            2 => fs::remove_file(&path).or(Ok(())),
            _ => fs::write(&path, format!("noise {n}\n")),
        };
        done.expect("noise can be made");
        std::thread::sleep(Duration::from_millis(1));
    }
}

impl Places {
    /// Returns a name for `path` outside the tree.
    fn name(&self, path: &Path) -> String {
        path.strip_prefix(&self.root).expect("in the tree").display().to_string().replace('/', "-")
    }

    /// Changes a file; calls `done` as soon as the system call of the change has returned.
    fn change(&self, round: &Round, done: &dyn Fn()) -> io::Result<()> {
        let path = self.root.join(&round.path);
        let open = || File::options().write(true).open(&path);
        match round.kind {
            Kind::Write => open()?.write_all_at(text(&round.word).as_bytes(), 0)?,
            Kind::Append if round.turn.is_multiple_of(TURNS_MAX) => {
                File::create(&path)?.write_all(text(&round.word).as_bytes())?;
            }
            Kind::Append => {
                let mut file = File::options().append(true).open(&path)?;
                file.write_all(text(&round.word).as_bytes())?;
            }
            Kind::TruncateAndWrite => {
                File::create(&path)?.write_all(text(&round.word).as_bytes())?;
            }
            Kind::RenameOver => {
                let new = self.beside.join("new");
                fs::write(&new, text(&round.word))?;
                fs::rename(&new, &path)?;
            }
            Kind::Create => {
                let mut file = File::create_new(&path)?;
                // Its directory is listed, with the empty file, before the file contains the word.
                file.write_all(text(&round.word).as_bytes())?;
                done();
                return Ok(());
            }
            Kind::Link => {
                let new = self.beside.join("linked");
                fs::write(&new, text(&round.word))?;
                fs::hard_link(&new, &path)?;
                done();
                return fs::remove_file(&new);
            }
            Kind::Unlink | Kind::UnlinkOfALink => fs::remove_file(&path)?,
            Kind::WriteIntoTheHole => open()?.write_all_at(&page(&round.word), PAGE as u64)?,
            Kind::Fallocate => {
                let flags = FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE;
                fallocate(open()?, flags, PAGE as u64, PAGE as u64)?;
            }
            Kind::Direct => {
                let flags = OFlags::DIRECT.bits().cast_signed();
                let file = File::options().write(true).custom_flags(flags).open(&path)?;
                let mut memory = vec![0; 2 * PAGE];
                let start = memory.as_ptr().align_offset(PAGE);
                let aligned = &mut memory[start..start + PAGE];
                aligned.copy_from_slice(&page(&round.word));
                file.write_all_at(aligned, 0)?;
            }
            Kind::ThroughAnotherName => {
                let other = self.beside.join(self.name(&path));
                let file = File::options().write(true).open(other)?;
                file.write_all_at(text(&round.word).as_bytes(), 0)?;
            }
        }
        done();
        Ok(())
    }
}

/// Returns the text of a small file with the word.
fn text(word: &str) -> String {
    format!("first line\n  let value = {word};\nlast line\n")
}

/// Returns the same text, a page long.
fn page(word: &str) -> Vec<u8> {
    let mut page = text(word).into_bytes();
    page.resize(PAGE - 1, b'.');
    page.push(b'\n');
    page
}
