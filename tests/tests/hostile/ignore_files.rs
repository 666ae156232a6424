//! Ignore files of an unusual kind.

use crate::ask::{ask, open, texts};
use searchscope_tests::program::installed;
use searchscope_tests::tree::{Tree, user_is_refused_nothing};
use searchscope_tests::{face::CFace, skip};
use serde_json::{Value, json};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Returns the matches and warnings of a search of a tree with this ignore file.
fn with_rules(rules: impl AsRef<[u8]>) -> (Vec<String>, Value) {
    let tree = Tree::of(&[("a.txt", "hit\n"), ("b.log", "hit\n"), ("sub/c.log", "hit\n")]);
    tree.write(".gitignore", rules);
    let reply = ask(&open(tree.root()), "search", &json!({"patterns": ["hit"]}));
    (texts(&reply["matches"], "path"), reply)
}

const ALL: [&str; 3] = ["a.txt", "b.log", "sub/c.log"];

#[test]
fn readable_rules_apply_however_they_are_written() {
    let long_comment = format!("#{}\n*.log\n", "x".repeat(3_000));
    let wide: Vec<u8> = "b.log\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let cases: [(&[u8], &[&str]); 12] = [
        (b"*.log", &["a.txt"]),
        (b"*.log\n", &["a.txt"]),
        (b"*.log\r\n", &["a.txt"]),
        (b"\xef\xbb\xbf*.log\n", &["a.txt"]),
        (b"\n\n\n*.log\n\n", &["a.txt"]),
        (b"\xff\xfe\n*.log\n", &["a.txt"]),
        (b"nul\0nul\n*.log\n", &["a.txt"]),
        (b"*.log   \n", &["a.txt"]),
        (b"[\n*.log\n{\n[z-a]\n\\\n", &["a.txt"]),
        (long_comment.as_bytes(), &["a.txt"]),
        // For git these are the bytes of other names.
        (&wide, &ALL),
        (b"", &ALL),
    ];
    for (rules, expected) in cases {
        let (found, reply) = with_rules(rules);
        assert_eq!(found, expected, "{:?}: {reply}", String::from_utf8_lossy(rules));
    }
}

