//! Matching without compilation: compares tokens with bytes, and counts its steps.
//!
//! A pattern without runs is compared byte by byte. A run first matches as little as possible and takes more
//! only when a later token fails. Only the last run of each kind can be worth another attempt: an earlier
//! [`Token::Segment`] of the same name would leave less for the later one, and a [`Token::Directories`] or
//! [`Token::Anything`] can itself take whatever an earlier attempt would have moved. Two remembered places
//! therefore suffice, and time is at most the length of the pattern times that of the text. The tokens after
//! the last run have one possible place in the text, its end, and are compared first.
//!
//! The argument requires that a separator is matched by a literal and never by a class, and that
//! [`Token::Directories`] is first or after a separator, unless it is the first run. Dialects guarantee both.

use super::token::{Pattern, Symbol, Token};

/// Steps between two polls: some 100 µs.
pub(crate) const STEPS_PER_POLL: usize = 1 << 16;

/// Counts the steps of matching and polls now and then.
pub(crate) struct Steps<'a> {
    left: usize,
    go_on: Option<&'a mut dyn FnMut() -> bool>,
    is_stopped: bool,
    n_polls: usize,
}

impl<'a> Steps<'a> {
    /// Returns steps that call `go_on` after every [`STEPS_PER_POLL`]; once it returns false, no pattern
    /// matches any more.
    pub(crate) fn polled(go_on: &'a mut dyn FnMut() -> bool) -> Steps<'a> {
        Steps { left: STEPS_PER_POLL, go_on: Some(go_on), is_stopped: false, n_polls: 0 }
    }

    /// Returns steps that are never stopped.
    pub(crate) const fn unlimited() -> Steps<'static> {
        Steps { left: usize::MAX, go_on: None, is_stopped: false, n_polls: 0 }
    }

    /// Counts `n` steps; returns false when matching must stop.
    #[inline]
    pub(crate) fn spend(&mut self, n: usize) -> bool {
        match self.left.checked_sub(n) {
            Some(left) => {
                self.left = left;
                true
            }
            None => self.poll(),
        }
    }

    #[cold]
    fn poll(&mut self) -> bool {
        let Some(go_on) = &mut self.go_on else { return true };
        if !self.is_stopped {
            self.n_polls += 1;
            self.is_stopped = !go_on();
        }
        self.left = if self.is_stopped { 0 } else { STEPS_PER_POLL };
        !self.is_stopped
    }

    /// Returns the number of steps counted, or a few less.
    #[cfg(test)]
    pub(crate) const fn n_spent(&self) -> usize {
        (self.n_polls + 1) * STEPS_PER_POLL - self.left
    }
}

/// Returns whether any of the patterns matches all of `text`.
pub(super) fn matches_any(patterns: &[Pattern], text: &[u8], steps: &mut Steps<'_>) -> bool {
    patterns.iter().any(|pattern| pattern.matches(text, steps))
}

impl Pattern {
    /// Returns whether the pattern matches all of `text`.
    pub(crate) fn matches(&self, text: &[u8], steps: &mut Steps<'_>) -> bool {
        let (runs, tail) = self.tokens.split_at(self.tail);
        let Some(end) = text.len().checked_sub(tail.len()) else { return false };
        if runs.is_empty() && end > 0 || !steps.spend(tail.len() + 1) {
            return false;
        }
        let (text, last) = text.split_at(end);
        let is_last = tail.iter().rev().zip(last.iter().rev()).all(|(&t, &b)| self.takes(t, b));
        is_last && (runs.is_empty() || self.match_runs(runs, text, steps))
    }

    /// Returns whether `tokens`, the last of which is a run, match all of `text`.
    fn match_runs(&self, tokens: &[Token], text: &[u8], steps: &mut Steps<'_>) -> bool {
        let mut outer: Option<Attempt> = None;
        let mut inner: Option<Attempt> = None;
        let (mut at, mut from, mut counted) = (0, 0, 0);
        loop {
            let token = tokens[at];
            at += 1;
            if at == tokens.len() {
                if ends_with_run(token, &text[from..]) {
                    return true;
                }
            } else if token == Token::Segment {
                inner = Some(Attempt { token: at, byte: from });
                continue;
            } else if token.is_run() {
                (outer, inner) = (Some(Attempt { token: at, byte: from }), None);
                continue;
            } else if text.get(from).is_some_and(|&byte| self.takes(token, byte)) {
                if token == Token::SLASH {
                    inner = None;
                }
                from += 1;
                continue;
            }
            if !steps.spend(1 + from - counted) {
                return false;
            }
            inner = inner.and_then(|run| run.longer(Token::Segment, text));
            let next = inner.or_else(|| {
                outer = outer.and_then(|run| run.longer(tokens[run.token - 1], text));
                outer
            });
            let Some(next) = next else { return false };
            (at, from, counted) = (next.token, next.byte, next.byte);
        }
    }

    /// Returns whether `token`, which is not a run, matches `byte`.
    #[inline]
    fn takes(&self, token: Token, byte: u8) -> bool {
        match token {
            Token::Literal(symbol) => symbol == Symbol::from(byte),
            Token::Letter(letter) => byte | 0x20 == letter,
            Token::AnyByte => byte != b'/',
            Token::Class(class) => self.classes[usize::from(class)].contains(byte),
            Token::Anything | Token::Segment | Token::Directories => false,
        }
    }
}

/// A run that may match more: the token after it, and the byte after its match so far.
#[derive(Clone, Copy)]
struct Attempt {
    token: usize,
    byte: usize,
}

