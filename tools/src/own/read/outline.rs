//! The definitions of a file or directory, as a tree under a byte budget.
//!
//! A directory is shown breadth first: the top-level definitions of every file, and nested ones
//! only if they all fit. A small budget thus shows every file a little, rather than all of the
//! first.

use super::Reading;
use super::source::with_near;
use crate::replies::text::{Mark, Row, heading, quoted, unsearched};
use searchscope::{
    ErrorKind, FileOptions, FileType, FindRequest, FoundFile, Outline, Result, Symbol,
};
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
    definitions: Option<Definitions>,
}

/// The definitions of a file, and their signatures in the same order.
struct Definitions {
    outline: Arc<Outline>,
    /// Empty for definitions that share a line with another, and if there is no room for signatures.
    signatures: Vec<String>,
}

impl FileOutline {
    fn has_definitions(&self) -> bool {
        self.definitions.as_ref().is_some_and(|all| !all.outline.symbols().is_empty())
    }
}

impl Definitions {
    fn with_signatures(
        outline: &Arc<Outline>,
        signature: &dyn Fn(&Symbol) -> String,
    ) -> Definitions {
        let mut n_at: BTreeMap<u64, usize> = BTreeMap::new();
        for symbol in outline.symbols() {
            *n_at.entry(symbol.line()).or_default() += 1;
        }
        let signatures = outline.symbols().iter().map(|symbol| match n_at.get(&symbol.line()) {
            Some(1) => signature(symbol),
            _ => String::new(),
        });
        Definitions { outline: Arc::clone(outline), signatures: signatures.collect() }
    }

    fn without_signatures(
        outline: &Arc<Outline>,
        _signature: &dyn Fn(&Symbol) -> String,
    ) -> Definitions {
        Definitions { outline: Arc::clone(outline), signatures: Vec::new() }
    }

    /// Appends the row of the definition at `index`, `depth` levels deep: its signature, else its label.
    fn write_row(&self, text: &mut String, (index, symbol): (usize, &Symbol), depth: usize) {
        let signature = self.signatures.get(index).filter(|signature| !signature.is_empty());
        let shown = signature.cloned().unwrap_or_else(|| self.outline.label(symbol));
        let indented = format!("{}{shown}", "  ".repeat(depth.min(INDENT_MAX)));
        Row { mark: Mark::Match, line: symbol.line(), part_of: None, text: &indented }
            .write(text, 0);
    }

    /// Returns the depth of each definition. A definition precedes those in it.
    fn depths(&self) -> Vec<usize> {
        let symbols = self.outline.symbols();
        let mut depths: Vec<usize> = Vec::with_capacity(symbols.len());
        for symbol in symbols {
            let outer = symbol.parent().and_then(|at| depths.get(at));
            depths.push(outer.map_or(0, |outer| outer + 1));
        }
        depths
    }
}

