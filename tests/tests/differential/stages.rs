//! `find_and_grep`: stage 1 compared with fd, stage 2 with ripgrep on exactly the files that fd returned.

use crate::dice::Dice;
use crate::engine::Engine;
use crate::odd_trees::{self, LEADING_NOWHERE};
use crate::peers::{self, Event, Ripgrep};
use crate::stage_options::{self, Names, Query};
use searchscope_tests::say;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const TREES: usize = 40;
/// Number of calls compared on each tree.
const CALLS: usize = 10;

/// Path, line, column, text, lines before, lines after.
type Hit = (String, u64, u64, String, Vec<String>, Vec<String>);

pub(crate) fn compare_random_calls() {
    let Some(ripgrep) = Ripgrep::find() else { return };
    let mut dice = Dice::new();
    let (mut n_files, mut n_hits, mut differing) = (0, 0, Vec::new());
    for n in 0..TREES {
        let tree = odd_trees::build(&mut dice);
        let engine = Engine::open(tree.root());
        let has_utf8_mark = odd_trees::has_utf8_mark(tree.root());
        for call in 0..CALLS {
            let names = stage_options::names(&mut dice);
            let mut query = stage_options::query(&mut dice);
            // For ripgrep an explicit encoding overrides a UTF-8 byte order mark, for our engine it does not.
            if has_utf8_mark {
                query.drop_encoding();
            }
            let flags = &names.options.flags;
            let Some(found) = peers::fd_with(tree.root(), flags, &names.pattern) else { return };
            let (mut found, mut ours) = (found, find(&engine, &names));
            if names.follows() {
                // fd reports a broken link whatever excludes it.
                let leads_somewhere = |path: &String| {
                    !LEADING_NOWHERE.contains(&path.as_str())
                        && tree.root().join(path).metadata().is_ok()
                };
                found.retain(leads_somewhere);
                ours.retain(leads_somewhere);
            }
            n_files += found.len();
            let in_stage_1 = difference(&ours, &found);
            let in_stage_2 = in_stage_1.is_none().then(|| {
                let theirs = search_theirs(&ripgrep, tree.root(), &found, &names, &query);
                n_hits += theirs.len();
                compare_stage_2(&engine, &names, &query, &theirs)
            });
            let difference = in_stage_1.map(|text| format!("stage 1: {text}"));
            if let Some(text) = difference.or(in_stage_2.flatten()) {
                differing.push(format!("tree {n}, call {call}: {names:?} {query:?}\n{text}"));
            }
        }
    }
    say(&format!("{} calls compared, {n_files} files, {n_hits} hits", TREES * CALLS));
    assert!(differing.is_empty(), "{} differ:\n{}", differing.len(), differing.join("\n\n"));
    assert!(n_files > 1_000 && n_hits > 1_000, "{n_files} files and {n_hits} hits say little");
}

/// Returns the entries that our engine finds: with the native tool, which also returns entries that are
/// not files.
fn find(engine: &Engine, names: &Names) -> BTreeSet<String> {
    let mut args = names.options.args.clone();
    let pattern = args.remove("pattern");
    args.extend(pattern.map(|pattern| ("name_pattern".to_owned(), pattern)));
    let excludes = args.remove("exclude").unwrap_or_default();
    let excludes = excludes.as_array().map(Vec::as_slice).unwrap_or_default();
    let globs: Vec<String> = excludes.iter().map(|glob| format!("!{}", text(glob))).collect();
    let follow = args.remove("follow_symlinks").unwrap_or(json!(false));
    args.extend([("globs".to_owned(), json!(globs)), ("follow".to_owned(), follow)]);
    let reply = engine.ask("find", &Value::from(args));
    assert_eq!(reply["complete"], true, "{reply}");
    let files = reply["files"].as_array().expect("files is an array");
    files.iter().map(|file| text(&file["path"])).collect()
}

/// Returns the matches of ripgrep in the files that fd returned.
fn search_theirs(
    ripgrep: &Ripgrep,
    root: &Path,
    found: &BTreeSet<String>,
    names: &Names,
    query: &Query,
) -> BTreeSet<Hit> {
    let follows = names.follows();
    let is_file = |path: &&String| {
        let path = root.join(path);
        let meta = if follows { path.metadata() } else { path.symlink_metadata() };
        meta.is_ok_and(|meta| meta.is_file())
    };
    let mut files: BTreeSet<String> = found.iter().filter(is_file).cloned().collect();
    if !query.choosing.is_empty() {
        let mut flags = query.choosing.clone();
        flags.extend(["--hidden".to_owned(), "--no-ignore".to_owned()]);
        flags.extend(follows.then(|| "--follow".to_owned()));
        let chosen = ripgrep.files_with(root, &flags);
        files.retain(|file| chosen.contains(file));
    }
    // ripgrep counts blocks of neighbouring multi-line matches, our engine counts matches.
    let is_multiline = query.options.args.contains_key("multiline");
    let mut flags = query.options.flags.clone();
    flags.retain(|flag| !(is_multiline && flag.starts_with("--max-count")));
    let mut events = ripgrep.events(root, &files, &flags, &query.query);
    if let Some(max) = query.options.args.get("max_count").and_then(Value::as_u64) {
        remove_matches_beyond(&mut events, max);
    }
    let context = |name: &str| query.options.args.get(name).and_then(Value::as_u64).unwrap_or(0);
    with_context(&events, context("context_before"), context("context_after"))
}