impl Attempt {
    /// Returns the attempt with the next longer run, if `run` can match one.
    fn longer(self, run: Token, text: &[u8]) -> Option<Attempt> {
        let rest = &text[self.byte..];
        let more = match run {
            Token::Segment => rest.first().filter(|byte| **byte != b'/').map(|_| 0),
            Token::Directories => memchr::memchr(b'/', rest),
            _ => rest.first().map(|_| 0),
        }?;
        Some(Attempt { byte: self.byte + more + 1, ..self })
    }
}

/// Returns whether `run` matches all of `rest`.
fn ends_with_run(run: Token, rest: &[u8]) -> bool {
    match run {
        Token::Segment => memchr::memchr(b'/', rest).is_none(),
        Token::Directories => rest.last().is_none_or(|byte| *byte == b'/'),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wildcard::token::ByteSet;
    use proptest::prelude::*;

    const SLASH: Token = Token::SLASH;

    /// Returns whether the tokens match, by trying everything.
    fn matches_naively(tokens: &[Token], classes: &[ByteSet], text: &[u8]) -> bool {
        let Some((&token, rest)) = tokens.split_first() else { return text.is_empty() };
        let after = |n: usize| matches_naively(rest, classes, &text[n..]);
        let run = |holds: &dyn Fn(u8) -> bool| text.iter().take_while(|byte| holds(**byte)).count();
        match token {
            Token::Anything => (0..=text.len()).any(after),
            Token::Segment => (0..=run(&|byte| byte != b'/')).any(after),
            Token::Directories => {
                after(0) || (1..=text.len()).any(|n| text[n - 1] == b'/' && after(n))
            }
            Token::AnyByte => text.first().is_some_and(|byte| *byte != b'/') && after(1),
            Token::Class(class) => {
                let class = classes[usize::from(class)];
                text.first().is_some_and(|byte| class.contains(*byte)) && after(1)
            }
            Token::Letter(letter) => {
                text.first().is_some_and(|byte| byte.to_ascii_lowercase() == letter) && after(1)
            }
            Token::Literal(symbol) => {
                text.first().is_some_and(|byte| Symbol::from(*byte) == symbol) && after(1)
            }
        }
    }

    /// Generates one segment of a pattern.
    fn segment() -> impl Strategy<Value = Vec<Token>> {
        let literal = prop::sample::select(vec![b'a', b'b']).prop_map(|b| Token::Literal(b.into()));
        let token = prop_oneof![
            4 => literal,
            1 => Just(Token::AnyByte),
            1 => Just(Token::Letter(b'a')),
            1 => Just(Token::Class(0)),
            3 => Just(Token::Segment),
        ];
        prop::collection::vec(token, 0..5)
    }

    prop_compose! {
        /// Generates segments with directories before some of them, and anything after the last.
        fn tokens()(
            start in segment(),
            segments in prop::collection::vec((any::<bool>(), segment()), 0..4),
            (is_glued, deep_start, open_end) in any::<(bool, bool, bool)>(),
        ) -> Vec<Token> {
            let mut tokens = if deep_start { vec![Token::Directories] } else { Vec::new() };
            tokens.extend(start);
            if is_glued && !tokens.iter().any(|token| token.is_run()) {
                tokens.push(Token::Directories);
            }
            for (is_deep, segment) in segments {
                tokens.push(SLASH);
                tokens.extend(is_deep.then_some(Token::Directories));
                tokens.extend(segment);
            }
            tokens.extend(open_end.then_some(Token::Anything));
            tokens
        }
    }

    fn class() -> ByteSet {
        let mut class = ByteSet::default();
        class.insert_range(b'b', b'c');
        class
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]
        #[test]
        fn matching_equals_exhaustive_search(tokens in tokens(), text in "[abA/]{0,12}") {
            let expected = matches_naively(&tokens, &[class()], text.as_bytes());
            let pattern = Pattern::new(tokens, vec![class()]);
            let matches = pattern.matches(text.as_bytes(), &mut Steps::unlimited());
            prop_assert_eq!(matches, expected, "{:?} on {:?}", pattern, text);
        }

        #[test]
        fn a_wildcard_equals_exhaustive_search(
            tokens in "[ab*]{0,10}",
            text in "[ab/]{0,12}",
        ) {
            let token = |byte: u8| match byte {
                b'*' => Token::Anything,
                byte => Token::Literal(byte.into()),
            };
            let tokens: Vec<Token> = tokens.bytes().map(token).collect();
            let expected = matches_naively(&tokens, &[], text.as_bytes());
            let pattern = Pattern::new(tokens, Vec::new());
            prop_assert_eq!(pattern.matches(text.as_bytes(), &mut Steps::unlimited()), expected);
        }
    }

    #[test]
    fn steps_are_at_most_the_product_of_the_lengths() {
        let run = |run, text: &str| {
            let literals = text.bytes().map(|byte| Token::Literal(byte.into()));
            std::iter::once(run).chain(literals).collect::<Vec<_>>()
        };
        let a = "a".repeat(250);
        for (part, text) in [
            (run(Token::Segment, "aaaaaaab"), a.clone()),
            (run(Token::Segment, "ab"), "ab".repeat(120)),
            (run(Token::Directories, "a/a/a/a/b/"), ["a"; 500].join("/")),
            (run(Token::Directories, &format!("{a}/{a}/")), vec![a; 16].join("/")),
        ] {
            let tokens = [part.repeat(8), vec![Token::AnyByte, Token::Segment]].concat();
            let product = tokens.len() * text.len();
            let pattern = Pattern::new(tokens, Vec::new());
            let mut go_on = || true;
            let mut steps = Steps::polled(&mut go_on);
            pattern.matches(text.as_bytes(), &mut steps);
            assert!(steps.n_spent() <= 2 * product, "{} of {product}", steps.n_spent());
        }
    }
}
