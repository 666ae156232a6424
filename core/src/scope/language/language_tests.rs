//! The pattern language compared with the facts about it, section by section.

use super::ast::{Leaf, Op, Prefix};
use super::parse::{NESTING_MAX, PatternErrorKind, TEXT_BYTES_MAX, parse};
use std::time::{Duration, Instant};

#[track_caller]
fn normal(text: &str) -> String {
    match parse(text) {
        Ok(set) => set.text(),
        Err(error) => panic!("{text:?}: {}", error.message()),
    }
}

#[track_caller]
fn message(text: &str) -> String {
    match parse(text) {
        Ok(set) => panic!("{text:?} is {:?}", set.text()),
        Err(error) => error.message(),
    }
}

#[track_caller]
fn only_leaf(text: &str) -> Leaf {
    match parse(text).expect(text).ops() {
        [Op::Leaf(leaf)] => leaf.clone(),
        ops => panic!("{text:?}: {ops:?}"),
    }
}

fn leaf(prefix: Prefix, filter: Option<&str>, body: &str) -> Leaf {
    Leaf { prefix, filter: filter.map(str::to_owned), body: body.to_owned() }
}

fn class(body: &str) -> Op {
    Op::Leaf(leaf(Prefix::None, None, body))
}

fn reference(name: &str) -> Op {
    Op::Ref(name.to_owned())
}

#[test]
fn section_1_2_operators() {
    let cases: &[(&str, &[Op])] = &[
        // `!` binds strongest, then `&&`, then `||`.
        ("a||b&&c", &[class("a"), class("b"), class("c"), Op::And(2), Op::Or(2)]),
        ("a&&b||c", &[class("a"), class("b"), Op::And(2), class("c"), Op::Or(2)]),
        ("!a&&b", &[class("a"), Op::Not, class("b"), Op::And(2)]),
        ("!(a&&b)", &[class("a"), class("b"), Op::And(2), Op::Not]),
        ("(a||b)&&c", &[class("a"), class("b"), Op::Or(2), class("c"), Op::And(2)]),
        // Flat regardless of parentheses.
        ("a||b||c", &[class("a"), class("b"), class("c"), Op::Or(3)]),
        ("(a||b)||(c||d)", &[class("a"), class("b"), class("c"), class("d"), Op::Or(4)]),
        ("a&&(b&&(c))", &[class("a"), class("b"), class("c"), Op::And(3)]),
        ("((a||b))", &[class("a"), class("b"), Op::Or(2)]),
        ("!!a", &[class("a"), Op::Not, Op::Not]),
        ("!(!(a))", &[class("a"), Op::Not, Op::Not]),
        ("(((a)))", &[class("a")]),
        ("$Tests&&!$a", &[reference("Tests"), reference("a"), Op::Not, Op::And(2)]),
    ];
    for (text, ops) in cases {
        assert_eq!(parse(text).expect(text).ops(), *ops, "{text}");
    }
    assert_eq!(message("()"), "Package pattern expected at position 2");
}

#[test]
fn section_1_2_leaves() {
    use Prefix::{File, None as Class, Src};
    for (text, expected) in [
        ("file:src/*", leaf(File, None, "src/*")),
        ("file[m]:src/*", leaf(File, Some("m"), "src/*")),
        // The colon may be missing.
        ("file[m]src/*", leaf(File, Some("m"), "src/*")),
        ("[m]com.foo", leaf(Class, Some("m"), "com.foo")),
        ("[m]:com.foo", leaf(Class, Some("m"), "com.foo")),
        (":com.foo", leaf(Class, None, "com.foo")),
        // Everything up to the bracket is the filter, as written.
        (
            "src[a || b && !(c) + \"d\" [ $e\t\n]:x",
            leaf(Src, Some("a || b && !(c) + \"d\" [ $e\t\n"), "x"),
        ),
        ("src[group:a:b]:x", leaf(Src, Some("group:a:b"), "x")),
        ("src[ ]:x", leaf(Src, Some(" "), "x")),
    ] {
        assert_eq!(only_leaf(text), expected, "{text}");
    }
    // The bracket may be missing at the end, but then there is no body.
    assert_eq!(message("file[m"), "Package pattern expected at position 7");
    assert_eq!(message("file[m||a"), "Package pattern expected at position 10");
    assert_eq!(message("file[]:a"), "Package pattern expected at position 7");
    assert_eq!(message("file["), "Package pattern expected at position 6");
}

