//! Which of the lines with a name come first.

use super::{text, workspace};
use searchscope::Workspace;
use serde_json::json;

/// Returns the paths of a reply in their order.
fn paths(workspace: &Workspace, q: &str) -> Vec<String> {
    let reply = text(workspace, json!({ "q": q }));
    reply
        .lines()
        .filter(|line| !line.starts_with([' ', '>', '#', '[']))
        .map(str::to_owned)
        .collect()
}

#[test]
fn a_definition_comes_before_aliases_and_examples() {
    let (_dir, workspace) = workspace(&[
        ("examples/a.js", "function lightPosition() {}\n"),
        ("src/all.js", "export const lightPosition = lights.lightPosition;\n"),
        ("src/lights.js", "export function lightPosition() {}\n"),
    ]);
    let text = text(&workspace, json!({"q": "lightPosition"}));
    let at = |path: &str| text.find(path).expect("a heading");
    assert!(at("src/lights.js") < at("src/all.js"), "{text}");
    assert!(at("src/all.js") < at("examples/a.js"), "{text}");
    let text = self::text(&workspace, json!({"q": "/\\.lightPosition;/", "only": "definitions"}));
    assert!(text.starts_with("# no definition of"), "{text}");
}

#[test]
fn definitions_of_tests_and_copies_come_after_the_uses_of_a_defined_name() {
    let others = [
        ("dist/all.js", "function lightPosition() {}\n"),
        ("src/use.js", "send(lightPosition);\n"),
        ("test/fake.js", "function lightPosition() {}\n"),
    ];
    let (_dir, in_code) =
        workspace(&[&others[..], &[("src/lights.js", "function lightPosition() {}\n")]].concat());
    assert_eq!(
        paths(&in_code, "lightPosition"),
        ["src/lights.js", "src/use.js", "test/fake.js", "dist/all.js"]
    );
    // A question about definitions wants all of them.
    assert_eq!(
        paths(&in_code, "lightPosition definition"),
        ["src/lights.js", "test/fake.js", "dist/all.js", "src/use.js"]
    );
    // A generated or test definition is the only one.
    let (_dir, elsewhere) = workspace(&others);
    assert_eq!(paths(&elsewhere, "lightPosition"), ["test/fake.js", "dist/all.js", "src/use.js"]);
}

#[test]
fn the_definitions_of_a_file_are_its_first_rows() {
    let source =
        "// A token is loaded by load_token.\nfn main() { load_token() }\n\nfn load_token() {}\n";
    let (_dir, workspace) = workspace(&[("src/a.rs", source)]);
    let reply = text(&workspace, json!({"q": "load_token"}));
    let rows: Vec<&str> =
        reply.lines().filter_map(|line| line.split_once(':')).map(|(number, _)| number).collect();
    assert_eq!(rows[..3], [">4", " 1", " 2"], "{reply}");
}
