//! The directory of the documents: a root of its own, which no link leads out of.

use super::{RelPath, fs, open_option};
use crate::error::{Error, ErrorKind, Result};
use crate::ignore_lines::{IgnoreLines, Verdict};
use std::path::Path;
use std::sync::Arc;

/// The documents' root, and what there is no document.
#[derive(Debug)]
pub(crate) struct DocsRoot {
    fs: Arc<fs::Root>,
    excludes: Option<IgnoreLines>,
    deny: Option<Arc<IgnoreLines>>,
}

impl DocsRoot {
    /// Takes `root`, or the directory `path` where the host names one; a relative one counts from
    /// `root`.
    pub(super) fn open(
        root: &Arc<fs::Root>,
        path: Option<&Path>,
        excludes: Option<IgnoreLines>,
        deny: Option<&Arc<IgnoreLines>>,
    ) -> Result<DocsRoot> {
        let Some(path) = path else {
            return Ok(DocsRoot { fs: Arc::clone(root), excludes, deny: deny.cloned() });
        };
        let shown = path.to_string_lossy();
        let docs = open_option("docs_root", root.real_path(), path, fs::Root::open)?;
        let deny = match docs.real_path().strip_prefix(root.real_path()) {
            Ok(base) => deny_below(base, deny, &shown)?,
            Err(_) if deny.is_some() && root.real_path().starts_with(docs.real_path()) => {
                let message = format!("'docs_root' '{shown}' must not contain a root with 'deny'");
                return Err(Error::invalid_param("docs_root", message));
            }
            // Elsewhere the lines count from the documents' root.
            Err(_) => deny.cloned(),
        };
        Ok(DocsRoot { fs: Arc::new(docs.with_deny(deny.clone())), excludes, deny })
    }

    pub(crate) fn fs(&self) -> &Arc<fs::Root> {
        &self.fs
    }

    /// Whether what is at `path` is out of reach; the directories above it were judged before.
    pub(crate) fn leaves_out(&self, path: &RelPath, is_dir: bool) -> bool {
        let ignores = |lines: &IgnoreLines| lines.verdict(path.as_bytes(), is_dir);
        self.excludes.as_ref().map(ignores) == Some(Verdict::Ignore)
            || self.deny.as_deref().map(ignores) == Some(Verdict::Ignore)
    }

    /// Whether the directory `path`, or one above it, is denied.
    pub(crate) fn denies_dir(&self, path: &RelPath) -> bool {
        let denied = |deny: &Arc<IgnoreLines>| deny.verdict_with_parents(path.as_bytes(), true);
        self.deny.as_ref().map(denied) == Some(Verdict::Ignore)
    }

    /// Whether the directory `path`, or one above it, is out of reach.
    pub(crate) fn leaves_out_dir(&self, path: &RelPath) -> bool {
        let mut above = RelPath::root();
        path.components().any(|name| {
            above = above.join(name);
            self.leaves_out(&above, true)
        })
    }
}

/// The denied lines for paths below `base`, which must not be denied itself.
fn deny_below(
    base: &Path,
    deny: Option<&Arc<IgnoreLines>>,
    shown: &str,
) -> Result<Option<Arc<IgnoreLines>>> {
    let Some(deny) = deny else {
        return Ok(None);
    };
    let base = RelPath::from_components(base.iter().map(|name| name.as_encoded_bytes()));
    if !base.is_root() && deny.verdict_with_parents(base.as_bytes(), true) == Verdict::Ignore {
        let message = format!("'docs_root' '{shown}' is denied by the workspace");
        return Err(Error::new(ErrorKind::AccessDenied, message).with_param("docs_root"));
    }
    Ok(Some(Arc::new(deny.for_paths_below(base.as_bytes()))))
}
