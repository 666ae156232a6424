//! Definitions among matching lines: a quick look at each line finds candidates, a parser decides.
//!
//! A popular name matches in thousands of files and is defined in a few. Parsing them all takes
//! half a minute in a large tree, so only files with a line that looks like a definition of the
//! name are parsed. The quick look is generous, because the parser has the last word if there is a
//! grammar; without one only a keyword right before the name counts.

use super::hits::{Hit, HitFile};
use super::query::folded;
use crate::replies::text::heading;
use searchscope::toolkit::{Likeness, Role};
use searchscope::{Call, ErrorKind, Outline, Result, Symbol, SymbolGroup, SymbolKind, Workspace};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Maximum number of files that are parsed for one query.
const FILES_MAX: usize = 300;
/// Number of successive files without a definition after which no further one is parsed, unless the call wants
/// definitions alone: the likeliest files come first.
const MISSES_MAX: usize = 12;
/// Maximum number of files that are parsed for names that only contain the query.
const SIMILAR_FILES_MAX: usize = 30;
/// Maximum number of similar names that are mentioned.
const SIMILAR_MAX: usize = 8;

/// The definitions that a parser found.
#[derive(Debug, Default)]
pub(super) struct Defined {
    /// The number of definitions of the name itself.
    pub(super) n_definitions: usize,
    /// Names that contain it, with the path and line of their definition.
    pub(super) similar: Vec<(String, String, u64)>,
    /// The number of files that may define it.
    pub(super) n_candidates: usize,
    /// The number of those that were parsed.
    pub(super) n_parsed: usize,
    /// Whether the time ran out before [`FILES_MAX`] of them were parsed.
    pub(super) is_late: bool,
    /// The first file with lines that the parser could not read, and a sentence about them.
    pub(super) unread: Option<String>,
}

impl Defined {
    /// Returns whether a file that may define the name was not parsed.
    pub(super) fn is_cut(&self) -> bool {
        self.n_parsed < self.n_candidates
    }
}

/// Returns the number of signs that a line in which a type may precede `name` is a definition of it, rather than
/// a call that goes on or a sentence: something before the name, no indentation, a body or nothing after it.
fn n_signs(text: &str, name: &str) -> u8 {
    let Some(at) = text.find(name) else { return 0 };
    let is_led = !text[..at].trim().is_empty();
    let is_outer = !text.starts_with([' ', '\t']);
    let line = text.trim_end();
    let is_open = line.ends_with(['{', ')', '=', ':']);
    u8::from(is_led) + u8::from(is_outer) + 2 * u8::from(is_open)
}

/// Returns the files to parse: first those with the strongest sign of a definition of the whole
/// name, with the exact name before other letter cases, then by role and path; last a few for names
/// that contain it.
fn candidates(files: &[HitFile], lines: &[Hit], name: &str) -> Vec<usize> {
    let mut best: BTreeMap<usize, (bool, Likeness, bool, u8)> = BTreeMap::new();
    for hit in lines.iter().filter(|hit| hit.may_define()) {
        let form = n_signs(&hit.text, name);
        let own = (hit.is_word, hit.likeness, hit.text.contains(name), form);
        let known = best.entry(hit.file).or_insert(own);
        *known = own.max(*known);
    }
    let mut ranked: Vec<usize> = best.keys().copied().collect();
    ranked.sort_by_key(|file| (Reverse(best[file]), files[*file].role, *file));
    let n_whole = ranked.partition_point(|file| best[file].0);
    ranked.truncate(n_whole + SIMILAR_FILES_MAX);
    ranked
}

