//! Globs as other programs take them.

/// Returns a glob that matches the same names in any case of their ASCII letters, as `rg --iglob` does.
///
/// The engine's globs match letters as they are, so each letter becomes a class of its two cases. A class
/// receives the other case of its letters, and of ranges whose ends are letters of one case.
pub(crate) fn ignoring_case(glob: &str) -> String {
    let mut folded = String::with_capacity(4 * glob.len());
    let mut chars = glob.chars();
    while let Some(char) = chars.next() {
        match char {
            '\\' => match chars.next() {
                Some(escaped) if other_case(escaped).is_some() => push_letter(&mut folded, escaped),
                Some(escaped) => folded.extend(['\\', escaped]),
                None => folded.push('\\'),
            },
            '[' => {
                let rest = chars.as_str();
                let Some(len) = class_len(rest) else {
                    folded.push('[');
                    continue;
                };
                folded.push('[');
                push_class(&mut folded, &rest[..len]);
                folded.push(']');
                chars = rest[len + 1..].chars();
            }
            char => push_letter(&mut folded, char),
        }
    }
    folded
}

/// Returns the other case of a letter of ASCII: the classes of globs are of bytes.
fn other_case(char: char) -> Option<char> {
    match char {
        'a'..='z' => Some(char.to_ascii_uppercase()),
        'A'..='Z' => Some(char.to_ascii_lowercase()),
        _ => None,
    }
}

fn push_letter(folded: &mut String, char: char) {
    match other_case(char) {
        Some(other) => folded.extend(['[', char, other, ']']),
        None => folded.push(char),
    }
}

/// Returns a class without the sign of its negation.
fn members(class: &str) -> &str {
    class.strip_prefix(['!', '^']).unwrap_or(class)
}

/// Returns the length of a class up to its closing bracket, which does not close it as its first character.
fn class_len(rest: &str) -> Option<usize> {
    let start = rest.len() - members(rest).len();
    let first = rest[start..].chars().next()?.len_utf8();
    rest[start + first..].find(']').map(|at| start + first + at)
}

/// Appends the characters of a class, then their other cases, then the dash that is its last character.
fn push_class(folded: &mut String, class: &str) {
    let body = class.strip_suffix('-').unwrap_or(class);
    folded.push_str(body);
    let items: Vec<char> = members(class).chars().collect();
    let mut at = 0;
    while let Some(&first) = items.get(at) {
        let range = (items.get(at + 1) == Some(&'-')).then(|| items.get(at + 2)).flatten();
        match range {
            Some(&last) => {
                let is_of_one_case = first.is_ascii_lowercase() && last.is_ascii_lowercase()
                    || first.is_ascii_uppercase() && last.is_ascii_uppercase();
                if let (Some(first), Some(last), true) =
                    (other_case(first), other_case(last), is_of_one_case)
                {
                    folded.extend([first, '-', last]);
                }
                at += 3;
            }
            None => {
                folded.extend(other_case(first));
                at += 1;
            }
        }
    }
    folded.push_str(&class[body.len()..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_match_in_both_cases() {
        let cases = [
            ("*.rs", "*.[rR][sS]"),
            ("!*.{MD,c1}", "!*.{[Mm][Dd],[cC]1}"),
            ("[a-z]x", "[a-zA-Z][xX]"),
            ("[!aB-]", "[!aBAb-]"),
            ("[]a]", "[]aA]"),
            (r"\*\n", r"\*[nN]"),
            ("Ä?", "Ä?"),
            ("[ab", "[[aA][bB]"),
        ];
        for (glob, folded) in cases {
            assert_eq!(ignoring_case(glob), folded, "{glob}");
        }
    }

    #[test]
    fn folded_globs_match_what_globset_matches_without_case() {
        let names = ["README.md", "readme.MD", "Main.rs", "b-1", "B", "]", "Ärger", "ärger", "x*"];
        let globs = [
            "readme.*",
            "*.{MD,RS}",
            "[a-c]*",
            "[!A-C]*",
            "[]b]",
            "Ärger",
            r"x\*",
            "[b-]*",
            "??",
            "[^x]*",
        ];
        for glob in globs {
            let mut builder = globset::GlobBuilder::new(glob);
            let expected = builder.case_insensitive(true).build().unwrap().compile_matcher();
            let folded = globset::Glob::new(&ignoring_case(glob)).unwrap().compile_matcher();
            for name in names {
                assert_eq!(folded.is_match(name), expected.is_match(name), "{glob} {name}");
            }
        }
    }
}
