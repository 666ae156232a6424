//! The text of a glob: its limits, and its tokens if they express it exactly.
//!
//! `globset` defines the syntax and meaning of globs. Most globs are few tokens, and comparing those is
//! faster than any compiled matcher: a glob is read into one pattern per alternative. If that would not be
//! exact or not be fast, there are no patterns, and the caller compiles the glob: many or nested braces,
//! braces beside a star, and classes that match `/`.

use super::limits::{ALTERNATIVES_MAX, BRACE_DEPTH_MAX, GLOB_BYTES_MAX, SPELLED_OUT_MAX};
use super::token::{ByteSet, Pattern, Token, Tokens};
use crate::error::{Error, Result};

/// The text that a glob is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    /// A base name, which contains no `/`.
    Name,
    Path,
}

/// Refuses globs whose compilation or matching could be expensive, or overflow a stack.
pub(crate) fn check(param: &str, glob: &str) -> Result<()> {
    if glob.is_empty() {
        return Err(Error::invalid_param(param, "must not be empty"));
    }
    if glob.len() > GLOB_BYTES_MAX {
        let why = format!("it has {} bytes; at most {GLOB_BYTES_MAX} are allowed", glob.len());
        return Err(Error::invalid_param(param, format!("is not a valid glob: {why}")));
    }
    let (mut depth, mut alternatives, mut escaped, mut in_class) = (0_usize, 0_usize, false, false);
    for byte in glob.bytes() {
        match byte {
            _ if escaped => {
                escaped = false;
                continue;
            }
            b'\\' => escaped = true,
            b'[' => in_class = true,
            b']' => in_class = false,
            b'{' if !in_class => depth += 1,
            b'}' if !in_class => depth = depth.saturating_sub(1),
            b',' if !in_class => alternatives += 1,
            0 => return Err(bad_glob(param, glob, "a file name contains no NUL")),
            _ => {}
        }
        if depth > BRACE_DEPTH_MAX {
            let message = format!("braces may nest at most {BRACE_DEPTH_MAX} deep");
            return Err(bad_glob(param, glob, &message));
        }
        if alternatives > ALTERNATIVES_MAX {
            let message = format!("a glob may have at most {ALTERNATIVES_MAX} alternatives");
            return Err(bad_glob(param, glob, &message));
        }
    }
    Ok(())
}

pub(crate) fn bad_glob(param: &str, glob: &str, why: &str) -> Error {
    Error::invalid_param(param, format!("is not a valid glob: {why}: {glob:?}"))
}

/// Reads a glob that `globset` accepts; `None` if it has to be compiled.
///
/// The glob matches if any of the patterns does. If it `folds`, ASCII letters match in either case.
pub(crate) fn read(glob: &str, subject: Subject, folds: bool) -> Option<Vec<Pattern>> {
    let alternatives = spell_out(glob)?;
    let read = alternatives.iter().map(|text| tokenize(text, subject, folds));
    let patterns: Vec<Option<Pattern>> = read.collect::<Option<_>>()?;
    Some(patterns.into_iter().flatten().collect())
}

/// Returns the total number of tokens.
pub(crate) fn n_tokens(patterns: &[Pattern]) -> usize {
    patterns.iter().map(|pattern| pattern.tokens().len()).sum()
}

/// Reads a glob without braces: `None` if it has to be compiled, and no pattern if it matches nothing.
fn tokenize(glob: &str, subject: Subject, folds: bool) -> Option<Option<Pattern>> {
    let bytes = glob.as_bytes();
    let mut tokens = Tokens::new(folds);
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'*' => at = read_stars(bytes, at, &mut tokens),
            b'?' => {
                tokens.list.push(Token::AnyByte);
                at += 1;
            }
            b'[' => {
                let (listed, negated, end) = class(glob, at)?;
                let crosses = listed.contains(b'/') != negated;
                if crosses && subject == Subject::Path {
                    return None;
                }
                if !tokens.push_class(listed, negated, true) {
                    return Some(None);
                }
                at = end;
            }
            b'\\' => {
                tokens.push_literal(*bytes.get(at + 1)?);
                at += 2;
            }
            byte => {
                tokens.push_literal(byte);
                at += 1;
            }
        }
    }
    if tokens.list == [Token::Directories] {
        // A leading `**` of any depth, alone, matches everything.
        tokens.push_run(Token::Anything);
    }
    Some(Some(tokens.into_pattern()))
}

