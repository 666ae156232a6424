//! Searches that need syntax: where matches count, enclosing symbols, and definitions.

use crate::pattern::PatternOptions;
use crate::pattern::Syntax;
use crate::search::*;
use crate::syntax::{SearchContext as C, SymbolKind};
use crate::tests::{NO_LIMITS, tree};
use tempfile::TempDir;

const RUST: &str = r#"//! hit in the head
use hit;
struct Job; // hit
impl Job {
    /// hit, and hit
    fn run() { let hit = "hit"; hit("no", 'h'); }
}
/* hit
   hit */
fn hit() {}
"#;

fn open(files: &[(&str, &str)]) -> (TempDir, Workspace) {
    let dir = tree(files);
    let workspace = Workspace::open(dir.path()).expect("opened");
    (dir, workspace)
}

fn request(pattern: &str, context: C) -> SearchRequest {
    let pattern = PatternOptions {
        patterns: vec![pattern.to_owned()],
        syntax: Syntax::Regex,
        ..PatternOptions::default()
    };
    let mut request = SearchRequest::new(pattern, NO_LIMITS);
    request.search_context = context;
    request
}

fn search(workspace: &Workspace, request: &SearchRequest) -> (Vec<FileMatches>, Report) {
    workspace.run_search(request, &Call::new()).expect("searched")
}

/// Returns the matching lines of all files: line number, and the starts of its matches.
fn found(files: &[FileMatches]) -> Vec<(u64, Vec<usize>)> {
    let lines = files.iter().flat_map(|file| &file.lines).filter(|line| line.is_match);
    lines.map(|line| (line.number, line.spans.iter().map(|span| span.start).collect())).collect()
}

#[test]
fn matches_count_only_in_their_context() {
    let (_dir, workspace) = open(&[("a.rs", RUST)]);
    let in_context = |context| {
        let (files, report) = search(&workspace, &request("hit", context));
        assert!(report.complete && report.no_grammar.files == 0);
        let n_all = search(&workspace, &request("hit", C::Any)).1.total;
        assert_eq!(report.total + report.elsewhere, n_all, "{context:?}");
        found(&files)
    };
    let comments =
        [(1, vec![4]), (3, vec![15]), (5, vec![8, 17]), (8, vec![3]), (9, vec![3])].to_vec();
    assert_eq!(in_context(C::InComments), comments);
    assert_eq!(in_context(C::InStringLiterals), [(6, vec![26])]);
    let code = [(2, vec![4]), (6, vec![19, 32]), (10, vec![3])];
    assert_eq!(in_context(C::ExceptCommentsAndStringLiterals), code);
    assert_eq!(in_context(C::ExceptComments), [(2, vec![4]), (6, vec![19, 26, 32]), (10, vec![3])]);
    let no_string: Vec<u64> = in_context(C::ExceptStringLiterals).iter().map(|one| one.0).collect();
    assert_eq!(no_string, [1, 2, 3, 5, 6, 8, 9, 10]);
}

#[test]
fn counts_and_file_lists_use_the_same_lines() {
    let (_dir, workspace) = open(&[("a.rs", RUST), ("b.rs", "fn hit() {}\n")]);
    let mut request = request("hit", C::InComments);
    request.mode = Mode::Count;
    let (files, _) = search(&workspace, &request);
    assert_eq!((files.len(), files[0].n_matches), (1, 5));
    request.mode = Mode::Files;
    let (files, report) = search(&workspace, &request);
    assert_eq!((files.len(), report.total), (1, 1));
}

#[test]
fn a_file_without_grammar_has_neither_comments_nor_strings_and_is_named() {
    let (_dir, workspace) = open(&[("a.md", "hit // hit\n"), ("b.rs", "// hit\n"), ("c.txt", "")]);
    let (files, report) = search(&workspace, &request("hit", C::InComments));
    assert_eq!((files.len(), files[0].path.display()), (1, "b.rs".into()));
    assert_eq!((report.no_grammar.files, report.no_grammar.first), (1, vec!["a.md".into()]));
    let (files, report) = search(&workspace, &request("hit", C::ExceptComments));
    assert_eq!((files.len(), files[0].path.display()), (1, "a.md".into()));
    assert!(report.complete && report.no_grammar.files == 1);
}

