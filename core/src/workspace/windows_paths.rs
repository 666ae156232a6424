//! Paths of Windows as callers write them, as a rule over the text alone: relative, or absolute on a drive or
//! on a network share, each also in the verbatim form.
//!
//! A path is compared with the root and never opened here, so a share in an argument cannot make the system
//! contact its server.

use super::windows_names::is_refused_name;

/// The prefix of verbatim paths.
const VERBATIM: &str = r"\\?\";
/// The kernel's spelling of the same prefix.
const KERNEL: &str = r"\??\";
/// Stands between [`VERBATIM`] and the server of a share.
const VERBATIM_SHARE: &str = r"UNC\";

/// A path in its parts; `.` and `..` are among the names.
struct Parts<'a> {
    volume: Volume<'a>,
    names: Vec<&'a str>,
}

/// The beginning of a path.
enum Volume<'a> {
    /// A relative path.
    None,
    /// An absolute path on the drive of the process's current directory.
    Current,
    Drive(&'a str),
    Share {
        server: &'a str,
        name: &'a str,
    },
}

/// Returns whether `path` begins as a path on a network share, a verbatim one or a device.
pub(super) fn is_share_or_device(path: &str) -> bool {
    path.starts_with(KERNEL)
        || path.len() >= 2 && path.bytes().take(2).all(|it| is_separator(it.into()))
}

/// Returns the names of `path` below the first of `roots` that contains it, or those of a relative path.
/// `..` removes the name before it, whatever that name is on disk. `None` if the path is outside of `roots`,
/// or has a name that is not that of an entry.
pub(super) fn below<'a>(roots: &[&str], path: &'a str) -> Option<Vec<&'a str>> {
    let path = parts(path)?;
    if path.names.iter().any(|name| is_refused_name(name)) {
        return None;
    }
    if let Volume::None = path.volume {
        return without_dots(path.names, |above| above.pop().map(|_| ()));
    }
    let names = absolute(path.names);
    roots.iter().find_map(|root| {
        let root = parts(root)?;
        if !is_same_volume(&root.volume, &path.volume) {
            return None;
        }
        let root = absolute(root.names);
        let (head, inside) = names.split_at_checked(root.len())?;
        let is_below = head.iter().zip(&root).all(|(a, b)| a.eq_ignore_ascii_case(b));
        is_below.then(|| inside.to_vec())
    })
}

/// Returns an absolute path as replies write it, with `/`. A verbatim path stays as it is: with `/` it would be
/// another one.
pub(super) fn for_replies(path: &str) -> String {
    if path.starts_with(VERBATIM) { path.to_owned() } else { path.replace('\\', "/") }
}

/// Returns an absolute path as patterns see it: with `/`, and without the prefix of a verbatim path, which a
/// real path has if it contains a name that only such a path may have.
pub(crate) fn for_patterns(path: &str) -> String {
    let Some(rest) = path.strip_prefix(VERBATIM) else {
        return path.replace('\\', "/");
    };
    let (start, rest) = rest.strip_prefix(VERBATIM_SHARE).map_or(("", rest), |rest| ("//", rest));
    format!("{start}{}", rest.replace('\\', "/"))
}

/// Returns the names of an absolute path without dots; the directory above a volume is the volume.
fn absolute(names: Vec<&str>) -> Vec<&str> {
    let stay = |above: &mut Vec<&str>| {
        above.pop();
        Some(())
    };
    without_dots(names, stay).unwrap_or_default()
}

/// Removes `.`, and calls `ascend` with the names before each `..`.
fn without_dots<'a>(
    names: Vec<&'a str>,
    ascend: impl Fn(&mut Vec<&'a str>) -> Option<()>,
) -> Option<Vec<&'a str>> {
    let mut without = Vec::with_capacity(names.len());
    for name in names {
        match name {
            "." => {}
            ".." => ascend(&mut without)?,
            name => without.push(name),
        }
    }
    Some(without)
}