/// Reads the one or two stars at `at`; returns the position after them, and after a `/` that is part of them.
fn read_stars(glob: &[u8], at: usize, tokens: &mut Tokens) -> usize {
    if glob.get(at + 1) != Some(&b'*') {
        tokens.push_run(Token::Segment);
        return at + 1;
    }
    let (next, is_first) = (glob.get(at + 2), tokens.list.is_empty());
    let starts_segment = is_first || glob[at - 1] == b'/';
    match next {
        None if is_first => tokens.push_run(Token::Directories),
        // A leading `**` of any depth already covers these.
        None | Some(b'/') if starts_segment && tokens.list == [Token::Directories] => {}
        None if starts_segment => tokens.push_run(Token::Anything),
        Some(b'/') if starts_segment => tokens.push_run(Token::Directories),
        _ => {
            tokens.push_run(Token::Segment);
            return at + 2;
        }
    }
    (at + 3).min(glob.len())
}

/// Reads the class whose `[` is at `open`. Returns its bytes, whether it is negated, and its end.
///
/// Matching is by bytes, not by characters: a range from or to a non-ASCII character has the bytes next to
/// the `-` as its ends, and the other bytes are members.
fn class(glob: &str, open: usize) -> Option<(ByteSet, bool, usize)> {
    let (negated, start, end) = class_members(glob, open)?;
    let mut ranges: Vec<(char, char)> = Vec::new();
    let mut in_range = false;
    for char in glob[start..end].chars() {
        match (char, ranges.last_mut()) {
            ('-', Some(_)) if !in_range => in_range = true,
            // Also after a range: `a-b-c` is a range to `c`.
            (_, Some(range)) if in_range => {
                range.1 = char;
                in_range = false;
            }
            _ => ranges.push((char, char)),
        }
    }
    if in_range {
        ranges.push(('-', '-'));
    }
    let mut listed = ByteSet::default();
    for (first, last) in ranges {
        let mut buffers = [[0; 4]; 2];
        let [first_buffer, last_buffer] = &mut buffers;
        let bounds = [first.encode_utf8(first_buffer), last.encode_utf8(last_buffer)];
        bounds.iter().flat_map(|bound| bound.bytes()).for_each(|byte| listed.insert(byte));
        if first < last {
            listed.insert_range(bounds[0].bytes().next_back()?, bounds[1].bytes().next()?);
        }
    }
    Some((listed, negated, end + 1))
}

/// Returns whether the class whose `[` is at `open` is negated, and the start and end of its members.
fn class_members(glob: &str, open: usize) -> Option<(bool, usize, usize)> {
    let rest = &glob.as_bytes()[open + 1..];
    let negated = matches!(rest.first(), Some(b'!' | b'^'));
    let sign = usize::from(negated);
    // A `]` in first position is a member.
    let len = rest.iter().skip(sign + 1).position(|byte| *byte == b']')? + 1;
    let start = open + 1 + sign;
    Some((negated, start, start + len))
}

/// Expands the braces of a glob into one text per choice of alternatives.
fn spell_out(glob: &str) -> Option<Vec<String>> {
    let bytes = glob.as_bytes();
    let mut texts = vec![String::new()];
    let mut at = 0;
    while at < glob.len() {
        let end = match bytes[at] {
            b'{' => {
                let end = at + memchr::memchr(b'}', &bytes[at..])?;
                let parts = alternatives(glob, at, end)?;
                texts = texts
                    .iter()
                    .flat_map(|text| parts.iter().map(move |part| format!("{text}{part}")))
                    .collect();
                if texts.len() > SPELLED_OUT_MAX {
                    return None;
                }
                at = end + 1;
                continue;
            }
            b'}' => return None,
            b'[' => class_members(glob, at)?.2 + 1,
            b'\\' => at + 1 + glob[at + 1..].chars().next()?.len_utf8(),
            _ => at + glob[at..].find(['{', '}', '[', '\\']).unwrap_or(glob.len() - at),
        };
        texts.iter_mut().for_each(|text| text.push_str(&glob[at..end]));
        at = end;
    }
    Some(texts)
}

/// Returns the alternatives in the braces at `open` and `close`, if expansion keeps the meaning: a star
/// beside the braces would join one in an alternative to form `**`.
fn alternatives(glob: &str, open: usize, close: usize) -> Option<Vec<&str>> {
    let before = glob[..open].bytes().next_back();
    let after = glob[close + 1..].bytes().next();
    let is_open = |byte: Option<u8>| !matches!(byte, Some(b'*' | b'{' | b'}'));
    let inside = &glob[open + 1..close];
    let is_plain = !inside.contains(['{', '[', '\\']) && !inside.contains("**");
    if !is_plain || !is_open(before) || !is_open(after) {
        return None;
    }
    // An empty alternative does not count.
    let parts: Vec<&str> = inside.split(',').filter(|part| !part.is_empty()).collect();
    // Braces without any other are left to `globset`.
    (!parts.is_empty()).then_some(parts)
}

