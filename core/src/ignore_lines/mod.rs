//! The lines of one ignore file, compiled to a matcher with git's verdicts.
//!
//! Each line is rewritten by [`rewrite`] into globs that mean in the glob compiler
//! what the line means in git, so braces, classes and stars of a hostile file cannot do harm.
//! This file knows bytes, not files: the caller reads the ignore file, chains it with others, and
//! decides what an ignored directory means for what is in it.
//!
//! # Where the verdict is not git's
//!
//! A line that cannot have git's verdicts is skipped and reported as a [`LineProblem`]; no other
//! line differs (see `differential.rs`). Skipped are:
//!
//! - lines that are not UTF-8: git matches their bytes, the glob compiler takes text;
//! - classes with a range from or to a character beyond ASCII (`[а-я]`), which in git is a range
//!   between two of its bytes, the class of exactly `!` and `^`, and patterns that end in white
//!   space beyond ASCII;
//! - what is over a limit: lines of more than 4 KiB or more than 32 stars, the patterns after the
//!   first 20,000, and the wildcard patterns after the first 65,536 characters of such patterns
//!   (where a wildcard counts as four, and an escaped backslash is one).
//!
//! Lines without regard to letter case all count as wildcard patterns, because the glob compiler
//! makes a regex of each; up to 524,288 characters of them are compiled.

#[cfg(all(test, unix))]
pub(crate) mod differential;
mod quick;
mod rewrite;
#[cfg(test)]
pub(super) mod tests;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::encoding::as_native_path;
use quick::Quick;
use rewrite::rewrite;
use std::borrow::Cow;
use std::sync::OnceLock;

/// A larger file has no effect; the caller need not read more than this and one byte.
pub(crate) const FILE_BYTES_MAX: usize = 1 << 20;

const LINE_BYTES_MAX: usize = 4 << 10;

const PATTERNS_MAX: usize = 20_000;

/// Matcher states of all wildcard patterns of a file: 5,000 lines of a dozen characters. The
/// largest ignore file known to us has 9,298 lines of every kind (ripgrep#2750). It bounds the
/// first verdict on a name of 255 bytes to tens of milliseconds.
const FILE_STATES_MAX: usize = 1 << 16;

/// The same for the lines of an option that ignore letter case, of which even literals have states:
/// 5,000 lines of a hundred characters.
const FOLDED_STATES_MAX: usize = 1 << 19;

/// States that are compiled into one matcher. Small matchers compile faster than one large one,
/// and compile within the size limit of the regex engine; files in use fit into one.
const CHUNK_STATES_MAX: usize = 1 << 12;

/// A chunk of more states than this is compiled at once, where the deadline is looked at.
const LATE_STATES_MAX: usize = 1 << 9;

/// A chunk whose globs are longer than this together is compiled at once, where failing is an error
/// and not a panic. Shorter ones cannot fail, whatever the glob compiler makes of them: a byte of a
/// glob costs the regex engine some 150 bytes at most, and its limit is 10 MiB.
const LATE_BYTES_MAX: usize = 1 << 15;

/// Patterns that are compiled at once, so that a file of literals is compiled in steps too.
const CHUNK_PATTERNS_MAX: usize = 2_048;

/// Reading a line takes a microsecond, or a hundred when it is long.
const LINES_PER_POLL: u64 = 64;

/// Patterns of a file that get a regex of their own for their extension.
const OWN_REGEX_MAX: usize = 8;

/// Problems that are reported of one file.
const PROBLEMS_MAX: usize = 20;

/// The compiled lines of one ignore file.
#[derive(Clone, Debug)]
pub(crate) struct IgnoreLines {
    /// In the order of the lines: a later matcher outranks an earlier one.
    chunks: Vec<Chunk>,
    quick: Quick,
    pattern_count: usize,
    /// What stands before every path that is asked for, with a `/` at its end; mostly nothing.
    base: Vec<u8>,
}

/// Some of the lines, compiled at the latest when a name may match one of them: most ignore files of
/// a tree name things that are not there.
#[derive(Clone, Debug)]
struct Chunk {
    lines: GitignoreBuilder,
    matcher: OnceLock<Gitignore>,
}

impl Chunk {
    fn matcher(&self) -> &Gitignore {
        self.matcher.get_or_init(|| {
            let built = self.lines.build();
            built.expect("because globs of LATE_BYTES_MAX are below the regex engine's size limit")
        })
    }
}

/// Whether letters of the two cases are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LetterCase {
    Distinct,
    Same,
}

