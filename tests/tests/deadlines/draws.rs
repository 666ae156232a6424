//! Draws calls at random from a fixed seed, so that every run makes the same calls.

use crate::clock::Ends;
use crate::trees::{DOCUMENTS, FILES, IDE, LARGE, MANIFESTS, SOURCES, TEXTS};
use proptest::prelude::Rng;
use proptest::test_runner::{RngAlgorithm, TestRng};
use searchscope_tests::samples::{Words, samples};
use serde_json::{Value, json};
use std::fmt;
use std::time::Duration;

pub(crate) struct Dice(TestRng);

impl Dice {
    pub(crate) fn new() -> Dice {
        Dice(TestRng::deterministic_rng(RngAlgorithm::ChaCha))
    }

    fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.0.next_u64() % n as u64).unwrap_or(0)
    }

    fn one<T: Clone>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())].clone()
    }

    fn is(&mut self) -> bool {
        self.below(2) == 0
    }
}

/// One call.
pub(crate) struct Draw {
    pub(crate) workspace: usize,
    pub(crate) tool: &'static str,
    args: Value,
    /// The argument with the deadline; `None` if the call is cancelled.
    deadline: Option<&'static str>,
    /// The time after which it is to end.
    pub(crate) after: Duration,
    /// True if the stop comes late in the call.
    pub(crate) is_late: bool,
}

impl fmt::Debug for Draw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in {} ", self.tool, self.workspace)?;
        write!(f, "{:?} after {:?} {:.300}", self.ends(), self.after, self.args())
    }
}

