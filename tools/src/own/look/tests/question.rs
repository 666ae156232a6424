//! The reading of questions.

use super::super::question::{Question, TASK_VERBS};
use super::super::token::DIRECTORIES;
use super::super::wanted::Wanted;

#[test]
fn a_name_with_words_around_it_is_the_subject() {
    for (q, subject, wanted) in [
        ("loadToken definition", "loadToken", Some(Wanted::Definitions)),
        ("Where is loadToken defined?", "loadToken", Some(Wanted::Definitions)),
        ("who calls load_token()", "load_token", Some(Wanted::Uses)),
        ("who uses loadToken", "loadToken", Some(Wanted::Uses)),
        ("who throws TokenError", "TokenError", Some(Wanted::Uses)),
        ("--line-limit flag", "line-limit", None),
        ("\"keepTokens\" of options", "keepTokens", None),
        ("where is `--limit` read", "limit", None),
        ("Where is loadToken used?", "loadToken", Some(Wanted::Uses)),
        ("where is the function loadToken called", "loadToken", Some(Wanted::Uses)),
        ("class TokenStore tests", "TokenStore", Some(Wanted::Tests)),
        ("where is kmalloc defined", "kmalloc", Some(Wanted::Definitions)),
        ("what does `retry` do?", "retry", None),
        ("at Object.loadToken", "loadToken", None),
        ("tests for Job::run", "Job::run", Some(Wanted::Tests)),
        ("is_multiline helper", "is_multiline", None),
        ("x.load in 4.x", "x.load", None),
        ("where is 404.html rendered", "404.html", None),
        ("init(): called twice", "init", Some(Wanted::Uses)),
        ("close(): who calls it", "close", Some(Wanted::Uses)),
        ("fix(io): call the tests of readBuffer", "readBuffer", Some(Wanted::Tests)),
        ("LIMIT_WORKERS=4", "LIMIT_WORKERS", None),
        ("<span class=\"metric-name\">", "metric-name", None),
        ("class='side-panel'", "side-panel", None),
        ("<li data-testid=\"save_row\" />", "save_row", None),
        ("class=\"\"", "class", None),
        ("app.config.idPrefix = \"my-app\"", "app.config.idPrefix", None),
        ("http.(*Handler).loopOnce(0xc0004f2000, 0xc000a1c000)", "loopOnce", None),
    ] {
        let question = Question::read(q);
        assert_eq!(question.subject(), Some(subject), "{q}: {question:?}");
        assert_eq!(question.wanted, wanted, "{q}");
    }
}

#[test]
fn a_sentence_has_words_and_no_subject() {
    for (q, content) in [
        ("how are request retries handled?", &["request", "retries", "handled"][..]),
        (
            "Skipped 42 versions at items owned by parent.",
            &["Skipped", "versions", "items", "owned", "parent"],
        ),
        ("fix: don't crash on \"acme corp\" tokens", &["crash", "tokens"]),
        ("Add retries to the tests of uploads", &["retries", "uploads", "tests"]),
        ("types(jsx): flexible attributes", &["jsx", "flexible", "attributes"]),
        (
            "refactor: replace interface{} with any in type declarations",
            &["declarations", "replace", "interface", "type"],
        ),
        ("test(io): cover empty buffers", &["io", "cover", "empty", "buffers"]),
        ("cannot open /data/cache/blobs now", &["cannot", "open"]),
        ("fix crash of the parser (https://github.com/acme/tool/pull/42)", &["crash", "parser"]),
        ("perf(io)!: remove copies of buffers", &["io", "copies", "buffers"]),
        ("api: Add queued requests (Fixes #7277)", &["api", "queued", "requests"]),
        (
            "requests of /reverse_proxy/upstreams hang",
            &["requests", "reverse_proxy", "upstreams", "hang"],
        ),
        ("cannot open /etc/proxy/upstreams now", &["cannot", "open"]),
        ("2026-02-03T09:41:07Z lease lost at 09:41:07.123", &["lease", "lost"]),
    ] {
        let question = Question::read(q);
        assert_eq!(question.subject(), None, "{q}");
        assert_eq!(question.content, content, "{q}");
    }
}

#[test]
fn some_forms_choose_files() {
    for (q, choosing) in [
        ("docs: say how to start", &["docs"][..]),
        ("docs: fix the comment of start", &[]),
        ("ci: run the builds", &["ci"]),
        ("how do I start it", &["guide"]),
        ("how to start it", &["guide"]),
        ("how does it start", &[]),
        ("which version of parser is used", &["manifest"]),
        ("what do we depend on", &["manifest"]),
        ("minimum supported compiler version", &["manifest"]),
        ("convert the version to text", &[]),
        ("what resolves the dependency graph", &[]),
        ("check the version of the file header", &[]),
    ] {
        assert_eq!(Question::read(q).choosing, choosing, "{q}");
    }
}

#[test]
fn a_message_may_begin_with_a_verb_of_changes() {
    for (q, is_change) in [
        ("Use of closed connection 'tcp'", false),
        ("Update the table of names", true),
        ("fix: no such table 'x'", true),
    ] {
        assert_eq!(Question::read(q).is_change, is_change, "{q}");
    }
}

#[test]
fn the_tables_are_sorted() {
    assert!(TASK_VERBS.is_sorted());
    assert!(DIRECTORIES.is_sorted());
}

#[test]
fn strange_questions_are_read() {
    for q in [
        "",
        " ",
        "?",
        "`",
        "''",
        "=",
        "a=",
        "#",
        "$",
        "-- --",
        "ß ü",
        "的 搜索",
        "\u{0}",
        "(((",
        "x.y.",
    ] {
        let _ = Question::read(q);
    }
}
