//! A source file in any of the languages: the syntactic context and the uses of its matches, and its definitions.

use super::bytes::Bytes;
use super::scratch;
use searchscope::{Call, ErrorKind, Limits, PatternOptions, SearchRequest, Workspace};
use searchscope::{Outline, SearchContext, UseKind};
use searchscope_tools::CallTools;
use std::collections::BTreeSet;
use std::fs;
use std::time::{Duration, Instant};

const CONTENT_BYTES_MAX: usize = 1024;
/// Time for seventeen searches of a kilobyte; the slowest build of the engine needs a tenth of it.
const TIME_MAX: Duration = Duration::from_secs(5);

/// One extension of each grammar.
const EXTENSIONS: &[&str] =
    &["sh", "c", "cpp", "cs", "go", "java", "js", "kt", "php", "py", "rb", "rs", "ts", "tsx", "h"];

/// The texts to search for.
const TEXTS: &[&str] = &["a", "x", "\"", "'", "/", " ", "*", "#", "0", "\\", "{", "é", "aa"];

/// Starts and ends of comments, strings and definitions in some language.
const PIECES: &[&str] = &[
    "a",
    "x",
    " ",
    "\n",
    "\r\n",
    "\"",
    "'",
    "`",
    "//",
    "/*",
    "*/",
    "#",
    "\\",
    "{",
    "}",
    "(",
    ")",
    "${",
    "#{",
    "\"\"\"",
    "'''",
    "<?php\n",
    "?>",
    "<<EOF\n",
    "EOF\n",
    "=begin\n",
    "=end\n",
    "%w(",
    "r#\"",
    "\"#",
    "f\"",
    "@\"",
    "$\"",
    "R\"a(",
    ")a\"",
    "class a",
    "fn a()",
    "def a",
    "func a()",
    "function a()",
    "struct x",
    "impl x",
    "namespace x",
    "int a",
    "#if a\n",
    "#define a",
    "#endif\n",
    "<a>",
    "</a>",
    "=",
    ";",
    ":",
    "=>",
    "<",
    ">",
    "é",
    "😀",
    "0",
    "end\n",
    "enum x",
    "/** a */",
    "__END__\n",
    // What the recovery of definitions reads.
    "class API a : x {",
    "MACRO(x)\n",
    "BEGIN_A\n",
    "fun a() = when (x) { is a if x -> ",
    "context(a: x)\n",
    "@A @B private fun a() ",
    "enum class a {",
    "operator==(",
    "export class a {",
    "template <class x> ",
    "extension(a x) {",
    "a?.x = ",
    "#else\n",
    "type a = {| +x: ?a |}",
    "opaque type a: x = a;",
    "heredoc <<~'x'\n",
    "\t",
];

/// The positions of matches: lines, and byte ranges in them.
type Places = BTreeSet<(u64, usize, usize)>;

/// The language, the text to search for, and the file, raw or in pieces.
pub fn syntax(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let name = format!("source.{}", bytes.pick(EXTENSIONS));
    let text = bytes.pick(TEXTS);
    let content = if bytes.is_set() {
        bytes.take(CONTENT_BYTES_MAX).to_vec()
    } else {
        let mut content = String::new();
        while !bytes.is_empty() && content.len() < CONTENT_BYTES_MAX {
            content.push_str(bytes.pick(PIECES));
        }
        content.into_bytes()
    };
    let (dir, workspace) = scratch();
    // A build without parsers has nothing to check.
    if !cfg!(feature = "symbols") {
        return;
    }
    fs::write(dir.path().join(&name), &content).expect("written");
    let started = Instant::now();
    check_contexts(workspace, &name, text, &content);
    check_uses(workspace, &name, text, &content);
    match workspace.outline(&name, &Call::new()) {
        Ok(Some(outline)) => {
            check_outline(&outline, &content);
            check_signatures(workspace, &name);
        }
        Ok(None) => panic!("{name} is in no language"),
        Err(error) => {
            // A NUL makes the file binary, and the parser may give up after too many syntax errors.
            let is_due = match error.kind() {
                ErrorKind::Io => content.contains(&0),
                kind => kind == ErrorKind::Unsupported && error.message().contains("syntax errors"),
            };
            assert!(is_due, "{error:?}");
        }
    }
    let shown = String::from_utf8_lossy(&content);
    assert!(started.elapsed() < TIME_MAX, "{name} took {:?}: {shown}", started.elapsed());
}