/// Draws a call: the index of a tree, a tool and its arguments.
type Kind = fn(&mut Dice) -> (usize, &'static str, Value);

const KINDS: &[Kind] = &[
    search_text,
    search_text,
    search_text,
    search_files,
    find,
    grep_both,
    documents,
    symbols,
    manifests,
    scopes,
    any_tool,
];
/// Kinds of calls that may take hundreds of milliseconds.
const LONG_KINDS: &[Kind] =
    &[search_large, search_large, search_large, search_large, find, symbols, scopes];

impl Draw {
    pub(crate) fn new(dice: &mut Dice) -> Draw {
        let (micros, is_late) = match dice.below(100) {
            0..75 => (dice.below(8_000), false),
            75..98 => (dice.below(30_000), false),
            // Few may take long, so that the total time stays acceptable.
            _ => (100_000 + dice.below(1_400_000), true),
        };
        let kinds = if is_late { LONG_KINDS } else { KINDS };
        let (workspace, tool, args) = dice.one(kinds)(dice);
        let deadline = match tool {
            "search" | "find" => Some("deadline_ms"),
            "find_and_grep" => Some("timeout_ms"),
            "scope_search_files" | "scope_search_text" | "scope_search_symbols" => {
                Some("timeoutMillis")
            }
            _ => None,
        };
        let deadline = deadline.filter(|_| dice.below(3) > 0);
        let mut draw = Draw { workspace, tool, args, deadline, after: Duration::ZERO, is_late };
        draw.end_after(Duration::from_micros(micros as u64 + 50));
        draw
    }

    fn end_after(&mut self, after: Duration) {
        self.after = after;
        if let Some(name) = self.deadline {
            let millis = u64::try_from(after.as_micros() / 1_000 + 1).unwrap_or(u64::MAX);
            self.args[name] = millis.into();
            self.after = Duration::from_millis(millis);
        }
    }

    /// Sets the end of the call to a point within its duration without a stop.
    pub(crate) fn end_within(&mut self, took: Duration, dice: &mut Dice) {
        let part = u32::try_from(dice.below(100)).unwrap_or(0);
        self.end_after(took * part / 100);
    }

    pub(crate) fn args(&self) -> String {
        self.args.to_string()
    }

    pub(crate) fn ends(&self) -> Ends {
        if self.deadline.is_some() { Ends::Itself } else { Ends::Cancelled }
    }

    /// Reports whether such a call may end with this error.
    pub(crate) fn may_fail_with(&self, code: &str) -> bool {
        match code {
            "cancelled" => self.ends() == Ends::Cancelled,
            "timeout" => self.ends() == Ends::Itself,
            // Patterns at the compilation limit.
            "pattern_syntax" => true,
            _ => false,
        }
    }
}

/// Reports whether a reply mentions a deadline that ended its call.
pub(crate) fn says_that_it_was_stopped(reply: &[u8]) -> bool {
    let told: [&[u8]; 5] = [
        b"\"stopped\":\"deadline\"",
        b"\"timed_out\":true",
        b"\"timedOut\":true",
        b"\"returncode\":124",
        b"\"timeout\"",
    ];
    told.iter().any(|told| reply.windows(told.len()).any(|window| window == *told))
}

/// Draws the sample call of a tool.
fn any_tool(dice: &mut Dice) -> (usize, &'static str, Value) {
    let words = Words { text: "hit", document: "lines.md", symbol: "hit" };
    let (tool, args) = dice.one(&samples(&words));
    (DOCUMENTS, tool, args)
}

/// Draws a regex that is slow to compile, to search with, or both.
fn regex(dice: &mut Dice) -> String {
    let k = dice.below(5_000) + 1;
    let some = dice.below(60) + 1;
    match dice.below(16) {
        0 => ".{1,1000}x".into(),
        1 => format!("(?s).{{0,{k}}}z"),
        2 => format!("(?:[ab]?){{{}}}c{{3}}z", k.min(3_000)),
        3 => format!(
            "(?:{})z",
            (0..400).map(|n| format!("w{}{n}", n * 7)).collect::<Vec<_>>().join("|")
        ),
        4 => format!(r"\w{{{}}}z", dice.below(90) + 1),
        5 => format!(r"\w+\s+\w+{}", r"\W?".repeat(some)),
        6 => format!("(?:a|b|ab){{{some},}}[^ab]"),
        7 => r"(a*)*c|(b+)+d".into(),
        8 => format!("(?:(?:(?:a?){{30}}){{{some}}})z"),
        9 => r"\b\w+\b.*\bz\b".into(),
        10 => format!("[^z]{{{}}}z", k.min(2_000)),
        11 => format!(r"(?i)[a-zß-ſ]{{{some}}}q"),
        12 => r"^.*(?:a.*){8}z$".into(),
        13 => format!(r"\p{{L}}{{{}}}", some.min(30)),
        14 => format!(r"(?:\d|\w|\s){{{}}}!", some.min(40)),
        _ => "[ab]*$".into(),
    }
}

fn literals(dice: &mut Dice) -> Vec<String> {
    let n = dice.below(64) + 1;
    (0..n).map(|n| format!("ab{}z{n}", "ab".repeat(n))).collect()
}

fn pattern(dice: &mut Dice) -> (Vec<String>, bool) {
    match dice.below(6) {
        0 => (literals(dice), true),
        1 => (vec![dice.one(&["hit", "ab", "a", "\u{e9}", "abz", " h"]).into()], true),
        _ => (vec![regex(dice)], false),
    }
}

fn search_text(dice: &mut Dice) -> (usize, &'static str, Value) {
    let (patterns, literal) = pattern(dice);
    if dice.below(5) == 0 {
        let mode = if literal { "PLAIN" } else { "REGEX" };
        let query = patterns.into_iter().next().unwrap_or_default();
        let args = json!({"scope": "All Places", "query": query, "mode": mode, "caseSensitive": dice.is(),
            "wholeWordsOnly": dice.below(4) == 0, "allowEmptyMatches": true});
        return (TEXTS, "scope_search_text", args);
    }
    let mut args = json!({"patterns": patterns, "literal": literal, "matches_max": 10_000});
    args["case"] = dice.one(&["sensitive", "insensitive", "smart"]).into();
    args["word"] = (dice.below(4) == 0).into();
    args["multiline"] = (dice.below(4) == 0).into();
    args["mode"] = dice.one(&["content", "files", "count"]).into();
    if dice.below(5) == 0 {
        args["context_before"] = 50.into();
        args["context_after"] = 50.into();
    }
    if dice.is() {
        let globs = ["*line*", "words*", "utf16*", "binary*", "cand*", "not*", "long*", "s*"];
        args["globs"] = json!([dice.one(&globs)]);
    }
    args["order"] = dice.one(&["path", "mtime", "relevance"]).into();
    (TEXTS, "search", args)
}

/// Draws a search in a large text.
fn search_large(dice: &mut Dice) -> (usize, &'static str, Value) {
    let (word, multi_line) = (dice.below(4) == 0, dice.below(4) == 0);
    if dice.below(4) == 0 {
        let args = json!({"roots": ["."], "query": regex(dice), "fixed_strings": false,
            "total_only": true, "file_limit": 5_000, "multiline": multi_line});
        return (LARGE, "find_and_grep", args);
    }
    let args = json!({"patterns": [regex(dice)], "mode": "count", "matches_max": 10_000,
        "word": word, "multiline": multi_line});
    (LARGE, "search", args)
}

fn search_files(dice: &mut Dice) -> (usize, &'static str, Value) {
    let query = dice.one(&["hit", "none", "absent", "[a-z]+ [a-z]+$"]);
    match dice.below(3) {
        0 => (FILES, "search_in_files", json!({"query": query, "use_regex": true})),
        1 => (FILES, "Grep", json!({"pattern": query})),
        _ => {
            let order = dice.one(&["path", "mtime"]);
            (FILES, "search", json!({"patterns": [query], "order": order, "follow": dice.is()}))
        }
    }
}

fn find(dice: &mut Dice) -> (usize, &'static str, Value) {
    let glob =
        dice.one(&["*a*b*c*", "**/*.txt", "*{a,b,c,d}*{e,f,g}*", "file?*9*", "**/e*/**/f*1*"]);
    match dice.below(4) {
        0 => (FILES, "find_files_by_name", json!({"name_pattern": glob})),
        1 => {
            let args =
                json!({"scope": "All Places", "query": dice.one(&["f", "fi", "txt", "zzz"])});
            (FILES, "scope_search_files", args)
        }
        _ => {
            let order = dice.one(&["path", "mtime"]);
            let args = json!({"globs": [glob], "order": order, "details": dice.is(),
                "files_max": 10_000, "no_ignore": dice.is()});
            (FILES, "find", args)
        }
    }
}

fn grep_both(dice: &mut Dice) -> (usize, &'static str, Value) {
    let query = if dice.is() { "hit".to_owned() } else { regex(dice) };
    let mut args =
        json!({"roots": ["."], "query": query, "fixed_strings": false, "file_limit": 5_000});
    let shape = dice.one(&["count_only_matches", "summary_only", "group_by_file", "total_only"]);
    args[shape] = true.into();
    args["multiline"] = dice.is().into();
    (dice.one(&[TEXTS, FILES]), "find_and_grep", args)
}

fn documents(dice: &mut Dice) -> (usize, &'static str, Value) {
    match dice.below(6) {
        0 => (DOCUMENTS, "list_documents", json!({})),
        1 => {
            let path = dice.one(&["all.md", "front.md", "lines.md"]);
            (
                DOCUMENTS,
                "read_document",
                json!({"path": path, "start_line": dice.below(100_000) + 1}),
            )
        }
        _ => {
            let near = format!("{}{}", "a".repeat(dice.below(100) + 1), "c");
            let query = dice.one(&[
                "hit".to_owned(),
                "i".to_owned(),
                "zzz".to_owned(),
                near,
                " ".to_owned() + "x",
            ]);
            let args = json!({"query": query, "case_sensitive": dice.is(), "max_results": 100,
                "context_chars": 500});
            (DOCUMENTS, "search_documents", args)
        }
    }
}

fn symbols(dice: &mut Dice) -> (usize, &'static str, Value) {
    let extensions =
        ["c", "cpp", "js", "ts", "tsx", "java", "rs", "py", "go", "cs", "kt", "rb", "php", "sh"];
    let extension = dice.one(&extensions);
    let directory = format!("file:{extension}//*");
    match dice.below(3) {
        0 => (SOURCES, "scope_search_symbols", json!({"scope": directory, "query": "hit_name"})),
        1 => {
            let args =
                json!({"scope": directory, "query": "hit_name", "searchContext": "IN_COMMENTS"});
            (SOURCES, "scope_search_text", args)
        }
        _ => {
            let args = json!({"patterns": ["hit_name"], "globs": [format!("*.{extension}")],
                "matches_max": 10_000});
            (SOURCES, "search", args)
        }
    }
}

fn manifests(dice: &mut Dice) -> (usize, &'static str, Value) {
    let tree = dice.one(&[MANIFESTS, IDE]);
    match dice.below(4) {
        0 => (tree, "scope_list_catalog", json!({"limit": 500})),
        1 => {
            let args = json!({"scope": "Project Files", "query": "x"});
            (tree, "scope_search_files", args)
        }
        2 => (tree, "scope_search_text", json!({"scope": "Project Files", "query": "hit"})),
        _ => (tree, "find", json!({"scope": "Project Files"})),
    }
}

fn scopes(dice: &mut Dice) -> (usize, &'static str, Value) {
    let n = dice.below(1_000) + 2;
    let piece = |n: usize| match n % 4 {
        0 => format!("file:*a{n}*b*//*"),
        1 => format!("file[m{n}]:s//*"),
        2 => format!("!file:s/d{n}/{}", "a*".repeat(n % 200)),
        _ => format!("$s{}", n % 300),
    };
    if dice.is() {
        let pattern: Vec<String> = (0..n.min(400)).map(piece).collect();
        let scope = pattern.join(dice.one(&["||", "&&"]));
        if dice.below(4) == 0 {
            return (IDE, "scope_validate_pattern", json!({"patternText": scope}));
        }
        let query = dice.one(&["a", "x", "9"]);
        return (IDE, "scope_search_files", json!({"scope": scope, "query": query}));
    }
    let atoms: Vec<Value> = (0..n)
        .map(|n| json!({"atomId": format!("p{n}"), "kind": "PATTERN", "patternText": piece(n)}))
        .collect();
    let mut tokens = vec![json!({"op": "PUSH_ATOM", "atomId": "p0"})];
    for n in 1..n {
        tokens.push(json!({"op": "PUSH_ATOM", "atomId": format!("p{n}")}));
        tokens.push(json!({"op": dice.one(&["AND", "OR"])}));
    }
    let program = json!({"atoms": atoms, "tokens": tokens, "strict": false});
    match dice.below(2) {
        0 => (IDE, "scope_resolve_program", program),
        _ => (IDE, "find", json!({"scope": program})),
    }
}
