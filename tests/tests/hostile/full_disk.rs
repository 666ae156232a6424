//! A file system without room for the output.

use searchscope_tests::face::child::{answers, requests};
use searchscope_tests::face::{CFace, Call};
use searchscope_tests::skip;
use searchscope_tests::tree::Tree;
use serde_json::{Value, json};
use std::process::Command;

/// Runs in namespaces of its own, so that no other process sees the mount. Two calls, one in each process,
/// write a file whose name already exists; the script shows the directory before, between and after them.
const SCRIPT: &str = r#"
    mount -t tmpfs -o size=64k none "$3" || exit 77
    show() { printf '\n<%s|%s>\n' "$(ls -A "$3")" "$(head -c 400 "$3/report.json")"; }
    printf old > "$3/report.json"
    show "$@"
    printf %s "$4" | "$1" "$2" "{\"output_dir\": \"$3\"}"
    show "$@"
    printf %s "$5" | "$1" "$2" "{\"output_dir\": \"$3\"}"
    show "$@"
"#;

/// Splits the output into the listings of `show` and the replies in between.
fn parts(output: &str) -> (Vec<&str>, Vec<Value>) {
    let (mut shown, mut replies) = (Vec::new(), Vec::new());
    for part in output.split("\n<").skip(1) {
        let (place, rest) = part.split_once(">\n").expect("a place");
        shown.push(place);
        for (status, bytes) in answers(rest.as_bytes()).expect("answers") {
            assert_eq!(status, "0", "{rest}");
            replies.push(serde_json::from_slice(&bytes).expect("JSON"));
        }
    }
    (shown, replies)
}

#[test]
fn a_full_disk_leaves_the_old_output_file() {
    let what = "a full disk";
    let face = match CFace::build() {
        Ok(face) => face,
        Err(why) => return skip(what, &why),
    };
    let tree = Tree::empty();
    tree.write("a.txt", "hit\n".repeat(2_000));
    tree.write("small/b.txt", "hit\n");
    std::fs::create_dir(tree.around().join("out")).expect("made");
    let request = |root: &str| {
        let args = json!({"roots": [root], "query": "hit", "output_file": "report"});
        let args = args.to_string().into_bytes();
        let call = Call { tool: "find_and_grep".into(), args };
        String::from_utf8(requests(&[call])).expect("text")
    };
    let mut command = Command::new("unshare");
    command.args(["--mount", "sh", "-c", SCRIPT, "sh"]).arg(face.program()).arg(tree.root());
    command.arg(tree.around().join("out")).args([request("."), request("small")]);
    let Ok(output) = command.output() else { return skip(what, "unshare is not installed") };
    if output.status.code() == Some(77) || output.stdout.is_empty() {
        return skip(what, &String::from_utf8_lossy(&output.stderr));
    }
    let output = String::from_utf8(output.stdout).expect("text");
    let (shown, replies) = parts(&output);
    let [too_large, small] = &replies[..] else { panic!("two answers: {output:.500}") };
    assert_eq!(too_large["success"], false, "{too_large:.500}");
    assert!(
        too_large["error"].as_str().is_some_and(|text| text.contains("report.json")),
        "{too_large}"
    );
    assert!(too_large["file_saved"].is_null(), "{too_large}");
    assert_eq!(shown[..2], ["report.json|old"; 2], "the old file, and no other");
    // There is again room for a smaller file.
    assert_eq!((&small["success"], &small["file_saved"]), (&json!(true), &json!(true)), "{small}");
    let (names, written) = shown[2].split_once('|').expect("both");
    assert_eq!(names, "report.json");
    assert!(written.starts_with('{') && written.contains("b.txt"), "{written}");
}
