//! The kinds of definitions. Their one table has the group of each kind and the words for it; queries of the
//! grammars, outlines, tools and arguments of the command take them from here.

/// The kind of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum SymbolKind {
    /// A class, also of Ruby or Python.
    Class,
    /// An interface or protocol.
    Interface,
    /// A struct or record.
    Struct,
    /// A union of C, C++ or Rust.
    Union,
    /// An enumeration.
    Enum,
    /// A trait of Rust or PHP.
    Trait,
    /// A type alias, a typedef, or any other type.
    Type,
    /// A function that belongs to no type.
    Function,
    /// A function of a type, constructors included.
    Method,
    /// A member variable or property.
    Field,
    /// A value of an enumeration.
    EnumMember,
    /// A constant.
    Constant,
    /// A variable outside of functions.
    Variable,
    /// A module or namespace.
    Module,
    /// A macro.
    Macro,
    /// A block that adds to a type defined elsewhere, such as Rust's `impl`. It defines nothing: it is
    /// reported as an enclosing symbol, but never found by its name.
    Impl,
}

/// The rough kind of a definition, in the order of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_enums, reason = "contracts name every group")]
pub enum SymbolGroup {
    /// A class or any other type.
    Type,
    /// A function or method.
    Function,
    /// A field, constant or variable.
    Value,
    /// A module, a macro, or a block that adds to a type.
    Other,
}

impl SymbolKind {
    /// Returns whether functions directly inside are methods.
    pub(super) fn has_methods(self) -> bool {
        use SymbolKind as K;
        matches!(
            self,
            K::Class | K::Interface | K::Struct | K::Union | K::Enum | K::Trait | K::Impl
        )
    }

    /// All kinds, in the order of their declaration.
    pub const ALL: &'static [SymbolKind] = &[
        SymbolKind::Class,
        SymbolKind::Interface,
        SymbolKind::Struct,
        SymbolKind::Union,
        SymbolKind::Enum,
        SymbolKind::Trait,
        SymbolKind::Type,
        SymbolKind::Function,
        SymbolKind::Method,
        SymbolKind::Field,
        SymbolKind::EnumMember,
        SymbolKind::Constant,
        SymbolKind::Variable,
        SymbolKind::Module,
        SymbolKind::Macro,
        SymbolKind::Impl,
    ];

    /// Returns the kind of the same definition directly inside a type.
    pub(super) fn inside_type(self) -> SymbolKind {
        match self {
            SymbolKind::Function => SymbolKind::Method,
            SymbolKind::Variable => SymbolKind::Field,
            kind => kind,
        }
    }

    pub(crate) fn is_function(self) -> bool {
        matches!(self, SymbolKind::Function | SymbolKind::Method)
    }

    /// Returns the group of the kind, and the words for it in any language. Rows show the first, unless the language
    /// has its own word for functions, modules, constants or variables.
    const fn row(self) -> (SymbolGroup, &'static [&'static str]) {
        use SymbolGroup as G;
        match self {
            SymbolKind::Class => (G::Type, &["class", "object"]),
            SymbolKind::Interface => (G::Type, &["interface", "protocol"]),
            SymbolKind::Struct => (G::Type, &["struct", "record"]),
            SymbolKind::Union => (G::Type, &["union"]),
            SymbolKind::Enum => (G::Type, &["enum"]),
            SymbolKind::Trait => (G::Type, &["trait"]),
            SymbolKind::Type => (G::Type, &["type", "typealias", "typedef", "delegate"]),
            SymbolKind::Function => (G::Function, &["function", "fn", "func", "fun", "def"]),
            SymbolKind::Method => (G::Function, &["method", "constructor"]),
            SymbolKind::Field => (G::Value, &["field", "property", "member"]),
            SymbolKind::EnumMember => (G::Value, &["enum member"]),
            SymbolKind::Constant => (G::Value, &["const", "constant"]),
            SymbolKind::Variable => (G::Value, &["var", "variable", "val", "let", "static"]),
            SymbolKind::Module => (G::Other, &["module", "mod", "namespace", "package"]),
            SymbolKind::Macro => (G::Other, &["macro"]),
            SymbolKind::Impl => (G::Other, &["impl"]),
        }
    }

    /// Returns the group of the kind.
    pub fn group(self) -> SymbolGroup {
        self.row().0
    }

    /// Returns the words for the kind in any language, the usual one first: `function`, `fn`, `func`, `fun`, `def`.
    pub fn words(self) -> &'static [&'static str] {
        self.row().1
    }

    /// Returns the usual word.
    pub(super) fn word(self) -> &'static str {
        self.words().first().copied().unwrap_or_default()
    }

    /// Returns the kind that a word of any language names. A word that languages use for several kinds names the
    /// first: `def` is a function.
    ///
    /// ```
    /// use searchscope::SymbolKind;
    /// assert_eq!(SymbolKind::from_word("func"), Some(SymbolKind::Function));
    /// assert_eq!(SymbolKind::from_word("func").map(SymbolKind::words).map(<[_]>::len), Some(5));
    /// assert_eq!(SymbolKind::from_word("funk"), None);
    /// ```
    pub fn from_word(word: &str) -> Option<SymbolKind> {
        SymbolKind::ALL.iter().copied().find(|kind| kind.words().contains(&word))
    }
}

impl SymbolGroup {
    /// Returns the stable name of the group, as used in JSON.
    pub const fn code(self) -> &'static str {
        match self {
            SymbolGroup::Type => "CLASS",
            SymbolGroup::Function => "METHOD",
            SymbolGroup::Value => "FIELD",
            SymbolGroup::Other => "SYMBOL",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_names_one_kind() {
        for kind in SymbolKind::ALL {
            assert!(!kind.words().is_empty(), "{kind:?}");
            for word in kind.words() {
                assert_eq!(SymbolKind::from_word(word), Some(*kind), "{word}");
            }
        }
    }
}
