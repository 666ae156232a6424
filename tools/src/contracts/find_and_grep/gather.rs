//! Collects the matches of stage 2, reduced to the parts that the reply shows.

use super::args::Args;
use super::shape::{Group, GroupMatch, Sample};
use crate::arguments::limits::REPLY_BYTES_MAX;
use crate::contracts::long_lines::{LongLines, text_of};
use crate::replies::{context, texts};
use searchscope::toolkit::{excerpt::floor_char_boundary, to_text, with_slashes};
use searchscope::{Call, FileMatches, Line, Stop, Workspace};
use serde::Serialize;
use std::ops::ControlFlow;

/// docs/contracts/find-and-grep.md#shapes: the first 3 lines of each of the first 10 files, 120
/// characters each.
const SAMPLE_FILES: usize = 10;
const SAMPLE_LINES: usize = 3;
const SAMPLE_CHARS: usize = 120;
/// docs/contracts/find-and-grep.md#shapes: a summary names this many files with the most matches.
pub(super) const TOP_FILES: usize = 10;
/// Number of files at which a summary drops those that it will not show.
const SUMMARY_FILES_KEPT: usize = 4_096;
/// Room for everything but the matches.
const ENVELOPE_BYTES: usize = 64 * 1024;

/// The matches of one file.
pub(super) struct FileHits {
    /// Absolute.
    pub(super) path: String,
    pub(super) n_matches: u64,
    /// Empty if only numbers are needed.
    pub(super) hits: Vec<Hit>,
}

/// One match with its context.
pub(super) struct Hit {
    pub(super) line_number: u64,
    pub(super) column: usize,
    pub(super) content: String,
    pub(super) before: Vec<String>,
    pub(super) after: Vec<String>,
}

/// The content of a reply.
pub(super) struct Gathered {
    /// For a summary only the files that it shows; empty for a bare number.
    pub(super) files: Vec<FileHits>,
    n_matches: u64,
    n_files: usize,
    base: Base,
    /// The absolute path of the root, with a `/` at its end.
    root: String,
    keep: Keep,
    context: (usize, usize),
    bytes: usize,
    /// Whether the reply had no room for a match or a file.
    is_full: bool,
    pub(super) long: LongLines,
    call: Call,
}

/// The leading directories that all files with matches share.
#[derive(Debug, Default)]
pub(super) struct Base {
    first: Option<String>,
    len: usize,
}

impl Base {
    pub(super) fn add(&mut self, path: &str) {
        let dir = |path: &str| path.rfind('/').map_or(0, |slash| slash + 1);
        let Some(first) = &self.first else {
            self.len = dir(path);
            self.first = Some(path.to_owned());
            return;
        };
        let common = first.bytes().zip(path.bytes()).take_while(|(a, b)| a == b).count();
        let common = floor_char_boundary(first, self.len.min(common));
        self.len = dir(&first[..common]);
    }

    /// Returns the directories, with a `/` at the end unless they are empty.
    pub(super) fn dirs(&self) -> &str {
        self.first.as_deref().map_or("", |first| &first[..self.len])
    }
}

/// Amount of detail that is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keep {
    /// Only the number of lines.
    Total,
    /// The number of lines in each file.
    Numbers,
    Samples,
    Lines,
    LinesAndContext,
}

impl Gathered {
    pub(super) fn new(
        workspace: &Workspace,
        args: &Args,
        (context_before, context_after): (usize, usize),
        call: &Call,
    ) -> Gathered {
        let keep = if args.total_only {
            Keep::Total
        } else if args.is_summary() {
            Keep::Samples
        } else if args.count_only_matches {
            Keep::Numbers
        } else if args.summary_only {
            Keep::Samples
        } else if args.group_by_file {
            Keep::Lines
        } else {
            Keep::LinesAndContext
        };
        let root = with_slashes(workspace.root());
        Gathered {
            files: Vec::new(),
            n_matches: 0,
            n_files: 0,
            base: Base::default(),
            root: format!("{}/", root.trim_end_matches('/')),
            keep,
            context: (context_before, context_after),
            bytes: ENVELOPE_BYTES,
            is_full: false,
            long: LongLines::default(),
            call: call.clone(),
        }
    }

