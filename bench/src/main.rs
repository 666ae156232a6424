//! Measures our engine and the programs that it replaces: in turn, in one run, equal results first.
//!
//! `npm run bench` prepares everything and starts this program; bench/README.md explains the method.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "a command that starts other programs and prints tables"
)]

mod chart;
mod compare;
mod definitions;
mod measure;
mod pair;
#[cfg(test)]
mod pair_tests;
mod protocol;
mod record;
mod scopes;
mod serve;
mod symbols;

use definitions::{Plan, Setting};
use pair::Outcome;
use record::Row;
use std::path::Path;
use std::process::{Command, ExitCode};

const USAGE: &str = "\
usage: searchscope-bench run SETTING.json     runs the benchmarks, as npm run bench does
       searchscope-bench scopes ROOT [RUNS]   measures the cost of scopes
       searchscope-bench symbols ROOT RUNS NAME...   measures the search for definitions
       searchscope-bench engine ROOT [OPTIONS]   serves requests by our engine, one per line (src/protocol.rs)
       searchscope-bench spawn ROOT   starts the requested programs, over the same protocol";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let runs = |text: &str| text.parse::<usize>().map_err(|error| format!("{text}: {error}"));
    let done = match args.as_slice() {
        ["run", setting] => run(Path::new(setting)),
        ["scopes", root] => scopes::run(Path::new(root), 5),
        ["scopes", root, n] => runs(n).and_then(|runs| scopes::run(Path::new(root), runs)),
        ["symbols", root, n, names @ ..] => {
            runs(n).and_then(|runs| symbols::run(Path::new(root), names, runs))
        }
        ["engine", root] => serve::engine(Path::new(root), ""),
        ["engine", root, options] => serve::engine(Path::new(root), options),
        ["spawn", root, ..] => serve::spawn(Path::new(root)),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    if let Err(why) = &done {
        eprintln!("searchscope-bench: {why}");
    }
    ExitCode::from(u8::from(done.is_err()))
}

/// Runs all measurements of the setting, prints them, and writes the record of a full run.
fn run(setting: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(setting).map_err(|error| error.to_string())?;
    let setting: Setting = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let bench = Path::new(env!("CARGO_MANIFEST_DIR"));
    let plan = Plan::read(bench)?;
    println!("{}, {}, {} runs of each", setting.date, setting.cpu, setting.runs);
    let (mut rows, mut kept) = (Vec::new(), pair::Kept::default());
    for definition in &plan.definitions {
        let is_named = setting.names.is_empty() || setting.names.contains(&definition.name);
        if !is_named || (setting.quick && !definition.quick) {
            continue;
        }
        // A table without rows is only a head; its rows are printed as they come.
        println!("\n{}", record::table(definition, &[]).trim_end());
        for case in &definition.case {
            for peer in &case.peers {
                let corpus = case.corpus.as_ref().unwrap_or(&definition.corpus);
                let row = row(&plan, &setting, definition, case, corpus, peer, &mut kept)?;
                println!("{}", record::markdown(&row));
                rows.push(row);
            }
        }
    }
    let is_full = !setting.quick && setting.names.is_empty();
    if is_full && setting.corpora.values().all(|corpus| corpus.root.is_some()) {
        write(&plan, &setting, bench, &rows)?;
    } else {
        println!("\nNo record written: the run was partial.");
    }
    match rows.iter().filter(|row| matches!(row.outcome, Outcome::Wrong(_))).count() {
        0 => Ok(()),
        n => Err(format!("{n} of {} rows have wrong results and no time", rows.len())),
    }
}

fn row<'a>(
    plan: &'a Plan,
    setting: &'a Setting,
    definition: &'a definitions::Definition,
    case: &'a definitions::Case,
    corpus_name: &'a str,
    peer: &'a definitions::Peer,
    kept: &mut pair::Kept,
) -> Result<Row<'a>, String> {
    let corpus = setting.corpora.get(corpus_name);
    let corpus = corpus.ok_or(format!("{}: unknown corpus {corpus_name:?}", case.name))?;
    let counts = definition.counts_of.as_ref().is_none_or(|version| *version == corpus.version);
    Ok(Row {
        definition,
        case: &case.name,
        corpus: corpus_name,
        corpus_version: &corpus.version,
        peer,
        peer_version: version(plan, setting, &peer.engine),
        goal: peer.goal.as_ref().and_then(|goal| plan.goal(goal)),
        outcome: pair::measure(plan, setting, case, corpus, counts, peer, kept),
    })
}

/// Returns the version that the engine reports; empty if it is not installed.
fn version(plan: &Plan, setting: &Setting, name: &str) -> String {
    let engine = &plan.engines[name];
    if engine.version.is_empty() {
        return setting
            .residents
            .get(&engine.resident)
            .map_or_else(String::new, |p| p.version.clone());
    }
    let Ok(command) = pair::command(plan, setting, &[name.to_owned()]) else {
        return String::new();
    };
    let mut words = engine.version.clone();
    // The program may be one that has a path instead of a name.
    if words[0].starts_with('{') {
        words[0].clone_from(&command[0]);
    }
    let output = Command::new(&words[0]).args(&words[1..]).output();
    let output = output.map(|output| output.stdout).unwrap_or_default();
    String::from_utf8_lossy(&output).lines().next().unwrap_or_default().to_owned()
}

/// Writes the CSV and the chart under `record`, and the tables in README.md.
fn write(plan: &Plan, setting: &Setting, bench: &Path, rows: &[Row]) -> Result<(), String> {
    let words = setting.cpu.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| !w.is_empty());
    let name = format!("{}-{}", setting.date, words.collect::<Vec<_>>().join("-").to_lowercase());
    let directory = bench.join("record");
    std::fs::create_dir_all(&directory).map_err(|error| error.to_string())?;
    let caption = format!("{}, {}", setting.cpu, setting.date);
    for (extension, text) in
        [("csv", record::csv(setting, rows)), ("svg", chart::svg(rows, &caption))]
    {
        let path = directory.join(format!("{name}.{extension}"));
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
        println!("\n{}", path.display());
    }
    let record = record::document(plan, setting, rows, &format!("record/{name}.svg"));
    record::replace_block(&bench.join("README.md"), &record)
}
