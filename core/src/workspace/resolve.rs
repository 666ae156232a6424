//! Turns a caller's path into a [`RelPath`], by its text alone.
//!
//! One parse, no trimming, no `~`, no variables, no percent decoding: the components found here are the ones
//! that are opened. Symlinks are not resolved here; opening decides about them.

use super::rel_path::RelPath;
#[cfg(windows)]
use super::windows_names::is_refused;
use std::path::{Component, Path};

/// The path leaves the root, or could not name a file anywhere.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Outside;

/// Resolves `input` against the root, whose absolute names are `roots` (as given and as real path).
///
/// `..` removes the name before it, whatever that name is on disk.
pub(super) fn resolve(roots: &[&Path], input: &str) -> Result<RelPath, Outside> {
    if input.contains('\0') || is_refused(input) {
        return Err(Outside);
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
    if Path::new(target).has_root() {
        return resolve(&[root], target).ok();
    }
    resolve(&[root], root.join(dir.to_path()).join(target).to_str()?).ok()
}

fn resolve_path(roots: &[&Path], path: &Path) -> Result<RelPath, Outside> {
    if !path.has_root() {
        return beneath(path.components());
    }
    // An absolute path may itself contain `..` before it arrives in the root.
    let names = absolute(path);
    for root in roots {
        if let Some(inside) = names.strip_prefix(absolute(root).as_slice()) {
            return Ok(RelPath::from_components(inside.iter().copied()));
        }
    }
    Err(Outside)
}

/// On systems other than Windows every name is the name of a file.
#[cfg(not(windows))]
fn is_refused(_path: &str) -> bool {
    false
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

/// Returns the names of an absolute path, with its drive on Windows; the directory above `/` is `/`.
fn absolute(path: &Path) -> Vec<&[u8]> {
    let mut names: Vec<&[u8]> = Vec::new();
    for component in path.components() {
        match component {
            Component::Normal(name) => names.push(name.as_encoded_bytes()),
            Component::Prefix(prefix) => names.push(prefix.as_os_str().as_encoded_bytes()),
            Component::ParentDir => {
                names.pop();
            }
            Component::RootDir | Component::CurDir => {}
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
            (" a ", " a "),
            ("~", "~"),
            ("$HOME", "$HOME"),
            ("%2e%2e", "%2e%2e"),
            ("a\\..\\..", "a\\..\\.."),
            ("...", "..."),
        ] {
            assert_eq!(resolved(input).as_deref(), Ok(expected), "{input:?}");
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
