//! EARLY INTERFACE (01:15): the signatures are final unless the last message says otherwise. The
//! bodies here answer "candidate" for every file.
use regex_syntax::hir::Hir;
use std::collections::TryReserveError;
use std::ops::Range;

/// Identifies one text that is or will be indexed; never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct FileId(pub(crate) u32);

/// Where the trigrams of one match are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// A match is in one line, and so in one chunk.
    Lines,
    /// A match may cross lines.
    File,
}

#[derive(Clone, Debug)]
pub(crate) struct Plan;
impl Plan {
    pub(crate) fn of(_hir: &Hir) -> Plan { Plan }
    pub(crate) fn is_all(&self) -> bool { true }
}

/// The outcome of adding a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Added {
    Indexed,
    /// A line longer than 128 KiB, or far too many distinct trigrams: always a candidate.
    Refused,
}

#[derive(Debug)]
pub(crate) struct SegmentBuilder;
impl SegmentBuilder {
    pub(crate) fn new() -> Result<SegmentBuilder, TryReserveError> { Ok(SegmentBuilder) }
    pub(crate) fn add(&mut self, _file: FileId, _text: &[u8]) -> Result<Added, TryReserveError> { Ok(Added::Refused) }
    pub(crate) fn is_empty(&self) -> bool { true }
    pub(crate) fn is_full(&self) -> bool { false }
    /// Returns the segment of the texts added so far; the builder is empty afterwards and keeps its memory.
    pub(crate) fn finish(&mut self) -> Result<Segment, TryReserveError> { Ok(Segment) }
    pub(crate) fn bytes(&self) -> usize { 0 }
}

#[derive(Debug)]
pub(crate) struct Segment;
impl Segment {
    pub(crate) fn files(&self) -> usize { 0 }
    pub(crate) fn bytes(&self) -> usize { 0 }
}

#[derive(Debug, Default)]
pub(crate) struct Store;
impl Store {
    pub(crate) fn new() -> Store { Store }
    /// `None` when all 2^32 are used up: the files are then never indexed.
    pub(crate) fn reserve_ids(&self, _n: u32) -> Option<Range<u32>> { None }
    pub(crate) fn next_id(&self) -> Option<FileId> { None }
    pub(crate) fn add(&self, _segment: Segment) -> Result<(), TryReserveError> { Ok(()) }
    pub(crate) fn forget(&self, _file: FileId) {}
    /// Segments that are not evaluated, because `stop` says so or memory is short, exclude nothing.
    pub(crate) fn candidates(&self, _plan: &Plan, _mode: Mode, _stop: &dyn Fn() -> bool) -> Candidates { Candidates }
    /// One step; true while there may be another.
    pub(crate) fn compact(&self, _stop: &dyn Fn() -> bool) -> bool { false }
    pub(crate) fn bytes(&self) -> usize { 0 }
    pub(crate) fn files(&self) -> usize { 0 }
    pub(crate) fn segments(&self) -> usize { 0 }
}

#[derive(Debug)]
pub(crate) struct Candidates;
impl Candidates {
    pub(crate) fn may_match(&self, _file: FileId) -> bool { true }
    /// Indexed files that may match.
    pub(crate) fn count(&self) -> usize { 0 }
}
