//! Questions about a message or a topic, with words around it.

use super::questions::first_in;
use super::{text, workspace};
use serde_json::json;

#[test]
fn a_message_is_found_without_a_sign_of_one() {
    let (_dir, workspace) = workspace(&[
        (
            "src/registry.ex",
            "raise \"could not lookup repo #{inspect repo} because it was not started\"\n",
        ),
        (
            "src/repo.ex",
            "# A repo is started; a repo that was not started has no lookup.\ndef lookup(repo), do: start(repo)\n",
        ),
        (
            "src/app.ex",
            "def start(app), do: app # lookup the repo of the app because it could start\n",
        ),
    ]);
    let message = "could not lookup repo MyApp.Repo because it was not started";
    for q in [
        message.to_owned(),
        format!("** (RuntimeError) {message}"),
        format!("[error] {message}"),
        format!("why do I get \"{message}\" here?"),
    ] {
        let reply = first_in(&workspace, &q, "src/registry.ex");
        assert!(reply.contains("a text of the first file fits it; "), "{q}: {reply}");
    }
    // A question that no text fits keeps its order.
    let reply = text(&workspace, json!({"q": "lookup the repo of the app that could start"}));
    assert!(!reply.contains("fits it"), "{reply}");
}

#[test]
fn a_heading_that_is_the_topic_comes_first_with_what_is_below_it() {
    let prefixes = "prefix migration prefixes\n".repeat(5);
    let guide = "# Guide\n\nRun `migrate` once.\n\n## Migration prefixes\n\nA prefix is the schema of a table.\n";
    let (_dir, workspace) = workspace(&[
        ("docs/guide.md", guide),
        ("docs/other.md", &prefixes),
        ("lib/schema.ex", &prefixes),
    ]);
    for q in [
        "what are migration prefixes",
        "how do migration prefixes work?",
        "where are migration prefixes described",
        "migration prefixes docs",
    ] {
        let reply = first_in(&workspace, q, "docs/guide.md");
        let rows =
            "docs/guide.md\n 5: ## Migration prefixes\n 7: A prefix is the schema of a table.\n";
        assert!(reply.starts_with("# the topic is a heading; "), "{q}: {reply}");
        assert!(reply.contains(rows), "{q}: {reply}");
    }
    let reply = text(&workspace, json!({"q": "how do prefix migration work"}));
    assert!(!reply.contains("is a heading"), "{reply}");
}

#[test]
fn a_frame_without_a_place_leads_to_its_function() {
    let (_dir, workspace) = workspace(&[
        (
            "src/Retry/RetryHelper.cs",
            "namespace Acme.Retry;\ninternal static class RetryHelper\n{\n    public static int GetDelay(int a) => a;\n}\n",
        ),
        ("src/Other.cs", "class Other { int GetDelay() => 1; }\n"),
    ]);
    for q in [
        "at Acme.Retry.RetryHelper.GetDelay(Int32 a)",
        "System.InvalidOperationException: no delay\n   at System.Math.Abs(Int32 a)\n   at Acme.Retry.RetryHelper.GetDelay(Int32 a)\n   at Acme.Program.Main()",
    ] {
        let reply = first_in(&workspace, q, "src/Retry/RetryHelper.cs");
        assert!(reply.contains("\n>4: "), "{reply}");
        assert!(reply.starts_with("# a function called as in a frame, "), "{reply}");
    }
}

#[test]
fn a_place_in_a_built_file_leads_to_the_function_in_its_source() {
    let source = "// The schemas.\n\nexport function parse(text: string) {}\n";
    let (_dir, workspace) = workspace(&[
        ("packages/app/src/core/schemas.ts", source),
        ("src/schemas.ts", "export function parse() {}\n"),
    ]);
    let q = "at parse (/srv/node_modules/app/core/schemas.js:291:31)";
    let reply = first_in(&workspace, q, "packages/app/src/core/schemas.ts");
    assert!(reply.contains("\n>3: export function parse"), "{reply}");
    assert!(reply.contains("is a place, but not in its file; \"parse\":"), "{reply}");
}

#[test]
fn values_of_a_message_make_no_regex_and_no_part_of_the_tree() {
    let (_dir, workspace) = workspace(&[
        ("src/check.ts", "throw new Error(`Invalid option: expected one of ${values}`);\n"),
        ("src/shell.rs", "format!(\"unknown shell `{name}`, expected one of {names}\")\n"),
        (
            "src/shells.rs",
            "enum Shell { Bash, Elvish, Fish, Zsh } // an unknown shell is expected\n",
        ),
        ("src/build.ex", "raise \"variable `#{var}` is already defined in query\"\n"),
        ("src/query.ex", "# A variable is defined in a query; an option of a query is invalid.\n"),
    ]);
    let reply = first_in(&workspace, "Invalid option: expected one of \"a\"|\"b\"", "src/check.ts");
    assert!(!reply.contains("as the regex"), "{reply}");
    let q = "unknown shell `tcsh`, expected one of `bash`, `elvish`, `fish`, `zsh`";
    first_in(&workspace, q, "src/shell.rs");
    first_in(&workspace, "variable `u` is already defined in query", "src/build.ex");
}

#[test]
fn one_word_is_no_slip_of_two() {
    let (_dir, workspace) =
        workspace(&[("src/a.rs", "fn get_next_help() {}\nfn set_recieve_buffer() {}\n")]);
    let reply = text(&workspace, json!({"q": "gettext"}));
    assert!(reply.starts_with("# nothing found"), "{reply}");
    let reply = text(&workspace, json!({"q": "receive"}));
    assert!(reply.contains("1 letter off"), "{reply}");
}

#[test]
fn a_file_as_first_row_is_counted() {
    let (_dir, workspace) =
        workspace(&[("docs/llms.txt", "a\n"), ("src/a.rs", "\"llms.txt\"\n\"/llms.txt\"\n")]);
    let reply = text(&workspace, json!({"q": "llms.txt"}));
    assert!(reply.contains("[all 2 lines in 1 file; "), "{reply}");
}
