//! Which files a request is about: names, globs, depth, hidden and ignored, and a filter from above.

use super::PathFilter;
use super::glob::{Globs, NameGlob};
use crate::error::Result;
use crate::workspace::RelPath;
use std::sync::Arc;

/// Which files below the start paths a request is about. The default is every regular file that is
/// neither hidden nor ignored.
#[derive(Clone, Default)]
#[non_exhaustive]
pub struct FileOptions {
    /// Globs as ripgrep's `--glob`: without `/` on the base name, with `/` anchored at `glob_base`,
    /// `!` in front takes away. They only narrow. Default: none.
    pub globs: Vec<String>,
    /// One glob as `fd --glob`: without `/` on the base name, else on the path below `glob_base`.
    pub name_glob: Option<String>,
    /// The directory that globs with `/` are anchored at. Default: the root.
    pub glob_base: RelPath,
    /// Also files and directories whose name starts with a dot. Default: no.
    pub hidden: bool,
    /// Also what ignore files leave out. Default: no.
    pub no_ignore: bool,
    /// Follow symlinks, as long as they stay inside the root. Default: no.
    pub follow: bool,
    /// How deep to go: 1 is only the entries of a start directory. Default: no limit of its own.
    pub depth_max: Option<usize>,
    /// A filter of the caller, such as a scope. Default: none.
    pub path_filter: Option<Arc<dyn PathFilter>>,
}

impl std::fmt::Debug for FileOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FileOptions")
            .field("globs", &self.globs)
            .field("name_glob", &self.name_glob)
            .field("glob_base", &self.glob_base)
            .field("hidden", &self.hidden)
            .field("no_ignore", &self.no_ignore)
            .field("follow", &self.follow)
            .field("depth_max", &self.depth_max)
            .field("path_filter", &self.path_filter.is_some())
            .finish()
    }
}

/// [`FileOptions`], compiled.
pub(crate) struct FileFilter {
    globs: Option<Globs>,
    name_glob: Option<NameGlob>,
    base: RelPath,
    path_filter: Option<Arc<dyn PathFilter>>,
    pub(crate) hidden: bool,
    pub(crate) no_ignore: bool,
    pub(crate) follow: bool,
    pub(crate) depth_max: Option<usize>,
}

impl FileFilter {
    pub(crate) fn new(options: &FileOptions) -> Result<FileFilter> {
        let name_glob = options.name_glob.as_deref();
        let name_glob = name_glob.map(|glob| NameGlob::new("name_glob", glob)).transpose()?;
        Ok(FileFilter {
            globs: Globs::new("globs", &options.globs)?,
            name_glob,
            base: options.glob_base.clone(),
            path_filter: options.path_filter.clone(),
            hidden: options.hidden,
            no_ignore: options.no_ignore,
            follow: options.follow,
            depth_max: options.depth_max,
        })
    }

    /// Whether every file passes, so that no path needs to be built to ask.
    pub(crate) fn passes_all(&self) -> bool {
        self.globs.is_none() && self.name_glob.is_none() && self.path_filter.is_none()
    }

    /// Whether the regular file `path` is one the request is about.
    pub(crate) fn matches(&self, path: &RelPath) -> bool {
        let below = self.below_base(path);
        self.globs.as_ref().is_none_or(|globs| globs.matches(below))
            && self.name_glob.as_ref().is_none_or(|name| name.matches(below))
            && self.path_filter.as_ref().is_none_or(|filter| filter.matches(path))
    }

    /// Whether nothing in the directory `path` can match.
    pub(crate) fn prunes(&self, path: &RelPath) -> bool {
        self.globs.as_ref().is_some_and(|globs| globs.prunes(self.below_base(path)))
            || self.path_filter.as_ref().is_some_and(|f| f.visit(path) == super::Visit::None)
    }

    fn below_base<'a>(&self, path: &'a RelPath) -> &'a [u8] {
        let bytes = path.as_bytes();
        if self.base.is_root() || !path.starts_with(&self.base) {
            return bytes;
        }
        bytes.get(self.base.as_bytes().len() + 1..).unwrap_or_default()
    }
}
