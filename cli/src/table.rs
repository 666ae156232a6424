//! The table of verbs and flags.
//!
//! Help, completions, the man page, the tools' arguments and the names in errors are generated from it, so
//! they cannot differ. A row names the tool parameter that it sets. Limits and defaults belong to the tools
//! and are not repeated here.

/// A verb of the command.
#[derive(Debug)]
pub(crate) struct Verb {
    pub(crate) name: &'static str,
    pub(crate) short: Option<&'static str>,
    pub(crate) about: &'static str,
    pub(crate) operands: &'static [Operand],
    /// Groups of flags, each with a heading for the help.
    pub(crate) flags: &'static [(&'static str, &'static [Flag])],
    /// Flags that set options of the workspace: their parameters are those of `open_workspace`.
    pub(crate) options: &'static [Flag],
    pub(crate) examples: &'static str,
}

/// A positional argument.
#[derive(Debug)]
pub(crate) struct Operand {
    /// Its name in help and errors.
    pub(crate) name: &'static str,
    /// The tool parameter that it sets; "" if the verb reads it itself.
    pub(crate) param: &'static str,
    pub(crate) help: &'static str,
    pub(crate) is_required: bool,
    pub(crate) is_list: bool,
}

/// A flag: its names, and the parameter it sets.
#[derive(Debug)]
pub(crate) struct Flag {
    pub(crate) long: &'static str,
    pub(crate) short: Option<char>,
    /// The tool parameter that it sets; "" if the verb reads it itself.
    pub(crate) param: &'static str,
    pub(crate) takes: Takes,
    /// The name of the value in help; "" for a switch.
    pub(crate) value: &'static str,
    pub(crate) help: &'static str,
}