/// Splits a path; `None` for the path of a device, and for one that means something else in each form.
fn parts(path: &str) -> Option<Parts<'_>> {
    if let Some(rest) = path.strip_prefix(VERBATIM) {
        let (volume, rest) = match rest.split_at_checked(VERBATIM_SHARE.len()) {
            Some((head, rest)) if head.eq_ignore_ascii_case(VERBATIM_SHARE) => share(rest)?,
            _ => drive(rest)?,
        };
        // The system takes these as parts of names.
        let is_taken_as_it_is =
            rest.contains('/') || rest.split('\\').any(|it| matches!(it, "." | ".."));
        return (!is_taken_as_it_is).then(|| Parts { volume, names: names(rest) });
    }
    if path.starts_with(KERNEL) {
        return None;
    }
    let (volume, rest) = if is_share_or_device(path) {
        share(&path[2..])?
    } else if let Some(on_drive) = drive(path) {
        on_drive
    } else if path.starts_with(is_separator) {
        (Volume::Current, path)
    } else {
        (Volume::None, path)
    };
    Some(Parts { volume, names: names(rest) })
}

/// Splits what follows the first two separators of a path on a share.
fn share(path: &str) -> Option<(Volume<'_>, &str)> {
    let (server, rest) = path.split_once(is_separator)?;
    let (name, rest) = rest.split_at(rest.find(is_separator).unwrap_or(rest.len()));
    // `\\.\` and `\\?\` begin paths of devices.
    let is_name = |name| !matches!(name, "" | "." | ".." | "?");
    (is_name(server) && is_name(name)).then_some((Volume::Share { server, name }, rest))
}

/// Splits a path after its drive. `C:name` is not such a path: it depends on the process's current directory.
fn drive(path: &str) -> Option<(Volume<'_>, &str)> {
    match path.as_bytes() {
        [drive, b':', b'/' | b'\\', ..] if drive.is_ascii_alphabetic() => {
            Some((Volume::Drive(&path[..1]), &path[2..]))
        }
        _ => None,
    }
}

fn names(path: &str) -> Vec<&str> {
    path.split(is_separator).filter(|name| !name.is_empty()).collect()
}

fn is_same_volume(a: &Volume<'_>, b: &Volume<'_>) -> bool {
    match (a, b) {
        (Volume::Current, Volume::Current) => true,
        (Volume::Drive(a), Volume::Drive(b)) => a.eq_ignore_ascii_case(b),
        (Volume::Share { server, name }, Volume::Share { server: other, name: share }) => {
            server.eq_ignore_ascii_case(other) && name.eq_ignore_ascii_case(share)
        }
        _ => false,
    }
}

