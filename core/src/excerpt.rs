//! The visible part of a long line: a window around the match, cut between characters.

use std::ops::Range;

/// Returns the part of `text`, at most `bytes_max` long, that shows the match at `span`. A third of the room
/// beside the match is for text before it, the rest for text after it.
///
/// A cut never splits a UTF-8 character; it moves inwards. A match longer than
/// `bytes_max` is shown from its start.
pub fn window(text: &[u8], span: Range<usize>, bytes_max: usize) -> Range<usize> {
    if text.len() <= bytes_max {
        return 0..text.len();
    }
    let spare = bytes_max.saturating_sub(span.len());
    // Room that one side does not need goes to the other.
    let start = span.start.saturating_sub(spare / 3).min(text.len() - bytes_max);
    let start = if span.start < start { span.start } else { start };
    let end = (start + bytes_max).min(text.len());
    let start = (start..end).find(|&at| is_boundary(text, at)).unwrap_or(end);
    let end = (start..=end).rev().find(|&at| is_boundary(text, at)).unwrap_or(start);
    start..end
}

/// Returns whether `at` is not inside a character. In bytes that are not UTF-8, three continuation bytes in a
/// row count as separate characters, so that the search for a boundary ends.
fn is_boundary(text: &[u8], at: usize) -> bool {
    let is_continuation = |index: usize| text.get(index).is_some_and(|byte| byte & 0xC0 == 0x80);
    if at == text.len() || !is_continuation(at) {
        return true;
    }
    let before = (at.saturating_sub(3)..at).rev().take_while(|&index| is_continuation(index));
    before.count() >= 3
}

/// Returns the last position up to `at` where a character of `text` begins or the text ends.
pub fn floor_char_boundary(text: &str, at: usize) -> usize {
    // The method of std is newer than the oldest compiler that is supported.
    let at = at.min(text.len());
    (at.saturating_sub(3)..=at).rev().find(|&n| text.is_char_boundary(n)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_position_moves_back_to_a_character() {
        let text = "aé€😀";
        let floors: Vec<usize> = (0..=12).map(|at| floor_char_boundary(text, at)).collect();
        assert_eq!(floors, [0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 10, 10]);
    }

    fn shown(text: &str, span: Range<usize>, bytes_max: usize) -> &str {
        &text[window(text.as_bytes(), span, bytes_max)]
    }

    #[test]
    fn windows() {
        assert_eq!(shown("short", 0..1, 100), "short");
        assert_eq!(shown("0123456789", 0..1, 4), "0123");
        assert_eq!(shown("0123456789", 9..10, 4), "6789");
        assert_eq!(shown("0123456789", 5..6, 4), "4567");
        assert_eq!(shown("0123456789", 3..9, 4), "3456");
        assert_eq!(shown("ééééé", 4..6, 5), "éé");
        assert_eq!(shown("日本語日本語", 9..12, 4), "日");
    }

    proptest! {
        #[test]
        fn a_window_is_bounded_text_that_shows_the_match(
            text in "[aé日😀]{0,40}", at in 0usize..40, len in 0usize..8, bytes_max in 8usize..40,
        ) {
            let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            let start = starts[at.min(starts.len() - 1)];
            let end = starts[(at + len).min(starts.len() - 1)];
            let range = window(text.as_bytes(), start..end, bytes_max);
            prop_assert!(text.get(range.clone()).is_some(), "cut inside a character");
            prop_assert!(range.len() <= bytes_max);
            prop_assert!(range.start <= start && start <= range.end);
        }

        #[test]
        fn any_bytes_are_accepted(text in proptest::collection::vec(any::<u8>(), 0..60), at in 0usize..60, bytes_max in 0usize..40) {
            let at = at.min(text.len());
            let range = window(&text, at..at, bytes_max);
            prop_assert!(range.end <= text.len() && range.len() <= bytes_max);
        }
    }
}
