//! The blocks that are open around a position, and the statement that is being read in each.

use std::ops::Range;

/// The kind of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScopeKind {
    File,
    Module,
    Type,
    Enum,
    Function,
    /// The block of a statement, a literal, or anything else.
    Other,
}

impl ScopeKind {
    /// Returns whether definitions are members of the file or of a type here.
    pub(super) fn declares(self) -> bool {
        !matches!(self, ScopeKind::Function | ScopeKind::Other)
    }

    pub(super) fn is_type(self) -> bool {
        matches!(self, ScopeKind::Type | ScopeKind::Enum)
    }
}

/// An open block.
pub(super) struct Scope {
    pub(super) kind: ScopeKind,
    /// The definition whose body it is.
    pub(super) owner: Option<usize>,
    /// The innermost definition around it.
    pub(super) parent: Option<usize>,
    /// The number of open parentheses and brackets.
    pub(super) parens: u32,
    /// The definition whose head or value is being read.
    pub(super) pending: Option<usize>,
    /// Whether its value is being read: the text after `=`.
    pub(super) is_value: bool,
    /// Whether the values of an enumeration are being read.
    pub(super) is_list: bool,
    /// The last value of the enumeration.
    pub(super) value: Option<usize>,
    pub(super) statement: Statement,
    /// The start of the head, if the block belongs to no known definition.
    pub(super) unknown_head: Option<usize>,
}

/// A statement up to the current position.
#[derive(Clone, Default)]
pub(super) struct Statement {
    /// Its first token.
    pub(super) start: Option<usize>,
    /// The first token of the current run of words that may precede a definition.
    pub(super) clean_start: Option<usize>,
    /// Whether anything else has been read since.
    pub(super) is_dirty: bool,
    pub(super) n_words: u32,
    pub(super) first_word: Option<Range<usize>>,
    pub(super) last_word: Option<Range<usize>>,
    /// The start of the qualified name that ends with the last word.
    pub(super) path_start: Option<usize>,
    /// The word before the first parenthesis, and the start of its qualified name.
    pub(super) callee: Option<(usize, Range<usize>)>,
    /// The first arguments, if they are words.
    pub(super) arguments: [Option<Range<usize>>; 2],
    pub(super) has_equals: bool,
    /// The start of `operator` of C++.
    pub(super) operator: Option<usize>,
    /// The name of a member: the last word before its value.
    pub(super) member: Option<Range<usize>>,
    pub(super) is_enum: bool,
    pub(super) is_const: bool,
    /// The word of a type without a name.
    pub(super) nameless: Option<ScopeKind>,
}

impl Scope {
    pub(super) fn new(kind: ScopeKind, owner: Option<usize>, parent: Option<usize>) -> Scope {
        Scope {
            kind,
            owner,
            parent,
            parens: 0,
            pending: None,
            is_value: false,
            is_list: kind == ScopeKind::Enum,
            value: None,
            statement: Statement::default(),
            unknown_head: None,
        }
    }

    /// Begins a new statement.
    pub(super) fn reset(&mut self) {
        self.statement = Statement::default();
    }
}
