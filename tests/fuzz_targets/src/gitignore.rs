//! The lines of an ignore file, checked against a matcher written from gitignore(5) and git's behaviour
//! beyond it. The matcher itself is checked against recorded verdicts of git, in `git_verdicts_tests.rs`.

use super::bytes::Bytes;
use searchscope::fuzzing::IgnoreFile;

const FILE_BYTES_MAX: usize = 256;
const PATH_BYTES_MAX: usize = 48;
const PATHS_MAX: usize = 12;
/// Maximum number of reported problems; after that the report does not show which lines count.
const PROBLEMS_MAX: usize = 20;

const PIECES: &[&str] = &[
    "a",
    "b",
    "c",
    "*",
    "**",
    "***",
    "?",
    "/",
    "//",
    "/**/",
    "**/",
    "/**",
    "[ab]",
    "[!a]",
    "[^b]",
    "[",
    "]",
    "!",
    "^",
    "-",
    "\\",
    "\n",
    "\n",
    "\n!",
    "\r\n",
    " ",
    "#",
    "[]a]",
    "[a-c]",
    "[c-a]",
    "[[:alpha:]]",
    "[![:space:]]",
    "[[:nope:]]",
    "{a,b}",
    "{",
    "}",
    ",",
    "\\*",
    "\\[",
    "\\ ",
    "é",
    "[é]",
    "[a-",
    "\\/",
    ".",
    "[--0]",
    "[\\]]",
    "\t",
    "ab",
    "[[:x]",
    "/a",
    "\0",
    "[a/b]",
];

/// An ignore file up to a byte that never occurs in text, raw or as pieces of patterns; then paths, each
/// up to such a byte.
pub fn gitignore(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let file = if bytes.is_set() {
        let mut pieces = Bytes::new(bytes.until(0xFF));
        let mut file = String::new();
        while !pieces.is_empty() && file.len() < FILE_BYTES_MAX {
            file.push_str(pieces.pick(PIECES));
        }
        file.into_bytes()
    } else {
        let file = bytes.until(0xFF);
        file[..file.len().min(FILE_BYTES_MAX)].to_vec()
    };
    let ours = IgnoreFile::parse(&file);
    let reported = &ours.problem_lines;
    if reported.len() >= PROBLEMS_MAX {
        return;
    }
    let naive = Naive::new(&file, reported);
    for _ in 0..PATHS_MAX {
        if bytes.is_empty() {
            break;
        }
        let is_dir = bytes.is_set();
        let path = bytes.until(0xFF);
        let Some(path) = plain_path(&path[..path.len().min(PATH_BYTES_MAX)]) else { continue };
        assert_eq!(
            ours.is_ignored(&path, is_dir),
            naive.is_ignored(&path, is_dir),
            "{:?} on {:?} (directory: {is_dir}), lines {reported:?} not counted",
            String::from_utf8_lossy(&file),
            String::from_utf8_lossy(&path),
        );
    }
}

/// Returns `path` without invalid names; `None` if no name is left.
fn plain_path(path: &[u8]) -> Option<Vec<u8>> {
    let is_name = |name: &&[u8]| !matches!(*name, b"" | b"." | b"..") && !name.contains(&0);
    let names: Vec<&[u8]> = path.split(|&byte| byte == b'/').filter(is_name).collect();
    (!names.is_empty()).then(|| names.join(&b'/'))
}

/// An ignore file as git reads it.
pub(super) struct Naive(Vec<Rule>);

struct Rule {
    is_negated: bool,
    dirs_only: bool,
    /// Whether the pattern is compared with the base name, because it contains no slash.
    is_of_name: bool,
    pattern: Vec<u8>,
    /// Number of bytes before the first special one. Git compares these bytes separately, so stars after
    /// them are at the start of a glob.
    n_literal: usize,
}

impl Naive {
    /// Parses all lines except those whose numbers are in `left_out`.
    pub(super) fn new(file: &[u8], left_out: &[u64]) -> Naive {
        let file = file.strip_prefix(b"\xef\xbb\xbf").unwrap_or(file);
        let lines = (1..).zip(file.split(|&byte| byte == b'\n'));
        let lines = lines.filter(|(number, _)| !left_out.contains(number));
        Naive(lines.filter_map(|(_, line)| Rule::new(line)).collect())
    }

    /// Returns whether a path is ignored; `None` if no line matches it.
    pub(super) fn is_ignored(&self, path: &[u8], is_dir: bool) -> Option<bool> {
        let slashes = path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
        for (at, _) in slashes {
            if self.own_verdict(&path[..at], true) == Some(true) {
                return Some(true);
            }
        }
        self.own_verdict(path, is_dir)
    }

    fn own_verdict(&self, path: &[u8], is_dir: bool) -> Option<bool> {
        let last = self.0.iter().rev().find(|rule| rule.matches(path, is_dir));
        last.map(|rule| !rule.is_negated)
    }
}

impl Rule {
    fn new(line: &[u8]) -> Option<Rule> {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.is_empty() || line[0] == b'#' {
            return None;
        }
        // Git reads a line as a C string.
        let line = line.split(|&byte| byte == 0).next().unwrap_or_default();
        let line = without_blanks_behind(line);
        let (is_negated, line) = match line.strip_prefix(b"!") {
            Some(rest) => (true, rest),
            None => (false, line),
        };
        let (dirs_only, pattern) = match line.strip_suffix(b"/") {
            Some(before) => (true, before),
            None => (false, line),
        };
        let is_special = |byte: &u8| matches!(byte, b'*' | b'?' | b'[' | b'\\');
        let n_literal = pattern.iter().position(is_special).unwrap_or(pattern.len());
        let is_of_name = !pattern.contains(&b'/');
        Some(Rule { is_negated, dirs_only, is_of_name, pattern: pattern.to_vec(), n_literal })
    }

