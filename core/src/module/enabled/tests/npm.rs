//! `package.json` and `pnpm-workspace.yaml`.

use super::{assert_found, found};

#[test]
fn a_workspace_with_its_members() {
    let root = r#"{"name": "root", "private": true,
        "workspaces": ["packages/*", "!packages/old", "deep/**"]}"#;
    let a = r#"{"name": "@s/a", "dependencies": {"b": "^1", "react": "18"},
        "devDependencies": {"@s/a": "*", "x": "npm:deep@1", "y": "file:../old"},
        "peerDependencies": {"deep": "*"}}"#;
    assert_found(
        &found(&[
            ("package.json", root),
            ("node_modules/react/package.json", r#"{"name": "react"}"#),
            ("packages/a/package.json", a),
            ("packages/a/test/x.js", ""),
            ("packages/a/e2e/x.js", ""),
            ("packages/a/node_modules/z/index.js", ""),
            ("packages/b/package.json", r#"{"name": "b"}"#),
            // A member needs no name.
            ("packages/c/package.json", "{}"),
            ("packages/c/lib/package.json", r#"{"type": "module"}"#),
            ("packages/old/package.json", "{}"),
            ("deep/1/2/3/4/package.json", r#"{"name": "deep"}"#),
            ("deep/1/2/node_modules/n/package.json", r#"{"name": "n"}"#),
        ]),
        &[
            "@s/a packages/a: +packages/a -packages/a/e2e -packages/a/test \
             ~packages/a/node_modules (JavaScript) > b exported, deep exported, deep test, \
             <NodeModules packages/a/node_modules> exported, <NodeModules node_modules> exported",
            "b packages/b: +packages/b (JavaScript) > <NodeModules node_modules> exported",
            "deep deep/1/2/3/4: +deep/1/2/3/4 (JavaScript) > <NodeModules node_modules> exported",
            "packages/c packages/c: +packages/c (JavaScript) > <NodeModules node_modules> exported",
            "root .: +. ~node_modules (JavaScript) > <NodeModules node_modules> exported",
            "library NodeModules: node_modules / ",
            "library NodeModules: packages/a/node_modules / ",
        ],
    );
}

#[test]
fn yarn_and_pnpm_lists() {
    let yarn = r#"{"private": true, "workspaces": {"packages": ["p"], "nohoist": ["q"]}}"#;
    let pnpm = "# comment\ncatalog:\n  packages: [no]\n? {a: b}\n: c\nx: &x y\nz: *x\n\
                packages:\n  - 'one/**'\n  - \"!**/skip/**\"\n  - two\nlast: [three]\n";
    let member = "{}";
    assert_found(
        &found(&[
            ("y/package.json", yarn),
            ("y/p/package.json", member),
            ("n/pnpm-workspace.yaml", pnpm),
            ("n/package.json", r#"{"name": "top"}"#),
            ("n/one/a/b/c/package.json", member),
            ("n/one/skip/c/d/package.json", member),
            ("n/two/package.json", member),
            ("n/three/package.json", member),
            ("n/no/package.json", member),
        ]),
        &[
            "n/one/a/b/c n/one/a/b/c: +n/one/a/b/c (JavaScript)",
            "n/two n/two: +n/two (JavaScript)",
            "top n: +n (JavaScript)",
            "y/p y/p: +y/p (JavaScript)",
        ],
    );
}

#[test]
fn problems_are_reported() {
    let found = found(&[
        ("a/package.json", "{".repeat(1_000_000)),
        ("b/package.json", "[".repeat(1_000_000)),
        ("c/pnpm-workspace.yaml", "[".repeat(1_000_000)),
        ("d/pnpm-workspace.yaml", "packages: [a: {}, &x [*x], 'b']\n\tx".to_owned()),
        ("e/pnpm-workspace.yaml", "- ".repeat(500_000)),
        ("f/package.json", r#"{"name": "a\nb"}"#.to_owned()),
        ("g/package.json", r#"{"name": 1, "workspaces": [1, {}], "dependencies": []}"#.to_owned()),
        ("h/package.json", "\u{FEFF}{\"name\": \"h\"}\r\n".to_owned()),
        ("i/package.json", format!("{{\"name\": \"{}\"}}", "n".repeat(600))),
    ]);
    let starts = [
        "h h: +h (JavaScript)",
        "! c/pnpm-workspace.yaml: invalid YAML: ",
        "! d/pnpm-workspace.yaml: invalid YAML: ",
        "! e/pnpm-workspace.yaml: invalid YAML: ",
        "! a/package.json: invalid JSON: ",
        "! b/package.json: invalid JSON: ",
        "! f/package.json: 'a\\nb' is not a valid name",
        "! i/package.json: 'nnnn",
    ];
    assert!(
        found.len() == starts.len() && found.iter().zip(starts).all(|(a, b)| a.starts_with(b)),
        "{found:#?}"
    );
}

#[test]
fn patterns_that_match_much_are_bounded() {
    let patterns = ["**/**/**/**", "*/*/*", "d*/**/x"].map(|p| format!("\"{p}\"")).join(",");
    let mut files = vec![("package.json".to_owned(), format!("{{\"workspaces\": [{patterns}]}}"))];
    files.extend((0..1_000).map(|n| (format!("d{}/{n}/x/package.json", n % 10), "{}".to_owned())));
    let found = found(&files);
    // The walk over the first levels stops earlier than the patterns.
    let told = "! .: only 2000 directories were searched for manifests";
    assert_eq!((found.len(), found.last().map(String::as_str)), (1_001, Some(told)));
    let stars = found_of_pattern(&"*a".repeat(100));
    assert!(stars.len() == 1 && stars[0].ends_with("is not supported"), "{stars:?}");
}

fn found_of_pattern(pattern: &str) -> Vec<String> {
    found(&[("package.json", format!("{{\"workspaces\": [\"{pattern}\"]}}"))])
}

#[test]
fn a_tree_without_manifests_is_searched_briefly() {
    let mut files: Vec<_> = (0..399).map(|n| (format!("{n:03}/x"), "")).collect();
    assert_found(&found(&files), &[]);
    files.push(("400/x".to_owned(), ""));
    let told = "! .: only 400 directories were searched for manifests";
    assert_found(&found(&files), &[told]);
    files.push(("350/package.json".to_owned(), "{\"name\": \"a\"}"));
    assert_found(&found(&files), &["a 350: +350 (JavaScript)"]);
}
