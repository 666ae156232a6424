//! Files by their names: as written, in another naming, or with a slip.

use super::query::{Query, folded};
use crate::error::Result;
use crate::search::{FindRequest, Flow, FoundFile, Report};
use crate::walk::FileOptions;
use crate::{CancelToken, Workspace};
use std::time::Duration;

/// How a path fits, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fit {
    /// The name, or the end of the path, is the text.
    Exact,
    /// The name, or the path where the text has a `/`, contains the text.
    Contains,
    /// It contains the same letters, or all words, in another naming or order.
    Naming,
    /// Its name is one or two letters off.
    Slip,
}

/// Paths that fit, the best first.
#[derive(Debug)]
pub(super) struct Names {
    pub(super) fit: Option<Fit>,
    pub(super) paths: Vec<String>,
    pub(super) report: Report,
}

/// Paths that are kept; of more only the number would matter, and that is counted.
const PATHS_MAX: usize = 20_000;

/// Finds the paths that fit `query` best: only those of the best fit that any path has, up to `worst`.
///
/// # Errors
///
/// Those of a find.
pub(super) fn find(
    workspace: &Workspace,
    query: &Query,
    worst: Fit,
    (path, files): (&str, FileOptions),
    timeout: Duration,
    cancel: &CancelToken,
) -> Result<Names> {
    let mut request = FindRequest::new(files, u64::MAX, usize::MAX);
    request.paths = vec![path.to_owned()];
    request.timeout = Some(timeout);
    let wanted = Wish::new(query);
    let (mut fit, mut paths) = (worst, Vec::new());
    let mut any = None;
    let report = workspace.find_each(&request, cancel, &mut |file: &FoundFile| {
        let path = file.path.display();
        if let Some(own) = wanted.fit(&path, fit) {
            if own < fit || any.is_none() {
                paths.clear();
                (fit, any) = (own, Some(own));
            }
            if paths.len() < PATHS_MAX {
                paths.push(path.into_owned());
            }
        }
        Flow::Continue
    })?;
    Ok(Names { fit: any, paths, report })
}

/// The text as names are compared with it.
struct Wish {
    lower: String,
    folded: String,
    words: Vec<String>,
    has_slash: bool,
}

impl Wish {
    fn new(query: &Query) -> Wish {
        let lower = query.text.to_lowercase();
        let lower = lower.trim_start_matches("./").trim_start_matches('/').to_owned();
        Wish {
            folded: folded(&lower),
            words: query
                .words
                .iter()
                .map(|word| folded(word))
                .filter(|word| !word.is_empty())
                .collect(),
            has_slash: lower.contains('/'),
            lower,
        }
    }

    /// How `path` fits, if at least as well as `worst`.
    fn fit(&self, path: &str, worst: Fit) -> Option<Fit> {
        if self.folded.is_empty() {
            return None;
        }
        let path = path.to_lowercase();
        let name = path.rsplit('/').next().unwrap_or_default();
        let stem = name.split('.').next().unwrap_or_default();
        let is_end = path
            .strip_suffix(&self.lower)
            .is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
        if is_end || !self.has_slash && stem == self.lower {
            return Some(Fit::Exact);
        }
        if worst >= Fit::Contains && if self.has_slash { &path } else { name }.contains(&self.lower)
        {
            return Some(Fit::Contains);
        }
        if worst < Fit::Naming {
            return None;
        }
        let name = folded(if self.has_slash { &path } else { name });
        let has_words = || {
            let path = folded(&path);
            self.words.len() > 1 && self.words.iter().all(|word| path.contains(word))
        };
        if name.contains(&self.folded) || has_words() {
            return Some(Fit::Naming);
        }
        if worst < Fit::Slip {
            return None;
        }
        let n_letters = self.folded.chars().count();
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
        ] {
            assert_eq!(Wish::new(&Query::read(q)).fit(path, Fit::Slip), fit, "{q}");
        }
    }
}
