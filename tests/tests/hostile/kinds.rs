//! Entries that are not regular files: pipes, sockets, devices, kernel files.

use crate::ask::{ask, every_tool, every_tool_at, open, texts, try_ask};
use searchscope_tests::face::Call;
use searchscope_tests::face::child::{answers, requests};
use searchscope_tests::skip;
use searchscope_tests::tree::Tree;
use serde_json::{Value, json};
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::{Child, Command};
use std::time::Duration;

/// The paths at which the engine looks for a file with a certain name.
const LOOKED_FOR: &[&str] = &[
    ".gitignore",
    ".ignore",
    ".git/info/exclude",
    "Cargo.toml",
    "package.json",
    "pnpm-workspace.yaml",
    "go.mod",
    "go.work",
    "pom.xml",
    "build.gradle",
    "settings.gradle.kts",
    "pyproject.toml",
    "file.txt",
    "doc.md",
    "source.rs",
    "source.c",
];
const LOOKED_FOR_BY_IDE: &[&str] = &[
    ".idea/modules.xml",
    ".idea/scopes/scope.xml",
    ".idea/workspace.xml",
    ".idea/libraries/l.xml",
];

fn make(program: &str, args: &[&str], path: &Path) -> bool {
    std::fs::create_dir_all(path.parent().expect("it is in a tree")).expect("made");
    Command::new(program).args(args).arg(path).output().is_ok_and(|made| made.status.success())
}

/// Makes a pipe with a writer that waits for a reader.
fn pipe_with_writer(path: &Path) -> Child {
    assert!(make("mkfifo", &["--"], path), "mkfifo {}", path.display());
    let mut command = Command::new("sh");
    command.arg("-c").arg("echo CANARY > \"$0\"").arg(path);
    command.spawn().expect("a writer")
}

/// Returns whether a reply contains the plain file and no other.
fn finds_the_plain_file(tool: &str, reply: &Value) -> bool {
    let only = |list: &Value, key: &str| {
        texts(list, key).iter().map(|path| path.rsplit('/').next()).eq([Some("a.md")])
    };
    match tool {
        "search" => only(&reply["matches"], "path"),
        "search_in_files" => only(&reply["matches"], "file_path"),
        "Grep" => only(&reply["data"]["matches"], "file"),
        "find_and_grep" => only(&reply["results"], "file"),
        "search_documents" => only(&reply["results"], "path"),
        "scope_search_text" => only(&reply["occurrences"], "filePath"),
        "find" => texts(&reply["files"], "path").contains(&"a.md".into()),
        "find_files_by_name" => reply["files"].to_string().contains("\"a.md\""),
        "scope_search_files" => reply["matchedFilePaths"].to_string().contains("\"a.md\""),
        "read_document" => reply["content"].as_str().is_some_and(|text| text.contains("hit")),
        // The file has no symbols and no front matter.
        "scope_search_symbols" => reply["items"] == json!([]),
        "list_documents" => reply["documents"] == json!([]),
        "scope_list_catalog" => reply["totalItems"].as_u64() > Some(0),
        "scope_validate_pattern" => reply["valid"] == true,
        "scope_resolve_program" => reply["descriptor"]["displayName"] == "All Places",
        "scope_describe_program" => reply["displayName"] == "All Places",
        "look" => reply["text"].as_str().is_some_and(|text| text.starts_with("a.md\n")),
        "read" => reply["text"].as_str().is_some_and(|text| text.contains("a.md\n")),
        // Every other tool names the file, whatever else it finds.
        _ => reply.to_string().contains("a.md"),
    }
}

/// Calls every tool, and those that take a path with each of these; a regular file beside them is found.
fn call_everything(root: &Path, special: &[&str]) {
    let workspace = open(root);
    for (tool, args) in every_tool() {
        let reply = ask(&workspace, tool, &args);
        assert!(finds_the_plain_file(tool, &reply), "{tool}: {reply}");
        assert!(!reply.to_string().contains("CANARY"), "{tool}: {reply}");
    }
    for path in special {
        for (tool, args) in every_tool_at(path) {
            let reply = try_ask(&workspace, tool, &args);
            assert!(tool != "search" || found(&reply) != Some(true), "{path}: {reply:?}");
            assert!(!format!("{reply:?}").contains("CANARY"), "{tool} {path}: {reply:?}");
        }
    }
}

fn found(reply: &Result<Value, String>) -> Option<bool> {
    reply.as_ref().ok().map(|reply| reply["total"] != 0)
}

#[test]
fn pipes_are_never_opened() {
    for places in [LOOKED_FOR, LOOKED_FOR_BY_IDE] {
        let tree = Tree::of(&[("a.md", "hit\n")]);
        let writers = places.iter().map(|name| pipe_with_writer(&tree.root().join(name)));
        let mut writers: Vec<Child> = writers.collect();
        std::thread::sleep(Duration::from_millis(100));
        call_everything(tree.root(), places);
        for (writer, name) in writers.iter_mut().zip(places) {
            // Opening a pipe unblocks its writer.
            assert!(writer.try_wait().expect("asked").is_none(), "{name} was opened");
            writer.kill().expect("killed");
            writer.wait().expect("ended");
        }
    }
}

