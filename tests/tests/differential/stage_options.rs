//! Random options of the two stages, each as arguments of our tool and as flags of the peer.

use crate::dice::Dice;
use serde_json::{Map, Value, json};

/// The same options as our arguments and as flags.
#[derive(Clone, Debug, Default)]
pub(crate) struct Options {
    pub(crate) args: Map<String, Value>,
    pub(crate) flags: Vec<String>,
}

/// Filter for file names.
#[derive(Clone, Debug)]
pub(crate) struct Names {
    pub(crate) options: Options,
    /// fd takes it after the flags.
    pub(crate) pattern: String,
}

/// Query for text.
#[derive(Clone, Debug)]
pub(crate) struct Query {
    pub(crate) options: Options,
    /// Flags that select files; ripgrep obeys them only if it selects files itself.
    pub(crate) choosing: Vec<String>,
    pub(crate) query: String,
}

const REGEXES: &[&str] = &[
    "", "a", "^a", "b$", "A", r"\.b$", "[ab]c?", r"\W", "^.$", "(a|c)", "ü", r"\pL$", "^-", ".",
    "^[^a]", r"\S\s", r"\n", "^!", "(?i)B", "[A-C]", r"^\[", "gz",
];
const GLOBS: &[&str] = &[
    "a*", "*.b", "?", "[ab]*", "{a,b}*", "A*", "*.{b,c}", r"\*", "!a", "-*", "[!a]*", "**", "*",
    r"\[a\]", "*[?*]*", "ü*", "*.tar.*",
];
const PATHS: &[&str] = &["c/.*a$", "[/]root[/]", "ba/", "^/.*b$", "/c/c/", "/A", "root/[^/]*$"];
const PATH_GLOBS: &[&str] = &["**/c/*", "**/*.b", "/**/a", "/**/roo[t]/*", "/*", "**/{a,ba}/**"];
const EXTENSIONS: &[&str] = &["b", ".c", "C", "tar.gz", "gz", "h"];
const EXCLUDES: &[&str] = &["*.b", "c", "c/", "ba/*", "/a", "[ab]", "**/c/a", "{a,ab}", "*", "A*"];
const SIZES: &[&str] = &["+1b", "-9b", "0b", "+1k", "-1ki", "+20b", "-20b"];
/// Times far from those of the files, which are in [`crate::odd_trees`].
const TIMES: &[&str] =
    &["1h", "1d", "10d", "2weeks", "2001-09-09", "2001-09-10", "2015-01-01 10:00:00"];

const QUERIES: &[&str] = &[
    "hit",
    "Hit",
    "HIT",
    "a.c",
    r"\bhit\b",
    "^$",
    "^",
    "été",
    "É",
    "h.t",
    r"\s+",
    "-v",
    "c$",
    r"\w+$",
    "hit|abc",
    r"\S",
    r"[^a-z ]",
    "^.{3}$",
    "ß",
    "$",
    "(?i)ÉTÉ",
    r"\x{fffd}",
    "filler",
    "--",
];
const BLOCKS: &[&str] = &[
    r"hit\nabc",
    r"[^\n]\n[^\n]",
    "(?s)t.*?h",
    r"c$\n^h",
    r"\n",
    r"\n\n",
    "^$",
    r"(?m)^hit[\s\S]*?$",
    r"\s+\S",
    "abc",
];
const CASES: &[(&str, &str)] = &[
    ("smart", "--smart-case"),
    ("insensitive", "--ignore-case"),
    ("sensitive", "--case-sensitive"),
];
const CHOICES: &[&str] = &["*.b", "a*", "c/**", "/a", "b*/", "[!a]*", "*", "{a,ab}", "**/a", "c"];
/// Except UTF-8: with an explicit encoding ripgrep counts columns in the decoded text.
const ENCODINGS: &[&str] = &["auto", "latin1", "utf-16le", "shift_jis"];

impl Options {
    fn set(&mut self, name: &str, value: impl Into<Value>) {
        self.args.insert(name.to_owned(), value.into());
    }

    /// Adds a parameter and its flag.
    fn with(&mut self, name: &str, flag: &str, value: impl Into<Value> + std::fmt::Display) {
        self.flags.push(format!("{flag}={value}"));
        self.set(name, value);
    }

    /// Adds a boolean parameter that is set.
    fn switch(&mut self, name: &str, flag: &str) {
        self.flags.push(flag.to_owned());
        self.set(name, true);
    }

    /// Adds a list, with a flag for each value.
    fn list(&mut self, name: &str, flag: &str, values: &[&str]) {
        self.flags.extend(values.iter().map(|value| format!("{flag}={value}")));
        self.set(name, json!(values));
    }
}

