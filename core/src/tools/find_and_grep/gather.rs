//! Takes the matches of stage 2 and keeps of them what the reply will show.

use super::args::Args;
use super::shape::{Group, GroupMatch, Sample};
use crate::Workspace;
use crate::lines::to_text;
use crate::search::{FileMatches, Line, Sink, Wanted};
use crate::tools::reply::{context, texts};
use crate::tools::{REPLY_BYTES_MAX, Time};
use serde::Serialize;

/// contracts.md section 4: the first 3 lines of each of the first 10 files, 120 characters each.
const SAMPLE_FILES: usize = 10;
const SAMPLE_LINES: usize = 3;
const SAMPLE_CHARS: usize = 120;
/// What a reply takes beside the matches.
const ENVELOPE_BYTES: usize = 64 * 1024;

/// The matches of one file.
pub(super) struct FileHits {
    /// Absolute.
    pub(super) path: String,
    pub(super) n_matches: u64,
    /// Empty where only numbers are wanted.
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

/// What a reply is made of.
pub(super) struct Gathered {
    pub(super) files: Vec<FileHits>,
    /// The absolute path of the root, with a `/` behind it.
    root: String,
    keep: Keep,
    context: (usize, usize),
    bytes: usize,
    /// Whether a match did not fit into the reply.
    is_full: bool,
    time: Time,
}

/// Which lines the reply shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keep {
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
        time: Time,
    ) -> Gathered {
        let keep = if args.total_only {
            Keep::Numbers
        } else if args.suppress_output && args.output_file.is_none() {
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
        let root = workspace.root().display().to_string();
        Gathered {
            files: Vec::new(),
            root: format!("{}/", root.trim_end_matches('/')),
            keep,
            context: (context_before, context_after),
            bytes: ENVELOPE_BYTES,
            is_full: false,
            time,
        }
    }

    /// Whether not even one match fits into a reply.
    pub(super) fn is_too_small(&self) -> bool {
        self.is_full && self.files.is_empty()
    }

    pub(super) fn total(&self) -> u64 {
        self.files.iter().map(|file| file.n_matches).sum()
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
            content: to_text(&line.text).into_owned(),
            before: texts(&before),
            after: texts(&after),
        }
    }

    /// Whether the match fits into the reply, which it then has taken room in.
    fn has_room(&mut self, path: &str, hit: &Hit) -> bool {
        let Hit { line_number, column, content, before, after } = hit;
        let size = match self.keep {
            Keep::Numbers | Keep::Samples => 0,
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

/// The names of the fields of one match.
const FIELD_NAMES_BYTES: usize = 90;

/// How many bytes a value has as JSON.
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

impl Sink for Gathered {
    fn file(&mut self, file: FileMatches) -> Wanted {
        let path = format!("{}{}", self.root, file.path.display());
        self.bytes += json_len(&path) + FIELD_NAMES_BYTES;
        let mut hits = Vec::new();
        let mut n_matches = 0;
        let (mut is_full, mut is_late) = (self.bytes > REPLY_BYTES_MAX, false);
        for (at, _) in file.lines.iter().enumerate().filter(|(_, line)| line.is_match) {
            let is_sample = self.files.len() < SAMPLE_FILES && hits.len() < SAMPLE_LINES;
            if is_full {
                break;
            }
            if self.time.is_over() {
                is_late = true;
                break;
            }
            match self.keep {
                Keep::Samples if !is_sample => n_matches += 1,
                _ => {
                    let mut hit = self.hit(&file.lines, at);
                    is_full = !self.has_room(&path, &hit) || hits.try_reserve(1).is_err();
                    if !is_full {
                        if self.keep == Keep::Samples {
                            hit.content = hit.content.chars().take(SAMPLE_CHARS).collect();
                        }
                        hits.push(hit);
                        n_matches += 1;
                    }
                }
            }
        }
        if file.lines.is_empty() {
            n_matches = if is_full { 0 } else { file.n_matches };
        }
        if n_matches > 0 {
            self.files.push(FileHits { path, n_matches, hits });
        }
        self.is_full = is_full;
        match (is_full, is_late) {
            (true, _) => Wanted::Only(n_matches),
            (false, true) => Wanted::Late(n_matches),
            (false, false) => Wanted::More,
        }
    }
}

impl FileHits {
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