#[test]
fn sockets_are_skipped() {
    let tree = Tree::of(&[("a.md", "hit\n")]);
    let places = ["sub/.gitignore", "package.json", "doc.md", "source.c"];
    std::fs::create_dir(tree.root().join("sub")).expect("made");
    let sockets = places.map(|name| UnixListener::bind(tree.root().join(name)).expect("bound"));
    for socket in &sockets {
        socket.set_nonblocking(true).expect("set");
    }
    call_everything(tree.root(), &places);
    for (socket, name) in sockets.iter().zip(places) {
        assert!(socket.accept().is_err(), "a process connected to {name}");
    }
    let reply = ask(&open(tree.root()), "search", &json!({"patterns": ["hit"]}));
    assert_eq!(reply["skipped"]["special"], 3, "{reply}");
}

#[test]
fn devices_are_skipped() {
    let tree = Tree::of(&[("a.md", "hit\n")]);
    // Endless, empty, and one that reading depletes.
    let devices = [("zero", "5"), ("null", "3"), ("random", "8")];
    let places: Vec<String> =
        ["package.json", ".ignore", "doc.md", ".idea/modules.xml", "source.c"]
            .iter()
            .enumerate()
            .map(|(n, name)| if n % 2 == 0 { (*name).to_owned() } else { format!("sub/{name}") })
            .collect();
    for (n, place) in places.iter().enumerate() {
        let (name, minor) = devices[n % devices.len()];
        let path = tree.root().join(place);
        let parent = path.parent().expect("it is in a tree");
        std::fs::create_dir_all(parent).expect("made");
        let made = Command::new("mknod").arg(&path).args(["c", "1", minor]).output();
        if !made.is_ok_and(|made| made.status.success()) {
            return skip("devices in a tree", &format!("/dev/{name} cannot be made here"));
        }
    }
    let places: Vec<&str> = places.iter().map(String::as_str).collect();
    call_everything(tree.root(), &places);
}

#[test]
fn links_to_devices_and_kernel_files_do_not_resolve() {
    let tree = Tree::of(&[("a.md", "hit\n"), ("sub/x.txt", "no\n")]);
    let links = [
        ("zero.md", "/dev/zero"),
        ("tty.txt", "/dev/tty"),
        ("environ.txt", "/proc/self/environ"),
        ("root.txt", "/proc/self/root/etc/passwd"),
        ("fd.txt", "/proc/self/fd/0"),
        ("kernel", "/proc"),
        ("system", "/sys"),
        ("sub/.gitignore", "/dev/zero"),
        ("package.json", "/dev/zero"),
        (".idea", "/proc/self/cwd"),
    ];
    for (name, to) in links {
        symlink(to, tree.root().join(name)).expect("linked");
    }
    let workspace = open(tree.root());
    for follow in [false, true] {
        let args = json!({"patterns": ["."], "follow": follow, "hidden": true});
        let reply = ask(&workspace, "search", &args);
        assert_eq!(texts(&reply["matches"], "path"), ["a.md", "sub/x.txt"], "{reply}");
        for (name, _) in links {
            let args = json!({"patterns": ["."], "paths": [name], "follow": follow});
            let reply = try_ask(&workspace, "search", &args);
            assert_ne!(found(&reply), Some(true), "{name}: {reply:?}");
        }
    }
    call_everything(tree.root(), &links.map(|(name, _)| name));
}

/// A tree with a mounted kernel file system: none of its files is opened.
#[test]
fn a_mounted_kernel_file_system_is_not_entered() {
    let what = "a kernel file system in a tree";
    let face = match searchscope_tests::face::CFace::build() {
        Ok(face) => face,
        Err(why) => return skip(what, &why),
    };
    let tree = Tree::of(&[("a.md", "version hit\n"), ("proc/x", "")]);
    let call = |path: &str| Call {
        tool: "search".into(),
        args: json!({"patterns": ["version"], "paths": [path]}).to_string().into_bytes(),
    };
    let requests = requests(&[call("."), call("proc"), call("proc/version")]);
    let requests = String::from_utf8(requests).expect("text");
    // In namespaces of its own, so that no other process sees the mount.
    let mut command = Command::new("unshare");
    command.args(["--mount", "--pid", "--fork", "sh", "-c"]);
    command.arg("mount -t proc proc \"$1/proc\" || exit 77; printf %s \"$3\" | \"$2\" \"$1\" '{}'");
    command.arg("sh").arg(tree.root()).arg(face.program()).arg(requests);
    let Ok(output) = command.output() else { return skip(what, "unshare is not installed") };
    if output.status.code() == Some(77) || output.stdout.is_empty() {
        return skip(what, &String::from_utf8_lossy(&output.stderr));
    }
    let answers = answers(&output.stdout).expect("answers");
    let text = |n: usize| String::from_utf8_lossy(&answers[n].1).into_owned();
    assert!(text(0).contains("\"path\":\"a.md\""), "{}", text(0));
    assert!(!text(0).contains("\"path\":\"proc/"), "{}", text(0));
    for n in [1, 2] {
        assert_ne!(answers[n].0, "0", "{}", text(n));
    }
}
