//! Globs of files and patterns of names, checked against a matcher that tries every possibility.

use super::bytes::Bytes;
use super::open;
use regex_automata::nfa::thompson::{self, pikevm::PikeVM};
use regex_automata::util::syntax;
use searchscope::fuzzing::{FileNames, rel_path};
use searchscope::{ErrorKind, FileOptions, RelPath, Workspace};
use std::sync::OnceLock;
use tempfile::TempDir;

const GLOB_BYTES_MAX: usize = 40;
const PATH_BYTES_MAX: usize = 32;
const PATHS_MAX: usize = 12;

/// Without trailing blanks and escapes: for these ripgrep parses globs like ignore files, which have a
/// target of their own.
const PIECES: &[&str] = &[
    "a", "b", "c", "ab", "*", "**", "**/", "/**", "/", "?", "[ab]", "[!a]", "[a-c]", "[^b]",
    "[]a]", "{a,b}", "{a*,b/c}", "{", "}", ",", "[", "]", "-", ".", "é", "É", "A", ".rs", "#",
    "[é-ü]", "{,a}",
];

const REGEX_PIECES: &[&str] = &[
    "a", "b", "ab", ".", "\\.", "*", "+", "?", "^", "$", "(a|b)", "[ab]", "[^a]", "|", "é", "{2}",
    "-",
];

/// The kind of filter, its patterns, then paths, each up to a byte that never occurs in text.
pub fn globs(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    match bytes.below(4) {
        0 => file_globs(&mut bytes),
        1 => name_glob(&mut bytes),
        2 => name_regex(&mut bytes),
        _ => any_text(&mut bytes),
    }
}

fn workspace() -> &'static Workspace {
    static OPENED: OnceLock<(TempDir, Workspace)> = OnceLock::new();
    let (_, workspace) = OPENED.get_or_init(|| {
        let dir = tempfile::tempdir().expect("a directory");
        let workspace = open(dir.path(), 1);
        (dir, workspace)
    });
    workspace
}

/// Compiles a filter; `None` if it is refused, which must be because of the input.
fn filter(options: &FileOptions) -> Option<FileNames> {
    match FileNames::new(workspace(), options) {
        Ok(filter) => Some(filter),
        Err(error) => {
            let is_known =
                matches!(error.kind(), ErrorKind::InvalidParam | ErrorKind::PatternSyntax);
            assert!(is_known && error.param().is_some(), "{error:?} for {options:?}");
            None
        }
    }
}

fn glob_text(bytes: &mut Bytes<'_>) -> String {
    let mut input = Bytes::new(bytes.until(0xFF));
    let mut glob = String::new();
    while !input.is_empty() && glob.len() < GLOB_BYTES_MAX {
        glob.push_str(input.pick(PIECES));
    }
    glob
}

/// Returns the paths of an input without invalid names.
fn paths(bytes: &mut Bytes<'_>) -> Vec<RelPath> {
    let mut paths = Vec::new();
    while !bytes.is_empty() && paths.len() < PATHS_MAX {
        let path = bytes.until(0xFF);
        let path = &path[..path.len().min(PATH_BYTES_MAX)];
        let is_name = |name: &&[u8]| !matches!(*name, b"" | b"." | b"..") && !name.contains(&0);
        let names: Vec<&[u8]> = path.split(|&byte| byte == b'/').filter(is_name).collect();
        if !names.is_empty() {
            paths.push(rel_path(names));
        }
    }
    paths
}

fn file_globs(bytes: &mut Bytes<'_>) {
    let n_globs = 1 + bytes.below(3);
    let globs: Vec<String> = (0..n_globs)
        .map(|_| {
            let sign = if bytes.below(4) == 3 { "!" } else { "" };
            format!("{sign}{}", glob_text(bytes))
        })
        .collect();
    let options = FileOptions { globs, ..Default::default() };
    let Some(filter) = filter(&options) else { return };
    let naive: Option<Vec<(bool, FileGlob)>> = options
        .globs
        .iter()
        .map(|glob| match glob.strip_prefix('!') {
            Some(glob) => Some((false, FileGlob::new(glob)?)),
            None => Some((true, FileGlob::new(glob)?)),
        })
        .collect();
    let Some(naive) = naive else { return };
    for path in paths(bytes) {
        let text = as_chars(path.as_bytes());
        let last = naive.iter().rev().find(|(_, glob)| glob.matches(&text));
        let expected = match last {
            Some((is_wanted, _)) => *is_wanted,
            None => !naive.iter().any(|(is_wanted, _)| *is_wanted),
        };
        assert_eq!(filter.matches(&path), expected, "{:?} on {path:?}", options.globs);
    }
}