/// Removes matches beyond the limit: ripgrep reports and counts those in the context of the last allowed match.
fn remove_matches_beyond(events: &mut Vec<Event>, max: u64) {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    events.retain(|event| {
        let n = counts.entry(event.path.clone()).or_default();
        *n += u64::from(event.column.is_some());
        event.column.is_none() || *n <= max
    });
}

/// Returns the matches among the events, each with its context lines.
fn with_context(events: &[Event], before: u64, after: u64) -> BTreeSet<Hit> {
    let lines: BTreeMap<(&str, u64), &str> = events
        .iter()
        .filter(|event| event.column.is_none())
        .map(|event| ((event.path.as_str(), event.line), event.text.as_str()))
        .collect();
    let hit = |event: &Event| {
        let texts = |from: u64, to: u64| -> Vec<String> {
            let of = |line| lines.get(&(event.path.as_str(), line)).map(|text| (*text).to_owned());
            (from..to).filter_map(of).collect()
        };
        let end = event.line + event.n_lines;
        let (above, below) =
            (texts(event.line.saturating_sub(before), event.line), texts(end, end + after));
        Some((event.path.clone(), event.line, event.column?, event.text.clone(), above, below))
    };
    events.iter().filter_map(hit).collect()
}

/// Compares all matches, the counts and the total with those of ripgrep.
fn compare_stage_2(
    engine: &Engine,
    names: &Names,
    query: &Query,
    theirs: &BTreeSet<Hit>,
) -> Option<String> {
    let mut args: Map<String, Value> = names.options.args.clone();
    args.extend(query.options.args.clone());
    args.extend([
        ("roots".to_owned(), json!(["."])),
        ("optimize_paths".to_owned(), false.into()),
        ("timeout_ms".to_owned(), 30_000.into()),
    ]);
    let ask = |more: &str| {
        let mut args = args.clone();
        args.extend((!more.is_empty()).then(|| (more.to_owned(), Value::from(true))));
        engine.ask("find_and_grep", &Value::from(args))
    };
    let (full, counts, total) = (ask(""), ask("count_only_matches"), ask("total_only"));
    let root = engine.root();
    let results = full["results"].as_array().unwrap_or_else(|| panic!("{args:?}: {full}"));
    let ours: BTreeSet<Hit> = results.iter().map(|result| hit_of(result, &root)).collect();
    if let Some(text) = difference(&ours, theirs) {
        return Some(format!("stage 2: {text}"));
    }
    let mut expected: BTreeMap<String, u64> = BTreeMap::new();
    for (path, ..) in theirs {
        *expected.entry(path.clone()).or_default() += 1;
    }
    let file_counts = counts["file_counts"].as_object().expect("file_counts is an object");
    let count = |(path, n): (&String, &Value)| (below(path, &root), n.as_u64().unwrap_or(0));
    let file_counts: BTreeMap<String, u64> = file_counts.iter().map(count).collect();
    let is_same = file_counts == expected && total == theirs.len() && full["count"] == theirs.len();
    (!is_same).then(|| format!("counts: expected {expected:?}\n got {counts} and {total}"))
}

fn hit_of(result: &Value, root: &str) -> Hit {
    let number = |name: &str| result[name].as_u64().expect("it is a number");
    let lines = |name: &str| {
        result[name].as_array().expect("context is an array").iter().map(text).collect()
    };
    (
        below(&text(&result["file"]), root),
        number("line_number"),
        number("column"),
        text(&result["content"]),
        lines("context_before"),
        lines("context_after"),
    )
}

fn below(path: &str, root: &str) -> String {
    let below = path.strip_prefix(root).and_then(|path| path.strip_prefix('/'));
    below.unwrap_or_else(|| panic!("{path} is not below {root}")).to_owned()
}

fn text(value: &Value) -> String {
    value.as_str().expect("it is a string").to_owned()
}

fn difference<T: Ord + std::fmt::Debug>(
    ours: &BTreeSet<T>,
    theirs: &BTreeSet<T>,
) -> Option<String> {
    let only_ours: Vec<&T> = ours.difference(theirs).collect();
    let only_theirs: Vec<&T> = theirs.difference(ours).collect();
    (!only_ours.is_empty() || !only_theirs.is_empty())
        .then(|| format!("only ours {only_ours:?}\n only theirs {only_theirs:?}"))
}
