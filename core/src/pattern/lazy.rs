//! All patterns as one regex, compiled when the first text needs it.
//!
//! Compilation costs as much as searching dozens of files. If a quick search for literals shows that no file
//! has a match, it never happens.

use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use std::sync::OnceLock;

#[derive(Debug)]
pub(super) struct LazyMatcher {
    /// The builder and text to compile, unless it was compiled at once.
    source: Option<Box<(RegexMatcherBuilder, String)>>,
    matcher: OnceLock<RegexMatcher>,
}

impl LazyMatcher {
    /// Wraps a compiled regex.
    pub(super) fn now(matcher: RegexMatcher) -> LazyMatcher {
        LazyMatcher { source: None, matcher: OnceLock::from(matcher) }
    }

    /// Prepares the regex of a text that is known to compile.
    pub(super) fn later(builder: RegexMatcherBuilder, text: String) -> LazyMatcher {
        LazyMatcher { source: Some(Box::new((builder, text))), matcher: OnceLock::new() }
    }

    /// Returns the regex, and compiles it on the first call.
    pub(super) fn get(&self) -> &RegexMatcher {
        self.matcher.get_or_init(|| {
            let (builder, text) = self.source.as_deref().expect("because `now` has set the regex");
            builder.build_many(&[text]).expect("because it was seen to be one that compiles")
        })
    }

    #[cfg(test)]
    pub(super) fn is_compiled(&self) -> bool {
        self.matcher.get().is_some()
    }
}
