//! Names that Windows does not treat as file names, as a rule over the text alone.
//!
//! A device such as `NUL` or `com1.txt` exists in every directory, `a:b` is a hidden stream of `a`, and `a.`
//! and `a ` are other spellings of `a`.

/// Names of devices, with any extension.
const DEVICES: &[&str] = &["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$"];
/// Names of devices that a number follows.
const NUMBERED_DEVICES: &[&str] = &["COM", "LPT"];

/// Returns whether `name` can only mean an entry of one directory. A name that comes from the text of a file,
/// such as a member of a manifest, may be a path for Windows although it has no `/`.
#[cfg(any(test, not(unix)))]
pub(crate) fn is_entry_name(name: &str) -> bool {
    !matches!(name, "" | "." | "..") && !name.contains(['/', '\\']) && !is_refused_name(name)
}

/// Returns whether `name`, which contains no separator, means something other than the entry of that name.
pub(crate) fn is_refused_name(name: &str) -> bool {
    if matches!(name, "" | "." | "..") {
        return false;
    }
    if name.contains(':') || name.ends_with(['.', ' ']) {
        return true;
    }
    let stem = name.split('.').next().unwrap_or(name).trim_end_matches(' ');
    if DEVICES.iter().any(|device| stem.eq_ignore_ascii_case(device)) {
        return true;
    }
    NUMBERED_DEVICES.iter().any(|device| {
        let head = stem.get(..device.len());
        let number = stem.get(device.len()..).unwrap_or_default();
        head.is_some_and(|head| head.eq_ignore_ascii_case(device)) && is_device_number(number)
    })
}

fn is_device_number(text: &str) -> bool {
    let mut chars = text.chars();
    matches!((chars.next(), chars.next()), (Some('1'..='9' | '¹' | '²' | '³'), None))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_special_on_windows_are_refused() {
        for name in [
            "NUL",
            "nul.txt",
            "Con",
            "aux.tar.gz",
            "prn ",
            "COM1",
            "lpt9.log",
            "com¹",
            "LPT³.x",
            "CONIN$",
            "a:stream",
            "a.txt::$DATA",
            "C:name",
            "C:",
            "a.",
            "a ",
            "b...",
        ] {
            assert!(is_refused_name(name), "{name}");
        }
    }

    #[test]
    fn the_name_of_an_entry_is_no_path() {
        for name in
            [r"..\outside", r"\", r"a\b", "a/b", "C:", r"C:\a", "..", ".", "", "nul", "a:b", "a."]
        {
            assert!(!is_entry_name(name), "{name}");
        }
        for name in ["a", ".git", "a b", "...a", "com0", "é"] {
            assert!(is_entry_name(name), "{name}");
        }
    }

    #[test]
    fn ordinary_names_are_not() {
        for name in [
            "",
            ".",
            "..",
            "b.txt",
            "com",
            "com0",
            "com10",
            "COM1x",
            "console",
            "null",
            "a.con",
            ".nul",
            ".gitignore",
            " a",
            "lpt⁴",
            "é",
        ] {
            assert!(!is_refused_name(name), "{name}");
        }
    }
}
