//! What a build and a look at the index do inside. The tests of the tools compare replies with and without an index.

#![expect(
    clippy::disallowed_methods,
    clippy::cast_possible_truncation,
    reason = "these tests change trees, and choose from short lists"
)]

use super::background::{begin, build};
use super::builder::{Builder, Pace, build_listings, indexed_tree};
use crate::index::{Background, Index, Recalled, View};
use crate::workspace::RelPath;
use crate::{
    Call, FileOptions, FindRequest, IndexMode, IndexState, Limits, PatternOptions, SearchRequest,
    Workspace, WorkspaceOptions,
};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;

/// A tree, and the workspace that remembers it.
struct Remembering {
    dir: tempfile::TempDir,
    workspace: Workspace,
}

impl Remembering {
    fn new(files: &[(&str, &str)]) -> Remembering {
        let dir = crate::tests::tree(files);
        let workspace = open(dir.path(), IndexMode::Auto);
        workspace.warm(&Call::new()).expect("built");
        assert_eq!(workspace.index_status().state, IndexState::Ready);
        Remembering { dir, workspace }
    }

    fn at(&self, path: &str) -> PathBuf {
        self.dir.path().join(path)
    }

    fn index(&self) -> Arc<Index> {
        Index::of(&self.workspace).expect("an index")
    }

    /// Searches and finds with the index and, in a workspace of its own, without it.
    fn assert_equal(&self, when: &str) {
        let cold = open(self.dir.path(), IndexMode::Off);
        assert_eq!(matching(&self.workspace), matching(&cold), "{when}");
        assert_eq!(found(&self.workspace, "."), found(&cold, "."), "{when}");
    }
}

fn open(root: &Path, index: IndexMode) -> Workspace {
    let options = WorkspaceOptions { index, threads: Some(2), ..Default::default() };
    options.open(root).expect("opens")
}

fn write(path: &Path, bytes: &[u8]) {
    fs::create_dir_all(path.parent().expect("has one")).expect("directories");
    fs::write(path, bytes).expect("written");
}

/// Returns the files with a needle and their lines.
fn matching(workspace: &Workspace) -> Vec<String> {
    let request = SearchRequest::new(PatternOptions::literal("needle"), Limits::default());
    let (files, _) = workspace.run_search(&request, &Call::new()).expect("searched");
    files.iter().map(|file| format!("{} {:?}", file.path.display(), file.lines)).collect()
}

/// Returns the files below a directory.
fn found(workspace: &Workspace, below: &str) -> Vec<String> {
    let mut request = FindRequest::new(FileOptions::default(), None, None);
    request.paths = vec![below.to_owned()];
    let (files, _) = workspace.run_find(&request, &Call::new()).expect("found");
    files.iter().map(|file| file.path.display().into_owned()).collect()
}

fn tree() -> Remembering {
    Remembering::new(&[
        ("a/one.txt", "needle\nother\n"),
        ("a/two.txt", "nothing here\n"),
        ("a/b/three.txt", "one\ntwo\nneedle7\n"),
        ("a/b/.hidden", "needle\n"),
        ("c/binary", "needle\0\n"),
        ("c/kelvin.txt", "needle \u{212A}\n"),
        ("d/ignored.txt", "needle\n"),
        (".gitignore", "nothing-yet\n"),
        (".git/info/exclude", "never\n"),
    ])
}

#[test]
fn verdicts_of_the_same_rules_are_kept_when_events_are_lost() {
    let tree = tree();
    let kept = || {
        tree.assert_equal("to remember the verdicts");
        let dir = RelPath::of_bytes(b"a");
        let listing = tree.index().listing(&dir).expect("remembered");
        listing.verdicts().expect("a has rules")
    };
    let before = kept();
    tree.index().lose_events();
    assert!(Arc::ptr_eq(&before, &kept()));
    write(&tree.at("beside.txt"), b"hay\n");
    assert!(Arc::ptr_eq(&before, &kept()));
    assert_eq!(found(&tree.workspace, "a").len(), 3, "to read the rules above");
    assert!(Arc::ptr_eq(&before, &kept()));
    write(&tree.at(".gitignore"), b"other\n");
    assert!(!Arc::ptr_eq(&before, &kept()));
}

