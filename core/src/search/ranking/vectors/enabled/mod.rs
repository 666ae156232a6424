//! Orders files by words and vectors.

mod reading;
mod sum;
mod table;
#[cfg(test)]
mod tests;
mod windows;

use super::{Access, ByWords};
use crate::error::Result;
use crate::search::Terms;
use crate::search::ranking::path::Part;
use reading::Read;
use sum::Sum;

/// The weight of the cosine, compared with the share of the best score by words.
const COSINE: f64 = 1.5;

/// Returns the order of the best files by words, as indexes; `None` if the order by words stays: the question has
/// no subject, none of its words has a vector, or the time of the call is over.
///
/// # Errors
///
/// Those of a walk.
pub(in crate::search::ranking) fn reorder(
    terms: &Terms,
    files: &[ByWords],
    access: Access<'_>,
) -> Result<Option<Vec<usize>>> {
    if !has_subject(terms) || files.len() < 2 || access.budget.poll_clock().is_err() {
        return Ok(None);
    }
    let question = question(terms);
    if question.is_zero() {
        return Ok(None);
    }
    let paths = files.iter().map(|file| &file.path);
    let Some(read) = reading::read(question, paths, access)? else { return Ok(None) };
    Ok(Some(order(files, &read)))
}

/// Returns whether a question has a subject: names, patterns and messages of a program mean what is written.
fn has_subject(terms: &Terms) -> bool {
    !terms.are_patterns && !terms.is_message && !terms.is_name && !terms.is_one_name()
}

/// Returns the sum of the vectors of the terms, each counted once.
fn question(terms: &Terms) -> Sum {
    let mut sum = Sum::default();
    for term in &terms.terms {
        if let Some(row) = table::row_of(term.stem.as_bytes()) {
            sum.add_row(row);
        }
    }
    sum
}

/// Returns the order of files with these texts; equal ones stay in the order by words.
fn order(files: &[ByWords], read: &[Read]) -> Vec<usize> {
    let by_words = |file: &ByWords| file.score as f64 / file.part;
    let best = files.iter().map(by_words).fold(1.0, f64::max);
    let scores: Vec<f64> = files
        .iter()
        .zip(read)
        .map(|(file, Read { cosine, is_generated })| {
            let part =
                if *is_generated { file.part.min(Part::Substitute.weight()) } else { file.part };
            (by_words(file) / best + COSINE * cosine) * part
        })
        .collect();
    let mut order: Vec<usize> = (0..files.len()).collect();
    order.sort_by(|&one, &other| scores[other].total_cmp(&scores[one]));
    order
}
