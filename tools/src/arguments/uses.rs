//! Kinds of uses as arguments.

use schemars::JsonSchema;
use searchscope::UseKind;
use serde::Deserialize;

/// Kind of the use of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[schemars(inline)]
#[serde(rename_all = "lowercase")]
pub(crate) enum UseArg {
    /// All kinds.
    Any,
    /// Functions, methods, constructors, macros and components that are called.
    Call,
    /// Imported names and modules.
    Import,
    /// Types, as of a parameter.
    Type,
    /// Types that are extended, implemented, embedded or mixed in.
    Inheritance,
    /// Variables and fields that receive a value.
    Assignment,
    /// Definitions, local ones included.
    Definition,
    /// Comments.
    Comment,
    /// String literals.
    String,
    /// Other uses, and all in files without a grammar.
    Other,
}

/// Returns the kinds that count; an empty list for all.
pub(crate) fn kinds(uses: &[UseArg]) -> Vec<UseKind> {
    let kinds: Option<Vec<UseKind>> = uses.iter().map(|kind| kind.kind()).collect();
    kinds.unwrap_or_default()
}

impl UseArg {
    /// Returns the kind; `None` for all.
    fn kind(self) -> Option<UseKind> {
        Some(match self {
            UseArg::Any => return None,
            UseArg::Call => UseKind::Call,
            UseArg::Import => UseKind::Import,
            UseArg::Type => UseKind::Type,
            UseArg::Inheritance => UseKind::Inheritance,
            UseArg::Assignment => UseKind::Assignment,
            UseArg::Definition => UseKind::Definition,
            UseArg::Comment => UseKind::Comment,
            UseArg::String => UseKind::String,
            UseArg::Other => UseKind::Other,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_kind_is_no_restriction() {
        assert_eq!(kinds(&[UseArg::Call, UseArg::Other]), [UseKind::Call, UseKind::Other]);
        assert!(kinds(&[UseArg::Call, UseArg::Any]).is_empty());
    }

    #[test]
    fn kinds_have_the_same_names_in_arguments_and_replies() {
        for kind in UseKind::ALL {
            let argument: UseArg = serde_json::from_value(kind.code().into()).expect("a kind");
            assert_eq!(argument.kind(), Some(*kind));
        }
    }
}
