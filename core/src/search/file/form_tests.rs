//! Searches in declared encodings and in NFC.

#![expect(clippy::disallowed_methods, reason = "tests make the trees that they search")]

use crate::WorkspaceOptions;
use crate::encoding::UnicodeForm;
use crate::pattern::PatternOptions;
use crate::search::*;
use crate::tests::{NO_LIMITS, tree as tree_of};
use encoding_rs::Encoding;
use proptest::prelude::*;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

fn request(pattern: &str, labels: &[&str], form: UnicodeForm) -> SearchRequest {
    let mut request = SearchRequest::new(PatternOptions::regex(pattern), NO_LIMITS);
    request.encodings = Some(labels.iter().map(ToString::to_string).collect());
    request.files.unicode_form = form;
    request
}

fn workspace(root: &Path, encodings: &[&str]) -> Workspace {
    let encodings = encodings.iter().map(ToString::to_string).collect();
    let options = WorkspaceOptions { encodings, ..WorkspaceOptions::default() };
    options.open(root).expect("a workspace")
}

fn tree(files: &[(&str, &[u8])]) -> TempDir {
    tree_of(files)
}

fn run(root: &Path, request: &SearchRequest) -> (Vec<FileMatches>, Report) {
    workspace(root, &[]).run_search(request, &Call::new()).expect("searched")
}

/// Each matching line with its encoding, offset, spans and the bytes of its matches in the file.
fn shown(files: &[FileMatches]) -> Vec<String> {
    let line = |file: &FileMatches, line: &Line| {
        let spans: Vec<_> = line.spans.iter().map(|span| span.start..span.end).collect();
        let (path, text) = (file.path.display(), String::from_utf8_lossy(&line.text));
        let encoding = file.encoding.unwrap_or("-");
        let (number, offset) = (line.number, line.offset);
        format!("{path}:{number}:{text} {encoding} {offset} {spans:?} {:?}", line.file_spans)
    };
    files.iter().flat_map(|file| file.lines.iter().map(move |l| line(file, l))).collect()
}

const JAPANESE: &[&str] = &["utf-8", "shift_jis", "windows-1252"];

#[test]
fn each_file_is_in_the_first_encoding_without_errors() {
    let dir = tree(&[
        ("ascii", b"x\nhit\n"),
        ("latin", b"\xe9 hit\n"),
        ("marked", b"\xef\xbb\xbf\xe9 hit\n"),
        ("sjis", b"\x93\xfa\n\x96{ hit\n"),
        ("utf16", b"\xff\xfeh\0i\0t\0"),
        ("utf8", "é hit\n".as_bytes()),
    ]);
    let (files, report) = run(dir.path(), &request("hit", JAPANESE, UnicodeForm::Bytes));
    assert!(report.complete, "{report:?}");
    assert_eq!(
        shown(&files),
        [
            "ascii:2:hit - 2 [0..3] None",
            "latin:1:é hit windows-1252 0 [3..6] Some([2..5])",
            "marked:1:\u{fffd} hit - 0 [2..5] None",
            "sjis:2:本 hit Shift_JIS 3 [4..7] Some([6..9])",
            "utf16:1:hit - 0 [0..3] None",
            "utf8:1:é hit - 0 [3..6] None",
        ]
    );
    // Without an encoding that fits, the bytes are searched as they are.
    let (files, _) = run(dir.path(), &request("hit", &["utf-8", "euc-jp"], UnicodeForm::Bytes));
    assert!(shown(&files).contains(&"latin:1:\u{fffd} hit - 0 [2..5] None".to_owned()));
    // The pattern is compared with the decoded text.
    let (files, _) = run(dir.path(), &request("本", JAPANESE, UnicodeForm::Bytes));
    assert_eq!(shown(&files), ["sjis:2:本 hit Shift_JIS 3 [0..3] Some([3..5])"]);
}

