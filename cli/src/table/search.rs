//! The flags of `search`.

use super::Takes::{Choice, Number, Repeated, Seconds, Switch, Text, Texts, Word};
use super::shared::{CURSOR, SCOPE_FLAG};
use super::{Flag, flag};

/// Flags that select the matching lines.
#[rustfmt::skip]
pub(super) const MATCHING: &[Flag] = &[
    flag("regexp", Some('e'), "", Texts, "PATTERN", "Search for this pattern too; PATTERN is then a PATH"),
    flag("ignore-case", Some('i'), "case", Word("insensitive"), "", "Ignore the case of letters"),
    flag("smart-case", Some('S'), "case", Word("smart"), "", "Ignore case unless the pattern has a capital letter"),
    flag("case-sensitive", Some('s'), "case", Word("sensitive"), "", "Match the case of letters [default]"),
    flag("word-regexp", Some('w'), "word", Switch, "", "Match whole words only"),
    flag("line-regexp", Some('x'), "", Switch, "", "Match whole lines only"),
    flag("invert-match", Some('v'), "", Switch, "", "Print the lines that do not match"),
    flag("fixed-strings", Some('F'), "literal", Switch, "", "Treat the pattern as literal text, not as a regex"),
    flag("multiline", Some('U'), "multiline", Switch, "", "Let a match span several lines"),
    flag("in", None, "search_context", Choice(&[
        ("comments", "in_comments"),
        ("strings", "in_string_literals"),
        ("code", "except_comments_and_string_literals"),
    ]), "WHERE", "Match only in comments, in string literals or in the code around them"),
    flag("encoding", Some('E'), "encoding", Text, "ENCODING", "Encoding of files without a byte order mark"),
];

/// Flags that select the printed parts of matching files.
#[rustfmt::skip]
pub(super) const PRINTING: &[Flag] = &[
    flag("context", Some('C'), "context_before context_after", Number, "NUM", "Print NUM lines around each match"),
    flag("before-context", Some('B'), "context_before", Number, "NUM", "Print NUM lines before each match"),
    flag("after-context", Some('A'), "context_after", Number, "NUM", "Print NUM lines after each match"),
    flag("enclosing", None, "enclosing", Switch, "", "Name the definition around each match"),
    flag("uses", None, "uses", Texts, "KIND", "Say how each match is used, and print only this kind: call, import, type, inheritance, assignment, definition, comment, string, other, or any for all"),
    flag("only-matching", Some('o'), "", Switch, "", "Print each match on a line of its own, without the text around it"),
    flag("files-with-matches", Some('l'), "mode", Word("files"), "", "Print only the paths of files that match"),
    flag("count", Some('c'), "mode", Word("count"), "", "Print only the number of matching lines of each file"),
    flag("count-matches", None, "mode", Word("matches"), "", "Print only the number of matches of each file"),
    flag("quiet", Some('q'), "", Switch, "", "Print nothing; the exit status reports whether there is a match"),
    flag("files", None, "", Switch, "", "Print the files that would be searched; PATTERN is then a PATH"),
    flag("type-list", None, "", Switch, "", "Print the types of -t with their globs"),
];

/// Flags for the form of the printed lines.
#[rustfmt::skip]
pub(super) const FORM: &[Flag] = &[
    flag("heading", None, "", Switch, "", "Print each path once, above its lines"),
    flag("no-heading", None, "", Switch, "", "Print the path in each line"),
    flag("with-filename", Some('H'), "", Switch, "", "Print paths [default]"),
    flag("no-filename", Some('I'), "", Switch, "", "Print no paths"),
    flag("line-number", Some('n'), "", Switch, "", "Print line numbers [default]"),
    flag("no-line-number", Some('N'), "", Switch, "", "Print no line numbers"),
    flag("column", None, "", Switch, "", "Print the column of the first match, in bytes from 1"),
    flag("no-column", None, "", Switch, "", "Print no columns [default]"),
    flag("vimgrep", None, "", Switch, "", "Print a line with path, number and column for each match"),
    flag("max-columns", Some('M'), "", Number, "NUM", "Omit the text of lines over NUM bytes, 0 for no limit"),
    flag("trim", None, "", Switch, "", "Remove white space at the beginning of lines"),
    flag("null", Some('0'), "", Switch, "", "Print a NUL after each path"),
    flag("stats", None, "", Switch, "", "Print the numbers of matches, lines and files at the end"),
];

/// Flags for the order and number of results.
#[rustfmt::skip]
pub(super) const AMOUNT: &[Flag] = &[
    flag("sort", None, "order", Choice(&[
        ("path", "path"), ("newest", "mtime"), ("relevance", "relevance"), ("modified", "oldest"),
        ("none", "path"),
    ]), "ORDER", "Order of the files; modified is oldest first [default: path]"),
    flag("sortr", None, "order", Choice(&[("path", "path_descending"), ("modified", "mtime")]), "ORDER", "Order of the files, descending"),
    flag("newest", None, "order", Word("mtime"), "", "Most recently modified files first"),
    flag("max-count", Some('m'), "matches_per_file_max", Number, "NUM", "Print at most NUM lines of each file"),
    flag("limit", None, "matches_max", Number, "NUM", "Print at most NUM lines in total, or files with -l"),
    CURSOR,
    flag("timeout", None, "deadline_ms", Seconds, "SECONDS", "Stop after this time and print the results so far"),
];

/// Flags that select the searched files.
#[rustfmt::skip]
pub(super) const FILES: &[Flag] = &[
    flag("glob", Some('g'), "globs", Texts, "GLOB", "Only files that match GLOB, or with a leading ! all others"),
    flag("iglob", None, "", Texts, "GLOB", "As --glob, ignoring the case of letters"),
    flag("type", Some('t'), "", Texts, "TYPE", "Only files of this type, such as rust or py"),
    flag("hidden", Some('.'), "hidden", Switch, "", "Include files and directories whose name begins with a dot"),
    flag("no-ignore", None, "no_ignore", Switch, "", "Include files that .gitignore and .ignore exclude"),
    flag("unrestricted", Some('u'), "", Repeated, "", "As --no-ignore; -uu also as --hidden"),
    SCOPE_FLAG,
];