    /// Returns whether a reply has no room even for one match.
    pub(super) fn is_too_small(&self) -> bool {
        self.is_full && self.files.is_empty()
    }

    /// Returns whether a reply had no room for a match or the count of a file.
    pub(super) fn is_full(&self) -> bool {
        self.is_full
    }

    /// Returns the number of matches; in a count this includes files that were dropped.
    pub(super) fn total(&self) -> u64 {
        self.n_matches
    }

    /// Returns the number of files with matches, kept or not.
    pub(super) fn n_files(&self) -> usize {
        self.n_files
    }

    /// Removes the leading directories that all paths share and returns them without a `/` at the
    /// end, or `None` if they share none.
    pub(super) fn take_base(&mut self) -> Option<String> {
        let base = self.base.dirs();
        for file in &mut self.files {
            file.path.drain(..base.len());
        }
        let base = base.trim_end_matches('/');
        (!base.is_empty()).then(|| base.to_owned())
    }

    /// Counts the matches of a file, or of a part of one.
    fn count(&mut self, path: String, file: &FileMatches) {
        let is_match = |line: &&Line| line.is_match;
        let n_matches = match file.lines.is_empty() {
            true => file.n_matches,
            false => file.lines.iter().filter(is_match).count() as u64,
        };
        self.n_matches += n_matches;
        if self.keep == Keep::Total || n_matches == 0 {
            return;
        }
        if self.files.last().is_none_or(|last| last.path != path) {
            self.n_files += 1;
            self.base.add(&path);
            if self.keep == Keep::Samples {
                self.forget_files();
            } else {
                self.bytes += json_len(&path) + COUNT_BYTES;
                self.is_full |= self.bytes > REPLY_BYTES_MAX;
                if self.is_full {
                    return;
                }
            }
            self.files.push(FileHits { path, n_matches: 0, hits: Vec::new() });
        }
        let is_sampled = self.keep == Keep::Samples && self.files.len() <= SAMPLE_FILES;
        let Some(last) = self.files.last_mut() else { return };
        last.n_matches += n_matches;
        if is_sampled {
            for line in file.lines.iter().filter(is_match) {
                if last.hits.len() == SAMPLE_LINES {
                    break;
                }
                let content = to_text(&line.text).chars().take(SAMPLE_CHARS).collect();
                let (before, after) = Default::default();
                last.hits.push(Hit { line_number: line.number, column: 1, content, before, after });
            }
        }
    }

    /// Drops the files that no summary shows, once there are many: all but the first and the
    /// largest.
    ///
    /// Dropping is safe at any time: a file with fewer matches than ten others stays out of the top
    /// ten, because every file is complete when the next one begins.
    fn forget_files(&mut self) {
        if self.files.len() < SUMMARY_FILES_KEPT {
            return;
        }
        let mut rest = self.files.split_off(SAMPLE_FILES);
        rest.sort_by(FileHits::by_matches);
        rest.truncate(TOP_FILES);
        self.files.append(&mut rest);
    }

    fn hit(&self, lines: &[Line], at: usize) -> Hit {
        let line = &lines[at];
        let (before, after) = match self.keep {
            Keep::LinesAndContext => context(lines, at, self.context),
            _ => Default::default(),
        };
        Hit {
            line_number: line.number,
            column: line.spans.first().map_or(0, |span| span.start) + 1,
            content: text_of(line).into_owned(),
            before: texts(&before),
            after: texts(&after),
        }
    }

