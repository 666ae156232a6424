//! The flags of `find`.

use super::Takes::{Choice, Number, Repeated, Seconds, Switch, Texts, Word};
use super::shared::{CURSOR, SCOPE_FLAG};
use super::{Flag, flag};

/// Flags that select the printed files.
#[rustfmt::skip]
pub(super) const FILES: &[Flag] = &[
    flag("glob", Some('g'), "glob", Switch, "", "Treat PATTERN as a glob, not as a regex"),
    flag("fixed-strings", Some('F'), "", Switch, "", "Treat PATTERN as literal text, not as a regex"),
    flag("ignore-case", Some('i'), "", Switch, "", "Ignore the case of letters"),
    flag("case-sensitive", Some('s'), "", Switch, "", "Match the case of letters"),
    flag("full-path", Some('p'), "full_path_match", Switch, "", "Compare PATTERN with the absolute path"),
    flag("extension", Some('e'), "extensions", Texts, "EXT", "Only files with this extension"),
    flag("exclude", Some('E'), "", Texts, "GLOB", "Leave out files and directories that match GLOB"),
    flag("type", Some('t'), "types", Texts, "KIND", "Kinds of entries: f or file, d or directory, l or symlink, x or executable, e or empty [default: f]"),
    flag("size", Some('S'), "size", Texts, "SIZE", "Only files of this size: +10k at least, -1m at most"),
    flag("hidden", Some('H'), "hidden", Switch, "", "Include files and directories whose name begins with a dot"),
    flag("no-ignore", Some('I'), "no_ignore", Switch, "", "Include files that .gitignore and .ignore exclude"),
    flag("unrestricted", Some('u'), "", Repeated, "", "As --no-ignore --hidden"),
    flag("list-details", Some('l'), "details", Switch, "", "Print the kind, size and time of each file"),
    flag("print0", Some('0'), "", Switch, "", "End each path with a NUL instead of a line feed"),
    SCOPE_FLAG,
];

/// Flags for the order and number of results.
#[rustfmt::skip]
pub(super) const AMOUNT: &[Flag] = &[
    flag("sort", None, "order", Choice(&[
        ("path", "path"), ("newest", "mtime"), ("largest", "size"),
    ]), "ORDER", "Order of the files [default: path]"),
    flag("newest", None, "order", Word("mtime"), "", "Most recently modified files first"),
    flag("limit", None, "files_max", Number, "NUM", "Print at most NUM files"),
    flag("max-results", None, "files_max", Number, "NUM", "The same as --limit, without a message about the rest; 0 for all"),
    flag("max-one-result", Some('1'), "", Switch, "", "Print the first file only"),
    CURSOR,
    flag("timeout", None, "deadline_ms", Seconds, "SECONDS", "Stop after this time and print the results so far"),
];
