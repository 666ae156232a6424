//! An ignore file, from its text to the verdict on a path.

use super::index::{Entry, Index};
use super::line::parse;
use super::{LineProblem, Problem};
use crate::wildcard::limits::{
    FILE_BYTES_MAX, FILE_COST_MAX, FILE_PATTERNS_MAX, FOLDED_COST_MAX, LINE_BYTES_MAX,
};
use crate::wildcard::linear::Steps;
use std::borrow::Cow;
use std::sync::Arc;

/// A name of ignore files.
#[derive(Debug)]
pub(crate) struct IgnoreFileName {
    pub(crate) name: &'static [u8],
    /// Whether its rules end at the enclosing repository, and count outside of one only on request.
    pub(crate) is_of_git: bool,
}

/// The names of ignore files, in the order of their precedence. `.git/info/exclude` has the lowest.
pub(crate) const IGNORE_FILES: [IgnoreFileName; 2] = [
    IgnoreFileName { name: b".ignore", is_of_git: false },
    IgnoreFileName { name: b".gitignore", is_of_git: true },
];

/// Returns whether the entry `name` decides about the rules of its directory.
pub(crate) fn changes_rules(name: &[u8]) -> bool {
    name == b".git" || IGNORE_FILES.iter().any(|file| file.name == name)
}

/// Number of bytes read between two polls: reading a line takes at most some 100 µs.
const BYTES_PER_POLL: usize = 4 << 10;

/// Cost of a line in addition to its bytes, for spacing the polls.
const LINE_OVERHEAD: usize = 64;

/// Maximum number of problems reported per file.
pub(super) const PROBLEMS_MAX: usize = 20;

/// The lines of one ignore file, ready for verdicts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct IgnoreLines {
    index: Arc<Index>,
    /// The prefix of every path, with a `/` at its end; usually empty.
    base: Vec<u8>,
}

/// Treatment of letters in upper and lower case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LetterCase {
    Distinct,
    Same,
}

/// The verdict of an ignore file on a path: the last line that matches decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// No line matches.
    None,
    /// The path is ignored.
    Ignore,
    /// The path is not ignored, whatever weaker ignore files say: the line begins with `!`.
    Include,
}