#[test]
fn the_workspace_declares_encodings_and_a_request_replaces_them() {
    let dir = tree(&[("sjis", b"\x96{ hit\n")]);
    let workspace = workspace(dir.path(), JAPANESE);
    let found = |encodings: Option<&[&str]>, encoding: Option<&str>| {
        let mut request = request("本", &[], UnicodeForm::Bytes);
        request.encodings =
            encodings.map(|labels| labels.iter().map(ToString::to_string).collect());
        request.encoding = encoding.map(str::to_owned);
        workspace.run_search(&request, &Call::new()).map(|(files, _)| files.len())
    };
    assert_eq!(found(None, None).expect("searched"), 1);
    assert_eq!(found(Some(&[]), None).expect("searched"), 0);
    assert_eq!(found(Some(&["euc-jp"]), None).expect("searched"), 0);
    assert_eq!(found(None, Some("shift_jis")).expect("searched"), 1);
    assert_eq!(found(None, Some("latin1")).expect("searched"), 0);
    let error = found(Some(&["euc-jp"]), Some("latin1")).expect_err("both are set");
    assert_eq!((error.code(), error.param()), ("invalid_param", Some("encodings")));
    let error = found(Some(&["nope"]), None).expect_err("it is unknown");
    assert_eq!((error.code(), error.param()), ("invalid_param", Some("encodings")));
}

#[test]
fn utf16_without_a_mark_is_text_if_it_is_declared() {
    let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let dir = tree(&[("text", &utf16("a\nhit é\n")), ("zeros", &[0; 100])]);
    let (files, report) = run(dir.path(), &request("hit", &["utf-16le"], UnicodeForm::Bytes));
    assert_eq!(shown(&files), ["text:2:hit é UTF-16LE 4 [0..3] Some([4..10])"]);
    assert_eq!(report.skipped.binary, 1);
    let (files, report) = run(dir.path(), &request("hit", JAPANESE, UnicodeForm::Bytes));
    assert_eq!((files.len(), report.skipped.binary), (0, 2));
}

#[test]
fn nfc_maps_spans_back_to_the_bytes_of_the_file() {
    let decomposed = "x cafe\u{301}s\n";
    let dir = tree(&[("composed", "x cafés\n".as_bytes()), ("marks", decomposed.as_bytes())]);
    for pattern in ["é", "e\u{301}", "[à-ê]"] {
        let (files, _) = run(dir.path(), &request(pattern, &[], UnicodeForm::Nfc));
        let expected = [
            "composed:1:x cafés - 0 [5..7] None".to_owned(),
            format!("marks:1:{} - 0 [5..8] None", decomposed.trim_end()),
        ];
        assert_eq!(shown(&files), expected, "{pattern}");
    }
    let (files, _) = run(dir.path(), &request("é", &[], UnicodeForm::Bytes));
    assert_eq!(files.len(), 1);
    // A match that ends before a mark covers the whole character.
    let dir = tree(&[("many", "e\u{301}\u{33f}\n".as_bytes())]);
    let (files, _) = run(dir.path(), &request("é", &[], UnicodeForm::Nfc));
    assert_eq!(shown(&files), ["many:1:e\u{301}\u{33f} - 0 [0..5] None"]);
}

#[test]
fn nfc_maps_characters_that_change_alone_to_their_own_bytes() {
    for (text, pattern, expected) in [
        ("10\u{2126}", "Ω", "[2..5]"),
        ("ab\u{f901}", "b", "[1..2]"),
        ("\u{f900}\u{f901}\u{f902}\u{f903}", "\u{66f4}", "[3..6]"),
        ("A\u{30a}\u{212b}", "Å", "[0..3, 3..6]"),
    ] {
        let dir = tree(&[("f", text.as_bytes())]);
        let (files, _) = run(dir.path(), &request(pattern, &[], UnicodeForm::Nfc));
        assert_eq!(shown(&files), [format!("f:1:{text} - 0 {expected} None")]);
    }
}

