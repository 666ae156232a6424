//! Lines that read like the definition of a name, told by their text alone.
//!
//! A popular name matches in thousands of files and is defined in a few. Parsing them all takes half
//! a minute in a large tree, so files with such a line are parsed first. The look at a line is
//! generous, because the parser has the last word.

/// How much a line reads like a definition of the name that matches in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Likeness {
    None,
    /// By its form: a type before the name, or the name at the beginning.
    Weak,
    /// By a keyword right before the name.
    Strong,
}

/// Words right before a name that define it.
const KEYWORDS: &[&str] = &[
    "class",
    "const",
    "constexpr",
    "contract",
    "data",
    "def",
    "define",
    "defmacro",
    "defmodule",
    "defn",
    "defp",
    "enum",
    "extension",
    "fn",
    "fun",
    "func",
    "function",
    "impl",
    "interface",
    "let",
    "macro_rules!",
    "message",
    "mod",
    "module",
    "mut",
    "namespace",
    "newtype",
    "object",
    "package",
    "proc",
    "procedure",
    "protocol",
    "record",
    "rpc",
    "service",
    "static",
    "struct",
    "sub",
    "trait",
    "type",
    "typedef",
    "union",
    "val",
    "var",
];
/// Words right before a name that use it.
const USES: &[&str] = &[
    "and",
    "as",
    "assert",
    "await",
    "case",
    "delete",
    "do",
    "elif",
    "else",
    "except",
    "extends",
    "for",
    "from",
    "goto",
    "if",
    "implements",
    "import",
    "in",
    "include",
    "instanceof",
    "is",
    "new",
    "not",
    "or",
    "raise",
    "require",
    "return",
    "sizeof",
    "super",
    "throw",
    "throws",
    "typeof",
    "unless",
    "use",
    "using",
    "when",
    "while",
    "with",
    "yield",
];

/// Returns how much a line reads like a definition of a name, by the text before and after a match
/// in it.
pub(crate) fn likeness(before: &str, after: &str) -> Likeness {
    // The match may be a part of the name.
    let before = before.trim_end_matches(is_name_char);
    let after = after.trim_start_matches(is_name_char);
    let lead = before.trim_end();
    if is_comment(lead.trim_start()) {
        return Likeness::None;
    }
    let token = lead.rsplit([' ', '\t', '(', '*', '&']).find(|token| !token.is_empty());
    let token = token.unwrap_or_default().trim_start_matches(['#', '@']);
    if KEYWORDS.contains(&token) || lead.trim_start().starts_with("func (") && lead.ends_with(')') {
        return Likeness::Strong;
    }
    if USES.contains(&token) {
        return Likeness::None;
    }
    let follows = after.trim_start();
    let is_assigned = follows.starts_with('=') && !follows.starts_with("==");
    if lead.ends_with('.') {
        return if is_assigned { Likeness::Weak } else { Likeness::None };
    }
    let is_plain = |c: char| is_name_char(c) || " \t*&<>,:[]~@!?'\"().-".contains(c);
    // A call in a line of its own, where a definition would have a body or a type.
    if lead.is_empty() && follows.starts_with('(') && after.trim_end().ends_with(");") {
        return Likeness::None;
    }
    let is_open = lead.matches('(').count() > lead.matches(')').count();
    let is_led = lead.ends_with(|c: char| is_name_char(c) || "*&>])?:'\"".contains(c));
    let is_type_before = is_led && !is_open && lead.chars().all(is_plain);
    if lead.is_empty() || is_type_before { Likeness::Weak } else { Likeness::None }
}

/// Whether a line that begins so is a comment in most languages.
fn is_comment(line: &str) -> bool {
    ["//", "/*", "* ", "--", ";;", "# ", "<!--", "%"].iter().any(|sign| line.starts_with(sign))
        || line == "*"
}

/// Whether a character is one of those that names are made of.
pub(crate) fn is_name_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_read_like_definitions_or_not() {
        for (line, expected) in [
            ("pub(crate) fn NAME(x: u8) {", Likeness::Strong),
            ("#define NAME(x) (x)", Likeness::Strong),
            ("func (s *Server) NAME() error {", Likeness::Strong),
            ("static struct NAME *next;", Likeness::Strong),
            ("export default class NAME {", Likeness::Strong),
            ("static inline void *NAME(size_t n)", Likeness::Weak),
            ("    public List<String> NAME(int a) {", Likeness::Weak),
            ("NAME(int a)", Likeness::Weak),
            ("    NAME(&a->lock);", Likeness::None),
            ("    NAME: string;", Likeness::Weak),
            ("exports.NAME = function () {", Likeness::Weak),
            ("\tNAME string `json:\"x\"`", Likeness::Weak),
            ("    async NAME(x) {", Likeness::Weak),
            ("    return NAME(x);", Likeness::None),
            ("    p = NAME(x);", Likeness::None),
            ("    call(NAME);", Likeness::None),
            ("    self.NAME(x)", Likeness::None),
            ("    if (a && NAME(x))", Likeness::None),
            ("import NAME", Likeness::None),
            (" * NAME is a function", Likeness::None),
            ("// void NAME(int)", Likeness::None),
        ] {
            let (before, after) = line.split_once("NAME").expect("it is there");
            assert_eq!(likeness(before, after), expected, "{line}");
        }
    }
}
