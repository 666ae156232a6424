//! Each of several patterns alone, to tell which one matched.

use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use std::sync::OnceLock;

/// They run on single lines, and there may be many, each with caches on each thread.
const DFA_CACHE_BYTES_MAX: usize = 1024 * 1024;

/// The patterns of a request. Each is compiled when it is first asked for, which a search that only
/// counts never does.
#[derive(Debug)]
pub(super) struct Parts {
    builder: RegexMatcherBuilder,
    each: Vec<(String, OnceLock<Option<RegexMatcher>>)>,
}

impl Parts {
    /// Takes what compiles as one with `builder`. A single pattern needs no parts.
    pub(super) fn new(mut builder: RegexMatcherBuilder, texts: Vec<String>) -> Parts {
        builder.dfa_size_limit(DFA_CACHE_BYTES_MAX);
        let texts = if texts.len() > 1 { texts } else { Vec::new() };
        Parts { builder, each: texts.into_iter().map(|text| (text, OnceLock::new())).collect() }
    }

    /// How many there are: 0 for a single pattern.
    pub(super) fn len(&self) -> usize {
        self.each.len()
    }

    /// The pattern at `index`, compiled now if it was not before; `None` for one that is refused
    /// alone although it compiled as a branch of all.
    pub(super) fn get(&self, index: usize) -> Option<&RegexMatcher> {
        let (text, regex) = &self.each[index];
        regex.get_or_init(|| self.builder.build_many(&[text]).ok()).as_ref()
    }

    #[cfg(test)]
    pub(super) fn n_compiled(&self) -> usize {
        self.each.iter().filter(|(_, regex)| regex.get().is_some()).count()
    }
}