#[test]
fn files_that_cannot_match_are_not_opened() {
    let tree = tree();
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(60);
    let file = fs::File::options().write(true).open(tree.at("a/two.txt")).expect("opens");
    file.set_modified(old).expect("set");
    tree.assert_equal("before");
    // Nothing reports a store through a mapping: the one change that the index may miss. A search that still
    // finds nothing has not opened the file.
    let view = View::of_call(&tree.workspace).expect("a view");
    let options = PatternOptions::literal("needle");
    let pattern = crate::pattern::Pattern::new(&options).expect("compiles");
    let budget = crate::budget::Budget::of(&Call::new());
    let matching = view.index().matching(pattern.plan(), pattern.plan_mode(), &budget);
    assert!(matching.count() < 9, "{}", matching.count());
}

#[test]
fn a_build_that_calls_hold_up_gets_a_second_builder() {
    let remembering = tree();
    let workspace = open(remembering.dir.path(), IndexMode::Auto);
    let index = Index::of(&workspace).expect("it was asked for");
    // As if the first builder were still waiting for calls to end.
    index.is_building.store(true, SeqCst);
    let search = || matching(&workspace);
    let first = (search(), search());
    let is_hurried = || index.background.lock().is_some_and(|build| build.is_hurried);
    let now = std::time::Instant::now();
    *index.background.lock() = Some(Background { since: now, is_hurried: false });
    search();
    assert!(!is_hurried(), "nothing is late");
    let since = now.checked_sub(std::time::Duration::from_secs(3)).expect("it ran that long");
    *index.background.lock() = Some(Background { since, is_hurried: false });
    let until = std::time::Instant::now() + std::time::Duration::from_secs(20);
    while workspace.index_status().state != IndexState::Ready {
        assert!(std::time::Instant::now() < until, "{:?}", workspace.index_status());
        assert_eq!(search(), first.0);
    }
    assert!(is_hurried() && workspace.index_status().files > 3);
    assert_eq!(search(), first.1);
}

#[test]
fn a_build_for_which_there_is_no_thread_is_not_under_way() {
    let remembering = tree();
    let workspace = open(remembering.dir.path(), IndexMode::Auto);
    let index = Index::of(&workspace).expect("it was asked for");
    index.is_building.store(true, SeqCst);
    begin(&workspace, &index, |_, _| false);
    assert!(index.background.lock().is_none() && !index.is_building.load(SeqCst));
    // A build that was hurried and ended early leaves nothing to the next one.
    begin(&workspace, &index, |_, ended| {
        ended();
        true
    });
    assert!(index.background.lock().is_none() && !index.is_building.load(SeqCst));
    let hurried = Background { since: std::time::Instant::now(), is_hurried: true };
    *index.background.lock() = Some(hurried);
    begin(&workspace, &index, |_, _| true);
    assert!(index.background.lock().is_some_and(|build| !build.is_hurried));
}

/// Two builders share the directories: each is read once, the smallest first, and counted once if the memory
/// is full.
#[test]
fn two_builders_count_each_directory_once() {
    const DIRS: u64 = 400;
    let dir = tempfile::tempdir().expect("a directory");
    let mut byte = bytes_without_repetition();
    for n in 0..DIRS as usize {
        let text: Vec<u8> = (0..16_000 + n * 20).map(|_| byte()).collect();
        write(&dir.path().join(format!("part{n:03}/text.txt")), &text);
    }
    let options = WorkspaceOptions {
        index: IndexMode::Auto,
        memory_bytes_max: Some(4 << 20),
        ..Default::default()
    };
    let workspace = options.open(dir.path()).expect("opens");
    let index = Index::of(&workspace).expect("it was asked for");
    index.start();
    let call = Call::new();
    let pace = Pace { threads: 2, gives_way: false };
    let tree = indexed_tree(&workspace, &index).expect("a tree");
    build_listings(&tree, &call, pace).expect("listed");
    index.take_dirty();
    let builder = || Builder::new(&index, workspace.fs(), &call, pace);
    let queue = index.share(builder().queue(index.listings()), false).expect("the first one");
    let read_all = || builder().read(&queue).expect("read");
    std::thread::scope(|scope| {
        scope.spawn(read_all);
        read_all();
    });
    assert!(queue.is_empty() && queue.in_hand().is_empty());
    index.finish(&queue);
    let status = workspace.index_status();
    assert_eq!(status.state, IndexState::Ready);
    assert!(status.left_out > 0, "{status:?}");
    assert_eq!(status.files + status.left_out, DIRS, "{status:?}");
}

