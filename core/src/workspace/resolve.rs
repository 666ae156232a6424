//! Turns a caller's path into a [`RelPath`], by its text alone.
//!
//! One parse, no trimming, no `~`, no variables, no percent decoding: the components found here are the ones
//! that are opened. Symlinks are not resolved here; opening decides about them.

use super::rel_path::RelPath;
use super::windows_paths;
use std::ffi::OsStr;
use std::path::{Component, Path};

/// The path leaves the root, or could not name a file anywhere.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Outside;

/// Resolves `input` against the root, whose absolute names are `roots` (as given and as real path).
///
/// `..` removes the name before it, whatever that name is on disk.
pub(super) fn resolve(roots: &[&Path], input: &str) -> Result<RelPath, Outside> {
    if input.contains('\0') {
        return Err(Outside);
    }
    if cfg!(windows) {
        let roots: Vec<&str> = roots.iter().filter_map(|root| root.to_str()).collect();
        let names = windows_paths::below(&roots, input).ok_or(Outside)?;
        return Ok(RelPath::from_components(names.into_iter().map(str::as_bytes)));
    }
    resolve_path(roots, Path::new(input))
}

/// Like [`resolve`], for bytes that need not be UTF-8.
pub(super) fn resolve_bytes(roots: &[&Path], input: &[u8]) -> Result<RelPath, Outside> {
    match std::str::from_utf8(input) {
        Ok(input) => resolve(roots, input),
        #[cfg(unix)]
        Err(_) if !input.contains(&0) => {
            let input = <std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(input);
            resolve_path(roots, Path::new(input))
        }
        Err(_) => Err(Outside),
    }
}

/// Resolves the path `target` in a file of the directory `dir` below `root`; `None` outside the root.
pub(super) fn resolve_from(root: &Path, dir: &RelPath, target: &[u8]) -> Option<RelPath> {
    let target = std::str::from_utf8(target).ok()?;
    if names_server(target) {
        return None;
    }
    if Path::new(target).has_root() {
        return resolve(&[root], target).ok();
    }
    resolve(&[root], root.join(dir.to_path()).join(target).to_str()?).ok()
}

/// Returns whether `path` can name a server of the network, or a device. A file of the tree may contain no such
/// path, even if the root is on a share.
pub(super) fn names_server(path: &str) -> bool {
    cfg!(windows) && windows_paths::is_share_or_device(path)
}

fn resolve_path(roots: &[&Path], path: &Path) -> Result<RelPath, Outside> {
    if !path.has_root() {
        return beneath(path.components());
    }
    // An absolute path may itself contain `..` before it arrives in the root.
    let names = absolute(path);
    for root in roots {
        if let Some(inside) = names.strip_prefix(&*absolute(root)) {
            return Ok(RelPath::from_components(inside.iter().map(|name| name.as_encoded_bytes())));
        }
    }
    Err(Outside)
}

/// Returns an absolute path as replies write it: with `/` on every system.
pub fn with_slashes(path: &Path) -> String {
    let text = path.to_string_lossy();
    if cfg!(windows) { windows_paths::for_replies(&text) } else { text.into_owned() }
}

fn beneath<'a>(components: impl Iterator<Item = Component<'a>>) -> Result<RelPath, Outside> {
    let mut names: Vec<&[u8]> = Vec::new();
    for component in components {
        match component {
            Component::Normal(name) => names.push(name.as_encoded_bytes()),
            Component::CurDir => {}
            Component::ParentDir => {
                names.pop().ok_or(Outside)?;
            }
            Component::RootDir | Component::Prefix(_) => return Err(Outside),
        }
    }
    Ok(RelPath::from_components(names))
}

