//! A filter on names with `fd`'s options: a regex or a glob, and extensions.

use super::cost::cost;
use crate::encoding::UnicodeForm;
use crate::error::{Error, ErrorKind, Result};
use crate::wildcard::{Extensions, NameGlob, bad_glob, check_glob, without_slash_in_classes};
use crate::workspace::{RelPath, windows_paths};
use globset::GlobBuilder;
use regex_automata::meta::Regex;
use regex_automata::nfa::thompson::WhichCaptures;
use regex_automata::util::syntax;
use regex_syntax::hir::{Class, Hir, HirKind};
use std::ops::Range;
use std::path::Path;

/// docs/contracts/general.md#limits: 4 KiB of text and a nesting of 64.
const REGEX_BYTES_MAX: usize = 4 * 1024;
const NESTING_MAX: u32 = 64;
/// A name needs no larger automaton. Refusing one at this size takes about 7 ms.
const SIZE_BYTES_MAX: usize = 512 * 1024;
/// The maximum work of one match. It cannot be interrupted, so it must be short: 10 ms. A unit of [`cost`]
/// takes up to 40 ns per byte.
const WORK_MAX: usize = 256 * 1024;
/// While the lazy DFA builds its states, a unit can take 90 ns. With few units that phase is short.
const WORK_MAX_FOR_DFA: usize = 128 * 1024;
/// The limits of Linux for a file name, and for a path in a system call.
const NAME_BYTES_MAX: usize = 255;
const PATH_BYTES_MAX: usize = 4 * 1024;

/// A filter on names with `fd`'s semantics: a pattern and extensions. The default is every name.
///
/// The pattern has `fd`'s smart case: it is case-sensitive if it contains an upper-case letter, including one
/// in a class such as `\w`. Extensions are compared without regard to case.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[expect(
    clippy::exhaustive_structs,
    reason = "callers write the fields that differ from a default"
)]
pub struct NameOptions {
    /// A regex or glob, of at most 4 KiB or 1 KiB. An empty one is the same as none. Default: every name.
    pub pattern: Option<String>,
    /// Whether `pattern` is a glob, which describes the whole name, rather than a regex, which is searched
    /// for anywhere in the name. Default: a regex.
    pub glob: bool,
    /// Whether the pattern is matched against the absolute path (the real path of the root and the path below
    /// it) instead of the base name. If a costly pattern would take too long, which only happens for paths
    /// longer than 4 KiB, it does not match. Default: the base name.
    pub full_path_match: bool,
    /// Extensions, with or without a leading dot, such as `rs` or `tar.gz`. A name that is only a dot and an
    /// extension has none. Default: all.
    pub extensions: Vec<String>,
}

/// [`NameOptions`], compiled.
#[derive(Debug)]
pub struct NamePattern {
    pattern: Option<Pattern>,
    extensions: Option<Extensions>,
    /// The form in which names are compared.
    form: UnicodeForm,
}

#[derive(Debug)]
struct Pattern {
    matcher: Matcher,
    /// The root with a `/` appended, if the pattern is matched against the whole path.
    root: Option<Vec<u8>>,
    /// The longest path that does not take too long.
    path_bytes_max: usize,
}

#[derive(Debug)]
enum Matcher {
    Regex(Regex),
    /// A glob of base names, which needs no regex.
    Glob(NameGlob),
}

impl Matcher {
    fn is_match(&self, text: &[u8]) -> bool {
        match self {
            Matcher::Regex(regex) => regex.is_match(text),
            Matcher::Glob(glob) => glob.matches(text),
        }
    }
}

