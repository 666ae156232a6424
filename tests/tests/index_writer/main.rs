//! A second process changes files and reports each change as soon as its system call has returned: a
//! search that begins then must see the change, in every state of the index.
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
use rounds::{Kind, Round};
use searchscope::fuzzing::lose_events;
use searchscope::{Call, IndexMode, IndexState, Workspace, WorkspaceOptions};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use writer::{IMPOSSIBLE, Places, plant, write};

/// Marks the started process as the writer, and names its directories.
const WRITER: &str = "SEARCHSCOPE_TEST_WRITER";
/// Duration of the searches in each state, in the long run.
const SECONDS: &str = "SEARCHSCOPE_SOAK_SECONDS";

/// A command of `bench/engines` that a long run counts the misses of, beside ours.
const PEER: &str = "SEARCHSCOPE_SOAK_PEER";

/// More files than the tree ever has: the index must drop removed files.
const FILES_MAX: u64 = 500;

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

/// Outcome of the rounds of one kind.
#[derive(Debug, Default)]
struct Count {
    rounds: u64,
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

/// Searches after each change for `time`.
fn run(state: State, time: Duration) {
    let (place, mut writer) = planted();
    let mut options = WorkspaceOptions::default();
    options.index = if matches!(state, State::Off) { IndexMode::Off } else { IndexMode::Auto };
    let workspace = Workspace::open(places(place.path()).root, &options).expect("it opens");
    workspace.warm(&Call::new()).expect("it can be built");
    let counts = rounds(state, &mut writer, time, &mut |word| {
        if matches!(state, State::Swept) {
            lose_events(&workspace);
        }
        search(&workspace, word)
    });
    assert!(writer.wait().expect("it ends").success(), "the writer failed");
    let status = workspace.index_status();
    println!("{state:?}: {status:?}");
    tell(state, &counts);
    let expected = if matches!(state, State::Off) { IndexState::Off } else { IndexState::Ready };
    assert_eq!(status.state, expected);
    assert!(status.files <= FILES_MAX, "{} files are remembered", status.files);
    assert!(counts.values().all(|count| count.misses == 0), "{state:?}: a change was not seen");
}

/// Does the same with a peer, whose misses are only printed.
fn run_peer(command: &str, time: Duration) {
    let (place, mut writer) = planted();
    let root = places(place.path()).root;
    let mut peer = Peer::start(command, &root, place.path().join("answer"));
    let counts = rounds(State::Peer, &mut writer, time, &mut |word| peer.search(word));
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

fn rounds(
    state: State,
    writer: &mut Child,
    time: Duration,
    search: &mut dyn FnMut(&str) -> Vec<String>,
) -> BTreeMap<Kind, Count> {
    let mut counts: BTreeMap<Kind, Count> = BTreeMap::new();
    let started = Instant::now();
    let mut ask = writer.stdin.take().expect("it is a pipe");
    let mut done = writer.stderr.take().expect("it is a pipe");
    for number in 1.. {
        if number % 16 == 0 && started.elapsed() > time {
            break;
        }
        let round = Round::of(number);
        send(&mut ask, number);
        let done = receive(&mut done).expect("the writer is there");
        let found = search(&round.word);
        assert_eq!(done & !IMPOSSIBLE, number, "{round:?}");
        let count = counts.entry(round.kind).or_default();
        if done & IMPOSSIBLE != 0 {
            count.impossible += 1;
            continue;
        }
        count.rounds += 1;
        let is_right = match round.kind.removes() {
            true => found.is_empty(),
            false => found == [round.path.display().to_string()],
        };
        if !is_right {
            count.misses += 1;
            if !matches!(state, State::Peer) {
                println!("{state:?}, {round:?}: found in {found:?}");
            }
        }
    }
    counts
}

/// Returns the files with the word.
fn search(workspace: &Workspace, word: &str) -> Vec<String> {
    let args = json!({ "query": word }).to_string();
    let reply = workspace.call("search_in_files", args.as_bytes(), &Call::new());
    let reply: Value = serde_json::from_slice(&reply.expect("it replies")).expect("JSON");
    let matches = reply["matches"].as_array().expect("it has matches");
    let path = |found: &Value| found["file_path"].as_str().expect("a path").to_owned();
    matches.iter().map(path).collect()
}

fn tell(state: State, counts: &BTreeMap<Kind, Count>) {
    for (kind, Count { rounds, misses, impossible }) in counts {
        println!("{state:?}, {kind:?}: {rounds} rounds, {misses} misses, {impossible} impossible");
    }
}
