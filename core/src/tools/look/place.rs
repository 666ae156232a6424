//! Queries for a place, such as `src/lib.rs:100`: the lines around it.

use super::hits::{HitFile, Hits, hit, limits};
use super::names::{self, Fit};
use super::query::Query;
use crate::error::Result;
use crate::pattern::PatternOptions;
use crate::search::{FileMatches, Role, SearchRequest};
use crate::walk::{FileOptions, stat_named};
use crate::workspace::fs::Kind;
use crate::{Call, Workspace};

/// Lines on each side of the place.
const AROUND: u64 = 3;

/// Splits a query such as `a.rs:10` or `a.rs:10:5` into path and line.
pub(super) fn split(query: &Query) -> Option<(&str, u64)> {
    let number = |text: &str| text.parse::<u64>().ok().filter(|&number| number > 0);
    if query.is_regex {
        return None;
    }
    let (path, line) = query.text.rsplit_once(':')?;
    let line = number(line)?;
    match path.rsplit_once(':').and_then(|(path, line)| Some((path, number(line)?))) {
        Some(place) => Some(place),
        None => Some((path, line)),
    }
    .filter(|(path, _)| !path.is_empty())
}

/// Returns the lines around `line` of the file at `path`, or of the only file with that name;
/// `None` without such a file. `n_lines` counts the lines that are shown.
///
/// # Errors
///
/// Those of a find and a search.
pub(super) fn lines_around(
    workspace: &Workspace,
    path: &str,
    line: u64,
    call: &Call,
) -> Result<Option<Hits>> {
    let is_file = |path: &str| {
        let meta = workspace.resolve(path).and_then(|path| stat_named(workspace, &path));
        meta.is_ok_and(|meta| meta.kind == Kind::File)
    };
    let path = if is_file(path) {
        path.to_owned()
    } else {
        let (query, place) = (Query::literal(path), (".", FileOptions::default()));
        let named = names::find(workspace, &query, Fit::Exact, place, call)?;
        let Ok([path]) = <[String; 1]>::try_from(named.paths) else { return Ok(None) };
        path
    };
    let mut request = SearchRequest::new(PatternOptions::regex("^"), limits());
    request.paths = vec![path];
    request.in_parts = true;
    let (mut files, mut lines) = (Vec::new(), Vec::new());
    let wanted = line.saturating_sub(AROUND)..=line.saturating_add(AROUND);
    let report = workspace.run_search_each(&request, call, &mut |file: FileMatches| {
        if files.is_empty() {
            let path = file.path.display().into_owned();
            let role = Role::of(&path);
            files.push(HitFile { path, role, n_lines: 0, n_by_pattern: Vec::new() });
        }
        lines.extend(
            file.lines.iter().filter(|line| wanted.contains(&line.number)).map(|line| hit(line, 0)),
        );
        true
    })?;
    let is_there = lines.iter().any(|hit| hit.line == line);
    let n_lines = lines.len() as u64;
    Ok(is_there.then_some(Hits { files, lines, n_lines, per_file_max: None, report }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_path_and_a_line() {
        for (q, place) in [
            ("a/b.rs:10", Some(("a/b.rs", 10))),
            ("a/b.rs:10:5", Some(("a/b.rs", 10))),
            ("a/b.rs:0", None),
            ("a/b.rs:x", None),
            (":10", None),
            ("/a.rs:10/", None),
        ] {
            assert_eq!(split(&Query::read(q)), place, "{q}");
        }
    }
}
