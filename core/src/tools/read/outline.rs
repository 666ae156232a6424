//! The definitions of a file or directory, as a tree under a byte budget.
//!
//! A directory is shown breadth first: the top-level definitions of every file, and nested ones
//! only if they all fit. A small budget thus shows every file a little, rather than all of the
//! first.

use super::Reading;
use super::source::with_near;
use crate::error::{ErrorKind, Result};
use crate::search::{FindRequest, FoundFile};
use crate::syntax::{Outline, Symbol};
use crate::tools::text::{Mark, Row, heading, quoted, unsearched};
use crate::walk::{FileOptions, stat_named};
use crate::workspace::fs::Kind;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Maximum number of files of a directory that are parsed.
const FILES_MAX: u64 = 2_000;

/// Maximum number of unread files that are named.
const UNREAD_SHOWN: usize = 5;

/// The outlines of a directory.
#[derive(Default)]
struct Outlines {
    files: Vec<FileOutline>,
    /// The reasons why files were not parsed.
    unread: Vec<String>,
    /// Whether a fault or the deadline is among the reasons.
    is_partial: bool,
}

struct FileOutline {
    path: String,
    outline: Option<Arc<Outline>>,
}

impl FileOutline {
    fn has_definitions(&self) -> bool {
        self.outline.as_ref().is_some_and(|outline| !outline.symbols().is_empty())
    }
}

impl Reading<'_> {
    /// Writes the outline of the file or directory that `what` names.
    pub(super) fn outline(&mut self, what: &str) -> Result<()> {
        let path = self.workspace.resolve(what)?;
        let meta = stat_named(self.workspace, &path).map_err(with_near)?;
        if meta.kind != Kind::Dir {
            let outline = match self.workspace.outline(what, self.call) {
                Err(error) if error.kind() == ErrorKind::Unsupported => {
                    self.remark(error.message());
                    None
                }
                Ok(None) => {
                    self.remark(&format!("there is no grammar for {}", quoted(what)));
                    None
                }
                outline => outline?,
            };
            let file = FileOutline { path: what.to_owned(), outline };
            self.write_outlines(what, &[file], false);
            return Ok(());
        }
        let mut request = FindRequest::new(FileOptions::default(), FILES_MAX, usize::MAX);
        request.paths = vec![what.to_owned()];
        let (found, report) = self.workspace.run_find(&request, self.call)?;
        if found.is_empty() && report.skipped.ignored > 0 {
            self.remark(
                "ignore files leave out everything here; name a directory or file below it",
            );
        }
        let outlines = self.outlines(found)?;
        self.write_outlines(what, &outlines.files, report.stopped.is_some());
        self.is_partial |= !report.complete || outlines.is_partial;
        for clause in outlines.unread.into_iter().take(UNREAD_SHOWN).chain(unsearched(&report)) {
            self.remark(&clause);
        }
        Ok(())
    }

    /// Parses the files of a directory. A file that cannot be parsed is listed without definitions.
    fn outlines(&self, found: Vec<FoundFile>) -> Result<Outlines> {
        let mut outlines = Outlines::default();
        let mut has_parsers = true;
        if let Err(error) = self.workspace.grammars() {
            outlines.unread.push(error.message().to_owned());
            has_parsers = false;
        }
        for file in found {
            let path = file.path.display().into_owned();
            let parsed = match has_parsers {
                true => self.workspace.outline(&path, self.call),
                false => Ok(None),
            };
            let outline = match parsed {
                // The file has vanished meanwhile, or its name is not UTF-8 and cannot be an
                // argument.
                Err(error) if error.kind() == ErrorKind::NotFound => None,
                Err(error) if error.kind() == ErrorKind::Unsupported => {
                    outlines.unread.push(error.message().to_owned());
                    None
                }
                Err(error) if matches!(error.kind(), ErrorKind::Io | ErrorKind::Timeout) => {
                    outlines.unread.push(error.message().to_owned());
                    outlines.is_partial = true;
                    None
                }
                outline => outline?,
            };
            outlines.files.push(FileOutline { path, outline });
        }
        Ok(outlines)
    }

    fn write_outlines(&mut self, what: &str, files: &[FileOutline], has_more: bool) {
        // Deeper outlines are longer: start with the deepest, and take the first that fits.
        let room = self.bytes_max.saturating_sub(self.text.len());
        let rendered = (0..=DEPTH_MAX).rev().map(|depth| render(files, depth));
        let mut fitting = rendered.skip_while(|(text, _)| text.len() > room);
        let Some((text, n_hidden)) = fitting.next() else {
            self.write_paths(what, files, room);
            return;
        };
        self.has_definitions |= files.iter().any(FileOutline::has_definitions);
        self.text.push_str(&text);
        if n_hidden > 0 {
            self.is_partial = true;
            self.remark(&format!(
                "{n_hidden} definitions within these are not shown; raise bytes_max or name a file"
            ));
        }
        if has_more {
            self.is_partial = true;
            self.remark(&format!(
                "{} has more than {FILES_MAX} files; name a directory below it",
                quoted(what)
            ));
        }
    }

    /// Writes only the directories, if not even every file fits.
    fn write_paths(&mut self, what: &str, files: &[FileOutline], room: usize) {
        self.is_partial = true;
        let mut dirs: BTreeMap<&str, usize> = BTreeMap::new();
        for file in files {
            let dir = file.path.rsplit_once('/').map_or(".", |(dir, _)| dir);
            *dirs.entry(dir).or_default() += 1;
        }
        let mut used = 0;
        for (dir, n) in dirs {
            let n_files = if n == 1 { "1 file".to_owned() } else { format!("{n} files") };
            let line = format!("{} ({n_files})\n", heading(dir));
            used += line.len();
            if used > room {
                break;
            }
            self.text.push_str(&line);
        }
        self.remark(&format!(
            "{} is too large for one outline; name a directory below it",
            quoted(what)
        ));
    }
}

/// Maximum depth of nested definitions.
const DEPTH_MAX: usize = 3;

/// Returns the outlines with definitions down to `depth`, and the number of deeper ones.
fn render(files: &[FileOutline], depth: usize) -> (String, usize) {
    let (mut text, mut n_hidden) = (String::new(), 0);
    for file in files {
        text.push_str(&heading(&file.path));
        text.push('\n');
        let Some(outline) = &file.outline else { continue };
        for symbol in outline.symbols() {
            let own_depth = depth_of(outline, symbol);
            if own_depth > depth {
                n_hidden += 1;
                continue;
            }
            let label = format!("{}{}", "  ".repeat(own_depth), outline.label(symbol));
            Row { mark: Mark::Match, line: symbol.line(), part_of: None, text: &label }
                .write(&mut text, 0);
        }
    }
    (text, n_hidden)
}

fn depth_of(outline: &Outline, symbol: &Symbol) -> usize {
    let mut depth = 0;
    let mut parent = symbol.parent();
    while let Some(outer) = parent.and_then(|at| outline.symbols().get(at)) {
        depth += 1;
        parent = outer.parent();
    }
    depth
}
