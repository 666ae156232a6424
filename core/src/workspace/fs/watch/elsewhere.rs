//! Systems whose file events are not used.

use super::{Change, FileSystem, NoWatch, Trust, WatchId};
use crate::workspace::fs::Dir;

/// Cannot be opened.
#[derive(Debug)]
pub(crate) struct Watch(std::convert::Infallible);

impl Watch {
    /// Refuses.
    ///
    /// # Errors
    ///
    /// Always `Unsupported`.
    pub(crate) fn open() -> Result<Watch, NoWatch> {
        Err(NoWatch::Unsupported)
    }

    /// Has no directory to watch.
    pub(crate) fn add(&self, _dir: &Dir) -> Result<WatchId, NoWatch> {
        match self.0 {}
    }

    /// Has no watch to end.
    pub(crate) fn remove(&self, _id: WatchId) {
        match self.0 {}
    }

    /// Has no change to report.
    pub(crate) fn drain(&self, _each: &mut dyn FnMut(Change<'_>)) -> Result<(), NoWatch> {
        match self.0 {}
    }
}

/// Returns a file system without trust: this system does not say whether `dir` is on a remote one.
pub(crate) fn file_system(_dir: &Dir) -> FileSystem {
    FileSystem { name: "unknown", magic: 0, trust: Trust::Cold }
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
