//! Estimates from a line's text whether it defines a name.
//!
//! A popular name matches in thousands of files and is defined in a few. Parsing all of them takes half a
//! minute in a large tree, so files with a likely definition are parsed first. The estimate is generous,
//! because the parser decides.

/// The likelihood that a line defines the name that matches in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(clippy::exhaustive_enums, reason = "rankings weigh each of them")]
pub enum Likeness {
    /// The line only uses it.
    None,
    /// By its form: a type precedes the name, or the name begins the line.
    Weak,
    /// By a keyword right before the name.
    Strong,
}

/// Keywords right before a name that they define.
const KEYWORDS: &[&str] = &[
    "contract",
    "data",
    "def",
    "define",
    "defmacro",
    "defmodule",
    "defn",
    "defp",
    "extension",
    "fn",
    "fun",
    "func",
    "function",
    "impl",
    "let",
    "macro_rules!",
    "message",
    "mod",
    "module",
    "namespace",
    "newtype",
    "object",
    "package",
    "proc",
    "procedure",
    "rpc",
    "service",
    "sub",
    "type",
    "val",
    "var",
];
/// Keywords right before a defined type, or before a type used in another definition: `struct page {` and
/// `struct page *next;`.
const TYPE_KEYWORDS: &[&str] =
    &["class", "enum", "interface", "protocol", "record", "struct", "trait", "union"];
/// Keywords right before a defined value, or before its type: `const size = 1` and `const size_t n = 1`.
const VALUE_KEYWORDS: &[&str] = &["const", "constexpr", "mut", "static", "typedef"];
/// Words between the name of a defined type and its body.
const AFTER_TYPE: &[&str] = &[
    "constructor",
    "extends",
    "final",
    "implements",
    "internal",
    "is",
    "permits",
    "private",
    "protected",
    "where",
    "with",
];
/// Words before a defining keyword. Prose has others there: "the function that".
const MODIFIERS: &[&str] = &[
    "abstract",
    "actual",
    "async",
    "case",
    "class",
    "companion",
    "const",
    "crate",
    "data",
    "declare",
    "default",
    "enum",
    "expect",
    "export",
    "extern",
    "final",
    "func",
    "global",
    "indirect",
    "infix",
    "inline",
    "inner",
    "internal",
    "lateinit",
    "let",
    "local",
    "mutable",
    "noinline",
    "open",
    "operator",
    "override",
    "partial",
    "private",
    "protected",
    "pub",
    "public",
    "readonly",
    "ref",
    "sealed",
    "static",
    "suspend",
    "tailrec",
    "typedef",
    "union",
    "unsafe",
    "virtual",
    "volatile",
];
/// Words right before a name that is used.
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

/// Returns whether `lead` ends with the type that an extension function of Kotlin extends, as in
/// `fun <T> List<T>.`.
fn is_extension(lead: &str) -> bool {
    let Some((before, receiver)) = lead.split_once("fun ").or_else(|| lead.split_once("val "))
    else {
        return false;
    };
    let is_receiver = |c: char| is_name_char(c) || " <>?,.*:()".contains(c);
    may_precede_keyword(before.trim_end())
        && receiver.chars().all(is_receiver)
        && !receiver.contains('=')
}

/// Returns the likelihood that a line defines a name, given the text before and after a match in it.
pub fn likeness(before: &str, after: &str) -> Likeness {
    if is_guard(before, after) {
        return Likeness::None;
    }
    // The match may be part of the name, and a private JavaScript member begins with a sign.
    let before = before.trim_end_matches(is_name_char);
    let before = before.strip_suffix('#').unwrap_or(before);
    let after = after.trim_start_matches(is_name_char);
    let lead = before.trim_end();
    if is_comment(lead.trim_start()) {
        return Likeness::None;
    }
    let token = lead
        .rsplit([' ', '\t', '(', '[', '{', ',', ';', '=', '*', '&'])
        .find(|token| !token.is_empty());
    let token = token.unwrap_or_default().trim_start_matches(['#', '@']);
    let follows = after.trim_start();
    if let Some(likeness) = after_keyword(lead, token, follows) {
        return likeness;
    }
    if USES.contains(&token) || is_type_of_other(follows) {
        return Likeness::None;
    }
    let is_assigned = follows.starts_with('=') && !follows.starts_with("==");
    if lead.ends_with('.') && is_extension(lead) {
        return Likeness::Strong;
    }
    if lead.ends_with('.') {
        return if is_assigned { Likeness::Weak } else { Likeness::None };
    }
    let is_plain = |c: char| is_name_char(c) || " \t*&<>,:[]{}~@!?'\"().-".contains(c);
    // A call on a line of its own; a definition would have a body or a type.
    if lead.is_empty() && follows.starts_with('(') && after.trim_end().ends_with(");") {
        return Likeness::None;
    }
    let is_open = lead.matches('(').count() > lead.matches(')').count();
    let is_led = lead.ends_with(|c: char| is_name_char(c) || "*&>])}{?:'\"".contains(c));
    let is_type_before = is_led && !is_open && lead.chars().all(is_plain);
    if lead.is_empty() || is_type_before { Likeness::Weak } else { Likeness::None }
}

