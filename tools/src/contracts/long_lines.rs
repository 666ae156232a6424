//! Long lines in replies that otherwise contain whole lines.
//!
//! Minified files have lines that are too large for a reply. Then it contains the part of each long
//! line around its first match, with a warning.

use crate::arguments::limits::LINE_BYTES_MAX;
use crate::replies::report::Warning;
use searchscope::toolkit::to_text;
use searchscope::{FileMatches, Line};
use std::borrow::Cow;

/// Size of the part of a longer line, when whole lines are too large.
const PART_BYTES: usize = 4 * 1024;

/// Limits on the lines of a reply: first all that the engine keeps, and if they are too large for
/// the reply, short parts.
pub(crate) const LINE_BYTES: [usize; 2] = [LINE_BYTES_MAX, PART_BYTES];

/// The long lines among those of a reply.
#[derive(Debug, Default)]
pub(crate) struct LongLines {
    /// Whether a line exceeds [`PART_BYTES`].
    has_any: bool,
    /// The first file with a line that is cut.
    cut_in: Option<String>,
}

impl LongLines {
    /// Notes the lines of a file.
    pub(crate) fn look_at(&mut self, file: &FileMatches) {
        self.has_any |= file.lines.iter().any(|line| line.line_len > PART_BYTES);
        if self.cut_in.is_none() && file.lines.iter().any(Line::is_truncated) {
            self.cut_in = Some(file.path.display().into_owned());
        }
    }

    /// Returns whether the same lines would take less room if long ones were cut.
    pub(crate) fn can_be_cut(&self, line_bytes_max: usize) -> bool {
        self.has_any && line_bytes_max > PART_BYTES
    }

    /// Returns the warning about cut lines, if there are any.
    pub(crate) fn warning(self) -> Option<Warning> {
        let reason = "a line too long for the reply was cut; its position is shown";
        self.cut_in.map(|path| Warning { path, reason: reason.to_owned() })
    }
}

/// Returns the text of a line; a part is preceded by its position in the line.
pub(crate) fn text_of(line: &Line) -> Cow<'_, str> {
    let text = to_text(&line.text);
    if !line.is_truncated() {
        return text;
    }
    let (first, last) = (line.text_start + 1, line.text_start + line.text.len());
    Cow::Owned(format!("[bytes {first}-{last} of {}] {text}", line.line_len))
}
