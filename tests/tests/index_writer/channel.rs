//! Two numbers that two processes share: what is asked for, and what is done.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::{Duration, Instant};

/// A process that waits for longer than this has lost the other one.
const WAIT_MAX: Duration = Duration::from_secs(60);

/// A number that one of the processes sets and the other one waits for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Number {
    Asked,
    Done,
}

/// A file outside the tree. It is read and written with system calls, so that a write is over, and can
/// be read, when the call has returned.
#[derive(Debug)]
pub(crate) struct Channel(File);

impl Channel {
    /// Opens the file, and makes it where it is not there.
    pub(crate) fn open(path: &Path) -> Channel {
        let file = File::options().read(true).write(true).create(true).truncate(false).open(path);
        let channel = Channel(file.expect("the channel can be opened"));
        if channel.0.metadata().expect("it is there").len() == 0 {
            channel.set(Number::Done, 0);
            channel.set(Number::Asked, 0);
        }
        channel
    }

    pub(crate) fn set(&self, number: Number, to: u64) {
        self.0.write_all_at(&to.to_le_bytes(), place(number)).expect("the channel can be written");
    }

    /// Returns the number as soon as it is not `known` any more.
    pub(crate) fn wait(&self, number: Number, known: u64) -> u64 {
        let mut bytes = [0; 8];
        let mut started = None;
        for n in 0_u64.. {
            self.0.read_exact_at(&mut bytes, place(number)).expect("the channel can be read");
            let now = u64::from_le_bytes(bytes);
            if now != known {
                return now;
            }
            if n % 64 == 63 {
                std::thread::yield_now();
                let started = *started.get_or_insert_with(Instant::now);
                assert!(started.elapsed() < WAIT_MAX, "the other process does not answer");
            }
        }
        unreachable!("it waits until something changes")
    }
}

fn place(number: Number) -> u64 {
    match number {
        Number::Asked => 0,
        Number::Done => 8,
    }
}