/// Returns the names of an absolute path; the directory above `/` is `/`.
fn absolute(path: &Path) -> Vec<&OsStr> {
    let mut names = Vec::new();
    for component in path.components() {
        match component {
            Component::ParentDir => drop(names.pop()),
            Component::Normal(name) => names.push(name),
            Component::RootDir | Component::CurDir | Component::Prefix(_) => {}
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(input: &str) -> Result<String, Outside> {
        let roots = [Path::new("/work/repo"), Path::new("/real/repo")];
        resolve(&roots, input).map(|path| path.display().into_owned())
    }

    #[test]
    fn paths_inside() {
        for (input, expected) in [
            (".", "."),
            ("", "."),
            ("a/b", "a/b"),
            ("./a//b/", "a/b"),
            ("a/../b", "b"),
            ("a/b/../..", "."),
            ("/work/repo", "."),
            ("/work/repo/a", "a"),
            ("/real/repo/a/", "a"),
            ("/work/other/../repo/a", "a"),
            ("/../work/repo/a", "a"),
            (" a", " a"),
            ("~", "~"),
            ("$HOME", "$HOME"),
            ("%2e%2e", "%2e%2e"),
        ] {
            assert_eq!(resolved(input).as_deref(), Ok(expected), "{input:?}");
        }
    }

    #[test]
    #[cfg(unix)]
    fn names_that_mean_nothing_special_here() {
        for input in ["a ", "a\\..\\..", "...", "nul", "a:b"] {
            assert_eq!(resolved(input).as_deref(), Ok(input), "{input:?}");
        }
    }

    #[test]
    #[cfg(windows)]
    fn paths_inside_a_drive_or_a_share() {
        let roots = [Path::new(r"C:\Work\repo"), Path::new(r"\\host\share\repo")];
        let resolved = |input| resolve(&roots, input).map(|path| path.display().into_owned());
        for (input, expected) in [
            (r"C:\Work\repo\a\b", "a/b"),
            ("//host/share/REPO/a", "a"),
            (r"\\?\UNC\host\share\repo\a", "a"),
            (r"a\..\b/c", "b/c"),
        ] {
            assert_eq!(resolved(input).as_deref(), Ok(expected), "{input:?}");
        }
        for input in [r"C:\Work", r"\\host\other\repo\a", r"a\..\..", r"\Work\repo"] {
            assert_eq!(resolved(input), Err(Outside), "{input:?}");
        }
    }

    #[test]
    #[cfg(windows)]
    fn files_of_the_tree_name_no_server() {
        let root = Path::new(r"\\host\share\repo");
        let from = |target: &str| {
            let path =
                resolve_from(root, &RelPath::from_components([&b"dir"[..]]), target.as_bytes());
            path.map(|path| path.display().into_owned())
        };
        assert_eq!(from("../a").as_deref(), Some("a"));
        for target in ["//host/share/repo/a", r"\\host\share\repo\a", r"\\?\UNC\host\share\repo\a"]
        {
            assert_eq!(from(target), None, "{target}");
        }
    }

    #[test]
    fn paths_outside() {
        for input in [
            "..",
            "../repo",
            "a/../..",
            "a/../../repo",
            "/",
            "/work",
            "/work/repo-evil",
            "/work/repo/../other",
            "/work/repo/a/../../..",
            "/etc/passwd",
            "a\0b",
            "\0",
        ] {
            assert_eq!(resolved(input), Err(Outside), "{input:?}");
        }
    }

    #[test]
    #[cfg(unix)]
    fn bytes_that_are_not_utf8() {
        let bytes = |input: &[u8]| {
            let path = resolve_bytes(&[Path::new("/work/repo")], input)?;
            Ok::<_, Outside>(path.as_bytes().to_vec())
        };
        assert_eq!(bytes(b"a/../\xff"), Ok(b"\xff".to_vec()));
        assert_eq!(bytes(b"/work/repo/\xff"), Ok(b"\xff".to_vec()));
        for outside in [&b"\xff\0b"[..], b"\xff/../..", b"/\xff", b"a\0"] {
            assert_eq!(bytes(outside), Err(Outside), "{outside:?}");
        }
    }
}
