//! The documents' root: a separate root, which no link leads out of.

use super::RelPath;
use super::fs::{self, FsError};
use crate::error::{Error, ErrorKind, Result};
use crate::wildcard::{IgnoreLines, Verdict};
use std::path::Path;
use std::sync::Arc;

/// The suffix of documents, unless the host sets others.
const SUFFIX_DEFAULT: &str = ".md";
/// Suffixes of other documentation formats.
const SUFFIXES_OF_DOCUMENTATION: [&str; 8] =
    [".adoc", ".asciidoc", ".markdown", ".md", ".mdx", ".org", ".rst", ".textile"];
/// A host has a few formats; the option is not a list of files.
const SUFFIXES_MAX: usize = 16;
const SUFFIX_BYTES_MAX: usize = 32;

/// The documents' root, and the lines that exclude files in it.
#[derive(Debug)]
pub(crate) struct DocsRoot {
    /// Its path in the root, if it is there.
    base: Option<RelPath>,
    suffixes: Arc<Suffixes>,
    fs: Arc<fs::Root>,
    excludes: Option<Arc<IgnoreLines>>,
    deny: Option<Arc<IgnoreLines>>,
}

impl DocsRoot {
    /// Opens the directory `path`, relative to `root`, or uses `root` if the host names none.
    pub(super) fn open(
        root: &Arc<fs::Root>,
        path: Option<&Path>,
        excludes: Option<IgnoreLines>,
        suffixes: &[String],
        deny: Option<&Arc<IgnoreLines>>,
    ) -> Result<DocsRoot> {
        let suffixes = Arc::new(Suffixes::new(suffixes)?);
        let excludes = excludes.map(Arc::new);
        let Some(path) = path else {
            return Ok(DocsRoot {
                base: Some(RelPath::root()),
                fs: Arc::clone(root),
                excludes,
                suffixes,
                deny: deny.cloned(),
            });
        };
        let shown = path.to_string_lossy();
        let docs = open_option("docs_root", root.real_path(), path, fs::Root::open)?;
        let deny = match docs.real_path().strip_prefix(root.real_path()) {
            Ok(base) => deny_below(root, base, deny, &shown)?,
            Err(_) if deny.is_some() && root.real_path().starts_with(docs.real_path()) => {
                let predicate = format!("'{shown}' must not contain a root with 'deny'");
                return Err(Error::invalid_param("docs_root", predicate));
            }
            // Outside the root the lines are matched from the documents' root.
            Err(_) => deny.cloned(),
        };
        let base = docs.real_path().strip_prefix(root.real_path()).ok();
        let base = base.map(rel_path);
        let fs = Arc::new(docs.with_deny(deny.clone()));
        Ok(DocsRoot { base, fs, excludes, suffixes, deny })
    }

    /// Returns the same documents in a workspace whose root is `root` and has `overlay` over it.
    pub(super) fn with_overlay(&self, root: &Arc<fs::Root>, overlay: &fs::Overlay) -> DocsRoot {
        let (docs_path, root_path) = (self.fs.real_path(), root.real_path());
        let fs = if docs_path == root_path {
            Arc::clone(root)
        } else if let Ok(base) = docs_path.strip_prefix(root_path) {
            Arc::new(self.fs.with_overlay(Arc::new(overlay.below(&rel_path(base)))))
        } else if let Ok(base) = root_path.strip_prefix(docs_path) {
            Arc::new(self.fs.with_overlay(Arc::new(overlay.above(&rel_path(base)))))
        } else {
            Arc::clone(&self.fs)
        };
        DocsRoot {
            base: self.base.clone(),
            suffixes: Arc::clone(&self.suffixes),
            fs,
            excludes: self.excludes.clone(),
            deny: self.deny.clone(),
        }
    }

    /// Returns the suffixes of the names of documents.
    pub(crate) fn suffixes(&self) -> &Suffixes {
        &self.suffixes
    }

    pub(crate) fn fs(&self) -> &Arc<fs::Root> {
        &self.fs
    }

    /// Returns the path of the documents' root in the root of the workspace; `None` if it is outside.
    pub(crate) fn base(&self) -> Option<&RelPath> {
        self.base.as_ref()
    }

    /// Returns whether the entry at `path` is excluded or denied; the directories above it were judged
    /// before.
    pub(crate) fn leaves_out(&self, path: &RelPath, is_dir: bool) -> bool {
        let ignores = |lines: &IgnoreLines| lines.verdict(path.as_bytes(), is_dir);
        self.excludes.as_deref().map(ignores) == Some(Verdict::Ignore)
            || self.deny.as_deref().map(ignores) == Some(Verdict::Ignore)
    }

    /// Returns whether the entry at `path` is denied; the directories above it were judged before.
    pub(crate) fn denies(&self, path: &RelPath, is_dir: bool) -> bool {
        let denied = |deny: &Arc<IgnoreLines>| deny.verdict(path.as_bytes(), is_dir);
        self.deny.as_ref().map(denied) == Some(Verdict::Ignore)
    }

