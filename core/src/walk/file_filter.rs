//! The filter of a request: names, globs, depth, hidden and ignored, and a filter from the layer above.

use super::attributes::FileAttributes;
use super::names::pattern::{NameOptions, NamePattern};
use super::path_filter::{PathFilter, Place};
use crate::encoding::UnicodeForm;
use crate::error::Result;
use crate::wildcard::{Globs, NameGlob};
use crate::workspace::{RelPath, Workspace};
use std::sync::Arc;

/// The files below the start paths that a request covers. The default is every regular file that is neither
/// hidden nor ignored.
#[derive(Clone, Default)]
#[expect(
    clippy::exhaustive_structs,
    reason = "callers write the fields that differ from a default"
)]
pub struct FileOptions {
    /// Globs as ripgrep's `--glob`: without `/` on the base name, with `/` anchored at `glob_bases`; a
    /// leading `!` excludes. They only narrow. Default: empty.
    pub globs: Vec<String>,
    /// One glob as `fd --glob`: without `/` on the base name, else on the path below one of
    /// `glob_bases`.
    pub name_glob: Option<String>,
    /// A filter on names with `fd`'s semantics: a pattern and extensions.
    pub names: NameOptions,
    /// The directories at which globs with `/` are anchored; a file below several of them passes if it
    /// matches from any. Default: the root.
    pub glob_bases: Vec<RelPath>,
    /// Bounds on types, sizes and times.
    pub attributes: FileAttributes,
    /// Also files and directories whose name starts with a dot. Default: no, unless `path_filter` judges
    /// them.
    pub hidden: bool,
    /// Also entries that ignore files exclude; those are then not even read. Default: no, unless
    /// `path_filter` judges them.
    pub no_ignore: bool,
    /// If a path of the request is itself ignored, by a rule from above it, no ignore rule applies below it:
    /// the caller named it. Default: no, only the path itself is not judged.
    pub unignore_named: bool,
    /// Also git worktrees of a repository inside the root, which are copies of its files. A worktree that
    /// the request names is always searched. Default: no.
    pub worktrees: bool,
    /// Whether the report names what ignore rules and hidden names left out, in
    /// [`Report::left_out`](crate::Report::left_out). Default: no, it counts them.
    pub names_left_out: bool,
    /// Follow symlinks, as long as they stay inside the root. Default: no.
    pub follow: bool,
    /// The maximum depth: 1 is only the entries of a start directory. Default: no limit besides the walk's
    /// own.
    pub depth_max: Option<usize>,
    /// The form in which globs, `names` and the pattern of a search are compared with names and texts. A
    /// file that is not ASCII and larger than 16 MiB is searched in its own form, and a warning says so.
    /// Default: their bytes.
    pub unicode_form: UnicodeForm,
    /// A filter of the caller, such as a scope. Default: none.
    pub path_filter: Option<Arc<dyn PathFilter>>,
}

impl std::fmt::Debug for FileOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FileOptions")
            .field("globs", &self.globs)
            .field("name_glob", &self.name_glob)
            .field("names", &self.names)
            .field("glob_bases", &self.glob_bases)
            .field("attributes", &self.attributes)
            .field("hidden", &self.hidden)
            .field("no_ignore", &self.no_ignore)
            .field("unignore_named", &self.unignore_named)
            .field("worktrees", &self.worktrees)
            .field("names_left_out", &self.names_left_out)
            .field("follow", &self.follow)
            .field("depth_max", &self.depth_max)
            .field("unicode_form", &self.unicode_form)
            .field("path_filter", &self.path_filter.is_some())
            .finish()
    }
}

/// [`FileOptions`], compiled.
pub(crate) struct FileFilter {
    globs: Option<Globs>,
    name_glob: Option<NameGlob>,
    names: Option<NamePattern>,
    /// Never empty.
    bases: Vec<RelPath>,
    pub(crate) path_filter: Option<Arc<dyn PathFilter>>,
    pub(crate) attributes: FileAttributes,
    pub(crate) hidden: bool,
    /// Whether `path_filter` judges entries that ignore files exclude.
    pub(crate) judges_ignored: bool,
    pub(crate) no_ignore: bool,
    pub(crate) unignore_named: bool,
    pub(crate) worktrees: bool,
    pub(crate) names_left_out: bool,
    pub(crate) follow: bool,
    pub(crate) depth_max: Option<usize>,
    unicode_form: UnicodeForm,
}

