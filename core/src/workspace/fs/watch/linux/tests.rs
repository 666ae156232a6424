#![expect(clippy::disallowed_methods, reason = "tests change the trees that they watch")]

use super::*;
use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

/// Returns a reported change as text: "written a", "appeared b/", "dir", "gone", "lost".
fn told(change: Change<'_>) -> (Option<WatchId>, String) {
    match change {
        Change::Entry { dir, name, is_dir, what, .. } => {
            let name = String::from_utf8_lossy(name);
            let text = format!("{what:?} {name}{}", if is_dir { "/" } else { "" });
            (Some(dir), text.to_lowercase())
        }
        Change::Dir { dir } => (Some(dir), "dir".into()),
        Change::Gone { dir } => (Some(dir), "gone".into()),
        Change::Lost => (None, "lost".into()),
        Change::Mounts => (None, "mounts".into()),
    }
}

/// Returns all changes of a drain except mounts, which any process may cause.
fn drained(watch: &Watch) -> Vec<(Option<WatchId>, String)> {
    let mut all = Vec::new();
    watch.drain(&mut |change| all.push(told(change))).expect("drained");
    all.retain(|(_, text)| text != "mounts");
    all
}

fn texts(watch: &Watch) -> Vec<String> {
    drained(watch).into_iter().map(|(_, text)| text).collect()
}

/// A watched directory.
fn watched() -> (TempDir, Watch, WatchId) {
    let dir = tempfile::tempdir().expect("a directory");
    let watch = Watch::open().expect("opened");
    let id = watch.add(&opened(dir.path())).expect("added");
    assert_eq!(texts(&watch), [""; 0]);
    (dir, watch, id)
}

fn opened(path: &Path) -> Dir {
    Dir::open(path)
}

fn write(path: &Path, text: &str) {
    fs::write(path, text).expect("written");
}

#[test]
fn each_change_is_reported_by_the_next_drain() {
    let (dir, watch, id) = watched();
    let at = |name: &str| dir.path().join(name);
    let mode = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("set");
    };
    let open = || File::options().append(true).open(at("b")).expect("opened");
    type Step<'a> = (&'a dyn Fn(), &'a [&'a str]);
    let steps: [Step<'_>; 15] = [
        (&|| write(&at("a"), "text"), &["appeared a", "written a"]),
        (&|| {}, &[]),
        (&|| fs::rename(at("a"), at("b")).expect("renamed"), &["vanished a", "appeared b"]),
        (&|| open().write_all(b"more").expect("appended"), &["written b"]),
        (&|| open().set_len(3).expect("truncated"), &["written b"]),
        (&|| drop(open()), &["written b"]),
        (&|| mode(&at("b"), 0o600), &["attributes b"]),
        (&|| open().set_modified(std::time::UNIX_EPOCH).expect("set"), &["written b"]),
        (&|| symlink("b", at("link")).expect("linked"), &["appeared link"]),
        (&|| fs::hard_link(at("b"), at("c")).expect("linked"), &["appeared c"]),
        (&|| fs::remove_file(at("c")).expect("removed"), &["vanished c"]),
        (&|| fs::create_dir(at("d")).expect("made"), &["appeared d/"]),
        (&|| mode(&at("d"), 0o700), &["attributes d/"]),
        (&|| fs::remove_dir(at("d")).expect("removed"), &["vanished d/"]),
        (&|| mode(dir.path(), 0o711), &["dir"]),
    ];
    for (step, expected) in steps {
        step();
        let found = drained(&watch);
        assert!(found.iter().all(|(of, _)| *of == Some(id)), "{found:?}");
        let mut found: Vec<_> = found.into_iter().map(|(_, text)| text).collect();
        found.dedup();
        assert_eq!(found, *expected);
    }
}

#[test]
fn halves_of_a_rename_have_the_same_number() {
    let (dir, watch, _) = watched();
    let at = |name: &str| dir.path().join(name);
    let numbers = || {
        let mut all = Vec::new();
        let each = &mut |change: Change<'_>| {
            if let Change::Entry { rename, .. } = change {
                all.push(rename);
            }
        };
        watch.drain(each).expect("drained");
        all
    };
    write(&at("a"), "text");
    assert!(numbers().iter().all(|number| *number == 0));
    fs::rename(at("a"), at("b")).expect("renamed");
    let first = numbers();
    fs::rename(at("b"), at("a")).expect("renamed");
    let second = numbers();
    assert!(first.len() == 2 && first[0] == first[1] && first[0] != 0, "{first:?}");
    assert!(second.len() == 2 && second[0] == second[1] && second[0] != first[0], "{second:?}");
}