impl NamePattern {
    /// Compiles the options; `None` when every name passes.
    pub fn new(
        options: &NameOptions,
        root: &Path,
        form: UnicodeForm,
    ) -> Result<Option<NamePattern>> {
        let pattern = options.pattern.as_deref().filter(|pattern| !pattern.is_empty());
        let pattern = pattern.map(|text| form.of_text(text));
        let pattern = pattern.map(|text| Pattern::new(&text, options, root, form)).transpose()?;
        let extensions: Vec<String> =
            options.extensions.iter().map(|text| form.of_text(text).into_owned()).collect();
        let extensions = Extensions::new("extensions", &extensions)?;
        if pattern.is_none() && extensions.is_none() {
            return Ok(None);
        }
        Ok(Some(NamePattern { pattern, extensions, form }))
    }

    /// Returns whether the file at `path` has a matching name.
    pub fn matches(&self, path: &RelPath) -> bool {
        let name = self.form.of_bytes(path.file_name());
        self.pattern.as_ref().is_none_or(|pattern| pattern.matches(path, &name, self.form))
            && self.extensions.as_ref().is_none_or(|all| all.matches(&name))
    }
}

impl Pattern {
    fn new(text: &str, options: &NameOptions, root: &Path, form: UnicodeForm) -> Result<Pattern> {
        if !options.full_path_match && text.contains('/') {
            let predicate = "contains a '/', which no file name does";
            return Err(Error::invalid_param("pattern", predicate).with_remedy(
                "full_path_match",
                ": to look at the full path, set 'full_path_match'",
            ));
        }
        let of_glob =
            options.glob.then(|| glob_regex(text, options.full_path_match)).transpose()?;
        let hir = match &of_glob {
            Some(regex) => parse(regex).map_err(|(why, _)| bad_glob("pattern", text, &why)),
            None if text.len() > REGEX_BYTES_MAX => {
                let n_bytes = text.len();
                let predicate =
                    format!("may have at most {REGEX_BYTES_MAX} bytes as a regex, got {n_bytes}");
                Err(Error::invalid_param("pattern", predicate))
            }
            None => parse(text).map_err(|(why, span)| syntax_error(&why, text, span)),
        }?;
        let bytes_max = if options.full_path_match { PATH_BYTES_MAX } else { NAME_BYTES_MAX };
        let cost_max = WORK_MAX / bytes_max;
        let cost = cost(&hir);
        if cost > cost_max {
            return Err(too_large(options));
        }
        let sensitive = has_upper_case(&hir);
        let matcher = if options.glob && !options.full_path_match {
            Matcher::Glob(NameGlob::with_case("pattern", text, sensitive)?)
        } else {
            let regex = of_glob.as_deref().unwrap_or(text);
            let with_dfa = cost <= WORK_MAX_FOR_DFA / bytes_max;
            let regex = compile(regex, !sensitive, with_dfa).map_err(|_| too_large(options))?;
            Matcher::Regex(regex)
        };
        let root = options.full_path_match.then(|| form.of_bytes(&with_slash(root)).into_owned());
        Ok(Pattern { matcher, root, path_bytes_max: WORK_MAX / cost.max(1) })
    }

    /// Whether the file at `path`, whose `name` is in the form, matches.
    fn matches(&self, path: &RelPath, name: &[u8], form: UnicodeForm) -> bool {
        match &self.root {
            None => self.matcher.is_match(name),
            Some(root) => {
                let whole = [root, &*form.of_bytes(path.as_bytes())].concat();
                whole.len() <= self.path_bytes_max && self.matcher.is_match(&whole)
            }
        }
    }
}

/// Returns a regex equivalent to the glob.
fn glob_regex(glob: &str, full_path_match: bool) -> Result<String> {
    check_glob("pattern", glob)?;
    let confined = without_slash_in_classes(glob);
    let compiled = GlobBuilder::new(if full_path_match { &confined } else { glob })
        .literal_separator(true)
        .build()
        .map_err(|error| bad_glob("pattern", glob, &error.kind().to_string()))?;
    Ok(compiled.regex().to_owned())
}

