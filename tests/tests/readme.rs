//! README.md and docs compared with the engine: the table of tools names every tool, every call
//! succeeds, and those on scopes return the promised files.
//!
//! `SEARCHSCOPE_UPDATE=1` updates the table instead of comparing it.

#![expect(clippy::disallowed_methods, reason = "tests read the files of the repository")]

use searchscope::{Call, Workspace};
use searchscope_tests::repository;
use searchscope_tests::tree::Tree;
use searchscope_tools::CallTools;
use searchscope_tools::{TOOLS, Tool, open_workspace};
use serde_json::Value;

/// Makes two crates and a package, each with an entry that an example must leave out, and the files that
/// other examples name.
fn project() -> Tree {
    Tree::of(&[
        (".gitignore", "node_modules\ntarget\n"),
        ("Cargo.toml", "[workspace]\nmembers = [\"app\", \"engine\", \"other\"]\n"),
        (
            "app/Cargo.toml",
            "[package]\nname = \"app\"\n\n[dependencies]\nengine = { path = \"../engine\" }\n",
        ),
        ("app/src/main.rs", "use engine::Config;\n"),
        ("engine/Cargo.toml", "[package]\nname = \"engine\"\n"),
        ("engine/notes.md", "x.unwrap()\n"),
        ("engine/src/config.rs", "pub struct Config;\nfn f() { x.unwrap() }\n"),
        ("engine/src/lib.rs", "mod config;\n"),
        ("engine/src/table.generated.rs", "fn g() { x.unwrap() }\n"),
        ("engine/tests/all.rs", "use engine::Config;\nfn t() { x.unwrap() }\n"),
        ("other/Cargo.toml", "[package]\nname = \"other\"\n"),
        ("other/src/lib.rs", "struct Config;\nfn f() { x.unwrap() }\n"),
        ("node_modules/react/index.js", "/* deprecated */\n"),
        ("node_modules/react/index.min.js", "/* deprecated */\n"),
        ("src/lib.rs", "// TODO: errors\npub fn parse() {}\n"),
        ("src/main.rs", "fn main() {\n    parse();\n}\n"),
        ("web/index.js", "/* deprecated */\n"),
    ])
}

/// Returns README.md and every page of docs, as name and text.
fn documents() -> Vec<(String, String)> {
    let read = |name: &str| {
        let text = std::fs::read_to_string(repository().join(name)).expect("a document is UTF-8");
        (name.to_owned(), text)
    };
    let pages = std::fs::read_dir(repository().join("docs")).expect("the folder is there");
    let names = pages.map(|page| page.expect("readable").file_name().into_string().expect("UTF-8"));
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".md")).collect();
    names.sort();
    let pages = names.iter().map(|name| read(&format!("docs/{name}")));
    std::iter::once(read("README.md")).chain(pages).collect()
}

/// Returns the calls in the shell examples of a text, as tool and arguments.
fn calls(text: &str) -> Vec<(String, Value)> {
    let call = |text: &str| {
        let (tool, args) = text.split_once(" '")?;
        let (args, _) = args.split_once('\'').expect("arguments in quotes");
        let args = serde_json::from_str(args).unwrap_or_else(|why| panic!("{args}: {why}"));
        Some((tool.to_owned(), args))
    };
    let blocks = text.split("```sh\n").skip(1).map(|block| block.split("```").next());
    let calls = blocks.flatten().flat_map(|block| block.split("searchscope call ").skip(1));
    // The arguments of `call TOOL -` are those of a command before it.
    let calls = calls.filter(|text| text.split(' ').nth(1) != Some("-"));
    calls.map(|text| call(text).unwrap_or_else(|| panic!("no arguments: {text}"))).collect()
}

/// Returns the reply to a call, which must succeed.
fn reply(workspace: &Workspace, tool: &str, args: &Value) -> Value {
    let reply = workspace.call(tool, args.to_string().as_bytes(), &Call::new());
    let reply = reply.unwrap_or_else(|error| panic!("{tool} {args}: {error}"));
    serde_json::from_slice(&reply).expect("a reply is JSON")
}

/// Returns the texts of one field of all objects in a list.
fn texts<'a>(reply: &'a Value, list: &str, field: &str) -> Vec<&'a str> {
    let items = reply[list].as_array().unwrap_or_else(|| panic!("no {list} in {reply}"));
    items.iter().map(|item| item[field].as_str().expect("a text")).collect()
}

