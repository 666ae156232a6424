//! Names that few files have, beside other words.

use super::questions::first_in;
use super::{text, workspace};
use searchscope::Workspace;
use serde_json::json;
use tempfile::TempDir;

/// A tree with a dozen files that have the parts of all names and the words beside them.
fn tree(files: &[(&str, &str)]) -> (TempDir, Workspace) {
    let filler = "// The default value of the strict safety check in a config, an option of the log level\n\
                  fn strict() { safety(check, config, level, log, cluster, settle, timeout) }\n\
                  fn test() { unit(watch) } // the request fails\n";
    let fillers: Vec<(String, &str)> = (0..12).map(|n| (format!("src/f{n}.rs"), filler)).collect();
    let fillers = fillers.iter().map(|(path, text)| (path.as_str(), *text));
    workspace(&fillers.chain(files.iter().copied()).collect::<Vec<_>>())
}

#[test]
fn a_rare_name_is_not_lost_among_other_words() {
    let (_dir, workspace) = tree(&[
        ("docs/options.md", "Set `strictSafety` to check more.\n\n`strictSafety` is off.\n"),
        ("src/env.rs", "const NAME: &str = \"LOG_LEVEL\"; // LOG_LEVEL_TRACE\n"),
        ("src/flags.rs", "flag(\"cluster.settle-timeout\", 15);\n"),
        ("package.json", "{\"scripts\": {\"test:unit:watch\": \"run\"}}\n"),
    ]);
    for (q, path, row) in [
        ("strictSafety default value", "docs/options.md", "`strictSafety`"),
        ("what does strictSafety do when the request fails", "docs/options.md", "`strictSafety`"),
        ("LOG_LEVEL default value", "src/env.rs", "LOG_LEVEL"),
        ("cluster.settle-timeout default value", "src/flags.rs", "cluster.settle-timeout"),
        ("--cluster.settle-timeout default value", "src/flags.rs", "cluster.settle-timeout"),
        ("npm run test:unit:watch", "package.json", "test:unit:watch"),
    ] {
        let text = first_in(&workspace, q, path);
        assert!(text.contains(row), "{q}: {text}");
    }
    let reply = text(&workspace, json!({"q": "strictSafety default value"}));
    assert!(reply.starts_with("# files with strictSafety first; best of "), "{reply}");
    // The name of a message is a value, and a change touches other files than those with its names.
    for q in [
        "error: strictSafety of config \"a\" fails the check",
        "fix(config): strictSafety default value",
    ] {
        let reply = text(&workspace, json!({ "q": q }));
        assert!(!reply.contains("first; best of"), "{reply}");
    }
}

#[test]
fn a_file_that_only_mentions_a_rare_name_does_not_lead() {
    let far = format!("{}poolSizeMax\n", " ".repeat(600));
    let many: Vec<(String, &str)> =
        (0..12).map(|n| (format!("src/long{n}.rs"), far.as_str())).collect();
    let many = many.iter().map(|(path, text)| (path.as_str(), *text));
    let files: Vec<(&str, &str)> = many
        .chain([
            ("src/conns.rs", "pub max_idle_conns: usize, // the default value\n"),
            ("src/zz.rs", "// as maxIdleConns was\n"),
            ("CHANGES.md", "- isXhr: the default value\n"),
            ("src/wrappers.py", "def isXhr(self): pass\n"),
            ("src/pool.py", "pool.size = 8 # the default value\n"),
            ("src/hints.py", "pool.size_hint_1 # default value\npool.size_hint_2 = value\n"),
            ("src/note.js", "// poolSizeMax default value\n"),
            ("src/a.b.js", "request()\n"),
            ("README.md", "The default request of a.b.js.\n"),
        ])
        .collect();
    let (_dir, workspace) = tree(&files);
    for (q, path) in [
        ("maxIdleConns default value", "src/conns.rs"),
        ("isXhr default value", "src/wrappers.py"),
        ("pool.size default value", "src/pool.py"),
    ] {
        first_in(&workspace, q, path);
    }
    let reply = text(&workspace, json!({"q": "a.b.js request default"}));
    assert!(reply.contains("src/a.b.js\n"), "{reply}");
    // Twelve files have it where the counters of a ranking do not see it.
    let reply = text(&workspace, json!({"q": "poolSizeMax default value"}));
    assert!(!reply.contains("files with"), "{reply}");
}