/// Parses the regex, or returns the problem and its position.
fn parse(regex: &str) -> Result<Hir, (String, Range<usize>)> {
    let mut parser = regex_syntax::ParserBuilder::new().utf8(false).nest_limit(NESTING_MAX).build();
    parser.parse(regex).map_err(|error| match error {
        regex_syntax::Error::Parse(error) => (error.kind().to_string(), offsets(error.span())),
        regex_syntax::Error::Translate(error) => (error.kind().to_string(), offsets(error.span())),
        error => (error.to_string(), 0..0),
    })
}

/// Compiles a parsed regex, with or without the lazy DFA, which is usually the fastest engine.
fn compile(
    regex: &str,
    insensitive: bool,
    with_dfa: bool,
) -> Result<Regex, Box<regex_automata::meta::BuildError>> {
    let syntax = syntax::Config::new()
        .utf8(false)
        .case_insensitive(insensitive)
        .dot_matches_new_line(true)
        .nest_limit(NESTING_MAX);
    let config = Regex::config()
        .utf8_empty(false)
        .which_captures(WhichCaptures::Implicit)
        .nfa_size_limit(Some(SIZE_BYTES_MAX))
        // The backtracker's time grows with the whole automaton, not only with the states that a text
        // occupies.
        .backtrack(false)
        .hybrid(with_dfa);
    Regex::builder().syntax(syntax).configure(config).build(regex).map_err(Box::new)
}

fn offsets(span: &regex_syntax::ast::Span) -> Range<usize> {
    span.start.offset..span.end.offset
}

fn syntax_error(why: &str, text: &str, span: Range<usize>) -> Error {
    // A position between characters is shown as the character after it.
    let behind = text.get(span.start..).and_then(|rest| rest.chars().next());
    let span = span.start..span.end.max(span.start + behind.map_or(0, char::len_utf8));
    let shown = text.get(span.clone()).unwrap_or_default();
    let reason = format!("{why}, at byte {}: {shown:?}", span.start);
    Error::at_param(ErrorKind::PatternSyntax, "pattern", reason).with_span(span)
}

fn too_large(options: &NameOptions) -> Error {
    let what = if options.full_path_match { "full-path matching" } else { "file names" };
    let predicate = format!("is too large for {what}: repeat less, or use fewer classes");
    Error::about_param(ErrorKind::PatternSyntax, "pattern", predicate)
}

/// Returns whether `fd` treats the pattern as case-sensitive: a class counts by the ends of its ranges.
fn has_upper_case(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Literal(literal) => match std::str::from_utf8(&literal.0) {
            Ok(text) => text.chars().any(char::is_uppercase),
            Err(_) => literal.0.iter().any(|&byte| char::from(byte).is_uppercase()),
        },
        HirKind::Class(Class::Unicode(class)) => {
            class.iter().any(|range| range.start().is_uppercase() || range.end().is_uppercase())
        }
        HirKind::Class(Class::Bytes(class)) => {
            let ends = class.iter().flat_map(|range| [range.start(), range.end()]);
            ends.map(char::from).any(char::is_uppercase)
        }
        HirKind::Empty | HirKind::Look(_) => false,
        HirKind::Repetition(repetition) => has_upper_case(&repetition.sub),
        HirKind::Capture(capture) => has_upper_case(&capture.sub),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => parts.iter().any(has_upper_case),
    }
}