#[test]
fn add_watches_the_open_directory_and_not_its_path() {
    let (dir, watch, id) = watched();
    let at = |name: &str| dir.path().join(name);
    fs::create_dir(at("a")).expect("made");
    let a = opened(&at("a"));
    fs::rename(at("a"), at("b")).expect("renamed");
    fs::create_dir(at("a")).expect("made");
    texts(&watch);
    let id_of_a = watch.add(&a).expect("added");
    assert_eq!(watch.add(&opened(&at("b"))).expect("added"), id_of_a);
    assert_ne!(watch.add(&opened(&at("a"))).expect("added"), id_of_a);
    assert_eq!(watch.add(&opened(dir.path())).expect("added"), id);
    write(&at("b/file"), "");
    assert!(drained(&watch).iter().all(|(of, _)| *of == Some(id_of_a)));
}

#[test]
fn end_of_a_directory_is_reported() {
    let (dir, watch, id) = watched();
    let at = |name: &str| dir.path().join(name);
    let ids = ["removed", "moved", "forgotten"].map(|name| {
        fs::create_dir(at(name)).expect("made");
        watch.add(&opened(&at(name))).expect("added")
    });
    texts(&watch);
    fs::remove_dir(at("removed")).expect("removed");
    fs::rename(at("moved"), at("elsewhere")).expect("moved");
    watch.remove(ids[2]);
    watch.remove(ids[2]);
    let found = drained(&watch);
    for of in ids {
        assert!(found.contains(&(Some(of), "gone".into())), "{of:?} in {found:?}");
    }
    for text in ["vanished removed/", "vanished moved/", "appeared elsewhere/"] {
        assert!(found.contains(&(Some(id), text.into())), "{text} in {found:?}");
    }
    // Until it is removed, a moved directory stays watched under its id.
    write(&at("elsewhere/file"), "");
    assert!(drained(&watch).contains(&(Some(ids[1]), "appeared file".into())));
    watch.remove(ids[1]);
    assert_eq!(drained(&watch), [(Some(ids[1]), "gone".into())]);
    write(&at("forgotten/file"), "");
    assert_eq!(texts(&watch), [""; 0]);
    assert_ne!(watch.add(&opened(&at("elsewhere"))).expect("added"), ids[1]);
}

#[test]
fn a_removed_directory_is_not_added() {
    let (dir, watch, _) = watched();
    let path = dir.path().join("a");
    fs::create_dir(&path).expect("made");
    let open = opened(&path);
    fs::remove_dir(&path).expect("removed");
    assert!(matches!(watch.add(&open), Err(NoWatch::Gone)));
}

#[test]
fn names_of_any_length_arrive_however_many_there_are() {
    let (dir, watch, _) = watched();
    let names: Vec<_> = (0..1_000).map(|n| format!("{n:03}").repeat(85)).collect();
    for name in &names {
        assert_eq!(name.len(), 255);
        rustix::fs::mknodat(
            opened(dir.path()).on_disk().expect("on disk").fd(),
            name.as_str(),
            rustix::fs::FileType::RegularFile,
            Mode::RUSR,
            0,
        )
        .expect("made");
    }
    let expected: Vec<_> = names.iter().map(|name| format!("appeared {name}")).collect();
    assert_eq!(texts(&watch), expected);
}

#[test]
fn an_overflow_is_reported_and_the_queue_continues() {
    let (dir, watch, id) = watched();
    let queue = fs::read_to_string("/proc/sys/fs/inotify/max_queued_events").expect("read");
    let n_max: usize = queue.trim().parse().expect("a number");
    if n_max > 100_000 {
        let _ = writeln!(
            std::io::stderr(),
            "SKIPPED: the watch: a queue of {n_max} events is too long to be filled"
        );
        return;
    }
    let files = ["a", "b"].map(|name| File::create(dir.path().join(name)).expect("made"));
    for n in 0..=n_max {
        (&files[n % 2]).write_all(b"x").expect("written");
    }
    let found = texts(&watch);
    assert_eq!(found.iter().filter(|text| *text == "lost").count(), 1);
    assert_eq!(texts(&watch), [""; 0]);
    (&files[0]).write_all(b"x").expect("written");
    assert_eq!(drained(&watch), [(Some(id), "written a".into())]);
}

#[test]
fn a_constant_writer_does_not_block_a_drain() {
    let (dir, watch, _) = watched();
    let is_over = AtomicBool::new(false);
    let files = ["a", "b"].map(|name| File::create(dir.path().join(name)).expect("made"));
    thread::scope(|scope| {
        let writer = scope.spawn(|| {
            while !is_over.load(SeqCst) {
                for mut file in &files {
                    file.write_all(b"x").expect("written");
                }
            }
        });
        let started = std::time::Instant::now();
        while started.elapsed() < Duration::from_millis(300) {
            let mut n_events = 0_u64;
            watch.drain(&mut |_| n_events += 1).expect("drained");
            assert!(n_events < EVENTS_MAX);
        }
        is_over.store(true, SeqCst);
        writer.join().expect("it ends");
    });
}