/// What an ignore file says about a path: the last line that matches decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// No line matches.
    None,
    /// The path is ignored.
    Ignore,
    /// The path is not ignored, whatever weaker ignore files say: the line begins with `!`.
    Include,
}

/// A line that has no effect although it should. It never quotes the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LineProblem {
    /// The number of the line, from 1.
    pub(crate) line: u64,
    /// What is wrong with it.
    pub(crate) problem: Problem,
}

/// Why a line has no effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Problem {
    /// The file is larger than [`FILE_BYTES_MAX`]; no line of it has an effect.
    FileTooLarge,
    LineTooLong,
    /// This line and all after it.
    TooManyPatterns,
    TooManyStars,
    /// The wildcard patterns before it used up what one file may cost.
    TooCostly,
    NotUtf8,
    /// Git gives the pattern a meaning that cannot be expressed here.
    Unsupported,
}

impl Problem {
    /// The problem in words, for a warning.
    pub(crate) const fn text(self) -> &'static str {
        match self {
            Problem::FileTooLarge => "the ignore file is too large and was not used",
            Problem::LineTooLong => "the line is too long",
            Problem::TooManyPatterns => "too many patterns; the file was not used from here on",
            Problem::TooManyStars => "too many stars in one pattern",
            Problem::TooCostly => "the wildcard patterns of the file are too large together",
            Problem::NotUtf8 => "the line is not UTF-8",
            Problem::Unsupported => "the pattern is not supported",
        }
    }
}

