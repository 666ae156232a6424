//! `find_and_grep` writes its results completely, into one directory, and touches no other file.
#![expect(
    clippy::disallowed_methods,
    reason = "the tests read the output files and create obstacles"
)]

use searchscope::{Call, Workspace};
use searchscope_tests::mask::{mask, mask_bytes};
use searchscope_tests::skip;
use searchscope_tests::tree::{Tree, user_is_refused_nothing};
use searchscope_tools::CallTools;
use searchscope_tools::open_workspace;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// A tree with matches, and a directory for results beside its root.
struct Place {
    tree: Tree,
    workspace: Workspace,
}

impl Place {
    fn new() -> Place {
        let tree = Tree::of(&[("a.txt", "hit 1\nmiddle\nhit 2\n"), ("b/c.txt", "hit 3\n")]);
        fs::create_dir(tree.around().join("out")).expect("the tree is writable");
        let options = json!({ "output_dir": "../out" }).to_string();
        let workspace = open_workspace(tree.root(), options.as_bytes()).expect("it is there");
        Place { tree, workspace }
    }

    fn out(&self, name: &str) -> std::path::PathBuf {
        self.tree.root().parent().expect("it has one").join("out").join(name)
    }

    /// Lists the output directory, including any temporary file that was left.
    fn written(&self) -> Vec<String> {
        let entries = fs::read_dir(self.out("")).expect("it is readable");
        let name = |entry: std::io::Result<fs::DirEntry>| {
            entry.expect("it is readable").file_name().to_string_lossy().into_owned()
        };
        let mut names: Vec<String> = entries.map(name).collect();
        names.sort();
        names
    }

    fn call(&self, more: &Value) -> Vec<u8> {
        call(&self.workspace, more)
    }

    fn json(&self, more: &Value) -> Value {
        mask(serde_json::from_slice(&self.call(more)).expect("a reply is JSON"))
    }
}

/// Calls the tool with `more` beside what every call needs.
fn call(workspace: &Workspace, more: &Value) -> Vec<u8> {
    let mut args = json!({ "roots": ["."], "query": "hit", "context_after": 1 });
    for (name, value) in more.as_object().expect("arguments are an object") {
        args[name] = value.clone();
    }
    let reply = workspace.call("find_and_grep", args.to_string().as_bytes(), &Call::new());
    reply.unwrap_or_else(|error| panic!("{args}: {error:?}"))
}

fn masked_file(path: &Path) -> String {
    let bytes = fs::read(path).expect("it was written");
    String::from_utf8(mask_bytes(&bytes)).expect("JSON is text")
}

fn with(shape: &Value, more: &Value) -> Value {
    let mut args = shape.clone();
    for (name, value) in more.as_object().expect("arguments are an object") {
        args[name] = value.clone();
    }
    args
}

#[test]
fn every_shape_is_written_whole() {
    let shapes = [
        json!({}),
        json!({"count_only_matches": true}),
        json!({"summary_only": true}),
        json!({"group_by_file": true, "optimize_paths": true}),
        json!({"total_only": true}),
    ];
    for shape in &shapes {
        let place = Place::new();
        let plain = String::from_utf8(mask_bytes(&place.call(shape))).expect("JSON is text");

        let mut reply = place.json(&with(shape, &json!({"output_file": "shown"})));
        assert_eq!(masked_file(&place.out("shown.json")), plain, "{shape}: written and shown");
        if let Some(fields) = reply.as_object_mut() {
            let path = place.out("shown.json").display().to_string();
            assert_eq!(fields.remove("output_file"), Some(path.into()), "{shape}");
            assert_eq!(fields.remove("file_saved"), Some(true.into()), "{shape}");
        }
        assert_eq!(reply.to_string(), plain, "{shape}: nothing else is added to the reply");

        let quiet = json!({"output_file": "quiet.json", "suppress_output": true});
        let reply = place.json(&with(shape, &quiet));
        assert_eq!(masked_file(&place.out("quiet.json")), plain, "{shape}: suppress_output");
        let path = place.out("quiet.json").display().to_string();
        let expected =
            json!({"success": true, "count": 3, "output_file": path, "file_saved": true});
        let expected = if shape["total_only"] == true { json!(3) } else { expected };
        assert_eq!(reply.to_string(), expected.to_string(), "{shape}");
        assert_eq!(place.written(), ["quiet.json", "shown.json"], "{shape}");
    }
}

#[test]
fn a_file_of_the_name_is_replaced_whole() {
    let place = Place::new();
    fs::write(place.out("report.json"), "old".repeat(10_000)).expect("it is writable");
    place.call(&json!({"output_file": "report"}));
    let written = fs::read(place.out("report.json")).expect("it was written");
    let written: Value = serde_json::from_slice(&written).expect("it is JSON and nothing else");
    assert_eq!(written["count"], 3);
    place.call(&json!({"output_file": "report", "total_only": true}));
    assert_eq!(fs::read(place.out("report.json")).expect("it was written"), b"3");
    assert_eq!(place.written(), ["report.json"]);
}

