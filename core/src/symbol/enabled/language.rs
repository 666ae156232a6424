//! The languages: their files, grammars, and the queries that read their trees.
#![cfg_attr(not(feature = "symbols"), expect(unused_imports, reason = "of other languages"))]

use super::dialects::{csharp_blanks, flow_blanks};
use super::macros::{self, Blanks};
#[cfg(feature = "symbols-c")]
use super::preprocessor::without_attributes;
#[cfg(test)]
use super::regions::RegionMark;
use super::regions::{self, RegionNodes};
use super::source::End;
use super::uses::{Roles, Table, tables};
use crate::budget::Budget;
use crate::syntax::{SymbolKind, Unparsed, Words};
use std::sync::OnceLock;
use tree_sitter::{Language, Query};

/// Returns a repaired text of the same length.
pub(super) type Mend = fn(&[u8]) -> Vec<u8>;
/// Returns the parts to blank of a text without comments and literals.
pub(super) type Blank = fn(&[u8], &Budget) -> Result<Blanks, Unparsed>;

/// Another grammar for the same files.
pub(super) struct Rival {
    pub(super) grammar: &'static str,
    /// The name of the language of its outlines.
    pub(super) name: &'static str,
    /// Whether a text without comments and literals may be in its language.
    pub(super) fits: fn(&[u8]) -> bool,
}

/// A language.
pub(super) struct Grammar {
    /// The usual name.
    pub(super) name: &'static str,
    /// The extensions of its files, without the dot.
    extensions: &'static [&'static str],
    /// The names of its files without such an extension.
    file_names: &'static [&'static str],
    /// The interpreters in the first line of its scripts.
    interpreters: &'static [&'static str],
    pub(super) language: fn() -> Language,
    pub(super) words: Words,
    /// Queries for definitions, concatenated in this order.
    tags: &'static [&'static str],
    /// Queries for comments and string literals, concatenated likewise.
    regions: &'static [&'static str],
    /// The rules for the uses of names.
    uses: &'static Table,
    /// Repairs a text that the grammar wrongly rejects. Every byte and line must keep its position.
    pub(super) mend: Option<Mend>,
    /// Finds what the grammar, or its rival, does not know and need not know.
    pub(super) blank: Option<Blank>,
    /// The grammar to try if this one finds errors.
    pub(super) rival: Option<Rival>,
    /// The text that a parser reads after the end of a file.
    pub(super) end: End,
    /// Whether a `#define` line defines a macro in any context.
    pub(super) has_preprocessor: bool,
}

/// The queries of a language, compiled on first use.
struct Queries {
    tags: OnceLock<Compiled<Marks>>,
    regions: OnceLock<RegionNodes>,
    uses: OnceLock<Roles>,
}

/// A query and the meaning of its captures, by index.
pub(super) struct Compiled<M> {
    pub(super) query: Query,
    pub(super) marks: Vec<M>,
}

/// The meaning of a capture in a tags query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Marks {
    /// `@definition.KIND`: the whole definition.
    Definition(SymbolKind),
    /// `@hidden`: not a definition, even if later patterns match its name.
    Hidden,
    /// `@name`: its name.
    Name,
    /// `@declarator`: a node that contains the name, and perhaps its scope.
    Declarator,
    /// `@scope`: the qualifier written before the name.
    Scope,
    /// `@body`: the end of a function without nested ones; may be outside the definition.
    Body,
    /// `@package`: the prefix of all names of the file.
    Package,
    /// Any other capture, used only by predicates.
    Nothing,
}

/// Returns the words of a language that calls functions and methods alike.
const fn words(separator: &'static str, function: &'static str) -> Words {
    Words {
        separator,
        function,
        method: function,
        module: "module",
        constant: "const",
        variable: "var",
    }
}

/// The end of a text in most languages.
const END: End = End { is_guarded: false, comment: "\n//", limits_angles: false };
/// For grammars that may be ambiguous in many ways at the end.
const GUARDED_END: End = End { is_guarded: true, ..END };
/// For grammars in which, moreover, `<` may compare or begin type arguments.
const ANGLED_END: End = End { limits_angles: true, ..GUARDED_END };
/// For scripting languages.
const SCRIPT_END: End = End { comment: "\n#", ..END };

const fn grammar(name: &'static str, language: fn() -> Language, words: Words) -> Grammar {
    Grammar {
        name,
        extensions: &[],
        file_names: &[],
        interpreters: &[],
        language,
        words,
        tags: &[],
        regions: &[],
        uses: &tables::NONE,
        mend: None,
        blank: None,
        rival: None,
        end: END,
        has_preprocessor: false,
    }
}