impl Reading<'_> {
    /// Writes the outline of the file or directory that `what` names. `path:line` names a file from that line
    /// on.
    pub(super) fn outline(&mut self, what: &str) -> Result<()> {
        let (what, first) = self.named(what);
        let path = self.workspace.resolve(what)?;
        let meta = self.workspace.details(&path).map_err(with_near)?;
        if meta.file_type != FileType::Directory {
            let read = Definitions::with_signatures;
            let definitions = match self.workspace.outline_with(what, self.call, read) {
                Err(error) if error.kind() == ErrorKind::Unsupported => {
                    self.remark(error.message());
                    None
                }
                Ok(None) => {
                    self.remark(&format!("there is no grammar for {}", quoted(what)));
                    None
                }
                definitions => definitions?,
            };
            self.write_file(&FileOutline { path: what.to_owned(), definitions }, first);
            return Ok(());
        }
        let mut request = FindRequest::new(FileOptions::default(), Some(FILES_MAX), None);
        request.paths = vec![what.to_owned()];
        let (found, report) = self.workspace.run_find(&request, self.call)?;
        if found.is_empty() && report.skipped.ignored > 0 {
            self.remark(
                "ignore files leave out everything here; name a directory or file below it",
            );
        }
        let mut outlines = self.outlines(found)?;
        self.write_outlines(what, &mut outlines.files, report.stopped.is_some());
        self.is_partial |= !report.complete || outlines.is_partial;
        for clause in outlines.unread.into_iter().take(UNREAD_SHOWN).chain(unsearched(&report)) {
            self.remark(&clause);
        }
        Ok(())
    }

    /// Splits a line number from the name of a file, unless a file has the whole name.
    fn named<'w>(&self, what: &'w str) -> (&'w str, u64) {
        let split = what.rsplit_once(':').and_then(|(path, line)| Some((path, line.parse().ok()?)));
        let exists = |path: &str| {
            let path = self.workspace.resolve(path).ok();
            path.is_some_and(|path| self.workspace.details(&path).is_ok())
        };
        split.filter(|(path, _)| !exists(what) && exists(path)).unwrap_or((what, 0))
    }

    /// Writes the definitions of a file from line `first` on, at any depth, as many as fit.
    fn write_file(&mut self, file: &FileOutline, first: u64) {
        self.remark_unread(std::slice::from_ref(file));
        self.has_definitions |= file.has_definitions();
        self.text.push_str(&heading(&file.path));
        self.text.push('\n');
        let Some(definitions) = &file.definitions else { return };
        let room = self.room(&file.path);
        let mut rows = String::new();
        let all = definitions.outline.symbols().iter().enumerate();
        let listed: Vec<((usize, &Symbol), usize)> = all.zip(definitions.depths()).collect();
        let listed = listed.iter().filter(|((_, symbol), _)| symbol.line() >= first);
        let mut n_rows = 0_usize;
        for (symbol, depth) in listed.clone() {
            let before = rows.len();
            definitions.write_row(&mut rows, *symbol, *depth);
            if rows.len() > room && n_rows > 0 {
                rows.truncate(before);
                break;
            }
            n_rows += 1;
        }
        // The name of a definition may follow those of its members, so the rest begins at the first of its
        // lines. Rows that were shown may be repeated then; none is lost.
        let next = listed.clone().skip(n_rows).map(|((_, symbol), _)| symbol.line()).min();
        let begins = listed.clone().next().map_or(first, |((_, symbol), _)| symbol.line());
        match next {
            Some(next) if next > begins => self.rest.push(format!("{}:{next}", file.path)),
            Some(next) => {
                self.is_partial = true;
                self.remark(&format!("line {next} has more definitions; raise bytes_max"));
            }
            None => {}
        }
        self.text.push_str(&rows);
    }

    /// Adds a remark about the lines of each file in which definitions may be hidden.
    fn remark_unread(&mut self, files: &[FileOutline]) {
        let unread = files.iter().filter_map(|file| {
            let remark = file.definitions.as_ref()?.outline.unread_remark()?;
            Some(format!("{}: {remark}", quoted(&file.path)))
        });
        let unread: Vec<String> = unread.collect();
        self.is_partial |= !unread.is_empty();
        for remark in unread.iter().take(UNREAD_SHOWN) {
            self.remark(remark);
        }
        if unread.len() > UNREAD_SHOWN {
            self.remark(&format!(
                "the same is true of {} other files",
                unread.len() - UNREAD_SHOWN
            ));
        }
    }

    /// Parses the files of a directory. A file that cannot be parsed is listed without definitions. Signatures
    /// are dropped as soon as a reply has no room for all of them.
    fn outlines(&self, found: Vec<FoundFile>) -> Result<Outlines> {
        let mut outlines = Outlines::default();
        let mut room = self.bytes_max.saturating_sub(self.text.len());
        let mut has_parsers = true;
        if let Err(error) = self.workspace.check_grammars() {
            outlines.unread.push(error.message().to_owned());
            has_parsers = false;
        }
        for file in found {
            let path = file.path.display().into_owned();
            let read = match room {
                0 => Definitions::without_signatures,
                _ => Definitions::with_signatures,
            };
            let parsed = match has_parsers {
                true => self.workspace.outline_with(&path, self.call, read),
                false => Ok(None),
            };
            let definitions = match parsed {
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
                definitions => definitions?,
            };
            let signatures = definitions.iter().flat_map(|all| &all.signatures);
            room = room.saturating_sub(signatures.map(String::len).sum());
            outlines.files.push(FileOutline { path, definitions });
        }
        if room == 0 {
            drop_signatures(&mut outlines.files);
        }
        Ok(outlines)
    }

    fn write_outlines(&mut self, what: &str, files: &mut [FileOutline], has_more: bool) {
        // Signatures are longer than labels, and deeper outlines are longer: take the first that fits.
        self.remark_unread(files);
        let room = self.bytes_max.saturating_sub(self.text.len());
        let whole = render(files, DEPTH_MAX);
        let fitting = (whole.0.len() <= room).then_some(whole).or_else(|| {
            drop_signatures(files);
            let rendered = (0..=DEPTH_MAX).rev().map(|depth| render(files, depth));
            rendered.into_iter().find(|(text, _)| text.len() <= room)
        });
        let Some((text, n_hidden)) = fitting else {
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

/// Maximum depth of nested definitions in the outline of a directory.
const DEPTH_MAX: usize = 3;
/// Maximum indentation, in levels; deeper definitions exist only in files that no person wrote.
const INDENT_MAX: usize = 32;

fn drop_signatures(files: &mut [FileOutline]) {
    for definitions in files.iter_mut().filter_map(|file| file.definitions.as_mut()) {
        definitions.signatures.clear();
    }
}

/// Returns the outlines with definitions down to `depth`, and the number of deeper ones.
fn render(files: &[FileOutline], depth: usize) -> (String, usize) {
    let (mut text, mut n_hidden) = (String::new(), 0);
    for file in files {
        text.push_str(&heading(&file.path));
        text.push('\n');
        let Some(definitions) = &file.definitions else { continue };
        let all = definitions.outline.symbols().iter().enumerate();
        for (symbol, own_depth) in all.zip(definitions.depths()) {
            if own_depth > depth {
                n_hidden += 1;
            } else {
                definitions.write_row(&mut text, symbol, own_depth);
            }
        }
    }
    (text, n_hidden)
}
