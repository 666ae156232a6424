//! A thread swaps entries inside with links to the outside, while everything is searched.

use crate::ask::open;
use rustix::fs::{CWD, RenameFlags, renameat_with};
use searchscope::{Call, Workspace};
use searchscope_tests::samples::{Words, samples, samples_at};
use searchscope_tests::say;
use searchscope_tests::tree::Tree;
use searchscope_tools::CallTools;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

/// Marker in the contents and names of all files outside the root.
const CANARY: &[u8] = b"CANARY";
/// Fewer rounds, because each refusal under strace is slow.
const SEARCHES_BY_COMPONENTS: u64 = 10_000;
/// With fewer exchanges the test would not be a race.
const EXCHANGES_MIN: u64 = 5_000;

/// Entries inside, and their doubles outside, by the names that are swapped.
const PAIRS: &[(&str, &str)] =
    &[("a/dir", "a/dir_link"), ("a/f.md", "a/f_link"), ("a/.gitignore", "a/rules_link")];

fn tree() -> Tree {
    let tree = Tree::of(&[
        ("a/dir/file.md", "a hit inside\n"),
        ("a/dir/deep/file.md", "a hit inside\n"),
        ("a/f.md", "a hit inside\n"),
        ("a/.gitignore", "nothing\n"),
        ("a/always.md", "a hit inside\n"),
        ("../outside/dir/file.md", "a hit CANARY\n"),
        ("../outside/dir/deep/file.md", "a hit CANARY\n"),
        ("../outside/dir/CANARY.md", "a hit\n"),
        ("../outside/f.md", "a hit CANARY\n"),
        // If it were followed, it would hide everything, and a warning would mention it.
        ("../outside/rules", "*\nCANARY-{abc\n"),
    ]);
    let outside = tree.around().join("outside");
    let link =
        |to: &str, at: &str| symlink(outside.join(to), tree.root().join(at)).expect("linked");
    link("dir", "a/dir_link");
    link("f.md", "a/f_link");
    link("rules", "a/rules_link");
    tree
}

/// Swaps the pairs until `done`; returns the number of swaps.
fn exchange(root: &Path, done: &AtomicBool) -> u64 {
    let mut n = 0;
    while !done.load(Relaxed) {
        for (one, other) in PAIRS {
            let (one, other) = (root.join(one), root.join(other));
            renameat_with(CWD, &one, CWD, &other, RenameFlags::EXCHANGE).expect("exchanged");
            n += 1;
        }
    }
    n
}

