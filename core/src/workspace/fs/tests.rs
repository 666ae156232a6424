#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "tests make the trees that they open"
)]

use super::*;
use crate::wildcard::LetterCase;
use crate::workspace::RelPath;
use std::fs;
use std::io::Read;
use std::os::unix::fs::symlink;
use std::path::Path;
use tempfile::TempDir;

fn path(text: &str) -> RelPath {
    RelPath::from_components(text.split('/').filter(|name| !name.is_empty()).map(str::as_bytes))
}

/// A root with some files, beside a directory that must stay unreachable.
fn tree() -> (TempDir, std::path::PathBuf) {
    let dir = tempfile::tempdir().expect("a directory");
    let root = dir.path().join("root");
    for name in ["root/a/b", "root-evil", "outside"] {
        fs::create_dir_all(dir.path().join(name)).expect("made");
    }
    fs::write(root.join("a/b/file"), "inside").expect("written");
    fs::write(dir.path().join("outside/secret"), "CANARY").expect("written");
    fs::write(dir.path().join("root-evil/secret"), "CANARY").expect("written");
    (dir, root)
}

/// Every way of opening beneath that this system has.
fn roots(path: &Path) -> Vec<Root> {
    let root = || Root::open(path).expect("a root");
    vec![root(), root().without_openat2()]
}

fn content(root: &Root, at: &str, follow: bool) -> Result<String, FsError> {
    let mut text = String::new();
    root.open_file(&path(at), follow)?.read_to_string(&mut text).map_err(FsError::Io)?;
    Ok(text)
}

#[test]
fn links_inside_are_followed_on_request_and_links_outside_never() {
    let (dir, root) = tree();
    let outside = dir.path().join("outside");
    symlink("b/file", root.join("a/relative")).expect("linked");
    symlink(root.join("a/b/file"), root.join("a/absolute")).expect("linked");
    symlink("../a/b", root.join("a/up_and_down")).expect("linked");
    symlink("../../outside/secret", root.join("a/escape")).expect("linked");
    symlink(&outside, root.join("escape_dir")).expect("linked");
    symlink("escape_dir/secret", root.join("escape_chain")).expect("linked");
    symlink("../root-evil/secret", root.join("sibling")).expect("linked");
    symlink("loop_b", root.join("loop_a")).expect("linked");
    symlink("loop_a", root.join("loop_b")).expect("linked");
    symlink("nothing", root.join("dangling")).expect("linked");
    for root in roots(&root) {
        for inside in ["a/b/file", "a/relative", "a/absolute", "a/up_and_down/file"] {
            assert_eq!(content(&root, inside, true).expect(inside), "inside", "{inside}");
        }
        for outside in ["a/escape", "escape_dir/secret", "escape_chain", "sibling"] {
            let error = content(&root, outside, true).expect_err(outside);
            assert!(matches!(error, FsError::Outside), "{outside}: {error:?}");
        }
        for link in
            ["a/relative", "a/absolute", "a/up_and_down/file", "a/escape", "escape_dir/secret"]
        {
            let error = content(&root, link, false).expect_err(link);
            assert!(matches!(error, FsError::Symlink), "{link}: {error:?}");
        }
        assert!(matches!(content(&root, "loop_a", true), Err(FsError::Symlink)));
        assert!(matches!(root.stat(&path("loop_a"), true), Err(FsError::Symlink)));
        assert!(matches!(content(&root, "dangling", true), Err(FsError::NotFound)));
        assert!(matches!(content(&root, "a/b/file/x", true), Err(FsError::WrongKind)));
        assert_eq!(root.stat(&path("escape_dir"), false).expect("a link").kind, Kind::Symlink);
        assert_eq!(root.stat(&path("a"), false).expect("a directory").kind, Kind::Dir);
        assert_eq!(root.stat(&RelPath::root(), true).expect("the root").kind, Kind::Dir);
    }
}

#[test]
fn only_regular_files_are_opened_and_nothing_blocks() {
    let (_dir, root) = tree();
    let made = std::process::Command::new("mkfifo").arg(root.join("fifo")).status();
    assert!(made.expect("mkfifo runs").success());
    for root in roots(&root) {
        let dir = root.open_dir(&RelPath::root(), false).expect("a directory");
        for error in [
            root.open_file(&path("fifo"), true).map(drop).expect_err("a FIFO"),
            root.open_file(&path("a"), true).map(drop).expect_err("a directory"),
            dir.open_file(b"fifo").map(drop).expect_err("a FIFO"),
            dir.open_file(b"a").map(drop).expect_err("a directory"),
            dir.open_dir(b"fifo").map(drop).expect_err("a FIFO"),
        ] {
            assert!(matches!(error, FsError::WrongKind), "{error:?}");
        }
    }
}