#[test]
fn a_link_of_the_name_is_replaced_and_not_followed() {
    for target in ["../victim.txt", "../root/a.txt", "missing.txt", "report.json"] {
        let place = Place::new();
        let victim = place.out("../victim.txt");
        fs::write(&victim, "precious").expect("it is writable");
        std::os::unix::fs::symlink(target, place.out("report.json")).expect("it is writable");
        place.call(&json!({"output_file": "report", "total_only": true}));
        let kind = fs::symlink_metadata(place.out("report.json")).expect("it is there").file_type();
        assert!(kind.is_file(), "{target}");
        assert_eq!(fs::read(place.out("report.json")).expect("it was written"), b"3", "{target}");
        assert_eq!(fs::read(&victim).expect("it is there"), b"precious", "{target}");
        let hits = fs::read(place.tree.root().join("a.txt")).expect("it is there");
        assert_eq!(hits, b"hit 1\nmiddle\nhit 2\n", "{target}");
        assert_eq!(place.written(), ["report.json"], "{target}");
    }
}

/// Checks that a failing call reports the failure and leaves the directory unchanged.
fn assert_refused(place: &Place, more: &Value, says: &str) {
    let before = place.written();
    for more in [more.clone(), with(more, &json!({"suppress_output": true, "total_only": true}))] {
        let reply = place.json(&more);
        let text = reply["error"].as_str().unwrap_or_default();
        assert_eq!(reply["success"], false, "{more}: {reply}");
        assert!(text.contains(says), "{more}: {reply}");
        assert!(reply["results"].is_null() && reply["file_saved"].is_null(), "{more}: {reply}");
    }
    assert_eq!(place.written(), before, "{more}");
}

#[test]
fn bad_names_are_refused_and_nothing_is_written() {
    let place = Place::new();
    fs::create_dir(place.out("sub")).expect("it is writable");
    let long = "n".repeat(300);
    for name in
        ["", ".", "..", "../x", "sub/x", "/tmp/x", "..\\x", "a\0b", "a\nb", "x/", ".json", &long]
    {
        assert_refused(&place, &json!({ "output_file": name }), "'output_file'");
    }
    assert_eq!(place.written(), ["sub"]);
    let around = place.tree.root().parent().expect("it has one");
    assert!(!around.join("x.json").exists() && !Path::new("/tmp/x.json").exists());
}

#[test]
fn a_search_that_fails_writes_nothing() {
    let place = Place::new();
    fs::write(place.out("report.json"), "before").expect("it is writable");
    for wrong in [
        json!({"output_file": "report", "query": "a("}),
        json!({"output_file": "report", "roots": ["missing"]}),
        json!({"output_file": "report", "size": ["1"]}),
    ] {
        assert_refused(&place, &wrong, "");
    }
    assert_eq!(fs::read(place.out("report.json")).expect("it is there"), b"before");
}

#[test]
fn entries_that_cannot_be_replaced_stay() {
    let place = Place::new();
    fs::create_dir_all(place.out("report.json/inside")).expect("it is writable");
    assert_refused(&place, &json!({"output_file": "report"}), "report.json");
    assert!(place.out("report.json/inside").is_dir());
    assert_eq!(place.written(), ["report.json"]);
}

#[test]
fn a_directory_that_may_not_be_written_to() {
    use std::os::unix::fs::PermissionsExt;
    if user_is_refused_nothing() {
        skip("an output directory without permission", "root is refused nothing");
        return;
    }
    let place = Place::new();
    fs::write(place.out("report.json"), "before").expect("it is writable");
    let permit = |mode| {
        let permissions = fs::Permissions::from_mode(mode);
        fs::set_permissions(place.out(""), permissions).expect("it is ours");
    };
    permit(0o555);
    assert_refused(&place, &json!({"output_file": "report"}), "report.json");
    permit(0o755);
    assert_eq!(fs::read(place.out("report.json")).expect("it is there"), b"before");
}

/// The reply of a call that runs out of time is an error or marked as truncated; so is the file.
#[test]
fn a_deadline_is_always_reported() {
    let place = Place::new();
    for n in 0..40 {
        place.tree.write(&format!("big/{n}.txt"), format!("{}hit\n", "filler \n".repeat(200_000)));
    }
    let args = json!({"query": "h.?it$|(f.?l.?l.?e.?r){3}", "roots": ["big"], "timeout_ms": 1});
    let reply = place.json(&with(&args, &json!({"output_file": "cut"})));
    match reply["success"].as_bool() {
        Some(true) => {
            assert_eq!(reply["meta"]["truncated"], true, "{reply}");
            let file: Value =
                serde_json::from_str(&masked_file(&place.out("cut.json"))).expect("JSON");
            assert_eq!(file["meta"]["truncated"], true, "{file}");
        }
        _ => {
            assert!(reply["error"].as_str().is_some_and(|text| text.contains("timeout")), "{reply}")
        }
    }
    // A bare number cannot report that it is partial.
    let reply = place.json(&with(&args, &json!({"total_only": true})));
    assert!(reply["error"].as_str().is_some_and(|text| text.contains("timeout")), "{reply}");
    assert_eq!((&reply["success"], &reply["returncode"]), (&json!(false), &json!(124)));
    assert!(matches!(reply["stage"].as_str(), Some("fd" | "rg")), "{reply}");
}

#[test]
fn a_name_that_the_host_denies_is_not_written() {
    let tree = Tree::of(&[("a.txt", "hit\n"), ("secret.json", "precious")]);
    let options = json!({ "output_dir": ".", "deny": ["secret.json"] }).to_string();
    let workspace = open_workspace(tree.root(), options.as_bytes()).expect("it is there");
    let reply = call(&workspace, &json!({"output_file": "secret"}));
    let secret = fs::read(tree.root().join("secret.json")).expect("it is there");
    let reply = String::from_utf8_lossy(&reply);
    assert_eq!(secret, b"precious", "{reply}");
    assert!(reply.contains("\"success\":false"), "{reply}");
}
