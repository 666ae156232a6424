//! Compiles the text of patterns to a [`Pattern`]: limits, errors with their position, smart case.

use super::ascii::AsciiLines;
use super::lazy::LazyMatcher;
use super::literal::Required;
use super::matcher::bytes_per_call;
use super::memory;
use super::parts::Parts;
use super::stepped::Stepped;
use super::{Case, Pattern, PatternOptions, Syntax};
use crate::budget::{Budget, Stopped};
use crate::error::{Error, ErrorKind, Result};
use crate::pool;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use regex_syntax::ast::{self, Ast, ClassSetItem, Visitor};
use regex_syntax::hir::translate::TranslatorBuilder;
use regex_syntax::hir::{Class, Hir, HirKind, Look};
use std::sync::OnceLock;

/// docs/contracts/general.md#limits: 64 KiB of text, here of all patterns together, and a nesting
/// of 64; tools may allow less.
const PATTERNS_BYTES_MAX: usize = 64 * 1024;
/// Each pattern is compiled, run and given memory separately to report which one matched.
const PATTERNS_MAX: usize = 64;
const NESTING_MAX: u32 = 64;
/// `grep-regex` puts each pattern into a group of an alternation before it parses.
const NESTING_ADDED: u32 = 4;
/// The size of the automaton while it is built, by default and at most. `(?s).{0,5000}z` needs more than 2
/// MiB and should be interruptible rather than refused. Refusing a pattern at the default takes up to 40 ms,
/// compiling one just below it up to 90 ms.
const SIZE_BYTES_DEFAULT: usize = 3 * 1024 * 1024;
const SIZE_BYTES_MAX: usize = 10 * 1024 * 1024;
/// `grep-regex` counts its automaton, the reverse automaton and their parts together.
const SIZE_COUNTED_BY_GREP: usize = 5;
/// The maximum cost of several plain literals: some 6 ns a byte for any number of them, measured with text
/// that defeats the search for their first bytes.
const LITERALS_COST_MAX: usize = 4;
/// A smaller cache of the lazy DFA would make hard patterns slower.
const DFA_CACHE_BYTES_MAX: usize = 10 * 1024 * 1024;

/// Shorter patterns without more classes, counted with their repetitions, compile within a few milliseconds.
const QUICK_TEXT_BYTES: usize = 256;
const QUICK_CLASSES: usize = 16;

/// A pattern with more states may take long to compile, so this is done before the search.
const STATES_MAX_TO_WAIT: usize = 1_000;

/// Reason for refusing a pattern with a line feed.
const LINE_FEED: &str = "a line feed cannot match without multi-line search";

pub(super) fn compile(options: &PatternOptions) -> Result<Pattern> {
    check_limits(options)?;
    compile_checked(options).map_err(|error| match error.param() {
        None => error.with_param("patterns"),
        Some(_) => error,
    })
}

/// Compiles within a budget, on another thread if that may take long.
pub(super) fn compile_aside(
    budget: &Budget,
    options: &PatternOptions,
) -> std::result::Result<Result<Pattern>, Stopped> {
    if is_quick(options) {
        return Ok(compile(options));
    }
    let options = options.clone();
    pool::run_aside(budget, move || compile(&options))
}

/// Returns whether patterns certainly compile within a few milliseconds, judged by their texts: short, and
/// with few classes and counted repetitions, which make automata large.
fn is_quick(options: &PatternOptions) -> bool {
    let n_bytes: usize = options.patterns.iter().map(String::len).sum();
    if n_bytes > QUICK_TEXT_BYTES || options.syntax == Syntax::Literal {
        return n_bytes <= QUICK_TEXT_BYTES;
    }
    let bytes = options.patterns.iter().flat_map(|pattern| pattern.bytes());
    let n_classes = bytes.filter(|byte| matches!(byte, b'\\' | b'[' | b'.')).count();
    // Repetitions may nest, so their counts multiply.
    let copies = options.patterns.iter().flat_map(|pattern| counts(pattern));
    let copies = copies.fold(1_usize, usize::saturating_mul);
    n_classes.saturating_mul(copies) <= QUICK_CLASSES && copies <= QUICK_CLASSES
}