/// The queries of each grammar, by its index.
static QUERIES: [Queries; GRAMMARS.len()] =
    [const { Queries { tags: OnceLock::new(), regions: OnceLock::new(), uses: OnceLock::new() } };
        GRAMMARS.len()];

const C_TAGS: &str = include_str!("queries/c.scm");
const C_REGIONS: &str = include_str!("queries/c.regions.scm");
const ECMA_TAGS: &str = include_str!("queries/ecma.scm");
const ECMA_REGIONS: &str = include_str!("queries/ecma.regions.scm");
const TYPESCRIPT_TAGS: &str = include_str!("queries/typescript.scm");
const TYPESCRIPT_REGIONS: &str = include_str!("queries/typescript.regions.scm");

/// The languages of this build: each has a feature of its own.
const GRAMMARS: &[Grammar] = &[
    #[cfg(feature = "symbols-bash")]
    Grammar {
        extensions: &["sh", "bash", "bats"],
        file_names: &[".bashrc", ".bash_profile", ".bash_aliases", ".profile", "PKGBUILD"],
        interpreters: &["bash", "sh", "dash", "ksh"],
        end: SCRIPT_END,
        tags: &[include_str!("queries/bash.scm")],
        regions: &[include_str!("queries/bash.regions.scm")],
        uses: &tables::BASH,
        ..grammar("Bash", || tree_sitter_bash::LANGUAGE.into(), words("::", "function"))
    },
    #[cfg(feature = "symbols-c")]
    Grammar {
        extensions: &["c", "h"],
        end: GUARDED_END,
        tags: &[include_str!("queries/c.macros.scm"), C_TAGS],
        regions: &[C_REGIONS],
        uses: &tables::C,
        mend: Some(without_attributes),
        blank: Some(macros::blanks),
        #[cfg(feature = "symbols-cpp")]
        rival: Some(Rival { grammar: "C++", name: "C++", fits: reads_like_cpp }),
        has_preprocessor: true,
        ..grammar("C", || tree_sitter_c::LANGUAGE.into(), words("::", "function"))
    },
    #[cfg(feature = "symbols-cpp")]
    Grammar {
        extensions: &[
            "cc", "cpp", "cxx", "c++", "C", "hh", "hpp", "hxx", "h++", "H", "ipp", "inl", "tpp",
            "txx",
        ],
        end: End { limits_angles: true, ..END },
        tags: &[include_str!("queries/cpp.scm"), C_TAGS],
        regions: &[C_REGIONS, include_str!("queries/cpp.regions.scm")],
        uses: &tables::CPP,
        blank: Some(macros::blanks),
        has_preprocessor: true,
        ..grammar(
            "C++",
            || tree_sitter_cpp::LANGUAGE.into(),
            Words { method: "method", module: "namespace", ..words("::", "function") },
        )
    },
    #[cfg(feature = "symbols-csharp")]
    Grammar {
        extensions: &["cs", "csx"],
        end: ANGLED_END,
        tags: &[include_str!("queries/csharp.scm")],
        regions: &[include_str!("queries/csharp.regions.scm")],
        uses: &tables::CSHARP,
        blank: Some(csharp_blanks),
        ..grammar(
            "C#",
            || tree_sitter_c_sharp::LANGUAGE.into(),
            Words { method: "method", module: "namespace", ..words(".", "function") },
        )
    },
    #[cfg(feature = "symbols-go")]
    Grammar {
        extensions: &["go"],
        tags: &[include_str!("queries/go.scm")],
        regions: &[include_str!("queries/go.regions.scm")],
        uses: &tables::GO,
        ..grammar("Go", || tree_sitter_go::LANGUAGE.into(), words(".", "func"))
    },
    #[cfg(feature = "symbols-java")]
    Grammar {
        extensions: &["java"],
        end: ANGLED_END,
        tags: &[include_str!("queries/java.scm")],
        regions: &[include_str!("queries/java.regions.scm")],
        uses: &tables::JAVA,
        ..grammar("Java", || tree_sitter_java::LANGUAGE.into(), words(".", "method"))
    },
    #[cfg(feature = "symbols-javascript")]
    Grammar {
        extensions: &["js", "mjs", "cjs", "jsx"],
        interpreters: &["node", "nodejs"],
        end: GUARDED_END,
        tags: &[ECMA_TAGS, include_str!("queries/javascript.scm")],
        regions: &[ECMA_REGIONS],
        uses: &tables::JAVASCRIPT,
        blank: Some(flow_blanks),
        #[cfg(feature = "symbols-typescript")]
        rival: Some(Rival { grammar: "TSX", name: "JavaScript", fits: |_| true }),
        ..grammar(
            "JavaScript",
            || tree_sitter_javascript::LANGUAGE.into(),
            Words { method: "method", ..words(".", "function") },
        )
    },
    #[cfg(feature = "symbols-kotlin")]
    Grammar {
        extensions: &["kt", "kts"],
        tags: &[include_str!("queries/kotlin.scm")],
        regions: &[include_str!("queries/kotlin.regions.scm")],
        uses: &tables::KOTLIN,
        mend: Some(mend_kotlin),
        ..grammar("Kotlin", || tree_sitter_kotlin_ng::LANGUAGE.into(), words(".", "fun"))
    },
    #[cfg(feature = "symbols-php")]
    Grammar {
        extensions: &["php", "phtml", "php3", "php4", "php5", "phps"],
        interpreters: &["php"],
        tags: &[include_str!("queries/php.scm")],
        regions: &[include_str!("queries/php.regions.scm")],
        uses: &tables::PHP,
        ..grammar(
            "PHP",
            || tree_sitter_php::LANGUAGE_PHP.into(),
            Words { method: "method", module: "namespace", ..words("\\", "function") },
        )
    },
    #[cfg(feature = "symbols-python")]
    Grammar {
        extensions: &["py", "pyi", "pyw"],
        file_names: &["SConstruct", "SConscript", "wscript"],
        interpreters: &["python"],
        end: SCRIPT_END,
        tags: &[include_str!("queries/python.scm")],
        regions: &[include_str!("queries/python.regions.scm")],
        uses: &tables::PYTHON,
        ..grammar("Python", || tree_sitter_python::LANGUAGE.into(), words(".", "def"))
    },
    #[cfg(feature = "symbols-ruby")]
    Grammar {
        extensions: &["rb", "rake", "gemspec", "ru", "podspec"],
        file_names: &["Rakefile", "Gemfile", "Podfile", "Vagrantfile", "Guardfile", "Capfile"],
        interpreters: &["ruby"],
        end: SCRIPT_END,
        tags: &[include_str!("queries/ruby.scm")],
        regions: &[include_str!("queries/ruby.regions.scm")],
        uses: &tables::RUBY,
        ..grammar("Ruby", || tree_sitter_ruby::LANGUAGE.into(), words("::", "def"))
    },
    #[cfg(feature = "symbols-rust")]
    Grammar {
        extensions: &["rs"],
        tags: &[include_str!("queries/rust.scm")],
        regions: &[include_str!("queries/rust.regions.scm")],
        uses: &tables::RUST,
        ..grammar(
            "Rust",
            || tree_sitter_rust::LANGUAGE.into(),
            Words { module: "mod", variable: "static", ..words("::", "fn") },
        )
    },
    #[cfg(feature = "symbols-typescript")]
    Grammar {
        extensions: &["ts", "mts", "cts"],
        end: ANGLED_END,
        tags: &[ECMA_TAGS, TYPESCRIPT_TAGS],
        regions: &[ECMA_REGIONS, TYPESCRIPT_REGIONS],
        uses: &tables::TYPESCRIPT,
        ..grammar(
            "TypeScript",
            || tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
            Words { method: "method", module: "namespace", ..words(".", "function") },
        )
    },
    #[cfg(feature = "symbols-typescript")]
    Grammar {
        extensions: &["tsx"],
        end: ANGLED_END,
        tags: &[ECMA_TAGS, TYPESCRIPT_TAGS],
        regions: &[ECMA_REGIONS, TYPESCRIPT_REGIONS],
        uses: &tables::TSX,
        ..grammar(
            "TSX",
            || tree_sitter_typescript::LANGUAGE_TSX.into(),
            Words { method: "method", module: "namespace", ..words(".", "function") },
        )
    },
];