/// Returns each byte as a character: a wildcard matches one byte.
fn as_chars(bytes: &[u8]) -> Vec<char> {
    bytes.iter().copied().map(char::from).collect()
}

/// Returns whether the glob may have a class with characters beyond ASCII, for which the library has rules of
/// its own.
fn has_wide_class(glob: &str) -> bool {
    glob.contains('[') && !glob.is_ascii()
}

/// A glob of ripgrep's `--glob`.
struct FileGlob {
    glob: Glob,
    of_name: bool,
    dirs_only: bool,
}

impl FileGlob {
    fn new(text: &str) -> Option<FileGlob> {
        let (dirs_only, body) = match text.strip_suffix('/') {
            Some(body) => (true, body),
            None => (false, text),
        };
        // The library has its own rules for slashes in alternatives and for adjacent slashes.
        if body.ends_with('/') || body.contains("//") || body.is_empty() || has_wide_class(body) {
            return None;
        }
        let anchored = body.strip_prefix('/').unwrap_or(body);
        let anchored: String = as_chars(anchored.as_bytes()).into_iter().collect();
        let of_name = !body.contains('/');
        Some(FileGlob { glob: Glob::new(&anchored, !of_name)?, of_name, dirs_only })
    }

    fn matches(&self, path: &[char]) -> bool {
        let name = path.iter().rposition(|char| *char == '/').map_or(0, |at| at + 1);
        let path = if self.of_name { &path[name..] } else { path };
        !self.dirs_only && self.glob.matches(path)
    }
}

fn name_glob(bytes: &mut Bytes<'_>) {
    let is_fd = bytes.is_set();
    let text = glob_text(bytes);
    let of_name = !text.contains('/');
    let mut options = FileOptions::default();
    if is_fd {
        (options.names.pattern, options.names.glob) = (Some(text.clone()), true);
    } else {
        options.name_glob = Some(text.clone());
    }
    let Some(filter) = filter(&options) else { return };
    // An empty pattern does not filter; `fd` has its own rules for upper case in a glob, and in its classes.
    if text.is_empty() || is_fd && text.chars().any(|char| char.is_uppercase() || char == '[') {
        return;
    }
    // `globset` reads `**/` alone, once or repeatedly, as a match of any path.
    let is_only_depth = !text.is_empty() && text.replace("**/", "").is_empty();
    let naive = if is_only_depth { "**" } else { &text };
    let naive: String = as_chars(naive.as_bytes()).into_iter().collect();
    let Some(naive) = Glob::new(&naive, false).filter(|_| !has_wide_class(&text)) else { return };
    for path in paths(bytes) {
        let text = as_chars(path.as_bytes());
        let name = text.iter().rposition(|char| *char == '/').map_or(0, |at| at + 1);
        let looked_at = if of_name { &text[name..] } else { &text };
        let folded: Vec<char>;
        let looked_at = if is_fd {
            folded = looked_at.iter().map(|char| lower(*char)).collect();
            &folded
        } else {
            looked_at
        };
        assert_eq!(filter.matches(&path), naive.matches(looked_at), "{options:?} on {path:?}");
    }
}

/// Folds a character as `fd` does in a glob: its globs match bytes, so only ASCII has two cases.
fn lower(char: char) -> char {
    char.to_ascii_lowercase()
}

fn name_regex(bytes: &mut Bytes<'_>) {
    let mut input = Bytes::new(bytes.until(0xFF));
    let mut text = String::new();
    while !input.is_empty() && text.len() < GLOB_BYTES_MAX {
        text.push_str(input.pick(REGEX_PIECES));
    }
    let mut options = FileOptions::default();
    options.names.pattern = Some(text.clone());
    let Some(filter) = filter(&options) else { return };
    // These pieces contain no capital, not even as an end of a range in a class.
    let syntax =
        syntax::Config::new().utf8(false).dot_matches_new_line(true).case_insensitive(true);
    let naive = PikeVM::builder()
        .syntax(syntax)
        .thompson(thompson::Config::new().utf8(false))
        .build(&text)
        .expect("the engine accepts only valid regexes");
    for path in paths(bytes) {
        let expected = naive.is_match(&mut naive.create_cache(), path.file_name());
        assert_eq!(filter.matches(&path), expected, "{text:?} on {path:?}");
    }
}