/// Returns the counts of the repetitions in a pattern, the larger number of each.
fn counts(pattern: &str) -> impl Iterator<Item = usize> {
    let bodies = pattern.split('{').skip(1).filter_map(|rest| rest.split('}').next());
    bodies.filter_map(|body| {
        let numbers = body.split(',').map(str::trim).filter(|number| !number.is_empty());
        // Anything but a number is the name of a class; a number that is too large is refused later.
        numbers
            .filter(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
            .map(|number| number.parse().unwrap_or(usize::MAX))
            .max()
    })
}

fn compile_checked(options: &PatternOptions) -> Result<Pattern> {
    // With several patterns, an error names the one at fault.
    let name = |n: usize, error: Error| match options.patterns.len() {
        1 => error,
        _ => error.with_param(format!("patterns[{n}]")),
    };
    let mut parsed = Vec::with_capacity(options.patterns.len());
    for (n, pattern) in options.patterns.iter().enumerate() {
        parsed.push(Parsed::new(pattern, options).map_err(|error| name(n, error))?);
        if !options.multi_line && parsed[n].has_line_feed() {
            return Err(name(n, syntax_error(LINE_FEED.into(), None)));
        }
    }
    let insensitive = is_insensitive(options.case, &parsed);
    let hirs = parsed
        .iter()
        .enumerate()
        .map(|(n, one)| one.translate(options, insensitive).map_err(|error| name(n, error)));
    let hirs: Vec<Hir> = hirs.collect::<Result<_>>()?;
    let hir = Hir::alternation(hirs);
    let required = Required::of(&hir);
    let hir = if options.word {
        let (start, end) = (Look::WordStartHalfUnicode, Look::WordEndHalfUnicode);
        Hir::concat(vec![Hir::look(start), hir, Hir::look(end)])
    } else {
        hir
    };
    memory::check(&hir, automaton_bytes_max(options), DFA_CACHE_BYTES_MAX)?;
    let stepped =
        Stepped::new(&hir, size_bytes_max(options)).map_err(|why| syntax_error(why, None))?;
    // Only patterns within the limit above are compiled a second time.
    let texts: Vec<String> = parsed.iter().map(Parsed::text_to_join).collect();
    let builder = builder(options, insensitive);
    let may_wait = required.is_some()
        && size_bytes_max(options) >= SIZE_BYTES_DEFAULT
        && stepped.states() <= STATES_MAX_TO_WAIT
        && texts.len() == 1
        && compiles_surely(&hir);
    let lazy = match may_wait {
        true => LazyMatcher::later(builder.clone(), texts[0].clone()),
        false => LazyMatcher::now(build(&builder, &texts)?),
    };
    let plain = options.syntax == Syntax::Literal && !insensitive && !options.word;
    let cost_per_byte = match (plain, texts.len()) {
        (true, 1) => 0,
        (true, _) => stepped.states().min(LITERALS_COST_MAX),
        (false, _) => stepped.states(),
    };
    // Only if lines are searched one by one and the ordinary engine finds no literal in them.
    let is_anchored = hir.properties().look_set().contains_anchor_haystack();
    let by_line = !options.multi_line && !is_anchored;
    let ascii_lines = if by_line && required.is_none() { AsciiLines::new(&hir) } else { None };
    Ok(Pattern {
        lazy,
        ascii_lines,
        parts: Parts::new(builder, texts),
        required,
        stepped,
        hir,
        plan: OnceLock::new(),
        bytes_per_call: bytes_per_call(cost_per_byte),
        multi_line: options.multi_line,
    })
}

fn is_insensitive(case: Case, parsed: &[Parsed<'_>]) -> bool {
    match case {
        Case::Sensitive => false,
        Case::Insensitive => true,
        Case::Smart => {
            let letters = parsed.iter().fold(Letters::default(), |all, one| all.and(one.letters()));
            letters.any && !letters.upper_case
        }
    }
}

/// Returns whether a match of the patterns may be empty.
pub(super) fn may_match_empty(options: &PatternOptions) -> Result<bool> {
    check_limits(options)?;
    let insensitive = options.case != Case::Sensitive;
    for pattern in &options.patterns {
        let parsed = Parsed::new(pattern, options);
        let hir = parsed.and_then(|parsed| parsed.translate(options, insensitive));
        let hir = hir.map_err(|error| error.with_param("patterns"))?;
        if hir.properties().minimum_len() == Some(0) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn check_limits(options: &PatternOptions) -> Result<()> {
    let refused = |message| Error::new(ErrorKind::InvalidParam, message).with_param("patterns");
    let n_patterns = options.patterns.len();
    if n_patterns == 0 || n_patterns > PATTERNS_MAX {
        let message = format!("1 to {PATTERNS_MAX} patterns are needed, got {n_patterns}");
        return Err(refused(message));
    }
    if options.patterns.iter().any(String::is_empty) {
        return Err(refused("a pattern must not be empty".to_owned()));
    }
    let n_bytes: usize = options.patterns.iter().map(String::len).sum();
    if n_bytes > PATTERNS_BYTES_MAX {
        let message = format!(
            "the patterns must not exceed {PATTERNS_BYTES_MAX} bytes in total, got {n_bytes}"
        );
        return Err(refused(message));
    }
    if size_bytes_max(options) > SIZE_BYTES_MAX {
        let got = size_bytes_max(options);
        let predicate = format!("must be at most {SIZE_BYTES_MAX}, got {got}");
        return Err(Error::invalid_param("size_bytes_max", predicate));
    }
    Ok(())
}

/// Returns whether `grep-regex` accepts the expression parsed as `hir`, unless it is too large: it refuses
/// parts that match only a line feed.
fn compiles_surely(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => true,
        HirKind::Literal(literal) => !literal.0.contains(&b'\n'),
        HirKind::Class(Class::Unicode(class)) => {
            class.ranges().iter().any(|range| (range.start(), range.end()) != ('\n', '\n'))
        }
        HirKind::Class(Class::Bytes(class)) => {
            class.ranges().iter().any(|range| (range.start(), range.end()) != (b'\n', b'\n'))
        }
        HirKind::Repetition(repetition) => compiles_surely(&repetition.sub),
        HirKind::Capture(capture) => compiles_surely(&capture.sub),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => parts.iter().all(compiles_surely),
    }
}

fn size_bytes_max(options: &PatternOptions) -> usize {
    options.size_bytes_max.unwrap_or(SIZE_BYTES_DEFAULT)
}

/// Returns the maximum size of the automata that `grep-regex` builds for a pattern.
fn automaton_bytes_max(options: &PatternOptions) -> usize {
    size_bytes_max(options).saturating_mul(SIZE_COUNTED_BY_GREP)
}

fn builder(options: &PatternOptions, insensitive: bool) -> RegexMatcherBuilder {
    let line_end = if options.multi_line { None } else { Some(b'\n') };
    let mut builder = RegexMatcherBuilder::new();
    builder
        .fixed_strings(options.syntax == Syntax::Literal)
        .case_insensitive(insensitive)
        .multi_line(true)
        .dot_matches_new_line(options.dot_matches_line_feed)
        .word(options.word)
        .line_terminator(line_end)
        .size_limit(automaton_bytes_max(options))
        .dfa_size_limit(DFA_CACHE_BYTES_MAX)
        .nest_limit(NESTING_MAX + NESTING_ADDED);
    builder
}

fn build(builder: &RegexMatcherBuilder, texts: &[String]) -> Result<RegexMatcher> {
    builder.build_many(texts).map_err(|error| match error.kind() {
        grep_regex::ErrorKind::NotAllowed(_) => syntax_error(LINE_FEED.into(), None),
        _ => syntax_error(error.to_string(), None),
    })
}

/// One parsed pattern.
struct Parsed<'a> {
    text: &'a str,
    /// `None` for a literal.
    ast: Option<Ast>,
}

impl<'a> Parsed<'a> {
    fn new(text: &'a str, options: &PatternOptions) -> Result<Parsed<'a>> {
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

    /// Returns the text to put into a group: a comment at its end must not swallow the parenthesis.
    fn text_to_join(&self) -> String {
        let verbose = self.ast.as_ref().and_then(verbose_at_end).unwrap_or(false);
        if verbose { format!("{}\n", self.text) } else { self.text.to_owned() }
    }

    /// Returns whether it contains a line feed outside a class.
    fn has_line_feed(&self) -> bool {
        match &self.ast {
            None => self.text.contains('\n'),
            Some(ast) => matches!(ast::visit(ast, LineFeed), Err(HasLineFeed)),
        }
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

/// Returns whether the flag `x` is set at the end of `ast`, or `None` if nothing sets it. A flag set in a
/// group ends with the group.
fn verbose_at_end(ast: &Ast) -> Option<bool> {
    match ast {
        Ast::Flags(set) => set.flags.flag_state(ast::Flag::IgnoreWhitespace),
        Ast::Concat(concat) => concat.asts.iter().rev().find_map(verbose_at_end),
        Ast::Alternation(branches) => branches.asts.iter().rev().find_map(verbose_at_end),
        _ => None,
    }
}

/// Looks for a line feed.
struct LineFeed;

/// The error for a pattern that contains one.
struct HasLineFeed;

impl Visitor for LineFeed {
    type Output = ();
    type Err = HasLineFeed;

    fn finish(self) -> Result<(), HasLineFeed> {
        Ok(())
    }

    fn visit_pre(&mut self, ast: &Ast) -> Result<(), HasLineFeed> {
        match ast {
            Ast::Literal(literal) if literal.c == '\n' => Err(HasLineFeed),
            _ => Ok(()),
        }
    }
}

/// The letters that decide smart case: literal ones, not names of classes.
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
            // A position between characters is shown as the character after it.
            let behind = text[start..].chars().next().map_or(0, char::len_utf8);
            let range = start..span.end.offset.max(start + behind);
            let shown = text.get(range.clone()).unwrap_or_default();
            let at = format!("{why}, at byte {}: {shown:?}", range.start);
            Error::new(ErrorKind::PatternSyntax, at).with_span(range)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_patterns_are_compiled_on_the_calling_thread() {
        for quick in [r"class\s+\w+", r"[xyz]\d{7}", r"\p{Greek}", "{", "a{,3}", "x{2,16}"] {
            assert!(is_quick(&PatternOptions::regex(quick)), "{quick}");
        }
        assert!(is_quick(&PatternOptions::literal(r"{99999999999999999999}\w{90}")));
        let many = r"\w".repeat(60);
        for slow in
            [r"\w{90}", r"(?:(?:a?){30}){22}z", "a{4}{5}", "a{99999999999999999999999}", &many]
        {
            assert!(!is_quick(&PatternOptions::regex(slow)), "{slow}");
        }
        assert!(!is_quick(&PatternOptions::literal("x".repeat(300))));
    }
}