impl IgnoreLines {
    /// Compiles the content of an ignore file; `None` when no line of it can match anything.
    ///
    /// Only the first problems are reported. When `go_on` says no, the lines from there on are
    /// missing: it is asked every few milliseconds at worst, because a hostile file takes half a
    /// second to compile.
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
        Compiler::run(lines, LetterCase::Distinct, go_on)
    }

    /// Compiles lines that come from elsewhere than a file; each item is one line.
    pub(crate) fn from_lines<'a>(
        lines: impl IntoIterator<Item = &'a str>,
        case: LetterCase,
    ) -> (Option<IgnoreLines>, Vec<LineProblem>) {
        Compiler::run(lines.into_iter().map(str::as_bytes), case, &mut || true)
    }

    /// The same lines for paths that are relative to the directory `base`, itself relative to the
    /// directory of the lines.
    pub(crate) fn for_paths_below(&self, base: &[u8]) -> IgnoreLines {
        let mut lines = self.clone();
        lines.base.extend_from_slice(base);
        if !base.is_empty() {
            lines.base.push(b'/');
        }
        lines
    }

    /// What the lines say about a path by itself, its parent directories not considered.
    ///
    /// The path is relative to the directory of the ignore file, with `/` between its segments and
    /// none before or after.
    pub(crate) fn verdict(&self, path: &[u8], is_dir: bool) -> Verdict {
        self.verdict_while(path, is_dir, &mut || true)
    }

    /// Like [`IgnoreLines::verdict`], where the answer may take milliseconds because the lines are
    /// many, or are compiled now: when `go_on` says no, it stands for nothing.
    pub(crate) fn verdict_while(
        &self,
        path: &[u8],
        is_dir: bool,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Verdict {
        let name = memchr::memrchr(b'/', path).map_or(path, |slash| &path[slash + 1..]);
        if !self.quick.may_match(name) {
            return Verdict::None;
        }
        self.chunked_verdict(path, is_dir, go_on)
    }

    #[cfg(test)]
    fn full_verdict(&self, path: &[u8], is_dir: bool) -> Verdict {
        self.chunked_verdict(path, is_dir, &mut || true)
    }

    fn chunked_verdict(
        &self,
        path: &[u8],
        is_dir: bool,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Verdict {
        let path = if self.base.is_empty() {
            Cow::Borrowed(path)
        } else {
            Cow::Owned([self.base.as_slice(), path].concat())
        };
        let path = as_native_path(&path);
        for chunk in self.chunks.iter().rev() {
            if !go_on() {
                break;
            }
            match chunk.matcher().matched(&*path, is_dir) {
                Match::None => {}
                Match::Ignore(_) => return Verdict::Ignore,
                Match::Whitelist(_) => return Verdict::Include,
            }
        }
        Verdict::None
    }

    /// Like [`IgnoreLines::verdict`], but what is in an ignored directory is ignored: git's answer
    /// for a path that was not reached by a walk.
    pub(crate) fn verdict_with_parents(&self, path: &[u8], is_dir: bool) -> Verdict {
        for (end, _) in path.iter().enumerate().filter(|&(_, &byte)| byte == b'/') {
            if self.verdict(&path[..end], true) == Verdict::Ignore {
                return Verdict::Ignore;
            }
        }
        self.verdict(path, is_dir)
    }

    /// The number of lines that can match something.
    pub(crate) fn pattern_count(&self) -> usize {
        self.pattern_count
    }
}

/// Compiles lines one after the other.
struct Compiler {
    done: Vec<Chunk>,
    quick: Quick,
    case: LetterCase,
    open: GitignoreBuilder,
    open_states: usize,
    open_bytes: usize,
    open_patterns: usize,
    file_states: usize,
    pattern_count: usize,
    own_regexes: usize,
    problems: Vec<LineProblem>,
}

impl Compiler {
    fn run<'a>(
        lines: impl Iterator<Item = &'a [u8]>,
        case: LetterCase,
        go_on: &mut dyn FnMut() -> bool,
    ) -> (Option<IgnoreLines>, Vec<LineProblem>) {
        let mut compiler = Compiler {
            done: Vec::new(),
            quick: Quick::default(),
            case,
            open: builder(case),
            open_states: 0,
            open_bytes: 0,
            open_patterns: 0,
            file_states: 0,
            pattern_count: 0,
            own_regexes: 0,
            problems: Vec::new(),
        };
        let mut n_lines = 0;
        for line in lines {
            n_lines += 1;
            if n_lines % LINES_PER_POLL == 0 && !go_on() {
                break;
            }
            if let Err(problem) = compiler.add(line) {
                compiler.report(n_lines, problem);
                if problem == Problem::TooManyPatterns {
                    break;
                }
            }
        }
        if let Err(problem) = compiler.close_chunk() {
            compiler.report(n_lines, problem);
        }
        let Compiler { done: chunks, quick, pattern_count, problems, .. } = compiler;
        let rules = (pattern_count > 0).then_some(IgnoreLines {
            chunks,
            quick,
            pattern_count,
            base: Vec::new(),
        });
        (rules, problems)
    }

    fn add(&mut self, line: &[u8]) -> Result<(), Problem> {
        if line.len() > LINE_BYTES_MAX {
            return Err(Problem::LineTooLong);
        }
        let rewritten = rewrite(line, self.case, self.own_regexes >= OWN_REGEX_MAX)?;
        if rewritten.globs.is_empty() {
            return Ok(());
        }
        if self.pattern_count >= PATTERNS_MAX {
            return Err(Problem::TooManyPatterns);
        }
        let states_max = match self.case {
            LetterCase::Distinct => FILE_STATES_MAX,
            LetterCase::Same => FOLDED_STATES_MAX,
        };
        if self.file_states + rewritten.states > states_max {
            return Err(Problem::TooCostly);
        }
        for glob in &rewritten.globs {
            self.open.add_line(None, glob).map_err(|_| Problem::Unsupported)?;
            match self.case {
                LetterCase::Distinct => self.quick.add(glob),
                LetterCase::Same => self.quick.add_any(),
            }
        }
        self.pattern_count += 1;
        self.own_regexes += usize::from(rewritten.has_extension);
        self.file_states += rewritten.states;
        self.open_states += rewritten.states;
        self.open_bytes += rewritten.globs.iter().map(String::len).sum::<usize>();
        self.open_patterns += 1;
        let is_full =
            self.open_states > CHUNK_STATES_MAX || self.open_patterns >= CHUNK_PATTERNS_MAX;
        if is_full { self.close_chunk() } else { Ok(()) }
    }

    /// Makes a chunk of what was added since the last time; a large one is compiled here.
    fn close_chunk(&mut self) -> Result<(), Problem> {
        let states = std::mem::take(&mut self.open_states);
        let bytes = std::mem::take(&mut self.open_bytes);
        if std::mem::take(&mut self.open_patterns) == 0 {
            return Ok(());
        }
        let lines = std::mem::replace(&mut self.open, builder(self.case));
        let matcher = OnceLock::new();
        if states > LATE_STATES_MAX || bytes > LATE_BYTES_MAX {
            // Far below the regex engine's size limit; nothing else can fail.
            let _ = matcher.set(lines.build().map_err(|_| Problem::TooCostly)?);
        }
        self.done.push(Chunk { lines, matcher });
        Ok(())
    }

    fn report(&mut self, line: u64, problem: Problem) {
        if self.problems.len() < PROBLEMS_MAX {
            self.problems.push(LineProblem { line, problem });
        }
    }
}

fn builder(case: LetterCase) -> GitignoreBuilder {
    let mut builder = GitignoreBuilder::new("");
    // It could only fail for a builder that has patterns already.
    let _ = builder.case_insensitive(case == LetterCase::Same);
    builder
}