/// Kotlin's grammar wants the last declaration of a class to end its line; after two that do not, it finds
/// nothing. It accepts a carriage return as a line end, which does not change line numbers or the meaning of
/// strings and comments.
fn mend_kotlin(text: &[u8]) -> Vec<u8> {
    let mut mended = text.to_vec();
    for at in memchr::memmem::find_iter(text, b" }") {
        mended[at] = b'\r';
    }
    mended
}

/// Signs in a header that only C++ has.
const CPP_SIGNS: &[&[u8]] = &[
    b"\nclass ",
    b"\nnamespace ",
    b"\ntemplate<",
    b"\ntemplate <",
    b"public:",
    b"private:",
    b"protected:",
    b"\nusing ",
    b"std::",
];

/// Returns the language of a file by its name, or else by the first line of its text.
pub(super) fn of(name: &[u8], text: &[u8]) -> Option<&'static Grammar> {
    // Only the extension counts, so the rest may be lossy.
    let name = String::from_utf8_lossy(name);
    let name = &*name;
    let by_name = GRAMMARS.iter().find(|grammar| grammar.file_names.contains(&name));
    if by_name.is_some() {
        return by_name;
    }
    let Some((_, extension)) = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()) else {
        return by_interpreter(text);
    };
    let by_extension =
        |extension: &str| GRAMMARS.iter().find(|grammar| grammar.extensions.contains(&extension));
    let found = by_extension(extension).or_else(|| by_extension(&extension.to_ascii_lowercase()));
    match found {
        Some(grammar) if extension == "h" && is_cpp(text) => named("C++").or(Some(grammar)),
        found => found,
    }
}