    fn matches(&self, path: &[u8], is_dir: bool) -> bool {
        if self.dirs_only && !is_dir {
            return false;
        }
        if self.is_of_name {
            let name = path.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
            let is_literal = self.n_literal == self.pattern.len();
            return if is_literal { self.pattern == name } else { glob(&self.pattern, name, b"") };
        }
        let anchor = usize::from(self.pattern.starts_with(b"/"));
        let (literal, rest) =
            self.pattern[anchor..].split_at(self.n_literal - anchor.min(self.n_literal));
        match path.strip_prefix(literal) {
            None => false,
            Some(path) if rest.is_empty() => path.is_empty(),
            Some(path) => glob(rest, path, b"/"),
        }
    }
}

/// Removes trailing blanks, except one after a backslash.
fn without_blanks_behind(line: &[u8]) -> &[u8] {
    let (mut end, mut at) = (0, 0);
    while at < line.len() {
        let is_blank = line[at] == b' ';
        at += if line[at] == b'\\' { 2 } else { 1 };
        if !is_blank {
            end = at.min(line.len());
        }
    }
    &line[..end]
}

/// Returns whether `glob` matches all of `text`; `separator` is `/` if wildcards must not match it, else
/// empty.
fn glob(glob: &[u8], text: &[u8], separator: &[u8]) -> bool {
    Glob { whole: glob, separator }.matches(0, text)
}

struct Glob<'a> {
    whole: &'a [u8],
    separator: &'a [u8],
}

impl Glob<'_> {
    /// Returns whether the rest of the glob from `at` matches all of `text`.
    fn matches(&self, at: usize, text: &[u8]) -> bool {
        let rest = &self.whole[at..];
        let Some(&first) = rest.first() else { return text.is_empty() };
        if first == b'*' {
            return self.matches_stars(at, text);
        }
        let Some((&byte, behind)) = text.split_first() else { return false };
        match first {
            b'\\' => rest.get(1) == Some(&byte) && self.matches(at + 2, behind),
            b'?' => !self.separator.contains(&byte) && self.matches(at + 1, behind),
            b'[' => match class(&rest[1..], byte) {
                Some((is_in, n)) => {
                    is_in && !self.separator.contains(&byte) && self.matches(at + 1 + n, behind)
                }
                None => false,
            },
            _ => first == byte && self.matches(at + 1, behind),
        }
    }

    fn matches_stars(&self, at: usize, text: &[u8]) -> bool {
        let n = self.whole[at..].iter().take_while(|byte| **byte == b'*').count();
        let rest = &self.whole[at + n..];
        let is_whole_name = (at == 0 || self.whole[at - 1] == b'/')
            && (rest.is_empty() || rest.starts_with(b"/") || rest.starts_with(b"\\/"));
        let crosses = self.separator.is_empty() || n > 1 && is_whole_name;
        // `**/` also matches no directory.
        let without =
            n > 1 && !self.separator.is_empty() && is_whole_name && rest.starts_with(b"/");
        if without && self.matches(at + n + 1, text) {
            return true;
        }
        let run = text.iter().position(|byte| !crosses && *byte == b'/').unwrap_or(text.len());
        (0..=run).any(|taken| self.matches(at + n, &text[taken..]))
    }
}

/// Returns whether `byte` is in the class whose text after the bracket begins here, and the length of
/// that text; `None` if it has no end or names an unknown class.
fn class(text: &[u8], byte: u8) -> Option<(bool, usize)> {
    let is_negated = matches!(text.first()?, b'!' | b'^');
    let mut at = usize::from(is_negated);
    let (mut is_in, mut before, mut is_first) = (false, None, true);
    loop {
        let mut member = *text.get(at)?;
        if member == b']' && !is_first {
            return Some((is_in != is_negated, at + 1));
        }
        is_first = false;
        at += 1;
        let is_range = member == b'-' && before.is_some();
        if let (true, Some(&end)) = (is_range, text.get(at).filter(|end| **end != b']')) {
            at += 1;
            let mut end = end;
            if end == b'\\' {
                end = *text.get(at)?;
                at += 1;
            }
            is_in |= before.is_some_and(|before| (before..=end).contains(&byte));
            before = None;
            continue;
        }
        if member == b'[' && text.get(at) == Some(&b':') {
            let n = text[at + 1..].iter().position(|byte| *byte == b']')?;
            if let Some(name) = text[at + 1..at + 1 + n].strip_suffix(b":") {
                is_in |= is_named(name, byte)?;
                at += n + 2;
                before = None;
                continue;
            }
        } else if member == b'\\' {
            member = *text.get(at)?;
            at += 1;
        }
        is_in |= member == byte;
        before = Some(member);
    }
}

fn is_named(name: &[u8], byte: u8) -> Option<bool> {
    Some(match name {
        b"alnum" => byte.is_ascii_alphanumeric(),
        b"alpha" => byte.is_ascii_alphabetic(),
        b"blank" => matches!(byte, b' ' | b'\t'),
        b"cntrl" => byte.is_ascii_control(),
        b"digit" => byte.is_ascii_digit(),
        b"graph" => byte.is_ascii_graphic(),
        b"lower" => byte.is_ascii_lowercase(),
        b"print" => byte.is_ascii_graphic() || byte == b' ',
        b"punct" => byte.is_ascii_punctuation(),
        b"space" => byte.is_ascii_whitespace() || byte == 0x0B,
        b"upper" => byte.is_ascii_uppercase(),
        b"xdigit" => byte.is_ascii_hexdigit(),
        _ => return None,
    })
}
