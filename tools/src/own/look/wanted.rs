//! The kind of rows and of files that the words of a question ask for.

use searchscope::toolkit::{GUIDE, MANIFEST};

/// The kind of rows that a question asks for first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    Definitions,
    Uses,
    Tests,
    Settings,
    Docs,
}

impl Wanted {
    /// Returns whether a question for such rows is about a name.
    pub(super) fn is_of_name(self) -> bool {
        matches!(self, Wanted::Definitions | Wanted::Uses)
    }
}

/// Returns whether a word, in lower case, is one for a kind of definition.
pub(super) fn is_kind(word: &str) -> bool {
    const WORDS: &[&str] = &[
        "class",
        "constant",
        "enum",
        "func",
        "function",
        "interface",
        "method",
        "struct",
        "trait",
        "type",
        "variable",
    ];
    WORDS.contains(&word)
}

/// Returns the kind of rows that a word, in lower case, asks for.
pub(super) fn wanted(word: &str) -> Option<Wanted> {
    const WORDS: &[(Wanted, &[&str])] = &[
        (
            Wanted::Definitions,
            &[
                "declaration",
                "declare",
                "declared",
                "declares",
                "define",
                "defined",
                "defines",
                "definition",
                "definitions",
                "implementation",
                "implement",
                "implemented",
                "implements",
                "located",
                "location",
                "signature",
                "source",
            ],
        ),
        (
            Wanted::Uses,
            &[
                "call",
                "called",
                "caller",
                "callers",
                "calling",
                "calls",
                "catches",
                "extends",
                "inherits",
                "instantiated",
                "instantiates",
                "invocations",
                "invoke",
                "invoked",
                "invokes",
                "raised",
                "raises",
                "reference",
                "referenced",
                "references",
                "subclasses",
                "thrown",
                "throws",
                "usage",
                "usages",
                "use",
                "used",
                "uses",
                "using",
            ],
        ),
        (Wanted::Tests, &["test", "tested", "testing", "tests", "unittest", "unittests"]),
        (
            Wanted::Settings,
            &["config", "configured", "env", "environment", "set", "sets", "setting", "settings"],
        ),
        (Wanted::Docs, &["docs", "documentation", "documented", "readme"]),
    ];
    if is_kind(word) {
        return Some(Wanted::Definitions);
    }
    WORDS.iter().find(|(_, words)| words.contains(&word)).map(|(wanted, _)| *wanted)
}

/// Returns words for the files that a question asks for by its form: by the `kind` of a commit's subject, or as in
/// "how do I …" and "which version of …".
pub(super) fn asked_by_form(tokens: &[&str], kind: &str) -> Vec<&'static str> {
    let by_kind = match kind {
        "ci" => Some("ci"),
        // The documentation of code is in its comments.
        "doc" | "docs" if !has_one_of(tokens, COMMENTS) => Some("docs"),
        "test" | "tests" => Some("tests"),
        _ => None,
    };
    let guide = is_how_to(tokens).then_some(GUIDE);
    let manifest = is_of_version(tokens).then_some(MANIFEST);
    by_kind.into_iter().chain(guide).chain(manifest).collect()
}

/// Returns whether a question asks how a user does something, which guides say.
fn is_how_to(tokens: &[&str]) -> bool {
    const BEGINNINGS: &[&[&str]] = &[
        &["how", "can", "i"],
        &["how", "can", "we"],
        &["how", "do", "i"],
        &["how", "do", "we"],
        &["how", "do", "you"],
        &["how", "to"],
    ];
    let is_begun = |words: &[&str]| {
        let pairs = tokens.iter().zip(words);
        tokens.len() > words.len()
            && pairs.into_iter().all(|(one, word)| one.eq_ignore_ascii_case(word))
    };
    BEGINNINGS.iter().any(|words| is_begun(words))
}

/// Words of a question for versions and packages, which manifests do not have.
pub(super) const OF_VERSIONS: &[&str] = &[
    "depend",
    "dependencies",
    "dependency",
    "depends",
    "require",
    "required",
    "requires",
    "use",
    "used",
    "uses",
    "using",
    "version",
    "versions",
];

/// Returns whether a question asks for the version of a package, or for packages that a project needs.
fn is_of_version(tokens: &[&str]) -> bool {
    let begins = |words: &[&str]| tokens.first().is_some_and(|first| has_one_of(&[first], words));
    let asks = has_one_of(tokens, &["which", "what"]);
    let has_pair = |first: &[&str], second: &str| {
        tokens
            .windows(2)
            .any(|pair| has_one_of(&pair[..1], first) && has_one_of(&pair[1..], &[second]))
    };
    let has_version = has_one_of(tokens, &["version", "versions"]);
    let begins_with_bound = begins(&["minimum", "supported"]);
    let begins_with_version =
        begins(&["version", "versions"]) && has_pair(&["version", "versions"], "of");
    has_version && (asks || begins_with_bound)
        || begins_with_version
        || asks && (has_pair(&["depend", "depends"], "on") || has_one_of(tokens, &["dependencies"]))
}

/// Returns whether a question asks for a number, which its answer has: a limit, a size, a version.
pub(super) fn asks_for_number(tokens: &[&str]) -> bool {
    const AMOUNTS: &[&str] = &["big", "large", "long", "many", "much", "often"];
    const NUMBERS: &[&str] = &[
        "capacity",
        "default",
        "defaults",
        "interval",
        "limit",
        "limited",
        "limits",
        "max",
        "maximum",
        "min",
        "minimum",
        "seconds",
        "size",
        "threshold",
        "timeout",
        "version",
        "versions",
    ];
    let asks_how =
        |pair: &[&str]| has_one_of(&pair[..1], &["how"]) && has_one_of(&pair[1..], AMOUNTS);
    tokens.windows(2).any(asks_how) || has_one_of(tokens, NUMBERS)
}

/// Words for the comments of code.
const COMMENTS: &[&str] = &[
    "comment",
    "comments",
    "docstring",
    "docstrings",
    "godoc",
    "javadoc",
    "jsdoc",
    "kdoc",
    "rustdoc",
];

fn has_one_of(tokens: &[&str], words: &[&str]) -> bool {
    let is_no_letter = |c: char| !c.is_alphabetic();
    let mut lower = tokens.iter().map(|token| token.trim_matches(is_no_letter).to_lowercase());
    lower.any(|token| words.contains(&token.as_str()))
}