/// Checks that a match is in a string, in a comment, or in neither.
fn check_contexts(workspace: &Workspace, name: &str, text: &str, content: &[u8]) {
    let places = |context| places(workspace, name, text, (context, None));
    let all = places(SearchContext::Any);
    let (strings, comments) =
        (places(SearchContext::InStringLiterals), places(SearchContext::InComments));
    let said = format!("{text:?} in {name}: {:?}", String::from_utf8_lossy(content));
    assert!(strings.is_disjoint(&comments), "{said}");
    assert!(strings.is_subset(&all) && comments.is_subset(&all), "{said}");
    let no_strings = places(SearchContext::ExceptStringLiterals);
    assert_eq!(no_strings, &all - &strings, "{said}");
    let no_comments = places(SearchContext::ExceptComments);
    assert_eq!(no_comments, &all - &comments, "{said}");
    let code = places(SearchContext::ExceptCommentsAndStringLiterals);
    assert_eq!(code, &no_strings - &comments, "{said}");
}

/// Checks that a match has exactly one use.
fn check_uses(workspace: &Workspace, name: &str, text: &str, content: &[u8]) {
    let places = |kinds| places(workspace, name, text, (SearchContext::Any, kinds));
    let said = format!("{text:?} in {name}: {:?}", String::from_utf8_lossy(content));
    let mut found = Places::new();
    for kind in UseKind::ALL {
        let mut own = places(Some(vec![*kind]));
        assert!(found.is_disjoint(&own), "{kind:?} of {said}");
        found.append(&mut own);
    }
    assert_eq!(found, places(None), "{said}");
}

/// Returns the matches in a context with one of the uses, each labelled with it.
fn places(
    workspace: &Workspace,
    name: &str,
    text: &str,
    (context, uses): (SearchContext, Option<Vec<UseKind>>),
) -> Places {
    let mut request = SearchRequest::new(PatternOptions::literal(text), Limits::NONE);
    request.paths = vec![name.to_owned()];
    request.search_context = context;
    request.uses.clone_from(&uses);
    let (files, report) = workspace.run_search(&request, &Call::new()).expect("a good request");
    assert_eq!(report.stopped, None, "{report:?}");
    assert_eq!(report.no_grammar.files, 0, "{report:?}");
    let lines = files.iter().flat_map(|file| &file.lines);
    let mut places = Places::new();
    for line in lines {
        if let Some(kinds) = &uses {
            let labels = line.uses.as_deref().unwrap_or_default();
            assert!(
                labels.len() == line.spans.len() && labels.iter().all(|kind| kinds.contains(kind))
            );
        }
        places.extend(line.spans.iter().map(|span| (line.number, span.start, span.end)));
    }
    places
}

/// Checks that the signatures of a file can be made.
fn check_signatures(workspace: &Workspace, name: &str) {
    let args = format!(r#"{{"what": ["{name}"], "outline": true, "bytes_max": 1000000}}"#);
    let reply = workspace.call("read", args.as_bytes(), &Call::new());
    reply.unwrap_or_else(|error| panic!("{name}: {error:?}"));
}

/// Checks that each definition has its name at its position, and is inside its parent.
fn check_outline(outline: &Outline, content: &[u8]) {
    let text = content.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(content);
    let lines: Vec<&[u8]> = text.split(|&byte| byte == b'\n').collect();
    let symbols = outline.symbols();
    let at = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    for (n, symbol) in symbols.iter().enumerate() {
        let said = format!("{symbol:?} in {:?}", String::from_utf8_lossy(content));
        let range = symbol.range();
        assert!(range.start <= range.end && at(range.end) <= text.len(), "{said}");
        assert!(n == 0 || symbols[n - 1].range().start <= range.start, "{said}");
        let behind = at(symbol.line()).checked_sub(1).and_then(|line| lines.get(line));
        let behind = behind.and_then(|line| line.get(at(symbol.column()).checked_sub(1)?..));
        let Some(behind) = behind else { panic!("{said}") };
        // In text that is not UTF-8 the name is an approximation.
        let is_there = behind.starts_with(symbol.name().as_bytes());
        assert!(is_there || str::from_utf8(text).is_err(), "{said}");
        if let Some(parent) = symbol.parent() {
            let outer = symbols[parent].range();
            assert!(parent < n && outer.start <= range.start && range.start < outer.end, "{said}");
        }
    }
}
