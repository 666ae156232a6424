//! Decodes an input as a request and the files to search.

use crate::bytes::Bytes;
use memchr::memmem;
use searchscope::{Case, Limits, Mode, PatternOptions, SearchRequest, Syntax};

const CONTENT_BYTES_MAX: usize = 1024;
const PATTERN_BYTES_MAX: usize = 48;
/// More than the engine reads of a file at once, and more than the prefix that decides whether it is binary.
const LARGE_BYTES: usize = 4 * 1024 * 1024 + 100_000;
const MEDIUM_BYTES: usize = 70_000;
/// Size of the filler lines between two contents of a large file, so that the naive search does not have
/// a million lines.
const FILLER_BYTES: usize = 40_000;
/// Separates files from each other, and the first one from further choices.
const MARK: &[u8] = b"\xFF\x00\xFF";
const NAMES: &[&str] = &["file", "file2", "file3"];

const PIECES: &[&str] = &[
    "a",
    "b",
    "ab",
    "foo",
    "Foo",
    "é",
    "ß",
    " ",
    ".",
    "[ab]",
    "[^a]",
    "a+",
    "b*",
    "(a|b)",
    "^",
    "$",
    r"\b",
    r"\B",
    r"\w",
    r"\s",
    r"\W+",
    ".*",
    "(?i)",
    "a{2}",
    "|",
    "(?-u:\\xFF)",
    r"\pL",
    "x?",
    "K",
];

const LABELS: &[Option<&str>] = &[
    None,
    None,
    None,
    Some("auto"),
    Some("utf-8"),
    Some("utf-16le"),
    Some("utf-16be"),
    Some("latin1"),
    Some("shift_jis"),
    Some("gbk"),
    Some("iso-2022-jp"),
    Some("euc-kr"),
];

/// One label of each encoding that the labels above do not cover; `None` keeps the label.
const MORE_LABELS: &[Option<&str>] = &[
    None,
    Some("ibm866"),
    Some("iso-8859-2"),
    Some("iso-8859-3"),
    Some("iso-8859-4"),
    Some("iso-8859-5"),
    Some("iso-8859-6"),
    Some("iso-8859-7"),
    Some("iso-8859-8"),
    Some("iso-8859-8-i"),
    Some("iso-8859-10"),
    Some("iso-8859-13"),
    Some("iso-8859-14"),
    Some("iso-8859-15"),
    Some("iso-8859-16"),
    Some("koi8-r"),
    Some("koi8-u"),
    Some("macintosh"),
    Some("windows-874"),
    Some("windows-1250"),
    Some("windows-1251"),
    Some("windows-1253"),
    Some("windows-1254"),
    Some("windows-1255"),
    Some("windows-1256"),
    Some("windows-1257"),
    Some("windows-1258"),
    Some("x-mac-cyrillic"),
    Some("gb18030"),
    Some("big5"),
    Some("euc-jp"),
    Some("x-user-defined"),
];

/// A file to search.
pub(super) struct File {
    pub(super) name: &'static str,
    pub(super) content: Vec<u8>,
}

pub(super) struct SearchInput {
    pub(super) request: SearchRequest,
    /// Ordered by name.
    pub(super) files: Vec<File>,
    /// Byte limit of a second run of the search.
    pub(super) output_bytes_max: Option<usize>,
    pub(super) in_threads: bool,
}

impl SearchInput {
    pub(super) fn new(data: &[u8]) -> SearchInput {
        let mut bytes = Bytes::new(data);
        let mut request = request(&mut bytes);
        let size = bytes.byte();
        let (pattern, is_known) = pattern(&mut bytes);
        request.pattern = pattern;
        let (content, more) = split_at_mark(bytes.rest());
        let content = &content[..content.len().min(CONTENT_BYTES_MAX)];
        let content = match size {
            0..=239 => content.to_vec(),
            240..=254 => repeated(content, MEDIUM_BYTES),
            255 => repeated(&[content, &[b'x'; FILLER_BYTES], b"\n"].concat(), LARGE_BYTES),
        };
        let mut more = Bytes::new(more);
        if let Some(label) = more.pick(MORE_LABELS) {
            request.encoding = Some(label.to_owned());
        }
        if more.below(3) == 1 && is_known {
            request.pattern.case = Case::Smart;
        }
        let len = content.len() as u64;
        let byte = u64::from(more.byte());
        request.limits.file_bytes_max =
            [None, None, Some(len), Some(len.saturating_sub(1)), Some(byte)][more.below(5)];
        let bytes_max = [1, 8, 64, 4096][more.below(4)] * usize::from(more.byte());
        let output_bytes_max = more.is_set().then_some(bytes_max);
        let in_threads = more.is_set();
        let mut files = vec![File { name: NAMES[0], content }];
        let mut rest = more.rest();
        for name in &NAMES[1..] {
            let (content, behind) = split_at_mark(rest);
            if !content.is_empty() {
                let content = content[..content.len().min(CONTENT_BYTES_MAX)].to_vec();
                files.push(File { name, content });
            }
            rest = behind;
        }
        // Results come in the order of names, not in this one.
        request.paths = files.iter().rev().map(|file| file.name.to_owned()).collect();
        SearchInput { request, files, output_bytes_max, in_threads }
    }
}

