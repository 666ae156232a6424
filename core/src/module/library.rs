//! The names of files in libraries.

use super::LibraryNames;
use std::borrow::Cow;

impl LibraryNames {
    /// Returns the library name of the file at `below`, relative to a root; `None` for files of no library,
    /// such as the programs in `node_modules/.bin`.
    pub(crate) fn of<'a>(&'a self, below: &'a [u8]) -> Option<Cow<'a, str>> {
        match self {
            LibraryNames::One(name) => Some(Cow::Borrowed(name)),
            LibraryNames::NodeModules => node_package(below).map(String::from_utf8_lossy),
            LibraryNames::Entries => {
                let name = below.split(|&byte| byte == b'/').next()?;
                let name = name.strip_suffix(b".py").unwrap_or(name);
                Some(String::from_utf8_lossy(name)).filter(|name| !name.is_empty())
            }
            LibraryNames::GoVendor(paths) => {
                let mut above = below;
                loop {
                    if let Ok(at) = paths.binary_search_by(|path| path.as_bytes().cmp(above)) {
                        return Some(Cow::Borrowed(&paths[at]));
                    }
                    above = &above[..memchr::memrchr(b'/', above)?];
                }
            }
        }
    }
}

/// Returns the package of a file below a `node_modules` directory. A package nested in another one counts on
/// its own, and some managers keep all packages in a hidden directory.
fn node_package(below: &[u8]) -> Option<&[u8]> {
    const NESTED: &[u8] = b"/node_modules/";
    let start = memchr::memmem::rfind(below, NESTED).map_or(0, |at| at + NESTED.len());
    let path = &below[start..];
    let mut slashes = memchr::memchr_iter(b'/', path);
    let end = match path.first()? {
        b'.' => return None,
        b'@' => {
            let _scope = slashes.next()?;
            slashes.next()
        }
        _ => slashes.next(),
    };
    Some(&path[..end.unwrap_or(path.len())])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_name_their_files() {
        let vendor = ["a.org/x", "a.org/x/y", "b.org"].map(str::to_owned).to_vec();
        let vendor = LibraryNames::GoVendor(vendor);
        let one = LibraryNames::One("junit".to_owned());
        let (node, entries) = (LibraryNames::NodeModules, LibraryNames::Entries);
        for (names, below, expected) in [
            (&one, "org/X.class", Some("junit")),
            (&one, "", Some("junit")),
            (&node, "react/index.js", Some("react")),
            (&node, "react", Some("react")),
            (&node, "@types/node/index.d.ts", Some("@types/node")),
            (&node, "@types/node", Some("@types/node")),
            (&node, "@types", None),
            (&node, "a/node_modules/b/c.js", Some("b")),
            (&node, ".pnpm/a@1/node_modules/@s/a/x.js", Some("@s/a")),
            (&node, ".bin/tsc", None),
            (&node, "", None),
            (&entries, "requests/api.py", Some("requests")),
            (&entries, "six.py", Some("six")),
            (&entries, "", None),
            (&vendor, "a.org/x/z/f.go", Some("a.org/x")),
            (&vendor, "a.org/x/y/f.go", Some("a.org/x/y")),
            (&vendor, "a.org/xy/f.go", None),
            (&vendor, "modules.txt", None),
        ] {
            assert_eq!(names.of(below.as_bytes()).as_deref(), expected, "{names:?} of {below}");
        }
        assert_eq!(entries.of(b"\xFF/x").as_deref(), Some("\u{FFFD}"));
    }
}
