//! The size of the matches of one file.

use crate::search::{FileMatches, FoundSymbol, Line};
use crate::workspace::RelPath;

impl Line {
    /// Returns the size of the line in the output and in memory.
    pub(super) fn output_bytes(&self) -> usize {
        let enclosing = self.enclosing.as_ref().map_or(0, |text| text.len());
        let uses = self.uses.as_deref().map_or(0, size_of_val);
        let file_spans = self.file_spans.as_deref().map_or(0, size_of_val);
        size_of::<Line>()
            + self.text.len()
            + size_of_val(self.spans.as_slice())
            + file_spans
            + enclosing
            + uses
    }
}

impl FileMatches {
    pub(in crate::search) fn empty() -> FileMatches {
        FileMatches {
            path: RelPath::root(),
            n_matches: 0,
            lines: Vec::new(),
            binary_after: None,
            cut: None,
            encoding: None,
            has_rest: false,
            symbols: Vec::new(),
            is_decoded: false,
            is_unlikely: false,
            output_bytes: 0,
        }
    }

    /// Adds the requested definitions; `None` if there are none.
    pub(super) fn with_symbols(mut self, symbols: Vec<FoundSymbol>) -> Option<FileMatches> {
        self.output_bytes += symbols.iter().map(FoundSymbol::output_bytes).sum::<usize>();
        self.symbols = symbols;
        (!self.symbols.is_empty()).then_some(self)
    }

    /// Returns the size of the file's results in the output, path included.
    pub(in crate::search) fn all_output_bytes(&self) -> usize {
        size_of::<FileMatches>() + self.path.as_bytes().len() + self.output_bytes
    }
}
