//! Texts of a source that fit a message.

use super::super::template::{Fit, fit, plain};

#[test]
fn texts_of_many_languages_fit_their_messages() {
    for (message, line, n_words) in [
        (
            "Cannot index number with string (\"name\")",
            r#"f("Cannot index %s with %s (%s)", a);"#,
            3,
        ),
        (
            "jq: error: foo/0 is not defined at <top-level>",
            r#"("error: %s/%d is not defined at", n)"#,
            5,
        ),
        (
            "jq: error: foo/0 is not defined at <top-level>",
            r#"("error: $%s is not defined", n)"#,
            0,
        ),
        (
            "Client error: `GET /` resulted in a `401 No` response",
            r#"'%s: `%s %s` resulted in a `%s %s` response'"#,
            4,
        ),
        ("Unknown key 'a' in b.toml", r#"format!("Unknown key '{name}' in {}", p)"#, 3),
        ("Unknown key a in b.toml", "log.info(`Unknown key ${o.a(f{})} in ${p}`)", 3),
        ("Unknown key a in b.toml", r#"raise "Unknown key #{key} in #{path}""#, 3),
        ("Unknown key a in b.toml", r#"print("Unknown key \(key) in \(path)")"#, 3),
        ("Unknown key a in b.toml", r#"throw new E("Unknown key " + key + " in " + path);"#, 3),
        ("Unknown key a in b.toml", "die('Unknown key ' . $key . ' in ' . $path)", 3),
        ("Unknown key a in b.toml", r#"_("Unknown key %(key)s in %(path)r")"#, 3),
        ("50% of 7 parts  done", r#"printf("%d%% of %-5lu parts\tdone", a, b)"#, 3),
        ("Unknown key a of b.toml", r#"x("Unknown key {} in {}")"#, 0),
        ("Unknown key {a} in b.toml", r#"format!("Unknown key {{{name}}} in {}", p)"#, 3),
        ("Unknown key a in b.toml", r#"t("Unknown key {{name}} in {{path}}")"#, 3),
        ("call f(x) of the parser", r#"e("call f\\(x) of {}")"#, 0),
        ("call f(x of the parser", r#"e = "call f\(x of the parser""#, 6),
        ("don't stop the loop", "// don't stop", 0),
        ("it is of the", r#""it is of the""#, 0),
        ("see https://a.org/errors/list", r#""see https://a.org/errors/list""#, 0),
    ] {
        assert_eq!(fit(&plain(message), line).n_words, n_words, "{line}");
    }
}

#[test]
fn odd_texts_end() {
    for line in ["\"", "'\\", "\"%", "\"%(", "\"{{{", "\"${", "\"\\(", "`$", "\"%5", "f'", "é'%é{é"]
    {
        assert_eq!(fit("é % { a message of some words", line), Fit::default(), "{line}");
    }
}