/// Calls that name one file and take microseconds, which are made most often.
const QUICK: &[(&str, &str)] = &[
    ("search", r#"{"patterns": ["hit"], "paths": ["a/dir/file.md"]}"#),
    ("search", r#"{"patterns": ["hit"], "paths": ["a/dir/file.md"], "follow": true}"#),
    ("search", r#"{"patterns": ["hit"], "paths": ["a/f.md"]}"#),
    ("search", r#"{"patterns": ["hit"], "paths": ["a/f.md"], "follow": true}"#),
    ("search_in_files", r#"{"query": "hit", "path": "a/dir/deep/file.md"}"#),
    ("read", r#"{"what": ["a/dir/file.md", "a/f.md"]}"#),
];
/// Calls that follow links.
const FOLLOWING: &[(&str, &str)] = &[
    ("find", r#"{"paths": ["a"], "follow": true}"#),
    ("search", r#"{"patterns": ["hit"], "paths": ["a"], "follow": true}"#),
    ("find_and_grep", r#"{"roots": ["a"], "query": "hit", "follow_symlinks": true}"#),
];

/// Returns those calls, one of each tool, and one of each tool at each entry that is swapped.
fn calls() -> &'static [(&'static str, String)] {
    static ALL: LazyLock<Vec<(&str, String)>> = LazyLock::new(|| {
        let ours = QUICK.iter().chain(FOLLOWING).map(|(tool, args)| (*tool, (*args).to_owned()));
        let words = Words { text: "hit", document: "a/f.md", symbol: "hit" };
        let at = ["a", "a/dir", "a/dir/file.md", "a/f.md"].map(|path| samples_at(&words, path));
        let samples = samples(&words).into_iter().chain(at.into_iter().flatten());
        ours.chain(samples.map(|(tool, args)| (tool, args.to_string()))).collect()
    });
    &ALL
}

fn call(n: u64) -> (&'static str, &'static str) {
    let n = usize::try_from(n).expect("it is small");
    // One call in fifty is from the whole list.
    let place = if n.is_multiple_of(50) { (n / 50) % calls().len() } else { n % QUICK.len() };
    let (tool, args) = &calls()[place];
    (tool, args)
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

/// Makes one call; for those that name one file, returns whether it was found inside.
fn search(workspace: &Workspace, n: u64) -> Option<bool> {
    let (tool, args) = call(n);
    let found = match workspace.call(tool, args.as_bytes(), &Call::new()) {
        Ok(reply) => {
            let shown = || String::from_utf8_lossy(&reply).into_owned();
            assert!(!contains(&reply, CANARY), "{tool} {args}: {}", shown());
            // Rules from outside would hide it.
            let searches_all = args.contains(r#"["a"]"#) && tool == "search";
            assert!(
                !searches_all || contains(&reply, b"a/always.md"),
                "{tool} {args}: {}",
                shown()
            );
            contains(&reply, b"inside")
        }
        Err(error) => {
            let text = format!("{error:?}");
            assert!(!contains(text.as_bytes(), CANARY), "{tool} {args}: {text}");
            false
        }
    };
    (!n.is_multiple_of(50)).then_some(found)
}

#[test]
fn nothing_outside_is_reached_during_exchanges_of_links_and_directories() {
    race(5_000);
}

#[test]
fn long_run_nothing_outside_is_reached_during_exchanges_of_links_and_directories() {
    let [exchanges, found, missed] = race(200_000);
    assert!(exchanges > EXCHANGES_MIN && found > 1_000 && missed > 1_000, "this was no race");
}

/// Makes `searches` searches while another thread swaps; returns the number of swaps, of searches with a
/// match, and of searches without one.
fn race(searches: u64) -> [u64; 3] {
    let tree = tree();
    let (done, next) = (AtomicBool::new(false), AtomicU64::new(0));
    let [found, missed, others] = [0; 3].map(AtomicU64::new);
    let started = Instant::now();
    let exchanges = std::thread::scope(|scope| {
        let exchanger = scope.spawn(|| exchange(tree.root(), &done));
        let searchers: Vec<_> = (0..2)
            .map(|_| {
                scope.spawn(|| {
                    let workspace = open(tree.root());
                    while let n = next.fetch_add(1, Relaxed)
                        && n < searches
                    {
                        match search(&workspace, n) {
                            Some(true) => found.fetch_add(1, Relaxed),
                            Some(false) => missed.fetch_add(1, Relaxed),
                            None => others.fetch_add(1, Relaxed),
                        };
                    }
                })
            })
            .collect();
        let ended: Vec<_> = searchers.into_iter().map(|searcher| searcher.join()).collect();
        done.store(true, Relaxed);
        assert!(ended.iter().all(Result::is_ok), "a searcher failed");
        exchanger.join().expect("exchanged")
    });
    let [found, missed, others] = [found, missed, others].map(AtomicU64::into_inner);
    say(&format!(
        "{searches} searches, {exchanges} exchanges: {found} found something, {missed} did not; {:?}",
        started.elapsed()
    ));
    assert_eq!(found + missed + others, searches);
    [exchanges, found, missed]
}

/// As on a system without `openat2`, or one that refuses it: opening component by component stays inside too.
#[test]
fn long_run_nothing_outside_is_reached_by_components_either() {
    let what = "races without openat2";
    let Some(traced) = crate::strace::traced(what) else { return };
    for error in ["ENOSYS", "EPERM", "EAGAIN", "E2BIG"] {
        let tree = tree();
        let done = AtomicBool::new(false);
        let calls: Vec<_> = (0..SEARCHES_BY_COMPONENTS).map(call).collect();
        let (output, exchanges) = std::thread::scope(|scope| {
            let exchanger = scope.spawn(|| exchange(tree.root(), &done));
            let inject = format!("inject=openat2:error={error}");
            let strace = ["-e", "trace=openat2", "-e", &inject];
            let output = traced.run(&strace, tree.root(), "{\"threads\": 2}", &calls);
            done.store(true, Relaxed);
            (output, exchanger.join().expect("exchanged"))
        });
        assert!(!contains(&output.stdout, CANARY), "{}", String::from_utf8_lossy(&output.stdout));
        assert!(output.trace.contains("(INJECTED)"), "{error} was never met");
        let replies = output.answers();
        let found = replies.iter().filter(|(_, reply)| contains(reply, b"inside")).count();
        say(&format!(
            "with openat2 refused ({error}): {} searches, {exchanges} exchanges, {found} found something",
            replies.len()
        ));
        assert!(found > 100 && found + 100 < replies.len(), "this was no race: {found}");
        assert!(exchanges > EXCHANGES_MIN, "{exchanges} exchanges are too few for a race");
    }
}
