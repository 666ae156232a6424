//! A second process changes files and reports as soon as the system call of the last change has returned: a search
//! that begins then must see all the changes, in every state of the index.
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::print_stdout,
    reason = "the test writes files from a process of its own, and prints its counts"
)]
#![cfg(target_os = "linux")]

mod channel;
mod peer;
mod rounds;
mod writer;

use channel::{receive, send};
use peer::Peer;
use rounds::{CYCLE, Kind, Round};
use searchscope::fuzzing::lose_events;
use searchscope::{Call, IndexMode, IndexState, Workspace, WorkspaceOptions};
use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use writer::{CHANGES_MAX, Places, plant, write};

/// Marks the started process as the writer, and names its directories.
const WRITER: &str = "SEARCHSCOPE_TEST_WRITER";
/// Duration of the searches in each state, in the long run.
const SECONDS: &str = "SEARCHSCOPE_SOAK_SECONDS";

/// A command of `bench/engines` that a long run counts the misses of, beside ours.
const PEER: &str = "SEARCHSCOPE_SOAK_PEER";

/// More files than the tree ever has: the index must drop removed files.
const FILES_MAX: u64 = 320;

/// State of the index during a run.
#[derive(Clone, Copy, Debug)]
enum State {
    Watched,
    /// Events are lost before each search.
    Swept,
    /// Without an index: the baseline for the writer and the queries.
    Off,
    /// A peer in place of the engine, with an index of its own.
    Peer,
}

/// Counts of changes before each search, in turn. Their sum shares no factor with the rows, slots and turns of
/// `rounds`, so in a long run each kind is the last before a search as often as the others.
const CHANGES: [u64; 2] = [1, CHANGES_MAX];

/// Searches for words; returns the lines found, each with its file.
type Search<'a> = dyn FnMut(&[&str]) -> Vec<(String, String)> + 'a;

/// Outcome of the rounds of one kind.
#[derive(Debug, Default)]
struct Count {
    rounds: u64,
    /// Those after which the search began at once.
    last: u64,
    misses: u64,
    impossible: u64,
}

#[test]
fn a_change_is_seen_as_soon_as_its_system_call_has_returned() {
    if let Some(place) = std::env::var_os(WRITER) {
        return write(&places(Path::new(&place)));
    }
    for (state, seconds) in [(State::Off, 1), (State::Watched, 3), (State::Swept, 2)] {
        run(state, Duration::from_secs(seconds));
    }
}

#[test]
fn long_run_changes_are_seen_as_soon_as_their_system_calls_have_returned() {
    let seconds = std::env::var(SECONDS).ok().map(|text| text.parse().expect(SECONDS));
    let time = Duration::from_secs(seconds.unwrap_or(15));
    for state in [State::Watched, State::Swept] {
        run(state, time);
    }
    if let Ok(command) = std::env::var(PEER) {
        run_peer(&command, time);
    }
}

fn places(place: &Path) -> Places {
    Places { root: place.join("root"), beside: place.join("beside") }
}

/// A tree of its own and the process that writes to it.
fn planted() -> (tempfile::TempDir, Child) {
    let place = tempfile::tempdir().expect("a directory can be made");
    let places = places(place.path());
    for dir in [&places.root, &places.beside] {
        std::fs::create_dir(dir).expect("a directory can be made");
    }
    plant(&places).expect("the tree can be made");
    let writer = start(place.path());
    (place, writer)
}

/// Counts the misses of the engine for `time`.
fn run(state: State, time: Duration) {
    let (place, mut writer) = planted();
    let index = if matches!(state, State::Off) { IndexMode::Off } else { IndexMode::Auto };
    let options = WorkspaceOptions { index, ..Default::default() };
    let workspace = options.open(places(place.path()).root).expect("it opens");
    workspace.warm(&Call::new()).expect("it can be built");
    let counts = rounds(state, &mut writer, time, &mut |words| {
        if matches!(state, State::Swept) {
            lose_events(&workspace);
        }
        search(&workspace, words)
    });
    assert!(writer.wait().expect("it ends").success(), "the writer failed");
    let status = workspace.index_status();
    println!("{state:?}: {status:?}");
    tell(state, &counts);
    let expected = if matches!(state, State::Off) { IndexState::Off } else { IndexState::Ready };
    assert_eq!(status.state, expected);
    assert!(status.files <= FILES_MAX, "{} files are remembered", status.files);
    assert!(counts.values().all(|count| count.misses == 0), "{state:?}: a change was not seen");
    for (kind, count) in counts {
        let is_supported_everywhere = !matches!(kind, Kind::Fallocate | Kind::Direct);
        assert!(count.rounds > 0 || !is_supported_everywhere, "{kind:?}: {count:?}");
        assert!(count.impossible == 0 || !is_supported_everywhere, "{kind:?}: {count:?}");
    }
}