#[test]
fn context_lines_are_those_of_matches_that_count() {
    let lines: Vec<String> =
        (1..=40).map(|n| format!("{}x{n}", if n % 10 == 0 { "// " } else { "" })).collect();
    let (_dir, workspace) = open(&[("a.js", &lines.join("\n"))]);
    for (before, after) in [(0, 0), (1, 2), (3, 0), (0, 3), (12, 12)] {
        let mut in_comments = request("x", C::InComments);
        (in_comments.context_before, in_comments.context_after) = (before, after);
        let (files, report) = search(&workspace, &in_comments);
        assert_eq!((report.total, report.elsewhere), (4, 36));
        let mut plain = request("// x", C::Any);
        (plain.context_before, plain.context_after) = (before, after);
        let (expected, _) = search(&workspace, &plain);
        let all = |files: &[FileMatches]| -> Vec<(u64, bool, Vec<u8>)> {
            let lines = files[0].lines.iter();
            lines.map(|line| (line.number, line.is_match, line.text.clone())).collect()
        };
        assert_eq!(all(&files), all(&expected), "{before} {after}");
        assert_eq!(files[0].output_bytes, files[0].lines.iter().map(size).sum::<usize>());
    }
}

fn size(line: &Line) -> usize {
    size_of::<Line>() + line.text.len() + size_of_val(line.spans.as_slice())
}

#[test]
fn matches_across_lines_count_where_all_of_their_text_is() {
    let text = "/* one\n two */\none\n two\n";
    let (_dir, workspace) = open(&[("a.c", text)]);
    let found_in = |context| {
        let mut request = request(r"one\n two", context);
        request.pattern.multi_line = true;
        request.context_after = 1;
        let (files, _) = search(&workspace, &request);
        let lines = files.into_iter().flat_map(|file| file.lines);
        lines.map(|line| (line.number, line.last_number, line.is_match)).collect::<Vec<_>>()
    };
    assert_eq!(found_in(C::InComments), [(1, 2, true), (3, 3, false)]);
    assert_eq!(found_in(C::ExceptComments), [(3, 4, true)]);
    assert_eq!(found_in(C::Any), [(1, 2, true), (3, 4, true)]);
}

#[test]
fn decoded_files_and_files_with_a_mark_are_parsed_as_text() {
    let text = "// hit ü\nhit();\n";
    let utf16: Vec<u8> =
        [0xff, 0xfe].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    let dir = tree(&[("a.js", utf16), ("b.js", format!("\u{feff}{text}").into_bytes())]);
    let workspace = Workspace::open(dir.path()).expect("opened");
    let mut request = request("hit", C::InComments);
    request.enclosing = true;
    let (files, report) = search(&workspace, &request);
    assert_eq!(found(&files), [(1, vec![3]), (1, vec![3])]);
    assert!(report.complete);
}

#[test]
fn a_match_up_to_the_line_end_is_in_the_comment_before_it() {
    for (name, end) in [("a.js", "\n"), ("a.js", "\r\n"), ("a.cs", "\r\n"), ("a.c", "\r\n")] {
        let text = ["// note ", "x = note;", "// y"].join(end);
        let (_dir, workspace) = open(&[(name, &text)]);
        let request_of = |pattern| request(pattern, C::ExceptComments);
        let (files, _) = search(&workspace, &request_of(r"(?:\r|$)"));
        assert!(files.iter().all(|file| file.n_matches > 0), "matches in line ends are handled");
        for pattern in ["//.*", r"note\s*$", r"(?m)// note\s*$"] {
            for multi_line in [false, true] {
                let mut request = request(pattern, C::InComments);
                request.pattern.multi_line = multi_line;
                let (files, _) = search(&workspace, &request);
                assert_eq!(found(&files)[0].0, 1, "{name} {end:?} {pattern} {multi_line}");
            }
        }
    }
}

#[test]
fn the_decoded_text_decides_the_enclosing_symbol() {
    let text = [b"# ".as_slice(), &[0xe9; 60], b"\ndef first():\n    hit = 1\n"].concat();
    let dir = tree(&[("a.py", text)]);
    let workspace = Workspace::open(dir.path()).expect("opened");
    for encoding in ["auto", "latin1", "auto"] {
        let mut request = request("hit", C::Any);
        request.enclosing = true;
        request.encoding = Some(encoding.to_owned());
        let (files, _) = search(&workspace, &request);
        assert_eq!(files[0].lines[0].enclosing.as_deref(), Some("def first"), "{encoding}");
    }
}

#[test]
fn unbounded_names_take_no_memory_and_no_time() {
    let modules: String = (0..300).map(|n| format!("mod m{}{n}{{\n", "x".repeat(900))).collect();
    let constants: String = (0..4_000).map(|n| format!("const a{n}:i32=0;\n")).collect();
    let (_dir, workspace) = open(&[("a.rs", &format!("{modules}{constants}{}", "}".repeat(300)))]);
    for query in ["a", "x.a", "m.a1"] {
        let request = SymbolRequest::new(query, 3);
        let call = Call::new().with_timeout(std::time::Duration::from_secs(20));
        let report = workspace.run_symbols(&request, &call).expect("searched");
        assert!(report.report.complete, "{query}");
        assert!(report.symbols.iter().all(|symbol| symbol.qualified_name.len() < 3_000));
    }
}