    /// Reserves room in the reply for the match and returns whether there was enough.
    fn has_room(&mut self, path: &str, hit: &Hit) -> bool {
        let Hit { line_number, column, content, before, after } = hit;
        let size = match self.keep {
            Keep::Total | Keep::Numbers | Keep::Samples => 0,
            Keep::Lines => {
                json_len(&GroupMatch { line_number: *line_number, content: content.clone() })
            }
            Keep::LinesAndContext => {
                json_len(&(path, line_number, column, content, before, after)) + FIELD_NAMES_BYTES
            }
        };
        self.bytes += size + 1;
        self.bytes <= REPLY_BYTES_MAX
    }
}

/// Size of the field names of one match.
const FIELD_NAMES_BYTES: usize = 90;
/// Size of the number of a file's matches, with separators.
const COUNT_BYTES: usize = 24;

/// Returns the size of a value as JSON.
fn json_len(value: &impl Serialize) -> usize {
    struct Count(usize);
    impl std::io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(0);
    match serde_json::to_writer(&mut count, value) {
        Ok(()) => count.0,
        Err(_) => usize::MAX,
    }
}

impl Gathered {
    /// Takes the matches of a file as far as there is room and time for them.
    pub(super) fn take_file(&mut self, file: &FileMatches) -> ControlFlow<Stop> {
        let path = format!("{}{}", self.root, file.path.display());
        if matches!(self.keep, Keep::Total | Keep::Numbers | Keep::Samples) {
            self.count(path, file);
            return ControlFlow::Continue(());
        }
        self.bytes += json_len(&path) + FIELD_NAMES_BYTES;
        self.long.look_at(file);
        let mut hits = Vec::new();
        let (mut is_full, mut is_late) = (self.bytes > REPLY_BYTES_MAX, false);
        for (at, _) in file.lines.iter().enumerate().filter(|(_, line)| line.is_match) {
            if is_full {
                break;
            }
            if self.call.is_over() {
                is_late = true;
                break;
            }
            let hit = self.hit(&file.lines, at);
            is_full = !self.has_room(&path, &hit) || hits.try_reserve(1).is_err();
            if !is_full {
                hits.push(hit);
            }
        }
        let n_matches = hits.len() as u64;
        if n_matches > 0 {
            self.n_matches += n_matches;
            self.n_files += 1;
            self.base.add(&path);
            self.files.push(FileHits { path, n_matches, hits });
        }
        self.is_full = is_full;
        match (is_full, is_late) {
            (true, _) => ControlFlow::Break(Stop::full(n_matches)),
            (false, true) => ControlFlow::Break(Stop::late(n_matches)),
            (false, false) => ControlFlow::Continue(()),
        }
    }
}

impl FileHits {
    /// Orders files by their number of matches, most first, then by path.
    pub(super) fn by_matches(&self, other: &FileHits) -> std::cmp::Ordering {
        other.n_matches.cmp(&self.n_matches).then_with(|| self.path.cmp(&other.path))
    }

    pub(super) fn into_group(self) -> Group {
        let matches = self
            .hits
            .into_iter()
            .map(|hit| GroupMatch { line_number: hit.line_number, content: hit.content });
        Group { file: self.path, match_count: self.n_matches, matches: matches.collect() }
    }

    pub(super) fn samples(&self) -> impl Iterator<Item = Sample> {
        self.hits.iter().map(|hit| Sample {
            file: self.path.clone(),
            line: hit.line_number,
            content: hit.content.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_base_is_whole_directories() {
        for (paths, base) in [
            (&["/r/a/x", "/r/a/y"][..], "/r/a/"),
            (&["/r/ab/x", "/r/ac/y"], "/r/"),
            (&["/r/a/x"], "/r/a/"),
            (&["/r/a/é", "/r/a/è"], "/r/a/"),
            (&["/x", "/y"], "/"),
            (&["/r/a/b/x", "/r/a/x"], "/r/a/"),
            (&[], ""),
        ] {
            let mut shared = Base::default();
            paths.iter().for_each(|path| shared.add(path));
            assert_eq!(shared.dirs(), base, "{paths:?}");
        }
    }
}
