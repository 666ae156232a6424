//! `like`: where else something is done.

use super::{reply, text, workspace};
use crate::call::CallTools;
use searchscope::{Call, IndexMode, WorkspaceOptions};
use serde_json::json;

const RETRY_RS: &str = "pub fn upload_all(client: &Client) {\n    let mut backoff = Backoff::new();\n    while let Err(failure) = client.upload() {\n        backoff.sleep_until_retry(failure);\n    }\n}\n\nfn other() {}\n";
const RETRY_PY: &str = "import os\n\n\nclass Feed:\n    def fetch(self):\n        backoff = Backoff()\n        while True:\n            failure = self.client.get()\n            backoff.sleep_until_retry(failure)\n";
const RETRY_GO: &str = "package feed\n\nfunc poll(client Client) {\n\tbackoff := NewBackoff()\n\tfor failure := client.Get(); failure != nil; {\n\t\tbackoff.SleepUntilRetry(failure)\n\t}\n}\n";

fn files() -> Vec<(&'static str, &'static str)> {
    vec![
        ("src/upload.rs", RETRY_RS),
        ("src/feed.py", RETRY_PY),
        ("src/feed.go", RETRY_GO),
        ("src/none.rs", "pub fn render(page: &Page) {\n    page.draw();\n}\n"),
        ("src/client.rs", "pub struct Client;\n"),
        (
            "tests/upload.rs",
            "fn it() {\n    let backoff = fake();\n    backoff.sleep_until_retry(1);\n}\n",
        ),
    ]
}

#[test]
fn places_like_one_are_definitions_of_other_files() {
    let (_dir, workspace) = workspace(&files());
    let said = text(&workspace, json!({"like": "src/upload.rs:3"}));
    assert!(said.starts_with("# like src/upload.rs:1-6 (fn upload_all), by its words "), "{said}");
    assert!(said.contains("src/feed.py\n>5: def fetch(self):\n"), "{said}");
    assert!(said.contains("src/feed.go\n>3: func poll(client Client) {\n"), "{said}");
    assert!(!said.contains("\nsrc/upload.rs\n") && !said.contains("none.rs"), "{said}");
    assert!(said.contains("[rows 1-"), "{said}");
    for (args, has, has_not) in [
        (
            json!({"like": "src/feed.py:8"}),
            "src/upload.rs\n>1: pub fn upload_all",
            "\nsrc/feed.py\n",
        ),
        (json!({"like": "src/feed.go:3-7"}), "src/feed.py\n>5: def fetch", "\nsrc/feed.go\n"),
        (json!({"like": "src/upload.rs#L3", "only": "tests"}), "tests/upload.rs\n", "feed"),
        (json!({"like": "src/upload.rs:3", "files": ["*.go"]}), "src/feed.go\n", "feed.py"),
        (json!({"like": "src/upload.rs:3", "only": "files"}), "src/feed.py\n", ">"),
        (json!({"like": "src/upload.rs:3", "in": "tests"}), "tests/upload.rs\n", "feed"),
    ] {
        let said = text(&workspace, args.clone());
        assert!(said.contains(has) && !said.contains(has_not), "{args}: {said}");
    }
    let count = reply(&workspace, json!({"like": "src/upload.rs:3", "only": "count"}));
    assert_eq!(count["total"], 2);
    let small = text(&workspace, json!({"like": "src/upload.rs:3", "bytes_max": 500}));
    assert!(small.len() <= 500, "{small}");
    let none = text(&workspace, json!({"like": "src/none.rs:2"}));
    assert!(none.starts_with("# nothing is like src/none.rs:1-3"), "{none}");
}

#[test]
fn places_like_one_are_the_same_for_any_number_of_threads() {
    let (dir, _) = workspace(&files());
    let said = |threads: usize| {
        let options = WorkspaceOptions { threads: Some(threads), ..WorkspaceOptions::default() };
        let workspace = options.open(dir.path()).expect("opened");
        text(&workspace, json!({"like": "src/upload.rs:3"}))
    };
    assert_eq!(said(1), said(4));
}

#[test]
fn places_like_one_are_the_same_with_an_index() {
    let (dir, cold) = workspace(&files());
    let options = WorkspaceOptions { index: IndexMode::Auto, ..WorkspaceOptions::default() };
    let warm = options.open(dir.path()).expect("opened");
    warm.warm(&Call::new()).expect("built");
    for args in [json!({"like": "src/upload.rs:3"}), json!({"like": "src/feed.py:8"})] {
        assert_eq!(text(&warm, args.clone()), text(&cold, args));
    }
}

#[test]
fn a_place_that_is_none_is_an_error() {
    let (_dir, workspace) = workspace(&files());
    for (args, code, param) in [
        (json!({"like": "upload"}), "invalid_param", "like"),
        (json!({"like": "src/upload.rs"}), "invalid_param", "like"),
        (json!({"like": "src/upload.rs:900"}), "invalid_param", "like"),
        (json!({"like": "src:3"}), "invalid_param", "like"),
        (json!({"like": "src/nowhere.rs:3"}), "not_found", "like"),
        (json!({"like": "../../etc/hosts.conf:1"}), "access_denied", "like"),
        (json!({"like": "src/upload.rs:3", "q": "a"}), "invalid_param", "like"),
        (json!({"like": "src/upload.rs:3", "only": "names"}), "invalid_param", "only"),
        (json!({"like": "a.rs:1 b.rs:2"}), "invalid_param", "like"),
        (json!({"like": 3}), "invalid_param", "like"),
        (json!({}), "invalid_param", "q"),
    ] {
        let error = workspace.call("look", args.to_string().as_bytes(), &Call::new());
        let error = error.expect_err(&args.to_string());
        let named = error.param().is_some_and(|name| name.starts_with(param));
        assert_eq!((error.code(), named), (code, true), "{args}: {error}");
    }
    let call = Call::new();
    call.cancel_token().cancel();
    let error = workspace.call("look", br#"{"like": "src/upload.rs:3"}"#, &call);
    assert_eq!(error.expect_err("cancelled").code(), "cancelled");
}
