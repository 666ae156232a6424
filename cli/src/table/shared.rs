//! Flags that several verbs have, and those of the small verbs.

use super::Takes::{Choice, Number, Path, Seconds, Switch, Text, Texts, TrueOr, Word};
use super::{Flag, flag};

pub(super) const CURSOR: Flag = flag(
    "cursor",
    None,
    "cursor",
    Text,
    "CURSOR",
    "Continue after the output that ended with this cursor; all other arguments must be the same",
);

/// Flags that select files by their properties, for `search` and `find`.
#[rustfmt::skip]
pub(super) const ANY_FILES: &[Flag] = &[
    flag("changed", None, "changed", TrueOr("since"), "REV", "Only files that differ from HEAD in git, or with =REV from the merge base with REV"),
    flag("changed-within", None, "changed_within", Text, "TIME", "Only files modified within 2h, 3d, ... or since a date"),
    flag("changed-before", None, "changed_before", Text, "TIME", "Only files modified before 2h, 3d, ... or a date"),
    Flag { aliases: &["maxdepth"], ..flag("max-depth", Some('d'), "depth", Number, "NUM", "Descend at most NUM levels") },
    flag("follow", Some('L'), "follow", Switch, "", "Follow symlinks inside the root"),
    flag("worktrees", None, "worktrees", Switch, "", "Also worktrees of git inside the root, which are copies"),
    flag("nfc", None, "normalize", Word("nfc"), "", "Compare names and text in Unicode's NFC, so that both forms of an accent match"),
];

pub(super) const SCOPE_FLAG: Flag = flag(
    "scope",
    None,
    "scope",
    Text,
    "SCOPE",
    "Only files of this scope: production, tests, libraries, module:NAME, or a pattern",
);

#[rustfmt::skip]
pub(super) const SYMBOL_FLAGS: &[Flag] = &[
    SCOPE_FLAG,
    flag("kind", None, "kinds", Texts, "KIND", "Only definitions of this kind: class (also struct, enum, trait, interface, type), method (function), field (variable, constant) or symbol (module, macro)"),
    flag("limit", None, "maxResultCount", Number, "NUM", "Print at most NUM definitions"),
    flag("timeout", None, "timeoutMillis", Seconds, "SECONDS", "Stop after this time and print the results so far"),
];

#[rustfmt::skip]
pub(super) const DOCUMENT_FLAGS: &[Flag] = &[
    flag("case-sensitive", Some('s'), "case_sensitive", Switch, "", "Match case"),
    flag("context-chars", None, "context_chars", Number, "NUM", "Print NUM characters around each match"),
    flag("max-count", Some('m'), "max_results", Number, "NUM", "Print at most NUM matches of each document"),
];

#[rustfmt::skip]
pub(super) const LOOK_FLAGS: &[Flag] = &[
    flag("like", None, "like", Text, "PLACE", "Instead of a question: print code in other files like that at PLACE, such as src/a.rs:40"),
    flag("only", None, "only", Choice(&[("definitions", "definitions"), ("names", "names"), ("files", "files"), ("count", "count"), ("calls", "calls"), ("inheritance", "inheritance"), ("comments", "comments"), ("strings", "strings"), ("production", "production"), ("tests", "tests"), ("docs", "docs")]), "KIND", "Only such rows"),
    flag("glob", Some('g'), "files", Texts, "GLOB", "Only files that match, or with ! before it do not"),
    flag("since", None, "since", Text, "TIME", "Only files changed within 2h, 3d, ... or since a date; \"changed\": that differ from HEAD in git"),
    flag("page", None, "page", Number, "NUM", "Print from this row on, as the last line of the output names it"),
    flag("bytes", None, "bytes_max", Number, "NUM", "Print at most NUM bytes"),
];

#[rustfmt::skip]
pub(super) const OUTLINE_FLAGS: &[Flag] = &[
    flag("bytes", None, "bytes_max", Number, "NUM", "Print at most NUM bytes"),
];

