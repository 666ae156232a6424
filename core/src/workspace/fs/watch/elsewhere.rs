//! Systems whose events are not used: nothing is watched.

use super::{Change, FileSystem, NoWatch, Trust, WatchId};
use crate::workspace::fs::Dir;

/// Watches nothing; it cannot be opened.
#[derive(Debug)]
pub(crate) struct Watch(std::convert::Infallible);

impl Watch {
    /// Refuses.
    pub(crate) fn open() -> Result<Watch, NoWatch> {
        Err(NoWatch::Unsupported)
    }

    pub(crate) fn add(&self, _dir: &Dir) -> Result<WatchId, NoWatch> {
        match self.0 {}
    }

    pub(crate) fn remove(&self, _id: WatchId) {
        match self.0 {}
    }

    pub(crate) fn drain(&self, _each: &mut dyn FnMut(Change<'_>)) -> Result<(), NoWatch> {
        match self.0 {}
    }
}

/// Trusts no file system: whether `dir` is on a remote one is not known here.
pub(crate) fn file_system(_dir: &Dir) -> FileSystem {
    FileSystem {
        name: "unknown",
        magic: 0,
        trust: Trust::Cold,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_is_refused_with_a_reason() {
        let refused = Watch::open().expect_err("nothing to open");
        assert_eq!(refused.reason(), "this system does not report file changes");
    }
}
