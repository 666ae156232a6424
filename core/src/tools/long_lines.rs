//! Long lines in replies that give whole lines.
//!
//! A reply gives lines as they are. Where they are too large for it, as those of minified files are,
//! it gives the part of each long line around its first match, and says so.

use super::limits::LINE_BYTES_MAX;
use super::wire::Warning;
use crate::lines::to_text;
use crate::search::{FileMatches, Line};
use std::borrow::Cow;

/// Of a longer line a part of this size is given, where whole lines are too large.
const PART_BYTES: usize = 4 * 1024;

/// The longest lines that a reply gives whole: at first all that the engine holds, and when they are
/// too large for the reply, short ones.
pub(super) const LINE_BYTES: [usize; 2] = [LINE_BYTES_MAX, PART_BYTES];

/// The long lines among those of a reply.
#[derive(Debug, Default)]
pub(super) struct LongLines {
    /// Whether a line is longer than what is given where whole lines are too large.
    has_any: bool,
    /// The first file with a line that is not given whole.
    cut_in: Option<String>,
}

impl LongLines {
    /// Looks at the lines of a file.
    pub(super) fn look_at(&mut self, file: &FileMatches) {
        self.has_any |= file.lines.iter().any(|line| line.line_len > PART_BYTES);
        if self.cut_in.is_none() && file.lines.iter().any(Line::is_truncated) {
            self.cut_in = Some(file.path.display().into_owned());
        }
    }

    /// Whether the same lines take less room when only a part of the long ones is given.
    pub(super) fn can_be_cut(&self, line_bytes_max: usize) -> bool {
        self.has_any && line_bytes_max > PART_BYTES
    }

    /// Returns what a reply says where lines are not whole.
    pub(super) fn warning(self) -> Option<Warning> {
        let reason = "a line that is too long for the reply is given in part, with its place";
        self.cut_in.map(|path| Warning { path, reason: reason.to_owned() })
    }
}

/// Returns the text of a line; that of a part after its place in the line.
pub(super) fn text_of(line: &Line) -> Cow<'_, str> {
    let text = to_text(&line.text);
    if !line.is_truncated() {
        return text;
    }
    let (first, last) = (line.text_start + 1, line.text_start + line.text.len());
    Cow::Owned(format!("[bytes {first}-{last} of {}] {text}", line.line_len))
}
