//! Cost of a search for definitions, compared with a search for their name as a text.
//!
//! Both search the same files for the name in any case; every file with a definition must be among those
//! with the text. They run in turn in one process. Each call has a new workspace, so nothing is
//! remembered from the call before.

use crate::measure::{Sample, in_process, median_ms, median_ratio};
use searchscope::{
    Call, Case, Limits, Mode, PatternOptions, SearchRequest, SymbolReport, SymbolRequest, Workspace,
};
use std::collections::BTreeSet;
use std::path::Path;

/// Prints a table with a row for each name.
pub(crate) fn run(root: &Path, names: &[&str], runs: usize) -> Result<(), String> {
    println!(
        "| name | candidates | definitions | text ms | definitions ms | wall ratio | CPU ratio |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    for name in names {
        println!("{}", row(root, name, runs)?);
    }
    Ok(())
}

fn row(root: &Path, name: &str, runs: usize) -> Result<String, String> {
    let (files, found) = (text(root, name)?, symbols(root, name)?);
    let of_definitions = found.symbols.iter().map(|symbol| symbol.path.display().into_owned());
    let is_sound = of_definitions.into_iter().all(|path| files.contains(&path));
    if !is_sound || !found.report.complete {
        return Err(format!(
            "{name}: a definition in a file without the text, or an incomplete search"
        ));
    }
    let (mut texts, mut definitions) = (Vec::new(), Vec::new());
    for _ in 0..runs {
        texts.push(in_process(|| text(root, name)));
        definitions.push(in_process(|| symbols(root, name)));
    }
    let ms = |samples: &[Sample]| median_ms(samples, |sample| sample.wall_ns);
    Ok(format!(
        "| `{name}` | {} | {} | {:.1} | {:.1} | **{:.2}** | **{:.2}** |",
        files.len(),
        found.symbols.len(),
        ms(&texts),
        ms(&definitions),
        median_ratio(&definitions, &texts, |sample| sample.wall_ns),
        median_ratio(&definitions, &texts, |sample| sample.cpu_ns),
    ))
}

fn open(root: &Path) -> Result<Workspace, String> {
    Workspace::open(root).map_err(|error| error.to_string())
}

/// Returns the files with the text.
fn text(root: &Path, name: &str) -> Result<BTreeSet<String>, String> {
    let limits =
        Limits { line_bytes_max: Some(1_000), spans_per_line_max: Some(0), ..Limits::NONE };
    let mut pattern = PatternOptions::literal(name);
    pattern.case = Case::Insensitive;
    let mut request = SearchRequest::new(pattern, limits);
    request.mode = Mode::Files;
    let found = open(root)?.run_search(&request, &Call::new());
    let (files, _) = found.map_err(|error| error.to_string())?;
    Ok(files.into_iter().map(|file| file.path.display().into_owned()).collect())
}

fn symbols(root: &Path, name: &str) -> Result<SymbolReport, String> {
    let workspace = open(root)?;
    let request = SymbolRequest::new(name, 10_000);
    workspace.run_symbols(&request, &Call::new()).map_err(|error| error.to_string())
}
