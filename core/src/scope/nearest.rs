//! Errors about names that are not known: which ones are, nearest first.

/// A name that is at least this similar is worth suggesting.
const SIMILAR: f64 = 0.7;
/// Names that an error lists.
const LISTED_MAX: usize = 20;
/// More of a name is not shown.
const SHOWN_CHARS_MAX: usize = 60;

/// Says that `name` is unknown, which one was probably meant, and which there are.
pub(super) fn unknown(what: &str, name: &str, known: &[&str]) -> String {
    let folded = name.to_lowercase();
    let mut ranked: Vec<(f64, &str)> = known
        .iter()
        .map(|known| (strsim::jaro_winkler(&known.to_lowercase(), &folded), *known))
        .collect();
    ranked.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let hint = match ranked.first() {
        Some((similarity, nearest)) if *similarity >= SIMILAR => {
            format!("did you mean '{}'? ", shorten(nearest))
        }
        _ => String::new(),
    };
    let mut listed: Vec<String> =
        ranked.iter().take(LISTED_MAX).map(|(_, known)| shorten(known)).collect();
    if ranked.len() > LISTED_MAX {
        listed.push(format!("and {} more", ranked.len() - LISTED_MAX));
    }
    let listed = if listed.is_empty() { "none".to_owned() } else { listed.join(", ") };
    format!("unknown {what} '{}'; {hint}known: {listed}", shorten(name))
}

/// A text as errors show it, cut when it is long.
pub(super) fn shorten(text: &str) -> String {
    let mut chars = text.chars();
    let mut short: String = chars.by_ref().take(SHOWN_CHARS_MAX).collect();
    if chars.next().is_some() {
        short.push('…');
    }
    short
}
