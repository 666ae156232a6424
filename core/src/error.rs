//! The only error type, and the table of its kinds.
//!
//! Kind, text code and C number are side by side in [`ErrorKind`]'s table, so that the Rust, C and Node APIs
//! cannot name the same fault differently. Wording belongs to the area that raises the error.

use std::fmt;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

macro_rules! kinds {
    ($($(#[doc = $doc:literal])+ $kind:ident = $number:literal, $code:literal;)+) => {
        /// Classes of errors that callers may handle differently; the stable part of an [`Error`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum ErrorKind {
            $($(#[doc = $doc])+ $kind,)+
        }

        impl ErrorKind {
            /// Every kind, in the order of the C numbers.
            pub const ALL: &'static [ErrorKind] = &[$(ErrorKind::$kind),+];

            /// Returns the stable text code, the same in Rust, C and Node.
            pub const fn code(self) -> &'static str {
                match self { $(ErrorKind::$kind => $code,)+ }
            }

            /// Returns the stable number of the C ABI. Zero is success and belongs to no kind.
            pub const fn number(self) -> i32 {
                match self { $(ErrorKind::$kind => $number,)+ }
            }

            /// Returns the meaning of the kind, one sentence.
            pub const fn doc(self) -> &'static str {
                match self { $(ErrorKind::$kind => concat!($($doc),+),)+ }
            }
        }
    };
}

kinds! {
    /// An argument is missing, unknown, of the wrong type or out of range.
    InvalidParam = 1, "invalid_param";
    /// A regex, glob or scope pattern does not parse or is too large; the error carries the span.
    PatternSyntax = 2, "pattern_syntax";
    /// A named path does not exist.
    NotFound = 3, "not_found";
    /// A path lies outside the root, or the workspace denies it.
    AccessDenied = 4, "access_denied";
    /// The deadline passed and the contract has no way to return a part.
    Timeout = 5, "timeout";
    /// The caller cancelled the call.
    Cancelled = 6, "cancelled";
    /// The reply would exceed its maximum size; narrow the request.
    ResultTooLarge = 7, "result_too_large";
    /// The operating system refused or failed an operation on the named path.
    Io = 8, "io";
    /// The request is valid but not possible on this system or in this build.
    Unsupported = 9, "unsupported";
    /// A defect of this library; the call failed, the workspace stays usable.
    Internal = 10, "internal";
}

/// The error of a call: a stable kind, a message for people, and if known the parameter, the path, the span
/// of the mistake and suggestions.
///
/// Cheap to clone. Reaching a limit or a deadline is not an error but part of a report; an unreadable file is
/// a warning in it.
#[derive(Clone)]
pub struct Error(Arc<Inner>);

#[derive(Clone)]
struct Inner {
    kind: ErrorKind,
    text: Text,
    /// The message, once it was read.
    message: OnceLock<String>,
    param: Option<String>,
    path: Option<String>,
    span: Option<Range<usize>>,
    near: Vec<String>,
    remedy: Option<Remedy>,
    is_outside_root: bool,
}

/// Setting with which the call may succeed.
#[derive(Clone)]
struct Remedy {
    setting: &'static str,
    /// End of the message, which names the setting.
    advice: &'static str,
}

/// Text of a message: whole, or the parts around the quoted name of the parameter.
///
/// A tool may rename parameters of the engine. The name is therefore not part of the text, and the message is
/// assembled when it is read. Only the code that writes a message knows whether a quoted word in it is the name or
/// a text of the caller, so it passes the parts; no message is searched for a name.
#[derive(Clone)]
enum Text {
    Whole(String),
    AroundParam {
        before: String,
        /// Place within the parameter, such as `[0]` of `'types[0]'`.
        item: String,
        after: String,
    },
    /// The reason alone: the message is the name in quotes, a colon, and this.
    AtParam(String),
}

impl Text {
    fn message(&self, param: Option<&str>) -> String {
        let param = param.unwrap_or_default();
        match self {
            Text::Whole(message) => message.clone(),
            Text::AroundParam { before, item, after } => {
                format!("{before}'{param}{item}'{after}")
            }
            Text::AtParam(reason) => format!("'{param}': {reason}"),
        }
    }
}

/// The result of every fallible function of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// Creates an error of `kind` with `message`.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Error {
        Error(Arc::new(Inner {
            kind,
            text: Text::Whole(message.into()),
            message: OnceLock::new(),
            param: None,
            path: None,
            span: None,
            near: Vec::new(),
            remedy: None,
            is_outside_root: false,
        }))
    }

    /// Creates an [`ErrorKind::InvalidParam`] error. Its message is a sentence whose subject is the parameter:
    /// the quoted name, a space, and `predicate`.
    pub(crate) fn invalid_param(param: impl Into<String>, predicate: impl AsRef<str>) -> Error {
        Error::about_param(ErrorKind::InvalidParam, param, predicate)
    }

    /// Creates an error whose message is the quoted name of the parameter, a space, and `predicate`.
    pub(crate) fn about_param(
        kind: ErrorKind,
        param: impl Into<String>,
        predicate: impl AsRef<str>,
    ) -> Error {
        Error::around_param(kind, param, "", format!(" {}", predicate.as_ref()))
    }

    /// Creates an error whose message is `before`, the quoted name of the parameter, and `after`.
    pub(crate) fn around_param(
        kind: ErrorKind,
        param: impl Into<String>,
        before: impl Into<String>,
        after: impl Into<String>,
    ) -> Error {
        Error::new(kind, "").change(|inner| {
            inner.param = Some(param.into());
            let (before, after) = (before.into(), after.into());
            inner.text = Text::AroundParam { before, item: String::new(), after };
        })
    }

    /// Creates an error whose message is the quoted name of the parameter, a colon, and `reason`.
    pub(crate) fn at_param(
        kind: ErrorKind,
        param: impl Into<String>,
        reason: impl Into<String>,
    ) -> Error {
        Error::new(kind, "").with_reason_at(param, reason)
    }

    /// Creates an [`ErrorKind::AccessDenied`] error for a path that is outside the root.
    pub(crate) fn outside_root(shown: &str) -> Error {
        let message = format!("path '{shown}' is outside the root");
        Error::new(ErrorKind::AccessDenied, message).change(|inner| inner.is_outside_root = true)
    }

    /// Adds the parameter at fault, and leaves the message as it is. If the message names another parameter, a
    /// later change of names leaves that one in it.
    #[must_use]
    pub(crate) fn with_param(self, param: impl Into<String>) -> Error {
        let param = param.into();
        if self.param() == Some(&*param) {
            return self;
        }
        let message = self.message_without_remedy();
        self.change(|inner| {
            inner.text = Text::Whole(message);
            inner.param = Some(param);
        })
    }

    /// Adds the place within the parameter, such as `[0]`, to its name in the message.
    #[must_use]
    pub(crate) fn with_item(self, place: impl Into<String>) -> Error {
        self.change(|inner| {
            if let Text::AroundParam { item, .. } = &mut inner.text {
                *item = place.into();
            }
        })
    }

    /// Renames the parameter at fault to the caller's name for it, including in the message, which no longer
    /// names a place within the parameter.
    #[must_use]
    pub(crate) fn with_param_named(self, name: impl Into<String>) -> Error {
        self.change(|inner| {
            inner.param = Some(name.into());
            if let Text::AroundParam { item, .. } = &mut inner.text {
                item.clear();
            }
        })
    }

    /// Replaces parameter and message as in [`Error::at_param`], including the advice of the message, and keeps
    /// everything else.
    #[must_use]
    pub(crate) fn with_reason_at(
        self,
        param: impl Into<String>,
        reason: impl Into<String>,
    ) -> Error {
        self.change(|inner| {
            inner.param = Some(param.into());
            inner.text = Text::AtParam(reason.into());
            inner.remedy = None;
        })
    }

    /// Reduces a message of [`Error::at_param`] to its reason, for a place where the caller sees the
    /// parameter. Leaves other messages as they are.
    #[must_use]
    pub(crate) fn without_place(self) -> Error {
        self.change(|inner| {
            if let Text::AtParam(reason) = &mut inner.text {
                inner.text = Text::Whole(std::mem::take(reason));
            }
        })
    }

    /// Adds the path at fault, as the caller gave it or relative to the root.
    #[must_use]
    pub(crate) fn with_path(self, path: impl Into<String>) -> Error {
        self.change(|inner| inner.path = Some(path.into()))
    }

    /// Adds the byte range of the mistake within the text of the parameter.
    #[must_use]
    pub(crate) fn with_span(self, span: Range<usize>) -> Error {
        self.change(|inner| inner.span = Some(span))
    }

    /// Adds similar paths that a missing one was perhaps meant to be, best first.
    #[must_use]
    pub(crate) fn with_near(self, paths: Vec<String>) -> Error {
        self.change(|inner| inner.near = paths)
    }

    /// Adds a setting, which is a parameter or an option of the workspace, with which the call may succeed.
    /// The message ends with `advice`, which names the setting.
    #[must_use]
    pub(crate) fn with_remedy(self, setting: &'static str, advice: &'static str) -> Error {
        self.change(|inner| inner.remedy = Some(Remedy { setting, advice }))
    }

    /// Replaces the message, including its advice, by one that does not name the parameter, and keeps everything
    /// else: a tool puts its contract's text here.
    #[must_use]
    pub(crate) fn with_message(self, message: impl Into<String>) -> Error {
        self.change(|inner| {
            inner.text = Text::Whole(message.into());
            inner.remedy = None;
        })
    }

    /// Returns whether a path is refused because it is outside the root rather than because the workspace
    /// denies it.
    pub(crate) fn is_outside_root(&self) -> bool {
        self.0.is_outside_root
    }

    /// Returns the kind, for callers that handle errors differently.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Returns the stable text code of the kind.
    pub fn code(&self) -> &'static str {
        self.0.kind.code()
    }

    /// Returns the message for people.
    pub fn message(&self) -> &str {
        self.0.message.get_or_init(|| {
            let advice = self.0.remedy.as_ref().map_or("", |remedy| remedy.advice);
            self.message_without_remedy() + advice
        })
    }

    /// Returns the message without the advice about [`Error::remedy`], for a host that has its own name for the
    /// setting.
    pub(crate) fn message_without_remedy(&self) -> String {
        self.0.text.message(self.param())
    }

    /// Returns the name of the parameter or workspace option with which the call may succeed, if there is one.
    pub fn remedy(&self) -> Option<&'static str> {
        self.0.remedy.as_ref().map(|remedy| remedy.setting)
    }

    /// Returns whether the message contains the name of the parameter at fault.
    pub(crate) fn names_param(&self) -> bool {
        !matches!(self.0.text, Text::Whole(_))
    }

    /// Returns the parameter at fault, if there is one.
    pub fn param(&self) -> Option<&str> {
        self.0.param.as_deref()
    }

    /// Returns the path at fault, if there is one.
    pub fn path(&self) -> Option<&str> {
        self.0.path.as_deref()
    }

    /// Returns the byte range of the mistake within the parameter's text, if known.
    pub fn span(&self) -> Option<Range<usize>> {
        self.0.span.clone()
    }

    /// Returns existing paths, relative to the root, that a missing one was perhaps meant to be, best first.
    /// Empty if no path is similar.
    pub fn near(&self) -> &[String] {
        &self.0.near
    }

    fn change(mut self, change: impl FnOnce(&mut Inner)) -> Error {
        let inner = Arc::make_mut(&mut self.0);
        change(inner);
        inner.message = OnceLock::new();
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("Error");
        out.field("code", &self.code()).field("message", &self.message());
        if let Some(param) = &self.0.param {
            out.field("param", param);
        }
        if let Some(path) = &self.0.path {
            out.field("path", path);
        }
        if let Some(span) = &self.0.span {
            out.field("span", span);
        }
        if !self.0.near.is_empty() {
            out.field("near", &self.0.near);
        }
        if let Some(setting) = self.remedy() {
            out.field("remedy", &setting);
        }
        out.finish()
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn the_table_has_no_duplicates_and_every_kind_is_documented() {
        let codes: HashSet<_> = ErrorKind::ALL.iter().map(|kind| kind.code()).collect();
        let numbers: HashSet<_> = ErrorKind::ALL.iter().map(|kind| kind.number()).collect();
        assert_eq!(codes.len(), ErrorKind::ALL.len());
        assert_eq!(numbers.len(), ErrorKind::ALL.len());
        for kind in ErrorKind::ALL {
            assert!(kind.number() > 0, "{kind:?}: zero is success");
            assert!(kind.doc().trim().ends_with('.'), "{kind:?} has no sentence");
        }
    }

    #[test]
    fn additions_keep_the_earlier_fields() {
        let error = Error::invalid_param("query", "is bad").with_path("a/b").with_span(1..2);
        assert!(error.near().is_empty() && !format!("{error:?}").contains("near"));
        let error = error.with_near(vec!["a/c".into()]).with_message("second");
        assert_eq!(error.kind(), ErrorKind::InvalidParam);
        assert_eq!(
            (error.param(), error.path(), error.span()),
            (Some("query"), Some("a/b"), Some(1..2))
        );
        assert_eq!(error.near(), ["a/c"]);
        assert_eq!(error.to_string(), "second");
        assert!(format!("{error:?}").contains(r#"near: ["a/c"]"#), "{error:?}");
    }

    #[test]
    fn a_message_names_the_parameter_as_the_caller_knows_it() {
        let error = Error::invalid_param("globs[0]", "is not a glob: '[' of 'globs[0]'");
        assert_eq!(error.message(), "'globs[0]' is not a glob: '[' of 'globs[0]'");
        let renamed = error.clone().with_param_named("include");
        assert_eq!(renamed.message(), "'include' is not a glob: '[' of 'globs[0]'");
        assert_eq!((renamed.param(), error.param()), (Some("include"), Some("globs[0]")));
        let kind = ErrorKind::InvalidParam;
        let missing = Error::around_param(kind, "a.b", "missing field ", "; see 'a.b'");
        assert_eq!(missing.message(), "missing field 'a.b'; see 'a.b'");
        assert_eq!(missing.with_param_named("c").message(), "missing field 'c'; see 'a.b'");
        let item = Error::invalid_param("types", "is not known").with_item("[0].a");
        assert_eq!(item.message(), "'types[0].a' is not known");
        assert_eq!(item.with_param_named("--type").message(), "'--type' is not known");
    }

    #[test]
    fn a_text_that_looks_like_the_name_is_not_renamed() {
        let unnamed = Error::new(ErrorKind::NotFound, "path 'paths' does not exist");
        let unnamed = unnamed.with_param("paths").with_param_named("PATH");
        assert_eq!(unnamed.message(), "path 'paths' does not exist");
        assert_eq!((unnamed.param(), unnamed.names_param()), (Some("PATH"), false));
        let named = Error::invalid_param("q", "must not be '{param}' or 'q'");
        let same = named.clone().with_param("q").with_param_named("query");
        assert_eq!(same.message(), "'query' must not be '{param}' or 'q'");
        // Another parameter does not change the message, now or later.
        let other = named.with_param("in").with_param_named("PATH");
        assert_eq!(other.message(), "'q' must not be '{param}' or 'q'");
        assert_eq!((other.param(), other.names_param()), (Some("PATH"), false));
    }

    #[test]
    fn advice_about_a_setting_ends_the_message_and_can_be_left_out() {
        let error = Error::invalid_param("pattern", "has a '/'");
        assert_eq!((error.remedy(), error.names_param()), (None, true));
        let error = error.with_remedy("full", "; set 'full'").with_param("pattern");
        assert_eq!(error.with_param_named("name").message(), "'name' has a '/'; set 'full'");
        let error =
            Error::new(ErrorKind::NotFound, "no repository").with_remedy("above", "; set it");
        let error = error.with_param("changed");
        assert_eq!(error.to_string(), "no repository; set it");
        assert_eq!(error.message_without_remedy(), "no repository");
        assert_eq!((error.remedy(), error.names_param()), (Some("above"), false));
        let placed = error.clone().with_reason_at("since", "unknown");
        assert_eq!((placed.message(), placed.remedy()), ("'since': unknown", None));
        let other = error.with_message("other");
        assert_eq!((other.message(), other.remedy()), ("other", None));
    }

    #[test]
    fn a_reason_at_a_parameter_is_rendered_with_or_without_its_name() {
        let error = Error::at_param(ErrorKind::Io, "a.url", "unreadable").with_path("x");
        assert_eq!((error.message(), error.param()), ("'a.url': unreadable", Some("a.url")));
        let renamed = error.clone().with_param_named("b");
        assert_eq!(renamed.message(), "'b': unreadable");
        let bare = error.clone().without_place();
        assert_eq!((bare.message(), bare.param()), ("unreadable", Some("a.url")));
        let moved = error.with_reason_at("c", "gone");
        assert_eq!((moved.message(), moved.path()), ("'c': gone", Some("x")));
        // A message that merely looks alike is not split.
        let kind = ErrorKind::InvalidParam;
        let other = Error::around_param(kind, "c", "", ": gone").without_place();
        assert_eq!(other.message(), "'c': gone");
    }
}
