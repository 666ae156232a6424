//! From the text of patterns to a [`Pattern`]: limits, errors with their place, smart case.

use super::literal::Required;
use super::stepped::Stepped;
use super::{Case, Pattern, PatternOptions, Syntax};
use crate::error::{Error, ErrorKind, Result};
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use regex_syntax::ast::{self, Ast, ClassSetItem, Visitor};
use regex_syntax::hir::translate::TranslatorBuilder;
use regex_syntax::hir::{Hir, Look};

/// contracts.md section 0: 64 KiB of text and a nesting of 64; tools may allow less.
const PATTERN_BYTES_MAX: usize = 64 * 1024;
const PATTERNS_MAX: usize = 256;
const NESTING_MAX: u32 = 64;
/// `grep-regex` puts each pattern into a group of an alternation before it parses.
const NESTING_ADDED: u32 = 4;
/// The size of the automaton, default and hard. `(?s).{0,5000}z` has 1.4 MiB and is to be kept
/// stoppable rather than refused; compiling up to the default takes some 20 ms.
const SIZE_BYTES_DEFAULT: usize = 2 * 1024 * 1024;
const SIZE_BYTES_MAX: usize = 10 * 1024 * 1024;
/// `grep-regex` counts its automaton, the reverse of it and their parts together.
const SIZE_COUNTED_BY_GREP: usize = 5;
/// A smaller cache of the lazy DFA would make hard patterns slower, not smaller.
const DFA_CACHE_BYTES_MAX: usize = 10 * 1024 * 1024;

pub(super) fn compile(options: &PatternOptions) -> Result<Pattern> {
    if options.patterns.is_empty() || options.patterns.len() > PATTERNS_MAX {
        let message =
            format!("1 to {PATTERNS_MAX} patterns are needed, got {}", options.patterns.len());
        return Err(Error::invalid_param("patterns", message));
    }
    if size_bytes_max(options) > SIZE_BYTES_MAX {
        let message = format!("'size_bytes_max' must be at most {SIZE_BYTES_MAX}");
        return Err(Error::invalid_param("size_bytes_max", message));
    }
    let mut parsed = Vec::with_capacity(options.patterns.len());
    for pattern in &options.patterns {
        parsed.push(Parsed::new(pattern, options)?);
    }
    let insensitive = match options.case {
        Case::Sensitive => false,
        Case::Insensitive => true,
        Case::Smart => {
            let letters = parsed.iter().fold(Letters::default(), |all, one| all.and(one.letters()));
            letters.any && !letters.upper_case
        }
    };
    let hirs: Vec<Hir> =
        parsed.iter().map(|one| one.translate(options, insensitive)).collect::<Result<_>>()?;
    let hir = Hir::alternation(hirs);
    let required = Required::of(&hir);
    let hir = if options.word {
        let (start, end) = (Look::WordStartHalfUnicode, Look::WordEndHalfUnicode);
        Hir::concat(vec![Hir::look(start), hir, Hir::look(end)])
    } else {
        hir
    };
    let stepped =
        Stepped::new(&hir, size_bytes_max(options)).map_err(|why| syntax_error(why, None))?;
    // Only what has passed the limit above is compiled a second time.
    let texts: Vec<&str> = options.patterns.iter().map(String::as_str).collect();
    let matcher = matcher(&texts, options, insensitive)?;
    let mut parts = Vec::new();
    if texts.len() > 1 {
        for text in &texts {
            parts.push(self::matcher(&[text], options, insensitive)?);
        }
    }
    // Plain literals are looked for in linear time, however long.
    let plain = options.syntax == Syntax::Literal && !insensitive && !options.word;
    let cost_per_byte = if plain { 0 } else { stepped.states() };
    Ok(Pattern { matcher, parts, required, stepped, cost_per_byte, multi_line: options.multi_line })
}

fn size_bytes_max(options: &PatternOptions) -> usize {
    options.size_bytes_max.unwrap_or(SIZE_BYTES_DEFAULT)
}

fn matcher(patterns: &[&str], options: &PatternOptions, insensitive: bool) -> Result<RegexMatcher> {
    let line_end = if options.multi_line { None } else { Some(b'\n') };
    RegexMatcherBuilder::new()
        .fixed_strings(options.syntax == Syntax::Literal)
        .case_insensitive(insensitive)
        .multi_line(true)
        .dot_matches_new_line(options.dot_matches_line_feed)
        .word(options.word)
        .line_terminator(line_end)
        .size_limit(size_bytes_max(options).saturating_mul(SIZE_COUNTED_BY_GREP))
        .dfa_size_limit(DFA_CACHE_BYTES_MAX)
        .nest_limit(NESTING_MAX + NESTING_ADDED)
        .build_many(patterns)
        .map_err(|error| match error.kind() {
            grep_regex::ErrorKind::NotAllowed(_) => syntax_error(
                "a line feed never matches here: lines are searched one by one".into(),
                None,
            ),
            _ => syntax_error(error.to_string(), None),
        })
}

