//! Reads the first files once more.

use super::sum::Sum;
use super::windows::{self, Rows};
use crate::budget::{Budget, Stopped};
use crate::encoding::{self, Encodings};
use crate::error::Result;
use crate::search::ranking::vectors::Access;
use crate::walk::{
    self, Candidate, Effort, FileList, KnownFiles, RunOptions, Visit, Visited, Visitor,
};
use crate::workspace::{self, RelPath, Unread};
use std::sync::Arc;

/// The first bytes of a file among which windows are: larger files are mostly data, and each costs time.
const TEXT_BYTES_MAX: u64 = 256 * 1024;

/// Returns the cosine of `question` with each file; `None` if the time of the call ends first.
pub(super) fn cosines<'a>(
    question: Sum,
    paths: impl Iterator<Item = &'a RelPath>,
    access: Access<'_>,
) -> Result<Option<Vec<f64>>> {
    let Access { fs, encodings, threads, budget, follow } = access;
    let files = FileList::of_paths(paths);
    let n_files = files.len();
    let files = KnownFiles::new(fs, files, follow);
    let visitor = Arc::new(Nearness { question, encodings });
    let mut cosines = Vec::with_capacity(n_files);
    // The pass has counted these files and warned of them.
    let _tally =
        walk::run(budget, &files, &visitor, RunOptions::on(threads), &mut |cosine, _, _| {
            cosines.push(cosine);
            true
        })?;
    // Reading the last file may have taken the rest of the time.
    let is_whole = cosines.len() == n_files && budget.poll_clock().is_ok();
    Ok(is_whole.then_some(cosines))
}

/// Compares each file with a question.
struct Nearness {
    question: Sum,
    encodings: Encodings,
}

/// Memory that a thread reuses from file to file.
#[derive(Default)]
struct Scratch {
    buffer: Vec<u8>,
    rows: Rows,
}

impl Visitor for Nearness {
    type Scratch = Scratch;
    /// A cosine.
    type Item = f64;

    fn visit(&self, visit: Visit<'_, Scratch>) -> Visited<f64> {
        let Visit { scratch, file, budget, .. } = visit;
        let (found, stopped) = match self.cosine(scratch, file, budget) {
            Ok(cosine) => (Some(cosine), Ok(())),
            Err(Unread::Stopped) => (None, Err(Stopped)),
            // It has changed since the pass.
            Err(_) => (Some(0.0), Ok(())),
        };
        // Each file is worth a thread of its own.
        Visited { found, effort: Effort::Large, stopped, stamp: 0 }
    }

    fn weight(_: &f64) -> usize {
        size_of::<f64>()
    }
}

impl Nearness {
    /// Returns the cosine with the nearest window of a file, 0 if it is binary.
    fn cosine(
        &self,
        Scratch { buffer, rows }: &mut Scratch,
        file: &Candidate<'_>,
        budget: &Budget,
    ) -> std::result::Result<f64, Unread> {
        let name = windows::of_path(&file.path().display(), rows);
        let file = file.open()?;
        let is_whole = file.meta().size <= TEXT_BYTES_MAX;
        let encodings = file.encodings(&self.encodings);
        let bytes = workspace::read_start(file, TEXT_BYTES_MAX, buffer, budget)?;
        let text = encoding::decode_bytes(bytes, is_whole, &encodings, budget)?;
        budget.poll_clock()?;
        if memchr::memchr(0, &text).is_some() {
            return Ok(0.0);
        }
        Ok(windows::nearest(&self.question, &name, &text, rows))
    }
}