/// What a cancelled build has not read waits for the next one.
#[test]
fn a_cancelled_build_leaves_its_directories_waiting() {
    let dir = tempfile::tempdir().expect("a directory");
    for n in 0..20 {
        write(&dir.path().join(format!("part{n}/text.txt")), b"needle\n");
    }
    let workspace = open(dir.path(), IndexMode::Auto);
    workspace.warm(&Call::new()).expect("it is built");
    let index = Index::of(&workspace).expect("it was asked for");
    let dirty: BTreeSet<_> = index.listings().iter().map(|one| one.path().clone()).collect();
    index.put_dirty(dirty.clone());
    let call = Call::new();
    call.cancel_token().cancel();
    workspace.warm(&call).expect_err("it was cancelled");
    assert_eq!(index.n_waiting(), dirty.len());
    // Cancelled after the queue was made.
    let live = Call::new();
    let pace = Pace { threads: 1, gives_way: false };
    let tree = indexed_tree(&workspace, &index).expect("a tree");
    let planner = Builder::new(&index, workspace.fs(), &live, pace);
    index.take_dirty();
    let queue = index.share(planner.queue(index.listings()), true).expect("the only one");
    let n_listed = queue.len();
    build(&tree, &Builder::new(&index, workspace.fs(), &call, pace)).expect_err("cancelled");
    assert_eq!(index.n_waiting(), n_listed);
}

#[test]
fn attack_of_a_directory_that_moves_between_its_opening_and_its_watch() {
    let tree = Remembering::new(&[("a/x.txt", "hay\n")]);
    write(&tree.at("d/y.txt"), b"needle\n");
    let find = || found(&tree.workspace, "a");
    find();
    let path = RelPath::root().join(b"d");
    let view = View::of_call(&tree.workspace).expect("a view");
    let moves = view.moves();
    let dir = tree.workspace.fs().open_dir(&path, false).expect("opened");
    fs::rename(tree.at("d"), tree.at("e")).expect("renamed");
    write(&tree.at("d/z.txt"), b"needle\n");
    // Another call takes the events.
    find();
    let learning = view.learn(&dir, &path, moves).expect("tried");
    let entries = [(&b"y.txt"[..], Some(crate::workspace::fs::Kind::File))];
    assert!(view.learned(learning, entries.into_iter()).is_none());
    assert!(matches!(view.dir(&path, true), Recalled::Unknown));
    tree.assert_equal("after the move");
}

#[test]
fn attack_of_a_directory_that_moves_away_and_back_while_it_is_read() {
    let tree = Remembering::new(&[("a/x.txt", "hay\n")]);
    write(&tree.at("d/e/y.txt"), b"needle\n");
    let find = || found(&tree.workspace, "a");
    find();
    let path = RelPath::root().join(b"d").join(b"e");
    let view = View::of_call(&tree.workspace).expect("a view");
    let moves = view.moves();
    let dir = tree.workspace.fs().open_dir(&path, false).expect("opened");
    let learning = view.learn(&dir, &path, moves).expect("tried");
    fs::rename(tree.at("d"), tree.at("e")).expect("renamed");
    fs::rename(tree.at("e"), tree.at("d")).expect("renamed");
    find();
    let entries = [(&b"y.txt"[..], Some(crate::workspace::fs::Kind::File))];
    assert!(view.learned(learning, entries.into_iter()).is_none());
    write(&tree.at("d/e/z.txt"), b"needle\n");
    tree.assert_equal("after the moves");
}

/// Returns a source of lines of random signs.
fn bytes_without_repetition() -> impl FnMut() -> u8 {
    let mut state = 1_u64;
    move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        if state >> 58 == 0 { b'\n' } else { b'!' + (state >> 40) as u8 % 90 }
    }
}
