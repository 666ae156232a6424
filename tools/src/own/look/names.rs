//! Files by their names: exact, by a glob or regex, in another naming, or with a typing error.

use super::query::{Query, folded, words_of};
use searchscope::toolkit::{NamePattern, Role};
use searchscope::{
    Call, FileOptions, FindRequest, FoundFile, NameOptions, RelPath, Report, Result, UnicodeForm,
    Workspace,
};
use std::ops::ControlFlow;
use std::path::Path;

/// Quality of a path's match, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fit {
    /// The name, or the end of the path, equals the text.
    Exact,
    /// The name, or the path where the text has a `/`, contains the text.
    Contains,
    /// The text is a glob or regex that matches.
    Pattern,
    /// The path contains the same letters, or all words, in another naming or order.
    Naming,
    /// The name is one or two letters off.
    Slip,
}

/// Paths that fit, best first.
#[derive(Debug)]
pub(super) struct Names {
    pub(super) fit: Option<Fit>,
    /// Ordered by role (production code before tests, documentation and generated files), then by
    /// path.
    pub(super) paths: Vec<String>,
    /// The number of paths, kept or not.
    pub(super) n_paths: u64,
    /// The report of the find; its `searched_files` is the number of names that were compared.
    pub(super) report: Report,
}

impl Names {
    /// Returns whether there are paths, and all are hidden or below a hidden directory.
    pub(super) fn are_hidden(&self) -> bool {
        let is_hidden = |path: &String| path.split('/').any(|part| part.starts_with('.'));
        !self.paths.is_empty() && self.paths.iter().all(is_hidden)
    }
}

/// Maximum number of paths that are kept; more are counted.
const PATHS_MAX: usize = 20_000;

/// Finds the paths that fit `query` best: only those with the best fit that occurs, up to `worst`.
///
/// # Errors
///
/// Those of a find; `pattern_syntax` for a regex that does not compile.
pub(super) fn find(
    workspace: &Workspace,
    query: &Query,
    worst: Fit,
    (path, files): (&str, FileOptions),
    call: &Call,
) -> Result<Names> {
    let mut request = FindRequest::new(files, None, None);
    request.paths = vec![path.to_owned()];
    let wanted = NameMatcher::new(query)?;
    let (mut fit, mut paths) = (worst, Vec::new());
    let mut any = None;
    let (mut n_seen, mut n_paths) = (0, 0);
    let mut report = workspace.run_find_each(&request, call, &mut |file: &FoundFile| {
        n_seen += 1;
        if let Some(own) = wanted.fit(&file.path, fit) {
            if own < fit || any.is_none() {
                paths.clear();
                n_paths = 0;
                (fit, any) = (own, Some(own));
            }
            n_paths += 1;
            if paths.len() < PATHS_MAX {
                paths.push(file.path.display().into_owned());
            }
        }
        ControlFlow::Continue(())
    })?;
    report.searched_files = n_seen;
    let last = query.text.rsplit('/').next().unwrap_or_default().to_lowercase();
    // A file named like the last part of the text comes before those below a directory of that name.
    let is_below = |path: &str| {
        let name = path.rsplit('/').next().unwrap_or_default().to_lowercase();
        last.is_empty() || !name.starts_with(&last)
    };
    paths.sort_by_cached_key(|path| (Role::of(path), is_below(path), path.clone()));
    Ok(Names { fit: any, paths, n_paths, report })
}

/// Below this length, a text in another naming must equal whole words: `s.txt` is not in
/// `lines.txt`.
const LETTERS_WITHIN_WORDS: usize = 6;

/// The text in the forms that names are compared with.
struct NameMatcher {
    lower: String,
    folded: String,
    words: Vec<String>,
    has_slash: bool,
    is_regex: bool,
    /// The regex, or the glob if the text contains glob characters.
    pattern: Option<NamePattern>,
}

impl NameMatcher {
    fn new(query: &Query) -> Result<NameMatcher> {
        let lower = query.text.to_lowercase();
        let lower = lower.trim_start_matches("./").trim_start_matches('/').to_owned();
        Ok(NameMatcher {
            pattern: pattern(query)?,
            is_regex: query.is_regex,
            folded: folded(&lower),
            words: query
                .words
                .iter()
                .map(|word| folded(word))
                .filter(|word| !word.is_empty())
                .collect(),
            has_slash: lower.contains('/'),
            lower,
        })
    }

    /// Returns how well `path` fits, if at least as well as `worst`.
    fn fit(&self, path: &RelPath, worst: Fit) -> Option<Fit> {
        let matches =
            || worst >= Fit::Pattern && self.pattern.as_ref().is_some_and(|p| p.matches(path));
        if self.is_regex || self.folded.is_empty() {
            return matches().then_some(Fit::Pattern);
        }
        let fit = self.fit_of_text(&path.display().to_lowercase(), worst);
        match fit {
            Some(Fit::Exact | Fit::Contains) => fit,
            _ if matches() => Some(Fit::Pattern),
            // The letters of a glob without its special characters are not a name.
            _ if self.pattern.is_some() => None,
            _ => fit,
        }
    }