/// Marks the lines that define `name`, in any naming if `is_renamed`, and collects definitions of
/// names that contain it. If definitions `is_sought` alone, more files are parsed.
///
/// # Errors
///
/// `cancelled`.
pub(super) fn mark(
    workspace: &Workspace,
    (name, is_renamed, is_sought): (&str, bool, bool),
    files: &[HitFile],
    lines: &mut [Hit],
    call: &Call,
) -> Result<Defined> {
    let candidates = candidates(files, lines, name);
    let mut defined = Defined { n_candidates: candidates.len(), ..Defined::default() };
    let wanted = Name::new(name, is_renamed);
    let mut named = BTreeSet::new();
    let mut n_misses = 0;
    for &file in candidates.iter().take(FILES_MAX) {
        let left = call.time_left();
        defined.is_late = left.is_some_and(|left| left < Duration::from_millis(1));
        if defined.is_late || !is_sought && n_misses == MISSES_MAX {
            break;
        }
        let HitFile { path, role, .. } = &files[file];
        let first = lines.partition_point(|hit| hit.file < file);
        let last = lines.partition_point(|hit| hit.file <= file);
        let own = &mut lines[first..last];
        let outline = match workspace.outline(path, call) {
            Ok(outline) => outline,
            Err(error) if error.kind() == ErrorKind::Cancelled => return Err(error),
            Err(error) if error.kind() == ErrorKind::Timeout => {
                defined.is_late = true;
                break;
            }
            Err(_) => None,
        };
        defined.n_parsed += 1;
        let n_marked = match &outline {
            // Code examples in documentation define nothing.
            None if *role == Role::Docs => 0,
            None => mark_strong(own, name),
            Some(outline) => {
                let similar = similar(outline, &wanted, &mut named);
                defined.similar.extend(similar.map(|(name, line)| (name, path.clone(), line)));
                mark_symbols(own, outline, &wanted)
            }
        };
        defined.n_definitions += n_marked;
        n_misses = if n_marked == 0 { n_misses + 1 } else { 0 };
        let remark = outline.as_ref().and_then(|outline| outline.unread_remark());
        if let Some(remark) = remark.filter(|_| defined.unread.is_none()) {
            defined.unread = Some(format!("{}: {remark}", heading(path)));
        }
    }
    if defined.n_definitions == 0 && !defined.is_late && defined.n_parsed < FILES_MAX {
        // Outlines omit definitions local to a function; there a keyword is enough.
        let is_code = |hit: &&mut Hit| files[hit.file].role != Role::Docs;
        for hit in lines.iter_mut().filter(is_code) {
            defined.n_definitions += mark_strong(std::slice::from_mut(hit), name);
        }
    }
    Ok(defined)
}

/// Marks the lines of a file that define the wanted name and returns their number.
fn mark_symbols(lines: &mut [Hit], outline: &Outline, wanted: &Name<'_>) -> usize {
    let mut n_marked = 0;
    for symbol in symbols(outline).filter(|symbol| wanted.is(symbol.name())) {
        if let Some(hit) = lines.iter_mut().find(|hit| hit.line == symbol.line()) {
            n_marked += usize::from(!hit.is_definition);
            hit.is_definition = true;
            let is_exact = symbol.name() == wanted.written;
            hit.is_main |= is_exact && symbol.kind().group() != SymbolGroup::Value;
        }
    }
    n_marked
}

/// Returns the names of an outline that contain the wanted one and are not in `named`, with their lines.
fn similar(
    outline: &Outline,
    wanted: &Name<'_>,
    named: &mut BTreeSet<String>,
) -> impl Iterator<Item = (String, u64)> {
    let mut similar = Vec::new();
    for symbol in symbols(outline).filter(|symbol| !wanted.is(symbol.name())) {
        if named.len() < SIMILAR_MAX
            && folded(symbol.name()).contains(&wanted.key)
            && named.insert(symbol.name().to_owned())
        {
            similar.push((symbol.name().to_owned(), symbol.line()));
        }
    }
    similar.into_iter()
}

fn symbols(outline: &Outline) -> impl Iterator<Item = &Symbol> {
    outline.symbols().iter().filter(|symbol| symbol.kind() != SymbolKind::Impl)
}

/// Marks whole words after a defining keyword and returns their number.
fn mark_strong(lines: &mut [Hit], name: &str) -> usize {
    let mut n = 0;
    for hit in lines.iter_mut().filter(|hit| hit.likeness == Likeness::Strong && hit.is_word) {
        hit.is_definition = true;
        hit.is_main = hit.text.contains(name);
        n += 1;
    }
    n
}

/// The name whose definitions are searched.
struct Name<'a> {
    written: &'a str,
    /// Without the sign of a private member.
    text: &'a str,
    has_upper: bool,
    /// Whether other namings of it count too.
    is_renamed: bool,
    key: String,
}

impl Name<'_> {
    fn new(written: &str, is_renamed: bool) -> Name<'_> {
        let text = written.trim_start_matches('#');
        let has_upper = text.chars().any(char::is_uppercase);
        Name { written, text, has_upper, is_renamed, key: folded(text) }
    }

    fn is(&self, other: &str) -> bool {
        // JavaScript marks private members with `#`.
        let other = other.trim_start_matches('#');
        other == self.text
            || !self.has_upper && other.to_lowercase() == self.text
            || self.is_renamed && folded(other) == self.key
    }
}
