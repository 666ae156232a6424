//! `deny_secrets`: no tool shows a name or a byte of a file that holds credentials.

use crate::ask::{ask, every_tool, texts, try_ask};
use searchscope::{IndexMode, SECRETS, WorkspaceOptions};
use searchscope_tests::samples::{Words, samples, samples_at};
use searchscope_tests::tree::Tree;
use searchscope_tools::open_workspace;
use serde_json::{Value, json};
use std::os::unix::fs::symlink;

/// Names of credential files in the list, some of them below others.
const FILES: [&str; 12] = [
    ".env",
    "app/.env.production",
    "keys/id_rsa",
    "keys/id_ed25519",
    "deploy/server.key",
    "deploy/store.jks",
    ".npmrc",
    ".netrc",
    "home/.aws/credentials",
    "home/.kube/config",
    "infra/terraform.tfstate",
    "infra/private-keys-v1.d/0123.txt",
];

fn tree() -> Tree {
    let tree = Tree::empty();
    for path in FILES {
        tree.write(path, "# CANARY\nfn CANARY() {}\n");
    }
    tree.write("readme.md", "# ordinary\nnothing secret\n");
    symlink("keys/id_rsa", tree.root().join("to_key.txt")).expect("linked");
    symlink("home/.aws", tree.root().join("to_cloud")).expect("linked");
    tree
}

/// Returns calls that request the hidden files as directly as a tool allows.
fn questions() -> Vec<(&'static str, Value)> {
    let words = Words { text: "CANARY", document: FILES[0], symbol: "CANARY" };
    let everything = json!({"hidden": true, "no_ignore": true, "follow": true});
    let (mut search, mut find) = (everything.clone(), everything);
    search["patterns"] = json!(["CANARY"]);
    find["types"] = json!(["f", "d", "l"]);
    let mut questions = vec![("search", search), ("find", find)];
    questions.extend(every_tool().into_iter().chain(samples(&words)));
    for path in FILES.iter().copied().chain(["to_key.txt", "to_cloud/credentials"]) {
        questions.push(("read", json!({"what": [path]})));
        questions.extend(samples_at(&words, path));
    }
    questions
}

#[test]
fn no_tool_reveals_a_credential_file() {
    let tree = tree();
    for index in [IndexMode::Off, IndexMode::Auto] {
        let mut options = WorkspaceOptions::default();
        (options.deny_secrets, options.index) = (true, index);
        let workspace = options.open(tree.root()).expect("opened");
        workspace.warm(&searchscope::Call::new()).expect("built");
        for (tool, args) in questions() {
            let reply = match try_ask(&workspace, tool, &args) {
                Ok(reply) => reply.to_string(),
                Err(error) => format!("{error:?}"),
            };
            let asked = args.to_string();
            assert!(
                !reply.contains("CANARY") || asked.contains("CANARY"),
                "{tool} {args}: {reply}"
            );
            assert!(!reply.contains("fn CANARY"), "{tool} {args}: {reply}");
            for path in FILES {
                let is_named = reply.contains(path) && !asked.contains(path);
                assert!(!is_named, "{tool} {args} names {path}: {reply}");
            }
        }
    }
}

#[test]
fn credentials_are_hidden_in_any_letter_case_and_public_keys_are_not() {
    let tree = Tree::empty();
    let hidden = [
        ".ENV",
        ".Env.Local",
        "CERT.PFX",
        "ID_RSA",
        "Store.JKS",
        ".AWS/Credentials",
        ".ssh/deploy",
        "credentials.json",
        "terraform.tfstate.1700000000.backup",
        "x-firebase-adminsdk-1.json",
    ];
    let shown = [
        ".ENV.Example",
        ".ssh/config",
        ".ssh/deploy.pub",
        "ID_RSA.pub",
        "jwt_public_key.pem",
        "public-key.pem",
    ];
    for path in hidden.iter().chain(&shown) {
        tree.write(path, "hit\n");
    }
    let args = json!({"patterns": ["hit"], "mode": "files", "hidden": true});
    for deny in [json!([]), json!(["*.PUB"])] {
        let options = json!({"deny_secrets": true, "deny": deny}).to_string();
        let workspace = open_workspace(tree.root(), options.as_bytes()).expect("opened");
        let reply = ask(&workspace, "search", &args);
        // The host's own lines stay case-sensitive here, so `*.PUB` denies nothing.
        assert_eq!(texts(&reply["files"], "path"), shown, "{deny}");
        assert_eq!(reply["skipped"]["denied"], hidden.len(), "{deny}");
    }
}

#[test]
fn every_line_of_the_list_denies_something() {
    let tree = Tree::of(&[("file.txt", "text")]);
    for line in SECRETS {
        let options = json!({"deny": [line.trim_start_matches('!')]}).to_string();
        assert!(open_workspace(tree.root(), options.as_bytes()).is_ok(), "{line}");
    }
    assert!(SECRETS.len() > 50);
}
