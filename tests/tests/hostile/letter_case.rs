//! `deny` on a file system that ignores case, which the test mounts.
#![expect(clippy::disallowed_methods, reason = "the tests make a file system and fill it")]

use searchscope::{Call, Workspace};
use searchscope_tests::skip;
use searchscope_tools::CallTools;
use searchscope_tools::open_workspace;
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A mounted file system that ignores case; dropping the value unmounts it.
struct Mounted {
    dir: TempDir,
}

impl Mounted {
    /// Returns `None` and reports a skip if such a file system is not available.
    fn new(what: &str) -> Option<Mounted> {
        let dir = tempfile::tempdir().expect("a directory");
        let image = dir.path().join("image");
        let file = fs::File::create(&image).expect("made");
        file.set_len(8 << 20).expect("long enough");
        fs::create_dir(dir.path().join("mount")).expect("made");
        let mounted = Mounted { dir };
        let make = Command::new("mkntfs").args(["-F", "-q", "-Q"]).arg(&image).output();
        let mount = || {
            Command::new("lowntfs-3g")
                .args(["-o", "ignore_case"])
                .arg(&image)
                .arg(mounted.root())
                .output()
        };
        let is_done = |output: std::io::Result<std::process::Output>| {
            output.is_ok_and(|output| output.status.success())
        };
        if !is_done(make) || !is_done(mount()) {
            skip(what, "mkntfs and lowntfs-3g are needed, and to be allowed to mount");
            return None;
        }
        Some(mounted)
    }

    fn root(&self) -> PathBuf {
        self.dir.path().join("mount")
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.root()).status();
    }
}

fn open(root: &Path, options: &Value) -> Workspace {
    open_workspace(root, options.to_string().as_bytes()).expect("it is there")
}

fn call(workspace: &Workspace, tool: &str, args: &Value) -> Result<Value, &'static str> {
    let reply = workspace.call(tool, args.to_string().as_bytes(), &Call::new());
    reply.map(|reply| serde_json::from_slice(&reply).expect("JSON")).map_err(|error| error.code())
}

#[test]
fn deny_applies_in_any_letter_case() {
    let Some(mounted) = Mounted::new("deny where case does not count") else { return };
    let root = mounted.root();
    for (path, text) in [
        ("secret/key.txt", "needle key\n"),
        ("open/a.txt", "needle open\n"),
        ("docs/hidden.md", "needle hidden\n"),
        ("docs/shown.md", "needle shown\n"),
    ] {
        fs::create_dir_all(root.join(path).parent().expect("it has one")).expect("made");
        fs::write(root.join(path), text).expect("written");
    }
    assert!(root.join("SECRET/KEY.TXT").exists(), "the file system ignores case");
    let has_link = symlink("SECRET", root.join("link")).is_ok();
    let options = json!({"deny": ["/secret", "hidden.md"], "docs_root": "docs"});
    let workspace = open(&root, &options);
    let mut ways = vec!["SECRET", "Secret", "sEcReT/key.txt", "SECRET/KEY.TXT", "open/../SECRET"];
    if has_link {
        ways.extend(["link", "LINK/key.txt"]);
    }
    for way in ways {
        for (tool, args) in [
            ("search", json!({"patterns": ["needle"], "paths": [way], "follow": true})),
            ("find", json!({"paths": [way], "hidden": true, "no_ignore": true})),
            ("search_in_files", json!({"query": "needle", "path": way})),
            ("find_files_by_name", json!({"name_pattern": "*", "path": way})),
            ("Grep", json!({"pattern": "needle", "path": way})),
            ("find_and_grep", json!({"roots": [way], "query": "needle"})),
        ] {
            let Ok(reply) = call(&workspace, tool, &args) else { continue };
            let is_refused = reply["status"] == "error" || reply["success"] == false;
            let totals = ["total", "total_matches", "total_found", "count"];
            let total = totals.iter().find_map(|name| reply[name].as_u64());
            assert!(is_refused || total == Some(0), "{tool} {way}: {reply}");
        }
    }
    for path in ["/HIDDEN.MD", "/Hidden.md", "/hidden.MD"] {
        assert_eq!(
            call(&workspace, "read_document", &json!({"path": path})),
            Err("not_found"),
            "{path}"
        );
    }
    // Entries that are not denied are found in any letter case as well.
    for path in ["OPEN", "open/A.TXT"] {
        let reply = call(&workspace, "search", &json!({"patterns": ["needle"], "paths": [path]}));
        assert_eq!(reply.expect(path)["total"], 1, "{path}");
    }
    let read =
        call(&workspace, "read_document", &json!({"path": "/Shown.md"})).expect("it is there");
    assert_eq!(read["content"], "needle shown\n");
}

/// A start path that is not denied, in another letter case, above entries that are.
#[test]
fn deny_applies_below_a_start_in_any_letter_case() {
    let Some(mounted) = Mounted::new("deny below a start where case does not count") else {
        return;
    };
    let root = mounted.root();
    fs::create_dir_all(root.join("secret/deep")).expect("made");
    fs::write(root.join("secret/key.txt"), "needle key\n").expect("written");
    fs::write(root.join("secret/deep/k2.txt"), "needle deep\n").expect("written");
    fs::write(root.join("secret/deep/k3.md"), "needle deep\n").expect("written");
    for line in ["/secret/deep", "/secret/deep/*", "secret/**/k*"] {
        let workspace = open(&root, &json!({"deny": [line, "/secret/key.txt"]}));
        for way in ["SECRET", "Secret/deep", "secret/DEEP", "SECRET/DEEP"] {
            for (tool, args) in [
                ("search", json!({"patterns": ["needle"], "paths": [way]})),
                ("search", json!({"patterns": ["needle"], "paths": [way], "order": "mtime"})),
                ("find", json!({"paths": [way], "hidden": true, "no_ignore": true})),
                ("search_in_files", json!({"query": "needle", "path": way})),
                ("find_files_by_name", json!({"name_pattern": "k*", "path": way})),
                ("Grep", json!({"pattern": "needle", "path": way})),
                ("find_and_grep", json!({"roots": [way], "query": "needle"})),
                ("look", json!({"q": "needle", "in": way})),
                ("read", json!({"what": [way], "outline": true})),
                ("search_documents", json!({"query": "needle", "path": way})),
                ("list_documents", json!({"path": way})),
            ] {
                let reply = call(&workspace, tool, &args).unwrap_or_default().to_string();
                let leaks = ["k2.txt", "k3.md", "key.txt", "needle deep"];
                let leaked = leaks.iter().find(|leak| reply.contains(**leak));
                assert_eq!(leaked, None, "{line}: {tool} {way}: {reply}");
            }
        }
        let docs = open_workspace(
            &root,
            json!({"deny": [line], "docs_root": "SECRET"}).to_string().as_bytes(),
        );
        let Ok(docs) = docs else { continue };
        let read = call(&docs, "read_document", &json!({"path": "deep/k3.md"}));
        assert_eq!(read, Err("not_found"), "{line}");
    }
}
