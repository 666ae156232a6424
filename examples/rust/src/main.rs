//! Prints every line below a directory that matches a regex, as it is found.
//!
//!     cargo run -p searchscope-example -- 'fn \w+' path/to/project
//!
//! Exits with 0 if something matched, 1 if nothing did, 2 if the search failed.

use searchscope::{CancelToken, Limits, Workspace};
use std::io::Write;
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::time::Duration;

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let Some(pattern) = args.next() else {
        eprintln!("usage: searchscope-example REGEX [DIRECTORY]");
        return ExitCode::from(2);
    };
    let root = args.next().unwrap_or_else(|| ".".into());
    match search(&root, &pattern) {
        Ok(0) => ExitCode::from(1),
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}: {error}", error.code());
            ExitCode::from(2)
        }
    }
}

/// Returns the number of matching lines.
fn search(root: &str, pattern: &str) -> searchscope::Result<u64> {
    let workspace = Workspace::open(root)?;
    // Any other thread may cancel a clone of this token.
    let cancel = CancelToken::new();
    let limits =
        Limits { file_bytes_max: Some(10 << 20), line_bytes_max: Some(400), ..Limits::default() };
    let search = workspace.search(pattern).limits(limits);
    let report = search.timeout(Duration::from_secs(60)).cancel(&cancel).for_each(|hit| {
        // Writing fails once the reader has closed the pipe, as in `… | head`.
        let mut out = std::io::stdout().lock();
        match writeln!(out, "{}:{}:{}", hit.path, hit.line.number, hit.text()) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    })?;
    eprintln!(
        "{} lines in {} files searched, complete: {}",
        report.total, report.searched_files, report.complete
    );
    for warning in &report.warnings {
        eprintln!("{}: {}", warning.path, warning.reason);
    }
    Ok(report.total)
}
