//! A cheap guess from its lines whether a text defines a name.

use crate::budget::Stopped;
use crate::pattern::BudgetedMatcher;
use crate::syntax::{Likeness, is_name_char, likeness};
use grep_matcher::Matcher;

/// Number of bytes examined on either side of a match.
const SIDE_BYTES: usize = 300;

/// Returns whether a line of `text` reads like a definition of its match.
pub(in crate::search) fn has_definition_line(
    matcher: &BudgetedMatcher<'_>,
    text: &[u8],
) -> Result<bool, Stopped> {
    let mut at = 0;
    while at < text.len()
        && let Some(found) = matcher.find_at(text, at).map_err(|_| Stopped)?
    {
        let line_start = memchr::memrchr(b'\n', &text[..found.start()]).map_or(0, |end| end + 1);
        let line_end = memchr::memchr(b'\n', &text[found.end()..]);
        let line_end = line_end.map_or(text.len(), |end| found.end() + end);
        let before = &text[line_start.max(found.start().saturating_sub(SIDE_BYTES))..found.start()];
        let after = &text[found.end()..line_end.min(found.end() + SIDE_BYTES)];
        // A match by initials may begin with a word separator.
        let matched = String::from_utf8_lossy(&text[found.start()..found.end()]);
        let name = matched.trim_start_matches(|c| !is_name_char(c));
        let before = String::from_utf8_lossy(before) + &matched[..matched.len() - name.len()];
        if likeness(&before, &String::from_utf8_lossy(after)) != Likeness::None {
            return Ok(true);
        }
        at = found.end().max(at + 1);
    }
    Ok(false)
}
