//! The matching lines of one search, collected for ranking: all are counted, the most relevant
//! kept.

use searchscope::toolkit::{Likeness, LineTraits, Role, to_text};
use searchscope::{
    Call, FileMatches, Limits, Line, RelPath, Report, Result, SearchRequest, Workspace,
};
use std::ops::ControlFlow;

/// A longer line is shown as a part of this many bytes around its first match.
pub(super) const LINE_BYTES_MAX: usize = 300;
/// Maximum number of lines kept per file: reachable pages never show more.
pub(super) const LINES_PER_FILE: usize = 240;
/// Maximum number of lines kept in all, some 20 MB; past it the lowest-ranking ones are dropped.
const LINES_KEPT: usize = 40_000;
/// Maximum number of matches per line whose position is considered.
const SPANS_MAX: usize = 16;

/// A file with matching lines.
#[derive(Clone, Debug)]
pub(super) struct HitFile {
    pub(super) path: String,
    pub(super) role: Role,
    /// The number of its matching lines.
    pub(super) n_lines: u64,
    /// The number of its matching lines for each pattern.
    pub(super) n_by_pattern: Vec<u64>,
}

/// A matching line.
#[derive(Clone, Debug)]
pub(super) struct Hit {
    /// Its file, as an index.
    pub(super) file: usize,
    pub(super) line: u64,
    pub(super) text: String,
    /// Start of the text in the line, and the length of the line, if the text is only a part.
    pub(super) part_of: Option<(usize, usize)>,
    /// Start of the first match in `text`, in bytes.
    pub(super) match_at: usize,
    pub(super) likeness: Likeness,
    /// Whether the line defines the query, according to a parser.
    pub(super) is_definition: bool,
    /// In a definition, whether it is of a type, function or macro with exactly the name of the
    /// query.
    pub(super) is_main: bool,
    /// Whether a match is a whole word.
    pub(super) is_word: bool,
    /// The patterns that match in the line, as a bit set.
    pub(super) patterns: u64,
}

/// The result of one search.
#[derive(Debug)]
pub(super) struct Hits {
    pub(super) files: Vec<HitFile>,
    pub(super) lines: Vec<Hit>,
    /// The number of matching lines, kept or not.
    pub(super) n_lines: u64,
    /// The number of lines kept per file, if that left some out.
    pub(super) per_file_max: Option<usize>,
    pub(super) report: Report,
}

/// Searches and collects the matching lines of files in `role`, or in any.
pub(super) fn gather(
    workspace: &Workspace,
    request: &mut SearchRequest,
    role: Option<Role>,
    call: &Call,
) -> Result<Hits> {
    collect(workspace, request, (role, LINES_PER_FILE), call)
}

/// Searches and collects up to `per_file` matching lines of each file.
pub(super) fn gather_up_to(
    per_file: usize,
    workspace: &Workspace,
    request: &mut SearchRequest,
    call: &Call,
) -> Result<Hits> {
    collect(workspace, request, (None, per_file), call)
}

fn collect(
    workspace: &Workspace,
    request: &mut SearchRequest,
    (role, per_file): (Option<Role>, usize),
    call: &Call,
) -> Result<Hits> {
    let n_patterns = request.pattern.patterns.len();
    let mut gathering = Gathering { n_patterns, role, per_file, ..Gathering::default() };
    request.in_parts = true;
    let report = workspace.run_search_each(request, call, &mut |file: FileMatches| {
        gathering.take(&file);
        ControlFlow::Continue(())
    })?;
    gathering.finish_file();
    let is_cut = gathering.files.iter().any(|file| file.n_lines > per_file as u64);
    let per_file_max = is_cut.then_some(per_file);
    let Gathering { files, lines, n_lines, .. } = gathering;
    Ok(Hits { files, lines, n_lines, per_file_max, report })
}

/// Returns the limits of a search that counts everything.
pub(super) fn limits() -> Limits {
    Limits {
        line_bytes_max: Some(LINE_BYTES_MAX),
        spans_per_line_max: Some(SPANS_MAX),
        ..Limits::NONE
    }
}

impl Hits {
    /// Adds the lines of another search after its own; a line in both counts as a definition if one of them does.
    pub(super) fn joined(mut self, other: Hits) -> Hits {
        for hit in other.lines {
            let file = &other.files[hit.file];
            let at = self.files.iter().position(|own| own.path == file.path).unwrap_or_else(|| {
                self.files.push(HitFile { n_lines: 0, ..file.clone() });
                self.files.len() - 1
            });
            match self.lines.iter_mut().find(|own| own.file == at && own.line == hit.line) {
                Some(own) => own.is_definition |= hit.is_definition,
                None => {
                    self.files[at].n_lines += 1;
                    self.n_lines += 1;
                    self.lines.push(Hit { file: at, ..hit });
                }
            }
        }
        self
    }
}