#[test]
fn a_directory_lists_every_entry_once_with_its_kind() {
    let (_dir, root) = tree();
    symlink("a", root.join("link")).expect("linked");
    for n in 0..3_000 {
        fs::write(root.join(format!("file{n}")), "").expect("written");
    }
    let root = Root::open(&root).expect("a root");
    let dir = root.open_dir(&RelPath::root(), false).expect("a directory");
    let mut entries = Vec::new();
    let listed = dir.list(&mut ListBuffer::default(), &mut |name, kind| {
        entries.push((String::from_utf8(name.to_vec()).expect("text"), kind));
        true
    });
    listed.expect("listed");
    entries.sort_by(|a, b| a.0.cmp(&b.0));
    entries.dedup_by(|a, b| a.0 == b.0);
    assert_eq!(entries.len(), 3_002);
    let kind = |name: &str| entries.iter().find(|entry| entry.0 == name).and_then(|entry| entry.1);
    assert_eq!(
        (kind("a"), kind("link"), kind("file7")),
        (Some(Kind::Dir), Some(Kind::Symlink), Some(Kind::File))
    );
}

/// Finding 7: between a check and its use another process exchanges a directory and a link.
#[test]
#[cfg(target_os = "linux")]
fn exchanging_a_directory_and_a_link_never_leads_outside() {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
    const OPENS: usize = 20_000;
    let (dir, root) = tree();
    fs::write(dir.path().join("outside/file"), "CANARY").expect("written");
    symlink(dir.path().join("outside"), root.join("a/link")).expect("linked");
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let (one, other) = (root.join("a/b"), root.join("a/link"));
            while !done.load(Relaxed) {
                renameat_with(CWD, &one, CWD, &other, RenameFlags::EXCHANGE).expect("exchanged");
            }
        });
        for root in roots(&root) {
            let (mut inside, mut refused) = (0, 0);
            for n in 0..OPENS {
                match content(&root, "a/b/file", n % 2 == 0) {
                    Ok(text) => {
                        assert_eq!(text, "inside");
                        inside += 1;
                    }
                    Err(_) => refused += 1,
                }
            }
            assert!(inside > 0 && refused > 0, "the race was not met: {inside} {refused}");
        }
        done.store(true, Relaxed);
    });
}

/// A path longer than the kernel takes at once is opened in steps.
#[test]
#[cfg(target_os = "linux")]
fn paths_beyond_the_kernels_limit_are_opened() {
    use rustix::fs::{Mode, OFlags, mkdirat, openat};
    const DEPTH: usize = 60;
    let (_dir, root_path) = tree();
    let name = "d".repeat(100);
    let root = Root::open(&root_path).expect("a root");
    // Made step by step, because no single path can name the end of it.
    let mut dir = rustix::fs::open(&root_path, OFlags::PATH, Mode::empty()).expect("opened");
    for _ in 0..DEPTH {
        mkdirat(&dir, name.as_str(), Mode::RWXU).expect("made");
        dir = openat(&dir, name.as_str(), OFlags::PATH, Mode::empty()).expect("opened");
    }
    let flags = OFlags::CREATE | OFlags::WRONLY;
    let file = openat(&dir, "file", flags, Mode::RWXU).expect("made");
    rustix::io::write(&file, b"deep").expect("written");
    let deep = RelPath::from_components(std::iter::repeat_n(name.as_bytes(), DEPTH)).join(b"file");
    assert!(deep.as_bytes().len() > 4_096);
    for root in [root, Root::open(&root_path).expect("a root").without_openat2()] {
        for follow in [false, true] {
            let mut text = String::new();
            let mut file = root.open_file(&deep, follow).expect("opened");
            file.read_to_string(&mut text).expect("read");
            assert_eq!(text, "deep");
        }
    }
}

/// `..` in a link leads to the directory that was passed, and never above the root.
#[test]
fn links_through_parents_resolve_correctly() {
    let (_dir, root_path) = tree();
    symlink("../../a/b/../b/./file", root_path.join("a/b/back")).expect("linked");
    symlink("..", root_path.join("a/b/up")).expect("linked");
    symlink("../..", root_path.join("a/b/top")).expect("linked");
    symlink("../../../outside/secret", root_path.join("a/b/above")).expect("linked");
    for root in roots(&root_path) {
        for at in ["a/b/back", "a/b/up/b/file", "a/b/top/a/b/top/a/b/back"] {
            assert_eq!(content(&root, at, true).expect(at), "inside", "{at}");
        }
        let above = content(&root, "a/b/above", true).expect_err("outside");
        assert!(matches!(above, FsError::Outside), "{above:?}");
        assert_eq!(root.stat(&path("a/b/top"), true).expect("the root").kind, Kind::Dir);
    }
}

