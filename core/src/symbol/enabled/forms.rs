//! The forms of definitions, language by language: the words that begin one, those that may precede them, and
//! the comments and literals that are neither.

use super::lexis::{Close, Escape, Lexis, Quote};
use crate::syntax::SymbolKind;

/// The forms of a language's definitions.
pub(super) struct Forms {
    pub(super) lexis: Lexis,
    /// The words before the name of a definition.
    pub(super) heads: &'static [&'static str],
    /// The words that may precede them.
    pub(super) modifiers: &'static [&'static str],
    pub(super) shape: Shape,
    /// Whether a type without a body is a definition rather than a reference to one.
    pub(super) has_bare_types: bool,
    /// Where a name with parameters and a body is a function, without a word before it.
    pub(super) functions: Functions,
    /// Whether the grammar may misread a definition without reporting an error.
    pub(super) is_always_read: bool,
}

impl Forms {
    /// Returns the kind of definition that `word` begins.
    pub(super) fn kind_after(&self, word: &[u8]) -> Option<SymbolKind> {
        let head = self.heads.iter().find(|head| head.as_bytes() == word)?;
        SymbolKind::from_word(head)
    }
}

/// The way in which definitions contain others.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// By braces; `;` ends a statement.
    Braces,
    /// By braces; the end of a line may end a statement.
    Lines,
    /// By indentation.
    Indents,
}

/// See [`Forms::functions`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Functions {
    Nowhere,
    InTypes,
    Anywhere,
}

const fn quote(open: &'static str, escape: Escape) -> Quote {
    Quote { open, close: Close::Is(open), escape, spans_lines: false, code: None }
}

const fn long(open: &'static str, escape: Escape) -> Quote {
    Quote { spans_lines: true, ..quote(open, escape) }
}

const CHARACTER: Quote = Quote { close: Close::Character, ..quote("'", Escape::Backslash) };
const DOUBLE: Quote = quote("\"", Escape::Backslash);

const C_LEXIS: Lexis = Lexis {
    line_comments: &["//"],
    block_comment: Some(("/*", "*/")),
    nests: false,
    quotes: &[DOUBLE, CHARACTER],
    has_regexes: false,
    has_directives: false,
    is_whole: true,
};
const SCRIPT_LEXIS: Lexis =
    Lexis { line_comments: &["#"], block_comment: None, quotes: &[], is_whole: false, ..C_LEXIS };

/// Returns the forms of a language.
pub(super) fn of(language: &str) -> Option<&'static Forms> {
    Some(match language {
        "C" => &C,
        "C++" => &CPP,
        "C#" => &CSHARP,
        "Go" => &GO,
        "Java" => &JAVA,
        "JavaScript" | "TypeScript" | "TSX" => &ECMA,
        "Kotlin" => &KOTLIN,
        "PHP" => &PHP,
        "Python" => &PYTHON,
        "Ruby" => &RUBY,
        "Rust" => &RUST,
        _ => return None,
    })
}

static C: Forms = Forms {
    lexis: Lexis { has_directives: true, ..C_LEXIS },
    heads: &["struct", "union", "enum"],
    modifiers: &["typedef", "static", "const", "extern", "inline", "volatile"],
    shape: Shape::Braces,
    has_bare_types: false,
    functions: Functions::Anywhere,
    is_always_read: false,
};

static CPP: Forms = Forms {
    lexis: Lexis {
        quotes: &[
            Quote { spans_lines: true, close: Close::Raw, ..quote("R\"", Escape::None) },
            DOUBLE,
            CHARACTER,
        ],
        has_directives: true,
        ..C_LEXIS
    },
    heads: &["struct", "union", "enum", "class", "namespace"],
    modifiers: &[
        "typedef",
        "static",
        "const",
        "extern",
        "inline",
        "volatile",
        "template",
        "export",
        "constexpr",
        "public",
        "private",
        "protected",
    ],
    ..C
};

static CSHARP: Forms = Forms {
    lexis: Lexis {
        quotes: &[
            long("\"\"\"", Escape::None),
            Quote { code: Some("{"), ..at_quote("$@\"") },
            Quote { code: Some("{"), ..at_quote("@$\"") },
            at_quote("@\""),
            Quote { close: Close::Is("\""), code: Some("{"), ..quote("$\"", Escape::Backslash) },
            DOUBLE,
            CHARACTER,
        ],
        has_directives: true,
        ..C_LEXIS
    },
    heads: &["class", "interface", "struct", "record", "enum", "namespace", "delegate"],
    modifiers: &[
        "public",
        "private",
        "protected",
        "internal",
        "static",
        "abstract",
        "sealed",
        "partial",
        "readonly",
        "ref",
        "unsafe",
        "new",
        "file",
    ],
    functions: Functions::InTypes,
    ..C
};

