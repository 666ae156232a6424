//! The heading of a commit's subject, up to its colon: `fix(io): …`, `fix io: …`, `fix: …`, `io: …`.

/// What a subject says before its colon.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Heading<'q> {
    /// The kind of the change, such as `fix`; empty if it has none.
    pub(super) kind: &'q str,
    /// The part of the project that is changed, such as `io`; empty if it has none.
    pub(super) area: &'q str,
    /// The number of its tokens; 0 if the text is no subject.
    pub(super) n_tokens: usize,
}

/// Kinds of changes, sorted. A word that is none may be the name of a function: `open(path): …`.
const KINDS: &[&str] = &[
    "bench", "build", "chore", "ci", "deps", "doc", "docs", "dx", "feat", "feature", "fix",
    "hotfix", "i18n", "perf", "refactor", "revert", "security", "style", "test", "tests", "types",
    "wip",
];

/// Words before a colon that begin a message of a program, sorted.
const BEGIN_MESSAGES: &[&str] = &[
    "debug",
    "error",
    "exception",
    "fatal",
    "hint",
    "info",
    "note",
    "panic",
    "trace",
    "warn",
    "warning",
];

impl<'q> Heading<'q> {
    /// Reads the heading of a text in tokens without white space. It has none unless other tokens follow.
    pub(super) fn of(tokens: &[&'q str]) -> Heading<'q> {
        match tokens {
            [kind, area, _, ..] if is_kind(kind) && area.ends_with(':') => {
                let area = named_area(area).unwrap_or_default();
                Heading { kind, area, n_tokens: 2 }
            }
            [first, _, ..] => from_one_token(first),
            _ => Heading::default(),
        }
    }

    /// Returns what the first token says about the place of the change, which is `first` itself without a kind.
    pub(super) fn place(&self, first: &'q str) -> &'q str {
        match (self.kind.is_empty(), self.n_tokens) {
            (true, _) => first,
            (false, 1) => self.area,
            (false, _) => "",
        }
    }
}

fn from_one_token(token: &str) -> Heading<'_> {
    let none = Heading::default();
    let Some(subject) = token.strip_suffix(':') else { return none };
    let subject = subject.strip_suffix('!').unwrap_or(subject);
    let (kind, area) = match subject.strip_suffix(')').and_then(|text| text.split_once('(')) {
        Some(kind_and_area) => kind_and_area,
        None => (subject, ""),
    };
    if is_kind(kind) {
        return Heading { kind, area, n_tokens: 1 };
    }
    named_area(token).map_or(none, |area| Heading { area, n_tokens: 1, ..none })
}

/// Returns the area that a token with a colon names, if it is written like a directory or module.
fn named_area(token: &str) -> Option<&str> {
    let area = token.strip_suffix(':')?;
    let is_of_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_/.".contains(c);
    let is_name = area.starts_with(|c: char| c.is_ascii_lowercase() || c == '.');
    (is_name && area.chars().all(is_of_name) && BEGIN_MESSAGES.binary_search(&area).is_err())
        .then_some(area)
}

fn is_kind(word: &str) -> bool {
    KINDS.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_read() {
        for (text, kind, area, n_tokens) in [
            ("fix(runtime-core): keep the order", "fix", "runtime-core", 1),
            ("types(jsx)!: flexible attributes", "types", "jsx", 1),
            ("fix parser: keep comments", "fix", "parser", 2),
            ("fix: keep comments", "fix", "", 1),
            ("caddyhttp: document headers", "", "caddyhttp", 1),
            ("internal/bytesconv: add tests", "", "internal/bytesconv", 1),
            // Names and messages that have a colon.
            ("init(): called twice", "", "", 0),
            ("connect(2): connection refused", "", "", 0),
            ("open(path): permission denied", "", "", 0),
            ("error: use of moved value", "", "", 0),
            ("Error: no such file", "", "", 0),
            ("loadToken: where is it defined", "", "", 0),
            ("config file: replace values", "", "", 0),
            ("fix:", "", "", 0),
            ("how does the parser keep comments", "", "", 0),
            (":", "", "", 0),
            ("", "", "", 0),
        ] {
            let tokens: Vec<&str> = text.split_whitespace().collect();
            assert_eq!(Heading::of(&tokens), Heading { kind, area, n_tokens }, "{text}");
        }
    }

    #[test]
    fn the_tables_are_sorted() {
        assert!(KINDS.is_sorted() && BEGIN_MESSAGES.is_sorted());
    }
}