#[test]
fn every_call_of_the_documents_succeeds() {
    let tree = project();
    let workspace = open_workspace(tree.root(), b"").expect("the tree is there");
    let mut n_calls = 0;
    for (name, text) in documents() {
        for (tool, args) in calls(&text) {
            n_calls += 1;
            let reply = reply(&workspace, &tool, &args);
            // Two tools report errors in the reply.
            let is_error = reply["success"] == false || reply["status"] == "error";
            assert!(!is_error, "{name}: {tool} {args}: {reply}");
        }
    }
    assert!(n_calls > 20, "the calls are not found");
}

#[test]
fn the_calls_on_scopes_return_the_promised_files() {
    let expected: [(&str, &str, &str, &[&str]); 4] = [
        ("scope_search_text", "occurrences", "filePath", &["engine/src/config.rs"]),
        (
            "scope_list_catalog",
            "items",
            "scopeRefId",
            &["module:app:MODULE", "module:app:MODULE_WITH_DEPENDENCIES"],
        ),
        (
            "search",
            "files",
            "path",
            &["app/src/main.rs", "engine/src/config.rs", "engine/tests/all.rs"],
        ),
        ("scope_search_text", "occurrences", "filePath", &["node_modules/react/index.js"]),
    ];
    let tree = project();
    let workspace = open_workspace(tree.root(), b"").expect("the tree is there");
    let text = std::fs::read_to_string(repository().join("docs/scopes.md")).expect("the page");
    let calls = calls(&text);
    assert_eq!(calls.len(), expected.len());
    for ((tool, args), (expected_tool, list, field, expected)) in calls.iter().zip(expected) {
        assert_eq!(tool, expected_tool);
        let reply = reply(&workspace, tool, args);
        assert_eq!(texts(&reply, list, field), expected, "{tool} {args}\n{reply}");
    }
}

/// A test of the engine compares the list of the page with its grammars.
#[test]
fn the_languages_of_definitions_are_those_of_the_page() {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let tool = TOOLS.iter().find(|tool| tool.name == "scope_search_symbols").expect("the tool");
    let (_, list) = tool.description.split_once("Parses ").expect("a list of languages");
    let (list, _) = list.split_once('.').expect("the end of the list");
    let page = std::fs::read_to_string(repository().join("docs/syntax.md")).expect("the page");
    assert!(list.contains(" and ") && words(&page).contains(&words(list)), "{list}");
}

/// The head of the table of tools.
const TABLE: &str = "| tool | purpose |\n| --- | --- |\n";

#[test]
fn the_table_has_a_row_for_each_tool() {
    let path = repository().join("README.md");
    let text = std::fs::read_to_string(&path).expect("the README");
    let updated = with_a_row_for_each(&text, TOOLS.iter());
    if std::env::var_os("SEARCHSCOPE_UPDATE").is_some() {
        std::fs::write(&path, updated).expect("the README can be written");
        return;
    }
    let missing: Vec<&str> = updated.lines().filter(|line| !text.contains(*line)).collect();
    assert!(text == updated, "run this with SEARCHSCOPE_UPDATE=1: {missing:?} or a row too many");
}

#[test]
fn a_missing_row_is_added_and_one_too_many_removed() {
    let text = format!("{TABLE}| `look` | kept |\n| `gone` | dropped |\n\nMore.\n");
    let tools = TOOLS.iter().filter(|tool| ["look", "Grep"].contains(&tool.name));
    let updated = with_a_row_for_each(&text, tools);
    assert!(updated.starts_with(&format!("{TABLE}| `look` | kept |\n| `Grep` | Searches ")));
    assert!(updated.ends_with("newest file first |\n\nMore.\n"), "{updated}");
}

/// Returns the text with a row for each tool: the existing rows in their order, then the other tools
/// with the first sentence of their description.
fn with_a_row_for_each<'a>(text: &str, tools: impl Iterator<Item = &'a Tool>) -> String {
    let start = text.find(TABLE).expect("the table of tools") + TABLE.len();
    let end = start + text[start..].find("\n\n").expect("an end of the table") + 1;
    let name = |row: &str| row.split('`').nth(1).map(str::to_owned);
    let tools: Vec<&Tool> = tools.collect();
    let is_tool = |row: &&str| tools.iter().any(|tool| name(row).as_deref() == Some(tool.name));
    let mut rows: Vec<String> =
        text[start..end].lines().filter(is_tool).map(str::to_owned).collect();
    for tool in &tools {
        if rows.iter().all(|row| name(row).as_deref() != Some(tool.name)) {
            let (sentence, _) = tool.description.split_once(". ").unwrap_or((tool.description, ""));
            rows.push(format!("| `{}` | {} |", tool.name, sentence.trim_end_matches('.')));
        }
    }
    format!("{}{}\n{}", &text[..start], rows.join("\n"), &text[end..])
}