#[derive(Default)]
struct Gathering {
    files: Vec<HitFile>,
    lines: Vec<Hit>,
    n_lines: u64,
    n_patterns: usize,
    role: Option<Role>,
    /// Maximum number of lines kept per file.
    per_file: usize,
    /// The file whose parts are arriving, and the index of its first line.
    open: Option<(RelPath, usize)>,
}

impl Gathering {
    fn take(&mut self, matches: &FileMatches) {
        if self.open.as_ref().is_none_or(|(path, _)| *path != matches.path) {
            self.finish_file();
            let path = matches.path.display().into_owned();
            let role = Role::of(&path);
            if self.role.is_some_and(|wanted| wanted != role) {
                return;
            }
            self.open = Some((matches.path.clone(), self.lines.len()));
            let n_by_pattern = vec![0; self.n_patterns];
            self.files.push(HitFile { path, role, n_lines: 0, n_by_pattern });
        }
        let Some(at) = self.files.len().checked_sub(1) else { return };
        for line in matches.lines.iter().filter(|line| line.is_match) {
            let hit = hit(line, at);
            let file = &mut self.files[at];
            file.n_lines += 1;
            for (pattern, n) in file.n_by_pattern.iter_mut().enumerate() {
                *n += hit.patterns >> pattern.min(63) & 1;
            }
            self.n_lines += 1;
            self.lines.push(hit);
            // A file may have millions of matching lines, so it is trimmed before it is complete: at
            // twice the limit, so that each sort is paid for by as many new lines.
            if let Some(first) = self.open.as_ref().map(|(_, first)| *first)
                && self.lines.len() - first >= 2 * self.per_file
            {
                self.trim_file(first);
            }
        }
    }

    /// Keeps the best lines of the file whose lines start at index `first`.
    fn trim_file(&mut self, first: usize) {
        if self.lines.len() - first > self.per_file {
            self.lines[first..].sort_by_key(|hit| (!hit.may_define(), !hit.is_word, hit.line));
            self.lines.truncate(first + self.per_file);
            self.lines[first..].sort_by_key(|hit| hit.line);
        }
    }

    /// Keeps the best lines of the file that is now complete.
    fn finish_file(&mut self) {
        let Some((_, first)) = self.open.take() else { return };
        self.trim_file(first);
        if self.lines.len() > LINES_KEPT {
            let files = &self.files;
            // The sort is stable: lines of equal rank stay in the order of paths and lines.
            self.lines.sort_by_key(|hit| (!hit.may_define(), files[hit.file].role, !hit.is_word));
            self.lines.truncate(LINES_KEPT / 2);
            self.lines.sort_by_key(|hit| (hit.file, hit.line));
        }
    }
}

impl Hit {
    /// Returns a row without a line, for a file that is shown by its path alone.
    pub(super) fn heading(file: usize) -> Hit {
        Hit {
            file,
            line: 0,
            text: String::new(),
            part_of: None,
            match_at: 0,
            likeness: Likeness::None,
            is_definition: false,
            is_main: false,
            is_word: false,
            patterns: 0,
        }
    }

    /// Returns whether the line may define the query.
    pub(super) fn may_define(&self) -> bool {
        self.likeness != Likeness::None
    }
}

pub(super) fn hit(line: &Line, file: usize) -> Hit {
    let text = to_text(&line.text).into_owned();
    let LineTraits { likeness, is_word, patterns, .. } = LineTraits::of(line, &text);
    let is_part = line.is_truncated();
    let first = line.spans.first().map_or(0, |span| span.start.saturating_sub(line.text_start));
    Hit {
        file,
        line: line.number,
        part_of: is_part.then_some((line.text_start, line.line_len)),
        match_at: first.min(text.len()),
        text,
        likeness,
        is_definition: false,
        is_main: false,
        is_word,
        patterns,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::trees::tree;
    use searchscope::PatternOptions;

    #[test]
    fn a_file_of_matching_lines_is_trimmed_while_it_comes_in() {
        let dir = tree(&[("a.txt", "needle\n".repeat(100_000))]);
        let workspace = Workspace::open(dir.path()).expect("opened");
        let mut request = SearchRequest::new(PatternOptions::literal("needle"), limits());
        request.in_parts = true;
        let mut gathering =
            Gathering { n_patterns: 1, per_file: LINES_PER_FILE, ..Gathering::default() };
        let (mut n_parts, mut n_kept) = (0, 0);
        let found = workspace.run_search_each(&request, &Call::new(), &mut |file| {
            gathering.take(&file);
            n_parts += 1;
            n_kept = n_kept.max(gathering.lines.len());
            ControlFlow::Continue(())
        });
        found.expect("searched");
        gathering.finish_file();
        assert!(n_parts > 1 && n_kept < 2 * LINES_PER_FILE, "{n_parts} parts, {n_kept} kept");
        assert_eq!((gathering.n_lines, gathering.lines.len()), (100_000, LINES_PER_FILE));
        assert!(gathering.lines.iter().map(|hit| hit.line).eq(1..=LINES_PER_FILE as u64));
    }
}
