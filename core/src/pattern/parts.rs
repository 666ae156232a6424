//! Each of several patterns separately, to find out which one matched.

use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use std::sync::OnceLock;

/// They run on single lines, and there may be many, each with a cache per thread.
const DFA_CACHE_BYTES_MAX: usize = 1024 * 1024;

/// The patterns of a request. Each is compiled on first use, which a search that only counts never needs.
#[derive(Debug)]
pub(super) struct Parts {
    builder: RegexMatcherBuilder,
    each: Vec<(String, OnceLock<Option<RegexMatcher>>)>,
}

impl Parts {
    /// Takes texts that compile as one with `builder`. A single pattern needs no parts.
    pub(super) fn new(mut builder: RegexMatcherBuilder, texts: Vec<String>) -> Parts {
        builder.dfa_size_limit(DFA_CACHE_BYTES_MAX);
        let texts = if texts.len() > 1 { texts } else { Vec::new() };
        Parts { builder, each: texts.into_iter().map(|text| (text, OnceLock::new())).collect() }
    }

    /// Returns the number of parts: 0 for a single pattern.
    pub(super) fn len(&self) -> usize {
        self.each.len()
    }

    /// Returns the pattern at `index`, and compiles it on the first call; `None` if it is refused alone
    /// although it compiled as a branch of the joined patterns.
    pub(super) fn get(&self, index: usize) -> Option<&RegexMatcher> {
        let (text, regex) = &self.each[index];
        regex.get_or_init(|| self.builder.build_many(&[text]).ok()).as_ref()
    }

    #[cfg(test)]
    pub(super) fn n_compiled(&self) -> usize {
        self.each.iter().filter(|(_, regex)| regex.get().is_some()).count()
    }
}