#[test]
fn section_1_3_prefixes() {
    for (text, prefix) in [
        ("file:a", Prefix::File),
        ("ext:a", Prefix::Ext),
        ("projectPath:a", Prefix::ProjectPath),
        ("src:a", Prefix::Src),
        ("test:a", Prefix::Test),
        ("lib:a", Prefix::Lib),
        ("problem:a", Prefix::Problem),
    ] {
        assert_eq!(only_leaf(text), leaf(prefix, None, "a"), "{text}");
        let word = prefix.text();
        // A word is a prefix only before a colon or a bracket.
        assert_eq!(only_leaf(word), leaf(Prefix::None, None, word));
        assert_eq!(only_leaf(&format!("{word}.a")).prefix, Prefix::None);
        let filtered = format!("{word}[m]:a");
        if prefix == Prefix::ProjectPath {
            assert_eq!(message(&filtered), "Unknown scope type at position 1");
        } else {
            assert_eq!(only_leaf(&filtered), leaf(prefix, Some("m"), "a"));
        }
        // Prefixes are case-sensitive.
        let upper = format!("{}:a", word.to_uppercase());
        assert_eq!(message(&upper), "Unknown scope type at position 1");
    }
    assert_eq!(message("prob:a"), "Unknown scope type at position 1");
    assert_eq!(message("a||foo[m]:b"), "Unknown scope type at position 4");
    // Without a prefix it is a class pattern, even if it looks like a glob.
    assert_eq!(only_leaf("*.js"), leaf(Prefix::None, None, "*.js"));
    assert!(Prefix::ProjectPath.is_path() && !Prefix::Lib.is_path());
}

#[test]
fn section_1_3_bodies() {
    for prefix in ["file", "ext", "projectPath"] {
        let body = "/a1/*.b-c~d#2 é_$x/１";
        assert_eq!(message(&format!("{prefix}:{body}")), {
            // A non-ASCII digit is valid only inside a word.
            let position = prefix.len() + 1 + body.chars().count();
            format!("Unexpected '１' at position {position}")
        });
        let body = "/a1/*.b-c~d#2 é_$x/x１";
        assert_eq!(only_leaf(&format!("{prefix}:{body}")).body, body);
    }
    for (text, body) in [
        // Every run of blanks is one space, anywhere.
        ("file:a \t\r\n\u{C} b", "a b"),
        ("file:  a  ", " a "),
        ("file: ", " "),
        ("file:1st", "1st"),
    ] {
        assert_eq!(only_leaf(text).body, body, "{text:?}");
    }
    assert_eq!(only_leaf("com..*.Foo$1").body, "com..*.Foo$1");
    for (text, expected) in [
        ("com.1st", "Unexpected '1' at position 5"),
        ("com-foo", "Unexpected '-' at position 4"),
        ("com foo", "Unexpected ' ' at position 4"),
        ("com/foo", "Unexpected '/' at position 4"),
        ("src:com~x", "Unexpected '~' at position 8"),
        ("lib:com#x", "Unexpected '#' at position 8"),
        ("file:", "Package pattern expected at position 6"),
        ("src:", "Package pattern expected at position 5"),
        ("file:a:b", "Unexpected ':' at position 7"),
    ] {
        assert_eq!(message(text), expected, "{text}");
    }
    // A character without a token of its own ends the body.
    for c in "+@,=%?;'\"\\{}<>^`[]()!|&".chars() {
        let expected = format!("Unexpected '{c}' at position 7");
        assert_eq!(message(&format!("file:a{c}b")), expected);
    }
}

#[test]
fn section_1_4_blanks() {
    assert_eq!(normal("file:a||file:b"), "file:a||file:b");
    assert_eq!(message("file:a || file:b"), "Package pattern expected at position 10");
    assert_eq!(message("file:a ||file:b&& file:c"), "Package pattern expected at position 18");
    let set = parse("file:a ||file:b").expect("a blank belongs to the path");
    assert_eq!(set.ops()[0], Op::Leaf(leaf(Prefix::File, None, "a ")));
    for (text, expected) in [
        ("$a && $b", "Unexpected ' ' at position 3"),
        ("$My Scope", "Unexpected ' ' at position 4"),
        (" file:a", "Package pattern expected at position 1"),
        ("$a ", "Unexpected ' ' at position 3"),
        ("(a) ", "Unexpected ' ' at position 4"),
        ("(a )", "')' expected at position 3"),
        ("! a", "Package pattern expected at position 2"),
        ("file :a", "Unexpected ' ' at position 5"),
        ("a  b", "Unexpected '  ' at position 2"),
    ] {
        assert_eq!(message(text), expected, "{text:?}");
    }
    assert_eq!(only_leaf("file:*.js ").body, "*.js ");
    assert_eq!(only_leaf("file:a b").body, "a b");
}