/// Returns the language of this name.
pub(super) fn named(name: &str) -> Option<&'static Grammar> {
    GRAMMARS.iter().find(|grammar| grammar.name == name)
}

/// Returns all languages.
#[cfg(test)]
pub(super) fn all() -> &'static [Grammar] {
    GRAMMARS
}

/// Returns whether code in a file of C has signs of C++.
fn reads_like_cpp(code: &[u8]) -> bool {
    const SIGNS: [&[u8]; 4] = [b"::", b"class ", b"template", b"namespace "];
    SIGNS.iter().any(|sign| memchr::memmem::find(code, sign).is_some())
}

fn is_cpp(text: &[u8]) -> bool {
    CPP_SIGNS.iter().any(|sign| memchr::memmem::find(text, sign).is_some())
}

fn by_interpreter(text: &[u8]) -> Option<&'static Grammar> {
    let line = text.strip_prefix(b"#!")?;
    let line = &line[..memchr::memchr(b'\n', line).unwrap_or(line.len()).min(256)];
    let line = std::str::from_utf8(line).ok()?;
    let mut words = line.split_whitespace();
    let mut program = words.next()?.rsplit('/').next()?;
    if program == "env" {
        program = words.find(|word| !word.starts_with('-') && !word.contains('='))?;
    }
    // "python3.11" is "python".
    let program = program.trim_end_matches(|char: char| char.is_ascii_digit() || char == '.');
    GRAMMARS.iter().find(|grammar| grammar.interpreters.contains(&program))
}

impl Grammar {
    /// Returns the query for definitions.
    pub(super) fn tags(&self) -> &Compiled<Marks> {
        self.queries().tags.get_or_init(|| self.compile(self.tags, mark))
    }

    /// Returns the nodes that are comments and string literals.
    pub(super) fn regions(&self) -> &RegionNodes {
        self.queries().regions.get_or_init(|| {
            let kinds = regions::kinds(&(self.language)(), self.regions).map(RegionNodes::Kinds);
            kinds.unwrap_or_else(|| RegionNodes::Query(self.compile(self.regions, regions::mark)))
        })
    }

    /// Returns the rules for the uses of names.
    pub(super) fn uses(&self) -> &Roles {
        self.queries().uses.get_or_init(|| Roles::new(&(self.language)(), self.uses))
    }

    /// Returns the query for comments and string literals, which most languages do not need.
    #[cfg(test)]
    pub(super) fn regions_query(&self) -> Compiled<RegionMark> {
        self.compile(self.regions, regions::mark)
    }

    /// Returns the kinds and fields in the rules for uses that the grammar lacks.
    #[cfg(test)]
    pub(super) fn unknown_in_rules(&self) -> Vec<String> {
        self.uses.unknown(&(self.language)())
    }

    fn queries(&self) -> &'static Queries {
        let place = GRAMMARS.iter().position(|grammar| grammar.name == self.name);
        &QUERIES[place.unwrap_or_default()]
    }

    fn compile<M>(&self, parts: &[&str], mark: impl Fn(&str) -> M) -> Compiled<M> {
        match Query::new(&(self.language)(), &parts.join("\n")) {
            Ok(query) => {
                let marks = query.capture_names().iter().map(|name| mark(name)).collect();
                Compiled { query, marks }
            }
            // The queries are built in, and a test compiles all of them.
            Err(error) => unreachable!("the query of {}: {error}", self.name),
        }
    }
}

fn mark(capture: &str) -> Marks {
    match capture {
        "hidden" => Marks::Hidden,
        "name" => Marks::Name,
        "declarator" => Marks::Declarator,
        "scope" => Marks::Scope,
        "body" => Marks::Body,
        "package" => Marks::Package,
        _ => capture
            .strip_prefix("definition.")
            .and_then(|kind| SymbolKind::from_word(&kind.replace('_', " ")))
            .map_or(Marks::Nothing, Marks::Definition),
    }
}
