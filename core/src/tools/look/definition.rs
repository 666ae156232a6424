//! Definitions among matching lines: a look at the line finds candidates, a parser decides.
//!
//! A popular name matches in thousands of files and is defined in a few. Parsing them all takes half
//! a minute in a large tree; so only files are parsed that contain a line which reads like a
//! definition of the name. The look at a line is generous, because the parser has the last word
//! where there is a grammar; elsewhere only a keyword right before the name counts.

use super::hits::{Hit, HitFile};
use super::query::folded;
use crate::error::{ErrorKind, Result};
use crate::syntax::{Likeness, SymbolKind};
use crate::{Call, Workspace};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Files that are parsed for one query at most.
const FILES_MAX: usize = 300;
/// Files that are parsed for names that only contain the one that was searched for.
const SIMILAR_FILES_MAX: usize = 30;
/// Names like the one that was searched for that are worth a word.
const SIMILAR_MAX: usize = 8;

/// The definitions that a parser found.
#[derive(Debug, Default)]
pub(super) struct Defined {
    /// The number of definitions of the name itself.
    pub(super) n_definitions: usize,
    /// Names that contain it, with the place of their definition.
    pub(super) similar: Vec<(String, String, u64)>,
    /// Whether the time ran out before every candidate was parsed.
    pub(super) is_cut: bool,
}

/// The files to parse: those that read most like a definition of the whole name first, then by role
/// and path; at the end a few for names that contain it.
fn candidates(files: &[HitFile], lines: &[Hit]) -> Vec<usize> {
    let mut best: BTreeMap<usize, (bool, Likeness)> = BTreeMap::new();
    for hit in lines.iter().filter(|hit| hit.may_define()) {
        let own = (hit.is_word, hit.likeness);
        let known = best.entry(hit.file).or_insert(own);
        *known = own.max(*known);
    }
    let mut ranked: Vec<usize> = best.keys().copied().collect();
    ranked.sort_by_key(|file| (Reverse(best[file]), files[*file].role, *file));
    let n_whole = ranked.partition_point(|file| best[file].0);
    ranked.truncate(n_whole + SIMILAR_FILES_MAX);
    ranked
}

/// Marks the lines that define `name`, in any naming if `is_renamed`, and collects definitions of names
/// that contain it.
///
/// # Errors
///
/// `cancelled`.
pub(super) fn mark(
    workspace: &Workspace,
    (name, is_renamed): (&str, bool),
    files: &[HitFile],
    lines: &mut [Hit],
    call: &Call,
) -> Result<Defined> {
    let mut defined = Defined::default();
    let candidates = candidates(files, lines);
    defined.is_cut = candidates.len() > FILES_MAX;
    let has_upper = name.chars().any(char::is_uppercase);
    let key = folded(name);
    let is_same = |other: &str| {
        other == name
            || !has_upper && other.to_lowercase() == name
            || is_renamed && folded(other) == key
    };
    let mut named = BTreeSet::new();
    for &file in candidates.iter().take(FILES_MAX) {
        if call.time_left().is_some_and(|left| left < Duration::from_millis(1)) {
            defined.is_cut = true;
            break;
        }
        let path = &files[file].path;
        let own = lines.partition_point(|hit| hit.file < file);
        let own = &mut lines[own..];
        let outline = match workspace.outline(path, call) {
            Ok(outline) => outline,
            Err(error) if error.kind() == ErrorKind::Cancelled => return Err(error),
            Err(error) if error.kind() == ErrorKind::Timeout => {
                defined.is_cut = true;
                break;
            }
            Err(_) => None,
        };
        let Some(outline) = outline else {
            for hit in own.iter_mut().take_while(|hit| hit.file == file) {
                if hit.likeness == Likeness::Strong && hit.is_word {
                    hit.is_definition = true;
                    defined.n_definitions += 1;
                }
            }
            continue;
        };
        for symbol in outline.symbols().iter().filter(|symbol| symbol.kind() != SymbolKind::Impl) {
            if is_same(symbol.name()) {
                let hit = own.iter_mut().take_while(|hit| hit.file == file);
                if let Some(hit) = hit.into_iter().find(|hit| hit.line == symbol.line()) {
                    defined.n_definitions += usize::from(!hit.is_definition);
                    hit.is_definition = true;
                }
            } else if named.len() < SIMILAR_MAX
                && folded(symbol.name()).contains(&key)
                && named.insert(symbol.name().to_owned())
            {
                defined.similar.push((symbol.name().to_owned(), path.clone(), symbol.line()));
            }
        }
    }
    Ok(defined)
}