#[test]
fn each_match_has_its_enclosing_symbol() {
    let (_dir, workspace) = open(&[("a.rs", RUST), ("b.md", "hit\n")]);
    let mut request = request("hit", C::Any);
    request.enclosing = true;
    let (files, report) = search(&workspace, &request);
    let lines = files[0].lines.iter();
    let found: Vec<_> = lines.map(|line| (line.number, line.enclosing.as_deref())).collect();
    let expected = [
        (1, None),
        (2, None),
        (3, None),
        (5, Some("impl Job")),
        (6, Some("fn Job::run")),
        (8, None),
        (9, None),
        (10, Some("fn hit")),
    ];
    assert_eq!(found, expected);
    assert_eq!((files[1].lines[0].enclosing.as_deref(), report.no_grammar.files), (None, 1));
}

fn symbols(workspace: &Workspace, query: &str) -> Vec<String> {
    let request = SymbolRequest::new(query, 100);
    let found = workspace.run_symbols(&request, &Call::new()).expect("searched");
    assert!(found.report.complete && !found.has_more);
    let line =
        |one: FoundSymbol| format!("{} {} {}", one.score, one.path.display(), one.qualified_name);
    found.symbols.into_iter().map(line).collect()
}

#[test]
fn definitions_come_by_how_well_their_names_fit_then_by_kind_path_and_line() {
    let (_dir, workspace) = open(&[
        ("b.rs", "fn open() {}\nstruct Open;\nmod open {}\n"),
        ("a.rs", "fn open() {}\nfn reopen() {}\nfn open_all() { open() }\nconst OPEN: u8 = 1;\n"),
        ("c.md", "open\n"),
    ]);
    let expected = [
        "100 a.rs open",
        "100 b.rs open",
        "100 b.rs open",
        "95 b.rs Open",
        "95 a.rs OPEN",
        "80 a.rs open_all",
        "40 a.rs reopen",
    ];
    assert_eq!(symbols(&workspace, "open"), expected);
    assert_eq!(symbols(&workspace, "oa"), ["60 a.rs open_all"]);
    assert_eq!(symbols(&workspace, "nothing"), Vec::<String>::new());
}

#[test]
fn the_best_are_returned_among_files_and_kinds() {
    let (_dir, workspace) = open(&[
        ("a.rs", "struct Jobs; enum JobKind { Job } fn do_job() {}"),
        ("z.rs", "fn job() {} impl Job { fn x() {} } macro_rules! job { () => {} }"),
    ]);
    let mut request = SymbolRequest::new("job", 1);
    let names = |request: &SymbolRequest| {
        let found = workspace.run_symbols(request, &Call::new()).expect("searched");
        let names = found.symbols.iter().map(|symbol| symbol.qualified_name.clone());
        (names.collect::<Vec<_>>(), found.has_more)
    };
    assert_eq!(names(&request), (vec!["job".into()], true));
    request.kinds = Some(vec![SymbolKind::Enum, SymbolKind::Struct]);
    request.symbols_max = 2;
    assert_eq!(names(&request), (vec!["Jobs".into(), "JobKind".into()], false));
    request.query = "JobKind::job".into();
    request.kinds = None;
    assert_eq!(names(&request), (vec!["JobKind::Job".into()], false));
    request.query = " ".into();
    let error = workspace.run_symbols(&request, &Call::new()).expect_err("blank");
    assert_eq!(error.param(), Some("query"));
}

#[test]
fn files_that_only_use_a_popular_name_are_not_parsed() {
    let uses =
        (0..300).map(|n| (format!("use{n:03}.c"), "void f(void) {\n    int x = job();\n}\n"));
    let mut files: Vec<(String, &str)> = uses.collect();
    files.push(("values.c".into(), "enum kind { first, job };\n"));
    files.push(("z.c".into(), "static void\njob(void)\n{\n}\n"));
    let all: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
    let (_dir, workspace) = open(&all);
    let request = SymbolRequest::new("job", 10);
    let names = |workspace: &Workspace, request: &SymbolRequest| {
        let found = workspace.run_symbols(request, &Call::new()).expect("searched");
        let paths = found.symbols.iter().map(|symbol| symbol.path.display().into_owned());
        (paths.collect::<Vec<_>>(), found.n_unlikely, found.has_more, found.report.total)
    };
    assert_eq!(names(&workspace, &request), (vec!["z.c".into()], 301, true, 1));
    // With one file fewer, all of them are parsed.
    let (_dir, workspace) = open(&all[1..]);
    let found = names(&workspace, &request);
    assert_eq!(found, (vec!["z.c".into(), "values.c".into()], 0, false, 2));
}
