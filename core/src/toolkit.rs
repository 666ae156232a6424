//! Parts of the engine for crates that define contracts of their own.
//!
//! A contract needs what the builders keep inside: errors in the words of its own parameters, names that are near a
//! misspelt one, the ranking of files for a question, files for results. The crate `searchscope-tools` is built on
//! these and on the rest of the public interface, and on nothing else.

use crate::error::{Error, ErrorKind};
use std::ops::Range;

pub use crate::encoding::from_label;
pub use crate::lines::to_text;
pub use crate::scope::{TIME_MAX, file_url, is_file_extension, is_standard_id, path_of};
pub use crate::search::{
    GUIDE, LineShares, LineTraits, MANIFEST, PathTexts, PathTraits, RankedFile, Ranking, Role,
    SAME_PARTS, Terms, is_stop_word, rank_files, stem, sub_words,
};
pub use crate::syntax::{Likeness, likeness};
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

/// Errors in the words of a contract: their creation, and changes to those of the engine.
///
/// A trait, because a host that only reads errors needs none of this.
///
/// The name of the parameter at fault is never part of a text that is passed here, so that
/// [`ErrorExt::with_param_named`] can replace it.
pub trait ErrorExt: Sized {
    /// Creates an [`ErrorKind::InvalidParam`] error. Its message is a sentence whose subject is the parameter:
    /// the quoted name, a space, and `predicate`.
    ///
    /// ```
    /// use searchscope::Error;
    /// use searchscope::toolkit::ErrorExt;
    /// let error = Error::invalid_param("patterns[1]", "must not be empty");
    /// assert_eq!(error.message(), "'patterns[1]' must not be empty");
    /// assert_eq!(error.with_param_named("query").message(), "'query' must not be empty");
    /// ```
    fn invalid_param(param: impl Into<String>, predicate: impl AsRef<str>) -> Self;

    /// Creates an error whose message is `before`, the quoted name of the parameter, and `after`.
    fn around_param(
        kind: ErrorKind,
        param: impl Into<String>,
        before: impl Into<String>,
        after: impl Into<String>,
    ) -> Self;

    /// Creates an error whose message is the quoted name of the parameter, a colon, and `reason`.
    fn at_param(kind: ErrorKind, param: impl Into<String>, reason: impl Into<String>) -> Self;

    /// Adds the parameter at fault, and leaves the message as it is. If the message names another parameter, a
    /// later change of names leaves that one in it.
    #[must_use]
    fn with_param(self, param: impl Into<String>) -> Self;

    /// Adds the place within the parameter, such as `[0]`, to its name in the message.
    #[must_use]
    fn with_item(self, place: impl Into<String>) -> Self;

    /// Renames the parameter at fault to the caller's name for it, including in the message, which no longer
    /// names a place within the parameter.
    #[must_use]
    fn with_param_named(self, name: impl Into<String>) -> Self;

    /// Replaces parameter and message as in [`ErrorExt::at_param`], including the advice of the message, and
    /// keeps everything else.
    #[must_use]
    fn with_reason_at(self, param: impl Into<String>, reason: impl Into<String>) -> Self;

    /// Replaces the message, including its advice, by one that does not name the parameter, and keeps everything
    /// else.
    #[must_use]
    fn with_message(self, message: impl Into<String>) -> Self;

    /// Adds the path at fault, as the caller gave it or relative to the root.
    #[must_use]
    fn with_path(self, path: impl Into<String>) -> Self;

    /// Adds the byte range of the mistake within the text of the parameter.
    #[must_use]
    fn with_span(self, span: Range<usize>) -> Self;

    /// Adds similar paths that a missing one was perhaps meant to be, best first.
    #[must_use]
    fn with_near(self, paths: Vec<String>) -> Self;

    /// Adds a setting, which is a parameter or an option of the workspace, with which the call may succeed.
    /// The message ends with `advice`, which names the setting.
    #[must_use]
    fn with_remedy(self, setting: &'static str, advice: &'static str) -> Self;

    /// Returns whether a path is refused because it is outside the root rather than because the workspace
    /// denies it.
    fn is_outside_root(&self) -> bool;

    /// Returns the message without the advice about [`Error::remedy`], for a host that has its own name for the
    /// setting.
    fn message_without_remedy(&self) -> String;

    /// Returns whether the message contains the name of the parameter at fault.
    fn names_param(&self) -> bool;
}

/// Forwards to the methods that the engine itself calls.
impl ErrorExt for Error {
    fn invalid_param(param: impl Into<String>, predicate: impl AsRef<str>) -> Error {
        Error::invalid_param(param, predicate)
    }

    fn around_param(
        kind: ErrorKind,
        param: impl Into<String>,
        before: impl Into<String>,
        after: impl Into<String>,
    ) -> Error {
        Error::around_param(kind, param, before, after)
    }

    fn at_param(kind: ErrorKind, param: impl Into<String>, reason: impl Into<String>) -> Error {
        Error::at_param(kind, param, reason)
    }

    fn with_param(self, param: impl Into<String>) -> Error {
        Error::with_param(self, param)
    }

    fn with_item(self, place: impl Into<String>) -> Error {
        Error::with_item(self, place)
    }

    fn with_param_named(self, name: impl Into<String>) -> Error {
        Error::with_param_named(self, name)
    }

    fn with_reason_at(self, param: impl Into<String>, reason: impl Into<String>) -> Error {
        Error::with_reason_at(self, param, reason)
    }

    fn with_message(self, message: impl Into<String>) -> Error {
        Error::with_message(self, message)
    }

    fn with_path(self, path: impl Into<String>) -> Error {
        Error::with_path(self, path)
    }

    fn with_span(self, span: Range<usize>) -> Error {
        Error::with_span(self, span)
    }

    fn with_near(self, paths: Vec<String>) -> Error {
        Error::with_near(self, paths)
    }

    fn with_remedy(self, setting: &'static str, advice: &'static str) -> Error {
        Error::with_remedy(self, setting, advice)
    }

    fn is_outside_root(&self) -> bool {
        Error::is_outside_root(self)
    }

    fn message_without_remedy(&self) -> String {
        Error::message_without_remedy(self)
    }

    fn names_param(&self) -> bool {
        Error::names_param(self)
    }
}
