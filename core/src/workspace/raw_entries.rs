//! The reader of directories: the entries of one at a time, in memory that is reused.

use super::fs::{Dir, FsError, Kind, ListBuffer};
use super::read::Unread;
use crate::budget::{Budget, Stopped};
use std::collections::TryReserveError;

/// The entries of a directory as the system lists them. Reading another directory reuses the memory.
#[derive(Default)]
pub(crate) struct RawEntries {
    buffer: ListBuffer,
    names: Vec<u8>,
    /// The end of each name, and the kind that the system reports.
    entries: Vec<(usize, Option<Kind>)>,
}

impl RawEntries {
    /// Reads the entries of `dir` in place of the previous ones. If that fails, those read before stay.
    ///
    /// # Errors
    ///
    /// `Stopped` by the budget, or `Failed` if the system fails or memory is short.
    pub(crate) fn read(&mut self, dir: &Dir, budget: &Budget) -> Result<(), Unread> {
        self.read_at_most(dir, usize::MAX, budget).map(|_| ())
    }

    /// Like [`RawEntries::read`], up to `n_max` entries. Returns whether these are all.
    pub(crate) fn read_at_most(
        &mut self,
        dir: &Dir,
        n_max: usize,
        budget: &Budget,
    ) -> Result<bool, Unread> {
        self.clear();
        let RawEntries { buffer, names, entries } = self;
        let mut outcome = Ok(true);
        let listed = dir.list(buffer, &mut |name, kind| {
            outcome = match entries.len() {
                n if n == n_max => Ok(false),
                _ => budget.poll().map_err(Unread::from).and_then(|()| {
                    let no_room = |error: TryReserveError| FsError::Io(error.into());
                    add(names, entries, name, kind).map_err(no_room)?;
                    Ok(true)
                }),
            };
            matches!(outcome, Ok(true))
        });
        let is_whole = outcome?;
        listed?;
        Ok(is_whole)
    }

    /// Takes `entries` in place of the previous ones.
    pub(crate) fn set<'n>(
        &mut self,
        entries: impl Iterator<Item = (&'n [u8], Kind)>,
        budget: &Budget,
    ) -> Result<(), Stopped> {
        self.clear();
        for (name, kind) in entries {
            budget.poll()?;
            self.names.extend_from_slice(name);
            self.entries.push((self.names.len(), Some(kind)));
        }
        Ok(())
    }

    fn clear(&mut self) {
        self.names.clear();
        self.entries.clear();
    }

    /// Returns the number of entries.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns the total length of the names.
    pub(crate) fn names_len(&self) -> usize {
        self.names.len()
    }

    /// Returns each entry's name and kind, in the order in which they were read. The kind is `None` if the
    /// file system does not report it; [`Dir::stat`] then does.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&[u8], Option<Kind>)> {
        let mut start = 0;
        self.entries.iter().map(move |&(end, kind)| {
            let name = &self.names[start..end];
            start = end;
            (name, kind)
        })
    }
}

fn add(
    names: &mut Vec<u8>,
    entries: &mut Vec<(usize, Option<Kind>)>,
    name: &[u8],
    kind: Option<Kind>,
) -> Result<(), TryReserveError> {
    names.try_reserve(name.len())?;
    entries.try_reserve(1)?;
    names.extend_from_slice(name);
    entries.push((names.len(), kind));
    Ok(())
}