/// Accepts any text as a pattern of any kind, and any path.
fn any_text(bytes: &mut Bytes<'_>) {
    let kind = bytes.below(4);
    let text = String::from_utf8_lossy(bytes.until(0xFF)).into_owned();
    let mut options = FileOptions::default();
    match kind {
        0 => options.globs = vec![text],
        1 => options.name_glob = Some(text),
        2 => options.names.extensions = vec![text],
        _ => {
            options.names.pattern = Some(text);
            (options.names.glob, options.names.full_path_match) = (bytes.is_set(), bytes.is_set());
        }
    }
    let Some(filter) = filter(&options) else { return };
    for path in paths(bytes) {
        let matches = filter.matches(&path);
        // A path that a walk reaches through its parents also matches on its own.
        let with_parents = filter.matches_with_parents(&path);
        assert!(matches || !with_parents, "{options:?} on {path:?}");
    }
}

/// A glob with its brace alternatives expanded; it matches if any alternative does.
struct Glob {
    alternatives: Vec<Vec<char>>,
    /// Whether a class may match a slash.
    class_crosses: bool,
}

impl Glob {
    /// Parses a glob; `None` if the library has its own rules for it.
    fn new(text: &str, class_crosses: bool) -> Option<Glob> {
        let alternatives = spread(&text.chars().collect::<Vec<_>>())?;
        Some(Glob { alternatives, class_crosses })
    }

    fn matches(&self, path: &[char]) -> bool {
        self.alternatives.iter().any(|glob| self.matches_from(glob, 0, path))
    }

    fn matches_from(&self, glob: &[char], at: usize, path: &[char]) -> bool {
        let rest = &glob[at..];
        let is_first = at == 0 || glob[at - 1] == '/';
        match rest {
            [] => path.is_empty(),
            ['*', '*', '/', ..] if is_first => {
                let behind = (0..path.len()).filter(|&at| path[at] == '/').map(|at| at + 1);
                std::iter::once(0)
                    .chain(behind)
                    .any(|n| self.matches_from(glob, at + 3, &path[n..]))
            }
            ['*', '*'] if is_first => at == 0 || !path.is_empty(),
            ['*', ..] => {
                let run = path.iter().position(|char| *char == '/').unwrap_or(path.len());
                (0..=run).any(|n| self.matches_from(glob, at + 1, &path[n..]))
            }
            ['?', ..] => {
                path.first().is_some_and(|char| *char != '/')
                    && self.matches_from(glob, at + 1, &path[1..])
            }
            ['[', behind @ ..] => {
                let Some(&char) = path.first() else { return false };
                let Some((is_in, n)) = class(behind, char) else { return false };
                is_in
                    && (char != '/' || self.class_crosses)
                    && self.matches_from(glob, at + 1 + n, &path[1..])
            }
            [char, ..] => path.first() == Some(char) && self.matches_from(glob, at + 1, &path[1..]),
        }
    }
}

/// Returns whether `char` is in the class whose text begins here, after its bracket, and its length.
fn class(text: &[char], char: char) -> Option<(bool, usize)> {
    let is_negated = matches!(text.first()?, '!' | '^');
    let start = usize::from(is_negated);
    let len = text.iter().skip(start + 1).position(|char| *char == ']')? + 1;
    let members = &text[start..start + len];
    let mut is_in = false;
    let mut at = 0;
    while at < members.len() {
        if at + 2 < members.len() && members[at + 1] == '-' {
            is_in |= (members[at]..=members[at + 2]).contains(&char);
            at += 3;
        } else {
            is_in |= members[at] == char;
            at += 1;
        }
    }
    Some((is_in != is_negated, start + len + 1))
}

/// Expands alternatives in braces. Returns `None` for slashes or stars in the braces or next to them,
/// because their meaning depends on the neighbours.
fn spread(glob: &[char]) -> Option<Vec<Vec<char>>> {
    let mut at = 0;
    while at < glob.len() {
        match glob[at] {
            '[' => at += 1 + class(&glob[at + 1..], 'x').map_or(0, |(_, n)| n),
            '{' => {
                let close = at + glob[at..].iter().position(|char| *char == '}')?;
                let inside = &glob[at + 1..close];
                if inside.iter().any(|char| matches!(char, '{' | '[' | '/' | '*')) {
                    return None;
                }
                let beside = [at.checked_sub(1), Some(close + 1)];
                let is_star = |at: Option<usize>| at.and_then(|at| glob.get(at)) == Some(&'*');
                if beside.into_iter().any(is_star) {
                    return None;
                }
                let mut all = Vec::new();
                // An empty alternative counts only if there is no other, as with `rg` and `fd`.
                let is_empty = inside.iter().all(|char| *char == ',');
                let inside = if is_empty { &[] } else { inside };
                let parts = inside.split(|char| *char == ',');
                for part in parts.filter(|part| is_empty || !part.is_empty()) {
                    all.extend(spread(&[&glob[..at], part, &glob[close + 1..]].concat())?);
                }
                return Some(all);
            }
            _ => at += 1,
        }
    }
    Some(vec![glob.to_vec()])
}
