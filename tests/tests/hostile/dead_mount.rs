//! A mount beneath the root that never answers, like that of a dead server.

use crate::ask::every_tool;
use searchscope_tests::face::child::{answers, requests};
use searchscope_tests::face::{CFace, Call};
use searchscope_tests::mask::mask_bytes;
use searchscope_tests::tree::Tree;
use searchscope_tests::{run_limited, skip};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

/// Mounts a user-space file system without a server over `$3` if that is not empty, in namespaces of its
/// own, so that no other process sees the mount.
const SCRIPT: &str = r#"
    if [ -n "$3" ]; then
        [ -c /dev/fuse ] && ( : <>/dev/fuse ) || exit 77
        exec 5<>/dev/fuse
        options=fd=5,rootmode=40000,user_id=0,group_id=0
        mount -i -t fuse -o "$options" dead "$3" || exit 77
    fi
    echo mounted >&2
    printf %s "$5" | "$1" "$2" "$4"
"#;

const WHAT: &str = "a mount that does not answer";
/// Four calls that wait half a second each, on a slow machine.
const LIMIT: Duration = Duration::from_secs(60);

/// Returns the answers of one process, or `None` if mounting is not possible.
fn answers_of(
    face: &CFace,
    tree: &Tree,
    mounted: bool,
    options: &str,
    calls: &[Call],
) -> Option<Vec<(String, Vec<u8>)>> {
    let mut command = Command::new("unshare");
    command.args(["--mount", "sh", "-c", SCRIPT, "sh"]).arg(face.program()).arg(tree.root());
    command.arg(if mounted { tree.root().join("dead") } else { PathBuf::new() });
    command.arg(options).arg(String::from_utf8(requests(calls)).expect("text"));
    let Ok(output) = run_limited(WHAT, LIMIT, move || command.output()) else {
        skip(WHAT, "unshare is not installed");
        return None;
    };
    let told = String::from_utf8_lossy(&output.stderr);
    if !told.contains("mounted") {
        skip(WHAT, &told);
        return None;
    }
    assert!(output.status.success(), "{output:?}");
    Some(answers(&output.stdout).expect("answers"))
}

fn call(tool: &str, args: &Value) -> Call {
    Call { tool: tool.into(), args: args.to_string().into_bytes() }
}

fn tree_and_face() -> Option<(Tree, CFace)> {
    let face = CFace::build().map_err(|why| skip(WHAT, &why)).ok()?;
    let tree = Tree::of(&[
        ("a.md", "---\nname: a\ndescription: b\n---\nhit\n"),
        ("src/b.rs", "fn hit() {}\n"),
        ("src/deep/c.txt", "hit\nhit\n"),
        ("dead/d.txt", "hit\n"),
    ]);
    Some((tree, face))
}

/// A call that avoids the mount returns the same as without one.
#[test]
fn files_beside_a_dead_mount_are_found() {
    let Some((tree, face)) = tree_and_face() else { return };
    let calls: Vec<Call> = every_tool().iter().map(|(tool, args)| call(tool, args)).collect();
    let options = r#"{"deny": ["dead"]}"#;
    let Some(expected) = answers_of(&face, &tree, false, options, &calls) else { return };
    let Some(given) = answers_of(&face, &tree, true, options, &calls) else { return };
    for (call, ((status, bytes), expected)) in calls.iter().zip(given.iter().zip(&expected)) {
        let text = |bytes: &[u8]| String::from_utf8(mask_bytes(bytes)).expect("text");
        assert_eq!((status, text(bytes)), (&expected.0, text(&expected.1)), "{}", call.tool);
        assert_eq!(status, "0", "{}", call.tool);
    }
}

/// A walk into the mount returns soon after its deadline; at most four calls stay blocked.
#[test]
fn a_dead_mount_blocks_no_caller() {
    let Some((tree, face)) = tree_and_face() else { return };
    let into = json!({"patterns": ["hit"], "deadline_ms": 300});
    let beside = json!({"patterns": ["hit"], "deadline_ms": 10_000, "paths": ["src"]});
    let calls = [
        call("search", &into),
        call("search", &beside),
        call("find", &json!({"deadline_ms": 300, "paths": ["dead/d.txt"]})),
        call("find_and_grep", &json!({"roots": ["."], "query": "hit", "timeout_ms": 300})),
        call("Grep", &json!({"pattern": "hit"})),
        call("search", &beside),
        call("search", &into),
    ];
    // A stuck helper blocks no other thread; with one thread the calling thread itself is stuck.
    let options = r#"{"threads": 1}"#;
    let Some(answers) = answers_of(&face, &tree, true, options, &calls) else { return };
    let answer = |n: usize| -> (&str, Value) {
        (&answers[n].0, serde_json::from_slice(&answers[n].1).expect("JSON"))
    };
    for n in [0, 2] {
        let (status, reply) = answer(n);
        assert_ne!(status, "0", "{reply}");
        assert_eq!(reply["code"], "timeout", "{reply}");
        assert!(reply["message"].as_str().is_some_and(|text| text.contains("300 ms")), "{reply}");
    }
    let (status, reply) = answer(1);
    assert_eq!((status, &reply["complete"], &reply["total"]), ("0", &json!(true), &json!(3)));
    let (status, reply) = answer(3);
    assert_eq!((status, &reply["success"]), ("0", &json!(false)), "{reply}");
    let (status, reply) = answer(4);
    assert_eq!((status, &reply["error"]["code"]), ("0", &json!("TIMEOUT")), "{reply}");
    for n in [5, 6] {
        let (_, reply) = answer(n);
        assert_eq!(reply["code"], "timeout", "{reply}");
        let message = reply["message"].as_str().unwrap_or_default();
        assert!(message.starts_with("not started"), "{reply}");
    }
}

/// Whichever thread is stuck: the reply reports every gap, and other directories are still found.
#[test]
fn helpers_stuck_in_a_dead_mount_block_nothing() {
    let Some((tree, face)) = tree_and_face() else { return };
    for n in 0..600 {
        tree.write(&format!("many/{}/f{n}.txt", n % 20), "hit\n");
    }
    let into = json!({"patterns": ["hit"], "deadline_ms": 300, "matches_max": 10_000});
    let beside = json!({"patterns": ["hit"], "deadline_ms": 10_000, "paths": ["many"]});
    let calls: Vec<Call> =
        (0..16).map(|n| call("search", if n % 2 == 0 { &into } else { &beside })).collect();
    let options = r#"{"threads": 4}"#;
    let Some(answers) = answers_of(&face, &tree, true, options, &calls) else { return };
    for (n, (status, bytes)) in answers.iter().enumerate() {
        let reply: Value = serde_json::from_slice(bytes).expect("JSON");
        if n % 2 == 0 {
            let is_part = status == "0" && reply["complete"] == false;
            assert!(is_part || reply["code"] == "timeout", "{n}: {status} {reply:.500}");
        } else if status == "0" {
            assert_eq!((&reply["total"], &reply["complete"]), (&json!(600), &json!(true)), "{n}");
        } else {
            let message = reply["message"].as_str().unwrap_or_default();
            assert!(message.starts_with("not started"), "{n}: {reply}");
        }
    }
}