/// Returns the glob with `/` excluded from its negated classes: `[!a]` is one character of a name.
pub(crate) fn without_slash_in_classes(glob: &str) -> String {
    let mut out = String::with_capacity(glob.len() + 8);
    let mut rest = glob;
    while let Some(at) = rest.find(['[', '\\']) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let is_class = from.starts_with("[!") || from.starts_with("[^");
        // A `]` right after the sign is a member; the class ends at the next one.
        let members = from.get(2..).filter(|_| is_class).unwrap_or_default();
        let end = members.char_indices().skip(1).find(|&(_, char)| char == ']').map(|(at, _)| at);
        let Some(end) = end else {
            // An escape, a class that is not negated, or no class: copied with the character it protects.
            let n_chars = if from.starts_with('\\') { 2 } else { 1 };
            let len = from.chars().take(n_chars).map(char::len_utf8).sum();
            out.push_str(&from[..len]);
            rest = &from[len..];
            continue;
        };
        let (listed, sign) = (&members[..end], &from[..2]);
        // Beside a literal `-` the added `/` would form a range.
        let listed = match (listed.ends_with('-'), listed.starts_with([']', '-'])) {
            (false, _) => format!("{listed}/"),
            (true, false) => format!("/{listed}"),
            (true, true) => listed.to_owned(),
        };
        out.extend([sign, &listed, "]"]);
        rest = &members[end + 1..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::as_native_path;
    use crate::wildcard::linear::{Steps, matches_any};
    use globset::GlobBuilder;
    use proptest::prelude::*;

    #[test]
    fn only_odd_globs_are_compiled() {
        for glob in [
            "*.c",
            "a*",
            "**",
            "**/a",
            "a/**",
            "a/**/b",
            "*.{c,h}",
            "{*.c,*.h}",
            "{a,b/c}/*",
            "[ab]*",
            "[!a]",
            "\\*",
            "a{,b}c",
            "é?",
            "{a,b}[cd]",
        ] {
            assert!(read(glob, Subject::Path, false).is_some() || glob == "[!a]", "{glob}");
            assert!(read(glob, Subject::Name, true).is_some(), "{glob}");
        }
        for glob in
            ["*{a,b}", "{a,b}*", "{a,{b,c}}", "{**/a,b}", "{a,b}{c,d}", "{[a],b}", "{\\a,b}"]
        {
            assert!(read(glob, Subject::Name, false).is_none(), "{glob}");
        }
        for glob in ["[!a]", "[+-1]", "a/[^b]*"] {
            assert!(read(glob, Subject::Path, false).is_none(), "{glob}");
        }
        let wide = format!("{{{}}}", "a,".repeat(SPELLED_OUT_MAX + 1));
        assert!(read(&wide, Subject::Name, false).is_none());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]
        #[test]
        fn verdicts_are_those_of_the_compiled_glob(
            glob in r"(a|b|A|é|\.|,|-|!|\*|\*|\*\*|\*\*/|/\*\*|/|\?|\[ab\]|\[!a\]|\[a-b-é\]|\[-a\]|\[\]b-\]|\[é-ü\]|\{a,b\}|\{,a\}|\{,\}|\{\*,b/a\}|\{a\*\.,/\}|\\\\a|\\\\\*|\{|\}){1,7}",
            path in r"(a|b|A|B|é|ü|\.|,|-|!|\*|/){1,9}",
            (folds, is_of_path) in any::<(bool, bool)>(),
        ) {
            // Paths are relative, and names contain no slash.
            let path = path.split('/').filter(|name| !name.is_empty()).collect::<Vec<_>>();
            let path = if is_of_path { path.join("/") } else { path.concat() };
            let subject = if is_of_path { Subject::Path } else { Subject::Name };
            let compiled = GlobBuilder::new(&glob).literal_separator(true).case_insensitive(folds).build();
            if let (Ok(compiled), Some(patterns)) = (compiled, read(&glob, subject, folds)) {
                let expected = compiled.compile_matcher().is_match(as_native_path(path.as_bytes()));
                let matches = matches_any(&patterns, path.as_bytes(), &mut Steps::unlimited());
                prop_assert_eq!(matches, expected, "{} on {:?}: {:?}", glob, path, patterns);
            }
        }
    }
}