#[test]
fn rules_beyond_a_limit_are_reported() {
    let too_large = format!("*.log\n{}", "# filler\n".repeat(150_000));
    let long_line = format!("*.log\n{}\n", "x".repeat(5_000));
    let braces = format!("*.log\n{}{}\n", "{".repeat(50_000), "}".repeat(50_000));
    let binary: Vec<u8> =
        (0..300_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let not_utf_8 = "the line is not UTF-8";
    for (what, rules, expected, reason) in [
        ("too large", too_large.into_bytes(), &ALL[..], "larger than 1 MiB"),
        (
            "a long line",
            long_line.into_bytes(),
            &["a.txt"],
            "line 2 not used: the line is too long",
        ),
        ("braces", braces.into_bytes(), &["a.txt"], "line 2 not used: the line is too long"),
        ("binary", binary, &ALL, not_utf_8),
        ("not UTF-8", b"*.log\n\xe4\n".to_vec(), &["a.txt"], not_utf_8),
    ] {
        let started = Instant::now();
        let (found, reply) = with_rules(&rules);
        assert_eq!(found, expected, "{what}: {reply:.2000}");
        // A warning reports a rule that was not applied, even if it would have made no difference.
        assert!(reasons(&reply).iter().any(|told| told.contains(reason)), "{what}: {reply:.2000}");
        assert!(started.elapsed() < Duration::from_secs(30), "{what}: {:?}", started.elapsed());
    }
    let (_, reply) = with_rules("*.log\n");
    assert_eq!(reasons(&reply), [""; 0], "nothing was left out");
}

/// Returns the reasons in the warnings about the ignore file.
fn reasons(reply: &Value) -> Vec<String> {
    let warnings = reply["warnings"].as_array().into_iter().flatten();
    let of_rules = warnings.filter(|warning| warning["path"] == ".gitignore");
    of_rules.filter_map(|warning| warning["reason"].as_str()).map(str::to_owned).collect()
}

#[test]
fn twenty_thousand_patterns_are_matched_with_every_file() {
    const PATTERNS: usize = 20_000;
    let names = (0..PATTERNS).map(|n| format!("x{n}y\n"));
    let wild = || (0..PATTERNS).map(|n| format!("*x{n}*y*\n"));
    // The maximum number of names, and one more; wildcards beyond the total cost limit. `n_expected`
    // shows whether the rule after them applies.
    for (what, rules, n_expected, reason) in [
        (
            "names",
            names.clone().skip(1).chain(["f7.txt\n".into()]).collect::<String>(),
            1_999,
            None,
        ),
        (
            "one more",
            names.chain(["f7.txt\n".into()]).collect(),
            2_000,
            Some("line 20001 not used: too many patterns"),
        ),
        (
            "wildcards",
            wild().skip(1).chain(["f7.txt\n".into()]).collect(),
            1_999,
            Some("the wildcard patterns of the file are too large in total"),
        ),
        (
            "wildcards and one more",
            wild().chain(["*7.t?t\n".into()]).collect(),
            2_000,
            Some("the wildcard patterns of the file are too large in total"),
        ),
    ] {
        let tree = Tree::empty();
        for n in 0..2_000 {
            tree.write(&format!("d{}/f{n}.txt", n % 20), "hit\n");
        }
        tree.write(".gitignore", rules);
        let started = Instant::now();
        let reply =
            ask(&open(tree.root()), "search", &json!({"patterns": ["hit"], "matches_max": 10_000}));
        assert_eq!(reply["total"], n_expected, "{what}: {}", reply["warnings"]);
        let told = reasons(&reply);
        let is_told = reason.is_none_or(|reason| told.iter().any(|told| told.contains(reason)));
        assert!(is_told && told.is_empty() == reason.is_none(), "{what}: {told:?}");
        assert!(started.elapsed() < Duration::from_secs(60), "{what}: {:?}", started.elapsed());
    }
}

#[test]
fn ignore_files_that_are_not_regular_have_no_effect() {
    let tree = Tree::of(&[
        ("a.log", "hit\n"),
        ("rules", "*.log\n"),
        ("sub/a.log", "hit\n"),
        ("x/a.log", "hit\n"),
    ]);
    symlink("rules", tree.root().join(".gitignore")).expect("linked");
    symlink("../rules", tree.root().join("sub/.ignore")).expect("linked");
    std::fs::create_dir(tree.root().join("x/.gitignore")).expect("made");
    let reply = ask(&open(tree.root()), "search", &json!({"patterns": ["hit"]}));
    assert_eq!(texts(&reply["matches"], "path"), ["a.log", "sub/a.log", "x/a.log"], "{reply}");
}

#[test]
fn unreadable_rules_are_reported() {
    let what = "an ignore file that may not be read";
    let tree = Tree::of(&[("a.log", "hit\n"), (".gitignore", "*.log\n")]);
    let mode = |path: &std::path::Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("set");
    };
    mode(&tree.root().join(".gitignore"), 0);
    let reply = if user_is_refused_nothing() {
        if !installed("setpriv", what) {
            return;
        }
        let face = match CFace::build() {
            Ok(face) => face,
            Err(why) => return skip(what, &why),
        };
        for path in [tree.around(), tree.root(), face.program().parent().expect("a folder")] {
            mode(path, 0o755);
        }
        let args = "{\"patterns\": [\"hit\"]}";
        let mut command = Command::new("setpriv");
        command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]);
        command.arg(face.program()).arg(tree.root()).arg("{}");
        let input = format!("search\n{}\n{args}\n", args.len());
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("setpriv is there");
        let mut stdin = child.stdin.take().expect("piped");
        std::io::Write::write_all(&mut stdin, input.as_bytes()).expect("it reads");
        drop(stdin);
        let output = child.wait_with_output().expect("it ends");
        let text = String::from_utf8(output.stdout).expect("text");
        let (_, body) = text.split_once('\n').unwrap_or_else(|| panic!("no answer: {text}"));
        serde_json::from_str(body.trim()).expect("JSON")
    } else {
        ask(&open(tree.root()), "search", &json!({"patterns": ["hit"]}))
    };
    let warnings = reply["warnings"].to_string();
    assert!(warnings.contains(".gitignore"), "{reply}");
}

/// Rules that change during a search are either the old or the new ones.
#[test]
fn constantly_replaced_rules_are_the_old_or_the_new_ones() {
    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
    let tree = Tree::of(&[("a.txt", "hit\n"), ("b.log", "hit\n")]);
    let filler = "# filler\n".repeat(20_000);
    let rules = ["*.log\n", "*.txt\n"].map(|rule| format!("{filler}{rule}"));
    tree.write(".gitignore", &rules[0]);
    let (path, new) = (tree.root().join(".gitignore"), tree.around().join("new"));
    let (done, workspace) = (AtomicBool::new(false), open(tree.root()));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for rules in rules.iter().cycle() {
                if done.load(Relaxed) {
                    break;
                }
                std::fs::write(&new, rules).expect("written");
                std::fs::rename(&new, &path).expect("renamed");
            }
        });
        let replies: Vec<_> = (0..500)
            .map(|_| {
                let reply = ask(&workspace, "search", &json!({"patterns": ["hit"]}));
                texts(&reply["matches"], "path")
            })
            .collect();
        done.store(true, Relaxed);
        for paths in replies {
            assert!(paths == ["a.txt"] || paths == ["b.log"], "{paths:?}");
        }
    });
}
