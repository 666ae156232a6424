//! The table of verbs and flags.
//!
//! Help, completions, the man page, the tools' arguments and the names in errors are generated from it, so
//! they cannot differ. A row names the tool parameter that it sets. Limits and defaults belong to the tools
//! and are not repeated here.

mod find;
mod search;
mod shared;

use shared::{
    ANY_FILES, CALL_OPTIONS, COMPACT, DOCUMENT_FLAGS, DOCUMENT_OPTIONS, LOOK_FLAGS, OPTIONS,
    OUTLINE_FLAGS, OUTPUT, PRETTY, ROOT, SEARCH_PRETTY, SYMBOL_FLAGS,
};

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
    /// Further spellings of `long`, which help and completions do not show.
    pub(crate) aliases: &'static [&'static str],
}

/// The value of a flag, and its form in the tool's arguments.
#[derive(Debug)]
pub(crate) enum Takes {
    /// No value: the parameter becomes true.
    Switch,
    /// No value; the verb reads the number of occurrences.
    Repeated,
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
    /// A path, which need not be text; the verb reads it itself.
    Path,
}

use Takes::{Path, Seconds};

const fn flag(
    long: &'static str,
    short: Option<char>,
    param: &'static str,
    takes: Takes,
    value: &'static str,
    help: &'static str,
) -> Flag {
    Flag { long, short, param, takes, value, help, aliases: &[] }
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
        ("Matching", search::MATCHING),
        ("Printing", search::PRINTING),
        ("Form of lines", search::FORM),
        ("Order and limits", search::AMOUNT),
        ("Files", search::FILES),
        ("Files", ANY_FILES),
        ("Output and root", &[SEARCH_PRETTY]),
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
        ("Files", find::FILES),
        ("Files", ANY_FILES),
        ("Order and limits", find::AMOUNT),
        ("Output and root", &[PRETTY]),
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
        ("Output and root", &[PRETTY]),
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
        ("Output and root", &[PRETTY]),
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
        ("Order and limits", find::AMOUNT),
        ("Output and root", &[PRETTY]),
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
    flags: &[
        ("Outline", OUTLINE_FLAGS),
        ("Output and root", &[PRETTY]),
        ("Output and root", OUTPUT),
        ("Output and root", &[ROOT]),
    ],
    options: OPTIONS,
    examples: "  searchscope outline src/main.rs",
};

pub(crate) const LOOK: &Verb = &Verb {
    name: "look",
    short: None,
    about: "Answer a rough question, or find code like that at a place",
    operands: &[operand(
        "QUESTION",
        "q",
        false,
        false,
        "Text, a name, a sentence, a line of a log or /regex/",
    )],
    flags: &[
        ("Question", LOOK_FLAGS),
        ("Output and root", &[PRETTY]),
        ("Output and root", OUTPUT),
        ("Output and root", &[ROOT]),
    ],
    options: OPTIONS,
    examples: "  searchscope look 'who calls load_token'
  searchscope look --like src/token.rs:40 --only production",
};

/// The verb for programs: any tool by its name.
pub(crate) const CALL: &Verb = &Verb {
    name: "call",
    short: None,
    about: "Call a tool and print its reply, JSON; the text of look and read on a terminal",
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
                Path,
                "DIR",
                "Open DIR; nothing outside is read [default: the current directory]",
            ),
        ],
    )],
    options: CALL_OPTIONS,
    examples: "  searchscope call search '{\"patterns\": [\"TODO\"]}'
  echo '{\"q\": \"parse\"}' | searchscope call look - --root src",
};

pub(crate) const VERBS: &[&Verb] = &[SEARCH, FIND, LOOK, SYMBOLS, DOCS, SCOPE, OUTLINE, CALL];

impl Verb {
    /// Returns the flags that the verb or its tool reads, and those that set options of the workspace.
    pub(crate) fn all_flags(&self) -> impl Iterator<Item = &'static Flag> {
        self.tool_flags().chain(self.options)
    }

    /// Returns the flags that the verb or its tool reads.
    pub(crate) fn tool_flags(&self) -> impl Iterator<Item = &'static Flag> {
        self.flags.iter().flat_map(|(_, flags)| *flags)
    }

    /// Returns the flag or operand that sets a parameter of the tool, as a person types it. Of several flags that
    /// set it, this is the last one that `is_given`.
    pub(crate) fn name_of(&self, param: &str, is_given: impl Fn(&Flag) -> bool) -> Option<String> {
        let param = param.split(['[', '.']).next().unwrap_or(param);
        // Parameters that the verb sets itself.
        let param = match param {
            "paths" | "what" => return Some(self.operands.last()?.name.to_owned()),
            "root" => return Some("--root".to_owned()),
            param => param,
        };
        let operand = self.operands.iter().find(|operand| operand.param == param);
        if let Some(operand) = operand {
            return Some(operand.name.to_owned());
        }
        let sets_it = |flag: &&Flag| flag.param.split(' ').any(|one| one == param);
        let given = self.all_flags().filter(sets_it).filter(|flag| is_given(flag)).last();
        let flag = given.or_else(|| self.all_flags().find(sets_it))?;
        Some(format!("--{}", flag.long))
    }
}

impl Flag {
    pub(crate) fn is_switch(&self) -> bool {
        matches!(self.takes, Takes::Switch | Takes::Word(_))
    }
}