impl FileFilter {
    pub(crate) fn new(workspace: &Workspace, options: &FileOptions) -> Result<FileFilter> {
        let form = options.unicode_form;
        let name_glob = options.name_glob.as_deref().map(|glob| form.of_text(glob));
        let name_glob = name_glob.map(|glob| NameGlob::new("name_glob", &glob)).transpose()?;
        let globs: Vec<String> =
            options.globs.iter().map(|glob| form.of_text(glob).into_owned()).collect();
        let mut bases = options.glob_bases.clone();
        if bases.is_empty() {
            bases.push(RelPath::root());
        }
        let filter_judges = |judges: fn(&dyn PathFilter) -> bool| {
            options.path_filter.as_deref().is_some_and(judges)
        };
        Ok(FileFilter {
            globs: Globs::new("globs", &globs)?,
            name_glob,
            names: NamePattern::new(&options.names, workspace.root(), form)?,
            bases,
            path_filter: options.path_filter.clone(),
            attributes: options.attributes.clone(),
            hidden: options.hidden || filter_judges(|filter| filter.judges_hidden()),
            judges_ignored: filter_judges(|filter| filter.judges_ignored()),
            no_ignore: options.no_ignore,
            unignore_named: options.unignore_named,
            worktrees: options.worktrees,
            names_left_out: options.names_left_out,
            follow: options.follow,
            depth_max: options.depth_max,
            unicode_form: form,
        })
    }

    /// Anchors globs at `to` as well, if they are anchored at `from`.
    pub(crate) fn add_base(&mut self, from: &RelPath, to: &RelPath) {
        if self.bases.contains(from) && !self.bases.contains(to) {
            self.bases.push(to.clone());
        }
    }

    /// Returns whether every file passes whatever its path, which saves building the path.
    pub(crate) fn passes_all(&self) -> bool {
        self.is_quick() && self.globs.is_none() && self.name_glob.is_none()
    }

    /// Returns whether judging a file costs next to nothing.
    pub(crate) fn is_quick(&self) -> bool {
        self.globs.as_ref().is_none_or(Globs::is_plain)
            && self.name_glob.as_ref().is_none_or(NameGlob::is_plain)
            && self.names.is_none()
            && self.path_filter.is_none()
    }

    /// Returns whether the request covers the file or directory at `place`, attributes aside.
    pub(crate) fn matches(&self, place: &Place<'_>) -> bool {
        self.matches_names(place.path()) && self.belongs(place)
    }

    /// Returns whether the request covers the name of `path`.
    pub(crate) fn matches_names(&self, path: &RelPath) -> bool {
        let by_globs = |below: &[u8]| {
            self.globs.as_ref().is_none_or(|globs| globs.matches(below))
                && self.name_glob.as_ref().is_none_or(|name| name.matches(below))
        };
        self.names.as_ref().is_none_or(|names| names.matches(path))
            && self.below_bases(path).any(|below| by_globs(&self.unicode_form.of_bytes(below)))
    }

    /// Returns whether the caller's filter lets `place` through.
    pub(crate) fn belongs(&self, place: &Place<'_>) -> bool {
        self.path_filter.as_ref().is_none_or(|filter| filter.matches(place))
    }

    /// Like [`FileFilter::matches_names`], if no walk has passed the directories above `path`.
    pub(crate) fn matches_names_with_parents(&self, path: &RelPath) -> bool {
        let mut parent = path.parent().unwrap_or_default();
        while !parent.is_root() {
            if self.prunes_names(&parent) {
                return false;
            }
            parent = parent.parent().unwrap_or_default();
        }
        self.matches_names(path)
    }

    /// Returns whether nothing in the directory `dir` can match.
    pub(crate) fn prunes(&self, dir: &Place<'_>) -> bool {
        self.prunes_names(dir.path())
            || self.path_filter.as_ref().is_some_and(|filter| !filter.visit(dir))
    }

    /// Returns whether no name in the directory `path` can match.
    pub(super) fn prunes_names(&self, path: &RelPath) -> bool {
        let by_globs = |globs: &Globs| {
            self.below_bases(path).all(|below| globs.prunes(&self.unicode_form.of_bytes(below)))
        };
        self.globs.as_ref().is_some_and(by_globs)
    }

    /// Returns the path below each base that contains it; the whole path if no base does.
    fn below_bases<'a>(&'a self, path: &'a RelPath) -> impl Iterator<Item = &'a [u8]> {
        let bytes = path.as_bytes();
        let below = move |base: &RelPath| match base.is_root() {
            true => Some(bytes),
            // A file that is named itself is judged as an entry of its directory.
            false if path == base => Some(path.file_name()),
            false if path.starts_with(base) => {
                Some(bytes.get(base.as_bytes().len() + 1..).unwrap_or_default())
            }
            false => None,
        };
        let is_outside = self.bases.iter().all(|base| below(base).is_none());
        self.bases.iter().filter_map(below).chain(is_outside.then_some(bytes))
    }
}