    /// Returns whether the directory `path`, or one above it, is denied.
    pub(crate) fn denies_dir(&self, path: &RelPath) -> bool {
        let denied = |deny: &Arc<IgnoreLines>| deny.verdict_with_parents(path.as_bytes(), true);
        self.deny.as_ref().map(denied) == Some(Verdict::Ignore)
    }

    /// Returns whether the directory `path`, or one above it, is excluded or denied.
    pub(crate) fn leaves_out_dir(&self, path: &RelPath) -> bool {
        let mut above = RelPath::root();
        path.components().any(|name| {
            above = above.join(name);
            self.leaves_out(&above, true)
        })
    }
}

/// The suffixes of the names of documents.
#[derive(Debug)]
pub(crate) struct Suffixes(Vec<Box<[u8]>>);

impl Suffixes {
    fn new(suffixes: &[String]) -> Result<Suffixes> {
        if suffixes.len() > SUFFIXES_MAX {
            let n = suffixes.len();
            let predicate = format!("may have at most {SUFFIXES_MAX} suffixes, got {n}");
            return Err(Error::invalid_param("doc_suffixes", predicate));
        }
        for (at, suffix) in suffixes.iter().enumerate() {
            let is_plain = suffix.len() > 1
                && suffix.len() <= SUFFIX_BYTES_MAX
                && suffix.starts_with('.')
                && !suffix.contains(['/', '\\', '\0', '*', '?']);
            if !is_plain {
                let param = format!("doc_suffixes[{at}]");
                let shown = suffix.escape_debug();
                let predicate = format!("must be like \".rst\", got '{shown}'");
                return Err(Error::invalid_param(&param, predicate));
            }
        }
        let given = suffixes.iter().map(String::as_str);
        let default = suffixes.is_empty().then_some(SUFFIX_DEFAULT);
        Ok(Suffixes(given.chain(default).map(|suffix| suffix.as_bytes().into()).collect()))
    }

    /// Returns the name of a document without its suffix; `None` for any other name.
    pub(crate) fn stem<'a>(&self, name: &'a [u8]) -> Option<&'a [u8]> {
        let stems = self.0.iter().filter_map(|suffix| name.strip_suffix(&**suffix));
        stems.min_by_key(|stem| stem.len())
    }

    /// Returns the suffix of a name that looks like documentation but does not belong to a document here.
    pub(crate) fn other(&self, name: &[u8]) -> Option<&'static str> {
        if self.stem(name).is_some() {
            return None;
        }
        SUFFIXES_OF_DOCUMENTATION.into_iter().find(|suffix| name.ends_with(suffix.as_bytes()))
    }
}

/// Returns a part of a real path as a relative one.
fn rel_path(part: &Path) -> RelPath {
    RelPath::from_components(part.iter().map(|name| name.as_encoded_bytes()))
}

/// Returns the denied lines for paths below `base`, which must not be denied itself.
fn deny_below(
    root: &fs::Root,
    base: &Path,
    deny: Option<&Arc<IgnoreLines>>,
    shown: &str,
) -> Result<Option<Arc<IgnoreLines>>> {
    let Some(deny) = deny else {
        return Ok(None);
    };
    let base = rel_path(base);
    // Uses the names that the directories list, because other letter cases may lead there too. An existing
    // directory that is not found this way is denied.
    let listed = root.without_links(&base);
    let is_hidden = matches!(listed, Err(fs::FsError::NotFound));
    let base = listed.unwrap_or(base);
    let is_denied = || deny.verdict_with_parents(base.as_bytes(), true) == Verdict::Ignore;
    if is_hidden || !base.is_root() && is_denied() {
        let predicate = format!("'{shown}' is denied by the workspace");
        return Err(Error::about_param(ErrorKind::AccessDenied, "docs_root", predicate));
    }
    Ok(Some(Arc::new(deny.for_paths_below(base.as_bytes()))))
}

/// Opens the directory that the option `param` names; a relative path starts at `root`.
pub(super) fn open_option<T>(
    param: &str,
    root: &Path,
    path: &Path,
    open: impl FnOnce(&Path) -> Result<T, FsError>,
) -> Result<T> {
    let shown = path.to_string_lossy();
    if path.as_os_str().is_empty() || shown.contains('\0') {
        let predicate = format!("must be the path of a directory, got {shown:?}");
        return Err(Error::invalid_param(param, predicate));
    }
    let opened = open(&root.join(path)).map_err(|error| match error {
        FsError::NotFound => {
            let predicate = format!("does not exist: '{shown}'");
            Error::invalid_param(param, predicate)
        }
        FsError::WrongKind => {
            let predicate = format!("must be a directory: '{shown}'");
            Error::invalid_param(param, predicate)
        }
        error => {
            let predicate = format!("'{shown}': {}", error.reason());
            Error::about_param(ErrorKind::Io, param, predicate)
        }
    });
    opened.map_err(|error| error.with_path(shown))
}
