//! All patterns as one regex, compiled when the first text needs it.
//!
//! Compiling costs as much as searching dozens of files. Where a quick look for literals tells that no
//! file has a match, it is never done.

use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use std::sync::OnceLock;

#[derive(Debug)]
pub(super) struct LazyMatcher {
    /// What to compile, and how, where that has not been done.
    source: Option<Box<(RegexMatcherBuilder, String)>>,
    matcher: OnceLock<RegexMatcher>,
}

impl LazyMatcher {
    /// A regex that is there already.
    pub(super) fn now(matcher: RegexMatcher) -> LazyMatcher {
        LazyMatcher { source: None, matcher: OnceLock::from(matcher) }
    }

    /// The regex of a text of which is known that it compiles.
    pub(super) fn later(builder: RegexMatcherBuilder, text: String) -> LazyMatcher {
        LazyMatcher { source: Some(Box::new((builder, text))), matcher: OnceLock::new() }
    }

    /// The regex; compiled now if it was not before.
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