fn is_separator(c: char) -> bool {
    matches!(c, '/' | '\\')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(root: &str, path: &str) -> Option<String> {
        below(&[r"Q:\elsewhere", root], path).map(|names| names.join("/"))
    }

    /// The forms of one root on a drive, and of one on a share.
    const ROOTS: [&[&str]; 2] = [
        &[r"C:\Work\repo", "c:/Work/repo/", r"\\?\C:\Work\repo", r"C:\Work\other\..\repo"],
        &[
            r"\\host\share\Work\repo",
            "//host/share/Work/repo/",
            r"\\?\UNC\host\share\Work\repo",
            r"/\HOST\Share/Work//repo\.",
        ],
    ];

    #[test]
    fn every_form_of_a_path_is_below_every_form_of_its_root() {
        let paths: [&[&str]; 2] = [
            &[
                r"C:\Work\repo\a\b",
                "c:/work/REPO/a/./b/",
                r"\\?\C:\Work\repo\a\b",
                r"\\?\c:\Work\repo\a\b\",
                r"C:\..\Work\other\..\repo\a\c\..\b",
            ],
            &[
                r"\\host\share\Work\repo\a\b",
                "//host/share/work/REPO/a/b/",
                r"\\HOST\Share/Work/repo\a\b",
                r"\\?\UNC\host\share\Work\repo\a\b",
                r"\\?\unc\host\share\Work\repo\a\b",
                r"\\host\share\..\Work\repo\x\..\a\b",
            ],
        ];
        for (n, roots) in ROOTS.iter().enumerate() {
            for root in *roots {
                for (m, path) in
                    paths.iter().enumerate().flat_map(|(m, it)| it.iter().map(move |it| (m, it)))
                {
                    let expected = (n == m).then_some("a/b");
                    assert_eq!(resolved(root, path).as_deref(), expected, "{root} {path}");
                }
                assert_eq!(resolved(root, root).as_deref(), Some(""), "{root}");
                assert_eq!(resolved(root, r"a\..\b/c").as_deref(), Some("b/c"), "{root}");
                assert_eq!(resolved(root, r"..\repo"), None, "{root}");
            }
        }
        for (root, path, expected) in [
            (r"\\host\share", r"\\host\share\a", "a"),
            (r"\\host\share\", "//host/share", ""),
            (r"C:\", r"c:\a", "a"),
            ("C:/", r"\\?\C:\a", "a"),
            (r"\work", "/work/a", "a"),
        ] {
            assert_eq!(resolved(root, path).as_deref(), Some(expected), "{root} {path}");
        }
        for path in ["C:", "C:a", r"\\?\C:"] {
            assert_eq!(resolved(r"C:\", path), None, "{path}");
        }
    }

    #[test]
    fn verbatim_paths_keep_their_form_for_replies_alone() {
        assert_eq!(for_replies(r"C:\a\b"), "C:/a/b");
        assert_eq!(for_replies(r"\\?\C:\a\con"), r"\\?\C:\a\con");
        for (path, expected) in [
            (r"C:\a\b", "C:/a/b"),
            (r"\\?\C:\a\con", "C:/a/con"),
            (r"\\?\UNC\server\share\a.", "//server/share/a."),
            (r"\\server\share\a", "//server/share/a"),
            ("", ""),
        ] {
            assert_eq!(for_patterns(path), expected);
        }
    }

    #[test]
    fn other_paths_are_outside() {
        for path in [
            r"\\host\share\Work",
            r"\\host\share\Work\repo-evil",
            r"\\host\other\Work\repo\a",
            r"\\evil\share\Work\repo\a",
            r"\\host",
            r"\\host\",
            r"\\\host\share\Work\repo",
            r"\\host\\share\Work\repo",
            r"\\host\share\Work\repo\..",
            r"\\host\share\Work\repo\nul",
            r"\\host\share\Work\repo\a:b",
            r"\\.\C:\Work\repo",
            r"\\.\UNC\host\share\Work\repo",
            r"\??\C:\Work\repo",
            r"\??\UNC\host\share\Work\repo",
            r"\\?\C:\Work/repo",
            r"\\?\C:\Work\repo\.",
            r"\\?\C:\Work\other\..\repo",
            r"\\?\C:\Work\repo\b.",
            r"\\?\C:Work\repo",
            r"\\?\UNC\host",
            r"\\?\UNC\host\share\Work/repo",
            r"\\?\GLOBALROOT\Device\Harddisk0",
            r"\\?\Volume{0}\Work\repo",
            "//?/C:/Work/repo",
            "//./C:/Work/repo",
            "C:Work",
            "C:",
            r"D:\Work\repo\a",
            r"C:\Work",
            r"\Work\repo",
            r"a\..\..",
            r"a\nul",
        ] {
            for root in ROOTS.concat() {
                assert_eq!(resolved(root, path), None, "{root} {path}");
            }
        }
    }

    #[test]
    fn paths_of_shares_and_devices_are_recognised() {
        for path in
            [r"\\host\share", "//host/share", r"/\host", r"\\?\C:\a", r"\??\C:\a", r"\\.\NUL"]
        {
            assert!(is_share_or_device(path), "{path}");
        }
        for path in ["", "/", r"\", "/a", r"C:\a", r"a\\b", "é", r"\?"] {
            assert!(!is_share_or_device(path), "{path}");
        }
    }
}
