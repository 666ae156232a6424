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
//!   (where a wildcard counts as four).

#[cfg(all(test, unix))]
pub(crate) mod differential;
mod quick;
mod rewrite;

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

/// States that are compiled into one matcher. Small matchers compile faster than one large one,
/// and compile within the size limit of the regex engine; files in use fit into one.
const CHUNK_STATES_MAX: usize = 1 << 12;

/// A chunk of more states than this is compiled at once, where the deadline is looked at.
const LATE_STATES_MAX: usize = 1 << 9;

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
            built.expect("because what is compiled late is far below the regex engine's size limit")
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
        let rewritten = rewrite(line, self.own_regexes >= OWN_REGEX_MAX)?;
        if rewritten.globs.is_empty() {
            return Ok(());
        }
        if self.pattern_count >= PATTERNS_MAX {
            return Err(Problem::TooManyPatterns);
        }
        if self.file_states + rewritten.states > FILE_STATES_MAX {
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
        self.open_patterns += 1;
        let is_full =
            self.open_states > CHUNK_STATES_MAX || self.open_patterns >= CHUNK_PATTERNS_MAX;
        if is_full { self.close_chunk() } else { Ok(()) }
    }

    /// Makes a chunk of what was added since the last time; a large one is compiled here.
    fn close_chunk(&mut self) -> Result<(), Problem> {
        let states = std::mem::take(&mut self.open_states);
        if std::mem::take(&mut self.open_patterns) == 0 {
            return Ok(());
        }
        let lines = std::mem::replace(&mut self.open, builder(self.case));
        let matcher = OnceLock::new();
        if states > LATE_STATES_MAX {
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

#[cfg(test)]
pub(super) mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use Verdict::{Ignore, Include, None as Nothing};

    /// Ignore file, path, whether it is a directory, and the verdict of git 2.47 (parents judged).
    pub(crate) const CASES: &[(&str, &str, bool, Verdict)] = &[
        // Names, anchors, directories.
        ("a", "a", false, Ignore),
        ("a", "x/y/a", false, Ignore),
        ("a", "ab", false, Nothing),
        ("a", "A", false, Nothing),
        ("a", "a/b", false, Ignore),
        ("/a", "a", false, Ignore),
        ("/a", "x/a", false, Nothing),
        ("a/b", "a/b", false, Ignore),
        ("a/b", "x/a/b", false, Nothing),
        ("a/", "a", false, Nothing),
        ("a/", "a", true, Ignore),
        ("a/", "x/a/b", false, Ignore),
        ("/", "a", true, Nothing),
        ("//", "a", true, Nothing),
        ("//a", "a", false, Nothing),
        ("a//b", "a/b", false, Nothing),
        ("a//", "a", true, Nothing),
        // Signs at the start, the last line wins, parents.
        ("a\n!a", "a", false, Include),
        ("!a\na", "a", false, Ignore),
        ("d\n!d/a", "d/a", false, Ignore),
        ("d/*\n!d/a", "d/a", false, Include),
        ("!", "a", false, Nothing),
        ("!!a", "!a", false, Include),
        ("\\!a", "!a", false, Ignore),
        ("#a", "#a", false, Nothing),
        ("\\#a", "#a", false, Ignore),
        (" #a", " #a", false, Ignore),
        ("!#a", "#a", false, Include),
        ("!/a", "a", false, Include),
        // Blanks, line ends, marks.
        ("a  ", "a", false, Ignore),
        ("a\\ ", "a ", false, Ignore),
        ("a\\  ", "a ", false, Ignore),
        ("a\t", "a", false, Nothing),
        ("a\t", "a\t", false, Ignore),
        ("a \t ", "a \t", false, Ignore),
        ("a\r\nb\r\n", "a", false, Ignore),
        ("a \r\n", "a", false, Ignore),
        ("a\r", "a", false, Ignore),
        ("a\rb", "a\rb", false, Ignore),
        ("a\r\r\n", "a\r", false, Ignore),
        ("a\u{b}", "a\u{b}", false, Ignore),
        ("\u{feff}a", "a", false, Ignore),
        ("b\n\u{feff}a", "a", false, Nothing),
        ("a\0b", "a", false, Ignore),
        // Stars.
        ("*.c", "x/a.c", false, Ignore),
        ("*.c", ".c", false, Ignore),
        ("*", "x/.a", false, Ignore),
        ("a*", "x/ab", false, Ignore),
        ("/a*b", "a/b", false, Nothing),
        ("a/*", "a/b/c", false, Ignore),
        ("!a/*", "a/b/c", false, Nothing),
        ("?", "é", false, Nothing),
        ("??", "é", false, Ignore),
        ("a?b", "a/b", false, Nothing),
        ("**", "x/a", false, Ignore),
        ("**/a", "a", false, Ignore),
        ("**/a", "x/y/a", false, Ignore),
        ("**/a/b", "x/a/b", false, Ignore),
        ("!a/**", "a", true, Nothing),
        ("!a/**", "a/b/c", false, Include),
        ("a/**/b", "a/b", false, Ignore),
        ("a/**/b", "a/x/y/b", false, Ignore),
        ("a/***/b", "a/x/y/b", false, Ignore),
        ("a/**/**/b", "a/b", false, Ignore),
        ("**/", "a", true, Ignore),
        ("!/**", "a/b", false, Include),
        ("!/**/*", "a/b", false, Include),
        // `**` within a segment is `*`, except right after plain text at the start.
        ("a**b", "axb", false, Ignore),
        ("/a**b", "a/b", false, Nothing),
        ("a**/b", "ab", false, Ignore),
        ("a**/b", "a/b", false, Ignore),
        ("a**/b", "ax/y/b", false, Ignore),
        ("a**//b", "a/b", false, Ignore),
        ("!/a**", "ax/y", false, Include),
        ("!/a*b**", "axb/y", false, Nothing),
        ("a?**/b", "axy/z/b", false, Nothing),
        ("a/**\\/b", "a/b", false, Nothing),
        ("a/**\\/b", "a/x/y/b", false, Ignore),
        // Backslashes and what is no syntax.
        ("\\a", "a", false, Ignore),
        ("\\*", "*", false, Ignore),
        ("\\*", "a", false, Nothing),
        ("a\\", "a", false, Nothing),
        ("a\\", "a\\", false, Nothing),
        ("a\\\\", "a\\", false, Ignore),
        ("a\\/", "a", true, Nothing),
        ("a\\/b", "a/b", false, Ignore),
        ("\\é", "é", false, Ignore),
        ("{a,b}", "a", false, Nothing),
        ("{a,b}", "{a,b}", false, Ignore),
        ("{*,b}", "{x,b}", false, Ignore),
        ("}", "}", false, Ignore),
        ("a]", "a]", false, Ignore),
        // Classes.
        ("[ab]", "b", false, Ignore),
        ("[!ab]", "c", false, Ignore),
        ("[^ab]", "a", false, Nothing),
        ("[a-c]", "b", false, Ignore),
        ("[c-a]", "b", false, Nothing),
        ("[a-c-e]", "d", false, Nothing),
        ("[a-c-e]", "-", false, Ignore),
        ("[-a]", "-", false, Ignore),
        ("[a-]", "-", false, Ignore),
        ("[--0]", ".x", false, Nothing),
        ("[--0]", "0", false, Ignore),
        ("[]a]", "]", false, Ignore),
        ("[!]a]", "b", false, Ignore),
        ("[!]a]", "]", false, Nothing),
        ("[\\]]", "]", false, Ignore),
        ("[\\\\]", "\\", false, Ignore),
        ("[a\\-c]", "-", false, Ignore),
        ("[a\\-c]", "b", false, Nothing),
        ("[a!^]", "^", false, Ignore),
        ("[-!^]", "!", false, Ignore),
        ("[[]", "[", false, Ignore),
        ("[#]a", "#a", false, Ignore),
        ("[", "[", false, Nothing),
        ("a[", "a[", false, Nothing),
        ("[a", "[a", false, Nothing),
        ("[]", "[]", false, Nothing),
        ("[!]", "a", false, Nothing),
        ("a[!b]c", "a/c", false, Nothing),
        ("x/a[!b]c", "x/a/c", false, Nothing),
        ("x/a[/]c", "x/a/c", false, Nothing),
        ("a[/b]c", "abc", false, Ignore),
        ("a[/b]c", "x/abc", false, Nothing),
        ("x[+-1]y", "x/y", false, Nothing),
        ("x/a[+-1]", "x/a.", false, Ignore),
        ("[é]x", "éx", false, Nothing),
        ("[é][é]x", "éx", false, Ignore),
        ("[!é]", "a", false, Ignore),
        ("[!a][!a]", "é", false, Ignore),
        ("[[:alpha:]]", "x", false, Ignore),
        ("[[:alpha:]]", "1", false, Nothing),
        ("[![:alpha:]]", "1", false, Ignore),
        ("[[:digit:][:upper:]_]", "_", false, Ignore),
        ("[[:digit:]-z]", "-", false, Ignore),
        ("[[:digit:]-z]", "b", false, Nothing),
        ("[[:space:]]", "\u{b}", false, Nothing),
        ("[[:punct:]]", "^", false, Ignore),
        ("[[:word:]]", "a", false, Nothing),
        ("[[:alpha]", ":", false, Ignore),
        ("[[:alpha]", "x", false, Nothing),
        ("[[:]b]", ":b]", false, Ignore),
    ];

    fn lines_of(file: &[u8]) -> IgnoreLines {
        let (lines, problems) = IgnoreLines::parse(file, &mut || true);
        assert_eq!(problems, [], "{}", file.escape_ascii());
        lines.expect("a line that matches something")
    }

    fn problems_of(file: &[u8]) -> Vec<(u64, Problem)> {
        IgnoreLines::parse(file, &mut || true)
            .1
            .iter()
            .map(|found| (found.line, found.problem))
            .collect()
    }

    #[test]
    fn cases() {
        for &(file, path, is_dir, expected) in CASES {
            let (lines, problems) = IgnoreLines::parse(file.as_bytes(), &mut || true);
            assert_eq!(problems, [], "{file:?}");
            let verdict =
                lines.map_or(Nothing, |lines| lines.verdict_with_parents(path.as_bytes(), is_dir));
            assert_eq!(verdict, expected, "{file:?} on {path:?}, directory: {is_dir}");
        }
    }

    #[test]
    fn a_verdict_alone_does_not_look_at_parents() {
        let lines = lines_of(b"d/\n");
        assert_eq!(lines.verdict(b"d", true), Ignore);
        assert_eq!(lines.verdict(b"d/a", false), Nothing);
        assert_eq!(lines.verdict_with_parents(b"d/a", false), Ignore);
    }

    #[test]
    fn paths_need_not_be_utf8() {
        let lines = lines_of(b"a?b\n");
        assert_eq!(lines.verdict(b"x\xff/a\xffb", false), Ignore);
    }

    #[test]
    fn lines_without_effect_are_not_counted() {
        assert_eq!(lines_of(b"\n# a\na\n[\n//x\n!b\nc**/d\n   \n").pattern_count(), 3);
        assert!(IgnoreLines::parse(b"", &mut || true).0.is_none());
        assert!(IgnoreLines::parse(b"# a\n\r\n[\n", &mut || true).0.is_none());
    }

    #[test]
    fn lines_from_elsewhere_are_whole() {
        let (lines, problems) =
            IgnoreLines::from_lines(["*.key", "!a.key", "secret/"], LetterCase::Distinct);
        let lines = lines.expect("three patterns");
        assert_eq!((lines.pattern_count(), problems), (3, vec![]));
        assert_eq!(lines.verdict(b"b.key", false), Ignore);
        assert_eq!(lines.verdict(b"a.key", false), Include);
        assert_eq!(lines.verdict_with_parents(b"x/secret/a", false), Ignore);
    }

    #[test]
    fn bad_lines_are_skipped_and_reported_by_number() {
        let long = "a".repeat(LINE_BYTES_MAX + 1);
        let stars = "*a".repeat(33);
        let text = format!("a\n{long}\n{stars}\n[а-я]\n[\\!^]\na\u{a0}\nb\n");
        let file = [text.as_bytes(), b"\xff\nc"].concat();
        let expected = [
            (2, Problem::LineTooLong),
            (3, Problem::TooManyStars),
            (4, Problem::Unsupported),
            (5, Problem::Unsupported),
            (6, Problem::Unsupported),
            (8, Problem::NotUtf8),
        ];
        assert_eq!(problems_of(&file), expected);
        let lines = IgnoreLines::parse(&file, &mut || true).0.expect("three good lines");
        assert_eq!(lines.pattern_count(), 3);
        assert_eq!(lines.verdict(b"c", false), Ignore);
    }

    #[test]
    fn files_have_limits() {
        assert_eq!(problems_of(&vec![b'\n'; FILE_BYTES_MAX]), []);
        assert_eq!(problems_of(&vec![b'\n'; FILE_BYTES_MAX + 1]), [(1, Problem::FileTooLarge)]);
        let names: String = (0..PATTERNS_MAX + 5).map(|n| format!("name{n}\n")).collect();
        assert_eq!(problems_of(names.as_bytes()), [(20_001, Problem::TooManyPatterns)]);
        let bad = "[!^\n\\xff\n[\\!^]\n".repeat(50);
        assert_eq!(problems_of(bad.as_bytes()).len(), PROBLEMS_MAX);
    }

    /// More wildcards than one matcher takes: the verdict is still that of the last line.
    #[test]
    fn the_last_line_wins_across_chunks() {
        let filler: String = (0..3 * CHUNK_STATES_MAX / 8).map(|n| format!("x{n}*y\n")).collect();
        let lines = lines_of(format!("a*\n{filler}!ab\n{filler}!ac*\nac*\n").as_bytes());
        assert!(lines.chunks.len() > 2);
        assert_eq!(lines.verdict(b"aa", false), Ignore);
        assert_eq!(lines.verdict(b"ab", false), Include);
        assert_eq!(lines.verdict(b"ac", false), Ignore);
        assert_eq!(lines.verdict(b"x7y", false), Ignore);
        assert_eq!(lines.verdict(b"b", false), Nothing);
    }

    /// Patterns beyond [`OWN_REGEX_MAX`] are written otherwise and mean the same.
    #[test]
    fn many_patterns_with_extensions() {
        let file: String = (0..50).map(|n| format!("/a{n}*.c\n[x]{n}?.tar.é\n")).collect();
        let lines = lines_of(file.as_bytes());
        for n in 0..50 {
            assert_eq!(lines.verdict(format!("a{n}-.c").as_bytes(), false), Ignore);
            assert_eq!(lines.verdict(format!("d/x{n}-.tar.é").as_bytes(), false), Ignore);
            assert_eq!(lines.verdict(format!("a{n}-xc").as_bytes(), false), Nothing);
        }
    }

    /// Seconds where milliseconds are meant: tests run unoptimized, and on busy machines.
    #[test]
    fn hostile_files_are_cheap() {
        let lines_of_n = |n: usize, line: &str| (line.to_owned() + "\n").repeat(n);
        let files = [
            "{".repeat(20_000),
            "{".repeat(LINE_BYTES_MAX),
            "{a,".repeat(1_300),
            "*a".repeat(2_000),
            "*a".repeat(32),
            format!("[{}]", "a".repeat(20_000)),
            format!("[{}", "[:".repeat(2_000)),
            lines_of_n(250, &format!("[{}]", "[:".repeat(2_000))),
            "[".repeat(LINE_BYTES_MAX),
            "[!b]".repeat(1_000),
            "[[:punct:]a-z]".repeat(290),
            "\\".repeat(LINE_BYTES_MAX),
            "**/".repeat(1_300),
            "/**/a".repeat(800),
            "/**/a".repeat(32),
            format!("a**{}", "/**/b*".repeat(15)),
            format!("*{}", "?".repeat(4_000)),
            lines_of_n(PATTERNS_MAX, "*a*b*"),
            lines_of_n(2_000, "/**/a*/**/b*/*.c"),
            lines_of_n(50, &format!("*{}", "?".repeat(4_000))),
            lines_of_n(50, &"[[:punct:]a-z]".repeat(290)),
            lines_of_n(500, &"*a".repeat(30)),
        ];
        let paths = [
            "a".repeat(255),
            ["a"; 2_000].join("/"),
            vec!["ab".repeat(120); 16].join("/"),
            "kernel/sched/core.c".to_owned(),
        ];
        for file in &files {
            let started = Instant::now();
            if let (Some(lines), _) = IgnoreLines::parse(file.as_bytes(), &mut || true) {
                for path in &paths {
                    lines.verdict(path.as_bytes(), false);
                }
            }
            let (start, took) = (&file[..file.len().min(20)], started.elapsed());
            assert!(took < Duration::from_secs(20), "{start:?}...: {took:?}");
        }
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(4_000))]
        #[test]
        fn the_quick_no_is_never_wrong(
            line in r"(a|b|é|\*|\*\*|\?|\[a\]|\[!a\]|\[\]a\]|\[a/b\]|\[|\]|\\|!|/|\.|\{|\}|-){1,8}",
            path in r"(a|b|é|\*|\?|\[|\]|\\|!|/a|\.|\{|\}|-){1,8}",
            is_dir in proptest::bool::ANY,
        ) {
            let path = path.trim_start_matches('/');
            if let (Some(lines), _) = IgnoreLines::parse(line.as_bytes(), &mut || true) {
                let full = lines.full_verdict(path.as_bytes(), is_dir);
                proptest::prop_assert_eq!(lines.verdict(path.as_bytes(), is_dir), full);
            }
        }
    }
}
