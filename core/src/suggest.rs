//! Suggestions for an unknown name.

/// The minimum similarity of a name worth suggesting.
pub const SIMILAR: f64 = 0.7;
/// The maximum number of known names that an error lists.
const LISTED_MAX: usize = 20;
/// The maximum length of an unknown name in an error.
const SHOWN_CHARS_MAX: usize = 60;
/// The maximum length of a known name, which must be whole to be useful.
const KNOWN_CHARS_MAX: usize = 200;

/// Returns a message that `name` is unknown, with the best suggestion and the known names, nearest first.
pub fn unknown(what: &str, name: &str, known: &[&str]) -> String {
    let near = similar(name, known, SIMILAR);
    let nearest: Vec<String> =
        near.first().map(|&n| cut(known[n], KNOWN_CHARS_MAX)).into_iter().collect();
    let hint = question(&nearest);
    let others = (0..known.len()).filter(|n| !near.contains(n));
    let ranked = near.iter().copied().chain(others);
    let mut listed: Vec<String> =
        ranked.take(LISTED_MAX).map(|n| cut(known[n], KNOWN_CHARS_MAX)).collect();
    if known.len() > LISTED_MAX {
        listed.push(format!("and {} more", known.len() - LISTED_MAX));
    }
    let listed = if listed.is_empty() { "none".to_owned() } else { listed.join(", ") };
    format!("unknown {what} '{}'; {hint}known: {listed}", shorten(name))
}

/// Returns "did you mean 'a' or 'b'? " for the middle of a message, or nothing without names.
pub fn question<S: AsRef<str>>(names: &[S]) -> String {
    if names.is_empty() { String::new() } else { format!("{} ", did_you_mean(&in_quotes(names))) }
}

/// Returns "; did you mean 'a' or 'b'?" for the end of a message, or nothing without names.
pub fn suggestion<S: AsRef<str>>(names: &[S]) -> String {
    suggestion_of(&in_quotes(names))
}

/// Like [`suggestion`], for names that are already in quotes if they need them.
pub fn suggestion_of(quoted: &[String]) -> String {
    if quoted.is_empty() { String::new() } else { format!("; {}", did_you_mean(quoted)) }
}

fn in_quotes<S: AsRef<str>>(names: &[S]) -> Vec<String> {
    names.iter().map(|name| format!("'{}'", name.as_ref())).collect()
}

fn did_you_mean(quoted: &[String]) -> String {
    format!("did you mean {}?", quoted.join(" or "))
}

/// Returns the indices of `known` with at least this similarity to `name`, whatever their case, nearest
/// first.
pub fn similar(name: &str, known: &[&str], at_least: f64) -> Vec<usize> {
    let name = cut(name, KNOWN_CHARS_MAX).to_lowercase();
    let similarity = |known: &&str| strsim::jaro_winkler(&known.to_lowercase(), &name);
    let known = known.iter().map(similarity).enumerate();
    let mut all: Vec<(usize, f64)> =
        known.filter(|(_, similarity)| *similarity >= at_least).collect();
    // The sort is stable: equally similar names stay in their order.
    all.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    all.into_iter().map(|(n, _)| n).collect()
}

/// Returns a text as errors show it, cut if it is long.
pub fn shorten(text: &str) -> String {
    cut(text, SHOWN_CHARS_MAX)
}

fn cut(text: &str, chars_max: usize) -> String {
    let mut chars = text.chars();
    let mut short: String = chars.by_ref().take(chars_max).collect();
    if chars.next().is_some() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_names_come_first() {
        let known = ["core", "server", "web"];
        assert_eq!(
            unknown("module", "sever", &known),
            "unknown module 'sever'; did you mean 'server'? known: server, core, web"
        );
        assert_eq!(unknown("module", "x", &[]), "unknown module 'x'; known: none");
    }

    #[test]
    fn names_are_suggested_in_quotes_or_not_at_all() {
        let none: [&str; 0] = [];
        assert_eq!((question(&none), suggestion(&none)), (String::new(), String::new()));
        assert_eq!(question(&["a"]), "did you mean 'a'? ");
        assert_eq!(suggestion(&["a", "b"]), "; did you mean 'a' or 'b'?");
        assert_eq!(suggestion_of(&["a b".to_owned()]), "; did you mean a b?");
    }

    #[test]
    fn long_names_and_lists_are_cut() {
        let names: Vec<String> = (0..50).map(|n| format!("{n}")).collect();
        let known: Vec<&str> = names.iter().map(String::as_str).collect();
        let said = unknown("module", &"y".repeat(1000), &known);
        assert!(said.ends_with("18, 19, and 30 more") && said.len() < 300, "{said}");
    }
}
