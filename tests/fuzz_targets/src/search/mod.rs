//! A search of a few files, checked line by line on their decoded text with the slowest regex engine.

mod budget;
mod check;
mod input;
mod naive;

use super::open;
use input::SearchInput;
use naive::{Meaning, Read};
use searchscope::{Call, Error, FileMatches, PatternOptions, Report, Syntax, Workspace};
use std::fs;
use std::sync::OnceLock;
use tempfile::TempDir;

/// The results of a search.
type SearchResult = (Vec<FileMatches>, Report);

/// Choices, the pattern up to a byte that never occurs in text, and the contents of the file; after a
/// mark, further choices and files.
pub fn search(data: &[u8]) {
    let input = SearchInput::new(data);
    let (dir, workspaces) = opened();
    for file in &input.files {
        fs::write(dir.path().join(file.name), &file.content).expect("written");
    }
    let workspace = &workspaces[usize::from(input.in_threads)];
    let request = &input.request;
    let read = Read::new(&request.pattern);
    match workspace.run_search(request, &Call::new()) {
        Ok(found) => {
            assert!(!read.must_be_refused(&request.pattern), "taken: {request:?}");
            if let Meaning::Lines(naive) = &read.meaning {
                check::check(naive, &input, &found);
            }
            if let Some(bytes_max) = input.output_bytes_max {
                budget::check(workspace, &input, bytes_max, &found);
            }
        }
        Err(error) => check_refusal(&request.pattern, &read, &error),
    }
}

/// Checks the reason for a refusal: invalid, empty or too large patterns, or a line feed that could
/// never match.
fn check_refusal(pattern: &PatternOptions, read: &Read, error: &Error) {
    let is_due = match error.code() {
        "invalid_param" => pattern.patterns.iter().any(String::is_empty),
        "pattern_syntax" if error.message().contains("a line feed cannot match") => {
            read.has_line_feed
        }
        "pattern_syntax" => {
            let is_plain = pattern.syntax == Syntax::Literal;
            !is_plain && matches!(read.meaning, Meaning::None | Meaning::TooLarge)
        }
        _ => false,
    };
    assert!(is_due, "{error:?} for {pattern:?}");
}

/// Returns a directory for the files of an input, opened with one thread and with two, which lives as
/// long as the process.
fn opened() -> &'static (TempDir, [Workspace; 2]) {
    static OPENED: OnceLock<(TempDir, [Workspace; 2])> = OnceLock::new();
    OPENED.get_or_init(|| {
        let dir = tempfile::tempdir().expect("a directory");
        let workspaces = [open(dir.path(), 1), open(dir.path(), 2)];
        (dir, workspaces)
    })
}