/// A link's target is identified by its real path, whatever the way to it.
#[test]
fn as_many_links_are_followed_as_the_kernel_follows() {
    let (_dir, root_path) = tree();
    symlink("a/b/file", root_path.join("1")).expect("linked");
    for n in 2..=41 {
        symlink((n - 1).to_string(), root_path.join(n.to_string())).expect("linked");
    }
    for root in roots(&root_path) {
        assert!(content(&root, "40", true).is_ok());
        assert!(matches!(content(&root, "41", true), Err(FsError::Symlink)));
    }
}

#[test]
fn links_to_denied_paths_do_not_resolve() {
    let (_dir, root_path) = tree();
    fs::create_dir_all(root_path.join("a/open/deep")).expect("made");
    symlink("b", root_path.join("a/to_denied")).expect("linked");
    symlink("b/file", root_path.join("a/to_file")).expect("linked");
    symlink("a/open", root_path.join("to_open")).expect("linked");
    fs::write(root_path.join("a/open/plain"), "inside").expect("written");
    symlink("a/open/plain", root_path.join("to_plain")).expect("linked");
    let lines = ["/a/b/", "/to_open/", "/none/", "/a/open/plain/"];
    let (deny, _) = crate::wildcard::IgnoreLines::from_lines(lines, LetterCase::Distinct);
    let deny = deny.map(std::sync::Arc::new);
    for root in roots(&root_path) {
        let root = root.with_deny(deny.clone());
        for at in ["a/to_denied", "a/to_denied/file", "a/to_file", "a/to_denied/none"] {
            assert!(matches!(root.stat_followed(&path(at)), Ok(None)), "{at}");
            assert!(matches!(content(&root, at, true), Err(FsError::NotFound)), "{at}");
            assert!(root.open_dir(&path(at), true).is_err(), "{at}");
        }
        // A link counts as a file whatever its target; for a missing entry the kind stays unknown.
        let dir = root.open_dir(&path("to_open"), true).expect("opened");
        assert_eq!(dir.real_path(), Some(&path("a/open")));
        let deep = dir.open_dir(b"deep").expect("opened");
        assert_eq!(deep.real_path(), Some(&path("a/open/deep")));
        assert_eq!(root.open_dir(&path("a/open"), true).expect("opened").real_path(), None);
        assert!(content(&root, "to_plain", true).is_ok());
        assert!(matches!(root.stat_followed(&path("none")), Ok(None)));
        assert!(matches!(root.stat_followed(&path("nowhere")), Err(FsError::NotFound)));
    }
}

#[test]
#[cfg(target_os = "linux")]
fn kernel_file_systems_are_not_entered() {
    use std::io::Write;
    let mut top = std::fs::read_dir("/").expect("it is listed");
    if !top.any(|entry| entry.is_ok_and(|entry| entry.file_name() == "proc")) {
        let _ = writeln!(
            std::io::stderr(),
            "SKIPPED: file systems of the kernel: there is no /proc, as under an emulator with its own root"
        );
        return;
    }
    let system = Root::open(Path::new("/")).expect("a root");
    assert!(matches!(system.open_dir(&path("proc/sys"), false), Err(FsError::Pseudo)));
    let dir = system.open_dir(&RelPath::root(), false).expect("a directory");
    assert!(matches!(dir.open_dir(b"proc"), Err(FsError::Pseudo)));
    let version = path("proc/version");
    assert!(matches!(system.open_file(&version, true), Err(FsError::Pseudo)));
    assert!(matches!(system.stat(&version, true), Err(FsError::Pseudo)));
    // All others of this machine. A mount that another one covers is not seen.
    const KINDS: &[&str] = &[
        "proc",
        "sysfs",
        "debugfs",
        "tracefs",
        "cgroup",
        "cgroup2",
        "devpts",
        "securityfs",
        "bpf",
        "pstore",
        "configfs",
        "fusectl",
        "binfmt_misc",
        "efivarfs",
        "mqueue",
    ];
    let mounts = fs::read_to_string("/proc/mounts").expect("there is a list");
    let mut last_kinds = std::collections::BTreeMap::new();
    for line in mounts.lines() {
        let mut words = line.split(' ').skip(1);
        last_kinds.insert(words.next().expect("a place"), words.next().expect("a kind"));
    }
    let kernel = |(at, kind): (&str, &str)| KINDS.contains(&kind).then(|| at.to_owned());
    let places: Vec<String> = last_kinds.into_iter().filter_map(kernel).collect();
    assert!(places.contains(&"/proc".to_owned()));
    for place in places {
        let opened = system.open_dir(&path(&place), false);
        assert!(matches!(opened, Err(FsError::Pseudo | FsError::Io(_))), "{place}: {opened:?}");
    }
    // A root on such a file system was chosen by the host.
    let kernel = Root::open(Path::new("/proc")).expect("a root");
    assert!(content(&kernel, "version", false).is_ok());
}
