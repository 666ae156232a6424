//! Paths that Windows reports: real paths, and the targets of links.

use super::windows_names::is_entry_name;
use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf, Prefix};

/// Returns a path as users write it, without the prefix that the system puts before real paths. A path with
/// a name that only that prefix allows keeps it.
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

/// Returns the components of a link's absolute target `path` below `root`, with any `..` among them; `None` if
/// it begins otherwise.
pub(super) fn is_below<'a>(root: &Path, path: &'a Path) -> Option<Vec<Component<'a>>> {
    let without_root = |path: &'a Path| path.components().filter(|it| *it != Component::RootDir);
    let mut below = without_root(path);
    for component in root.components().filter(|it| *it != Component::RootDir) {
        let name = name_of(below.next()?)?;
        name.eq_ignore_ascii_case(name_of(component)?).then_some(())?;
    }
    Some(below.collect())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
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
    }

    #[test]
    fn targets_below_the_root() {
        let below =
            |root, path| is_below(Path::new(root), Path::new(path)).map(|names| names.len());
        assert_eq!(below(r"C:\work", r"\\?\c:\Work\a\b"), Some(2));
        assert_eq!(below(r"C:\work", r"D:\work\a"), None);
        assert_eq!(below(r"\\host\share\work", r"\\?\UNC\host\share\work\a"), Some(1));
        assert_eq!(below(r"\\host\share\work", r"\\evil\share\work\a"), None);
    }
}