impl Names {
    pub(crate) fn follows(&self) -> bool {
        self.options.args.contains_key("follow_symlinks")
    }
}

impl Query {
    pub(crate) fn drop_encoding(&mut self) {
        self.options.args.remove("encoding");
        self.options.flags.retain(|flag| !flag.starts_with("--encoding="));
    }
}

/// Draws stage 1.
pub(crate) fn names(dice: &mut Dice) -> Names {
    let mut options = Options::default();
    let pattern = match dice.below(13) {
        0..=4 => "",
        5..=8 => dice.one(REGEXES),
        9 | 10 => {
            options.switch("glob", "--glob");
            dice.one(GLOBS)
        }
        11 => {
            options.switch("full_path_match", "--full-path");
            dice.one(PATHS)
        }
        _ => {
            options.switch("glob", "--glob");
            options.switch("full_path_match", "--full-path");
            dice.one(PATH_GLOBS)
        }
    };
    if !pattern.is_empty() {
        options.set("pattern", pattern);
    }
    // By default fd returns entries of any type, our tool regular files.
    let types = if dice.once_in(4) { types(dice) } else { vec!["f"] };
    options.list("types", "--type", &types);
    // fd compares the size of links and regular files only, so links are left out.
    if dice.once_in(6) && !types.contains(&"l") {
        options.list("size", "--size", &dice.some(SIZES, 2));
    }
    for (name, flag, values) in
        [("extensions", "--extension", EXTENSIONS), ("exclude", "--exclude", EXCLUDES)]
    {
        if dice.once_in(6) {
            options.list(name, flag, &dice.some(values, 2));
        }
    }
    if dice.once_in(4) {
        options.with("depth", "--max-depth", dice.below(3) as u64 + 1);
    }
    for (name, flag) in
        [("changed_within", "--changed-within"), ("changed_before", "--changed-before")]
    {
        if dice.once_in(8) {
            options.with(name, flag, dice.one(TIMES));
        }
    }
    for (name, flag) in
        [("hidden", "--hidden"), ("no_ignore", "--no-ignore"), ("follow_symlinks", "--follow")]
    {
        if dice.once_in(6) {
            options.switch(name, flag);
        }
    }
    Names { options, pattern: pattern.to_owned() }
}

fn types(dice: &mut Dice) -> Vec<&'static str> {
    let mut types = dice.some(&["f", "d", "l", "x", "e"], 3);
    // fd checks whether the target of a link is executable, and with `l` and `e` also returns files.
    if types.contains(&"l") {
        types.retain(|letter| !["x", "e"].contains(letter));
    }
    types
}

/// Draws stage 2.
pub(crate) fn query(dice: &mut Dice) -> Query {
    let mut options = Options::default();
    let is_multiline = dice.once_in(4);
    let query = dice.one(if is_multiline { BLOCKS } else { QUERIES });
    options.set("query", query);
    let (case, flag) = dice.one(CASES);
    options.set("case", case);
    options.flags.push(flag.to_owned());
    if dice.once_in(6) {
        options.switch("word", "--word-regexp");
    }
    if is_multiline {
        options.switch("multiline", "--multiline");
    } else if dice.once_in(5) {
        options.switch("fixed_strings", "--fixed-strings");
    }
    for (name, flag) in
        [("context_before", "--before-context"), ("context_after", "--after-context")]
    {
        if dice.once_in(3) {
            options.with(name, flag, dice.below(4) as u64);
        }
    }
    if dice.once_in(4) {
        options.with("max_count", "--max-count", dice.below(3) as u64 + 1);
    }
    if dice.once_in(6) {
        options.with("encoding", "--encoding", dice.one(ENCODINGS));
    }
    let choosing = choosing(dice, &mut options);
    Query { options, choosing, query: query.to_owned() }
}

fn choosing(dice: &mut Dice, options: &mut Options) -> Vec<String> {
    let mut choosing = Vec::new();
    for (name, mark) in [("include_globs", ""), ("exclude_globs", "!")] {
        if dice.once_in(6) {
            let globs = dice.some(CHOICES, 2);
            choosing.extend(globs.iter().map(|glob| format!("--glob={mark}{glob}")));
            options.set(name, json!(globs));
        }
    }
    if dice.once_in(6) {
        let size = dice.one(&["0", "8", "1K", "1M"]);
        options.set("max_filesize", size);
        choosing.push(format!("--max-filesize={size}"));
    }
    choosing
}