#[test]
fn section_1_5_errors() {
    for (text, expected, span) in [
        ("", "Package pattern expected at position 1", 0..0),
        ("a||", "Package pattern expected at position 4", 3..3),
        ("||a", "Package pattern expected at position 1", 0..2),
        ("a&&&&b", "Package pattern expected at position 4", 3..5),
        ("!", "Package pattern expected at position 2", 1..1),
        ("(a", "')' expected at position 3", 2..2),
        ("(a!b)", "')' expected at position 3", 2..3),
        ("(a$b||c))", "Unexpected ')' at position 9", 8..9),
        ("a)", "Unexpected ')' at position 2", 1..2),
        ("a|b", "Unexpected '|' at position 2", 1..2),
        ("a&b", "Unexpected '&' at position 2", 1..2),
        ("a!b", "Unexpected '!' at position 2", 1..2),
        ("(a)bcd", "Unexpected 'bcd' at position 4", 3..6),
        ("$a$b!", "Unexpected '!' at position 5", 4..5),
        ("nope:a", "Unknown scope type at position 1", 0..4),
        // Positions count UTF-16 units, spans count bytes.
        ("é||nope:a", "Unknown scope type at position 4", 4..8),
        ("𝒳é😀", "Unexpected '😀' at position 4", 6..10),
        // Parsing stops at the first error.
        ("a,b:c||(", "Unexpected ',' at position 2", 1..2),
    ] {
        let error = parse(text).expect_err(text);
        assert_eq!((error.message().as_str(), error.span), (expected, span), "{text}");
    }
    let far = format!("{}|", "a".repeat(4_999));
    assert_eq!(message(&far), "Unexpected '|' at position 5000");
}

/// Section 1.10, the syntax only, with the ruling that `$` is one word.
#[test]
fn section_1_10_references() {
    for (text, name) in
        [("$Tests", "Tests"), ("$1a", "1a"), ("$$x", "$x"), ("$é_1", "é_1"), ("$", "")]
    {
        let set = parse(text).expect(text);
        assert_eq!(set.ops(), [reference(name)], "{text}");
        assert_eq!(set.text(), text);
    }
    for (text, expected) in [
        ("$my-scope", "Unexpected '-' at position 4"),
        ("$a.b", "Unexpected '.' at position 3"),
        ("$a:b", "Unexpected ':' at position 3"),
        ("$a[m]", "Unexpected '[' at position 3"),
    ] {
        assert_eq!(message(text), expected, "{text}");
    }
    // Only at the start of a leaf: elsewhere a `$` is part of a name.
    assert_eq!(only_leaf("a.$b").body, "a.$b");
    assert_eq!(only_leaf("*$b").body, "*$b");
    assert_eq!(only_leaf("file:$b").body, "$b");
    assert_eq!(normal("[m]$b"), "[m]:$b");
    assert_eq!(normal(":$b"), ":$b");
}

#[test]
fn section_1_11_text() {
    for (text, expected) in [
        ("file:a||file:b&&!file:c", "file:a||file:b&&!file:c"),
        ("(file:a)", "file:a"),
        ("((a||b)||c)||d", "a||b||c||d"),
        ("(a&&b)||(c&&d)", "a&&b||c&&d"),
        ("(a||b)&&(c||d)", "(a||b)&&(c||d)"),
        ("(a&&(b&&c))", "a&&b&&c"),
        ("!(a)", "!a"),
        ("!(a||b)", "!(a||b)"),
        ("!(a&&b)", "!(a&&b)"),
        ("!(!(a||b)&&c)", "!(!(a||b)&&c)"),
        ("!(!a)", "!!a"),
        ("(!a)&&(!(b))", "!a&&!b"),
        ("a&&((b||c))&&d", "a&&(b||c)&&d"),
        ("file[m]src//*", "file[m]:src//*"),
        ("[m]a", "[m]:a"),
        (":a", "a"),
        ("file:a \t b", "file:a b"),
        ("src[  x]:a", "src[  x]:a"),
        ("(($a))", "$a"),
    ] {
        assert_eq!(normal(text), expected, "{text}");
    }
    assert_eq!(only_leaf("projectPath:/a").match_body(), "a");
    assert_eq!(only_leaf("projectPath://a").match_body(), "/a");
    assert_eq!(only_leaf("file:/a").match_body(), "/a");
}

