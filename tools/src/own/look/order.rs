//! The order in which matching lines are shown, and the part of it in one reply.
//!
//! Definitions come before uses, but where production code defines a name, only its definitions do: those in other
//! files are another thing of the same name, or a copy. Then production code comes before tests,
//! documentation and generated files; then definitions before aliases that only forward a name, and types,
//! functions and macros with the exact name before fields and other letter cases; then whole words before parts of
//! words; then files whose name contains the text; then by path and line. Every step depends on the tree alone, so
//! the same tree has the same order.

use super::hits::{Hit, HitFile};
use super::query::folded;
use searchscope::toolkit::Role;

/// Maximum number of rows in one reply.
pub(super) const ROWS_MAX: usize = 60;
/// Maximum number of rows of one file among any [`ROWS_MAX`] successive ones, while other files
/// have some.
const ROWS_PER_FILE: usize = 12;

/// Returns the indexes of `lines` in the order of relevance. File names are compared with `name` in
/// any naming.
pub(super) fn by_relevance(files: &[HitFile], lines: &[Hit], name: &str) -> Vec<usize> {
    let name = folded(name);
    let named: Vec<bool> = files
        .iter()
        .map(|file| {
            let base = file.path.rsplit('/').next().unwrap_or_default();
            !name.is_empty() && folded(base).contains(&name)
        })
        .collect();
    let is_code = |hit: &Hit| files[hit.file].role == Role::Production;
    let has_code = lines.iter().any(|hit| hit.is_definition && is_code(hit));
    let mut ranked: Vec<usize> = (0..lines.len()).collect();
    ranked.sort_by_key(|&at| {
        let hit = &lines[at];
        let defines_it = hit.is_definition && (!has_code || is_code(hit));
        let is_alias = hit.is_definition && is_alias(&hit.text);
        let place = (hit.file, hit.line);
        let definition = (!hit.is_definition, is_alias, !hit.is_main);
        (!defines_it, files[hit.file].role, definition, !hit.is_word, !named[hit.file], place)
    });
    spread(&ranked, |at| lines[at].file)
}

/// Returns whether the line defines a name as another item of the same name, as in
/// `export const size = sizes.size;`: a caller who wants the definition wants the other one.
fn is_alias(line: &str) -> bool {
    let Some((left, right)) = line.split_once('=') else { return false };
    let is_end = |c: char| !(c.is_alphanumeric() || c == '_');
    let names = |text| str::split(text, is_end).filter(|name: &&str| !name.is_empty());
    let path = right.trim().trim_end_matches([';', ',']);
    let is_path = path.chars().all(|c| !is_end(c) || c == '.' || c == ':');
    is_path && names(path).next_back().is_some_and(|last| names(left).any(|name| name == last))
}

/// Moves rows back so that any [`ROWS_MAX`] successive rows have at most [`ROWS_PER_FILE`] of one
/// file, while there are others. No row is lost, and the order within a file stays.
pub(super) fn spread(ranked: &[usize], file_of: impl Fn(usize) -> usize) -> Vec<usize> {
    let mut waiting: Vec<usize> = ranked.to_vec();
    let mut order = Vec::with_capacity(ranked.len());
    while !waiting.is_empty() {
        let mut taken = std::collections::HashMap::<usize, usize>::new();
        let mut n_taken = 0;
        let before = waiting.len();
        let mut held = Vec::new();
        for &at in &waiting {
            let of_file = taken.entry(file_of(at)).or_default();
            if n_taken < ROWS_MAX && *of_file < ROWS_PER_FILE {
                *of_file += 1;
                n_taken += 1;
                order.push(at);
            } else {
                held.push(at);
            }
        }
        debug_assert!(held.len() < before, "each round takes a row");
        // Past this point there is nothing to alternate with, or no reader gets so far.
        if order.len() > ROWS_MAX * 64 {
            order.append(&mut held);
        }
        waiting = held;
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_alias_ends_with_its_own_name() {
        for line in ["export const size = sizes.size;", "type Id = base::Id", "  x: x = a.b.x,"] {
            assert!(is_alias(line), "{line}");
        }
        for line in
            ["function size() {", "const size = 3;", "const size = compute(size);", "let a = b.c;"]
        {
            assert!(!is_alias(line), "{line}");
        }
    }

    proptest! {
        #[test]
        fn spreading_keeps_every_row_and_the_order_within_files(
            files in proptest::collection::vec(0usize..6, 0..400),
        ) {
            let ranked: Vec<usize> = (0..files.len()).collect();
            let order = spread(&ranked, |at| files[at]);
            let mut sorted = order.clone();
            sorted.sort_unstable();
            prop_assert_eq!(&sorted, &ranked);
            for file in 0..6 {
                let own: Vec<usize> = order.iter().copied().filter(|&at| files[at] == file).collect();
                prop_assert!(own.is_sorted());
            }
            if let Some(first) = order.get(..ROWS_MAX) {
                let of = |file| first.iter().filter(|&&at| files[at] == file).count();
                let full = (0..6).filter(|&file| files.iter().filter(|&&f| f == file).count() > 0);
                if full.count() * ROWS_PER_FILE >= ROWS_MAX && (0..6).all(|f| files.iter().filter(|&&x| x == f).count() >= ROWS_PER_FILE) {
                    prop_assert!((0..6).all(|file| of(file) <= ROWS_PER_FILE));
                }
            }
        }
    }
}