/// Returns whether a line defines the name that keeps a C header from being read twice, which says nothing about the
/// words in it: `#define LIB_OPTIONS_H_`.
fn is_guard(before: &str, after: &str) -> bool {
    const ENDS: &[&str] = &["_H", "_HH", "_HPP", "_HXX", "_INC", "_INCLUDED"];
    let rest = after.trim_end();
    let is_end = |rest: &str| ENDS.iter().any(|end| rest.ends_with(end));
    rest.chars().all(is_name_char)
        && is_end(rest.trim_end_matches('_'))
        && before.trim_start().strip_prefix('#').is_some_and(is_define)
}

/// Returns whether the rest of a directive defines a name.
fn is_define(directive: &str) -> bool {
    directive.trim_start().starts_with("define")
}

/// Returns the likelihood for a line in which `lead` ends with `token`, a keyword before a name; `follows` is
/// the text after the name.
fn after_keyword(lead: &str, token: &str, follows: &str) -> Option<Likeness> {
    if lead.trim_start().starts_with("func (") && lead.ends_with(')') {
        return Some(Likeness::Strong);
    }
    let goes_on = follows.starts_with(|c: char| is_name_char(c) || "*&,)".contains(c));
    let likeness = if KEYWORDS.contains(&token) {
        Likeness::Strong
    } else if TYPE_KEYWORDS.contains(&token) {
        let next = follows.split(|c| !is_name_char(c)).next().unwrap_or_default();
        match follows.chars().next() {
            _ if AFTER_TYPE.contains(&next) => Likeness::Strong,
            // A struct without fields, or a forward declaration.
            Some(';') => Likeness::Weak,
            _ if goes_on => Likeness::None,
            _ => Likeness::Strong,
        }
    } else if VALUE_KEYWORDS.contains(&token) {
        let is_borrowed = token == "mut" && !lead.contains("let ") && !lead.contains("static ");
        // A C macro that defines another name: `static LIST_HEAD(pages);`
        let is_called = follows.starts_with('(');
        match goes_on || is_borrowed || is_called {
            _ if is_type_of_other(follows) => Likeness::None,
            true => Likeness::Weak,
            false => Likeness::Strong,
        }
    } else {
        return None;
    };
    let before = lead[..lead.len() - token.len()].trim_end();
    Some(if may_precede_keyword(before) { likeness } else { likeness.min(Likeness::Weak) })
}

/// Returns whether `follows`, the text after a name, declares another name with this one as its type:
/// `atomic_t count;`. Two leading underscores mark a C attribute.
fn is_type_of_other(follows: &str) -> bool {
    let is_name = follows.starts_with(|c: char| is_name_char(c) || c == '*');
    is_name && !follows.starts_with("__") && follows.trim_end().ends_with([';', ','])
}

/// Returns whether a defining keyword may follow this text: at the beginning, after a modifier or an
/// attribute, or where a value begins.
fn may_precede_keyword(text: &str) -> bool {
    let last = text.rsplit(|c| !is_name_char(c)).next().unwrap_or_default();
    if last.is_empty() { !text.ends_with(['.', '`', '\'']) } else { MODIFIERS.contains(&last) }
}

/// Returns whether a line with this beginning is a comment in most languages.
fn is_comment(line: &str) -> bool {
    ["//", "/*", "* ", "--", ";;", "# ", "<!--", "%"].iter().any(|sign| line.starts_with(sign))
        || line == "*"
}

/// Returns whether a character may be part of a name.
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
            ("#define NAME_H 1", Likeness::Strong),
            ("#define LIB_NAME_H_", Likeness::None),
            ("#define NAME_OF_LIB_H", Likeness::None),
            ("# define NAME_INCLUDED", Likeness::None),
            ("func (s *Server) NAME() error {", Likeness::Strong),
            ("static struct NAME *next;", Likeness::None),
            ("struct NAME {", Likeness::Strong),
            ("struct NAME;", Likeness::Weak),
            ("int f(struct NAME *a, struct NAME b);", Likeness::None),
            ("class NAME extends Base {", Likeness::Strong),
            ("enum NAME", Likeness::Strong),
            ("} NAME;", Likeness::Weak),
            ("\tNAME count;", Likeness::None),
            ("extern NAME counts[2], *other;", Likeness::None),
            ("static NAME count = INIT(0);", Likeness::None),
            ("static LIST_NAME(pages);", Likeness::Weak),
            ("int NAME __read_mostly = 1;", Likeness::Weak),
            ("const NAME = 1;", Likeness::Strong),
            ("const NAME *other = 0;", Likeness::None),
            ("const NAME string = \"x\"", Likeness::Weak),
            ("let mut NAME = 1;", Likeness::Strong),
            ("    call(&mut NAME);", Likeness::Weak),
            ("It is the function NAME that returns", Likeness::Weak),
            ("#[inline] pub fn NAME()", Likeness::Strong),
            ("  [function NAME() {}]", Likeness::Strong),
            ("export default class NAME {", Likeness::Strong),
            ("static inline void *NAME(size_t n)", Likeness::Weak),
            ("    public List<String> NAME(int a) {", Likeness::Weak),
            ("NAME(int a)", Likeness::Weak),
            ("    NAME(&a->lock);", Likeness::None),
            ("    NAME: string;", Likeness::Weak),
            ("exports.NAME = function () {", Likeness::Weak),
            ("\tNAME string `json:\"x\"`", Likeness::Weak),
            ("    async NAME(x) {", Likeness::Weak),
            ("infix fun Expression<Boolean>.NAME(op: Op) {", Likeness::Strong),
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