#[test]
fn a_nul_far_into_a_file_is_reported_at_its_byte() {
    let line = b"\x93\xfa\x96{ hit\n"; // 日本
    let mut text = line.repeat(8_000);
    let nul = text.len() + 2;
    text.extend_from_slice(b"ab\0 hit\n");
    let marked = format!("\u{feff}{}ab\0\n", "hit e\u{301}\n".repeat(9_000));
    let marked_nul = marked.len() - 2;
    let dir = tree(&[("f", &text), ("marked", marked.as_bytes())]);
    let found = |pattern: &str, encoding: Option<&str>, form| {
        let mut request = request(pattern, JAPANESE, form);
        request.encoding = encoding.map(str::to_owned);
        request.encodings = request.encodings.filter(|_| encoding.is_none());
        let (files, report) = run(dir.path(), &request);
        let reasons: Vec<String> =
            report.warnings.into_iter().map(|warning| warning.reason).collect();
        (files.first().and_then(|file| file.binary_after), reasons)
    };
    for form in [UnicodeForm::Bytes, UnicodeForm::Nfc] {
        let expected =
            [nul, marked_nul].map(|nul| format!("search stopped at a NUL at byte {nul}"));
        assert_eq!(found("hit", None, form), (Some(nul as u64), expected.to_vec()));
        assert_eq!(found("absent", None, form), (None, expected.to_vec()));
        let (_, reasons) = found("hit", Some("shift_jis"), form);
        assert!(reasons[0].ends_with("of the decoded text"), "{reasons:?}");
    }
}

#[test]
fn names_are_compared_in_nfc() {
    let dir = tree(&[("cafe\u{301}/re\u{301}sume\u{301}.md", b"hit\n"), ("other.md", b"hit\n")]);
    let n_found = |change: &dyn Fn(&mut crate::FileOptions), form| {
        let mut request = request("hit", &[], form);
        change(&mut request.files);
        run(dir.path(), &request).0.len()
    };
    for (n, form) in [(0, UnicodeForm::Bytes), (1, UnicodeForm::Nfc)] {
        assert_eq!(n_found(&|files| files.globs = vec!["résumé.md".into()], form), n);
        assert_eq!(n_found(&|files| files.globs = vec!["/café/**".into()], form), n);
        assert_eq!(n_found(&|files| files.name_glob = Some("r*umé.md".into()), form), n);
        assert_eq!(n_found(&|files| files.names.pattern = Some("^résumé".into()), form), n);
    }
    let excluded = |files: &mut crate::FileOptions| files.globs = vec!["!café/".into()];
    assert_eq!(n_found(&excluded, UnicodeForm::Bytes), 2);
    assert_eq!(n_found(&excluded, UnicodeForm::Nfc), 1);
}

