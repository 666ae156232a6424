//! The same search with a limit of bytes: its results are the first ones of the search without it.

use super::SearchResult;
use super::input::SearchInput;
use searchscope::{Call, FileMatches, Line, Mode, Span, StopReason, TotalKind, Workspace};

/// One result: the path, then a line, or the number of matches in the file.
type Given<'a> = (&'a [u8], Option<&'a Line>, u64);

pub(super) fn check(
    workspace: &Workspace,
    input: &SearchInput,
    bytes_max: usize,
    whole: &SearchResult,
) {
    let mut request = input.request.clone();
    request.limits.output_bytes_max = Some(bytes_max);
    let found = workspace.run_search(&request, &Call::new());
    let (files, report) = found.expect("it was searched for before");
    let (given, all) = (matches_of(request.mode, &files), matches_of(request.mode, &whole.0));
    assert!(all.starts_with(&given), "{given:?} of {all:?} for {request:?}");
    let is_cut = given.len() < all.len();
    let stopped = report.stopped;
    assert!(!is_cut || stopped == Some(StopReason::ByteBudget), "{request:?} {report:?}");
    // The line that did not fit may be a context line.
    let is_told = stopped == Some(StopReason::ByteBudget) || stopped == whole.1.stopped;
    assert!(is_told, "{request:?} {report:?}");
    let is_exact = report.total_kind == TotalKind::Exact;
    assert!(!is_exact || stopped.is_none(), "{request:?} {report:?}");
    assert!(bytes_of(&files) <= bytes_max, "{request:?} {report:?}");
    // The cut of a file into parts depends on time, and a line may be in two parts.
    if request.in_parts {
        return;
    }
    if is_cut {
        let with_next = bytes_up_to(given.len(), request.mode, &whole.0);
        assert!(with_next > bytes_max, "{with_next} for {request:?} {report:?}");
    } else if bytes_of(&whole.0) <= bytes_max && whole.1.stopped.is_none() {
        assert_eq!(stopped, None, "{request:?} {report:?}");
    }
}

fn matches_of(mode: Mode, files: &[FileMatches]) -> Vec<Given<'_>> {
    let mut given = Vec::new();
    for file in files {
        let path = file.path.as_bytes();
        if mode == Mode::Content {
            let lines = file.lines.iter().filter(|line| line.is_match);
            given.extend(lines.map(|line| (path, Some(line), 1)));
        } else {
            given.push((path, None, file.n_matches));
        }
    }
    given
}

/// Returns the size of a result in memory.
fn bytes_of(files: &[FileMatches]) -> usize {
    let of_lines = |file: &FileMatches| file.lines.iter().map(bytes_of_line).sum::<usize>();
    files.iter().map(|file| bytes_of_file(file) + of_lines(file)).sum()
}

/// Returns the size of the first `n` matches and the next one.
fn bytes_up_to(n: usize, mode: Mode, files: &[FileMatches]) -> usize {
    let (mut bytes, mut left) = (0, n + 1);
    for file in files {
        bytes += bytes_of_file(file);
        left -= usize::from(mode != Mode::Content);
        for line in &file.lines {
            if left > 0 {
                bytes += bytes_of_line(line);
                left -= usize::from(line.is_match);
            }
        }
        if left == 0 {
            break;
        }
    }
    bytes
}

fn bytes_of_file(file: &FileMatches) -> usize {
    size_of::<FileMatches>() + file.path.as_bytes().len()
}

fn bytes_of_line(line: &Line) -> usize {
    size_of::<Line>() + line.text.len() + line.spans.len() * size_of::<Span>()
}