const fn at_quote(open: &'static str) -> Quote {
    Quote { close: Close::Is("\""), ..long(open, Escape::Doubled) }
}

static JAVA: Forms = Forms {
    lexis: Lexis { quotes: &[long("\"\"\"", Escape::Backslash), DOUBLE, CHARACTER], ..C_LEXIS },
    heads: &["class", "interface", "enum", "record"],
    modifiers: &[
        "public",
        "private",
        "protected",
        "static",
        "abstract",
        "final",
        "sealed",
        "non-sealed",
        "strictfp",
    ],
    functions: Functions::InTypes,
    ..C
};

static ECMA: Forms = Forms {
    lexis: Lexis {
        quotes: &[
            DOUBLE,
            quote("'", Escape::Backslash),
            Quote { code: Some("${"), ..long("`", Escape::Backslash) },
        ],
        has_regexes: true,
        is_whole: false,
        ..C_LEXIS
    },
    heads: &["class", "interface", "enum", "namespace", "function"],
    modifiers: &["export", "default", "declare", "abstract", "async", "const", "opaque"],
    shape: Shape::Lines,
    functions: Functions::InTypes,
    ..C
};

static GO: Forms = Forms {
    lexis: Lexis { quotes: &[DOUBLE, CHARACTER, long("`", Escape::None)], ..C_LEXIS },
    heads: &["func", "type"],
    modifiers: &[],
    shape: Shape::Lines,
    has_bare_types: true,
    functions: Functions::Nowhere,
    is_always_read: false,
};

static KOTLIN: Forms = Forms {
    lexis: Lexis {
        nests: true,
        quotes: &[
            Quote { code: Some("${"), ..long("\"\"\"", Escape::None) },
            Quote { code: Some("${"), ..DOUBLE },
            CHARACTER,
        ],
        ..C_LEXIS
    },
    heads: &["class", "interface", "object", "typealias", "fun", "val", "var"],
    modifiers: &[
        "public",
        "private",
        "protected",
        "internal",
        "open",
        "abstract",
        "final",
        "sealed",
        "enum",
        "annotation",
        "data",
        "inner",
        "value",
        "inline",
        "fun",
        "expect",
        "actual",
        "external",
        "override",
        "lateinit",
        "tailrec",
        "operator",
        "infix",
        "suspend",
        "const",
        "companion",
        "context",
    ],
    shape: Shape::Lines,
    has_bare_types: true,
    functions: Functions::Nowhere,
    // An annotation before a declaration at the top level may make an expression of it.
    is_always_read: true,
};

static PHP: Forms = Forms {
    lexis: Lexis {
        line_comments: &["//", "#"],
        is_whole: false,
        quotes: &[long("\"", Escape::Backslash), long("'", Escape::Backslash)],
        ..C_LEXIS
    },
    heads: &["class", "interface", "trait", "enum", "namespace", "function"],
    modifiers: &["public", "private", "protected", "static", "abstract", "final", "readonly"],
    functions: Functions::Nowhere,
    ..C
};

static PYTHON: Forms = Forms {
    lexis: Lexis {
        quotes: &[
            long("\"\"\"", Escape::Backslash),
            long("'''", Escape::Backslash),
            DOUBLE,
            quote("'", Escape::Backslash),
        ],
        ..SCRIPT_LEXIS
    },
    heads: &["class", "def"],
    modifiers: &["async"],
    shape: Shape::Indents,
    ..C
};

static RUBY: Forms = Forms {
    lexis: Lexis { quotes: &[DOUBLE, quote("'", Escape::Backslash)], ..SCRIPT_LEXIS },
    heads: &["class", "module", "def"],
    modifiers: &["private", "protected", "public", "private_class_method", "module_function"],
    shape: Shape::Indents,
    ..C
};

static RUST: Forms = Forms {
    lexis: Lexis {
        nests: true,
        quotes: &[
            Quote { spans_lines: true, close: Close::Hashes, ..quote("r", Escape::None) },
            long("\"", Escape::Backslash),
            CHARACTER,
        ],
        ..C_LEXIS
    },
    heads: &["fn", "struct", "enum", "union", "trait", "mod", "type"],
    modifiers: &["pub", "async", "const", "unsafe", "extern", "default"],
    has_bare_types: true,
    functions: Functions::Nowhere,
    ..C
};