#[test]
fn partly_reported_changes_are_lost() {
    let (dir, watch, _) = watched();
    write(&dir.path().join("a"), "");
    write(&dir.path().join("b"), "");
    let panics = || watch.drain(&mut |_| panic!("of the consumer"));
    assert!(catch_unwind(AssertUnwindSafe(panics)).is_err());
    assert_eq!(texts(&watch)[0], "lost");
    assert_eq!(texts(&watch), [""; 0]);
    watch.pretend_lost();
    assert!(catch_unwind(AssertUnwindSafe(panics)).is_err());
    assert_eq!(texts(&watch), ["lost"]);
    assert_eq!(texts(&watch), [""; 0]);
}

#[test]
fn a_drain_waits_for_the_consumer_of_an_earlier_one() {
    let (dir, watch, _) = watched();
    write(&dir.path().join("a"), "");
    let (entered, wait) = channel();
    let is_applied = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut entered = Some(entered);
            let each = &mut |_: Change<'_>| {
                if let Some(entered) = entered.take() {
                    entered.send(()).expect("awaited");
                    thread::sleep(Duration::from_millis(50));
                    is_applied.store(true, SeqCst);
                }
            };
            watch.drain(each).expect("drained");
        });
        wait.recv().expect("entered");
        assert_eq!(texts(&watch), [""; 0]);
        assert!(is_applied.load(SeqCst));
    });
}

#[test]
fn a_fork_is_refused() {
    let (dir, watch, id) = watched();
    let mut child = Watch { owner: std::process::id() + 1, ..watch };
    assert!(matches!(child.add(&opened(dir.path())), Err(NoWatch::Forked)));
    child.remove(id);
    write(&dir.path().join("a"), "");
    let refused = child.drain(&mut |_| panic!("nothing is read"));
    assert!(matches!(refused, Err(NoWatch::Forked)));
    child.owner = std::process::id();
    assert_eq!(texts(&child)[0], "appeared a");
}

#[test]
fn limits_of_the_system_are_distinguished() {
    for (errno, expected) in [
        (Errno::NOSPC, "the limit of inotify watches"),
        (Errno::MFILE, "the limit of inotify watches"),
        (Errno::NFILE, "the limit of inotify watches"),
        (Errno::ACCESS, "the system refused: permission denied"),
    ] {
        let reason = refused(errno).reason();
        assert!(reason.starts_with(expected), "{reason}");
    }
}

/// An event as the kernel writes it.
fn raw(wd: i32, flags: ReadFlags) -> [u8; 16] {
    let mut bytes = [0; 16];
    bytes[..4].copy_from_slice(&wd.to_ne_bytes());
    bytes[4..8].copy_from_slice(&flags.bits().to_ne_bytes());
    bytes
}

/// Returns the changes reported for a queue of `events`, of which `n` were queued before the drain.
fn reported(events: &[[u8; 16]], n: u64) -> Vec<String> {
    let file = tempfile::NamedTempFile::new().expect("made");
    fs::write(file.path(), events.concat()).expect("written");
    let mut buffer = Vec::with_capacity(BUFFER_BYTES);
    let mut reader = Reader::new(file.as_file(), buffer.spare_capacity_mut());
    let mut all = Vec::new();
    report(&mut reader, n * EVENT_BYTES, &mut |change| all.push(told(change).1)).expect("read");
    all
}

#[test]
fn a_drain_ends_with_the_events_that_were_queued_before_it() {
    let events = vec![raw(1, ReadFlags::ATTRIB); 10_000];
    let in_one_read = BUFFER_BYTES / 16;
    // Events that were read have left the queue. The end of the file would be an error.
    assert_eq!(reported(&events, 1).len(), in_one_read);
    assert_eq!(reported(&events, in_one_read as u64 + 1).len(), 2 * in_one_read);
    assert_eq!(reported(&events[..3], 1).len(), 3);
    assert_eq!(reported(&events, 0).len(), 0);
}

#[test]
fn too_many_events_count_as_lost() {
    let mut events = vec![raw(1, ReadFlags::ATTRIB); 70_000];
    events[69_998] = raw(2, ReadFlags::IGNORED);
    let found = reported(&events, 70_000);
    assert_eq!(found.len() as u64, EVENTS_MAX - 1 + 2);
    assert_eq!(found[found.len() - 3..], ["dir", "lost", "gone"]);
    let n_max = usize::try_from(EVENTS_MAX).expect("small");
    let first = |n: usize| reported(&events[..n], n as u64).pop().expect("one");
    assert_eq!([first(n_max - 1), first(n_max)], ["dir", "lost"]);
}