/// Returns the prefix of paths below a directory, with `/` on every system; empty stays empty, for patterns
/// that are matched against relative paths.
fn with_slash(dir: &Path) -> Vec<u8> {
    let mut bytes = match cfg!(windows) {
        true => windows_paths::for_patterns(&dir.to_string_lossy()).into_bytes(),
        false => dir.as_os_str().as_encoded_bytes().to_vec(),
    };
    if !bytes.is_empty() && !bytes.ends_with(b"/") {
        bytes.push(b'/');
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::time::{Duration, Instant};

    fn options(pattern: &str) -> NameOptions {
        NameOptions { pattern: Some(pattern.to_owned()), ..NameOptions::default() }
    }

    fn new(options: &NameOptions) -> Result<Option<NamePattern>> {
        NamePattern::new(options, Path::new("/Base/dir"), UnicodeForm::Bytes)
    }

    fn matches(options: &NameOptions, path: &[u8]) -> bool {
        let path = RelPath::from_components(path.split(|&byte| byte == b'/'));
        new(options).expect("valid").is_none_or(|pattern| pattern.matches(&path))
    }

    #[test]
    fn regexes_as_fd_has_them() {
        for (pattern, path, expected) in [
            ("", "a", true),
            ("b", "abc", true),
            ("b", "b/c", false),
            ("^b$", "a/b", true),
            ("^b", "ab", false),
            ("a.b", "a\nb", true),
            (r"\.RS$", "a.rs", false),
            (r"\.rs$", "a.RS", true),
            (r"\x41", "a", false),
            (r"\w", "ä", true),
            // A class counts by the ends of its ranges.
            ("[a-zA-Z]x", "aX", false),
            ("[^@]x", "aX", false),
            ("[^a]x", "bX", true),
            ("(?i)Ax", "aX", true),
            ("ß", "ẞ", true),
            ("k", "\u{212a}", true),
        ] {
            assert_eq!(
                matches(&options(pattern), path.as_bytes()),
                expected,
                "{pattern} on {path}"
            );
        }
        assert!(matches(&options("^.é"), b"x\xc3\xa9"));
        assert!(!matches(&options("^.a"), b"\xffa"));
        assert!(matches(&options(r"(?-u)^\xff"), b"\xffa"));
    }

    #[test]
    fn globs_as_fd_has_them() {
        for (glob, path, expected) in [
            ("", "a", true),
            ("*.rs", "d/a.rs", true),
            ("*.rs", "d/a.rs.x", false),
            ("A.rs", "a.rs", false),
            ("a.rs", "A.RS", true),
            ("?", "ab", false),
            ("*", "a\nb", true),
            ("{a,b}", "B", true),
            ("[!a]", "b", true),
            ("**", "d/a", true),
        ] {
            let options = NameOptions { glob: true, ..options(glob) };
            assert_eq!(matches(&options, path.as_bytes()), expected, "{glob} on {path}");
        }
    }

    #[test]
    fn whole_paths_begin_at_the_root_of_the_file_system() {
        for (glob, pattern, path, expected) in [
            (false, "^/base/dir/a/b$", "a/b", true),
            (false, "dir/a", "a", true),
            (false, "^a", "a", false),
            (true, "/base/dir/*", "a", true),
            (true, "/base/dir/*", "a/b", false),
            (true, "**/dir/**/b", "a/b", true),
            (true, "/base/dir/a[!x]b", "a/b", false),
            (true, "/base/dir/a[!x]b", "ayb", true),
        ] {
            let options = NameOptions { glob, full_path_match: true, ..options(pattern) };
            assert_eq!(matches(&options, path.as_bytes()), expected, "{pattern} on {path}");
        }
        let options = NameOptions { full_path_match: true, ..options("^/a$") };
        let pattern = NamePattern::new(&options, Path::new("/"), UnicodeForm::Bytes)
            .expect("valid")
            .expect("some");
        assert!(pattern.matches(&RelPath::root().join(b"a")));
    }

    #[test]
    fn bad_patterns_are_refused_by_name() {
        let refused = |options: &NameOptions| {
            let error = new(options).expect_err("refused");
            (error.code(), error.param().map(str::to_owned), error.span())
        };
        let pattern = || Some("pattern".to_owned());
        for (text, span) in
            [("a(b", 1..2), ("[z-a]", 1..4), (r"é\p{x}", 2..7), ("a**{2", 3..5), (r"(?=a)", 0..3)]
        {
            assert_eq!(
                refused(&options(text)),
                ("pattern_syntax", pattern(), Some(span)),
                "{text}"
            );
        }
        for text in [r"\w{1,50}", "(a{50}){50}b", "((((a{99}){99}){99}){99}){99}"] {
            assert_eq!(refused(&options(text)), ("pattern_syntax", pattern(), None), "{text}");
        }
        let nested = "(".repeat(70) + &")".repeat(70);
        assert_eq!(refused(&options(&nested)).0, "pattern_syntax");
        let long = "a".repeat(REGEX_BYTES_MAX + 1);
        for text in ["a/b", "[/]", long.as_str()] {
            assert_eq!(refused(&options(text)), ("invalid_param", pattern(), None), "{text}");
        }
        let deep = "{".repeat(9) + &"}".repeat(9);
        let long = "a".repeat(1025);
        for text in ["a/b", "[", "{a", "[z-a]", "a\0", &deep, &long] {
            let options = NameOptions { glob: true, ..options(text) };
            assert_eq!(refused(&options), ("invalid_param", pattern(), None), "{text}");
        }
    }

    /// The limit is 10 ms; here other tests run at the same time, and the processor may be emulated.
    #[test]
    fn a_hostile_pattern_is_refused_or_short() {
        let path = |text: &str| [text.repeat(4_000 / text.len()).as_bytes(), b"/x"].concat();
        let paths = ["a", "ab", "aab", "é", "\u{10400}a"].map(path);
        for pattern in [
            r"(\w{1,50}){3}x",
            r"(a|ab|abc)*x",
            r"(?:(a|ab|abc)*){6}x",
            r"[ab]{31}q",
            r"(?:a.{1,18}b){2}q",
            r"(?:.{0,9}\b.{0,9})z",
            r"(?:a|\d|\B)(?:[^/]){0,26}[^/]q",
            r"(?:(?:aa)+?){0,15}[^/]q",
            r"(?:a?){10}(?:b?){10}z",
        ] {
            let options = NameOptions { full_path_match: true, ..options(pattern) };
            let Ok(compiled) = new(&options) else { continue };
            for path in &paths {
                let elapsed = || {
                    let start = Instant::now();
                    matches_whole(&compiled, path);
                    start.elapsed()
                };
                let least = [elapsed(), elapsed(), elapsed()].into_iter().min().expect("three");
                assert!(least < Duration::from_millis(200), "{pattern}: {least:?}");
            }
        }
    }

    fn matches_whole(pattern: &Option<NamePattern>, path: &[u8]) -> bool {
        let path = RelPath::from_components(path.split(|&byte| byte == b'/'));
        pattern.as_ref().is_none_or(|pattern| pattern.matches(&path))
    }

    #[test]
    fn a_name_passes_both() {
        let extensions = vec!["rs".to_owned()];
        let both = NameOptions { extensions: extensions.clone(), ..options("^a") };
        let one = NameOptions { extensions, ..NameOptions::default() };
        for (path, expected) in
            [("a.rs", (true, true)), ("b.rs", (false, true)), ("a", (false, false))]
        {
            assert_eq!((matches(&both, path.as_bytes()), matches(&one, path.as_bytes())), expected);
        }
        assert!(new(&NameOptions::default()).expect("valid").is_none());
        assert!(new(&options("")).expect("valid").is_none());
    }

    proptest! {
        #[test]
        fn no_input_panics(
            pattern in "\\PC{0,40}|[a-c(){}\\[\\]*+?|^$.\\\\0-9,!/-]{0,30}",
            extensions in prop::collection::vec("\\PC{0,6}", 0..3),
            name in prop::collection::vec(1_u8.., 1..30),
            (glob, full_path_match) in any::<(bool, bool)>(),
        ) {
            let all = NameOptions { pattern: Some(pattern), glob, full_path_match, extensions };
            let path = RelPath::from_components(name.split(|&byte| byte == b'/').filter(|name| {
                !matches!(*name, b"" | b"." | b"..")
            }));
            for options in [NameOptions { extensions: Vec::new(), ..all.clone() }, all] {
                if let Ok(Some(pattern)) = new(&options) {
                    pattern.matches(&path);
                }
            }
        }
    }
}