impl IgnoreLines {
    /// Reads the content of an ignore file; `None` if none of its lines can match anything.
    ///
    /// Only the first problems are reported. Calls `go_on` every few kilobytes, because a hostile file takes
    /// some ten milliseconds; once it returns false, the remaining lines are missing.
    pub(crate) fn parse(
        bytes: &[u8],
        go_on: &mut dyn FnMut() -> bool,
    ) -> (Option<IgnoreLines>, Vec<LineProblem>) {
        if bytes.len() > FILE_BYTES_MAX {
            let problem = LineProblem { line: 1, problem: Problem::FileTooLarge };
            return (None, vec![problem]);
        }
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let lines = text.split(|&byte| byte == b'\n');
        let lines = lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line));
        Reader::read(lines.map(|line| (line, LetterCase::Distinct)), go_on)
    }

    /// Reads lines from a source other than a file; each item is one line.
    pub(crate) fn from_lines<'a>(
        lines: impl IntoIterator<Item = &'a str>,
        case: LetterCase,
    ) -> (Option<IgnoreLines>, Vec<LineProblem>) {
        Self::from_lines_by_case(lines.into_iter().map(|line| (line, case)))
    }

    /// Reads lines like [`IgnoreLines::from_lines`], each with its own letter case: lists of two authors form
    /// one ordered list in which the last match decides.
    pub(crate) fn from_lines_by_case<'a>(
        lines: impl IntoIterator<Item = (&'a str, LetterCase)>,
    ) -> (Option<IgnoreLines>, Vec<LineProblem>) {
        let lines = lines.into_iter().map(|(line, case)| (line.as_bytes(), case));
        Reader::read(lines, &mut || true)
    }

    /// Returns the same lines for paths relative to the directory `base`, which is relative to the directory
    /// of the lines.
    pub(crate) fn for_paths_below(&self, base: &[u8]) -> IgnoreLines {
        let mut lines = self.clone();
        lines.base.extend_from_slice(base);
        if !base.is_empty() {
            lines.base.push(b'/');
        }
        lines
    }

    /// Returns the verdict on a path alone, without considering its parent directories.
    ///
    /// The path is relative to the directory of the ignore file, with `/` between its segments and
    /// none before or after.
    pub(crate) fn verdict(&self, path: &[u8], is_dir: bool) -> Verdict {
        self.verdict_while(path, is_dir, &mut Steps::unlimited())
    }

    /// Like [`IgnoreLines::verdict`], for hostile lines that may take milliseconds: once a poll of the steps
    /// stops them, the verdict is meaningless. The files of one chain share their steps.
    pub(crate) fn verdict_while(
        &self,
        path: &[u8],
        is_dir: bool,
        steps: &mut Steps<'_>,
    ) -> Verdict {
        let path = match self.base.is_empty() {
            true => Cow::Borrowed(path),
            false => Cow::Owned([self.base.as_slice(), path].concat()),
        };
        match self.index.is_included(Entry::new(&path, is_dir), steps) {
            None => Verdict::None,
            Some(false) => Verdict::Ignore,
            Some(true) => Verdict::Include,
        }
    }

    /// Like [`IgnoreLines::verdict`], but everything in an ignored directory is ignored: git's verdict on a
    /// path that was not reached by a walk.
    pub(crate) fn verdict_with_parents(&self, path: &[u8], is_dir: bool) -> Verdict {
        for (end, _) in path.iter().enumerate().filter(|&(_, &byte)| byte == b'/') {
            if self.verdict(&path[..end], true) == Verdict::Ignore {
                return Verdict::Ignore;
            }
        }
        self.verdict(path, is_dir)
    }

    /// Returns the number of lines that can match something.
    pub(crate) fn pattern_count(&self) -> usize {
        self.index.len()
    }
}

/// Reads lines one after the other.
struct Reader {
    index: Index,
    cost: usize,
    problems: Vec<LineProblem>,
}

impl Reader {
    fn read<'a>(
        lines: impl Iterator<Item = (&'a [u8], LetterCase)>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> (Option<IgnoreLines>, Vec<LineProblem>) {
        let mut reader = Reader { index: Index::default(), cost: 0, problems: Vec::new() };
        let mut n_bytes = 0;
        for (number, (line, case)) in (1..).zip(lines) {
            n_bytes += line.len() + LINE_OVERHEAD;
            if n_bytes >= BYTES_PER_POLL {
                n_bytes = 0;
                if !go_on() {
                    break;
                }
            }
            if let Err(problem) = reader.add(line, case) {
                reader.report(number, problem);
                if problem.ends_file() {
                    break;
                }
            }
        }
        let Reader { mut index, problems, .. } = reader;
        index.finish();
        let lines = IgnoreLines { index: Arc::new(index), base: Vec::new() };
        ((lines.pattern_count() > 0).then_some(lines), problems)
    }

    fn add(&mut self, line: &[u8], case: LetterCase) -> Result<(), Problem> {
        if line.len() > LINE_BYTES_MAX {
            return Err(Problem::LineTooLong);
        }
        let Some(line) = parse(line, case)? else {
            return Ok(());
        };
        if self.index.len() >= FILE_PATTERNS_MAX {
            return Err(Problem::TooManyPatterns);
        }
        let cost_max = match case {
            LetterCase::Distinct => FILE_COST_MAX,
            LetterCase::Same => FOLDED_COST_MAX,
        };
        if self.cost + line.cost > cost_max {
            return Err(Problem::TooCostly);
        }
        self.cost += line.cost;
        self.index.add(line).map_err(|_| Problem::NoMemory)
    }

    fn report(&mut self, line: u64, problem: Problem) {
        if self.problems.len() < PROBLEMS_MAX {
            self.problems.push(LineProblem { line, problem });
        }
    }
}