#[test]
fn special_events_are_translated() {
    for (flags, expected) in [
        (ReadFlags::QUEUE_OVERFLOW, "lost"),
        (ReadFlags::UNMOUNT, "gone"),
        (ReadFlags::IGNORED, "gone"),
        (ReadFlags::MOVE_SELF, "gone"),
        (ReadFlags::DELETE_SELF, "gone"),
        (ReadFlags::MODIFY | ReadFlags::ISDIR, "dir"),
        (ReadFlags::ATTRIB | ReadFlags::ISDIR, "dir"),
    ] {
        assert_eq!(reported(&[raw(1, flags)], 1), [expected], "{flags:?}");
    }
    let name = Some(&b"a"[..]);
    let flags = ReadFlags::ATTRIB | ReadFlags::MODIFY;
    let mut all = Vec::new();
    Event { dir: WatchId(1), name, rename: 0, flags }
        .report(true, &mut |change| all.push(told(change).1));
    assert_eq!(all, ["written a", "attributes a"]);
}

#[test]
fn an_invalid_event_is_an_error() {
    let watch = Watch::open().expect("opened");
    // A descriptor that cannot be read like a queue.
    let watch = Watch {
        inotify: opened(Path::new("/"))
            .on_disk()
            .expect("on disk")
            .fd()
            .try_clone_to_owned()
            .expect("cloned"),
        ..watch
    };
    assert!(matches!(watch.drain(&mut |_| ()), Err(NoWatch::Io(_))));
}

/// Set in the process that may mount.
const INNER: &str = "SEARCHSCOPE_TEST_MAY_MOUNT";

#[test]
#[expect(clippy::disallowed_types, reason = "only another process may mount")]
fn mounts_are_reported() {
    use std::process::Command;
    if std::env::var_os(INNER).is_some() {
        return mounts_are_reported_to_one_who_may_mount();
    }
    let unshare = || {
        let mut command = Command::new("unshare");
        command.args(["--mount", "--map-root-user", "--propagation", "private"]);
        command
    };
    if !unshare().arg("true").output().is_ok_and(|output| output.status.success()) {
        let _ = writeln!(std::io::stderr(), "SKIPPED: the watch: no namespace to mount in");
        return;
    }
    let name = format!("{}::mounts_are_reported", module_path!());
    let (_, name) = name.split_once("::").expect("in a crate");
    let this = std::env::current_exe().expect("a path");
    if !Command::new(&this).arg("--list").output().is_ok_and(|output| output.status.success()) {
        let _ = writeln!(
            std::io::stderr(),
            "SKIPPED: the watch: this emulated program cannot be started like others"
        );
        return;
    }
    let output = unshare().arg(this).args([name, "--exact"]).env(INNER, "1").output();
    let output = output.expect("run");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
}

#[expect(clippy::disallowed_types, reason = "mount(8) is a program")]
fn mounts_are_reported_to_one_who_may_mount() {
    use std::process::Command;
    let (dir, watch, id) = watched();
    let at = |name: &str| dir.path().join(name);
    fs::create_dir(at("a")).expect("made");
    fs::create_dir(at("a/b")).expect("made");
    let covered = watch.add(&opened(&at("a"))).expect("added");
    let all = || {
        let mut all = Vec::new();
        watch.drain(&mut |change| all.push(told(change))).expect("drained");
        all
    };
    let run = |program: &str, args: &[&str]| {
        let status = Command::new(program).args(args).status().expect("run");
        assert!(status.success(), "{program} {args:?}");
    };
    let path = at("a").into_os_string().into_string().expect("text");
    let mounts = (None, String::from("mounts"));
    assert_eq!(all(), [(Some(id), "appeared a/".into())]);
    run("mount", &["-t", "tmpfs", "none", &path]);
    assert_eq!(all(), std::slice::from_ref(&mounts));
    assert_eq!(all(), []);
    let mounted = watch.add(&opened(&at("a"))).expect("added");
    assert_ne!(mounted, covered);
    write(&at("a/file"), "");
    assert!(all().iter().all(|(of, _)| *of == Some(mounted)));
    run("umount", &[&path]);
    let gone = (Some(mounted), String::from("gone"));
    let mut found = all();
    found.dedup();
    assert_eq!(found, [mounts, gone]);
    write(&at("a/file"), "");
    assert!(all().contains(&(Some(covered), "appeared file".into())));
}
