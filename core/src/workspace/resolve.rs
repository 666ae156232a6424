//! Turns a caller's path into a [`RelPath`], by its text alone.
//!
//! One parse, no trimming, no `~`, no variables, no percent decoding: the components found here are the ones
//! that are opened. Symlinks are not resolved here; opening decides about them.

use super::rel_path::RelPath;
#[cfg(windows)]
use super::windows_names::{is_entry_name, is_refused};
use std::borrow::Cow;
use std::ffi::OsStr;
#[cfg(windows)]
use std::path::PathBuf;
use std::path::{Component, Path, Prefix};

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
        let root = absolute(root);
        if let Some((head, inside)) = names.split_at_checked(root.len())
            && head.iter().zip(&root).all(|(a, b)| is_same_name(a, b))
        {
            return Ok(RelPath::from_components(inside.iter().map(|name| name.as_encoded_bytes())));
        }
    }
    Err(Outside)
}

/// Returns an absolute path as replies write it: with `/` on every system.
pub(crate) fn with_slashes(path: &Path) -> Vec<u8> {
    if !cfg!(windows) {
        return path.as_os_str().as_encoded_bytes().to_vec();
    }
    let text = path.to_string_lossy();
    // A real path is verbatim if it has a name that only such a path may have; with `/` it would be another one.
    match text.starts_with(r"\\?\") {
        true => text.into_owned().into_bytes(),
        false => text.replace('\\', "/").into_bytes(),
    }
}

/// Returns the components of the absolute path `path` below `root`, with any `..` among them; `None` if it
/// begins otherwise. Only Windows has links whose targets are compared so.
#[cfg(windows)]
pub(super) fn is_below<'a>(root: &Path, path: &'a Path) -> Option<Vec<Component<'a>>> {
    let without_root = |path: &'a Path| path.components().filter(|it| *it != Component::RootDir);
    let mut below = without_root(path);
    for component in root.components().filter(|it| *it != Component::RootDir) {
        let name = name_of(below.next()?)?;
        is_same_name(&name, &name_of(component)?).then_some(())?;
    }
    Some(below.collect())
}

/// Names on Windows are the same in any letter case; other file systems are asked by opening.
fn is_same_name(a: &OsStr, b: &OsStr) -> bool {
    if cfg!(windows) { a.eq_ignore_ascii_case(b) } else { a == b }
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

/// Returns the names of an absolute path, with its drive or share on Windows; the directory above `/` is `/`.
fn absolute(path: &Path) -> Vec<Cow<'_, OsStr>> {
    let mut names = Vec::new();
    for component in path.components() {
        if component == Component::ParentDir {
            names.pop();
        }
        names.extend(name_of(component));
    }
    names
}

/// Returns the name of a component that has one.
fn name_of(component: Component<'_>) -> Option<Cow<'_, OsStr>> {
    match component {
        Component::Normal(name) => Some(Cow::Borrowed(name)),
        // `C:` and `\\?\C:` are the same drive.
        Component::Prefix(prefix) => Some(match prefix.kind() {
            Prefix::VerbatimDisk(drive) | Prefix::Disk(drive) => {
                Cow::Owned(format!("{}:", char::from(drive)).into())
            }
            Prefix::VerbatimUNC(host, share) | Prefix::UNC(host, share) => {
                Cow::Owned([OsStr::new(r"\\"), host, OsStr::new(r"\"), share].into_iter().collect())
            }
            _ => Cow::Borrowed(prefix.as_os_str()),
        }),
        Component::ParentDir | Component::RootDir | Component::CurDir => None,
    }
}

/// Returns a path as users write it, without the prefix that the system puts before real paths. A path with
/// a name that only that prefix allows keeps it.
#[cfg(windows)]
pub(super) fn plain(real: &Path) -> PathBuf {
    let mut components = real.components();
    let head = match components.next() {
        Some(Component::Prefix(prefix)) => match prefix.kind() {
            Prefix::VerbatimDisk(_) | Prefix::VerbatimUNC(..) => name_of(Component::Prefix(prefix)),
            _ => None,
        },
        _ => None,
    };
    let rest = components.as_path();
    let is_plain = |name: &OsStr| name.to_str().is_some_and(is_entry_name);
    let mut names = rest.components().filter_map(name_of);
    match head {
        Some(head) if names.all(|name| is_plain(&name)) => {
            let mut path = head.into_owned();
            path.push(rest);
            path.into()
        }
        _ => real.to_owned(),
    }
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
            ("c:/work/REPO/a", "a"),
            (r"a\..\b/c", "b/c"),
            (r"C:\Work\other\..\repo", "."),
        ] {
            assert_eq!(resolved(input).as_deref(), Ok(expected), "{input:?}");
        }
        for input in
            [r"C:\Work", r"D:\Work\repo\a", r"C:\Work\repo-evil", r"a\..\..", r"\Work\repo"]
        {
            assert_eq!(resolved(input), Err(Outside), "{input:?}");
        }
    }

    #[test]
    #[cfg(windows)]
    fn real_paths_are_shown_as_users_write_them() {
        for (real, expected) in [
            (r"\\?\C:\work\a", r"C:\work\a"),
            (r"\\?\C:\", r"C:\"),
            (r"\\?\UNC\host\share\a", r"\\host\share\a"),
            (r"\\?\C:\odd.\a", r"\\?\C:\odd.\a"),
            (r"C:\work", r"C:\work"),
        ] {
            assert_eq!(plain(Path::new(real)), Path::new(expected), "{real}");
        }
        let below =
            |path| is_below(Path::new(r"C:\work"), Path::new(path)).map(|names| names.len());
        assert_eq!(below(r"\\?\c:\Work\a\b"), Some(2));
        assert_eq!(below(r"D:\work\a"), None);
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