/// Splits at the next mark.
fn split_at_mark(data: &[u8]) -> (&[u8], &[u8]) {
    match memmem::find(data, MARK) {
        Some(at) => (&data[..at], &data[at + MARK.len()..]),
        None => (data, &[]),
    }
}

fn repeated(content: &[u8], len: usize) -> Vec<u8> {
    let times = len / content.len().max(1);
    let mut all = Vec::with_capacity(len);
    if !content.is_empty() {
        (0..=times).for_each(|_| all.extend_from_slice(content));
    }
    all
}

fn request(bytes: &mut Bytes<'_>) -> SearchRequest {
    let few =
        |bytes: &mut Bytes<'_>| [None, None, Some(1), Some(2), Some(3), Some(7)][bytes.below(6)];
    let limits = Limits {
        matches_max: few(bytes),
        matches_per_file_max: few(bytes),
        files_max: few(bytes),
        output_bytes_max: None,
        file_bytes_max: None,
        line_bytes_max: bytes.pick(&[None, Some(40), Some(10), Some(400)]),
        spans_per_line_max: Some(bytes.pick(&[100, 0, 1, 3])),
    };
    let mut request = SearchRequest::new(PatternOptions::default(), limits);
    request.mode = bytes.pick(&[Mode::Content, Mode::Content, Mode::Count, Mode::Files]);
    request.context_before = bytes.pick(&[0, 0, 1, 2, 5]);
    request.context_after = bytes.pick(&[0, 0, 1, 2, 5]);
    request.encoding = bytes.pick(LABELS).map(str::to_owned);
    request.exclude = [None, None, Some("b"), Some("é")][bytes.below(4)].map(str::to_owned);
    request.in_parts = bytes.is_set();
    request
}

/// Draws the patterns, and returns whether it is known which of their letters are literal capitals.
fn pattern(bytes: &mut Bytes<'_>) -> (PatternOptions, bool) {
    let mut options = PatternOptions {
        syntax: bytes.pick(&[Syntax::Literal, Syntax::Regex]),
        case: bytes.pick(&[Case::Sensitive, Case::Insensitive]),
        word: bytes.below(4) == 3,
        ..Default::default()
    };
    let n_patterns = 1 + bytes.below(8) / 6;
    let is_text = bytes.is_set();
    options.patterns = (0..n_patterns)
        .map(|_| {
            let mut input = Bytes::new(bytes.until(0xFF));
            if is_text {
                return String::from_utf8_lossy(input.take(PATTERN_BYTES_MAX)).into_owned();
            }
            let mut text = String::new();
            while !input.is_empty() && text.len() < PATTERN_BYTES_MAX {
                text.push_str(input.pick(PIECES));
            }
            text
        })
        .collect();
    let is_known = !is_text || options.syntax == Syntax::Literal;
    (options, is_known)
}

/// Returns whether a pattern of pieces, or a literal one, ignores case. Smart case ignores it if the
/// pattern contains a literal character and no literal capital.
pub(super) fn is_insensitive(options: &PatternOptions) -> bool {
    /// Pieces without a literal letter, and their replacement: a literal that is not a letter, or nothing.
    const NO_LETTERS: &[(&str, &str)] = &[
        (r"(?-u:\xFF)", "-"),
        ("(?i)", ""),
        (r"\b", ""),
        (r"\B", ""),
        (r"\w", ""),
        (r"\s", ""),
        (r"\W", ""),
        (r"\pL", ""),
    ];
    let looked_for = |text: &String| {
        if options.syntax == Syntax::Literal {
            return text.clone();
        }
        let text =
            NO_LETTERS.iter().fold(text.clone(), |text, (piece, by)| text.replace(piece, by));
        text.chars().filter(|char| !".^$*+?|()".contains(*char)).collect()
    };
    let looked_for: String = options.patterns.iter().map(looked_for).collect();
    match options.case {
        Case::Sensitive => false,
        Case::Insensitive => true,
        _ => !looked_for.is_empty() && !looked_for.chars().any(char::is_uppercase),
    }
}