    /// Returns how well `path`, in lower case, fits as a text.
    fn fit_of_text(&self, path: &str, worst: Fit) -> Option<Fit> {
        let name = path.rsplit('/').next().unwrap_or_default();
        let stem = name.split('.').next().unwrap_or_default();
        let is_end = path
            .strip_suffix(&self.lower)
            .is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
        let is_end_without_extension = self.has_slash
            && name.rfind('.').is_some_and(|dot| {
                let end = path.len() - name.len() + dot;
                dot > 0
                    && path[..end]
                        .strip_suffix(&self.lower)
                        .is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
            });
        if is_end || is_end_without_extension || !self.has_slash && stem == self.lower {
            return Some(Fit::Exact);
        }
        let place = if self.has_slash { path } else { name };
        let n_letters = self.folded.chars().count();
        let is_short = n_letters < LETTERS_WITHIN_WORDS;
        // A short text with an extension is a whole name, not the end of a longer one.
        let is_whole = is_short && self.lower.find('.').is_some_and(|dot| dot > 0);
        let mut places = place.match_indices(&self.lower);
        let is_border = |at| !place[..at].ends_with(char::is_alphanumeric);
        if worst >= Fit::Contains && places.any(|(at, _)| !is_whole || is_border(at)) {
            return Some(Fit::Contains);
        }
        if worst < Fit::Naming {
            return None;
        }
        let name = folded(place);
        let has_letters =
            || name.contains(&self.folded) && (!is_short || has_as_words(place, &self.folded));
        let has_words = || {
            let path = folded(path);
            self.words.len() > 1 && self.words.iter().all(|word| path.contains(word))
        };
        if has_letters() || has_words() {
            return Some(Fit::Naming);
        }
        if worst < Fit::Slip {
            return None;
        }
        let edits_max = match n_letters {
            0..4 => return None,
            4..8 => 1,
            _ => 2,
        };
        let is_near = |other: &str| {
            other.chars().count().abs_diff(n_letters) <= edits_max
                && strsim::osa_distance(other, &self.folded) <= edits_max
        };
        (is_near(&name) || is_near(&folded(stem))).then_some(Fit::Slip)
    }
}

/// Returns whether successive whole words of `name` have the letters `wanted`.
fn has_as_words(name: &str, wanted: &str) -> bool {
    let words: Vec<String> = words_of(name).iter().map(|word| folded(word)).collect();
    (0..words.len()).any(|first| {
        let mut rest = wanted;
        for word in &words[first..] {
            match rest.strip_prefix(word.as_str()) {
                Some("") => return true,
                Some(behind) => rest = behind,
                None => return false,
            }
        }
        false
    })
}

/// Returns the pattern to compare names with: a regex matches anywhere in the path; a glob matches
/// the whole name, or with a `/` in it the whole path. Any other text has no pattern.
fn pattern(query: &Query) -> Result<Option<NamePattern>> {
    let compiled = |text: &str, glob: bool, full_path_match: bool| {
        let pattern = Some(text.to_owned());
        let options = NameOptions { pattern, glob, full_path_match, ..NameOptions::default() };
        NamePattern::new(&options, Path::new(""), UnicodeForm::Bytes)
    };
    if query.is_regex {
        return compiled(&query.text, false, true);
    }
    if !query.text.contains(['*', '?', '[', '{']) {
        return Ok(None);
    }
    let glob = query.text.trim_start_matches("./").trim_start_matches('/');
    Ok(compiled(glob, true, glob.contains('/')).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_fit_by_their_names() {
        for (q, path, fit) in [
            ("context-mcp.js", "node/service/context-mcp.js", Some(Fit::Exact)),
            ("service/mcp.js", "node/service/mcp.js", Some(Fit::Exact)),
            ("Cargo", "core/Cargo.toml", Some(Fit::Exact)),
            ("mcp", "node/service/context-mcp.js", Some(Fit::Contains)),
            ("contextMcp", "node/service/context-mcp.js", Some(Fit::Naming)),
            ("service context", "node/service/context-mcp.js", Some(Fit::Naming)),
            ("contxt-mcp.js", "node/service/context-mcp.js", Some(Fit::Slip)),
            ("contxt-mcp", "node/service/context-mcp.js", Some(Fit::Slip)),
            ("render", "node/service/context-mcp.js", None),
            ("js", "a/b.rs", None),
            ("s.txt", "all 9 lines.txt", None),
            ("row", "arrow.rs", Some(Fit::Contains)),
            ("9lines", "all 9 lines.txt", Some(Fit::Naming)),
            ("s-txt", "s.txt", Some(Fit::Naming)),
            ("/asyncio.*events/", "asyncio/base_events.py", Some(Fit::Pattern)),
            ("/^asyncio.*events/", "asyncio/base_events.py", Some(Fit::Pattern)),
            ("/^base_events/", "asyncio/base_events.py", None),
            ("asyncio/*.py", "asyncio/base_events.py", Some(Fit::Pattern)),
            ("asyncio/*.py", "asyncio/__pycache__/base_events.py", None),
            ("*_events.py", "asyncio/base_events.py", Some(Fit::Pattern)),
            ("[id].tsx", "app/[id].tsx", Some(Fit::Exact)),
            ("[a", "app/[a].tsx", Some(Fit::Contains)),
        ] {
            let path = searchscope::testing::path(path);
            let matcher = NameMatcher::new(&Query::read(q)).expect("it compiles");
            assert_eq!(matcher.fit(&path, Fit::Slip), fit, "{q}");
        }
    }
}
