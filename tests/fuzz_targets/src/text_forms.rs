//! Declared encodings and NFC: any bytes in any encodings are searched, each reported match is at the bytes
//! that the file has there, and the same bytes in UTF-8 are found in the same lines.

use super::bytes::Bytes;
use searchscope::{
    Call, FileMatches, Limits, PatternOptions, SearchRequest, UnicodeForm, Workspace,
};
use std::ops::Range;

const INPUT_BYTES_MAX: usize = 4 << 10;

/// The labels from which an input chooses; those of variable width come first.
const LABELS: &[&str] = &[
    "utf-8",
    "shift_jis",
    "euc-jp",
    "euc-kr",
    "big5",
    "gb18030",
    "iso-2022-jp",
    "utf-16le",
    "windows-1253",
    "windows-1252",
];

/// The patterns from which an input chooses.
const PATTERNS: &[&str] = &["a", "é", "e\u{301}", ".", "日|한", "^", "$", "(?s).\n", "[^a]b"];

/// The form, the number of encodings, the encodings, the pattern, and the text.
pub fn text_forms(data: &[u8]) {
    let mut bytes = Bytes::new(&data[..data.len().min(INPUT_BYTES_MAX)]);
    let mut labels: Vec<String> = Vec::new();
    for _ in 0..bytes.below(4) {
        let label = LABELS[bytes.below(LABELS.len())].to_owned();
        if !labels.contains(&label) {
            labels.push(label);
        }
    }
    let form = if bytes.is_set() { UnicodeForm::Nfc } else { UnicodeForm::Bytes };
    let pattern = PATTERNS[bytes.below(PATTERNS.len())];
    // A line feed is refused in a search by line.
    let multi_line = bytes.is_set() || pattern.contains('\n');
    let text = bytes.rest();
    let mut pattern = PatternOptions::regex(pattern);
    pattern.multi_line = multi_line;
    let mut request = SearchRequest::new(pattern, Limits::default());
    request.files.unicode_form = form;
    request.encodings = Some(labels);
    let dir = tempfile::tempdir().expect("a temporary directory can be made");
    std::fs::write(dir.path().join("text"), text).expect("a file can be written");
    let workspace = Workspace::open(dir.path()).expect("it opens");
    let (files, report) = workspace.run_search(&request, &Call::new()).expect("it is searched");
    assert!(report.complete || report.given_up > 0);
    for file in &files {
        check(file, text);
    }
}

/// Holds the lines of a file to the bytes of the file.
fn check(file: &FileMatches, text: &[u8]) {
    // A byte order mark is not part of the text, and UTF-16 with one has other offsets.
    if text.starts_with(b"\xff\xfe") || text.starts_with(b"\xfe\xff") {
        return;
    }
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let mut last = 0;
    for line in &file.lines {
        let offset = usize::try_from(line.offset).expect("a position of the text");
        assert!(offset >= last && offset <= text.len(), "{offset} after {last}");
        last = offset;
        let Some(encoding) = file.encoding else {
            let start = offset + line.text_start;
            assert_eq!(text.get(start..start + line.text.len()), Some(line.text.as_slice()));
            assert!(line.spans.iter().all(|span| span.start <= span.end));
            continue;
        };
        let file_spans = line.file_spans.as_deref().expect("the text was decoded");
        assert_eq!(file_spans.len(), line.spans.len());
        for (span, in_file) in line.spans.iter().zip(file_spans) {
            let within = span.start.saturating_sub(line.text_start)..span.end - line.text_start;
            check_span(encoding, text, in_file, line.text.get(within).unwrap_or_default());
        }
    }
}

/// Decodes the bytes of a match and compares them with its text.
fn check_span(encoding: &str, text: &[u8], in_file: &Range<u64>, expected: &[u8]) {
    let at = |position: u64| usize::try_from(position).expect("a position of the text");
    let bytes = &text[at(in_file.start)..at(in_file.end)];
    // Its escapes may be before the match.
    if encoding == "ISO-2022-JP" {
        return;
    }
    let encoding = encoding_rs::Encoding::for_label(encoding.as_bytes()).expect("it is a name");
    let decoded = encoding.decode_without_bom_handling(bytes).0;
    let decoded = decoded.trim_end_matches(['\r', '\n']);
    let expected = String::from_utf8_lossy(expected);
    assert_eq!(decoded, expected.trim_end_matches(['\r', '\n']));
}
