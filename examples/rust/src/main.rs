//! Prints every line below a directory that matches a regex, as it is found.
//!
//!     cargo run -p searchscope-example -- 'fn \w+' path/to/project
//!
//! Ends with 0 when something matched, 1 when nothing did, 2 when the search failed.

use searchscope::{Call, FileMatches, Limits, PatternOptions, SearchRequest, Workspace};
use std::io::Write;
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

/// Gives how many lines matched.
fn search(root: &str, pattern: &str) -> searchscope::Result<u64> {
    let workspace = Workspace::open(root, &Default::default())?;
    let request = SearchRequest::new(PatternOptions::regex(pattern), limits());
    // A clone of its token can be cancelled from any other thread.
    let call = Call::new().with_timeout(Duration::from_secs(60));
    let report = workspace.search_each(&request, &call, &mut print)?;
    eprintln!(
        "{} lines in {} files searched, complete: {}",
        report.total, report.searched_files, report.complete
    );
    for warning in &report.warnings {
        eprintln!("{}: {}", warning.path, warning.reason);
    }
    Ok(report.total)
}

/// Every limit is the program's: the engine has no defaults for them.
fn limits() -> Limits {
    Limits { file_bytes_max: 10 << 20, line_bytes_max: 400, ..Limits::default() }
}

/// Prints the matches of one file; whether the search is to go on.
fn print(file: FileMatches) -> bool {
    let mut out = std::io::stdout().lock();
    let path = file.path.display();
    // Writing fails when nobody reads any more, as in `… | head`.
    file.lines.iter().all(|line| {
        let text = String::from_utf8_lossy(&line.text);
        writeln!(out, "{path}:{}:{text}", line.number).is_ok()
    })
}
