//! Git worktrees: directories whose `.git` is a file that names a place in a repository's `.git/worktrees`.

use crate::budget::Budget;
use crate::workspace::fs::{Dir, Kind, Root};
use crate::workspace::{RelPath, read_start};

/// Longer `.git` files are not git's.
const GIT_FILE_BYTES_MAX: u64 = 8 << 10;

/// Returns whether the directory `dir` at `path` is a worktree of a repository inside the root. With `linked`
/// the path may lead through symlinks, and a relative `gitdir:` starts at the directory to which they lead.
///
/// The file is read again at each call, so a change of it needs no event. A submodule, whose file names
/// `.git/modules`, is not a worktree, and neither is one whose repository is elsewhere or gone: the files of
/// such directories are nowhere else in the tree.
pub(super) fn is_worktree(
    root: &Root,
    dir: &Dir,
    path: &RelPath,
    linked: bool,
    budget: &Budget,
) -> bool {
    let Ok(file) = dir.open_file(b".git") else {
        return false;
    };
    let mut buffer = Vec::new();
    let Ok(bytes) = read_start(file, GIT_FILE_BYTES_MAX, &mut buffer, budget) else {
        return false;
    };
    let Some(git_dir) = bytes.strip_prefix(b"gitdir:") else {
        return false;
    };
    let real = match linked {
        true => root.without_links(path).ok(),
        false => None,
    };
    let Some(git_dir) = root.inside(real.as_ref().unwrap_or(path), git_dir.trim_ascii()) else {
        return false;
    };
    let names: Vec<&[u8]> = git_dir.components().collect();
    matches!(names.as_slice(), [.., b".git", b"worktrees", _])
        && root.stat(&git_dir, false).is_ok_and(|meta| meta.kind == Kind::Dir)
}
