//! The engine's path type: relative to the root, `/`-separated, lexically safe.

use crate::error::{Error, ErrorKind, Result};
use std::borrow::Cow;
use std::ffi::OsStr;
use std::fmt;
use std::path::{Component, Path, PathBuf};

/// A path beneath the workspace root: `/`-separated bytes without empty, `.` or `..` components.
///
/// The empty path is the root itself. Paths order by their bytes, which is the order of results. A `RelPath`
/// is lexically inside the root; only opening it shows whether it exists, or is reached through a symlink
/// that leaves the root.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RelPath(Vec<u8>);

impl RelPath {
    /// Returns the root itself.
    pub const fn root() -> RelPath {
        RelPath(Vec::new())
    }

    /// Creates a path from components that the caller knows to be plain names.
    pub(crate) fn from_components<'a>(components: impl IntoIterator<Item = &'a [u8]>) -> RelPath {
        let mut path = RelPath::root();
        for component in components {
            path.push(component);
        }
        path
    }

    /// Creates a path from the bytes of another one.
    pub(crate) fn of_bytes(bytes: &[u8]) -> RelPath {
        debug_assert!(bytes.is_empty() || bytes.split(|&byte| byte == b'/').all(is_plain_name));
        RelPath(bytes.to_vec())
    }

    /// Returns the bytes, without a leading or trailing `/`; empty for the root.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Returns whether this is the root itself.
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the names from the root downwards.
    pub fn components(&self) -> impl DoubleEndedIterator<Item = &[u8]> {
        self.0.split(|&byte| byte == b'/').filter(|name| !name.is_empty())
    }

    /// Returns the last name; empty for the root.
    pub fn file_name(&self) -> &[u8] {
        let start = self.0.iter().rposition(|&byte| byte == b'/').map_or(0, |slash| slash + 1);
        &self.0[start..]
    }

    /// Returns the directory that contains this path; `None` for the root.
    pub fn parent(&self) -> Option<RelPath> {
        if self.is_root() {
            return None;
        }
        let end = self.0.iter().rposition(|&byte| byte == b'/').unwrap_or(0);
        Some(RelPath(self.0[..end].to_vec()))
    }

    /// Returns this path with one more name below it.
    #[must_use]
    pub fn join(&self, name: &[u8]) -> RelPath {
        let mut bytes = Vec::with_capacity(self.0.len() + 1 + name.len());
        bytes.extend_from_slice(&self.0);
        let mut path = RelPath(bytes);
        path.push(name);
        path
    }

    /// Returns the first path after everything below this directory; `None` for the root, after which nothing
    /// follows.
    pub(crate) fn behind_all_below(&self) -> Option<RelPath> {
        if self.is_root() {
            return None;
        }
        let mut path = self.clone();
        path.0.push(b'/' + 1);
        Some(path)
    }

    /// Returns whether `dir` is this path or a directory above it.
    pub fn starts_with(&self, dir: &RelPath) -> bool {
        match self.0.strip_prefix(dir.0.as_slice()) {
            Some(rest) => dir.is_root() || rest.is_empty() || rest[0] == b'/',
            None => false,
        }
    }

    /// Returns the path as text, `.` for the root; bytes that are not UTF-8 become U+FFFD.
    pub fn display(&self) -> Cow<'_, str> {
        if self.is_root() {
            return Cow::Borrowed(".");
        }
        // Validating first is faster than a lossy conversion of valid text.
        std::str::from_utf8(&self.0)
            .map_or_else(|_| String::from_utf8_lossy(&self.0), Cow::Borrowed)
    }

    /// Returns the path in the system's form, with its separators; empty for the root. On systems whose names
    /// are not bytes, U+FFFD replaces anything that is not UTF-8.
    pub fn to_path(&self) -> PathBuf {
        self.components().map(os_str_of).collect()
    }

    /// Sets the path to `dir` with `name` below it, reusing its allocation.
    pub(crate) fn set(&mut self, dir: &RelPath, name: &[u8]) {
        self.0.clear();
        self.0.extend_from_slice(&dir.0);
        self.push(name);
    }

    /// Sets the path to the bytes of another one, reusing its allocation.
    pub(crate) fn set_bytes(&mut self, bytes: &[u8]) {
        self.0.clear();
        self.0.extend_from_slice(bytes);
    }

    /// Sets the path to `other`, reusing its allocation.
    pub(crate) fn set_to(&mut self, other: &RelPath) {
        self.0.clone_from(&other.0);
    }

    /// Returns whether this is `name` below `dir`.
    pub(crate) fn is_joined(&self, dir: &RelPath, name: &[u8]) -> bool {
        match self.0.strip_suffix(name) {
            Some(above) if dir.is_root() => above.is_empty(),
            Some(above) => above.strip_suffix(b"/") == Some(dir.as_bytes()),
            None => false,
        }
    }

    fn push(&mut self, name: &[u8]) {
        debug_assert!(is_plain_name(name), "a path component must be a plain name");
        if !self.0.is_empty() {
            self.0.push(b'/');
        }
        self.0.extend_from_slice(name);
    }
}

/// Returns whether `name` can be one component of a path: not empty, `.` or `..`, no `/`, no NUL.
pub(crate) fn is_plain_name(name: &[u8]) -> bool {
    !matches!(name, b"" | b"." | b"..") && memchr::memchr2(b'/', 0, name).is_none()
}

impl fmt::Display for RelPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.display())
    }
}