#[test]
fn a_large_file_is_searched_in_its_own_form_with_a_warning() {
    let mut large = b"caf\xe9 hit\n".to_vec();
    large.resize(17 << 20, b'x');
    let dir = tree(&[("large", &large)]);
    let (files, report) = run(dir.path(), &request("hit", JAPANESE, UnicodeForm::Nfc));
    assert_eq!((files.len(), report.complete, report.given_up), (1, false, 1));
    assert_eq!((report.searched_files, report.skipped.too_large), (1, 0));
    let warnings = report.warnings.iter();
    assert_eq!(warnings.filter(|warning| warning.reason.contains("encodings")).count(), 1);
    let (files, report) = run(dir.path(), &request("no such text", JAPANESE, UnicodeForm::Nfc));
    assert_eq!((files.len(), report.complete, report.given_up), (0, false, 1));
    // A binary file is one whatever encodings are declared.
    fs::write(dir.path().join("large"), vec![0; 17 << 20]).expect("written");
    let (files, report) = run(dir.path(), &request("hit", &["utf-16le"], UnicodeForm::Bytes));
    assert_eq!((files.len(), report.skipped.binary, report.given_up), (0, 1, 0));
    // A text in UTF-16 is none, and its bytes are not searched.
    let utf16: Vec<u8> = "hit\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    fs::write(dir.path().join("large"), utf16.repeat(17 << 17)).expect("written");
    let (files, report) = run(dir.path(), &request("hit", &["utf-16le"], UnicodeForm::Bytes));
    assert_eq!((files.len(), report.searched_files, report.complete), (0, 0, false));
    assert_eq!((report.skipped.binary, report.skipped.too_large, report.given_up), (0, 1, 1));
    assert!(report.warnings[0].reason.contains("16 MiB: not searched"), "{report:?}");
    // ASCII is the same in every form.
    large[3] = b'e';
    fs::write(dir.path().join("large"), &large).expect("written");
    let (files, report) = run(dir.path(), &request("hit", JAPANESE, UnicodeForm::Nfc));
    assert_eq!((files.len(), report.complete), (1, true));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// A search of encoded files finds what a search of the same texts in UTF-8 does, and the bytes that
    /// it reports decode to the text that it reports.
    #[test]
    fn encoded_trees_match_like_utf8(
        texts in prop::collection::vec("([ab\\n]|[日本語テ한국éß€]){0,40}", 1..4),
        pattern in prop::sample::select(vec!["日", "[日本]a", "a+", "é|ß", "b\\b", "^", "(?s:語.a)"]),
        label in prop::sample::select(vec!["shift_jis", "euc-kr", "gb18030", "windows-1252"]),
        multi_line in any::<bool>(),
    ) {
        let encoding = Encoding::for_label(label.as_bytes()).expect("it is known");
        let keep = |text: &String| -> String {
            let is_same = |char: &char| !encoding.encode(&char.to_string()).2;
            text.chars().filter(is_same).collect()
        };
        let texts: Vec<String> = texts.iter().map(keep).collect();
        let (plain, encoded) = (tree(&[]), tree(&[]));
        for (n, text) in texts.iter().enumerate() {
            fs::write(plain.path().join(n.to_string()), text).expect("written");
            fs::write(encoded.path().join(n.to_string()), encoding.encode(text).0).expect("written");
        }
        let mut request = request(pattern, &[label], UnicodeForm::Bytes);
        request.pattern.multi_line = multi_line;
        request.context_before = 1;
        let (found, _) = run(encoded.path(), &request);
        request.encodings = None;
        let (expected, _) = run(plain.path(), &request);
        let texts_of = |files: &[FileMatches]| -> Vec<_> {
            let lines = files.iter().flat_map(|file| file.lines.iter().map(move |line| (file, line)));
            let lines = lines.map(|(file, line)| {
                (file.path.clone(), line.number, line.is_match, line.text.clone(), line.spans.clone())
            });
            lines.collect()
        };
        prop_assert_eq!(texts_of(&found), texts_of(&expected));
        for file in &found {
            let bytes = fs::read(encoded.path().join(file.path.to_string())).expect("read");
            for line in &file.lines {
                let start = usize::try_from(line.offset).expect("a position");
                let len = encoding.encode(std::str::from_utf8(&line.text).expect("text")).0.len();
                let decoded = encoding.decode_without_bom_handling(&bytes[start..start + len]).0;
                prop_assert_eq!(decoded.as_bytes(), &line.text);
                for (span, in_file) in line.spans.iter().zip(line.file_spans.iter().flatten()) {
                    let at = |position: u64| usize::try_from(position).expect("a position");
                    let range = at(in_file.start)..at(in_file.end);
                    let decoded = encoding.decode_without_bom_handling(&bytes[range]).0;
                    // A match may reach into the line end, which is not text.
                    let text = &line.text[span.start.min(line.text.len())..span.end.min(line.text.len())];
                    prop_assert_eq!(decoded.as_bytes(), text);
                }
            }
        }
    }

    /// The spans of a search in NFC are those of a naive map: a text is cut before each character that
    /// begins with a starter, where both sides normalize by themselves.
    #[test]
    fn spans_in_nfc_are_those_of_a_naive_map(
        text in "([ao]|[\u{301}\u{30a}\u{327}]|[éÅ한\u{1112}\u{1161}\u{11ab}]|[\u{2126}\u{212a}\u{212b}]|[\u{f900}-\u{f903}\u{9c7}\u{9be}\u{f73}]){1,12}",
        at in any::<prop::sample::Index>(),
    ) {
        use unicode_normalization::UnicodeNormalization;
        use unicode_normalization::char::canonical_combining_class;
        let nfc = |text: &str| text.nfc().collect::<String>();
        let whole = nfc(&text);
        let chars: Vec<char> = whole.chars().collect();
        let wanted = chars[at.index(chars.len())];
        let is_cut = |&at: &usize| {
            let (before, after) = text.split_at(at);
            let first = after.nfd().next().expect("it is not empty");
            canonical_combining_class(first) == 0 && nfc(before) + &nfc(after) == whole
        };
        let mut cuts: Vec<usize> = text.char_indices().map(|(at, _)| at).filter(is_cut).collect();
        cuts.insert(0, 0);
        cuts.dedup();
        cuts.push(text.len());
        let mut expected = Vec::new();
        for pair in cuts.windows(2) {
            let source = &text[pair[0]..pair[1]];
            let form = nfc(source);
            for (at, char) in form.char_indices().filter(|(_, char)| *char == wanted) {
                let start = pair[0] + at;
                let own = start..start + char.len_utf8();
                expected.push(if form == source { own } else { pair[0]..pair[1] });
            }
        }
        let dir = tree(&[("f", text.as_bytes())]);
        let pattern = regex_syntax::escape(&wanted.to_string());
        let (files, _) = run(dir.path(), &request(&pattern, &[], UnicodeForm::Nfc));
        let spans = files.iter().flat_map(|file| file.lines.iter().flat_map(|line| &line.spans));
        let spans: Vec<_> = spans.map(|span| span.start..span.end).collect();
        prop_assert_eq!(spans, expected);
    }

    /// A search in NFC finds the lines that a search of the normalized texts does.
    #[test]
    fn texts_in_any_form_match_like_their_nfc(
        text in "([eao \\n]|[\u{301}\u{327}\u{308}]|[éäȩ한\u{1112}\u{1161}\u{11ab}Å]){0,60}",
        pattern in prop::sample::select(vec!["é", "e\u{301}", "ä|o", "한", "[a-z]\u{327}", "e$", "Å"]),
    ) {
        use unicode_normalization::UnicodeNormalization;
        let normalized: String = text.nfc().collect();
        let raw = tree(&[("f", text.as_bytes())]);
        let nfc = tree(&[("f", normalized.as_bytes())]);
        let request = request(pattern, &[], UnicodeForm::Nfc);
        let (found, _) = run(raw.path(), &request);
        let (expected, _) = run(nfc.path(), &request);
        let lines_of = |files: &[FileMatches]| -> Vec<_> {
            let lines = files.iter().flat_map(|file| &file.lines);
            let text = |line: &Line| String::from_utf8_lossy(&line.text).nfc().collect::<String>();
            lines.map(|line| (line.number, text(line), line.spans.len())).collect()
        };
        prop_assert_eq!(lines_of(&found), lines_of(&expected));
        let mut offset = 0;
        let mut starts = Vec::new();
        for line in text.split_inclusive('\n') {
            starts.push((offset, line.trim_end_matches('\n')));
            offset += line.len();
        }
        for line in found.iter().flat_map(|file| &file.lines) {
            let (start, whole) = starts[usize::try_from(line.number).expect("a number") - 1];
            prop_assert_eq!((line.offset, line.text.as_slice()), (start as u64, whole.as_bytes()));
            for span in &line.spans {
                prop_assert!(whole.is_char_boundary(span.start) && whole.is_char_boundary(span.end));
            }
        }
    }
}
