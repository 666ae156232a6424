//! Style rules of this repository that a compiler does not check.
//!
//! Every check is a function from text to a list of offences, and a test of its own proves that it finds
//! one in a bad text.

#![expect(clippy::disallowed_methods, reason = "the checks read the repository")]

mod language;
mod layers;
mod limits;
mod messages;
mod notices;
mod project;
mod promises;
mod references;
mod source;
mod words;

use source::Source;

/// Fails with every offence of a list.
fn assert_none(offences: &[String]) {
    assert!(offences.is_empty(), "{} offences:\n{}", offences.len(), offences.join("\n"));
}

/// Runs a check over sources and collects its offences.
fn collect(sources: &[Source], check: impl Fn(&Source) -> Vec<String>) -> Vec<String> {
    assert!(!sources.is_empty(), "there is nothing to check");
    sources.iter().flat_map(check).collect()
}