/// Parses a path relative to the root, in the system's form.
///
/// ```
/// use searchscope::RelPath;
/// use std::path::Path;
/// # fn main() -> searchscope::Result<()> {
/// let path = RelPath::try_from(Path::new("src").join("main.rs").as_path())?;
/// assert_eq!(path.to_string(), "src/main.rs");
/// assert_eq!(path.to_path(), Path::new("src/main.rs"));
/// assert_eq!(RelPath::try_from(Path::new("../x")).unwrap_err().code(), "access_denied");
/// # Ok(())
/// # }
/// ```
impl TryFrom<&Path> for RelPath {
    type Error = Error;

    /// # Errors
    ///
    /// `access_denied` for an absolute path and one with `..`, `invalid_param` for a name with a NUL or, on
    /// systems whose names are not bytes, one that is not valid Unicode.
    fn try_from(path: &Path) -> Result<RelPath> {
        let shown = path.to_string_lossy();
        let mut rel_path = RelPath::root();
        for component in path.components() {
            match component {
                Component::CurDir => {}
                Component::Normal(name) => {
                    let name = bytes_of(name).filter(|name| is_plain_name(name));
                    let name = name.ok_or_else(|| {
                        let message = format!("'{}' has no name here", shown.escape_debug());
                        Error::new(ErrorKind::InvalidParam, message).with_param("path")
                    })?;
                    rel_path.push(name);
                }
                Component::ParentDir | Component::RootDir | Component::Prefix(_) => {
                    let message =
                        format!("path '{}' is not relative to the root", shown.escape_debug());
                    return Err(Error::new(ErrorKind::AccessDenied, message).with_path(shown));
                }
            }
        }
        Ok(rel_path)
    }
}

#[cfg(unix)]
fn bytes_of(name: &OsStr) -> Option<&[u8]> {
    Some(std::os::unix::ffi::OsStrExt::as_bytes(name))
}

#[cfg(not(unix))]
fn bytes_of(name: &OsStr) -> Option<&[u8]> {
    name.to_str().map(str::as_bytes)
}

#[cfg(unix)]
fn os_str_of(bytes: &[u8]) -> Cow<'_, OsStr> {
    Cow::Borrowed(std::os::unix::ffi::OsStrExt::from_bytes(bytes))
}

#[cfg(not(unix))]
fn os_str_of(bytes: &[u8]) -> Cow<'_, OsStr> {
    Cow::Owned(String::from_utf8_lossy(bytes).into_owned().into())
}

impl fmt::Debug for RelPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.display())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> RelPath {
        RelPath::from_components(text.split('/').filter(|name| !name.is_empty()).map(str::as_bytes))
    }

    #[test]
    fn containment_is_by_component_and_not_by_text() {
        for (inner, outer, expected) in [
            ("a/b", "a", true),
            ("a", "a", true),
            ("a", "", true),
            ("ab", "a", false),
            ("a-evil/b", "a", false),
            ("a", "a/b", false),
        ] {
            assert_eq!(path(inner).starts_with(&path(outer)), expected, "{inner} in {outer}");
        }
    }

    #[test]
    fn parts_of_a_path() {
        let deep = path("a/b/c");
        assert_eq!(deep.file_name(), b"c");
        assert_eq!(deep.parent(), Some(path("a/b")));
        assert_eq!(path("a").parent(), Some(RelPath::root()));
        assert_eq!(RelPath::root().parent(), None);
        assert_eq!(deep.components().count(), 3);
        assert_eq!(RelPath::root().display(), ".");
        let behind = path("a/b").behind_all_below().expect("a directory path has a component");
        assert!(behind > path("a/b/~") && behind < path("a/c"));
        assert_eq!(RelPath::root().behind_all_below(), None);
        let mut reused = path("long/old/path");
        reused.set(&path("a"), b"b");
        assert_eq!(reused, path("a/b"));
        assert!(reused.is_joined(&path("a"), b"b") && path("b").is_joined(&path(""), b"b"));
        assert!(!reused.is_joined(&path(""), b"b") && !path("a").is_joined(&path("a"), b""));
        reused.set_to(&deep);
        assert_eq!(reused, deep);
        assert_eq!(format!("{deep:?}"), "\"a/b/c\"");
    }

    #[test]
    fn a_path_of_the_system_comes_back() {
        for text in ["", "a", "a/b.rs", "\u{e9}/ x"] {
            assert_eq!(RelPath::try_from(path(text).to_path().as_path()).expect(text), path(text));
        }
        let read = |text: &str| RelPath::try_from(Path::new(text));
        assert_eq!(read("./a//b/").expect("relative"), path("a/b"));
        for (text, code) in
            [("/a", "access_denied"), ("a/../b", "access_denied"), ("a\0", "invalid_param")]
        {
            assert_eq!(read(text).expect_err(text).code(), code);
        }
    }

    #[cfg(unix)]
    #[test]
    fn names_that_are_not_text_keep_their_bytes() {
        let name = RelPath::of_bytes(b"a/\xff");
        assert_eq!(RelPath::try_from(name.to_path().as_path()).expect("a name"), name);
    }

    #[test]
    fn a_plain_name_is_one_component() {
        for name in ["a", "...", ".a", "a.", " ", "~", "\\", "a\u{301}"] {
            assert!(is_plain_name(name.as_bytes()), "{name:?}");
        }
        for name in ["", ".", "..", "/", "a/b", "/a", "a/", "a\0", "\0"] {
            assert!(!is_plain_name(name.as_bytes()), "{name:?}");
        }
    }
}