#[rustfmt::skip]
const COLOR: Flag = Flag {
    aliases: &["colour"],
    ..flag("color", None, "", Choice(&[("auto", ""), ("always", ""), ("never", ""), ("ansi", "")]), "WHEN", "Whether to color the output; ansi is always [default: auto]")
};

const PRETTY_HELP: &str = "Print as on a terminal: colors, headings, the last line";

pub(super) const PRETTY: Flag = flag("pretty", None, "", Switch, "", PRETTY_HELP);

/// The same with the letter that ripgrep has for it; in `find` it is fd's for whole paths.
pub(super) const SEARCH_PRETTY: Flag = flag("pretty", Some('p'), "", Switch, "", PRETTY_HELP);

/// The form of the output; every verb for people has them.
#[rustfmt::skip]
pub(super) const OUTPUT: &[Flag] = &[
    COLOR,
    flag("json", None, "", Switch, "", "Print the reply of the tool as JSON"),
    COMPACT,
];

pub(super) const COMPACT: Flag = flag(
    "compact",
    None,
    "",
    Switch,
    "",
    "Print the reply of the tool as the text that agents read",
);

pub(super) const ROOT: Flag = flag(
    "root",
    None,
    "",
    Path,
    "DIR",
    "Open DIR; nothing outside is read, and paths count from there",
);

pub(super) const DENY: Flag = flag(
    "deny",
    None,
    "deny",
    Texts,
    "GLOB",
    "What nothing may read or name, a line as in .gitignore",
);

pub(super) const DENY_SECRETS: Flag = flag(
    "deny-secrets",
    None,
    "deny_secrets",
    Switch,
    "",
    "Deny files that hold credentials; \"searchscope secrets\" lists them",
);

pub(super) const REQUIRE_GIT: Flag = flag(
    "require-git",
    None,
    "require_git",
    Switch,
    "",
    "Obey .gitignore only inside git repositories",
);

pub(super) const GIT_DIR_OUTSIDE_ROOT: Flag = flag(
    "git-dir-outside-root",
    None,
    "git_dir_outside_root",
    Switch,
    "",
    "Read git directories outside of the root for changed files, as in a worktree of git",
);

pub(super) const THREADS: Flag = flag(
    "threads",
    Some('j'),
    "threads",
    Number,
    "NUM",
    "Threads [default: the processors, at most 8]",
);

pub(super) const ENCODING: Flag = flag(
    "encoding",
    None,
    "encodings",
    Texts,
    "ENCODING",
    "An encoding of texts that are not UTF-8; the first of several that fits a text",
);

pub(super) const DOC_SUFFIX: Flag = flag(
    "doc-suffix",
    None,
    "doc_suffixes",
    Texts,
    "SUFFIX",
    "How names of documents end [default: .md]",
);

pub(super) const EXCLUDE: Flag = flag(
    "exclude",
    None,
    "excludes",
    Texts,
    "GLOB",
    "Documents to leave out, a line as in .gitignore",
);

/// The options of the workspace that every verb for people has.
pub(super) const OPTIONS: &[Flag] =
    &[DENY, DENY_SECRETS, REQUIRE_GIT, GIT_DIR_OUTSIDE_ROOT, THREADS];

/// The same, and those for documents.
pub(super) const DOCUMENT_OPTIONS: &[Flag] = &[
    DENY,
    DENY_SECRETS,
    REQUIRE_GIT,
    GIT_DIR_OUTSIDE_ROOT,
    THREADS,
    ENCODING,
    DOC_SUFFIX,
    EXCLUDE,
];

/// The same, and those that some tools need: all of `searchscope call`.
#[rustfmt::skip]
pub(super) const CALL_OPTIONS: &[Flag] = &[
    DENY, DENY_SECRETS, REQUIRE_GIT, GIT_DIR_OUTSIDE_ROOT, THREADS, ENCODING, DOC_SUFFIX, EXCLUDE,
    flag("docs-root", None, "docs_root", Text, "DIR", "Where the documents are, from the root [default: the root]"),
    flag("output-dir", None, "output_dir", Text, "DIR", "Where find_and_grep may write files [default: nowhere]"),
];