#[test]
fn longer_names_do_not_hide_a_rare_one() {
    let mut files: Vec<(String, String)> =
        (0..12).map(|n| (format!("src/m{n}.h"), format!("LOG_LEVEL_{n} syntax\n"))).collect();
    files.push(("src/env.h".to_owned(), "read(\"LOG_LEVEL\")\n".to_owned()));
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, &**text)).collect();
    let (_dir, workspace) = workspace(&files);
    let reply = first_in(&workspace, "LOG_LEVEL format", "src/env.h");
    assert!(reply.starts_with("# lines with \"LOG_LEVEL\""), "{reply}");
}

#[test]
fn of_two_names_the_inner_definition_has_the_rows() {
    let registry = "class InstanceRegistry {\n\
                    \x20   fun load() = saveMapping(override, a)\n\
                    \x20   fun saveMapping(override: Boolean) {\n\
                    \x20       logger.warn(\"override index\")\n    }\n}\n";
    let (_dir, workspace) = tree(&[("src/InstanceRegistry.kt", registry)]);
    let q = "InstanceRegistry saveMapping override warning";
    let reply = first_in(&workspace, q, "src/InstanceRegistry.kt");
    assert!(reply.contains(">3: ") && reply.contains(" 4: "), "{reply}");
}

#[test]
fn an_option_may_be_written_without_its_dashes() {
    let (_dir, workspace) = tree(&[
        ("src/flags.go", "kingpin.Flag(\"dispatch-wait\", \"Time to wait.\")\n"),
        ("src/other.go", "dispatch-wait\n"),
        ("src/cli.rb", "o.on \"--tag TAG\"\nself[\"tag\"]\n"),
        ("src/options.go", "// as --settle-time of the command\n"),
        ("cmd/main.go", "kingpin.Flag('settle-time', 15)\n"),
    ]);
    let reply = text(&workspace, json!({"q": "--settle-time default value"}));
    assert!(reply.contains("Flag('settle-time'"), "{reply}");
    let reply = first_in(&workspace, "--dispatch-wait flag default", "src/flags.go");
    assert!(!reply.contains("other.go"), "{reply}");
    let reply = first_in(&workspace, "--tag command line option", "src/cli.rb");
    assert!(reply.contains("--tag TAG") && !reply.contains("self["), "{reply}");
}

#[test]
fn a_word_of_a_sentence_may_have_another_spelling() {
    let (_dir, workspace) = tree(&[("src/term.rs", "fn is_colored(term) -> bool { true }\n")]);
    let q = "how does it decide that the terminal can show coloured text";
    let reply = first_in(&workspace, q, "src/term.rs");
    assert!(reply.contains("\"coloured\" occurs nowhere; looked for \"colored\""), "{reply}");
}

#[test]
fn a_place_may_be_below_the_name_of_the_root() {
    let (dir, workspace) = tree(&[("index.d.ts", "one\ntwo\nthree\n"), ("lib/index.d.ts", "\n")]);
    let root = dir.path().file_name().and_then(|name| name.to_str()).expect("it has a name");
    let reply = first_in(&workspace, &format!("node_modules/{root}/index.d.ts:3:1"), "index.d.ts");
    assert!(reply.contains(" 3: three"), "{reply}");
    let other = text(&workspace, json!({"q": "node_modules/other/index.d.ts:3:1"}));
    assert!(!other.contains("three"), "{other}");
}

#[test]
fn a_name_with_hyphens_is_one_where_code_has_it() {
    let (_dir, workspace) = tree(&[
        ("Cargo.toml", "[features]\nstrict-safety = [\"dep:check\"]\n"),
        ("src/a.rs", "// A log-level of the strict config, a round-trip with default values.\n"),
    ]);
    for q in ["strict-safety default value", "what does the strict-safety feature check"] {
        first_in(&workspace, q, "Cargo.toml");
    }
    let reply = text(&workspace, json!({"q": "where is strict-safety used"}));
    assert!(
        reply.starts_with("# lines with \"strict-safety\", uses first:\nCargo.toml\n"),
        "{reply}"
    );
    // A word of a sentence is none.
    let reply = text(&workspace, json!({"q": "log-level default value"}));
    assert!(!reply.contains("first; best of"), "{reply}");
}
