//! Parts of the engine for crates that define contracts of their own.
//!
//! A contract needs what the builders keep inside: errors in the words of its own parameters, names that are near a
//! misspelt one, the ranking of files for a question, files for results. The crate `searchscope-tools` is built on
//! these and on the rest of the public interface, and on nothing else.

pub use crate::encoding::from_label;
pub use crate::lines::to_text;
pub use crate::scope::{TIME_MAX, file_url, is_file_extension, is_standard_id, path_of};
pub use crate::search::{
    LineTraits, PathTexts, PathTraits, RankedFile, Ranking, Role, SAME_PARTS, Terms, is_stop_word,
    rank_files, stem, sub_words,
};
pub use crate::syntax::Likeness;
pub use crate::walk::{LEFT_OUT_MAX, NamePattern, both};
pub use crate::wildcard::{FileMask, NameGlob};
pub use crate::workspace::with_slashes;

/// Names that are near a misspelt one, and sentences that propose them.
pub mod suggest {
    pub use crate::suggest::{
        SIMILAR, question, shorten, similar, suggestion, suggestion_of, unknown,
    };
}

/// Parts of long texts.
pub mod excerpt {
    pub use crate::excerpt::{floor_char_boundary, window};
}