/// The value of a flag, and its form in the tool's arguments.
#[derive(Debug)]
pub(crate) enum Takes {
    /// No value: the parameter becomes true.
    Switch,
    /// No value: the parameter becomes this word.
    Word(&'static str),
    /// One of these words, each with the tool's word for it.
    Choice(&'static [(&'static str, &'static str)]),
    /// No value: the parameter becomes true. `=TEXT`: it becomes an object with the text in this field.
    TrueOr(&'static str),
    /// A number.
    Number,
    /// Seconds; the tool takes milliseconds.
    Seconds,
    /// A text.
    Text,
    /// A text for each occurrence of the flag.
    Texts,
}

use Takes::{Choice, Number, Seconds, Switch, Text, Texts, TrueOr, Word};

const fn flag(
    long: &'static str,
    short: Option<char>,
    param: &'static str,
    takes: Takes,
    value: &'static str,
    help: &'static str,
) -> Flag {
    Flag { long, short, param, takes, value, help }
}

const fn operand(
    name: &'static str,
    param: &'static str,
    is_required: bool,
    is_list: bool,
    help: &'static str,
) -> Operand {
    Operand { name, param, help, is_required, is_list }
}

/// Flags that select the matching lines.
#[rustfmt::skip]
const MATCHING: &[Flag] = &[
    flag("regexp", Some('e'), "", Texts, "PATTERN", "Search for this pattern too; PATTERN is then a PATH"),
    flag("ignore-case", Some('i'), "case", Word("insensitive"), "", "Ignore the case of letters"),
    flag("smart-case", Some('S'), "case", Word("smart"), "", "Ignore case unless the pattern has a capital letter"),
    flag("word-regexp", Some('w'), "word", Switch, "", "Match whole words only"),
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
const PRINTING: &[Flag] = &[
    flag("context", Some('C'), "context_before context_after", Number, "NUM", "Print NUM lines around each match"),
    flag("before-context", Some('B'), "context_before", Number, "NUM", "Print NUM lines before each match"),
    flag("after-context", Some('A'), "context_after", Number, "NUM", "Print NUM lines after each match"),
    flag("enclosing", None, "enclosing", Switch, "", "Name the definition around each match"),
    flag("files-with-matches", Some('l'), "mode", Word("files"), "", "Print only the paths of files that match"),
    flag("count", Some('c'), "mode", Word("count"), "", "Print only the number of matching lines of each file"),
    flag("line-number", Some('n'), "", Switch, "", "Print line numbers (always on)"),
];

/// Flags for the order and number of `search` results.
#[rustfmt::skip]
const SEARCH_AMOUNT: &[Flag] = &[
    flag("sort", None, "order", Choice(&[
        ("path", "path"), ("newest", "mtime"), ("relevance", "relevance"),
    ]), "ORDER", "Order of the files [default: path]"),
    flag("newest", None, "order", Word("mtime"), "", "Most recently modified files first"),
    flag("max-count", Some('m'), "matches_per_file_max", Number, "NUM", "Print at most NUM lines of each file"),
    flag("limit", None, "matches_max", Number, "NUM", "Print at most NUM lines in total, or files with -l"),
    CURSOR,
    flag("timeout", None, "deadline_ms", Seconds, "SECONDS", "Stop after this time and print the results so far"),
];

/// Flags for the order and number of `find` results.
#[rustfmt::skip]
const FIND_AMOUNT: &[Flag] = &[
    flag("sort", None, "order", Choice(&[
        ("path", "path"), ("newest", "mtime"), ("largest", "size"),
    ]), "ORDER", "Order of the files [default: path]"),
    flag("newest", None, "order", Word("mtime"), "", "Most recently modified files first"),
    flag("limit", None, "files_max", Number, "NUM", "Print at most NUM files"),
    CURSOR,
    flag("timeout", None, "deadline_ms", Seconds, "SECONDS", "Stop after this time and print the results so far"),
];

const CURSOR: Flag = flag(
    "cursor",
    None,
    "cursor",
    Text,
    "CURSOR",
    "Continue after the output that ended with this cursor; all other arguments must be the same",
);

/// Flags that select the files that `search` reads.
#[rustfmt::skip]
const SEARCHED_FILES: &[Flag] = &[
    flag("glob", Some('g'), "globs", Texts, "GLOB", "Only files that match GLOB, or with a leading ! all others"),
    flag("type", Some('t'), "", Texts, "TYPE", "Only files of this type, such as rust or py"),
    flag("hidden", Some('.'), "hidden", Switch, "", "Include files and directories whose name begins with a dot"),
    flag("no-ignore", None, "no_ignore", Switch, "", "Include files that .gitignore and .ignore exclude"),
    SCOPE_FLAG,
];

/// Flags that select the files that `find` prints.
#[rustfmt::skip]
const FOUND_FILES: &[Flag] = &[
    flag("glob", Some('g'), "glob", Switch, "", "Treat PATTERN as a glob, not as a regex"),
    flag("full-path", Some('p'), "full_path_match", Switch, "", "Compare PATTERN with the absolute path"),
    flag("extension", Some('e'), "extensions", Texts, "EXT", "Only files with this extension"),
    flag("type", Some('t'), "types", Texts, "KIND", "Kinds of entries: f, d, l, x or e [default: f]"),
    flag("size", Some('S'), "size", Texts, "SIZE", "Only files of this size: +10k at least, -1m at most"),
    flag("hidden", Some('H'), "hidden", Switch, "", "Include files and directories whose name begins with a dot"),
    flag("no-ignore", Some('I'), "no_ignore", Switch, "", "Include files that .gitignore and .ignore exclude"),
    flag("list-details", Some('l'), "details", Switch, "", "Print the kind, size and time of each file"),
    flag("print0", Some('0'), "", Switch, "", "End each path with a NUL instead of a line feed"),
    SCOPE_FLAG,
];

/// Flags that select files by their properties, for `search` and `find`.
#[rustfmt::skip]
const ANY_FILES: &[Flag] = &[
    flag("changed", None, "changed", TrueOr("since"), "REV", "Only files that differ from HEAD in git, or with =REV from the merge base with REV"),
    flag("changed-within", None, "changed_within", Text, "TIME", "Only files modified within 2h, 3d, ... or since a date"),
    flag("changed-before", None, "changed_before", Text, "TIME", "Only files modified before 2h, 3d, ... or a date"),
    flag("max-depth", Some('d'), "depth", Number, "NUM", "Descend at most NUM levels"),
    flag("follow", Some('L'), "follow", Switch, "", "Follow symlinks inside the root"),
    flag("worktrees", None, "worktrees", Switch, "", "Also worktrees of git inside the root, which are copies"),
    flag("nfc", None, "normalize", Word("nfc"), "", "Compare names and text in Unicode's NFC, so that both forms of an accent match"),
];

const SCOPE_FLAG: Flag = flag(
    "scope",
    None,
    "scope",
    Text,
    "SCOPE",
    "Only files of this scope: production, tests, libraries, module:NAME, or a pattern",
);

#[rustfmt::skip]
const SYMBOL_FLAGS: &[Flag] = &[
    SCOPE_FLAG,
    flag("kind", None, "kinds", Texts, "KIND", "Only definitions of this kind: class, method, field or symbol"),
    flag("limit", None, "maxResultCount", Number, "NUM", "Print at most NUM definitions"),
    flag("timeout", None, "timeoutMillis", Seconds, "SECONDS", "Stop after this time and print the results so far"),
];

#[rustfmt::skip]
const DOCUMENT_FLAGS: &[Flag] = &[
    flag("case-sensitive", Some('s'), "case_sensitive", Switch, "", "Match case"),
    flag("context-chars", None, "context_chars", Number, "NUM", "Print NUM characters around each match"),
    flag("max-count", Some('m'), "max_results", Number, "NUM", "Print at most NUM matches of each document"),
];

#[rustfmt::skip]
const OUTLINE_FLAGS: &[Flag] = &[
    flag("bytes", None, "bytes_max", Number, "NUM", "Print at most NUM bytes"),
];

/// The form of the output; every verb for people has them.
#[rustfmt::skip]
const OUTPUT: &[Flag] = &[
    flag("color", None, "", Choice(&[("auto", ""), ("always", ""), ("never", "")]), "WHEN", "Whether to color the output [default: auto]"),
    flag("pretty", None, "", Switch, "", "Print as on a terminal: colors, headings, the last line"),
    flag("json", None, "", Switch, "", "Print the reply of the tool as JSON"),
    COMPACT,
];

const COMPACT: Flag = flag(
    "compact",
    None,
    "",
    Switch,
    "",
    "Print the reply of the tool as the text that agents read",
);

const ROOT: Flag = flag(
    "root",
    None,
    "",
    Text,
    "DIR",
    "Open DIR; nothing outside is read, and paths count from there",
);

const DENY: Flag = flag(
    "deny",
    None,
    "deny",
    Texts,
    "GLOB",
    "What nothing may read or name, a line as in .gitignore",
);

const DENY_SECRETS: Flag = flag(
    "deny-secrets",
    None,
    "deny_secrets",
    Switch,
    "",
    "Deny files that hold credentials; \"searchscope secrets\" lists them",
);

const REQUIRE_GIT: Flag = flag(
    "require-git",
    None,
    "require_git",
    Switch,
    "",
    "Obey .gitignore only inside git repositories",
);

const GIT_DIR_OUTSIDE_ROOT: Flag = flag(
    "git-dir-outside-root",
    None,
    "git_dir_outside_root",
    Switch,
    "",
    "Read git directories outside of the root for changed files, as in a worktree of git",
);

const THREADS: Flag =
    flag("threads", None, "threads", Number, "NUM", "Threads [default: the processors, at most 8]");

const ENCODING: Flag = flag(
    "encoding",
    None,
    "encodings",
    Texts,
    "ENCODING",
    "An encoding of texts that are not UTF-8; the first of several that fits a text",
);

const DOC_SUFFIX: Flag = flag(
    "doc-suffix",
    None,
    "doc_suffixes",
    Texts,
    "SUFFIX",
    "How names of documents end [default: .md]",
);

const EXCLUDE: Flag = flag(
    "exclude",
    None,
    "excludes",
    Texts,
    "GLOB",
    "Documents to leave out, a line as in .gitignore",
);

/// The options of the workspace that every verb for people has.
const OPTIONS: &[Flag] = &[DENY, DENY_SECRETS, REQUIRE_GIT, GIT_DIR_OUTSIDE_ROOT, THREADS];

/// The same, and those for documents.
const DOCUMENT_OPTIONS: &[Flag] = &[
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
const CALL_OPTIONS: &[Flag] = &[
    DENY, DENY_SECRETS, REQUIRE_GIT, GIT_DIR_OUTSIDE_ROOT, THREADS, ENCODING, DOC_SUFFIX, EXCLUDE,
    flag("docs", None, "docs_root", Text, "DIR", "Where the documents are, from the root [default: the root]"),
    flag("output-dir", None, "output_dir", Text, "DIR", "Where find_and_grep may write files [default: nowhere]"),
];

const PATHS: Operand = operand(
    "PATH",
    "",
    false,
    true,
    "Files and directories to search [default: the current directory]",
);

pub(crate) const SEARCH: &Verb = &Verb {
    name: "search",
    short: Some("s"),
    about: "Print the lines of files that match a pattern",
    operands: &[
        operand(
            "PATTERN",
            "patterns",
            false,
            false,
            "A regular expression, or literal text with -F",
        ),
        PATHS,
    ],
    flags: &[
        ("Matching", MATCHING),
        ("Printing", PRINTING),
        ("Order and limits", SEARCH_AMOUNT),
        ("Files", SEARCHED_FILES),
        ("Files", ANY_FILES),
        ("Output and root", OUTPUT),
        ("Output and root", &[ROOT]),
    ],
    options: OPTIONS,
    examples: "  searchscope search TODO src
  searchscope s -w -t rust --in code unwrap
  searchscope s --scope tests --enclosing 'sleep\\('",
};

pub(crate) const FIND: &Verb = &Verb {
    name: "find",
    short: Some("f"),
    about: "Print the files whose name matches a pattern",
    operands: &[
        operand("PATTERN", "name_pattern", false, false, "A regex for the name; smart case"),
        PATHS,
    ],
    flags: &[
        ("Files", FOUND_FILES),
        ("Files", ANY_FILES),
        ("Order and limits", FIND_AMOUNT),
        ("Output and root", OUTPUT),
        ("Output and root", &[ROOT]),
    ],
    options: OPTIONS,
    examples: "  searchscope find '^test_' src
  searchscope f -g '*.py' --newest --limit 10
  searchscope f -e rs -S +100k",
};

pub(crate) const SYMBOLS: &Verb = &Verb {
    name: "symbols",
    short: Some("sym"),
    about: "Print where functions, types and other names are defined, best first",
    operands: &[operand("NAME", "query", true, false, "A name, a part of it, or its initials")],
    flags: &[
        ("Definitions", SYMBOL_FLAGS),
        ("Output and root", OUTPUT),
        ("Output and root", &[ROOT]),
    ],
    options: OPTIONS,
    examples: "  searchscope symbols Workspace::open
  searchscope sym rp --kind method",
};

pub(crate) const DOCS: &Verb = &Verb {
    name: "docs",
    short: None,
    about: "Search text in Markdown documents",
    operands: &[
        operand("TEXT", "query", true, false, "A word or phrase"),
        operand("DIR", "", false, false, "Directory to search [default: the current directory]"),
    ],
    flags: &[
        ("Documents", DOCUMENT_FLAGS),
        ("Output and root", OUTPUT),
        ("Output and root", &[ROOT]),
    ],
    options: DOCUMENT_OPTIONS,
    examples: "  searchscope docs 'exit status'",
};

pub(crate) const SCOPE: &Verb = &Verb {
    name: "scope",
    short: None,
    about: "Print the files of a scope, or list all scopes without a pattern",
    operands: &[operand(
        "PATTERN",
        "scope",
        false,
        false,
        "production, tests, libraries, module:NAME, or a pattern such as 'file:src//*'",
    )],
    flags: &[
        ("Order and limits", FIND_AMOUNT),
        ("Output and root", OUTPUT),
        ("Output and root", &[ROOT]),
    ],
    options: OPTIONS,
    examples: "  searchscope scope
  searchscope scope 'file:src//*&&!file:*.md'",
};

pub(crate) const OUTLINE: &Verb = &Verb {
    name: "outline",
    short: None,
    about: "Print the definitions in a file or directory as a tree",
    operands: &[operand("FILE", "", true, false, "A file or a directory")],
    flags: &[("Outline", OUTLINE_FLAGS), ("Output and root", OUTPUT), ("Output and root", &[ROOT])],
    options: OPTIONS,
    examples: "  searchscope outline src/main.rs",
};

/// The verb for programs: any tool by its name.
pub(crate) const CALL: &Verb = &Verb {
    name: "call",
    short: None,
    about: "Call a tool and print its reply, JSON",
    operands: &[
        operand("TOOL", "", true, false, "The name of a tool, as \"searchscope tools\" lists them"),
        operand(
            "JSON",
            "",
            false,
            false,
            "Its arguments, an object; - reads standard input [default: {}]",
        ),
    ],
    flags: &[(
        "Reply and root",
        &[
            COMPACT,
            flag("timeout", None, "", Seconds, "SECONDS", "End the call after this time"),
            flag(
                "root",
                None,
                "",
                Text,
                "DIR",
                "Open DIR; nothing outside is read [default: the current directory]",
            ),
        ],
    )],
    options: CALL_OPTIONS,
    examples: "  searchscope call search '{\"patterns\": [\"TODO\"]}'
  echo '{\"q\": \"parse\"}' | searchscope call look - --root src",
};

pub(crate) const VERBS: &[&Verb] = &[SEARCH, FIND, SYMBOLS, DOCS, SCOPE, OUTLINE, CALL];

impl Verb {
    /// Returns the flags that the verb or its tool reads, and those that set options of the workspace.
    pub(crate) fn all_flags(&self) -> impl Iterator<Item = &'static Flag> {
        self.tool_flags().chain(self.options)
    }

    /// Returns the flags that the verb or its tool reads.
    pub(crate) fn tool_flags(&self) -> impl Iterator<Item = &'static Flag> {
        self.flags.iter().flat_map(|(_, flags)| *flags)
    }

    /// Returns the flag or operand that sets a parameter of the tool, as a person types it.
    pub(crate) fn name_of(&self, param: &str) -> Option<String> {
        let param = param.split(['[', '.']).next().unwrap_or(param);
        // Parameters that the verb sets itself.
        let param = match param {
            "paths" | "what" => return Some(self.operands.last()?.name.to_owned()),
            "root" => return Some("--root".to_owned()),
            param => param,
        };
        let operand = self.operands.iter().find(|operand| operand.param == param);
        let flag = || self.all_flags().find(|flag| flag.param.split(' ').any(|one| one == param));
        operand
            .map(|operand| operand.name.to_owned())
            .or_else(|| Some(format!("--{}", flag()?.long)))
    }
}

impl Flag {
    pub(crate) fn is_switch(&self) -> bool {
        matches!(self.takes, Takes::Switch | Takes::Word(_))
    }
}