/// One pattern, read.
struct Parsed<'a> {
    text: &'a str,
    /// None for a literal.
    ast: Option<Ast>,
}

impl<'a> Parsed<'a> {
    fn new(text: &'a str, options: &PatternOptions) -> Result<Parsed<'a>> {
        if text.is_empty() {
            return Err(Error::invalid_param("patterns", "a pattern must not be empty"));
        }
        if text.len() > PATTERN_BYTES_MAX {
            let message = format!(
                "a pattern may have {PATTERN_BYTES_MAX} bytes, this one has {}",
                text.len()
            );
            return Err(Error::invalid_param("patterns", message));
        }
        let ast = match options.syntax {
            Syntax::Literal => None,
            Syntax::Regex => {
                let mut parser = ast::parse::ParserBuilder::new().nest_limit(NESTING_MAX).build();
                Some(parser.parse(text).map_err(|error| {
                    syntax_error(error.kind().to_string(), Some((text, error.span())))
                })?)
            }
        };
        Ok(Parsed { text, ast })
    }

    fn letters(&self) -> Letters {
        match &self.ast {
            None => Letters {
                any: !self.text.is_empty(),
                upper_case: self.text.chars().any(char::is_uppercase),
            },
            Some(ast) => match ast::visit(ast, Letters::default()) {
                Ok(letters) => letters,
                Err(never) => match never {},
            },
        }
    }

    fn translate(&self, options: &PatternOptions, insensitive: bool) -> Result<Hir> {
        let mut translator = TranslatorBuilder::new()
            .utf8(false)
            .case_insensitive(insensitive)
            .multi_line(true)
            .dot_matches_new_line(options.dot_matches_line_feed)
            .build();
        let escaped;
        let (text, ast) = match &self.ast {
            Some(ast) => (self.text, ast),
            None if !insensitive => return Ok(Hir::literal(self.text.as_bytes())),
            None => {
                escaped = regex_syntax::escape(self.text);
                let ast = ast::parse::Parser::new().parse(&escaped).map_err(|error| {
                    Error::new(ErrorKind::Internal, format!("an escaped literal: {error}"))
                })?;
                return translator.translate(&escaped, &ast).map_err(|error| {
                    Error::new(ErrorKind::Internal, format!("an escaped literal: {error}"))
                });
            }
        };
        translator
            .translate(text, ast)
            .map_err(|error| syntax_error(error.kind().to_string(), Some((text, error.span()))))
    }
}

/// What smart case asks of a pattern: literal letters, not names of classes.
#[derive(Clone, Copy, Default)]
struct Letters {
    any: bool,
    upper_case: bool,
}

impl Letters {
    fn and(self, other: Letters) -> Letters {
        Letters { any: self.any || other.any, upper_case: self.upper_case || other.upper_case }
    }

    fn see(&mut self, char: char) {
        self.any = true;
        self.upper_case |= char.is_uppercase();
    }
}

impl Visitor for Letters {
    type Output = Letters;
    type Err = std::convert::Infallible;

    fn finish(self) -> Result<Letters, Self::Err> {
        Ok(self)
    }

    fn visit_pre(&mut self, ast: &Ast) -> Result<(), Self::Err> {
        if let Ast::Literal(literal) = ast {
            self.see(literal.c);
        }
        Ok(())
    }

    fn visit_class_set_item_pre(&mut self, item: &ClassSetItem) -> Result<(), Self::Err> {
        match item {
            ClassSetItem::Literal(literal) => self.see(literal.c),
            ClassSetItem::Range(range) => {
                self.see(range.start.c);
                self.see(range.end.c);
            }
            _ => {}
        }
        Ok(())
    }
}

fn syntax_error(why: String, place: Option<(&str, &ast::Span)>) -> Error {
    match place {
        None => Error::new(ErrorKind::PatternSyntax, why),
        Some((text, span)) => {
            let start = span.start.offset;
            // A place between characters is shown as the character behind it.
            let behind = text[start..].chars().next().map_or(0, char::len_utf8);
            let range = start..span.end.offset.max(start + behind);
            let shown = text.get(range.clone()).unwrap_or_default();
            let at = format!("{why}, at byte {}: {shown:?}", range.start);
            Error::new(ErrorKind::PatternSyntax, at).with_span(range)
        }
    }
}