/// Does the same with a peer, whose misses are only printed.
fn run_peer(command: &str, time: Duration) {
    let (place, mut writer) = planted();
    let root = places(place.path()).root;
    let mut peer = Peer::start(command, &root, place.path().join("answer"));
    let counts = rounds(State::Peer, &mut writer, time, &mut |words| peer.search(words));
    assert!(writer.wait().expect("it ends").success(), "the writer failed");
    tell(State::Peer, &counts);
}

fn start(place: &Path) -> Child {
    let this = std::env::current_exe().expect("a path");
    let test = "a_change_is_seen_as_soon_as_its_system_call_has_returned";
    let mut command = Command::new(this);
    command.args(["--exact", "--nocapture", test]).env(WRITER, place);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts")
}

/// Alternates changes and searches for `time`, at least until each file has been changed in both ways. A search
/// begins as soon as the system call of the last change has returned.
fn rounds(
    state: State,
    writer: &mut Child,
    time: Duration,
    search: &mut Search<'_>,
) -> BTreeMap<Kind, Count> {
    let mut counts: BTreeMap<Kind, Count> = BTreeMap::new();
    let started = Instant::now();
    let mut ask = writer.stdin.take().expect("it is a pipe");
    let mut done = writer.stderr.take().expect("it is a pipe");
    let mut number = 1;
    for n in CHANGES.into_iter().cycle() {
        if n == CHANGES[0] && number > CYCLE && started.elapsed() > time {
            break;
        }
        let first = number;
        number += n;
        send(&mut ask, first);
        send(&mut ask, n);
        let answer = receive(&mut done);
        let impossible = impossible_of(answer, first).unwrap_or_else(|| {
            let _ = writer.kill();
            let mut rest = String::new();
            let _ = done.read_to_string(&mut rest);
            panic!("{first}: the writer has sent {answer:x?}: {rest}")
        });
        let mut changed = Vec::new();
        for (at, round) in (first..number).map(Round::of).enumerate() {
            match impossible >> at & 1 {
                0 => changed.push((round, at as u64 == n - 1)),
                _ => counts.entry(round.kind).or_default().impossible += 1,
            }
        }
        let words: Vec<&str> = changed.iter().map(|(round, _)| round.word.as_str()).collect();
        let found = search(&words);
        for (round, is_last) in changed {
            let count = counts.entry(round.kind).or_default();
            count.rounds += 1;
            count.last += u64::from(is_last);
            let files: Vec<&str> = found
                .iter()
                .filter(|(_, line)| line.contains(&round.word))
                .map(|(path, _)| path.as_str())
                .collect();
            if files != round.files() {
                count.misses += 1;
                if !matches!(state, State::Peer) {
                    println!("{state:?}, {round:?}: found in {files:?}");
                }
            }
        }
    }
    counts
}

/// Returns the bits of the changes that were impossible; `None` if this is not the answer to the changes from
/// `first`.
fn impossible_of(answer: Option<u64>, first: u64) -> Option<u64> {
    answer
        .filter(|answer| answer >> CHANGES_MAX == first)
        .map(|answer| answer - (first << CHANGES_MAX))
}

/// Returns the lines with one of the words, each with its file.
fn search(workspace: &Workspace, words: &[&str]) -> Vec<(String, String)> {
    let Some((first, others)) = words.split_first() else { return Vec::new() };
    let search =
        others.iter().fold(workspace.search(*first).literal(true), |all, word| all.or(*word));
    let found = search.run().expect("it searches");
    found.iter().map(|found| (found.path.to_string(), found.text().into_owned())).collect()
}

fn tell(state: State, counts: &BTreeMap<Kind, Count>) {
    for (kind, Count { rounds, last, misses, impossible }) in counts {
        println!(
            "{state:?}, {kind:?}: {rounds} rounds ({last} searched at once), {misses} misses, {impossible} impossible"
        );
    }
}