#[test]
fn hints_suggest_the_intended_pattern() {
    for (text, expected) in [
        ("", "The pattern is empty"),
        ("  ", "The pattern is empty"),
        ("file:a || file:b", "write none around `||`"),
        ("$a && $b", "write none around"),
        ("file:a and file:b", "`and` is not an operator: write `&&`"),
        ("file:a OR file:b", "`OR` is not an operator: write `||`"),
        ("not file:a", "`not` is not an operator: write `!`"),
        ("$a or $b", "`or` is not an operator"),
        ("file:a file:b", "Join patterns with"),
        ("a file:b", "Join patterns with"),
        ("file:a|file:b", "write `||`"),
        ("file:a&file:b", "write `&&`"),
        ("file:a,file:b", "write `||`"),
        ("prob:a", "Perhaps `problem:`?"),
        ("File:a", "Perhaps `file:`?"),
        ("path:a", "Perhaps `file:`?"),
        ("tests:a", "Perhaps `test:`?"),
        ("projectpath:a", "Perhaps `projectPath:`?"),
        ("module:a", "Perhaps `file[NAME]:*/`?"),
        ("zzz:a", "The prefixes are `file:`, `ext:`"),
        ("projectPath[m]:a", "takes no module filter"),
        ("file:a+b", "cannot contain `+`: write `*` in its place"),
        ("file:@x/y", "cannot contain `@`"),
        ("file:a?b", "`?` is not a wildcard"),
        ("file:*.{js,ts}", "do not form alternatives"),
        ("\"file:a\"", "not quoted"),
        ("file:a\\b", "separated by `/`"),
        ("file:a\u{B}", "cannot contain U+000B"),
        ("file:a(b)", "cannot contain a parenthesis"),
        ("file:[ab]c", "module filter"),
        ("file:a]", "No `[` is open"),
        ("file:a:b", "one colon"),
        ("a||", "`||` needs a pattern on its right"),
        ("a&&", "`&&` needs a pattern on its right"),
        ("||a", "`||` needs a pattern on its left"),
        ("!", "`!` must precede a pattern"),
        ("(", "must follow `(`"),
        ("a||((b)", "The `(` at position 4 is not closed"),
        ("()", "must precede `)`"),
        ("a)", "No `(` is open"),
        ("a!b", "Before `!`"),
        ("(a)(b)", "write `||` or `&&`"),
        ("(a)b", "Write `||` or `&&` between"),
        ("$My Scope", "blanks in its name"),
        ("$my-scope", "one word"),
        ("$a:b", "has no colon"),
        ("file:", "`*/` is every file"),
        ("src:", "A class pattern must follow"),
        ("file[m]:", "`*/` is every file"),
        ("file[m", "The `]`"),
        ("file[]:a", "brackets are empty"),
        ("file[]", "brackets are empty"),
        ("src/main", "write `file:` before it"),
        ("my-class", "write `file:` before it"),
    ] {
        let hint = parse(text).expect_err(text).hint.unwrap_or_default();
        assert!(hint.contains(expected), "{text:?}: {hint:?}");
    }
}

#[test]
fn hostile_texts_are_refused_at_once() {
    let begin = Instant::now();
    for (unit, kind) in [("(", PatternErrorKind::TooDeep), ("!", PatternErrorKind::TooDeep)] {
        let many = parse(&unit.repeat(1_000_000)).expect_err("too long");
        assert_eq!(many.kind, PatternErrorKind::TooLong);
        let deep = parse(&unit.repeat(TEXT_BYTES_MAX)).expect_err("too deep");
        assert_eq!((deep.kind, deep.position), (kind, NESTING_MAX as usize + 1));
    }
    let depth = NESTING_MAX as usize;
    for (open, close) in [("(", ")"), ("!", ""), ("!(a&&", ")")] {
        let n = if open.len() > 2 { depth / 2 } else { depth };
        let deep = |n: usize| format!("{}a{}", open.repeat(n), close.repeat(n));
        assert_eq!(normal(&normal(&deep(n))), normal(&deep(n)));
        assert_eq!(parse(&deep(n + 1)).expect_err("too deep").kind, PatternErrorKind::TooDeep);
    }
    // Closed parentheses do not count.
    let wide = vec!["(!a)"; 4_000].join("&&");
    assert_eq!(normal(&wide).matches('!').count(), 4_000);
    let long = "a||".repeat(TEXT_BYTES_MAX / 3) + "a";
    assert_eq!(parse(&long).expect("it just fits").ops().len(), TEXT_BYTES_MAX / 3 + 2);
    // A text whose normal form would be too long.
    let grows = vec!["[m]a"; TEXT_BYTES_MAX / 6].join("||");
    assert_eq!(parse(&grows).expect_err("it grows").kind, PatternErrorKind::TooLong);
    let fits = vec!["[m]a"; 1_000].join("||");
    assert_eq!(parse(&fits).expect("its normal form fits").ops().len(), 1_001);
    let token = parse(&format!("(a){}", "b".repeat(10_000))).expect_err("no operator");
    assert!(token.message().len() < 300);
    assert!(begin.elapsed() < Duration::from_secs(60), "{:?}", begin.elapsed());
}
