//! Measures tools against the programs they replace: in turn, in one run, equal results first.
//!
//! `searchscope-bench DEFINITION.toml ROOT [RUNS]` prints medians and ratios, wall and CPU;
//! `searchscope-bench scopes ROOT [RUNS]` what scopes cost, and
//! `searchscope-bench symbols ROOT RUNS NAME...` what looking for definitions costs.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "a command that starts other programs and prints a table"
)]

mod measure;
mod scopes;
mod symbols;

use searchscope::{CancelToken, Workspace};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, ExitCode};

/// A file under `definitions`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Definitions {
    case: Vec<Case>,
}

/// One question, to us and to a peer.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    tool: String,
    args: serde_json::Value,
    /// The peer's program and its arguments, without those that make it look at the same files;
    /// none to run only ours, for a profiler.
    peer: Vec<String>,
    /// Whether our results are the first of the peer's, in its order, and not the same set.
    #[serde(default)]
    first: bool,
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [definitions, root, rest @ ..] = args.as_slice() else {
        eprintln!("usage: searchscope-bench DEFINITION.toml|scopes|symbols ROOT [RUNS] [NAME...]");
        return ExitCode::from(2);
    };
    let runs = rest.first().map_or(Ok(7), |runs| runs.parse());
    if definitions == "scopes" || definitions == "symbols" {
        let (root, runs) = (Path::new(root), runs.unwrap_or(7));
        let measured = match definitions.as_str() {
            "scopes" => scopes::run(root, runs),
            _ => symbols::run(root, rest.get(1..).unwrap_or_default(), runs),
        };
        if let Err(why) = &measured {
            eprintln!("{why}");
        }
        return ExitCode::from(u8::from(measured.is_err()));
    }
    let (Ok(text), Ok(runs)) = (std::fs::read_to_string(definitions), runs) else {
        eprintln!("{definitions} cannot be read, or RUNS is not a number");
        return ExitCode::from(2);
    };
    let definitions: Definitions = match toml::from_str(&text) {
        Ok(definitions) => definitions,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    };
    println!(
        "| case | results | ours ms | peer ms | wall ratio | ours CPU ms | peer CPU ms | CPU ratio |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    let mut failed = false;
    for case in &definitions.case {
        match run(case, Path::new(root), runs) {
            Ok(row) => println!("{row}"),
            Err(why) => {
                failed = true;
                println!("| {} | {why} | | | | | | |", case.name);
            }
        }
    }
    ExitCode::from(u8::from(failed))
}

fn run(case: &Case, root: &Path, runs: usize) -> Result<String, String> {
    if case.peer.is_empty() {
        let ours = || measure::in_process(|| call(&open(root), case));
        let ours = measure::median(&std::iter::repeat_with(ours).take(runs).collect::<Vec<_>>());
        return Ok(format!("| {} | | {:?} | | | {:?} | | |", case.name, ours.wall, ours.cpu));
    }
    let (ours, mut theirs) = (ask_us(case, root)?, ask_peer(case, root)?);
    let n_results = theirs.len();
    if case.first {
        theirs.truncate(ours.len());
        if ours != theirs {
            let at = ours.iter().zip(&theirs).position(|(ours, theirs)| ours != theirs);
            return Err(format!("result number {at:?} differs"));
        }
    }
    let (ours, theirs) = (BTreeSet::from_iter(ours), BTreeSet::from_iter(theirs));
    if ours != theirs {
        let (only_ours, only_theirs) = (ours.difference(&theirs), theirs.difference(&ours));
        return Err(format!(
            "results differ: only ours {} (first: {:?}), only the peer's {} (first: {:?})",
            only_ours.clone().count(),
            only_ours.clone().next(),
            only_theirs.clone().count(),
            only_theirs.clone().next(),
        ));
    }
    let mut samples = (Vec::new(), Vec::new());
    for _ in 0..runs {
        samples.0.push(measure::in_process(|| {
            let workspace = open(root);
            call(&workspace, case)
        }));
        samples.1.push(measure::of_children(|| peer_command(case, root).output()));
    }
    let (ours, peer) = (measure::median(&samples.0), measure::median(&samples.1));
    let ms = |duration: std::time::Duration| duration.as_secs_f64() * 1_000.0;
    Ok(format!(
        "| {} | {} | {:.1} | {:.1} | **{:.2}** | {:.1} | {:.1} | **{:.2}** |",
        case.name,
        n_results,
        ms(ours.wall),
        ms(peer.wall),
        measure::median_ratio(&samples.0, &samples.1, |sample| sample.wall),
        ms(ours.cpu),
        ms(peer.cpu),
        measure::median_ratio(&samples.0, &samples.1, |sample| sample.cpu),
    ))
}

fn open(root: &Path) -> Workspace {
    Workspace::open(root, &Default::default()).expect("the root can be opened")
}

fn call(workspace: &Workspace, case: &Case) -> Result<Vec<u8>, String> {
    let args = case.args.to_string();
    workspace
        .call(&case.tool, args.as_bytes(), &CancelToken::new())
        .map_err(|error| error.to_string())
}

/// Our results as lines: `path:number:text`, or paths.
fn ask_us(case: &Case, root: &Path) -> Result<Vec<String>, String> {
    let reply = call(&open(root), case)?;
    let reply: serde_json::Value = serde_json::from_slice(&reply).map_err(|e| e.to_string())?;
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let prefix = format!("{}/", open(root).root().display());
    let line = |found: &serde_json::Value, [path, number, line]: [&str; 3]| {
        let path = text(&found[path]);
        let path = path.strip_prefix(&prefix).unwrap_or(&path);
        format!("{path}:{}:{}", found[number], text(&found[line]))
    };
    let lists = [
        (&reply["matches"], ["file_path", "line_number", "line_content"]),
        (&reply["data"]["matches"], ["file", "line", "text"]),
        (&reply["results"], ["file", "line_number", "content"]),
    ];
    let matches = lists.iter().flat_map(|(list, fields)| {
        let list = list.as_array().into_iter().flatten();
        list.filter(|found| found.get(fields[0]).is_some()).map(|found| line(found, *fields))
    });
    let files = reply["files"].as_array().into_iter().flatten().map(text);
    Ok(matches.chain(files).collect())
}

/// The peer's results in the same form.
fn ask_peer(case: &Case, root: &Path) -> Result<Vec<String>, String> {
    let output = peer_command(case, root).output().map_err(|e| format!("{}: {e}", case.peer[0]))?;
    let output = String::from_utf8_lossy(&output.stdout);
    let lines = output.split('\n').filter(|line| !line.is_empty());
    Ok(lines.map(|line| line.strip_suffix('\r').unwrap_or(line).to_owned()).collect())
}

/// The peer, told to look at the files that we look at.
fn peer_command(case: &Case, root: &Path) -> Command {
    let mut command = Command::new(&case.peer[0]);
    command.current_dir(root).stdin(std::process::Stdio::null());
    let same_files = ["--no-require-git", "--no-ignore-parent", "--color=never"];
    match case.peer[0].as_str() {
        // A pipeline says all of it itself.
        "sh" => {
            command.args(&case.peer[1..]);
        }
        "rg" => {
            command.args(same_files);
            let flags = ["--no-config", "--no-ignore-global", "--no-heading", "--line-number"];
            command.args(flags).args(["--with-filename", "--no-messages"]).args(&case.peer[1..]);
        }
        _ => {
            command
                .args(same_files)
                .args(["--type", "f", "--strip-cwd-prefix=always"])
                .args(&case.peer[1..]);
        }
    }
    command
}
