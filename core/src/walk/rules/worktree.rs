//! Git worktrees: directories whose `.git` is a file that names a place in a repository's `.git/worktrees`.

use crate::budget::Budget;
use crate::workspace::fs::{Dir, FsError, Kind, Root};
use crate::workspace::{RelPath, Unread, read_git_file};

/// Returns whether the directory `dir` at `path` is a worktree of a repository inside the root. With `linked`
/// the path may lead through symlinks, and a relative `gitdir:` starts at the directory to which they lead.
/// A stopped budget returns false.
///
/// The file is read again at each call, so a change of it needs no event. A submodule, whose file names
/// `.git/modules`, is not a worktree, and neither is one whose repository is elsewhere or gone: the files of
/// such directories are nowhere else in the tree.
///
/// # Errors
///
/// The failure to read the file or to find the directory that it names; the directory may be a worktree then.
pub(in crate::walk) fn is_worktree(
    root: &Root,
    dir: &Dir,
    path: &RelPath,
    linked: bool,
    budget: &Budget,
) -> Result<bool, FsError> {
    let git_dir = match read_git_file(dir.open_file(b".git")?, budget) {
        Ok(Some(git_dir)) => git_dir,
        Ok(None) | Err(Unread::Stopped | Unread::TooLarge(_)) => return Ok(false),
        Err(Unread::Failed(error)) => return Err(error),
    };
    let real = match linked {
        true => Some(root.without_links(path)?),
        false => None,
    };
    let Some(git_dir) = root.inside(real.as_ref().unwrap_or(path), &git_dir) else {
        return Ok(false);
    };
    let names: Vec<&[u8]> = git_dir.components().collect();
    if !matches!(names.as_slice(), [.., b".git", b"worktrees", _]) {
        return Ok(false);
    }
    match root.stat(&git_dir, false) {
        Ok(meta) => Ok(meta.kind == Kind::Dir),
        // No directory can have such a name.
        Err(FsError::NameTooLong) => Ok(false),
        Err(error) => Err(error),
    }
}
